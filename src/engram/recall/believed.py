"""What is believed about one thing, and how that came to be."""

from collections.abc import Sequence
from dataclasses import dataclass

from engram.memory.changes import Action, Change, HistoryEntry
from engram.memory.ids import ChangeId, label_of
from engram.memory.knowledge.belief import Belief
from engram.memory.knowledge.graph import Direction
from engram.memory.knowledge.reconcile import BeliefState, Retracted, Unknown, believed
from engram.memory.knowledge.relations import WITHIN, ReadRelation
from engram.memory.knowledge.story import Revision, RevisionKind
from engram.memory.record import Memory
from engram.memory.vocabulary import Status
from engram.recall.graph_sight import StoreSight
from engram.storage.conditions import Moments
from engram.storage.reader import StoreReader


@dataclass(frozen=True, slots=True)
class About:
    """What is asked about: somebody or something by name or id, a relation, and which property."""

    subject: str
    relation: ReadRelation
    property_name: str = ""


def belief_about(about: About, see: StoreReader, moments: Moments) -> BeliefState:
    """What is believed at a moment; what was withdrawn, when nothing else is."""
    knowledge, rule = see.knowledge, about.relation.rule
    sight = StoreSight(see, moments)
    node = sight.id_of(about.subject)
    found = [
        each
        for each in _told(about, node, see, moments)
        if each.property_name == about.property_name
    ]
    is_functional = rule.is_functional or any(each.is_functional for each in found)
    state = believed(
        found,
        moments.instant,
        is_functional=is_functional and not about.relation.is_reversed,
        lies_inside=lambda one, other: knowledge.leads_to(
            [one], [other], relations=WITHIN, now=moments.instant
        ),
    )
    if isinstance(state, Unknown):
        state = _withdrawn(about, node, see, moments)
    if isinstance(state, Unknown):
        sight.check_relations([rule.name])
    return state


def _told(about: About, node: str, see: StoreReader, moments: Moments) -> list[Belief]:
    """What is learnt of a node by a relation."""
    name = about.relation.rule.name
    return see.knowledge.edges_at(
        [node], moments=moments, relations=[name], direction=_direction(about)
    )


def _direction(about: About) -> Direction:
    if about.relation.rule.is_symmetric:
        return Direction.BOTH
    return Direction.IN if about.relation.is_reversed else Direction.OUT


def _withdrawn(about: About, node: str, see: StoreReader, moments: Moments) -> BeliefState:
    if about.relation.is_reversed:
        return Unknown()
    known = see.knowledge.beliefs_about(
        [node], about.relation.rule.name, about.property_name, known_at=moments.known_at
    )
    gone = [each for each in known if each.memory.status is Status.INVALIDATED]
    if not gone or len(gone) < len([each for each in known if _is_open(each.memory)]):
        return Unknown()
    last = max(gone, key=lambda each: (each.memory.recorded_at, each.memory.number))
    made = _made_by(see, last.memory.change_id)
    reason, at = (made.reason, made.at) if made else ("", last.memory.recorded_at)
    return Retracted(last, reason, at)


def _made_by(see: StoreReader, change_id: ChangeId) -> Change | None:
    """The change that brought something about; one that was undone and redone is still that one."""
    found = see.change(change_id)
    while found is not None and found.change.undoes is not None:
        found = see.change(found.change.undoes)
    return found.change if found else None


def _is_open(memory: Memory) -> bool:
    return memory.status in (Status.ACTIVE, Status.CHALLENGED, Status.INVALIDATED)


def revisions(about: About, see: StoreReader, moments: Moments) -> list[Revision]:
    """Every step in what was believed about one thing, oldest first."""
    knowledge = see.knowledge
    sight = StoreSight(see, moments)
    node = sight.id_of(about.subject)
    numbers = knowledge.numbers_about([node], about.relation.rule.name, about.property_name)
    if not numbers:
        sight.check_relations([about.relation.rule.name])
    told = {number: _Told(see, number) for number in numbers}
    together = _Together.of(list(told.values()))
    found = [step for each in told.values() for step in each.revisions(together)]
    for number, change in knowledge.confirmations(numbers):
        found.append(told[number].revision(RevisionKind.REINFORCEMENT, change))
    return sorted(found, key=lambda each: (each.at, each.change_id, each.memory_id))


@dataclass(frozen=True, slots=True)
class _Together:
    """What several beliefs went through in one change, so that it is told once."""

    corrections: frozenset[ChangeId]  # which put one in another's place
    contests: frozenset[ChangeId]  # which set one against another

    @classmethod
    def of(cls, told: "Sequence[_Told]") -> "_Together":
        """Read it off the states of all of them."""
        ended = {entry.change.id for each in told for entry in each.later if _is_ended(entry)}
        begun = {
            each.first.change.id for each in told if each.first.memory.status is Status.CHALLENGED
        }
        made = {each.first.change.id for each in told}
        return cls(frozenset(ended & made), frozenset(begun))


class _Told:
    """The states of one belief, read as steps."""

    def __init__(self, see: StoreReader, number: int) -> None:
        label = label_of(number)
        entries = see.history(label)
        self.first, self.later = entries[0], entries[1:]
        self._last = entries[-1].memory
        self._ending = see.ending(label)
        found = see.knowledge.edges_of([number], known_at=self._last.recorded_at)
        self._object = found[0].object if found else ""

    def revisions(self, together: _Together) -> list[Revision]:
        """What happened to it; what another took its place by is told with that other."""
        steps = [self.revision(self._beginning(together), self.first.change)]
        before = self.first.memory
        for entry in self.later:
            kind = _kind_of(before, entry, together)
            if kind is not None:
                steps.append(self.revision(kind, entry.change))
            before = entry.memory
        if self._ending is not None:
            steps.append(self.revision(RevisionKind.UNDOING, self._ending))
        return steps

    def _beginning(self, together: _Together) -> RevisionKind:
        if self.first.memory.status is Status.CHALLENGED:
            return RevisionKind.CONTEST
        is_correction = self.first.change.id in together.corrections
        was_earlier = self.first.memory.status is Status.SUPERSEDED
        return (
            RevisionKind.CORRECTION if is_correction and not was_earlier else RevisionKind.ADDITION
        )

    def revision(self, kind: RevisionKind, change: Change) -> Revision:
        """One step, with the words of the belief."""
        return Revision(
            kind=kind,
            at=change.at,
            actor=change.actor,
            statement=self._last.content,
            object=self._object,
            reason=change.reason,
            memory_id=self._last.id,
            change_id=change.id,
        )


def _is_ended(entry: HistoryEntry) -> bool:
    return entry.memory.status is Status.SUPERSEDED


def _kind_of(before: Memory, entry: HistoryEntry, together: _Together) -> RevisionKind | None:
    """What a later state tells; None when that is told elsewhere, or is nothing to tell."""
    status, change = entry.memory.status, entry.change
    if change.action is Action.UNDO:
        stands = status in (Status.ACTIVE, Status.CHALLENGED)
        return RevisionKind.RESTORATION if stands else RevisionKind.UNDOING
    if status is before.status:
        return None
    if status in (Status.INVALIDATED, Status.ARCHIVED, Status.REJECTED):
        return RevisionKind.RETRACTION
    if status is Status.SUPERSEDED:
        return None if change.id in together.corrections else RevisionKind.CORRECTION
    if status is Status.CHALLENGED:
        return None if change.id in together.contests else RevisionKind.CONTEST
    is_decision = change.action in (Action.APPROVE, Action.VERIFY, Action.SET_STATUS)
    return RevisionKind.REINFORCEMENT if is_decision else None
