"""Learns anew from kept turns: their quotes take the place of what was read in them before.

What a person decided on stays: a statement that somebody approved, edited, pinned, verified,
protected or moved by hand is not retired, and no quote of the words it was drawn from is learnt
beside it; neither is one of what was rejected or forgotten. Turns that a model or their host read
are left to what they said. Each batch is one transaction that also notes how far it is.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engram.capture.extract import CONTEXT, ExtractRules, as_turn
from engram.capture.learn import Statement, from_quote, learn
from engram.capture.observe import SPEAKS
from engram.capture.reading.read import read_quotes
from engram.failpoints import failpoint
from engram.memory.boxes import topics_of
from engram.memory.changes import Action, Change
from engram.memory.ids import ChangeId
from engram.memory.reading import Reread, RereadTurn
from engram.memory.record import Memory
from engram.memory.scopes import Reach, Scope
from engram.memory.secrecy import is_protected
from engram.memory.staleness import status_at
from engram.memory.status import LEGAL_MOVES, RECALLABLE
from engram.memory.vocabulary import LearnedBy, Status
from engram.storage.carrying import (
    REREAD_PREFIX,
    StoredImport,
    begin_import,
    note_import,
)
from engram.storage.reader import StoreReader
from engram.storage.store import Store
from engram.storage.turns import Source
from engram.storage.unit import UnitOfWork

AT_ONCE = 8  # turns of one transaction
_NAME = "turns, read again"
_READ_SECONDS = 30.0
_IN_FORCE = RECALLABLE | {Status.STALE, Status.PENDING}
# What happens to a statement by itself; anything else was somebody's decision.
_BY_ITSELF = frozenset({
    Action.LEARN, Action.CONFIRM, Action.SUPERSEDE, Action.EXPIRE, Action.ARCHIVE, Action.MERGE,
    Action.DERIVE, Action.INFER, Action.INVALIDATE, Action.CHALLENGE, Action.REHEARSE,
    Action.RELATE, Action.DREAM, Action.PRUNE,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """What reading one turn again comes to."""

    turn: Memory
    learnt: tuple[Statement, ...] = ()
    retired: tuple[tuple[Memory, Statement | None], ...] = ()  # each with the quote in its place
    kept: tuple[Memory, ...] = ()  # what a person decided on

    @property
    def told(self) -> RereadTurn:
        """The plan as its caller sees it."""
        return RereadTurn(
            self.turn.label,
            tuple(each.text for each in self.learnt),
            tuple(old.label for old, _ in self.retired),
            tuple(each.label for each in self.kept),
        )


class Rereading:
    """One going through all turns of a store; goes on where one that was stopped came to."""

    def __init__(self, store: Store, rules: Callable[[], ExtractRules]) -> None:
        self._store = store
        self._rules = rules
        self._id: str | None = None
        self._mark = 0

    def foresee(self) -> Reread:
        """What reading all turns again would come to; nothing is written."""
        plans: list[TurnPlan] = []
        mark = 0
        while found := self._planned(mark):
            mark = found[-1].turn.number
            plans += found
        return _report(None, plans, is_dry_run=True)

    def run(self, progress: Callable[[int, int], None] | None = None) -> Reread:
        """Read all turns again and keep what comes of it."""
        self._begin()
        plans: list[TurnPlan] = []
        total = self._count(self._mark)
        while found := self._planned(self._mark):
            self._carry_out(found)
            plans += found
            if progress is not None:
                progress(len(plans), max(total, len(plans)))
        self._carry_out([], is_last=True)
        return _report(self._id, plans, is_dry_run=False)

    def _count(self, after: int) -> int:
        with self._store.read(self._reach, timeout_seconds=_READ_SECONDS) as see:
            return see.turns.count_read(after)

    @property
    def _reach(self) -> Reach:
        return self._rules().draft.principal.review_reach(None)

    def _begin(self) -> None:
        """Go on with one that was stopped, or begin."""
        rules = self._rules().draft
        with self._store.write(self._reach, actor=rules.principal.actor, now=rules.now) as unit:
            digest = unit.digest(_NAME)
            known = unit.see.carrying.import_of(digest, Scope())
            if known is not None and not known[2]:
                self._id, self._mark, _ = known
                return
            self._id, self._mark = REREAD_PREFIX + unit.mint_memory_id(), 0
            stored = StoredImport(
                id=self._id, scope=Scope(), actor=rules.principal.actor, name=_NAME, items=0,
                began_at=unit.now, finished_at=None, undone_at=None, changes=0,
            )  # fmt: skip
            begin_import(unit.transaction, stored, digest)

    def _planned(self, after: int) -> list[TurnPlan]:
        rules = self._rules()
        with self._store.read(self._reach, timeout_seconds=_READ_SECONDS) as see:
            turns = see.turns.read_after(after, limit=AT_ONCE)
            known = [(turn, *_context(turn, see)) for turn in turns]
            has_models = see.turns.has_models()
        return [
            plan_turn(turn, before, drawn, rules, has_models=has_models)
            for turn, before, drawn in known
        ]

    def _carry_out(self, plans: Sequence[TurnPlan], *, is_last: bool = False) -> None:
        rules = self._rules()
        principal, now = rules.draft.principal, rules.draft.now
        with self._store.write(self._reach, actor=principal.actor, now=now) as unit:
            changes: list[ChangeId] = []
            for plan in plans:
                changes += carry_out(plan, unit, rules)
            mark = plans[-1].turn.number if plans else self._mark
            note_import(
                unit.transaction, str(self._id), items=mark, changes=sorted(set(changes)),
                finished_at=unit.now if is_last else None,
            )  # fmt: skip
            failpoint("reread_before_commit")
        self._mark = mark
        failpoint("reread_after_commit")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A statement that was drawn from a turn, where its words stand, and what became of it."""

    memory: Memory
    place: tuple[int, int]
    is_decided: bool  # a person decided on it


def _context(turn: Memory, see: StoreReader) -> tuple[list[Memory], list[Drawn]]:
    drawn = see.turns.drawn_from(turn)
    sources = see.turns.sources_of(each.number for each in drawn)
    found = [
        Drawn(each, _place(sources.get(each.number, []), turn), is_decided(each, turn, see))
        for each in drawn
    ]
    return see.turns.before(turn, limit=CONTEXT), found


def _place(sources: Sequence[Source], turn: Memory) -> tuple[int, int]:
    return next(
        (each.place for each in sources if each.turn.number == turn.number),
        (0, len(turn.content)),
    )


def is_decided(memory: Memory, turn: Memory, see: StoreReader) -> bool:
    """Whether a person approved, edited, pinned, verified, protected or moved a statement."""
    is_raised = is_protected(memory.secrecy) and memory.secrecy is not turn.secrecy
    if memory.is_pinned or memory.last_verified_at is not None or is_raised:
        return True
    changes = [entry.change for entry in see.history(memory.id) if entry.change is not None]
    return any(_action(each, see) not in _BY_ITSELF for each in changes)


def _action(change: Change, see: StoreReader) -> Action:
    """What was done, or undone: taking back what came by itself decides nothing."""
    undone = see.change(change.undoes) if change.undoes else None
    return change.action if undone is None else undone.change.action


def plan_turn(
    turn: Memory,
    before: Sequence[Memory],
    drawn: Sequence[Drawn],
    rules: ExtractRules,
    *,
    has_models: bool = False,
) -> TurnPlan:
    """What reading one turn again comes to; `has_models`: whether a model has read here ever."""
    own = [each for each in drawn if each.memory.learned_by is LearnedBy.OBSERVE]
    role = turn.metadata.get("role")
    if str(role or "user") not in SPEAKS or any(
        _is_others(each, turn, has_models=has_models) for each in own
    ):
        return TurnPlan(turn)
    people = [each.speaker for each in before if each.speaker]
    reading = read_quotes(as_turn(turn, before), rules.reader, people=people)
    decided = [each for each in own if each.is_decided]
    known = {each.memory.content for each in own}
    topics = topics_of(turn.content) if reading.statements else None
    learnt = [
        from_quote(found, turn, topics)
        for found in reading.statements
        if found.content not in known
        and not any(_overlap((found.start, found.end), each.place) for each in decided)
    ]
    now = rules.draft.now
    retired = [
        (each.memory, next((new for new in learnt if _overlap(new.place, each.place)), None))
        for each in own
        if not each.is_decided
        and each.memory.content not in turn.content
        and status_at(each.memory, now) in _IN_FORCE
    ]
    standing = [each.memory for each in decided if each.memory.status in _IN_FORCE]
    return TurnPlan(turn, tuple(learnt), tuple(retired), tuple(standing))


def _is_others(drawn: Drawn, turn: Memory, *, has_models: bool) -> bool:
    """Whether a model or the host made it: of the whole turn, in words of its own.

    What a host hands in is learnt in the moment in which its turn is kept.
    """
    is_whole = drawn.place == (0, len(turn.content))
    is_handed = drawn.memory.learned_at == turn.learned_at
    return is_whole and drawn.memory.content not in turn.content and (has_models or is_handed)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])


def carry_out(plan: TurnPlan, unit: UnitOfWork, rules: ExtractRules) -> list[ChangeId]:
    """Keep the quotes of a turn and retire what they replace; the changes that did it."""
    counts: Counter[tuple[str, str]] = Counter()
    changes: list[ChangeId] = []
    made: dict[int, Memory] = {}
    old_ones = {old.number for old, _ in plan.retired}
    for place, statement in enumerate(plan.learnt):
        outcome = learn(statement, unit, rules.draft, counts, instead_of=old_ones)
        if outcome is None or outcome.change_id is None:
            continue
        changes.append(outcome.change_id)
        if outcome.kind in ("stored", "confirmed"):
            made[place] = outcome.memory
    for old, quote in plan.retired:
        new = made.get(plan.learnt.index(quote)) if quote is not None else None
        change = _retire(old, new, plan.turn, unit)
        changes += [change] if change else []
    return changes


def _retire(old: Memory, new: Memory | None, turn: Memory, unit: UnitOfWork) -> ChangeId | None:
    """Retire an old statement that is as it was when it was looked at."""
    current = unit.see.current(old.number)
    target = Status.ARCHIVED if new is None else Status.SUPERSEDED
    is_same = current is not None and current.change_id == old.change_id
    if current is None or not is_same or (new is not None and new.number == old.number):
        return None
    if target not in LEGAL_MOVES[status_at(current, unit.now)]:
        return None
    if new is None:
        change = unit.begin_change(Action.ARCHIVE, old.scope, f"not in {turn.label}, read again")
        unit.replace(current, status=target)
        return change
    change = unit.begin_change(Action.SUPERSEDE, old.scope, f"read again: {new.label}")
    unit.replace(current, status=target, superseded_by=new.id)
    return change


def _report(id_: str | None, plans: Sequence[TurnPlan], *, is_dry_run: bool) -> Reread:
    changed = [plan.told for plan in plans if plan.learnt or plan.retired]
    return Reread(
        id=id_,
        is_dry_run=is_dry_run,
        turns=len(plans),
        learnt=sum(len(plan.learnt) for plan in plans),
        retired=sum(len(plan.retired) for plan in plans),
        kept=sum(len(plan.kept) for plan in plans),
        changed=tuple(changed),
    )
