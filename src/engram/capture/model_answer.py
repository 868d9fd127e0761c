"""Checks what a model says it has read: everything in its answer, before anything is believed."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import TypeGuard

from engram.capture.turns import Turn
from engram.errors import EngramError, InvalidInput
from engram.memory.categories import CategoryRegistry
from engram.memory.grounding import Ground, content_of, ground_of, is_grounded, share_words
from engram.memory.ids import MemoryId
from engram.memory.times import parse_time
from engram.providers.json_answer import NotJson, json_in
from engram.text.strings import checked_name, checked_text

MOST_FACTS = 50  # of one answer; what is beyond is counted and left
HOSTILE_FACTS = 200  # an answer with more is no reading of a conversation
LONGEST_FACT_BYTES = 1_000
STATED = 0.7  # the confidence of a fact for which the model gives none
VERBATIM = "turn"  # the category of what was said, word for word
_INSTRUCTION = "instruction"
_UNKNOWN_CATEGORY = "general"
_PERSON_ROLE = "user"
_FARTHEST = timedelta(days=365 * 120)  # a life's length from the turn; farther is a slip


class Problem(StrEnum):
    """Why an answer was not taken at all; empty when it was."""

    NONE = ""
    UNAVAILABLE = "unavailable"
    NOT_JSON = "not JSON"
    WRONG_SHAPE = "wrong shape"
    TOO_MANY_FACTS = "too many facts"
    NOTHING_USABLE = "nothing usable"


class Refusal(StrEnum):
    """Why one fact, or one part of it, was not taken."""

    MALFORMED = "malformed"
    NO_SUCH_TURN = "no such turn"
    INVENTED = "invented"
    NOT_A_PERSONS_ORDER = "instruction that no person gave"
    REPEATED = "repeated"
    # The fact is kept without what is wrong about it.
    NO_SUCH_MEMORY = "replaces what was not shown"
    UNRELATED_MEMORY = "replaces what it has nothing to do with"
    UNKNOWN_CATEGORY = "unknown category"
    UNREADABLE_TIME = "unreadable time"


@dataclass(frozen=True, slots=True)
class NearMemory:
    """A memory shown to the model so that it recognises what is known and what has changed."""

    id: MemoryId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFact:
    """One statement that a model read in a turn, checked."""

    text: str
    category: str
    confidence: float
    turn: int  # its place among the turns that were handed in, from 0
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    replaces: MemoryId | None = None
    valid_from: datetime | None = None
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What the model was shown: turn and memory n stand at place n - 1."""

    turns: Sequence[tuple[int, Turn]]  # each with its place among all that were handed in
    near: Sequence[NearMemory]
    registry: CategoryRegistry

    def ground(self) -> Ground:
        """What facts may be made of."""
        turns = [turn for _, turn in self.turns]
        texts = [turn.text for turn in turns] + [memory.text for memory in self.near]
        names = {name for turn in turns for name in (turn.speaker, turn.listener) if name}
        return ground_of(texts, names)


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """What is left of an answer."""

    facts: tuple[ModelFact, ...] = ()
    refused: Mapping[Refusal, int] = field(default_factory=dict)
    dropped: int = 0  # facts beyond the most that one answer may have
    problem: Problem = Problem.NONE


def check_answer(text: str, shown: Shown) -> CheckedAnswer:
    """The facts of an answer that can be believed, and why the others cannot.

    An answer without facts is a proper one. One of whose facts none is left is a problem: the
    model did not do what it was asked to, and the turns have to be read otherwise.
    """
    try:
        entries = _entries(text)
    except _AnswerRefused as refused:
        return CheckedAnswer(problem=refused.problem)
    if len(entries) > HOSTILE_FACTS:
        return CheckedAnswer(dropped=len(entries), problem=Problem.TOO_MANY_FACTS)
    check = _FactCheck(shown)
    facts = check.facts(entries[:MOST_FACTS])
    problem = Problem.NOTHING_USABLE if entries and not facts else Problem.NONE
    dropped = max(0, len(entries) - MOST_FACTS)
    return CheckedAnswer(tuple(facts), dict(check.refused), dropped, problem)


class _AnswerRefused(Exception):
    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.value)
        self.problem = problem


def _entries(text: str) -> list[object]:
    """The list of facts in an answer."""
    try:
        found = json_in(text)
    except NotJson:
        raise _AnswerRefused(Problem.NOT_JSON) from None
    entries = found.get("facts") if isinstance(found, dict) else found
    if not isinstance(entries, list):
        raise _AnswerRefused(Problem.WRONG_SHAPE)
    return entries


class _FactRefused(Exception):
    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason.value)
        self.reason = reason


class _FactCheck:
    """Goes through the facts of one answer and counts what it does not take."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._ground = shown.ground()
        self._replaced: set[MemoryId] = set()
        self._told: set[str] = set()
        self._said: dict[int, frozenset[str]] = {}  # a turn's words, taken apart once
        self.refused: Counter[Refusal] = Counter()

    def facts(self, entries: Sequence[object]) -> list[ModelFact]:
        found = []
        for entry in entries:
            try:
                found.append(self._fact(entry))
            except _FactRefused as refused:
                self.refused[refused.reason] += 1
        return found

    def _fact(self, entry: object) -> ModelFact:
        if not isinstance(entry, Mapping):
            raise _FactRefused(Refusal.MALFORMED)
        text = _text(entry.get("text"))
        place, turn = self._turn(entry.get("turn"))
        confidence = read_confidence(entry.get("confidence"))
        if confidence is None:
            raise _FactRefused(Refusal.MALFORMED)
        if not is_grounded(text, self._said_in(entry["turn"], turn), self._ground):
            raise _FactRefused(Refusal.INVENTED)
        category = self._category(entry.get("category"), turn)
        self._tell_once(text)
        return ModelFact(
            text=text,
            category=category,
            confidence=confidence,
            turn=place,
            subject=_part(entry.get("subject")),
            predicate=_part(entry.get("predicate")),
            object=_part(entry.get("object")),
            replaces=self._replaces(entry.get("replaces"), text),
            valid_from=self._time(entry.get("valid_from"), turn.at),
            deadline=self._time(entry.get("deadline"), turn.at),
        )

    def _turn(self, number: object) -> tuple[int, Turn]:
        if not _is_place(number, len(self._shown.turns)):
            raise _FactRefused(Refusal.NO_SUCH_TURN)
        return self._shown.turns[number - 1]

    def _said_in(self, number: int, turn: Turn) -> frozenset[str]:
        if number not in self._said:
            self._said[number] = content_of(turn.text)
        return self._said[number]

    def _category(self, name: object, turn: Turn) -> str:
        try:
            category = fact_category(name, self._shown.registry)
        except InvalidInput:
            self.refused[Refusal.UNKNOWN_CATEGORY] += 1
            return _UNKNOWN_CATEGORY
        if category == _INSTRUCTION and turn.role != _PERSON_ROLE:
            raise _FactRefused(Refusal.NOT_A_PERSONS_ORDER)
        return category

    def _tell_once(self, text: str) -> None:
        if text in self._told:
            raise _FactRefused(Refusal.REPEATED)
        self._told.add(text)

    def _replaces(self, number: object, text: str) -> MemoryId | None:
        """The memory that the fact takes the place of; each has one successor at most."""
        if number is None:
            return None
        if not _is_place(number, len(self._shown.near)):
            self.refused[Refusal.NO_SUCH_MEMORY] += 1
            return None
        memory = self._shown.near[number - 1]
        if memory.id in self._replaced or not share_words(text, memory.text):
            self.refused[Refusal.UNRELATED_MEMORY] += 1
            return None
        self._replaced.add(memory.id)
        return memory.id

    def _time(self, value: object, at: datetime) -> datetime | None:
        if value is None:
            return None
        try:
            moment = read_time(value)
        except InvalidInput:
            moment = None
        if moment is None or abs(moment - at) > _FARTHEST:
            self.refused[Refusal.UNREADABLE_TIME] += 1
            return None
        return moment


def fact_category(name: object, registry: CategoryRegistry) -> str:
    """The category's own name, if facts may have it."""
    category = registry.find(str(name)).name
    if category == VERBATIM:
        raise InvalidInput(hint=f"`{VERBATIM}` is what was said itself, not a fact drawn from it.")
    return category


def read_confidence(value: object) -> float | None:
    """A share between 0 and 1, brought back into it; None for what is no number."""
    if value is None:
        return STATED
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Compared, not converted: an integer may be too long for a float.
    return None if isinstance(value, float) and math.isnan(value) else float(min(1, max(0, value)))


def read_time(value: object) -> datetime:
    """A day, which begins at midnight UTC, or a time with its zone; without one it is UTC."""
    if isinstance(value, str):
        value = _moment(value.strip())
    if isinstance(value, datetime) and value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    return parse_time(value, name="time")


def _moment(text: str) -> datetime:
    try:
        if len(text) == len("2026-03-01"):
            return datetime.combine(date.fromisoformat(text), time.min, tzinfo=UTC)
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(hint="A time is written as 2026-03-01, or with hours.") from None


def _is_place(value: object, count: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= count


def _text(value: object) -> str:
    try:
        text = checked_text(value, name="text", max_bytes=LONGEST_FACT_BYTES)
    except EngramError:
        raise _FactRefused(Refusal.MALFORMED) from None
    return " ".join(text.split())


def _part(value: object) -> str | None:
    """A part of the statement when it can be one; the statement stands without it."""
    try:
        return checked_name(value, name="part").strip()
    except EngramError:
        return None
