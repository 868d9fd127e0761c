"""Writes down what follows from beliefs, as sentences that go when a premise does.

A conclusion is kept as a memory with links to its premises and not as a belief: the graph draws its
own conclusions afresh whenever somebody asks, and what was once concluded never proves anything.
"""

from collections.abc import Iterator, Mapping, Sequence

from engram.lifecycle.dreams.derived import derive
from engram.lifecycle.dreams.made import labels
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.memory.changes import Action
from engram.memory.dreams.conclusions import (
    Conclusion,
    conclusions_from,
    is_premise,
    may_be_told_again,
    told,
)
from engram.memory.dreams.report import CONCLUDED, Step
from engram.memory.identity import statement_identity
from engram.memory.ids import label_of
from engram.memory.knowledge.belief import Belief
from engram.memory.knowledge.graph import Direction, Leg, Strand
from engram.memory.knowledge.inference import EVERY_RELATION
from engram.memory.record import Memory
from engram.memory.status import IN_FORCE
from engram.memory.vocabulary import Status
from engram.storage.conditions import Filters, Moments
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork

_SAYS = "concluded"  # in the metadata: what it says, by ids of nodes
_PREMISES = "premises"  # and the labels of what it follows from


def infer(night: Night, see: StoreReader) -> Planned:
    """What follows and is not written down yet, and what no longer follows."""
    written = _written(night, see)
    if not see.knowledge.has_edges() and not written:
        return Planned()
    strands = _strands(night, see)
    beliefs = _premises(night, see, strands)
    firm = [each for each in strands if each.number in beliefs]
    following = {each.key: each for each in conclusions_from(firm, night.breathe)}
    standing = {str(each.metadata[_SAYS]): each for each in written if each.status in IN_FORCE}
    decisions = [
        *_gone(night, standing, following),
        *_fresh(night, see, written, standing, following, beliefs),
    ]
    most = night.options.decisions_per_pass
    return Planned(
        decisions=tuple(decisions[:most]), looked_at=len(strands), is_whole=len(decisions) <= most
    )


def _written(night: Night, see: StoreReader) -> list[Memory]:
    """What dreams have concluded in this scope, in whatever status, oldest first."""
    found = see.listing(
        Moments(now=night.now), Filters(source=CONCLUDED), status=None,
        limit=night.options.rows_per_pass,
    )  # fmt: skip
    return [each for each in reversed(found) if _SAYS in each.metadata]


def _strands(night: Night, see: StoreReader) -> list[Strand]:
    nodes = see.knowledge.listed(limit=night.options.rows_per_pass)
    found = see.knowledge.graph.strands_at(
        [node.id for node in nodes], Leg(EVERY_RELATION, Direction.OUT), Moments(now=night.now),
        limit=night.options.rows_per_pass,
    )  # fmt: skip
    return sorted(found, key=lambda each: each.number)


def _premises(night: Night, see: StoreReader, strands: Sequence[Strand]) -> dict[int, Belief]:
    """The beliefs on which something may be built, by the numbers of their memories."""
    night.breathe()
    found = see.knowledge.edges_of(each.number for each in strands)
    least = night.options.inference_strength
    return {each.memory.number: each for each in found if is_premise(each, least)}


def _gone(
    night: Night, standing: Mapping[str, Memory], following: Mapping[str, Conclusion]
) -> Iterator[Decision]:
    """What no longer follows is put away, unless a person has made it their own."""
    for key, memory in sorted(standing.items()):
        if key not in following and not memory.is_vouched_for and not memory.is_pinned:
            why = (
                f"{memory.label} no longer follows: a belief it came from is gone or told outright."
            )
            yield _moved(night, memory, Action.ARCHIVE, Status.ARCHIVED, why)


def _fresh(
    night: Night,
    see: StoreReader,
    written: Sequence[Memory],
    standing: Mapping[str, Memory],
    following: Mapping[str, Conclusion],
    beliefs: Mapping[int, Belief],
) -> Iterator[Decision]:
    past = {str(each.metadata[_SAYS]): each for each in written if each.status not in IN_FORCE}
    left = night.options.inferences_per_night
    for key, conclusion in following.items():
        if left <= 0:
            return
        night.breathe()
        earlier = standing.get(key, past.get(key))
        decision = _told_once_more(night, see, conclusion, earlier, beliefs)
        if decision is not None:
            left -= 1
            yield decision


def _told_once_more(
    night: Night,
    see: StoreReader,
    conclusion: Conclusion,
    earlier: Memory | None,
    beliefs: Mapping[int, Belief],
) -> Decision | None:
    """The decision to write a conclusion down, or to bring back what was put away."""
    text = told(conclusion, beliefs)
    if not text or _is_said(see, night, text):
        return None
    if earlier is None:
        return _derived(night, conclusion, text, beliefs)
    if earlier.status in IN_FORCE:
        return _on_other_grounds(night, conclusion, text, earlier, beliefs)
    if not may_be_told_again(earlier) or not _was_put_away(see, earlier):
        return None
    if earlier.metadata.get(_PREMISES) != _labels(conclusion):
        return _derived(night, conclusion, text, beliefs)
    why = f"{earlier.label} follows again."
    return _moved(night, earlier, Action.INFER, Status.ACTIVE, why)


def _on_other_grounds(
    night: Night,
    conclusion: Conclusion,
    text: str,
    standing: Memory,
    beliefs: Mapping[int, Belief],
) -> Decision | None:
    """What stands is written anew when one of its own premises is gone and others lead there."""
    premises = standing.metadata.get(_PREMISES)
    known = {belief.memory.label for belief in beliefs.values()}
    is_sound = isinstance(premises, list) and known.issuperset(premises)
    if is_sound or standing.is_vouched_for or standing.is_pinned:
        return None
    return _derived(night, conclusion, text, beliefs, instead_of=standing)


def _labels(conclusion: Conclusion) -> list[str]:
    return [label_of(number) for number in conclusion.premises]


def _was_put_away(see: StoreReader, memory: Memory) -> bool:
    """Whether a dream archived it, and not somebody who does not want it."""
    stored = see.change(memory.change_id)
    return stored is not None and stored.change.action is Action.ARCHIVE


def _is_said(see: StoreReader, night: Night, text: str) -> bool:
    identity = statement_identity(
        text, speaker=None, subject=None, valid_from=None, valid_until=None
    )
    return see.same_statement(identity, night.scope) is not None


def _derived(
    night: Night,
    conclusion: Conclusion,
    text: str,
    beliefs: Mapping[int, Belief],
    *,
    instead_of: Memory | None = None,
) -> Decision:
    sources = [beliefs[number].memory for number in conclusion.premises]
    seen = {each.number: each.change_id for each in sources}
    named = labels(conclusion.premises)

    def carry_out(unit: UnitOfWork) -> bool:
        present = [unit.see.current(number) for number in seen]
        memories = [each for each in present if each is not None]
        if {each.number: each.change_id for each in memories} != seen:
            return False
        if instead_of is not None:
            unit.begin_change(Action.ARCHIVE, night.scope, f"{instead_of.label} follows otherwise.")
            unit.replace(instead_of, status=Status.ARCHIVED)
        derive(
            unit, night, text=text, sources=memories, step=Step.INFER,
            confidence=conclusion.confidence,
            metadata={_SAYS: conclusion.key, _PREMISES: _labels(conclusion)},
        )  # fmt: skip
        return True

    why = f"It follows from {named} taken together ({conclusion.relation})."
    premises = " ".join(map(str, conclusion.premises))
    return Decision(f"infer {conclusion.key} {premises}", why, conclusion.premises, carry_out)


def _moved(night: Night, memory: Memory, action: Action, target: Status, why: str) -> Decision:
    def carry_out(unit: UnitOfWork) -> bool:
        present = unit.see.current(memory.number)
        if present is None or present.change_id != memory.change_id:
            return False
        unit.begin_change(action, night.scope, why)
        unit.replace(present, status=target)
        return True

    key = f"{action.value} {memory.number} {memory.change_id}"
    return Decision(key, why, (memory.number,), carry_out)
