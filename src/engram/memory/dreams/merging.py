"""Which memories say the same thing in nearly the same words, and which of them is to stand.

Nearness of vectors only nominates. What decides is that two statements are one by their words
(`memory.sameness`): numbers, negations, names, times and directions agree. Beyond the words they
must be about the same, by the same kind of voice, for the same time. Where that cannot be told, as
with "it" or with something that happened once, nothing is merged: two memories too many are a
nuisance, one too few is a loss.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import numpy as np

from engram.language.lexicon import COMMON_WORDS
from engram.language.texts import normalised
from engram.language.when.words import VOCABULARY
from engram.memory.categories import TURN
from engram.memory.claims.forms import EQUAL_WORDS, NUMBER_WORDS, spelled_out, with_numbers
from engram.memory.claims.polarity import FIRST_OR_SECOND_PERSON, polarity_of
from engram.memory.dreams.clusters import Vectors, near_centre
from engram.memory.inferred import INFERRED_KEYS
from engram.memory.record import Memory
from engram.memory.sameness import is_same_statement
from engram.memory.staleness import stale_at
from engram.memory.trust import is_untrusted, unlabelled
from engram.memory.vocabulary import Kind, Layer, Status

# A correction says what was wrong before it, a promise is made anew each time, and what happened
# twice was not the same event.
_NEVER = frozenset({TURN, "correction", "commitment"})
# What these say holds until it is changed, in whatever tense it is put.
_STANDING = frozenset(
    {"preference", "principle", "instruction", "procedure", "skill", "constraint", "identity"}
)
_POINTING = re.compile(
    r"\b(?:he|she|him|her|hers|his|they|them|their|theirs|it|its|this|that|these|those|here|there"
    r"|you|your|yours|former|latter|such|same|other|another)\b",
    re.IGNORECASE,
)
_LASTING = {Layer.WORKING: 0, Layer.EPISODIC: 1, Layer.SEMANTIC: 2}
_MONTH = 30 * 86_400.0  # seconds
_FOR_EVER = 1e12
_MOST_COMPARED = 8  # groups of the same gist that a memory is held against, the nearest first
_MOST_OF_A_GIST = 300
_MOST_CHARACTERS = 2_000  # what is longer is a document, not a wording of something
_WORD = re.compile(r"[^\W_]+")
# Beside what ends in -ly and the words of grammar: what may be there or not, or written otherwise.
_FILLERS = frozenset(
    """very quite pretty so super just still already indeed also oh hey hi ok okay yes yeah now btw
    fyi um uh please percent""".split()
)
_WRITTEN_TIME = re.compile(r"\d[-/:.]\d")
_TIMELY = frozenset("may march mar jan feb sun sat am pm".split())


@dataclass(frozen=True, slots=True)
class Sameness:
    """Memories that say the same: the one that stands, and those that go into it."""

    survivor: Memory
    merged: tuple[Memory, ...]


@dataclass(slots=True)
class _Forming:
    """A group as it grows: all say what the first says."""

    members: list[Memory]

    @property
    def lead(self) -> Memory:
        return self.members[0]


def merges(
    memories: Sequence[Memory],
    vectors: Mapping[int, Vectors],
    *,
    at_least: int,
    similarity: float,
    breathe: Callable[[], None] = lambda: None,
) -> list[Sameness]:
    """The memories that say the same, where there are enough of them, in the order of their first.

    Without vectors the words alone tell, and may differ less.
    """
    found = []
    for alike in _by_gist(memories, at_least, breathe):
        for group in _formed(best_first(alike), vectors, similarity, breathe):
            members = _around_a_centre(group.members, vectors, similarity)
            if len(members) >= at_least:
                found.append(Sameness(members[0], tuple(members[1:])))
    return sorted(found, key=lambda each: min(_numbers(each)))


def _numbers(group: Sameness) -> list[int]:
    return [group.survivor.number, *(each.number for each in group.merged)]


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


def gist(text: str) -> frozenset[str]:
    """What two wordings of one statement have in common whatever else differs: a first sieve.

    Without the words that may differ, and without times, which can be written in many ways.
    """
    words = _words(text)
    is_timely = _WRITTEN_TIME.search(text) is not None or any(map(_is_timely, words))
    return frozenset(word for word in words if _tells(word) and _is_solid(word, is_timely))


def _words(text: str) -> list[str]:
    """The words of a text in one spelling, with numbers in figures."""
    raw = [normalised(each) for each in _WORD.findall(spelled_out(text))]
    return with_numbers([EQUAL_WORDS.get(word, word) for word in raw])


def _tells(word: str) -> bool:
    return word not in COMMON_WORDS and word not in _FILLERS and not word.endswith("ly")


def _is_timely(word: str) -> bool:
    return word in VOCABULARY or word in _TIMELY


def _is_solid(word: str, is_timely: bool) -> bool:
    if any(character.isdigit() for character in word) or word in NUMBER_WORDS:
        return not is_timely and word.isdigit()
    return not _is_timely(word)


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
    return _filed_as(survivor) == _filed_as(other) and _said_of(survivor) == _said_of(other)


def _filed_as(memory: Memory) -> tuple[object, ...]:
    layer = "" if memory.layer in _LASTING else memory.layer
    return (memory.scope, memory.category, memory.memory_type, layer, memory.secrecy,
            memory.horizon)  # fmt: skip


def _said_of(memory: Memory) -> tuple[object, ...]:
    """Whom and what time it is about, and what its caller filed it under."""
    is_personal = FIRST_OR_SECOND_PERSON.search(memory.content) is not None
    given = {name: value for name, value in unlabelled(memory).items() if name not in INFERRED_KEYS}
    return (memory.subject, memory.speaker if is_personal else None, memory.valid_from,
            memory.valid_until, given, _day_of(memory))  # fmt: skip


def _day_of(memory: Memory) -> date | None:
    """The day of what happened once; nothing where a statement holds on."""
    is_event = memory.category not in _STANDING and _may_tell_of_an_event(memory.content)
    return memory.at.date() if is_event else None


@lru_cache(maxsize=4_096)
def _may_tell_of_an_event(text: str) -> bool:
    polarity = polarity_of(text)
    return polarity is None or polarity.is_past


def say_the_same(survivor: Memory, other: Memory, similarity: float | None) -> bool:
    """Whether both are one statement: by who can stand for whom, and by every word."""
    return can_stand_for(survivor, other) and (
        is_same_statement(
            survivor.content, other.content, similarity=similarity, said=(survivor.at, other.at)
        ).is_same
    )


def _by_gist(
    memories: Sequence[Memory], at_least: int, breathe: Callable[[], None]
) -> list[list[Memory]]:
    found: dict[frozenset[str], list[Memory]] = {}
    for place, memory in enumerate(memories):
        if place % 64 == 0:
            breathe()
        if may_be_merged(memory):
            found.setdefault(gist(memory.content), []).append(memory)
    return [
        alike
        for same_gist in found.values()
        for alike in _split_up(same_gist)
        if len(alike) >= at_least
    ]


def _split_up(alike: list[Memory]) -> list[list[Memory]]:
    """Too many of one gist ("ticket … was closed on …") by all their words: dates count too."""
    if len(alike) <= _MOST_OF_A_GIST:
        return [alike]
    found: dict[frozenset[str], list[Memory]] = {}
    for memory in alike:
        words = frozenset(filter(_tells, _words(memory.content)))
        found.setdefault(words, []).append(memory)
    return list(found.values())


def _formed(
    memories: Sequence[Memory],
    vectors: Mapping[int, Vectors],
    similarity: float,
    breathe: Callable[[], None],
) -> list[_Forming]:
    """Each joins the nearest group whose lead says the same, else it begins one."""
    groups: list[_Forming] = []
    for memory in memories:
        breathe()
        home = next(
            (
                group
                for group, near in _nearest_groups(memory, groups, vectors)
                if (near is None or near > similarity) and say_the_same(group.lead, memory, near)
            ),
            None,
        )
        if home is None:
            groups.append(_Forming([memory]))
        else:
            home.members.append(memory)
    return groups


def _nearest_groups(
    memory: Memory, groups: Sequence[_Forming], vectors: Mapping[int, Vectors]
) -> list[tuple[_Forming, float | None]]:
    own = vectors.get(memory.number)
    nearness = [_cosine(own, vectors.get(group.lead.number)) for group in groups]
    ranked = sorted(range(len(groups)), key=lambda place: -(nearness[place] or 0.0))
    return [(groups[place], nearness[place]) for place in ranked[:_MOST_COMPARED]]


def _cosine(one: Vectors | None, other: Vectors | None) -> float | None:
    return None if one is None or other is None else float(one @ other)


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
