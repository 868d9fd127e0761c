"""Measure `find_times` on labelled sentences: `measure_when.py FOLDER [--misses]`.

The folder holds `dates.jsonl`: `text`, `reference` and `expected` expressions, each with one or
more values that are right. Counted are the expressions that name a place on the calendar. A time
found in a sentence that has none, or only lengths ("for two days") and habits ("every week"), is a
false alarm; a time of day without a day is neither.

"Exact" wants the right start and end, with two conventions of our own: the last day or month that
a range names belongs to it, where the labels leave it out; and a part of a day ("yesterday
evening") is right if it overlaps the labelled one. "Ends as labelled" allows neither.
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engram.memory.when.calendar import Grain
from engram.memory.when.spans import EARLIEST, LATEST, TimeSpan, find_times

CALENDAR_TYPES = frozenset({"date", "daterange", "datetime", "datetimerange"})
SILENT_TYPES = frozenset({"duration", "set"})
MONTHS = (timedelta(days=28), timedelta(days=31))
SMALL_UNITS = (timedelta(minutes=1), timedelta(hours=1), timedelta(days=1))

Range = tuple[datetime, datetime | None]


@dataclass(frozen=True)
class Sentence:
    """One labelled sentence: what is to be found, and whether anything may be."""

    text: str
    now: datetime
    expected: tuple[tuple[str, tuple[Range, ...]], ...]
    is_silent: bool


@dataclass
class Tally:
    """What was counted."""

    expected: int = 0
    exact: int = 0
    exact_ends: int = 0
    sentences_without: int = 0
    false_alarms: int = 0
    unlabelled: int = 0


def sentences(folder: Path) -> list[Sentence]:
    """Every labelled sentence of the folder."""
    lines = (folder / "dates.jsonl").read_text(encoding="utf-8").splitlines()
    return [_sentence(json.loads(line)) for line in lines]


def _sentence(row: dict) -> Sentence:
    named = [each for each in row["expected"] if each["type"] in CALENDAR_TYPES]
    pairs = [(each["text"], tuple(_ranges(each["values"]))) for each in named]
    return Sentence(
        row["text"],
        _moment(row["reference"][:19]),
        tuple(pair for pair in pairs if pair[1]),
        {each["type"] for each in row["expected"]} <= SILENT_TYPES,
    )


def _ranges(values: list[dict[str, str]]) -> Iterator[Range]:
    for value in values:
        if "start" in value or "end" in value:
            start, end = value.get("start"), value.get("end")
            yield _moment(start) if start else EARLIEST, _moment(end) if end else LATEST
        elif value.get("value", "not resolved") != "not resolved":
            start = _moment(value["value"])
            yield start, start + timedelta(days=1) if value["type"] == "date" else None


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def is_exact(span: TimeSpan, right: tuple[Range, ...], *, is_strict: bool) -> bool:
    """Whether a range that was found is one of the right ones."""
    return any(_is_one(span, start, end, is_strict=is_strict) for start, end in right)


def _is_one(span: TimeSpan, start: datetime, end: datetime | None, *, is_strict: bool) -> bool:
    if span.start == start and (end is None or span.end == end):
        return True
    if is_strict or end is None:
        return False
    if span.grain is Grain.PART:
        return start < span.end and span.start < end
    more = span.end - end
    is_unit_more = more in SMALL_UNITS or MONTHS[0] <= more <= MONTHS[1]
    return span.start == start and span.grain is not Grain.DAY and is_unit_more


def count(sentence: Sentence, tally: Tally) -> list[str]:
    """Count one sentence, and tell what went wrong in it."""
    found = find_times(sentence.text, sentence.now)
    shown = [
        f"{span.text!r} {span.start:%Y-%m-%d %H:%M} {span.end:%Y-%m-%d %H:%M}" for span in found
    ]
    problems = []
    labelled: set[int] = set()
    for words, right in sentence.expected:
        hits = {i for i, span in enumerate(found) if is_exact(span, right, is_strict=False)}
        labelled |= hits
        tally.expected += 1
        tally.exact += bool(hits)
        tally.exact_ends += any(is_exact(span, right, is_strict=True) for span in found)
        problems += [] if hits else [f"missed {words!r}, found {shown}: {sentence.text}"]
    tally.unlabelled += len(found) - len(labelled)
    tally.sentences_without += sentence.is_silent
    if sentence.is_silent and found:
        tally.false_alarms += 1
        problems.append(f"false alarm {shown}: {sentence.text}")
    return problems


def main() -> None:
    """Print the figures, and with `--misses` what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", action="store_true", help="show every miss and false alarm")
    arguments = parser.parse_args()
    labelled, tally = sentences(arguments.folder), Tally()
    began = time.perf_counter()
    problems = [problem for sentence in labelled for problem in count(sentence, tally)]
    milliseconds = (time.perf_counter() - began) / len(labelled) * 1000
    if arguments.misses:
        print(*problems, sep="\n")
    found = tally.exact + tally.unlabelled
    print(f"times on the calendar    {tally.expected}")
    print(f"exact                    {tally.exact} ({tally.exact / tally.expected:.1%})")
    print(f"exact, ends as labelled  {tally.exact_ends} ({tally.exact_ends / tally.expected:.1%})")
    print(f"precision                {tally.exact / found:.1%}")
    print(f"false alarms             {tally.false_alarms} of {tally.sentences_without} sentences")
    print(f"per sentence             {milliseconds:.3f} ms")


if __name__ == "__main__":
    main()
