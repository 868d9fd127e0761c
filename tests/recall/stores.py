"""Small real stores for the tests of recall, and a look at what its stages make of them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

import numpy as np
from clock import START, FakeClock

from engram import Engram
from engram.memory.scopes import Scope
from engram.recall.gather import Asked, candidates
from engram.recall.plan import Plan, plan_question
from engram.recall.selection import Selection
from engram.recall.signals import SIGNALS, Candidates, signal_matrix

QUIET = {"security": {"read_audit": "off"}}
WORDS_ONLY = {"embedder": {"kind": "none"}, **QUIET}
HASHING = {"embedder": {"kind": "hashing"}, **QUIET}

Said = str | Mapping[str, object]


@contextmanager
def store_of(
    said: Iterable[Said] = (),
    *,
    settings: Mapping[str, object] = WORDS_ONLY,
    clock: FakeClock | None = None,
) -> Iterator[Engram]:
    """A store in memory that holds what was said, embedded where there is an embedder."""
    with Engram.open(":memory:", clock=clock or FakeClock(), settings=settings) as engram:
        engram.remember_many(said, wait=True)
        yield engram


def selection_of(engram: Engram, scope: Scope | None = None) -> Selection:
    """What a caller's next question looks at."""
    parts = engram._parts
    with engram._view(scope) as see:
        return parts.selections.of(parts.wordings.refresh(see.derived), see.reach)


def plan_of(engram: Engram, question: str, now: datetime = START) -> Plan:
    """How a question is read against a store."""
    return plan_question(question, selection_of(engram).people, now)


def candidates_of(engram: Engram, question: str, now: datetime = START) -> Candidates:
    """What is found by words alone."""
    return candidates(plan_of(engram, question, now), selection_of(engram), Asked())


def signals_of(engram: Engram, question: str, name: str) -> dict[int, float]:
    """One signal's value for every memory, by number."""
    found = candidates_of(engram, question)
    column = signal_matrix(found)[:, list(SIGNALS).index(name)]
    numbers = found.selection.wordings.numbers[found.rows]
    return dict(zip(numbers.tolist(), np.round(column, 9).tolist(), strict=True))


def texts(engram: Engram, question: str, **conditions: object) -> list[str]:
    """What is recalled, best first."""
    return [hit.memory.content for hit in engram.recall(question, **conditions)]
