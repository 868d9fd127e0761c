"""Reads the turns that wait: finds what they state, keeps it, and reads none twice."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from engram.capture.draft import DraftRules
from engram.capture.learn import Statement, from_fact, from_quote, learn
from engram.capture.model_answer import NearMemory
from engram.capture.model_extraction import extract_by_model
from engram.capture.observe import NOT_READ, SPEAKS
from engram.capture.preview import read_turn
from engram.capture.reading.read import read_quotes
from engram.capture.results import is_result
from engram.capture.turns import TOOL, USER, Turn
from engram.errors import ReaderUnavailable
from engram.memory.boxes import topics_of
from engram.memory.outcomes import Extracted, Outcome
from engram.memory.reading import Reading, SkippedQuote
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.vocabulary import Secrecy
from engram.providers.language_model import LanguageModel
from engram.providers.model_options import ModelOptions
from engram.providers.text_reader import TextReader
from engram.security.screening.screen import screen
from engram.storage.reader import StoreReader
from engram.storage.store import Store
from engram.storage.turns import (
    UnreadSession,
    count_capture,
    postpone_turns,
    take_unread,
)
from engram.storage.unit import UnitOfWork

AT_ONCE = 4  # turns of one transaction: whoever says something meanwhile waits for it
CONTEXT = 4  # turns before one that tell what its pronouns mean
_NEAR = 12  # memories shown to a model
_MOST_ATTEMPTS = 3  # then the reader reads what the model could not
_FIRST_RETRY = timedelta(minutes=1)
_READ_SECONDS = 30.0
_AGENT = "The agent"  # who reports a result, unless somebody is named
_RESULT = "result"
_ROLE_OF_CLASS = {"person": "user", "agent": "assistant"}


@dataclass(frozen=True, slots=True)
class ExtractRules:
    """By what turns are read."""

    draft: DraftRules
    reader: TextReader
    recalled: Sequence[str] = ()  # what was given out lately, and is no news when it comes back
    model: Callable[[Scope], LanguageModel] | None = None  # None: the reader alone
    model_options: ModelOptions = field(default_factory=ModelOptions)


@dataclass(frozen=True, slots=True)
class _Waiting:
    numbers: list[int]
    turns: list[Memory]  # fewer when one was taken back since
    before: list[Memory]
    near: list[NearMemory]
    attempts: int


@dataclass(frozen=True, slots=True)
class _Read:
    statements: list[Statement]
    counts: Counter[tuple[str, str]]
    problem: str = ""
    is_put_off: bool = False


class _ReadElsewhere(Exception):
    """Another process has read these turns since."""


def read_session(
    store: Store,
    session: UnreadSession,
    rules: ExtractRules,
    *,
    due_by: datetime,
    only: Collection[int] = (),
) -> Extracted:
    """Read the next turns of a session that wait, and keep what they state in one transaction.

    Nothing is open while a model reads. A turn is taken off the queue in the transaction that keeps
    what was found in it: killed before, it is read again; read by two, it counts for one.
    """
    principal, now = rules.draft.principal, rules.draft.now
    reach = principal.writing_reach(session.scope)
    with store.read(reach, timeout_seconds=_READ_SECONDS) as see:
        numbers = list(only) or see.turns.unread_of(session, due_by, limit=AT_ONCE)
        waiting = _waiting(see, numbers, rules)
    if not waiting.numbers:
        return Extracted()
    read = _read(waiting, session.scope, rules)
    try:
        with store.write(reach, actor=principal.actor, now=now) as unit:
            counts = read.counts
            if read.is_put_off:
                until = now + _FIRST_RETRY * (4**waiting.attempts)
                postpone_turns(unit.transaction, waiting.numbers, until)
                outcomes: list[Outcome | None] = []
            else:
                _take(unit, waiting.numbers)
                outcomes = [learn(each, unit, rules.draft, counts) for each in read.statements]
            count_capture(unit.transaction, session.scope, now, counts)
    except _ReadElsewhere:
        return Extracted()
    done = 0 if read.is_put_off else len(waiting.numbers)
    return Extracted(done, tuple(each for each in outcomes if each is not None), read.problem)


def _take(unit: UnitOfWork, numbers: Collection[int]) -> None:
    if not take_unread(unit.transaction, numbers):
        raise _ReadElsewhere


def _waiting(see: StoreReader, numbers: list[int], rules: ExtractRules) -> _Waiting:
    found = [see.current(number) for number in numbers]
    turns = [turn for turn in found if turn is not None]
    before = see.turns.before(turns[0], limit=CONTEXT) if turns else []
    attempts = max((see.turns.attempts_of(number) for number in numbers), default=0)
    near = _near(see, turns) if rules.model is not None else []
    return _Waiting(numbers, turns, before, near, attempts)


def _near(see: StoreReader, turns: Sequence[Memory]) -> list[NearMemory]:
    """What is known about the same things, so that a model recognises what has changed."""
    found: dict[int, NearMemory] = {}
    for turn in turns:
        for memory in see.like(turn.content, turn.scope, limit=_NEAR):
            found.setdefault(memory.number, NearMemory(memory.id, memory.content))
    return list(found.values())[:_NEAR]


def _read(waiting: _Waiting, scope: Scope, rules: ExtractRules) -> _Read:
    """By a language model, if there is one; what is confidential is shown to none."""
    told = [each for each in waiting.turns if each.secrecy is not Secrecy.CONFIDENTIAL]
    if rules.model is None or not told:
        return _by_reader(waiting, rules, waiting.turns)
    read = _by_model(replace(waiting, turns=told), rules.model(scope), rules)
    if read.is_put_off or len(told) == len(waiting.turns):
        return read
    secret = _by_reader(waiting, rules, [each for each in waiting.turns if each not in told])
    statements = [*read.statements, *secret.statements]
    return replace(read, statements=statements, counts=read.counts + secret.counts)


def _by_model(waiting: _Waiting, model: LanguageModel, rules: ExtractRules) -> _Read:
    turns = [
        as_turn(turn, [*waiting.before, *waiting.turns[:index]])
        for index, turn in enumerate(waiting.turns)
    ]
    reading = extract_by_model(
        model, turns, waiting.near,
        options=rules.model_options, registry=rules.draft.registry,
    )  # fmt: skip
    counts = Counter({("refused", str(reason)): n for reason, n in reading.refused.items()})
    if not reading.problem:
        told = {fact.turn for fact in reading.facts}
        topics = {place: topics_of(waiting.turns[place].content) for place in told}
        found = [
            from_fact(fact, waiting.turns[fact.turn], topics[fact.turn]) for fact in reading.facts
        ]
        return _Read(found, counts)
    counts["model failed", str(reading.problem)] += 1
    problem = reading.hint or str(reading.problem)
    if waiting.attempts + 1 < _MOST_ATTEMPTS:
        return _Read([], counts, problem, is_put_off=True)
    read = _by_reader(waiting, rules, waiting.turns)
    return _Read(read.statements, read.counts + counts, problem)


def _by_reader(waiting: _Waiting, rules: ExtractRules, turns: Sequence[Memory]) -> _Read:
    """By the model in the package; where it cannot run, the turns wait."""
    statements: list[Statement] = []
    counts: Counter[tuple[str, str]] = Counter()
    try:
        for index, turn in enumerate(waiting.turns):
            if turn not in turns:
                continue
            earlier = [*waiting.before, *waiting.turns[:index]][-CONTEXT:]
            reading = read_quotes(
                as_turn(turn, earlier), rules.reader, recalled=rules.recalled,
                people=[each.speaker for each in earlier if each.speaker],
            )  # fmt: skip
            for each in reading.skipped:
                counts["skipped", each.reason] += 1
            topics = topics_of(turn.content) if reading.statements else None
            statements += [from_quote(found, turn, topics) for found in reading.statements]
    except ReaderUnavailable as error:
        return _Read([], Counter(), f"{error.code}: {error.hint}", is_put_off=True)
    return _Read(statements, counts)


def preview(turn: Turn, reader: TextReader, *, people: Collection[str], most_bytes: int) -> Reading:
    """What would be learnt from a turn if it were handed in, and why the rest would not be."""
    if turn.role == TOOL:
        return _not_read(turn, "tool output")
    if turn.role in SPEAKS and screen(turn.text).is_hostile:
        return _not_read(turn, NOT_READ)
    if turn.role == _RESULT:
        turn = replace(turn, role=USER, speaker=turn.speaker or _AGENT)
    return read_turn(turn, reader, people=people, most_bytes=most_bytes)


def _not_read(turn: Turn, reason: str) -> Reading:
    return Reading(skipped=(SkippedQuote(turn.text, reason, 0, len(turn.text)),))


def as_turn(memory: Memory, before: Sequence[Memory]) -> Turn:
    """A kept turn as it is read; who listens is whoever spoke last before."""
    role = memory.metadata.get("role")
    if is_result(memory):
        return Turn(text=memory.content, speaker=memory.speaker or _AGENT, at=memory.at)
    others = [each for each in reversed(before) if each.speaker != memory.speaker]
    return Turn(
        text=memory.content,
        role=str(role) if role else _ROLE_OF_CLASS.get(memory.source_class, "tool"),
        speaker=memory.speaker,
        listener=others[0].speaker if others else None,
        at=memory.at,
        session=memory.session,
    )
