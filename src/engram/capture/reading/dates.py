"""Relative dates made absolute: "last Saturday" is "on 2023-05-20", "last year" stays "in 2022"."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from engram.capture.reading.grammar import is_past
from engram.language.when.calendar import Grain
from engram.language.when.spans import EARLIEST, TimeSpan, find_times

# A cheap look before the full reading: most sentences name no time at all.
_HINT = re.compile(
    r"\d|day\b|night|week|month|year|morning|afternoon|evening|noon|ago\b|spring|summer|autumn"
    r"|fall\b"
    r"|winter|january|february|march|april|\bmay\b|june|july|august|september|october|november"
    r"|december|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)\b"
    r"|yester|tomorrow|tonight|christmas|easter|decade|century|\beo[dwm]\b",
    re.IGNORECASE,
)
_ALREADY_ABSOLUTE = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_LEADING = re.compile(
    r"\b(on|in|at|over|during|this|by|before|until|till|since|after|from|for|to)\s+$", re.I
)
_DROPPED = frozenset({"on", "in", "at", "over", "during", "this"})
_DUE = re.compile(
    r"\b(?:by|before|until|till|due(?:\s+on)?|no later than)\s+(?:the\s+)?$", re.IGNORECASE
)
_END_OF = re.compile(
    r"\b(?:by|before)\s+(?:the\s+)?(?:end\s+of\s+(?:the\s+|this\s+)?(day|week|month|year)|(month"
    r"|year)-end"
    r"|(eod|eow|eom))\b",
    re.IGNORECASE,
)
_PART = re.compile(r"\b(morning|afternoon|evening|night)\b", re.IGNORECASE)
_SEASON = re.compile(r"\b(spring|summer|autumn|fall|winter)\b", re.IGNORECASE)
_KEPT_VAGUE = re.compile(r"the other|recent|these|some|^(?:in\s+)?\d{1,2}:\d\d$", re.IGNORECASE)
_MOST_READ = 600


@dataclass(frozen=True, slots=True)
class Dated:
    """A sentence with absolute dates, the time it names, and when it is due."""

    text: str
    happened: TimeSpan | None = None
    deadline: datetime | None = None


def with_absolute_dates(text: str, at: datetime) -> Dated:
    """The sentence with every relative date replaced, as far as it can be told."""
    if not _HINT.search(text):
        return Dated(text)
    found = find_times(text[:_MOST_READ], at)
    spans = [_ahead(span, text, at) for span in found if not _is_habit(span, text)]
    rewritten = text
    for span in reversed(spans):
        rewritten = _replaced(rewritten, span, at)
    happened = next((span for span in spans if not span.is_open), spans[0] if spans else None)
    return Dated(rewritten, happened, _deadline(text, spans, at))


_WEEKDAY = re.compile(r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)
_REGULAR = re.compile(
    r"\b(?:usually|always|normally|typically|generally|regularly|mostly|every|each|weekly"
    r"|fortnightly|biweekly|as a rule)\b",
    re.IGNORECASE,
)
# "My swimming day is Friday", "we moved the pickup day to Friday", "it is now Friday".
_ITS_DAY = re.compile(
    r"\b(?!(?:big|wedding|first|last|next|exam|election|moving|due|opening|closing|release|launch)\b)"
    r"[\w-]+ day(?: off)?(?: (?:is|was|has been|has))?(?: (?:moved|changed|switched))?"
    r"(?: to)?(?: now| currently)? $"
    r"|\b(?:is|are) (?:now|currently) $",
    re.IGNORECASE,
)
_IS = re.compile(r"\b(?:is|are) $", re.IGNORECASE)
_THESE_DAYS = re.compile(r" (?:now|these days|from now on|nowadays|currently)\b", re.IGNORECASE)


def _is_habit(span: TimeSpan, text: str) -> bool:
    """Whether a weekday is said of every week, and so is no date."""
    if not _WEEKDAY.fullmatch(span.text):
        return False
    leading, following = text[: span.place[0]], text[span.place[1] :]
    if _REGULAR.search(text):
        return not _tells_past(text, span)
    is_now = _IS.search(leading) is not None and _THESE_DAYS.match(following) is not None
    return is_now or _ITS_DAY.search(leading) is not None


def _ahead(span: TimeSpan, text: str, at: datetime) -> TimeSpan:
    """A weekday something is due by or was moved to lies ahead, whatever the tense of the rest."""
    is_moved = _MOVED.search(text[: span.place[0]]) is not None
    is_due = is_moved or _DUE.search(_before(text, span)) is not None
    is_weekday = span.grain in (Grain.DAY, Grain.PART) and re.match(r"[A-Za-z]+day\b", span.text)
    if is_due and is_weekday and span.end <= at:
        week = timedelta(days=7)
        return TimeSpan(span.start + week, span.end + week, span.text, span.place, span.grain)
    if span.end <= at and not span.is_open and _is_yearless(span) and not _tells_past(text, span):
        later = find_times(f"will {span.text}", at) or find_times(f"will in {span.text}", at)
        if later and later[0].start > at and later[0].grain is span.grain:
            return TimeSpan(later[0].start, later[0].end, span.text, span.place, span.grain)
    return span


_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_BACK = re.compile(
    r"\b(?:since|ago|last|past|born|(?:have|has)\s+(?!to\b)\w+)\b|['’]ve\b", re.IGNORECASE
)
_MOVED = re.compile(
    r"\b(?:moved|postponed|delayed|pushed|rescheduled|updated|changed)\b.{0,40}\b(?:to|until)\s+$",
    re.IGNORECASE,
)
_YEARLY = re.compile(r"\b(?:birthday|anniversary|name day)\s+(?:is|falls)\s+(?:on|in)\s+$", re.I)
_STATES = frozenset("planned scheduled expected supposed married called named booked based".split())


def _is_yearless(span: TimeSpan) -> bool:
    has_way = re.search(r"\b(?:last|this|past)\b", span.text, re.IGNORECASE)
    return (
        bool(_MONTH.search(span.text)) and not has_way and not _ALREADY_ABSOLUTE.search(span.text)
    )


def _tells_past(text: str, span: TimeSpan) -> bool:
    """Whether the sentence is told in the past: then a month without a year has gone by."""
    if _MOVED.search(text[: span.place[0]]):
        return False
    words = re.findall(r"[a-z]+", text)
    return bool(_BACK.search(text)) or any(is_past(word) and word not in _STATES for word in words)


def _before(text: str, span: TimeSpan) -> str:
    """The few characters before a time, in which a preposition can stand."""
    return text[max(0, span.place[0] - 24) : span.place[0]]


def _deadline(text: str, spans: list[TimeSpan], at: datetime) -> datetime | None:
    for span in spans:
        if _DUE.search(_before(text, span)):
            return (
                span.start if _before(text, span).rstrip().lower().endswith("before") else span.end
            )
        if span.start == EARLIEST and span.end > at:  # "before June", "until Friday"
            return span.end
    found = _END_OF.search(text)
    if found is not None:
        return _end_of((found[1] or found[2] or found[3][-1]).lower()[0], at)
    ahead = [span for span in spans if span.start > at and not span.is_open]
    return ahead[0].end if ahead else None


def _end_of(period: str, at: datetime) -> datetime:
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    ends = {
        "d": midnight + timedelta(days=1),
        "w": midnight + timedelta(days=7 - midnight.weekday()),
        "m": (midnight.replace(day=1) + timedelta(days=32)).replace(day=1),
        "y": midnight.replace(year=midnight.year + 1, month=1, day=1),
    }
    return ends[period].astimezone(UTC)


def _replaced(text: str, span: TimeSpan, at: datetime) -> str:
    said = phrase(span, at)
    begin, end = span.place
    if said is None or _ALREADY_ABSOLUTE.search(span.text):
        return text
    if _YEARLY.search(_before(text, span)):  # "my birthday is on April 3" is of no year
        return text
    if span.text.endswith(("'s", "’s")):  # "tomorrow's demo"
        return f"{text[:begin]}the {said.split(' ', 1)[1]}{text[end:]}"
    leading = _LEADING.search(_before(text, span))
    if leading is not None:
        preposition = leading[1].lower()
        begin -= len(leading[0])
        if preposition not in _DROPPED:
            said = f"{preposition} {said.removeprefix('on ').removeprefix('in ')}"
    following = "" if not text[:begin] or text[begin - 1].isspace() else " "
    return f"{text[:begin]}{following}{said}{text[end:]}"


def phrase(span: TimeSpan, at: datetime) -> str | None:
    """A span in words that mean the same on any day, as exact as it was said and no more."""
    start = _local(span.start, at)
    if span.is_open:
        return _since(span, at)
    if _KEPT_VAGUE.search(span.text):
        return None
    day = f"{start:%Y-%m-%d}"
    match span.grain:
        case Grain.MINUTE | Grain.HOUR:
            return f"on {day} at {start:%H:%M}"
        case Grain.PART:
            part = _PART.search(span.text)
            return f"on {day}" + (f" in the {part[1].lower()}" if part else "")
        case Grain.DAY:
            return (
                f"on {day}"
                if span.end - span.start <= timedelta(days=1, hours=2)
                else (f"on the weekend of {day}")
            )
        case Grain.WEEK:
            return (
                f"in the week of {day}"
                if span.end - span.start > timedelta(days=2)
                else (f"around {day}")
            )
        case _:
            return _coarse(span, start)


def _coarse(span: TimeSpan, start: datetime) -> str | None:
    """Months, seasons, years and decades."""
    if span.grain is Grain.MONTH:
        return f"in {start:%B %Y}"
    season = _SEASON.search(span.text)
    if span.grain is Grain.QUARTER:
        name = season[1].lower() if season else f"quarter {(start.month + 2) // 3}"
        return f"in {name} {start.year}"
    if span.grain is Grain.YEAR:
        return f"in {start.year}"
    return f"in the {start.year}s" if span.grain is Grain.DECADE else None


def _since(span: TimeSpan, at: datetime) -> str | None:
    found = re.match(r"since\s+(.+)", span.text, re.IGNORECASE)
    if found is None:
        return None
    inner = find_times(found[1], at) or find_times(f"in {found[1]}", at)  # "march" is a verb too
    said = phrase(inner[0], at) if inner and not inner[0].is_open else None
    return f"since {said.removeprefix('on ').removeprefix('in ')}" if said else None


def _local(moment: datetime, at: datetime) -> datetime:
    return moment.astimezone(at.tzinfo or UTC)
