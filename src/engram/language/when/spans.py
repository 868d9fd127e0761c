"""When a question is about: the times it names, as ranges, and the events it counts from.

Rules alone: the same words and the same `now` always give the same ranges. What names no place on
the calendar gives none: a length ("for two weeks"), a habit ("every Friday", "in the morning"),
"now", and words that only look like times ("you may ask", "a second try").
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum

from engram.language.when.calendar import FIRST_MOMENT, LAST_MOMENT, Grain, Period
from engram.language.when.cascade import Reader, apply
from engram.language.when.clocks import CLOCKS, RANGES
from engram.language.when.names import NAMES, NUMBERS
from engram.language.when.rules import PERIODS
from engram.language.when.words import Piece, pieces_of

EARLIEST = FIRST_MOMENT.replace(tzinfo=UTC)
LATEST = LAST_MOMENT.replace(tzinfo=UTC)
_LONGEST_TEXT = 32_768  # longer texts are documents; reading their times takes too long
_CASCADE = (*NUMBERS, *NAMES, *PERIODS, *CLOCKS, *RANGES)

_LOOKS_AHEAD = re.compile(
    r"\b(?:will|won't|shall|upcoming|tomorrow|going to|gonna|plan(?:s|ning|ned)?|schedule[ds]?"
    r"|remind me|book|deadline|due)\b|\b\w+['’]ll\b",
    re.IGNORECASE,
)
_LOOKS_BACK = re.compile(
    r"\b(?:did|was|were|had|has|have|happened|went|made|said|told|been)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time that a text names: from `start` up to, and not including, `end`, both in UTC."""

    start: datetime
    end: datetime
    text: str
    place: tuple[int, int]
    grain: Grain

    @property
    def is_open(self) -> bool:
        """Whether one side has no bound, as in "since March"."""
        return self.start == EARLIEST or self.end == LATEST


def find_times(text: str, now: datetime) -> tuple[TimeSpan, ...]:
    """Every time the text names, in order; days begin at midnight in the zone of `now`.

    A name without a year ("in March", "on Friday") means the most recent one, unless the words
    look ahead. Of "from May to July" July is a part. Only the first 32,768 characters are read.
    """
    read = text[:_LONGEST_TEXT]
    zone = now.tzinfo or UTC
    looks_ahead = _LOOKS_AHEAD.search(read) is not None
    looks_back = not looks_ahead and _LOOKS_BACK.search(read) is not None
    local = now.replace(tzinfo=None, fold=0)
    reader = Reader(local, is_future=looks_ahead, is_past=looks_back)
    found = []
    for piece in apply(_CASCADE, pieces_of(read), reader):
        period = _period(piece, reader)
        if period is not None and period.start < period.end:
            place = (piece.start, piece.end)
            start, end = (_in_utc(bound, zone) for bound in (period.start, period.end))
            found.append(TimeSpan(start, end, text[slice(*place)], place, period.grain))
    return tuple(found)


def _period(piece: Piece, reader: Reader) -> Period | None:
    try:
        return reader.period(piece.value) if piece.tag == "D" else None
    except (OverflowError, ValueError):
        return None  # next to the years 1 and 9999 there is no Monday before or after


def _in_utc(moment: datetime, zone: tzinfo) -> datetime:
    if moment <= FIRST_MOMENT:
        return EARLIEST
    if moment >= LAST_MOMENT:
        return LATEST
    try:
        return moment.replace(tzinfo=zone).astimezone(UTC)
    except OverflowError:
        return EARLIEST if moment.year < 5000 else LATEST


class Relation(StrEnum):
    """On which side of an event a question looks."""

    SINCE = "since"
    AFTER = "after"
    BEFORE = "before"
    UNTIL = "until"


@dataclass(frozen=True, slots=True)
class EventReference:
    """A time told by an event: what happened has to be looked up to know when."""

    relation: Relation
    event: str


_RELATED = re.compile(r"\b(since|after|before|until|till)\s+([^\n.?!,;]{2,200})", re.IGNORECASE)
# "After the move what did I ..." goes on with the question itself.
_NEXT_QUESTION = re.compile(
    r"\s(?:what|which|where|when|who|how|why|did|do|does|is|are|was|were|have|has|can|could|should)"
    r"\s(?:i|we|you|he|she|they|it|the|my|our|has|have|did|was|were|do|does)\b",
    re.IGNORECASE,
)
# Sayings, and words that point back at the sentence before.
_NO_EVENT = re.compile(
    r"(?:all|that|this|these|those|then|when|long|too long|now|it|him|her|them|me|you|us|and"
    r"|or|noon|lunch|dinner|breakfast|work|school|bed|taxes?|eating|sleep(?:ing)?)\b"
    r"(?!\s+\w+ed\b)",
    re.IGNORECASE,
)
# "Since I am vegan" gives a reason; what still holds is no event to count from.
_REASON = re.compile(
    r"(?:i|we|you|he|she|they|it|there|my \w+|our \w+)(?:['’](?:m|s|re|ve)\b"
    r"|\s(?:am|is|are|have|has|can|can['’]t|don['’]t|do|like|love|hate|need|want|prefer|know|live|work)\b)",
    re.IGNORECASE,
)


def since_event(text: str) -> EventReference | None:
    """The event that a text counts from ("since the deploy", "after I moved"), if it is no date."""
    for match in _RELATED.finditer(text[:_LONGEST_QUESTION]):
        relation, event = match[1].lower(), match[2]
        if _begins_with_time(match[0]) or _NO_EVENT.match(event):
            continue
        if relation == "since" and not text[: match.start()].strip() and _REASON.match(event):
            continue
        cut = _NEXT_QUESTION.search(event)
        event = (event[: cut.start()] if cut else event).strip(" '\"’”)")
        if any(letter.isalpha() for letter in event):
            return EventReference(Relation("until" if relation == "till" else relation), event)
    return None


def names_time(text: str) -> bool:
    """Whether a text names a time at all, seen from any day."""
    return bool(find_times(text[:_LONGEST_QUESTION], _ANY_DAY))


def _begins_with_time(words: str) -> bool:
    times = find_times(words[:80], _ANY_DAY)
    return any(span.place[0] <= len("before the ") for span in times)


_ANY_DAY = datetime(2024, 6, 15, tzinfo=UTC)
_LONGEST_QUESTION = 2_000  # an event further on is not what a question counts from
