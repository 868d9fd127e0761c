"""Which memories are wordings of one statement, and which of them is to stand.

Nearness of vectors only nominates. What decides is that two statements are one to the word, or that
the pair judge says so and numbers, negations, names and times agree (`memory.sameness`). Where that
cannot be told, as with "it" or with something that happened once, nothing is merged: two memories
too many are a nuisance, one too few is a loss.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

import numpy as np

from engram.language.forms import tells_of_past
from engram.memory.categories import TURN
from engram.memory.dreams.clusters import Vectors, groups, near_centre, neighbour_pairs, stacked
from engram.memory.inferred import INFERRED_KEYS
from engram.memory.record import Memory
from engram.memory.sameness import (
    PairReader,
    may_be_same,
    plain_key,
    say_the_same,
    telling_words,
)
from engram.memory.staleness import stale_at
from engram.memory.trust import is_untrusted, unlabelled
from engram.memory.vocabulary import Kind, Layer, MemoryType, Status

# A correction says what was wrong before it, a promise is made anew each time, and what happened
# twice was not the same event.
_NEVER = frozenset({TURN, "correction", "commitment"})
_MOMENT = "moment"
# What these hold goes on until it is changed, in whatever tense it is put.
_STANDING = frozenset(
    {"preference", "principle", "instruction", "procedure", "skill", "constraint", "identity"}
)
_POINTING = re.compile(
    r"\b(?:he|she|him|her|his|they|them|their|it|its|this|here|you|yours?)\b",
    re.IGNORECASE,
)
_LASTING = {Layer.WORKING: 0, Layer.EPISODIC: 1, Layer.SEMANTIC: 2}
_MONTH = 30 * 86_400.0  # seconds
_FOR_EVER = 1e12
_MOST_CHARACTERS = 2_000  # what is longer is a document, not a wording of something
_NOMINATED = 0.65  # cosine from which on two are looked at
_MOST_NEIGHBOURS = 8  # that one memory is held against
_MOST_LOOKED_AT = 50_000  # pairs of one sort, the nearest first
_MOST_JUDGED = 400  # pairs that the judge reads in one night: some twenty seconds
_CORE = 0.8  # share of a group's members; a word that so many have, all must have
_FEWEST_TIES = 2  # to other members of a larger group


@dataclass(frozen=True, slots=True)
class Sameness:
    """Memories that say the same: the one that stands, and those that go into it."""

    survivor: Memory
    merged: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Merging:
    """What was found, and after which memory to go on another night; None: all was looked at."""

    found: tuple[Sameness, ...]
    mark: int | None = None


def merges(
    memories: Sequence[Memory],
    vectors: Mapping[int, Vectors],
    judge: PairReader | None,
    *,
    at_least: int,
    similarity: float,
    after: int = 0,
    breathe: Callable[[], None] = lambda: None,
) -> Merging:
    """The memories that say the same, where there are enough of them, in the order of their first.

    Without a judge only those are found that say it to the word.
    """
    found: list[Sameness] = []
    judged = 0
    for group, pairs in _nominated(memories, vectors, at_least, breathe):
        if group[0].number <= after:
            continue
        if judged > _MOST_JUDGED:
            return Merging(tuple(found), group[0].number - 1)
        tied = []
        for one, other in pairs:
            breathe()
            judged += judge is not None
            if say_the_same(group[one], group[other], judge):
                tied.append((one, other))
        found += _settled(group, tied, vectors, at_least, similarity)
    return Merging(tuple(found))


def _nominated(
    memories: Sequence[Memory],
    vectors: Mapping[int, Vectors],
    at_least: int,
    breathe: Callable[[], None],
) -> list[tuple[list[Memory], list[tuple[int, int]]]]:
    """Groups of memories that may be wordings of one fact, with the pairs to be looked at."""
    alike: dict[Hashable, list[Memory]] = {}
    for place, memory in enumerate(sorted(memories, key=lambda each: each.number)):
        if place % 64 == 0:
            breathe()
        if may_be_merged(memory):
            alike.setdefault((plain_key(memory), *_filed_as(memory)), []).append(memory)
    found = []
    for members in alike.values():
        if len(members) < at_least:
            continue
        pairs = _near_pairs(members, vectors, breathe)
        for places in groups(len(members), np.array(pairs, dtype=np.intp).reshape(-1, 2)):
            if len(places) >= at_least:
                at = {place: nth for nth, place in enumerate(places)}
                inside = [(at[one], at[other]) for one, other in pairs if one in at]
                found.append(([members[place] for place in places], inside))
    return sorted(found, key=lambda each: each[0][0].number)


def _near_pairs(
    members: Sequence[Memory], vectors: Mapping[int, Vectors], breathe: Callable[[], None]
) -> list[tuple[int, int]]:
    """The pairs that are near in meaning, or have the same words where one has no vector."""
    numbers, matrix = stacked(vectors, [each.number for each in members])
    place_of = {each.number: place for place, each in enumerate(members)}
    near = [
        (place_of[numbers[one]], place_of[numbers[other]], float(matrix[one] @ matrix[other]))
        for one, other in neighbour_pairs(matrix, _NOMINATED, breathe=breathe).tolist()
    ]
    counts: Counter[int] = Counter()
    found = []
    for one, other, _ in sorted(near, key=lambda each: (-each[2], each[:2]))[:_MOST_LOOKED_AT]:
        is_full = max(counts[one], counts[other]) >= _MOST_NEIGHBOURS
        if not is_full and may_be_same(members[one], members[other]):
            counts.update((one, other))
            found.append((one, other))
    by_words: dict[frozenset[str], list[int]] = {}
    for place, each in enumerate(members):
        if each.number not in vectors:
            by_words.setdefault(telling_words(each), []).append(place)
    for places in by_words.values():
        found += list(combinations(places[:_MOST_NEIGHBOURS], 2))
        found += [(places[0], place) for place in places[_MOST_NEIGHBOURS:]]
    return sorted(found)


def _settled(
    group: Sequence[Memory],
    tied: Sequence[tuple[int, int]],
    vectors: Mapping[int, Vectors],
    at_least: int,
    similarity: float,
) -> list[Sameness]:
    """The groups that hold together by their ties, their words and around a centre."""
    found = []
    for places in groups(len(group), np.array(tied, dtype=np.intp).reshape(-1, 2)):
        ties = Counter(place for pair in tied for place in pair if place in places)
        fewest = min(_FEWEST_TIES, len(places) - 1)
        kept = [group[place] for place in places if ties[place] >= fewest]
        ordered = best_first(_with_core(kept))
        members = [each for each in ordered if can_stand_for(ordered[0], each)]
        members = _around_a_centre(members, vectors, similarity)
        if len(members) >= at_least:
            found.append(Sameness(members[0], tuple(members[1:])))
    return found


def _with_core(members: Sequence[Memory]) -> list[Memory]:
    """Without those that lack a word which nearly all others have."""
    counts = Counter(word for each in members for word in telling_words(each))
    core = {word for word, count in counts.items() if count >= _CORE * len(members)}
    return [each for each in members if core <= telling_words(each)]


def may_be_merged(memory: Memory) -> bool:
    """Whether a memory can be one of several wordings at all."""
    flags = memory.metadata.get("flags")
    return (
        memory.status is Status.ACTIVE
        and not memory.is_pinned
        and memory.kind is Kind.NOTE
        and memory.category not in _NEVER
        and len(memory.content) <= _MOST_CHARACTERS
        and not (isinstance(flags, list) and "injection" in flags)
        and not _POINTING.search(memory.content)
    )


def best_first(memories: Iterable[Memory]) -> list[Memory]:
    """A person's before a machine's, then verified, lasting, current, much used, plain, old.

    What turns stale a month before another does not stand for what was said again since.
    """
    every = list(memories)
    latest = max(map(_lasts_until, every), default=0.0)
    return sorted(every, key=lambda each: _standing(each, latest))


def _lasts_until(memory: Memory) -> float:
    deadline = stale_at(memory)
    return deadline.timestamp() if deadline else _FOR_EVER


def _standing(memory: Memory, latest: float) -> tuple[float, ...]:
    return (
        not memory.is_vouched_for,
        memory.last_verified_at is None,
        is_untrusted(memory),
        -_LASTING.get(memory.layer, 0),
        (latest - _lasts_until(memory)) // _MONTH,
        -memory.usage.confirmations,
        -memory.usage.accesses,
        len(memory.content),
        memory.number,
    )


def can_stand_for(survivor: Memory, other: Memory) -> bool:
    """Whether one memory could take another's place, whatever the two say."""
    if other.is_vouched_for and not survivor.is_vouched_for:
        return False
    if is_untrusted(survivor) and not is_untrusted(other):
        return False
    if _LASTING.get(survivor.layer, -1) < _LASTING.get(other.layer, -1):
        return False
    return _filed_as(survivor) == _filed_as(other)


def _filed_as(memory: Memory) -> tuple[Hashable, ...]:
    """Where it is kept, for what time it holds, and what its caller filed it under."""
    given = {name: value for name, value in unlabelled(memory).items() if name not in INFERRED_KEYS}
    layer = "" if memory.layer in _LASTING else memory.layer
    return (
        memory.scope, layer, memory.secrecy, memory.valid_from, memory.valid_until,
        json.dumps(given, sort_keys=True, default=str), _day_of(memory),
        memory.subject if memory.speaker is None else None,
    )  # fmt: skip


def _day_of(memory: Memory) -> date | None:
    """The day of what happened once; nothing where a statement holds on."""
    is_told = memory.category == _MOMENT or memory.memory_type is MemoryType.NARRATIVE
    is_event = is_told or (memory.category not in _STANDING and tells_of_past(memory.content))
    return memory.at.date() if is_event else None


def _around_a_centre(
    members: Sequence[Memory], vectors: Mapping[int, Vectors], similarity: float
) -> list[Memory]:
    """Without those that are far from the middle of the group; none when that is its lead."""
    placed = [each for each in members if each.number in vectors]
    if not placed:
        return list(members)
    matrix = np.stack([vectors[each.number] for each in placed])
    kept = {placed[place].number for place in near_centre(matrix, range(len(placed)), similarity)}
    far = {each.number for each in placed} - kept
    is_led = members[0].number not in far
    return [each for each in members if each.number not in far] if is_led else []
