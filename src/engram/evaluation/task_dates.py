"""How well times are found in sentences: against labelled ones, and beside a naive reader.

Counted are the expressions that name a place on the calendar, each with one or more ranges that are
right. A time found in a sentence that has none, or only lengths ("for two days") and habits ("every
week"), is a false alarm; a time of day without a day is neither.

"Exact" wants the right start and end, with two conventions of our own: the last day or month that a
range names belongs to it, where the labels leave it out; and a part of a day ("yesterday evening")
is right if it overlaps the labelled one. "Ends as labelled" allows neither.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engram.errors import InvalidInput
from engram.language.when.spans import EARLIEST, LATEST, TimeSpan, find_times
from engram.text.calendar import Grain

FILE = "dates.jsonl"
_CALENDAR_TYPES = frozenset({"date", "daterange", "datetime", "datetimerange"})
_SILENT_TYPES = frozenset({"duration", "set"})
_MONTHS = (timedelta(days=28), timedelta(days=31))
_DAY = timedelta(days=1)
_SMALL_UNITS = (timedelta(minutes=1), timedelta(hours=1), _DAY)
_NAIVE = re.compile(r"\b(?:(\d{4}-\d{2}-\d{2})|(yesterday|today|tomorrow))\b", re.IGNORECASE)
_NAIVE_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}

Range = tuple[datetime, datetime | None]  # without an end, any end is right
Found = tuple[datetime, datetime, Grain]
Finder = Callable[[str, datetime], Iterable[Found]]


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence, when it was said, what is to be found in it, and whether anything may be."""

    text: str
    now: datetime
    expected: tuple[tuple[str, tuple[Range, ...]], ...]  # the words, and the ranges that are right
    is_silent: bool


@dataclass(frozen=True, slots=True)
class DateScore:
    """Counts of one sentence, or of many; they add up."""

    expected: int = 0
    exact: int = 0
    exact_ends: int = 0
    unlabelled: int = 0  # found, and not what was labelled
    silent: int = 0  # sentences in which there is nothing to find
    false_alarms: int = 0  # of those, the ones in which something was found

    def __add__(self, other: "DateScore") -> "DateScore":
        return DateScore(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def exact_share(self) -> float:
        """The share of the expressions that were understood exactly."""
        return self.exact / self.expected if self.expected else 0.0

    @property
    def exact_ends_share(self) -> float:
        """The same with the labels' own ends."""
        return self.exact_ends / self.expected if self.expected else 0.0

    @property
    def precision(self) -> float:
        """The share of what was found that is right; 0 when nothing was."""
        found = self.exact + self.unlabelled
        return self.exact / found if found else 0.0

    @property
    def false_alarm_share(self) -> float:
        """The share of the sentences without a time in which one was found."""
        return self.false_alarms / self.silent if self.silent else 0.0


def read_sentences(path: Path) -> list[LabelledSentence]:
    """The sentences of a file, one JSON object per line: `text`, `reference` and `expected`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [_labelled(json.loads(line)) for line in lines if line.strip()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(hint=f"{path.name} is no file of labelled times.") from error


def _labelled(row: Mapping[str, object]) -> LabelledSentence:
    expressions = row["expected"]
    if not isinstance(expressions, list):
        raise TypeError
    named = [each for each in expressions if each["type"] in _CALENDAR_TYPES]
    pairs = [(str(each["text"]), tuple(_ranges(each["values"]))) for each in named]
    return LabelledSentence(
        str(row["text"]),
        _moment(str(row["reference"])[:19]),
        tuple(pair for pair in pairs if pair[1]),
        {each["type"] for each in expressions} <= _SILENT_TYPES,
    )


def _ranges(values: Iterable[Mapping[str, str]]) -> Iterator[Range]:
    for value in values:
        if "start" in value or "end" in value:
            start, end = value.get("start"), value.get("end")
            yield _moment(start) if start else EARLIEST, _moment(end) if end else LATEST
        elif value.get("value", "not resolved") != "not resolved":
            start_of_it = _moment(value["value"])
            yield start_of_it, start_of_it + _DAY if value["type"] == "date" else None


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def score_dates(sentences: Sequence[LabelledSentence], find: Finder | None = None) -> DateScore:
    """How one reader does on all of them; the store's own rules unless another is given."""
    reader = find or found_times
    return sum(
        (score_sentence(each, reader(each.text, each.now)) for each in sentences), DateScore()
    )


def score_sentence(sentence: LabelledSentence, times: Iterable[Found]) -> DateScore:
    """Hold what was found in one sentence against its labels."""
    found = list(times)
    labelled: set[int] = set()
    exact = exact_ends = 0
    for _, right in sentence.expected:
        hits = {place for place, each in enumerate(found) if is_exact(each, right)}
        labelled |= hits
        exact += bool(hits)
        exact_ends += any(is_exact(each, right, is_strict=True) for each in found)
    return DateScore(
        expected=len(sentence.expected),
        exact=exact,
        exact_ends=exact_ends,
        unlabelled=len(found) - len(labelled),
        silent=int(sentence.is_silent),
        false_alarms=int(sentence.is_silent and bool(found)),
    )


def is_exact(found: Found, right: Iterable[Range], *, is_strict: bool = False) -> bool:
    """Whether a range that was found is one of the right ones."""
    return any(_is_one(found, start, end, is_strict=is_strict) for start, end in right)


def _is_one(found: Found, start: datetime, end: datetime | None, *, is_strict: bool) -> bool:
    its_start, its_end, grain = found
    if its_start == start and (end is None or its_end == end):
        return True
    if is_strict or end is None:
        return False
    if grain is Grain.PART:
        return start < its_end and its_start < end
    more = its_end - end
    is_unit_more = more in _SMALL_UNITS or _MONTHS[0] <= more <= _MONTHS[1]
    return its_start == start and grain is not Grain.DAY and is_unit_more


def found_times(text: str, now: datetime) -> list[Found]:
    """The times that the store's rules find."""
    return [range_of(span) for span in find_times(text, now)]


def range_of(span: TimeSpan) -> Found:
    """A time as it is compared."""
    return span.start, span.end, span.grain


def naive_times(text: str, now: datetime) -> Iterator[Found]:
    """The naive reader: dates written in full by numbers, and the three days around now."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for written, named in _NAIVE.findall(text):
        try:
            start = _moment(written) if written else today + _NAIVE_DAYS[named.lower()] * _DAY
        except ValueError:
            continue  # there is no such day
        yield start, start + _DAY, Grain.DAY
