"""Replay: which memories are gone through again in a night, and what comes of it.

Chosen by lot, but by a lot that falls the same way whoever draws it that night: what stirred is
twice as likely to be chosen as what did not, what came from other agents somewhat more likely, what
is new much more. Nothing about a memory is altered by it but when it was last gone through.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from engram.memory.dreams.contracts import Insight, Received, ReplayWeights
from engram.memory.record import Memory
from engram.memory.sameness import is_same_statement
from engram.memory.vocabulary import LearnedBy

STIRRING = 0.6  # arousal above which a memory counts double
SIMILAR = 0.75  # cosine above which two memories are linked
CONFUSABLE = 0.9  # cosine from which on two that say different things are easily mixed up
AT_RISK_LEAST, AT_RISK_MOST = 0.15, 0.4  # retention: below it is gone, above it is safe
AT_RISK_USES = 3
RESTS = timedelta(days=7)  # between two times that a dream goes through one memory
MOST_REHEARSALS = 3  # in a row without anybody using it: then it is let fade
_RECENT = timedelta(days=2)
_RECENT_WEIGHT = 3.0
_RECEIVED_WEIGHT = 1.5
_INSIGHT_LINKS = 3  # from so many links that dreams found on, a memory stirs more
_INSIGHT_STEP, _INSIGHT_MOST = 0.1, 0.8
_NEIGHBOURS = 3  # of one memory that are linked in a night


@dataclass(frozen=True, slots=True)
class Affective:
    """Feelings decide: what stirred counts double."""

    def replay_weight(self, memory: Memory) -> float:
        """How many times as likely as others it is chosen."""
        return 2.0 if memory.arousal > STIRRING else 1.0


@dataclass(frozen=True, slots=True)
class ByBus:
    """What other agents sent."""

    def is_received(self, memory: Memory) -> bool:
        """Whether it came from another agent."""
        return memory.learned_by is LearnedBy.BUS


@dataclass(frozen=True, slots=True)
class Aha:
    """What ties many others together stirs more: reckoned from the links, never written."""

    def stirred(self, memory: Memory, links: int) -> float:
        """Its arousal, raised by a tenth for each link where there are several."""
        if links < _INSIGHT_LINKS:
            return memory.arousal
        return max(memory.arousal, min(_INSIGHT_MOST, memory.arousal + _INSIGHT_STEP * links))


@dataclass(frozen=True, slots=True)
class Partners:
    """Who helps to choose; None: all are alike in that respect."""

    affect: ReplayWeights | None = None
    received: Received | None = None
    insight: Insight | None = None


EVERYBODY = Partners(Affective(), ByBus(), Aha())


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories that are near each other, the lower number first."""

    first: int
    second: int
    similarity: float

    @classmethod
    def of(cls, one: int, other: int, similarity: float) -> "Pair":
        """Two numbers in their order."""
        return cls(min(one, other), max(one, other), round(similarity, 4))


def weight(memory: Memory, now: datetime, partners: Partners, links: int = 0) -> float:
    """How many times as likely as a plain old memory this one is chosen."""
    found = _RECENT_WEIGHT if now - memory.learned_at <= _RECENT else 1.0
    if partners.received is not None and partners.received.is_received(memory):
        found *= _RECEIVED_WEIGHT
    if partners.affect is not None:
        felt = memory
        if partners.insight is not None:
            felt = memory.replaced(arousal=partners.insight.stirred(memory, links))
        found *= partners.affect.replay_weight(felt)
    return found


def drawn(
    memories: Sequence[Memory], most: int, day: date, weigh: Callable[[Memory], float]
) -> list[Memory]:
    """Some memories by lot, each with a chance by its weight, the same on one day.

    The key of each is u^(1/weight), u from a hash: the highest keys are a weighted sample without
    repetition (Efraimidis and Spirakis), and one memory's chance does not hang on the others.
    """
    keyed = [(math.log(chance(each.number, day)) / weigh(each), each) for each in memories]
    keyed.sort(key=lambda pair: (-pair[0], pair[1].number))
    return sorted((each for _, each in keyed[:most]), key=lambda each: each.number)


def chance(number: int, day: date) -> float:
    """A number above 0 and up to 1 that belongs to a memory on a day."""
    digest = hashlib.blake2b(f"{day.isoformat()} {number}".encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "big") + 1) / 2.0**64


def is_at_risk(memory: Memory, retention: float, now: datetime, rehearsals: int) -> bool:
    """Whether a memory that was useful is about to fade, and may be gone through again.

    Use keeps a memory; dreams only bridge a while. What nobody used through three rehearsals is
    let go like anything else.
    """
    rehearsed = memory.usage.last_rehearsed_at
    return (
        memory.usage.accesses >= AT_RISK_USES
        and AT_RISK_LEAST <= retention < AT_RISK_MOST
        and (rehearsed is None or now - rehearsed >= RESTS)
        and rehearsals < MOST_REHEARSALS
    )


def near_pairs(
    numbers: Sequence[int],
    matrix: NDArray[np.float32],
    chosen: Iterable[int],
    most: int,
) -> list[Pair]:
    """The nearest neighbours of the chosen memories, nearest first, each pair once."""
    places = {number: row for row, number in enumerate(numbers)}
    rows = [places[number] for number in chosen if number in places]
    if not rows or len(numbers) <= 1:
        return []
    similar = matrix[rows] @ matrix.T
    similar[np.arange(len(rows)), rows] = -1.0
    count = min(_NEIGHBOURS, similar.shape[1] - 1)
    best = np.argpartition(-similar, count - 1, axis=1)[:, :count]
    pairs = {
        Pair.of(numbers[row], numbers[other], float(similar[place, other]))
        for place, row in enumerate(rows)
        for other in best[place].tolist()
        if similar[place, other] > SIMILAR
    }
    return sorted(pairs, key=lambda pair: (-pair.similarity, pair.first, pair.second))[:most]


def confusing(
    pairs: Iterable[Pair], memories: Mapping[int, Memory]
) -> dict[tuple[int, int], tuple[str, ...]]:
    """Those of near pairs that say different things, and in what they differ."""
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for pair in pairs:
        one, two = memories[pair.first], memories[pair.second]
        sameness = is_same_statement(one.content, two.content, said=(one.at, two.at))
        if not sameness.is_same:
            found[pair.first, pair.second] = sameness.differs_in
    return found


def mixed_up(
    known: Iterable[Sequence[int]], pairs: Iterable[tuple[int, int]], standing: Iterable[int]
) -> list[tuple[int, ...]]:
    """Groups of memories that are easily taken for one another, the known and what is added."""
    present = set(standing)
    leader: dict[int, int] = {}

    def find(number: int) -> int:
        while leader.setdefault(number, number) != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    left = ([number for number in group if number in present] for group in known)
    links = [(group[0], other) for group in left for other in group[1:]]
    for one, two in (*links, *pairs):
        if one in present and two in present:
            low, high = sorted((find(one), find(two)))
            leader[high] = low
    groups: dict[int, list[int]] = {}
    for number in sorted(leader):
        groups.setdefault(find(number), []).append(number)
    return [tuple(each) for each in groups.values() if len(each) > 1]
