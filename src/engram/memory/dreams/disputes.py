"""Statements that stand side by side though one replaces the other, and what becomes of each.

Whether one replaces another is the pair judge's verdict. What follows is a matter of who said it: a
gap in strength decides, else the later one if it is trusted as much, else nobody but a person. What
two people say against each other is put to a person. What a person stands behind is never retired
for what none does, what is pinned stays as it is, and a past event stays as it was told.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import combinations

from engram.language.when.spans import find_times
from engram.memory.record import Memory
from engram.memory.sameness import PairReader, as_read
from engram.memory.trust import SOURCE_TRUST, is_untrusted
from engram.memory.vocabulary import SourceClass, Status

CHANGED = 0.9  # probability from which on the judge is believed; below it capture has linked them
STRENGTH_GAP = 0.3  # a difference in strength that decides by itself, whatever the dates

Opposed = Collection[tuple[int, int]]
"""Pairs of numbers of which the second replaces or ends the first."""


class Verdict(StrEnum):
    """Which of two statements that exclude each other stands."""

    EARLIER = "earlier"
    LATER = "later"
    CONTESTED = "contested"


@dataclass(frozen=True, slots=True)
class Told:
    """A statement and when it was last said or verified."""

    memory: Memory
    last_said: datetime

    @property
    def trust(self) -> float:
        """That of its source, or of the person who vouched for it since."""
        is_persons = self.memory.is_vouched_for
        return SOURCE_TRUST[SourceClass.PERSON if is_persons else self.memory.source_class]

    @property
    def strength(self) -> float:
        """How strongly it is held: its source's trust times how sure the source was."""
        return self.trust * self.memory.confidence


def is_replaced(earlier: Memory, later: Memory, judge: PairReader) -> bool:
    """Whether the judge is sure that a later statement replaces or ends an earlier one."""
    if is_past_event(earlier):
        return False
    (chances,) = judge.compare([(as_read(earlier), as_read(later))])
    return chances["replaces"] + chances["ends"] >= CHANGED


def is_past_event(memory: Memory) -> bool:
    """Whether a statement tells of something that happened at a time that was over then."""
    times = [each for each in find_times(memory.content, memory.at) if not each.is_open]
    return bool(times) and all(each.end <= memory.at for each in times)


@dataclass(frozen=True, slots=True)
class Replaced:
    """A statement whose place another has."""

    loser: Told
    winner: Told
    why: str


@dataclass(frozen=True, slots=True)
class Disputed:
    """A statement that is doubtful because of another."""

    memory: Memory
    rival: Memory
    why: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """What becomes of statements about one thing; nothing, where all can stand."""

    replaced: tuple[Replaced, ...] = ()
    disputed: tuple[Disputed, ...] = ()
    left: tuple[str, ...] = ()  # what was seen and may not be touched

    @property
    def is_empty(self) -> bool:
        """Whether everything stays as it is."""
        return not self.replaced and not self.disputed


def ruling(told: Sequence[Told], opposed: Opposed) -> Ruling:
    """Hold statements about one thing against each other, from the first said to the last."""
    ordered = sorted(told, key=_order)
    excluding = {
        (earlier.memory.number, later.memory.number)
        for earlier, later in combinations(ordered, 2)
        if _exclude_each_other(earlier.memory, later.memory, opposed)
        and not _are_settled(earlier.memory, later.memory)
    }
    replaced: list[Replaced] = []
    standing: list[Told] = []
    for later in ordered:
        over = [
            each
            for each in standing
            if (each.memory.number, later.memory.number) in excluding
            and _takes_place_of(each, later)
        ]
        replaced += [Replaced(each, later, _why_over(each, later)) for each in over]
        standing = [each for each in standing if each not in over] + [later]
    pairs = [
        (earlier, later)
        for earlier, later in combinations(standing, 2)
        if (earlier.memory.number, later.memory.number) in excluding
    ]
    doubted = {
        each.memory.number: each for pair in reversed(pairs) for each in reversed(_doubtful(*pair))
    }
    left = [finding for pair in pairs for finding in _untouchable(*pair)]
    return Ruling(tuple(replaced), tuple(doubted[each] for each in sorted(doubted)), tuple(left))


def _order(told: Told) -> tuple[datetime, int]:
    return told.last_said, told.memory.number


def _exclude_each_other(earlier: Memory, later: Memory, opposed: Opposed) -> bool:
    numbers = earlier.number, later.number
    return numbers in opposed or numbers[::-1] in opposed


def _takes_place_of(earlier: Told, later: Told) -> bool:
    old, latest = earlier.memory, later.memory
    if old.is_pinned or latest.status is Status.CHALLENGED:
        return False
    if old.is_vouched_for and not latest.is_vouched_for:
        return False
    return _verdict(earlier, later) is Verdict.LATER


def _verdict(earlier: Told, later: Told) -> Verdict:
    """Which of two that exclude each other stands."""
    is_stranger = is_untrusted(later.memory)
    if is_stranger != is_untrusted(earlier.memory):  # nobody known takes back what is known
        return Verdict.EARLIER if is_stranger else Verdict.LATER
    if earlier.memory.speaker != later.memory.speaker:
        return Verdict.CONTESTED  # two people say different things: a person decides
    gap = later.strength - earlier.strength
    if abs(gap) > STRENGTH_GAP:
        return Verdict.LATER if gap > 0 else Verdict.EARLIER
    is_later = later.last_said > earlier.last_said and later.trust >= earlier.trust
    return Verdict.LATER if is_later else Verdict.CONTESTED


def _are_settled(one: Memory, other: Memory) -> bool:
    """Whether a person has verified each of them after the other was known: both hold."""
    known = max(one.learned_at, other.learned_at)
    return all(
        each.last_verified_at is not None and each.last_verified_at >= known
        for each in (one, other)
    )  # fmt: skip


def _doubtful(earlier: Told, later: Told) -> list[Disputed]:
    """Which of two that exclude each other and both stand becomes challenged."""
    old, latest = earlier.memory, later.memory
    is_open = Status.CHALLENGED not in (old.status, latest.status)
    if not is_open:
        return []  # it is known that they disagree
    if old.is_vouched_for != latest.is_vouched_for:
        behind, other = (old, latest) if old.is_vouched_for else (latest, old)
        found = [Disputed(other, behind, f"a person stands behind {behind.label}")]
    elif _verdict(earlier, later) is Verdict.EARLIER:
        found = [Disputed(latest, old, f"{old.label} is held far more strongly")]
    else:
        found = [
            Disputed(old, latest, f"{latest.label} says otherwise"),
            Disputed(latest, old, f"{old.label} says otherwise"),
        ]
    return [each for each in found if not each.memory.is_pinned]


def _untouchable(earlier: Told, later: Told) -> list[str]:
    pinned = [each.memory for each in (earlier, later) if each.memory.is_pinned]
    return [
        f"{each.label} is pinned, and {other.memory.label} says otherwise"
        for each in pinned
        for other in (earlier, later)
        if other.memory.number != each.number
    ]


def _why_over(earlier: Told, later: Told) -> str:
    if later.strength - earlier.strength > STRENGTH_GAP:
        return f"{later.memory.label} says otherwise and is held far more strongly"
    return f"{later.memory.label} says it later, and is trusted as much"
