"""Whether a question about a range of time is answered from that range, on a made-up diary.

`time_questions.json` has the activities, the ranges and the questions; every day of the diary gets
one entry, and no two are alike. A hit is inside when its day is.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engram.evaluation.corpus import sample
from engram.evaluation.task_report import ENGRAM, Bar, Figure, TaskLine, TaskReport, counted
from engram.evaluation.truth_stores import CONFIDENT, Tick, Truth, report, share

FILE = Path(__file__).with_name("time_questions.json")
RANGE_BARS = (Bar("hits inside", 0.95),)
_SHOWN = 10
_NEARLY_ALL = 0.9
_DAY = timedelta(days=1)
_EVENING = timedelta(hours=18)  # an entry is written in the evening of its day


@dataclass(frozen=True, slots=True)
class RangeQuestion:
    """A question, and the half-open range of days it asks about."""

    text: str
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Diary:
    """Entries with their times, and questions asked at one moment."""

    now: datetime
    entries: tuple[tuple[datetime, str], ...]
    questions: tuple[RangeQuestion, ...]


@dataclass(frozen=True, slots=True)
class RangeAnswer:
    """How many hits a question had, and how many of them lie inside its range."""

    question: str
    hits: int
    inside: int
    is_confident: bool


def read_diary(path: Path = FILE) -> Diary:
    """The diary that the file describes."""
    content = json.loads(path.read_text("utf-8"))
    now = datetime.fromisoformat(content["now"])
    questions = [
        RangeQuestion(each["question"], _day(each["start"]), _day(each["end"]))
        for each in content["questions"]
    ]
    return Diary(now, tuple(_entries(content, now)), tuple(questions))


def _entries(content: Mapping[str, object], now: datetime) -> Iterator[tuple[datetime, str]]:
    activities, circumstances = (
        _strings(content[name]) for name in ("activities", "circumstances")
    )
    own = content["exceptions"]
    day, number = _day(str(content["begins"])), 0
    while day + _EVENING < now:
        activity = activities[number % len(activities)]
        # Shifted by one whenever the activities begin anew, so that each pair comes once.
        place = (number + number // len(activities)) % len(circumstances)
        written = f"I {activity} {circumstances[place]}."
        exception = own.get(day.date().isoformat()) if isinstance(own, Mapping) else None
        yield day + _EVENING, str(exception or written)
        day, number = day + _DAY, number + 1


def _strings(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError
    return list(map(str, value))


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def measure_time_questions(truth: Truth, tick: Tick) -> TaskReport:
    """Whether the hits of a question about a range of time lie in it."""
    diary = read_diary()
    answers = _ask(truth, diary, sample(diary.questions, truth.limit), tick)
    shares = [share(each.inside, each.hits) for each in answers]
    figures = (
        Figure("hits inside", sum(shares) / len(shares) if shares else 0.0),
        Figure("nine tenths inside", share(sum(s >= _NEARLY_ALL for s in shares), len(shares))),
        Figure("confident", share(sum(each.is_confident for each in answers), len(answers))),
    )
    line = TaskLine(ENGRAM, "all", len(answers), figures)
    wrong = [
        f"{each.question} {each.inside} of {each.hits}"
        for each, inside in zip(answers, shares, strict=True)
        if inside < _NEARLY_ALL
    ]
    material = f"{counted(len(answers), 'range')}, {len(diary.entries):,} diary entries"
    return report("time-questions", material, [line], {"all": RANGE_BARS}, wrong)


def _ask(
    truth: Truth, diary: Diary, questions: Sequence[RangeQuestion], tick: Tick
) -> list[RangeAnswer]:
    found = []
    tick(0, len(questions))
    with truth.open() as engram:
        engram.remember_many(
            [{"text": text, "at": at, "category": "moment"} for at, text in diary.entries],
            wait=True,
        )
        for done, each in enumerate(questions, start=1):
            result = engram.recall(each.text, limit=_SHOWN, now=diary.now)
            inside = sum(each.start <= hit.memory.at < each.end for hit in result)
            is_confident = result.assessment == CONFIDENT
            found.append(RangeAnswer(each.text, len(result), inside, is_confident))
            tick(done, len(questions))
    return found
