"""Holds some old beliefs a night up against what came after them, and challenges what fails."""

from collections.abc import Iterable, Mapping
from datetime import timedelta

from engram.lifecycle.dreams.asked import Asking
from engram.lifecycle.dreams.going_through import replacing
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.tree import may_be_told
from engram.memory.changes import Action
from engram.memory.dreams.disputes import is_replaced
from engram.memory.dreams.probing import Doubt, Premise, doubt, is_probeable, probed
from engram.memory.feedback import by_memory
from engram.memory.ids import label_of
from engram.memory.links import Relation
from engram.memory.record import Memory
from engram.memory.status import RECALLABLE
from engram.memory.vocabulary import Status
from engram.storage.reader import StoreReader

_RIVALS = 5
_SHOWN = 8  # newer statements that a model is shown
_MOST_DERIVED = 10_000


def probe(night: Night, see: StoreReader) -> Planned:
    """The beliefs that a night finds doubtful."""
    unused = timedelta(days=night.options.probe_days)
    derived = see.dreams.derived(night.scope, limit=_MOST_DERIVED)
    held = [*night.statements(see), *(each for each in derived if each.status in RECALLABLE)]
    candidates = [each for each in held if is_probeable(each, night.now, unused)]
    chosen = probed(candidates, night.options.probes_per_night, night.now.date())
    asking = Asking(night.model)
    premises = _premises(night, see, chosen)
    feedbacks = by_memory(see.feedback_for([each.number for each in chosen]))
    decisions: list[Decision] = []
    for memory in chosen:
        night.breathe()
        if memory.status is not Status.ACTIVE:
            continue
        found = doubt(
            memory,
            rivals=_rivals(see, night, memory),
            premises=premises.get(memory.number, ()),
            feedbacks=feedbacks.get(memory.number, ()),
            label=label_of,
        )
        found = found or _by_model(see, memory, asking)
        if found is not None:
            decisions.append(_challenge(memory, found))
    return Planned(tuple(decisions), looked_at=len(chosen), skipped=asking.skipped)


def _rivals(see: StoreReader, night: Night, memory: Memory) -> list[Memory]:
    """Newer statements that replace it, by the judge."""
    if night.judge is None:
        return []
    judge = night.judge
    newer = _newer(see, memory, limit=_RIVALS)
    return [each for each in newer if is_replaced(memory, each, judge)]


def _newer(see: StoreReader, memory: Memory, *, limit: int) -> list[Memory]:
    """What was said since in like words, and can be recalled."""
    return [
        each
        for each in see.like(memory.content, memory.scope, limit=limit)
        if each.number != memory.number
        and each.learned_at > memory.recorded_at
        and each.status in RECALLABLE
    ]


def _premises(
    night: Night, see: StoreReader, chosen: Iterable[Memory]
) -> Mapping[int, list[Premise]]:
    """What each of some beliefs was made of, as it stands."""
    wanted = {each.number for each in chosen}
    found: dict[int, list[Premise]] = {}
    for link in see.dreams.links(night.scope):
        if link.relation == Relation.DERIVED_FROM and link.start in wanted:
            found.setdefault(link.start, []).append(Premise(link.end, see.current(link.end)))
    return found


def _by_model(see: StoreReader, memory: Memory, asking: Asking) -> Doubt | None:
    """A model's doubt, for which it has to name newer statements; never against a person's word."""
    if not asking.has_model or memory.is_vouched_for or not may_be_told(memory):
        return None
    newer = [each for each in _newer(see, memory, limit=_SHOWN) if may_be_told(each)]
    if not newer:
        return None
    verdict = asking.verdict(memory.content, [each.content for each in newer])
    if verdict is None or verdict.verdict == "holds":
        return None
    numbers = tuple(newer[place].number for place in verdict.evidence)
    named = ", ".join(label_of(number) for number in numbers)
    return Doubt(f"a model finds it {verdict.verdict} in the light of {named}", numbers)


def _challenge(memory: Memory, found: Doubt) -> Decision:
    why = f"{memory.label} is challenged: {found.because}."
    evidence = ",".join(map(str, found.numbers))
    return Decision(
        f"probe:{memory.number}:{memory.version}:{evidence}",
        why,
        (memory.number, *found.numbers),
        replacing(memory, Action.CHALLENGE, why, status=Status.CHALLENGED),
    )
