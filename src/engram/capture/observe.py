"""Takes in a turn of a conversation: word for word first, and then it waits to be read."""

import dataclasses
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from engram.capture.draft import Draft, DraftRules, Sort, read_draft
from engram.capture.reading.scan import SignalScan, scan
from engram.capture.remember import remember
from engram.capture.screened import labels, without_secrets
from engram.capture.seal_kept import tiered
from engram.errors import EngramError, InvalidInput
from engram.memory.outcomes import Confirmed, Observed, Outcome, Stored
from engram.security.screening.screen import Screened, screen
from engram.storage.turns import count_capture, queue_turn
from engram.storage.unit import UnitOfWork
from engram.text.injected import without_injected

# Who speaks in each role: the source by which that is kept.
SOURCES = {
    "user": "user",
    "assistant": "assistant",
    "tool": "result:tool",
    "system": "import:system",
    "result": "result:task",
}
ANY_LENGTH = sys.maxsize  # a long turn is split: one of them must not refuse a whole batch
# What tools and systems print is kept, and not read; a result is what somebody made of it.
SPEAKS = frozenset({"user", "assistant", "result"})
NOT_READ = "looks like an injection"  # why nothing is learnt from a turn that is kept
_ONLY_RECALLED = "[recalled memories]"  # a turn in which nobody said anything beside them


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """A turn that was checked and screened, ready to be kept."""

    draft: Draft
    signal: SignalScan
    role: str
    screened: Screened

    @property
    def is_read(self) -> bool:
        """Whether statements are to be looked for in it."""
        is_own = self.draft.text != _ONLY_RECALLED
        return self.role in SPEAKS and is_own and not self.screened.is_hostile


def read_turn_draft(text: object, arguments: Mapping[str, object], rules: DraftRules) -> TurnDraft:
    """Check every argument of `observe`, and take secrets out of the words."""
    given = {name: value for name, value in arguments.items() if value is not None}
    role = given.pop("role", "user")
    if not isinstance(role, str) or role not in SOURCES:
        raise InvalidInput(hint=f"`role` is one of: {', '.join(SOURCES)}.")
    source = given.pop("source", SOURCES[role])
    draft = read_draft(
        _own_words(text),
        {**given, "source": source, "category": "turn"},
        rules,
        max_bytes=ANY_LENGTH,
    )
    screened = screen(draft.text)
    kept = without_secrets(draft.text, screened, rules)
    metadata = {**draft.metadata, "role": role, **labels(screened)}
    said = (draft.text, screened)
    turn = dataclasses.replace(
        draft, text=kept, metadata=metadata, sort=Sort.TURN, is_timed="at" in given
    )
    return TurnDraft(
        tiered(turn, said, rules),
        scan(kept, role),
        role,
        screened,
    )


def _own_words(text: object) -> object:
    """What was said without what Engram put before it: that is known, and nobody said it."""
    if not isinstance(text, str) or not text.strip():
        return text
    return without_injected(text) or _ONLY_RECALLED


def read_turn_item(item: object, index: int, rules: DraftRules) -> TurnDraft:
    """Check one of many turns; an error names which."""
    try:
        if isinstance(item, str):
            return read_turn_draft(item, {}, rules)
        if not isinstance(item, Mapping) or "text" not in item:
            raise InvalidInput(hint="A turn is a string, or a dictionary with `text`.")
        rest = {str(name): value for name, value in item.items() if name != "text"}
        return read_turn_draft(item["text"], rest, rules)
    except EngramError as error:
        error.hint = f"Turn {index}: {error.hint}"
        raise


def keep_turn(
    turn: TurnDraft, unit: UnitOfWork, rules: DraftRules, *, is_queued: bool = True
) -> Observed:
    """Keep one turn within a unit of work, and let it wait to be read."""
    outcome = remember(turn.draft, unit, principal=rules.principal, options=rules.options)
    observed = _observed(outcome, turn)
    if observed.kind == "kept" and turn.is_read and is_queued:
        for part in observed.parts or (observed.memory,):
            queue_turn(unit.transaction, part, kept_at=unit.now, urgency=turn.signal.level.value)
    counts = {(f"turn {observed.kind}", turn.role): 1}
    for span in turn.screened.secrets:
        counts["masked", span.kind] = counts.get(("masked", span.kind), 0) + 1
    if turn.screened.is_hostile:
        counts["not read", NOT_READ] = 1
    count_capture(unit.transaction, turn.draft.scope, unit.now, counts)
    return observed


def _observed(outcome: Outcome, turn: TurnDraft) -> Observed:
    level = turn.signal.level.value
    match outcome:
        case Stored(memory, reason, change, parts):
            return Observed(memory, "kept", reason, level, change, parts)
        case Confirmed(memory, _, change, parts):
            return Observed(memory, "known", "said before", level, change, parts)
        case _:
            # A turn is of a category that is never held; rejected once, it stays so.
            return Observed(outcome.memory, "known", outcome.reason, level, outcome.change_id)
