"""Goes through memories again: keeps what was useful from fading, and finds what belongs together.

What a night draws does not depend on what earlier dreams of that night did with it, so that a
second dream finds nothing left to do.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, time
from functools import partial

from engram.lifecycle.dreams.interference import interfering
from engram.lifecycle.dreams.made import labels
from engram.lifecycle.dreams.night import CarryOut, Decision, Night, Planned
from engram.lifecycle.dreams.unchanged import are_unchanged
from engram.memory.changes import Action
from engram.memory.dreams.clusters import stacked
from engram.memory.dreams.counts import counted
from engram.memory.dreams.replaying import (
    EVERYBODY,
    Pair,
    Partners,
    drawn,
    is_at_risk,
    near_pairs,
    weight,
)
from engram.memory.links import Relation
from engram.memory.record import Memory
from engram.memory.retention import retention
from engram.storage.dreams import MadeLink
from engram.storage.reader import StoreReader
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork
from engram.storage.vectors.spaces import Space, answering

_SHARE = 3  # a third of the budget each for strengthening and for links
_MOST_QUEUED = 1_000
Memories = Mapping[int, Memory]


def replay(night: Night, see: StoreReader) -> Planned:
    """What a night goes through again."""
    return replayed(night, see, EVERYBODY)


def replayed(night: Night, see: StoreReader, partners: Partners) -> Planned:
    """The same with whoever helps to choose."""
    memories = {each.number: each for each in night.statements(see)}
    links = see.dreams.links(night.scope)
    weigh = partial(_weight, night, partners, _links_before(links, night.now))
    strengthened = _strengthened(night, see, memories, weigh)
    again = _embedded_again(night, see, memories)
    numbers, matrix = stacked(night.vectors(see), sorted(memories))
    chosen = drawn(tuple(memories.values()), night.options.replay_budget, night.now.date(), weigh)
    night.breathe()
    near = near_pairs(
        numbers, matrix, [each.number for each in chosen], night.options.replay_budget // _SHARE
    )
    linked = _linked(see, memories, near, links)
    interference = interfering(night, see, memories)
    return Planned(
        decisions=(*strengthened, *again, *linked, *interference.decisions),
        findings=interference.findings,
        looked_at=len(memories),
        mark=interference.mark,
        skipped="" if matrix.size or not memories else "Nothing is embedded: nothing was linked.",
    )


def _weight(night: Night, partners: Partners, links: Mapping[int, int], memory: Memory) -> float:
    return weight(memory, night.now, partners, links.get(memory.number, 0))


def _links_before(links: Iterable[MadeLink], now: datetime) -> Counter[int]:
    """How many links each memory had when this day began: tonight's do not tip tonight's scales."""
    today = datetime.combine(now.date(), time(), tzinfo=UTC)
    counts: Counter[int] = Counter()
    for each in links:
        if each.relation == Relation.RELATED and each.at < today:
            counts.update((each.start, each.end))
    return counts


# What is about to fade


def _strengthened(
    night: Night, see: StoreReader, memories: Memories, weigh: "partial[float]"
) -> list[Decision]:
    """Some of what was useful and fades, less what was gone through today already."""
    done = sum(_was_today(each, night) for each in memories.values())
    left = night.options.replay_budget // _SHARE - done
    fading = {
        each.number: retention(each, night.now, night.retention_mode)
        for each in memories.values()
        if each.usage.accesses and not each.is_pinned
    }
    rehearsals = see.dreams.rehearsals(fading)
    at_risk = [
        memories[number]
        for number, vividness in fading.items()
        if is_at_risk(memories[number], vividness, night.now, rehearsals.get(number, 0))
    ]
    chosen = drawn(at_risk, max(0, left), night.now.date(), weigh)
    return [_rehearsing(each, fading[each.number]) for each in chosen]


def _was_today(memory: Memory, night: Night) -> bool:
    rehearsed = memory.usage.last_rehearsed_at
    return rehearsed is not None and rehearsed.date() == night.now.date()


def _rehearsing(memory: Memory, vividness: float) -> Decision:
    why = (
        f"{memory.label} was used {memory.usage.accesses} times and is down to {vividness:.2f}; "
        "gone through again so that it does not fade yet."
    )

    def carry_out(unit: UnitOfWork) -> bool:
        current = unit.see.current(memory.number)
        if current is None or current.usage != memory.usage or current.status != memory.status:
            return False
        unit.begin_change(Action.REHEARSE, memory.scope, why)
        unit.rehearse(current)
        return True

    last = memory.usage.last_rehearsed_at
    key = f"rehearse:{memory.number}:{last.isoformat() if last else memory.usage.accesses}"
    return Decision(key, why, (memory.number,), carry_out)


# What has no vector


def _embedded_again(night: Night, see: StoreReader, memories: Memories) -> list[Decision]:
    """Let wordings be embedded that should be and are not, also those tried in vain."""
    space = answering(see.derived.space_states())
    if space is None or space.dimension is None:
        return []
    vectors = night.vectors(see)
    lacking = [
        each for each in memories.values() if each.number not in vectors and each.is_indexable
    ]
    tries = see.dreams.tries(space.space, (each.number for each in lacking))
    due = [each for each in lacking if tries.get((each.number, each.version), 1) > 0]
    if not due:
        return []
    some = due[:_MOST_QUEUED]
    many = counted(len(some), "memory is", "memories are")
    why = f"{many} to be embedded again: {labels([each.number for each in some])}."
    numbers = tuple(each.number for each in some)
    return [Decision(f"embed:{numbers}", why, numbers, _queueing(space, some))]


def _queueing(space: Space, memories: Sequence[Memory]) -> CarryOut:
    """Vectors are derived: no change is made, and nothing is there to undo."""

    def carry_out(unit: UnitOfWork) -> bool:
        for each in memories:
            key = {"space": space.space, "number": each.number, "version": each.version}
            unit.transaction.run("retry_wording", key)
            unit.transaction.run("queue_wording", (each.number, each.version))
        return True

    return carry_out


# What belongs together


def _linked(
    see: StoreReader, memories: Memories, near: Iterable[Pair], links: Iterable[MadeLink]
) -> list[Decision]:
    """Links between those near each other that have none, and that nobody took apart."""
    known = {frozenset((each.start, each.end)) for each in links}
    return [
        _linking(memories[pair.first], memories[pair.second], pair.similarity)
        for pair in near
        if frozenset((pair.first, pair.second)) not in known
        and see.links.between(pair.first, pair.second, Relation.RELATED) is None
        and see.links.between(pair.second, pair.first, Relation.RELATED) is None
    ]


def _linking(first: Memory, second: Memory, similarity: float) -> Decision:
    why = (
        f"{first.label} and {second.label} are near each other ({similarity:.2f}) "
        "and were not linked."
    )

    def carry_out(unit: UnitOfWork) -> bool:
        if not are_unchanged(unit, (first, second)):
            return False
        return tie(unit, first, second, Relation.RELATED, why) is not None

    key = f"link:{first.number}:{second.number}"
    return Decision(key, why, (first.number, second.number), carry_out)
