"""When a memory has faded so far, and mattered so little, that it leaves recall for the archive.

Nothing is ever deleted: what is archived is listed, told and brought back like before. Every rule
is a function of the record and the time, so that asking twice is asking once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from engram.memory.categories import TURN
from engram.memory.dreams.small_talk import (
    asks_for_something,
    has_particulars,
    is_told_elsewhere,
    says_nothing_lasting,
)
from engram.memory.importance import importance
from engram.memory.record import Memory
from engram.memory.retention import last_touched, retention
from engram.memory.staleness import status_at
from engram.memory.vocabulary import Layer, LearnedBy, RetentionMode, SourceClass, Status

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_FADING = frozenset({Layer.WORKING, Layer.EPISODIC})
_FACTS = _FADING | {Layer.SEMANTIC}
_OUTRIGHT = frozenset({LearnedBy.MANUAL, LearnedBy.REMEMBER})
_DRAWN = frozenset({LearnedBy.OBSERVE, LearnedBy.HARVEST})
_CORRECTION = "correction"
HASTE_SPAN = 90 * _DAY  # over which is counted how much is said in a scope
_MOST_HASTE = 4.0
_FARTHEST = timedelta(days=36_525)  # how far ahead is looked for the day on which it leaves


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """What must all hold for a memory to leave by age."""

    days: int
    importance: float
    accesses: int  # so many uses keep it
    retention: float = 1.0  # one: how vivid it is does not count


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivalRules:
    """The numbers of archival; a dream's options hold them, with their ranges."""

    faded: Threshold
    facts: Threshold | None  # also for what does not fade; None: that stays
    sparing_importance: float
    sparing_arousal: float
    spares_remembered: bool  # what a person asked to remember outright
    moment_days: int
    chatter_days: int
    drawn_turn_days: int
    passing_turn_days: int
    turn_days: int
    mode: RetentionMode = RetentionMode.HUBER
    haste: float = 1.0  # how many times over an idle day of a turn counts


def haste(taken_in: int, kept: int) -> float:
    """How much sooner turns leave where more is said in a season than is kept.

    What was taken in counts and not what is left of it, so that a dream that was interrupted goes
    on as it began. Without it a scope in which much is said would grow for a year before the first
    of its particular turns leave.
    """
    return min(_MOST_HASTE, max(1.0, taken_in / kept)) if kept else 1.0


class Grounds(StrEnum):
    """Why a memory leaves recall."""

    FADED = "faded"
    PASSING = "passing"  # it served its moment, and nobody came back to it
    UNIMPORTANT = "unimportant"  # by the rule for facts
    SMALL_TALK = "small talk"
    TOLD_ELSEWHERE = "told elsewhere"


@dataclass(frozen=True, slots=True)
class Standing:
    """What the record of a memory does not tell about it."""

    is_protected: bool = False  # by its category
    has_replaced: bool = False  # it took another's place, so it is the current word on something
    is_last_word: bool = False  # the turns that it was drawn from have left recall
    is_crowded: bool = True  # there is more beside it than is to be kept


UNPROTECTED = Standing()


def grounds_to_archive(
    memory: Memory, now: datetime, rules: ArchivalRules, standing: Standing = UNPROTECTED
) -> Grounds | None:
    """Why a statement leaves recall now; None: it stays."""
    if memory.category == TURN or is_spared(memory, rules, standing):
        return None
    if status_at(memory, now) is not Status.ACTIVE:
        return None
    if standing.is_last_word and _must_last(memory, now, rules):
        return None
    if memory.layer in _FADING and _is_below(memory, now, rules.faded, rules.mode):
        return Grounds.FADED
    if standing.is_crowded and _has_passed(memory, now, rules):
        return Grounds.PASSING
    if rules.facts and memory.layer in _FACTS and _is_below(memory, now, rules.facts, rules.mode):
        return Grounds.UNIMPORTANT
    return None


def _must_last(memory: Memory, now: datetime, rules: ArchivalRules) -> bool:
    """Whether what stands in for a person's turn is kept as long as such a turn would be."""
    if memory.source_class is not SourceClass.PERSON:
        return False
    own = [name for name in (memory.speaker, memory.subject) if name]
    is_recent = now - last_touched(memory) < rules.turn_days * _DAY
    return is_recent and has_particulars(memory.content, known=own)


def _has_passed(memory: Memory, now: datetime, rules: ArchivalRules) -> bool:
    """Whether a moment that machines drew from talk has faded without anybody coming back to it.

    How important it seemed to the machine does not count: that it was surprising is no reason to
    keep it.
    """
    return (
        memory.layer is Layer.EPISODIC
        and memory.learned_by in _DRAWN
        and not memory.usage.accesses
        and not memory.usage.confirmations
        and now - memory.learned_at > rules.moment_days * _DAY
        and retention(memory, now, rules.mode) < rules.faded.retention
    )


def is_spared(memory: Memory, rules: ArchivalRules, standing: Standing = UNPROTECTED) -> bool:
    """Whether age alone never takes a memory away."""
    return reason_to_spare(memory, rules, standing) is not None


def reason_to_spare(
    memory: Memory, rules: ArchivalRules, standing: Standing = UNPROTECTED
) -> str | None:
    """Why age alone never takes a memory away, in a few words; None: it may."""
    asked_outright = memory.learned_by in _OUTRIGHT and memory.source_class is SourceClass.PERSON
    reasons = (
        (memory.is_pinned, "it is pinned"),
        (standing.is_protected, f"its category, {memory.category}, is protected"),
        (memory.category == _CORRECTION, "it is a correction"),
        (standing.has_replaced, "it took another memory's place"),
        (memory.last_verified_at is not None, "a person has verified it"),
        (memory.arousal >= rules.sparing_arousal, "it was said with strong feeling"),
        (
            memory.learned_by not in _DRAWN and memory.base_importance >= rules.sparing_importance,
            "it was called important",
        ),
        (asked_outright and rules.spares_remembered, "a person asked to remember it"),
    )
    return next((words for holds, words in reasons if holds), None)


def grounds_to_archive_turn(
    turn: Memory, drawn: Sequence[str] | None, now: datetime, rules: ArchivalRules
) -> Grounds | None:
    """Why a turn leaves recall now; `drawn` is what stands of it, None: nothing was ever drawn."""
    is_used = turn.usage.accesses >= rules.faded.accesses
    if is_used or turn.status is not Status.ACTIVE or is_spared(turn, rules):
        return None
    idle = (now - last_touched(turn)) * rules.haste
    now = last_touched(turn) + idle
    if drawn is None and idle >= rules.chatter_days * _DAY and says_nothing_lasting(turn.content):
        return Grounds.SMALL_TALK
    if drawn and idle >= rules.drawn_turn_days * _DAY and is_told_elsewhere(turn.content, drawn):
        return Grounds.TOLD_ELSEWHERE
    is_unused = not turn.usage.accesses and not turn.usage.confirmations
    if idle >= rules.passing_turn_days * _DAY and is_unused and _is_passing(turn):
        return Grounds.PASSING
    days = rules.turn_days if has_particulars(turn.content) else rules.faded.days
    if idle >= days * _DAY and _is_below(turn, now, rules.faded, rules.mode):
        return Grounds.FADED
    return None


def _is_passing(turn: Memory) -> bool:
    """Whether a turn served its moment: a request, or what an agent or a tool said."""
    return turn.source_class is not SourceClass.PERSON or asks_for_something(turn.content)


def _is_below(memory: Memory, now: datetime, least: Threshold, mode: RetentionMode) -> bool:
    return (
        now - memory.learned_at > least.days * _DAY
        and memory.usage.accesses < least.accesses
        and (least.retention >= 1.0 or retention(memory, now, mode) < least.retention)
        and importance(memory, now).score < least.importance
    )


def leaves_on(
    memory: Memory, now: datetime, rules: ArchivalRules, standing: Standing = UNPROTECTED
) -> datetime | None:
    """When a statement would leave recall if nobody used it again; None: never by its age.

    Its horizon is another way to leave, and is not looked at here.
    """
    lasting = memory.replaced(horizon=None)
    return _first(now, lambda moment: bool(grounds_to_archive(lasting, moment, rules, standing)))


def turn_leaves_on(
    turn: Memory, drawn: Sequence[str] | None, now: datetime, rules: ArchivalRules
) -> datetime | None:
    """When a turn would leave recall if nobody used it again; None: never."""
    return _first(now, lambda moment: bool(grounds_to_archive_turn(turn, drawn, moment, rules)))


def _first(now: datetime, has_come: Callable[[datetime], bool]) -> datetime | None:
    """When something comes that stays once it is there, to the hour; found by halving."""
    early, late = now, now + _FARTHEST
    if has_come(early):
        return early
    if not has_come(late):
        return None
    while late - early > _HOUR:
        middle = early + (late - early) / 2
        early, late = (early, middle) if has_come(middle) else (middle, late)
    return late
