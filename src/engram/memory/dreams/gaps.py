"""What is not known yet, contradictory or out of date, and the question that would settle it.

Nothing is asked about what people keep to themselves, and nothing on the strength of a text that
nobody trustworthy said.
"""

import dataclasses
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import cast

from engram.memory.categories import TURN
from engram.memory.dreams.artefact import Artefact, ArtefactKind, Plain, inherited
from engram.memory.ids import ChangeId, label_of
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.staleness import stale_at
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import Kind, LearnedBy, MemoryType, Secrecy, Status

NEVER_ASKED = frozenset({"fiscal", "health", TURN})
_PRIVATE = re.compile(
    r"\b(?:diagnos\w+|medicat\w+|prescri\w+|therap\w+|depress\w+|anxiety|illness|cancer|hiv|surgery"
    r"|pregnan\w+|miscarriage|disab\w+|symptoms?|hospital|rehab|addict\w+|salary|wages?|debts?"
    r"|loans?|mortgage|bank account|credit card|iban|tax(?:es)?|bankrupt\w*|password|passphrase"
    r"|api key|token|pin code|passport|divorc\w+|affair|religio\w+|arrest\w*|lawsuit|sexual\w*)\b",
    re.IGNORECASE,
)
_GENERAL = "general"  # nobody said what it is: it has no horizon, and may be anything
_QUOTED = 180  # characters of a note in a question
_CONTRADICTION, _DOUBT, _STALE = 0.9, 0.8, 0.7


class GapKind(StrEnum):
    """What sort of gap it is."""

    MISSING_FIELD = "missing_field"
    CONTRADICTION = "contradiction"
    STALE = "stale"  # much used, and not verified for long
    DOUBTED = "doubted"  # challenged, and nothing stands against it that one could choose


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something to ask: the question, what it is about, and the memories it comes from."""

    id: str
    scope: Scope
    kind: GapKind
    question: str
    severity: float
    subject: str = ""
    template: str = ""
    field: str = ""
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    trust: float = 0.0
    made_at: datetime
    change_id: ChangeId | None = dataclasses.field(default=None, compare=False)  # who keeps it

    @property
    def labels(self) -> tuple[str, ...]:
        """The memories it comes from, as people call them."""
        return tuple(label_of(number) for number in self.numbers)

    @property
    def order(self) -> tuple[float, str]:
        """What matters most first."""
        return -self.severity, self.id


def gap_id(scope: Scope, kind: GapKind, *about: str) -> str:
    """What names a gap, whatever night it is."""
    told = "\x1f".join((scope.path, kind.value, *about))
    return "gap-" + hashlib.sha256(told.encode()).hexdigest()[:16]


# What may be asked about


def may_be_asked_about(memory: Memory) -> bool:
    """Whether a memory may give rise to a question, and be quoted in it.

    Not what is private by its category, wording or protection, not what screening has marked, and
    not what nobody trustworthy said: a question is put to a person unasked.
    """
    is_marked = bool(memory.metadata.get("secrets") or memory.metadata.get("personal"))
    return (
        memory.category not in NEVER_ASKED
        and memory.secrecy is Secrecy.CLEARTEXT
        and memory.learned_by is not LearnedBy.DREAM
        and not is_marked
        and may_enter_unasked(memory)
        and _PRIVATE.search(memory.content) is None
    )


def quoted(memory: Memory) -> str:
    """A note as it stands in a question: one line, not too long, without its full stop."""
    line = " ".join(memory.content.split()).replace('"', "'").rstrip(" .")
    return line if len(line) <= _QUOTED else line[:_QUOTED].rsplit(" ", 1)[0] + " …"


# What stands against each other, and what may be out of date


def contradiction_gap(one: Memory, other: Memory, *, scope: Scope, now: datetime) -> Gap:
    """The question which of two that exclude each other holds."""
    first, second = sorted((one, other), key=lambda each: each.number)
    text = f'I have a note that says "{quoted(first)}", but also one that says "{quoted(second)}".'
    return _quoting(
        GapKind.CONTRADICTION, (first, second), f"{text} Which is current?", _CONTRADICTION,
        scope=scope, now=now,
    )  # fmt: skip


def doubt_gap(memory: Memory, *, scope: Scope, now: datetime) -> Gap:
    """The question whether something that was challenged holds."""
    text = f'I have a note that says "{quoted(memory)}", but it has been called into doubt.'
    return _quoting(
        GapKind.DOUBTED, (memory,), f"{text} Is it right?", _DOUBT, scope=scope, now=now
    )


def stale_gap(memory: Memory, *, scope: Scope, now: datetime) -> Gap:
    """The question whether something much used and long unverified still holds."""
    since = memory.last_verified_at or memory.learned_at
    text = f'I have a note from {since:%B %Y}: "{quoted(memory)}".'
    return _quoting(
        GapKind.STALE, (memory,), f"{text} Is it still right?", _STALE, scope=scope, now=now
    )


def _quoting(
    kind: GapKind, memories: tuple[Memory, ...], question: str, severity: float,
    *, scope: Scope, now: datetime,
) -> Gap:  # fmt: skip
    trust, _ = inherited(memories)
    return Gap(
        id=gap_id(scope, kind, *(str(each.number) for each in memories)),
        scope=scope, kind=kind, question=question, severity=severity,
        subject=_shared_subject(memories), numbers=tuple(each.number for each in memories),
        trust=trust, made_at=now,
    )  # fmt: skip


def _shared_subject(memories: Sequence[Memory]) -> str:
    subjects = {each.subject for each in memories}
    return (subjects.pop() or "") if len(subjects) == 1 else ""


def may_be_outdated(
    memory: Memory, now: datetime, *, confirmed_at: datetime | None, uses: int, days: int, near: int
) -> bool:
    """Whether a memory is used much, and was verified too long ago or is about to turn stale.

    What tells of one event, or was decided, is a record: it does not get out of date.
    """
    is_record = memory.horizon is None and memory.category != _GENERAL
    if memory.usage.accesses < uses or is_record or memory.is_pinned:
        return False
    if memory.kind is Kind.EPISODE or memory.memory_type is MemoryType.NARRATIVE:
        return False
    if memory.status not in (Status.ACTIVE, Status.STALE):
        return False
    touched = [memory.learned_at, memory.last_verified_at, confirmed_at]
    since = max(moment for moment in touched if moment is not None)
    ends = stale_at(memory)
    is_near = ends is not None and ends - now <= timedelta(days=near) and confirmed_at is None
    return now - since >= timedelta(days=days) or is_near


# As artefacts


def as_artefact(gap: Gap) -> Artefact:
    """A gap as it is kept."""
    body: dict[str, Plain] = {
        "kind": gap.kind.value, "field": gap.field, "template": gap.template,
        "subject": gap.subject, "severity": gap.severity, "names": list(gap.names),
    }  # fmt: skip
    return Artefact(
        kind=ArtefactKind.GAP, scope=gap.scope, key=gap.id, text=gap.question, body=body,
        sources=gap.numbers, trust=gap.trust, secrecy=Secrecy.CLEARTEXT, made_at=gap.made_at,
    )  # fmt: skip


def from_artefact(artefact: Artefact) -> Gap:
    """A gap as it was kept."""
    body = artefact.body
    return Gap(
        id=artefact.key, scope=artefact.scope, kind=GapKind(cast(str, body["kind"])),
        question=artefact.text, severity=cast(float, body["severity"]),
        subject=cast(str, body["subject"]), template=cast(str, body["template"]),
        field=cast(str, body["field"]), names=tuple(cast("list[str]", body["names"])),
        numbers=artefact.sources, trust=artefact.trust, made_at=artefact.made_at,
        change_id=artefact.change_id,
    )  # fmt: skip
