"""When a promise is due, and how long a promise or a guess is kept unasked.

Words such as "by", "due" and "within" make a time a deadline. What is due on a day is due when the
day is over, as the one who speaks counts days; "before Friday" is over when Friday begins.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from engram.language.forms import LONGEST_TEXT, NUMBER_WORDS
from engram.language.when.spans import LATEST, TimeSpan, find_times
from engram.memory.options import option
from engram.text.calendar import Grain, shifted


@dataclass(frozen=True, slots=True)
class ExpiryOptions:
    """How long what is not lasting is kept without being said again."""

    commitment_days: int = option(
        90, low=1, high=3_650, meaning="Days until a commitment without a deadline expires."
    )
    deadline_grace_days: int = option(
        7, low=0, high=365, meaning="Days a commitment stays after its deadline."
    )
    speculative_days: int = option(
        30, low=1, high=3_650, meaning="Days until an unconfirmed guess expires."
    )


DEFAULT = ExpiryOptions()
_MOST_MARKS = 8  # a text with more of these words than that is no promise
_CLAUSE = 60  # characters after the word in which its time must stand

_MARK = re.compile(
    r"\b(?P<word>by|before|until|till|no later than|not later than|latest by|due(?: date)?(?: is)?"
    r"(?: on| by| in| at| before)?|deadline(?: (?:for|of) [^.,;:]{1,40}?)? ?(?:is|was set to|:)"
    r"(?: on| by)?|within|in the next|in under|in less than|over the next)\s+(?=\S)",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"(?:the next |about |around |at most |the )?(?P<count>\d{1,4}|[a-z]+)?\s*(?:or so )?"
    r"(?P<unit>minute|hour|day|week|fortnight|month|quarter|year)s?\b",
    re.IGNORECASE,
)
_COUNTS = NUMBER_WORDS | {"a": 1, "an": 1, "one": 1, "few": 3, "several": 3, "next": 1, "": 1}
_END_OF = re.compile(
    r"(?:the )?(?:end|close) of (?:the |this |my |our )?(?P<unit>day|business(?: day)?|today|week"
    r"|month|quarter|year)\b|(?P<short>eod|cob|eow|eom|eoq|eoy)\b",
    re.IGNORECASE,
)
_SHORT = {"eod": "day", "cob": "day", "eow": "week", "eom": "month", "eoq": "quarter",
          "eoy": "year"}  # fmt: skip
_LENGTH_WORDS = frozenset({"within", "in the next", "in under", "in less than", "over the next"})
_EDGE = re.compile(r"(?:the )?end of (?=\S)", re.IGNORECASE)
_EXACT = frozenset({Grain.MINUTE, Grain.HOUR})
_AS_GRAIN = {"day": "today", "week": "this week", "month": "this month", "quarter": "this quarter",
             "year": "this year"}  # fmt: skip


def deadline_in(text: str, at: datetime) -> datetime | None:
    """The first deadline that a text said at `at` names and that is still to come, in UTC."""
    read = text[:LONGEST_TEXT]
    for number, match in enumerate(_MARK.finditer(read)):
        if number == _MOST_MARKS:
            break
        rest = read[match.end() : match.end() + _CLAUSE]
        found = _deadline(match["word"].lower(), rest, at)
        if found is not None and found > at:
            return found
    return None


def _deadline(word: str, rest: str, at: datetime) -> datetime | None:
    if word in _LENGTH_WORDS:
        return _after_length(rest, at)
    if end := _END_OF.match(rest):
        return _end_of(_SHORT.get((end["short"] or "").lower()) or end["unit"].lower(), at)
    edge = _EDGE.match(rest)
    span = _first_time(rest[edge.end() :] if edge else rest, at)
    if span is None:
        return _after_length(rest, at) if word == "due in" else None
    is_before = word.endswith("before") and edge is None
    return span.start if is_before or span.grain in _EXACT else span.end


def _after_length(rest: str, at: datetime) -> datetime | None:
    """ "Within two weeks": so long after it was said."""
    match = _LENGTH.match(rest)
    if match is None:
        return None
    written = (match["count"] or "").lower()
    count = int(written) if written.isdigit() else _COUNTS.get(written)
    if count is None:
        return None
    local = shifted(at.replace(tzinfo=None), match["unit"].lower(), count)
    return local.replace(tzinfo=at.tzinfo).astimezone(UTC)


def _end_of(unit: str, at: datetime) -> datetime | None:
    plain = "day" if unit in ("business", "business day", "today") else unit
    times = find_times(_AS_GRAIN[plain], at)
    return times[0].end if times else None


def _first_time(rest: str, at: datetime) -> TimeSpan | None:
    """The time that the rest begins with, read as one to come."""
    for lead in (*_LEADS, *(_CLOCK_LEADS if _CLOCK.match(rest) else ())):
        for span in find_times(lead + rest, at, is_query=True):  # "before noon" means the hour
            is_first = span.place[0] <= len(lead) < span.place[1]
            if (is_first or _starts_behind_article(lead + rest, lead, span)) and at < span.end:
                return span if span.end != LATEST else None
    return None


# "Due" makes Friday the one to come; the words after it let a bare name or hour be a time at all.
_LEADS = ("due ", "due in ", "due on ")
_CLOCK_LEADS = ("due today at ", "due tomorrow at ")
_CLOCK = re.compile(
    r"\d{1,2}(?::\d{2}|(?::\d{2})? ?[ap]\.?m\b| o'clock)|noon\b|midday\b|midnight\b", re.IGNORECASE
)


def _starts_behind_article(text: str, lead: str, span: TimeSpan) -> bool:
    return text[len(lead) : span.place[0]].strip().lower() in ("the", "on", "at", "the morning of")


def commitment_expires(
    at: datetime,
    deadline: datetime | None = None,
    refreshed_at: datetime | None = None,
    options: ExpiryOptions = DEFAULT,
) -> datetime:
    """When a commitment made at `at` is no longer held up to anybody.

    With a deadline it stays until that has passed, and a little longer to be asked about; said
    again after the deadline, or without one, it lives its days from when it was last said.
    """
    said = max(at, refreshed_at) if refreshed_at else at
    if deadline is not None and said <= deadline:
        return _days_after(deadline, options.deadline_grace_days)
    return _days_after(said, options.commitment_days)


def speculative_expires(at: datetime, options: ExpiryOptions = DEFAULT) -> datetime:
    """When a guess made at `at` is dropped unless somebody confirms it."""
    return _days_after(at, options.speculative_days)


def _days_after(moment: datetime, days: int) -> datetime:
    """So many days later; what lies beyond the last day there is ends with that day."""
    try:
        return moment + timedelta(days=days)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)
