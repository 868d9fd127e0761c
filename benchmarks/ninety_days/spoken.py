"""What a simulated day is made of: things said, and the questions that test what became of them."""

import calendar
import re
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache

from engram import Scope

HOME = ""  # the person's own things, in no project
PROJECTS = ("harbour", "atlas", "orchard")
PLACES = (HOME, *PROJECTS)
PERSON = "Mara"
_MONTHS = tuple(calendar.month_name)[1:]
_WEEKDAYS = tuple(calendar.day_name)
_ISO_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")


def scope_of(project: str, *, is_split: bool) -> Scope:
    """Where things of a project are kept: all in one place, or each project in a scope of its own.

    The person's own are kept above all projects.
    """
    return Scope(project=project) if is_split and project else Scope()


def holds(text: str, words: str) -> bool:
    """Whether a text has these words in it, whole and whatever the letters' case.

    What is read from a turn has its dates written out: 3 May is found as 2026-05-03 too, and a
    Friday as a date that is one.
    """
    if _pattern(words).search(text) is not None:
        return True
    return words in _WEEKDAYS and any(
        date.fromisoformat(written).weekday() == _WEEKDAYS.index(words)
        for written in _ISO_DATE.findall(text)
    )


@lru_cache(maxsize=4_096)
def _pattern(words: str) -> re.Pattern[str]:
    day, _, month = words.partition(" ")
    written = re.escape(words)
    if day.isdigit() and month in _MONTHS:
        written += rf"|\d{{4}}-{_MONTHS.index(month) + 1:02d}-{int(day):02d}"
    return re.compile(rf"(?<!\w)(?:{written})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said. `told` goes to `remember`, all else is only heard."""

    text: str
    role: str = "user"
    told: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """An utterance with its place in the conversation."""

    text: str
    role: str
    told: bool
    project: str
    session: str
    at: datetime

    def as_item(self, *, is_split: bool) -> dict[str, object]:
        """As `observe_many` takes it, or `remember_many` without its role."""
        item: dict[str, object] = {
            "text": self.text,
            "session": self.session,
            "at": self.at,
            "scope": scope_of(self.project, is_split=is_split),
        }
        if not self.told:
            item["role"] = self.role
        if self.role == "user":
            item["speaker"] = PERSON
        return item


@dataclass(frozen=True, slots=True)
class Planted:
    """A fact that matters: said once, and asked for until the end."""

    number: int
    project: str
    texts: tuple[str, ...]  # ways to say it; one is used
    question: str
    key: str  # what it is about, as it stands in the text
    answer: str

    def is_answered_by(self, text: str) -> bool:
        """Whether a text tells the answer, about the right thing."""
        return holds(text, self.key) and holds(text, self.answer)


@dataclass(frozen=True, slots=True)
class Changing:
    """Something that has one value at a time, and another later on."""

    project: str
    key: str
    question: str
    values: tuple[str, ...]  # in the order in which they held
    texts: tuple[str, ...]  # how each was said: one per value
    days: tuple[int, ...]  # when

    def value_on(self, day: int) -> str | None:
        """The value in force at the end of a day; None: nobody has said one yet."""
        said = [value for value, when in zip(self.values, self.days, strict=True) if when <= day]
        return said[-1] if said else None

    def stale_on(self, day: int) -> tuple[str, ...]:
        """The values that held once and do no more at the end of a day."""
        said = [value for value, when in zip(self.values, self.days, strict=True) if when <= day]
        return tuple(said[:-1])

    def names(self, text: str, value: str) -> bool:
        """Whether a text says that this has that value."""
        return holds(text, self.key) and holds(text, value)


@dataclass(frozen=True, slots=True)
class Day:
    """One day's talk, session by session, and what is asked between the sessions."""

    number: int
    sessions: tuple[tuple[Said, ...], ...]
    planted: tuple[Planted, ...]  # said today
    asked: tuple[tuple[str, str], ...] = field(default=())  # project and question

    @property
    def turns(self) -> tuple[Said, ...]:
        """Everything said, in order."""
        return tuple(said for session in self.sessions for said in session)
