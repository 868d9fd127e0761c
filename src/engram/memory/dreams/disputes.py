"""Statements that stand side by side though they exclude each other, and what becomes of each.

The rules are those by which a statement is taken in (`memory.contradiction`): one subject, one
property that has one value at a time; a gap in strength decides, else the later one if it is
trusted as much, else nobody but a person. What a person stands behind is never retired for what
none does, and what is pinned stays as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from engram.memory.claims.claim import covers
from engram.memory.contradiction import STRENGTH_GAP, Relation, Statement, Verdict, relation, winner
from engram.memory.dreams.claimed import claimed_by
from engram.memory.record import Memory
from engram.memory.trust import SOURCE_TRUST, is_untrusted
from engram.memory.vocabulary import SourceClass, Status

_CONFLICT = frozenset({Relation.REPLACES, Relation.CONTRADICTS})


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

    def at(self, moment: datetime) -> Statement:
        """The statement as it is held against another, said at that moment."""
        memory = self.memory
        return Statement(memory.content, memory.speaker, moment, self.trust, memory.confidence)


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


def ruling(told: Sequence[Told]) -> Ruling:
    """Hold statements about one thing against each other, from the first said to the last."""
    ordered = sorted(told, key=_order)
    opposed = {
        (earlier.memory.number, later.memory.number): _are_opposed(earlier, later)
        for earlier, later in combinations(ordered, 2)
        if not _are_settled(earlier.memory, later.memory)
    }
    replaced: list[Replaced] = []
    standing: list[Told] = []
    for later in ordered:
        over = [
            each
            for each in standing
            if (pair := (each.memory.number, later.memory.number)) in opposed
            and _takes_place_of(each, later, opposed[pair])
        ]
        replaced += [Replaced(each, later, _why_over(each, later)) for each in over]
        standing = [each for each in standing if each not in over] + [later]
    pairs = [
        (earlier, later)
        for earlier, later in combinations(standing, 2)
        if opposed.get((earlier.memory.number, later.memory.number))
    ]
    doubted = {
        each.memory.number: each for pair in reversed(pairs) for each in reversed(_doubtful(*pair))
    }
    left = [finding for pair in pairs for finding in _untouchable(*pair)]
    return Ruling(tuple(replaced), tuple(doubted[each] for each in sorted(doubted)), tuple(left))


def tells_otherwise(earlier: Told, later: Told) -> bool:
    """Whether the later statement has something to say against the earlier one."""
    return relation(earlier.at(earlier.memory.at), later.at(later.memory.at)) in _CONFLICT


def _order(told: Told) -> tuple[datetime, int]:
    return told.last_said, told.memory.number


def _takes_place_of(earlier: Told, later: Told, are_opposed: bool) -> bool:
    old, latest = earlier.memory, later.memory
    if old.is_pinned or latest.status is Status.CHALLENGED:
        return False
    if old.is_vouched_for and not latest.is_vouched_for:
        return False
    if are_opposed:
        return _verdict(earlier, later) is Verdict.LATER
    # A better wording, or one that names what was given up: told by the order they were said in.
    is_in_order = (old.at, old.number) < (latest.at, latest.number)
    return (
        is_in_order
        and _may_meet(old, latest)
        and relation(earlier.at(old.at), later.at(latest.at)) is Relation.REPLACES
    )


def _verdict(earlier: Told, later: Told) -> Verdict:
    is_stranger = is_untrusted(later.memory)
    if is_stranger != is_untrusted(earlier.memory):  # nobody known takes back what is known
        return Verdict.EARLIER if is_stranger else Verdict.LATER
    return winner(earlier.at(earlier.last_said), later.at(later.last_said))


def _are_opposed(one: Told, other: Told) -> bool:
    """Whether they exclude each other, whichever came first."""
    if not _may_meet(one.memory, other.memory):
        return False
    first, second = one.at(one.memory.at), other.at(other.memory.at)
    return relation(first, second) in _CONFLICT and relation(second, first) in _CONFLICT


def _may_meet(one: Memory, other: Memory) -> bool:
    """Whether two can have to do with each other: of what there are several, most have nothing."""
    first, second = claimed_by(one), claimed_by(other)
    if first is None or second is None or first.key != second.key:
        return True
    if first.is_functional and second.is_functional:
        return True
    is_given_up = bool(first.instead_of or second.instead_of)
    values = first.object, second.object
    return is_given_up or covers(*values) or covers(*reversed(values))


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
    strengths = [each.trust * each.memory.confidence for each in (earlier, later)]
    if strengths[1] - strengths[0] > STRENGTH_GAP:
        return f"{later.memory.label} says otherwise and is held far more strongly"
    return f"{later.memory.label} says it later, and is trusted as much"
