"""What a claim does to what is believed: stands beside it, takes its place, yields, or contests it.

Only a relation that has one value at a time can contradict itself, and only while both are said to
hold. A gap in force (grounds times confidence) decides; else what was said later, if it is trusted
at least as much; else the matter is contested and every position is kept. What a person stands
behind is retired by a person alone.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from engram.language.forms import plain_name
from engram.language.when.spans import find_times
from engram.memory.jsons import Json
from engram.memory.knowledge.belief import Belief, Said, value_text
from engram.memory.vocabulary import Status

FORCE_GAP = 0.3  # a difference that decides by itself, whatever the dates
TRANSFER = 0.2  # of the confidence of what was replaced goes over: it was no wild guess either
_DIGITS = 9  # 0.7 - 0.4 is no more than 0.3

LiesInside = Callable[[str, str], bool]
"""Whether one node lies inside another, by what is known of places and parts."""


class Standing(StrEnum):
    """How a claim stands to a known one."""

    APART = "apart"  # they do not speak of the same time
    AGREES = "agrees"
    REPLACES = "replaces"
    PRECEDES = "precedes"  # it held before the known one took its place
    YIELDS = "yields"  # far weaker: noted beside it
    CONTESTS = "contests"  # nobody but a person can tell


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What counts of a claim when it is held against another."""

    force: float
    strength: float
    trust: float
    confidence: float
    at: datetime
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    repeated_at: datetime | None = None

    @property
    def start(self) -> datetime:
        """From when on it is known to hold: as it was said, else when it was said."""
        return self.valid_from or self.at

    def overlaps(self, other: "Position") -> bool:
        """Whether there is a time at which both are said to hold."""
        return _begins_before(self, other.valid_until) and _begins_before(other, self.valid_until)

    def is_later_than(self, other: "Position") -> bool:
        """Whether it tells of a later time: by both beginnings, or by when they were said."""
        if self.valid_from is not None and other.valid_from is not None:
            return self.valid_from > other.valid_from
        return self.at > other.at

    def is_trusted_as(self, other: "Position") -> bool:
        """Whether it is trusted at least as much: its grounds, and who stands behind it."""
        return self.strength >= other.strength and self.trust >= other.trust


def _begins_before(position: Position, end: datetime | None) -> bool:
    return end is None or position.start < end


@dataclass(frozen=True, slots=True)
class Rival:
    """A known position about the same thing, and what the caller may do about it."""

    position: Position
    agrees: bool
    may_be_retired: bool
    is_ended: bool = False  # another has its place already; only when it held can change


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What becomes of a claim and of its rivals, which are named by their place in the list."""

    status: Status = Status.ACTIVE
    kind: str = "learned"
    reason: str = "nothing known is against it"
    retire: tuple[int, ...] = ()  # superseded from the claim's beginning on
    challenge: tuple[int, ...] = ()
    against: tuple[int, ...] = ()  # to be linked as contradicting
    successor: int | None = None  # which took the claim's place before it was even said
    begins: datetime | None = None
    ends: datetime | None = None
    confidence: float


def position_of(belief: Belief) -> Position:
    """A belief as it is held against others."""
    memory = belief.memory
    return Position(
        force=belief.force,
        strength=belief.strength,
        trust=memory.trust,
        confidence=memory.confidence,
        at=memory.at,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        repeated_at=belief.repeated_at,
    )


def standing(known: Position, claim: Position, *, agrees: bool) -> Standing:
    """How a claim stands to a known one about a thing that has one value at a time."""
    if not claim.overlaps(known):
        return Standing.APART
    if agrees:
        return Standing.AGREES
    gap = round(claim.force - known.force, _DIGITS)
    if abs(gap) > FORCE_GAP:
        return Standing.REPLACES if gap > 0 else Standing.YIELDS
    if claim.is_later_than(known):
        is_newest = known.repeated_at is None or claim.at > known.repeated_at
        wins = is_newest and claim.is_trusted_as(known)
        return Standing.REPLACES if wins else Standing.CONTESTS
    wins = known.is_later_than(claim) and known.is_trusted_as(claim) and claim.start < known.start
    return Standing.PRECEDES if wins else Standing.CONTESTS


def plan(claim: Position, rivals: Sequence[Rival]) -> Plan:
    """What becomes of a claim that meets these; it takes the place of others only when it prevails
    over all of them."""
    standings = [standing(each.position, claim, agrees=each.agrees) for each in rivals]
    open_ = [n for n, each in enumerate(rivals) if not each.is_ended]
    blocking = [n for n in open_ if _blocks(rivals[n], standings[n])]
    if blocking:
        return _disputed(claim, rivals, standings, blocking)
    later = [n for n, each in enumerate(standings) if each is Standing.PRECEDES]
    retired = tuple(
        n
        for n, each in enumerate(standings)
        if each is Standing.REPLACES and rivals[n].may_be_retired
    )
    if later:
        return _preceding(claim, rivals, later, retired)
    if not any(n in open_ for n in retired):
        begins = claim.start if retired else None
        return Plan(confidence=claim.confidence, retire=retired, begins=begins)
    old = max(rivals[n].position.confidence for n in retired)
    return Plan(
        kind="replaced",
        reason=_why(claim, [rivals[n].position for n in retired if n in open_]),
        retire=retired,
        begins=claim.start,
        confidence=min(1.0, claim.confidence + TRANSFER * old),
    )


def _blocks(rival: Rival, each: Standing) -> bool:
    if each is Standing.REPLACES:
        return not rival.may_be_retired
    return each in (Standing.YIELDS, Standing.CONTESTS)


def _disputed(
    claim: Position, rivals: Sequence[Rival], standings: Sequence[Standing], blocking: list[int]
) -> Plan:
    contested = tuple(
        n for n in blocking if standings[n] is Standing.CONTESTS and rivals[n].may_be_retired
    )
    is_weaker = all(standings[n] is Standing.YIELDS for n in blocking)
    protected = "a person, or a wider scope, stands behind what is known"
    reason = "much weaker than what is known" if is_weaker else protected
    return Plan(
        status=Status.CHALLENGED,
        kind="contested" if contested else "challenged",
        reason="as strong as what is known, and not clearly later" if contested else reason,
        challenge=contested,
        against=tuple(blocking),
        confidence=claim.confidence,
    )


def _preceding(
    claim: Position, rivals: Sequence[Rival], later: list[int], retired: tuple[int, ...]
) -> Plan:
    first = min(later, key=lambda n: rivals[n].position.start)
    return Plan(
        status=Status.SUPERSEDED,
        reason="it held before what is known",
        retire=retired,
        successor=first,
        begins=claim.start if retired else None,
        ends=rivals[first].position.start,
        confidence=claim.confidence,
    )


def _why(claim: Position, replaced: Sequence[Position]) -> str:
    is_stronger = all(round(claim.force - each.force, _DIGITS) > FORCE_GAP for each in replaced)
    return "stronger than what was known" if is_stronger else "newer, and trusted as much"


# When two say the same


def agree(one: Said, other: Said, lies_inside: LiesInside) -> bool:
    """Whether two beliefs of one relation say the same, or one says it more precisely."""
    if one.target is not None and other.target is not None:
        is_one = one.target == other.target
        return (
            is_one or lies_inside(one.target, other.target) or lies_inside(other.target, one.target)
        )
    if one.target is None and other.target is None:
        return same_value(one.value, other.value)
    return same_value(one.words, other.words)


def same_value(one: Json, other: Json) -> bool:
    """Whether two values are one: "Porto, Portugal" says "Porto" too, and 8080 is "8080"."""
    if one == other and isinstance(one, bool) == isinstance(other, bool):
        return True
    first, second = value_text(one), value_text(other)
    if isinstance(one, str) and isinstance(other, str) and one.strip() and other.strip():
        return covers(first, second) or covers(second, first)
    return first.strip().casefold() == second.strip().casefold()


def covers(wider: str, narrower: str) -> bool:
    """Whether one value says all that another does: "Porto, Portugal" says "Porto" too."""
    said, asked = ([word.strip(",;") for word in plain_name(value).split()]
                   for value in (wider, narrower))  # fmt: skip
    if said == asked:
        return True
    if any(character.isdigit() for character in wider + narrower):
        return _covers_moment(wider, narrower)
    return "," in wider and said[: len(asked)] == asked


def _covers_moment(wider: str, narrower: str) -> bool:
    """ "May 5th" is "5 May"; "3 May 1990" says "3 May" too, and not the other way round."""
    ours, theirs = (find_times(value, _ANY_DAY) for value in (wider, narrower))
    is_moment = len(ours) == len(theirs) == 1 and all(
        len(span.text) + len("on the ") >= len(value.strip())
        for span, value in zip((*ours, *theirs), (wider, narrower), strict=True)
    )
    if not is_moment:
        return False
    (mine,), (other,) = ours, theirs
    if (mine.start, mine.end) == (other.start, other.end):
        return True
    has_year = re.search(r"\b\d{4}\b", wider) is not None and not re.search(r"\b\d{4}\b", narrower)
    return has_year and f"{mine.start:%m-%d %H:%M}" == f"{other.start:%m-%d %H:%M}"


_ANY_DAY = datetime(2024, 6, 15, tzinfo=UTC)


# What is believed


@dataclass(frozen=True, slots=True)
class Held:
    """What is believed; a relation may have several values. Alternatives were noted and are weaker,
    or dispute what a person stands behind."""

    beliefs: tuple[Belief, ...]
    alternatives: tuple[Belief, ...] = ()

    @property
    def belief(self) -> Belief:
        """The firmest of them."""
        return self.beliefs[0]


@dataclass(frozen=True, slots=True)
class Contested:
    """Positions that cannot all hold, the firmest first."""

    positions: tuple[Belief, ...]


@dataclass(frozen=True, slots=True)
class Retracted:
    """What was believed last, and why that was withdrawn."""

    belief: Belief
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is believed about it."""


BeliefState = Held | Contested | Retracted | Unknown


def believed(
    beliefs: Sequence[Belief], instant: datetime, *, is_functional: bool, lies_inside: LiesInside
) -> BeliefState:
    """What beliefs about one thing that all are said to hold at an instant come to."""
    ranked = sorted(beliefs, key=_firmness)
    if not ranked:
        return Unknown()
    if not is_functional:
        return Held(tuple(ranked))
    speaking = _that_speak_of(ranked, instant)
    best = speaking[0]
    agreeing = tuple(each for each in speaking if agree(best.said, each.said, lies_inside))
    others = tuple(each for each in speaking if each not in agreeing)
    if all(_outweighs(best, each) for each in others):
        return Held(agreeing, others)
    return Contested(tuple(speaking))


def _firmness(belief: Belief) -> tuple[bool, bool, float, int]:
    is_disputed = belief.memory.status is Status.CHALLENGED
    return is_disputed, not belief.memory.is_vouched_for, -belief.force, -belief.memory.number


def _that_speak_of(beliefs: list[Belief], instant: datetime) -> list[Belief]:
    """Without those that were said later and do not say since when, where others do speak."""
    begun = [each for each in beliefs if position_of(each).start <= instant]
    return begun or beliefs


def _outweighs(best: Belief, other: Belief) -> bool:
    if other.memory.status is not Status.CHALLENGED or best.memory.status is Status.CHALLENGED:
        return False
    is_stronger = round(best.force - other.force, _DIGITS) > FORCE_GAP
    return is_stronger or (best.memory.is_vouched_for and not other.memory.is_vouched_for)
