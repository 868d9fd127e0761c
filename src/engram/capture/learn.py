"""From what a turn tells to a memory: one of each, none twice, and the current one in force."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engram.capture.boxing import lay_in_box
from engram.capture.draft import Draft, DraftRules, Sort
from engram.capture.handed_facts import HandedFact
from engram.capture.model_answer import ModelFact
from engram.capture.reconcile import reconciled
from engram.capture.remember import remember
from engram.capture.results import outcome_of
from engram.capture.screened import looked_over
from engram.capture.understanding import LOOKED_AT, likeness, surprising
from engram.language.affect import affect
from engram.language.when.spans import LATEST as _FAR
from engram.language.when.spans import find_times
from engram.memory.changes import Action
from engram.memory.inferred import infer
from engram.memory.outcomes import Confirmed, Outcome
from engram.memory.people import person_of
from engram.memory.reading import ReadStatement
from engram.memory.record import Memory, MetadataValue
from engram.memory.sameness import is_same_statement
from engram.memory.staleness import is_refreshed
from engram.memory.trust import UNTRUSTED, Provenance, is_untrusted, passed_on
from engram.memory.vocabulary import Kind, Layer, LearnedBy, MemoryType, SourceClass, Status
from engram.storage.turns import keep_source
from engram.storage.unit import Evidence, UnitOfWork

DERIVED_TRUST = 0.9  # what is drawn from words is believed a little less than the words
SPECULATIVE = 0.4  # below this a statement has to be confirmed to last
SPECULATIVE_HORIZON = "30d"
_ALIKE = 0.6  # words in common below which two statements cannot say the same
_IMPORTANCE_SPREAD = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What somebody read in a turn, by rules or otherwise, before it is a memory."""

    text: str
    turn: Memory
    place: tuple[int, int]
    category: str
    confidence: float
    memory_type: MemoryType | None = None  # None: its category's, as for the next two
    layer: Layer | None = None
    kind: Kind | None = None
    salience: float = 0.5
    valid_from: datetime | None = None
    deadline: datetime | None = None
    replaces: str | None = None
    subject: str | None = None  # whom it is about, where whoever read it says so
    topics: frozenset[str] | None = None  # of its turn, where they are known already


def from_quote(
    found: ReadStatement, turn: Memory, topics: frozenset[str] | None = None
) -> Statement:
    """What the reader found in a turn: a quote of it."""
    named = [each for each in found.subject if each != turn.speaker]
    is_speakers = turn.speaker in found.subject
    return Statement(
        text=found.content,
        turn=turn,
        place=(found.start, found.end),
        category=found.category,
        confidence=found.confidence,
        salience=found.confidence,
        deadline=_deadline(found, turn),
        subject=named[0] if named and not is_speakers else None,
        topics=topics,
    )


def _deadline(found: ReadStatement, turn: Memory) -> datetime | None:
    """The day a promise is for: the last time it names, if that is still to come."""
    if found.category != "commitment":
        return None
    ahead = [each.end for each in find_times(found.content, turn.at) if each.end > turn.at]
    return max((each for each in ahead if each < _FAR), default=None)


def from_fact(
    fact: ModelFact | HandedFact, turn: Memory, topics: frozenset[str] | None = None
) -> Statement:
    """What a model found in a turn, or the host itself made of it."""
    return Statement(
        text=fact.text,
        turn=turn,
        place=(0, len(turn.content)),
        category=fact.category,
        confidence=fact.confidence,
        valid_from=fact.valid_from,
        deadline=fact.deadline,
        replaces=fact.replaces,
        subject=fact.subject,
        topics=topics,
    )


def learn(
    statement: Statement,
    unit: UnitOfWork,
    rules: DraftRules,
    counts: Counter[tuple[str, str]],
    *,
    instead_of: Collection[int] = (),
) -> Outcome | None:
    """Keep one statement within a unit of work; None when it is refused for what it holds.

    It is no repetition of those that it is kept instead of.
    """
    draft, screened = looked_over(
        _draft(statement, rules, _noted(statement, rules)), rules, inherited=statement.turn.secrecy
    )
    if screened.secrets and not rules.is_sealed:
        counts["refused", "secret"] += 1
        return None
    found = unit.see.like(draft.text, draft.scope, limit=LOOKED_AT)
    near = [each for each in found if each.number not in instead_of]
    shares = likeness(draft.text, near)
    known = _said_before(draft, near, shares)
    if known is not None:
        outcome = _confirmed(draft, known, unit)
    else:
        draft = surprising(reconciled(draft, unit, rules.principal), shares)
        outcome = remember(draft, unit, principal=rules.principal, options=rules.options)
        if outcome.kind == "stored":
            lay_in_box(outcome.memory, statement.turn, unit, rules.boxes, statement.topics)
    if outcome.kind != "refused" and outcome.change_id is not None:
        keep_source(
            unit.transaction, outcome.memory, statement.turn, outcome.change_id, statement.place
        )
    counts[outcome.kind, outcome.reason if outcome.kind in ("held", "refused") else ""] += 1
    return outcome


def _noted(statement: Statement, rules: DraftRules) -> dict[str, MetadataValue]:
    found = infer(statement.text, now=statement.turn.at, templates=rules.templates)
    if statement.deadline is not None:
        found["deadline"] = statement.deadline.isoformat()
    return found


def _draft(statement: Statement, rules: DraftRules, metadata: dict[str, MetadataValue]) -> Draft:
    turn = statement.turn
    category = rules.registry.find(statement.category)
    felt = affect(
        statement.text, outcome=outcome_of(turn), is_correction=category.name == "correction"
    )
    importance = rules.options.default_importance
    importance += _IMPORTANCE_SPREAD * (statement.salience - 0.5)
    return Draft(
        text=statement.text,
        category=category,
        layer=statement.layer or category.layer,
        memory_type=statement.memory_type or category.memory_type,
        kind=statement.kind or category.kind,
        importance=min(1.0, max(0.0, importance)),
        confidence=statement.confidence,
        at=turn.at,
        valid_from=statement.valid_from,
        valid_until=None,
        speaker=turn.speaker,
        subject=statement.subject or turn.subject,
        session=turn.session,
        reference=None,
        idempotency_key=None,
        provenance=Provenance(
            turn.source, turn.source_class, LearnedBy.OBSERVE, passed_on(turn) * DERIVED_TRUST
        ),
        metadata=metadata,
        is_pinned=False,
        scope=turn.scope,
        summary=None,
        replaces=statement.replaces,
        body=b"",
        sort=Sort.DRAWN,
        horizon=_horizon(statement, category.horizon, rules.now),
        valence=felt.valence,
        arousal=felt.arousal,
        made_of=(person_of(turn),),
    )


def _horizon(statement: Statement, usual: str | None, now: datetime) -> str | None:
    """How long it may go unconfirmed: a guess not long, a promise until its day is over."""
    if statement.confidence < SPECULATIVE:
        return SPECULATIVE_HORIZON
    if statement.deadline is None or usual is None:
        return usual
    days = (statement.deadline - now) // timedelta(days=1)
    return f"{max(days, 0) + int(usual.rstrip('d'))}d"


def _said_before(draft: Draft, near: Sequence[Memory], likeness: Sequence[float]) -> Memory | None:
    """A statement that says the same in other words; the same words are met when it is stored."""
    for memory, shared in zip(near, likeness, strict=True):
        is_proposal = memory.status is Status.PENDING
        if shared < _ALIKE or (is_proposal and draft.provenance.source_class is SourceClass.PERSON):
            continue  # a person's words are no echo of what an agent proposed
        if is_untrusted(memory) and draft.provenance.trust > UNTRUSTED:
            continue  # what somebody known says stands by itself, whatever a page said before
        said = (memory.at, draft.at)
        same = is_same_statement(memory.content, draft.text, said=said)
        subjects = {memory.subject, draft.subject} - {None}
        speakers = {memory.speaker, draft.speaker}
        if same.is_same and len(subjects) <= 1 and len(speakers) == 1:
            return memory
    return None


def _confirmed(draft: Draft, known: Memory, unit: UnitOfWork) -> Outcome:
    change = unit.begin_change(Action.LEARN, draft.scope, "")
    evidence = Evidence(
        happened_at=draft.at,
        source=draft.provenance.source,
        session=draft.session,
        reference=draft.reference,
        content=draft.text if draft.text != known.content else None,
    )
    unit.confirm(known, evidence)
    if draft.provenance.source_class is SourceClass.PERSON and is_refreshed(known, unit.now):
        unit.replace(known, last_verified_at=unit.now)
    return Confirmed(unit.see.current(known.number) or known, "known in other words", change)
