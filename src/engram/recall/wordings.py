"""The wordings of a store as columns in memory: what recall ranks by, without any text.

A row is one state of a memory. It tells where the state belongs, who said it when, which wordings
stand before and after it in the same session, and which tokens it is made of. Everything comes
from the store and nothing goes back: a row that is out of date costs a place among the candidates
until the store itself is asked, and never a wrong answer.
"""

import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engram.errors import StoreCorrupt
from engram.memory.status import RECALLABLE
from engram.memory.traits import CALLS
from engram.memory.vocabulary import SourceClass
from engram.recall.postings import Postings
from engram.storage.vectors.reader import StatePosition, VectorReader, WordingRow
from engram.storage.vectors.rows import GrowingRows

Column = NDArray[np.int64]
_Key = TypeVar("_Key")
NOBODY = -1  # no speaker, no session, no neighbour, no row
_PAGE = 5_000
_KEPT = 8  # views for readers that others have overtaken
_RECALLABLE = frozenset(status.value for status in RECALLABLE)
_SAID_BY_PERSON = SourceClass.PERSON.value
_COLUMNS = 9
_STATE, _NUMBER, _SESSION = 0, 1, 4  # where these stand among the columns


class Talk(NamedTuple):
    """Who speaks in each session: how many, and the first two of them."""

    speakers: Column
    first: Column
    second: Column


@dataclass(frozen=True, slots=True)
class Wordings:
    """A view of the table; what is added or closed later does not show in it."""

    generation: int
    states: Column  # ascending
    numbers: Column  # the memory each row belongs to
    versions: Column  # the version of its wording
    scope_codes: Column  # a place in `scopes`
    sessions: Column  # a session within its scope, as a number
    speaker_codes: Column  # a place in `speakers`
    at: Column  # when it happened, in microseconds
    flags: Column  # what the wording was recognised as
    words: Column  # how many there are
    before: Column  # the row before it in its session,
    after: Column  # and the one after it
    is_open: NDArray[np.bool_]  # whether it is what Engram holds now, and may be recalled
    is_agents: NDArray[np.bool_]  # whether no person said it
    stream: NDArray[np.uint32]
    starts: Column  # where a row's tokens begin in the stream
    row_of_number: Column  # the newest row of each memory
    postings: Postings
    scopes: Sequence[str]
    speakers: Sequence[str]
    calls: tuple[Column, Column]  # rows in which somebody is addressed, and the name's token
    talks: Talk  # by session

    def __len__(self) -> int:
        return len(self.states)

    def words_of(self, row: int) -> NDArray[np.uint32]:
        """The tokens of a row's words in their order."""
        start = int(self.starts[row])
        return self.stream[start : start + int(self.words[row])]

    def rows_of_states(self, states: Column) -> Column:
        """The rows of states that are known here."""
        places = np.searchsorted(self.states, states)
        places = places[places < len(self)]
        return places[np.isin(self.states[places], states)]


class WordingTable:
    """Keeps the columns in step with the store; safe to use from any number of threads."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._clear()

    def _clear(self) -> None:
        self._columns = GrowingRows((_COLUMNS,), np.dtype(np.int64), axis=1)
        self._is_open = GrowingRows((), np.dtype(np.bool_))
        self._is_agents = GrowingRows((), np.dtype(np.bool_))
        self._chain = GrowingRows((2,), np.dtype(np.int64), axis=1)
        self._stream = GrowingRows((), np.dtype(np.uint32))
        self._starts = GrowingRows((), np.dtype(np.int64))
        self._row_of_number = GrowingRows((), np.dtype(np.int64))
        self._postings = Postings()
        self._scopes: dict[str, int] = {}
        self._speakers: dict[str, int] = {}
        self._sessions: dict[tuple[int, str], int] = {}
        self._talks = GrowingRows((3,), np.dtype(np.int64), axis=1)
        self._speaks_in: set[tuple[int, int]] = set()
        self._last_of_session: list[int] = []
        self._calls = GrowingRows((2,), np.dtype(np.int64), axis=1)
        self._generation = 0
        # How far the table is and what it shows there: one value, so that nobody reads the one
        # from before a change and the other from after it.
        self._latest: tuple[StatePosition, Wordings] | None = None
        self._views: deque[tuple[StatePosition, Wordings]] = deque(maxlen=_KEPT)

    def refresh(self, derived: VectorReader) -> Wordings:
        """The table as the reader's view of the store has it."""
        if os.getpid() != self._process:
            self._start()  # a forked child: a thread of the parent may have been in the middle
        position = derived.position()
        latest = self._latest
        if latest is not None and latest[0] == position:
            return latest[1]
        with self._lock:
            if self._latest is None or self._latest[0] != position:
                self._catch_up(derived, position)
            return self._view_for(derived, position)

    def _view_for(self, derived: VectorReader, position: StatePosition) -> Wordings:
        """The latest view, or for a reader that others have overtaken, one from before them.

        It would look for a revised memory by a state it cannot see yet, and so miss it.
        """
        latest = self._views[-1][1]
        for made_at, view in reversed(self._views):
            if made_at.audit <= position.audit:
                return latest if view is latest else _looked_back(latest, view, derived, made_at)
        return latest

    def forget(self) -> None:
        """Begin anew at the next question, as after a restore or when traits were made anew."""
        with self._lock:
            self._clear()

    def _catch_up(self, derived: VectorReader, position: StatePosition) -> None:
        mine, view = self._latest or (StatePosition(0, 0), None)
        if view is not None and position.state <= mine.state and position.audit < mine.audit:
            return  # a reader that others have overtaken
        known = len(self._is_open)
        last = int(self._columns.view[_STATE, -1]) if len(self._is_open) else 0
        for page in _pages_after(derived, last):
            try:
                self._add(page)
            except (TypeError, ValueError, OverflowError, IndexError) as error:
                self._clear()
                raise StoreCorrupt(hint="A row cannot be read: run `engram doctor`.") from error
        closed = derived.states_closed_after(mine.audit) if mine.audit else []
        self._close(closed)
        if view is None or closed or len(self._is_open) > known:
            self._generation += 1
            view = self._look()
            self._views.append((position, view))
        self._latest = (position, view)

    def _look(self) -> Wordings:
        state, number, version, scope, session, speaker, at, flags, words = self._columns.view
        before, after = self._chain.view
        call_rows, call_tokens = self._calls.view
        return Wordings(
            self._generation, state, number, version, scope, session, speaker, at, flags, words,
            before, after, self._is_open.view.copy(), self._is_agents.view, self._stream.view,
            self._starts.view, self._row_of_number.view, self._postings, tuple(self._scopes),
            tuple(self._speakers), (call_rows, call_tokens), Talk(*self._talks.view),
        )  # fmt: skip

    def _close(self, closed: list[tuple[int, int]]) -> None:
        if not closed:
            return
        states = self._columns.view[_STATE]
        places = np.searchsorted(states, [state for state, _ in closed])
        for place, (state, _) in zip(places.tolist(), closed, strict=True):
            if place < len(states) and states[place] == state:
                self._is_open.view[place] = False

    def _add(self, page: list[WordingRow]) -> None:
        first = len(self._is_open)
        sessions = [self._session(row) for row in page]
        tokens = [np.frombuffer(row.tokens or b"", dtype=np.uint32) for row in page]
        words = self._add_tokens(first, tokens)
        columns = np.array(
            [
                (
                    row.state, row.number, row.version, _code(self._scopes, row.scope), session,
                    NOBODY if row.speaker is None else _code(self._speakers, row.speaker),
                    row.happened_at, row.flags or 0, count,
                )
                for row, session, count in zip(page, sessions, words, strict=True)
            ],
            dtype=np.int64,
        )  # fmt: skip
        self._columns.append(columns.T)
        self._is_open.append(np.array([_is_open(row) for row in page]))
        self._is_agents.append(np.array([row.source_class != _SAID_BY_PERSON for row in page]))
        self._link(first, columns)

    def _session(self, row: WordingRow) -> int:
        if row.session is None:
            return NOBODY
        scope = _code(self._scopes, row.scope)
        code = _code(self._sessions, (scope, row.session))
        if code == len(self._last_of_session):
            self._talks.append(np.array([[0], [NOBODY], [NOBODY]], dtype=np.int64))
            self._last_of_session.append(NOBODY)
        if row.speaker is not None:
            self._note_speaker(code, _code(self._speakers, row.speaker))
        return code

    def _note_speaker(self, session: int, speaker: int) -> None:
        if (session, speaker) in self._speaks_in:
            return
        self._speaks_in.add((session, speaker))
        talk = self._talks.view[:, session]
        if talk[0] < 2:
            talk[1 + talk[0]] = speaker
        talk[0] += 1

    def _add_tokens(self, first: int, tokens: list[NDArray[np.uint32]]) -> list[int]:
        """Put the tokens of a page into the stream and the postings; how many words each has."""
        sizes = np.array([len(each) for each in tokens], dtype=np.int64)
        joined = np.concatenate(tokens) if tokens else np.empty(0, np.uint32)
        rows = np.repeat(np.arange(first, first + len(tokens)), sizes)
        starts = len(self._stream) + np.cumsum(sizes) - sizes
        words = sizes.copy()
        is_findable = joined > CALLS
        for place in np.flatnonzero(joined <= CALLS).tolist():
            index = int(rows[place]) - first
            begin = int(starts[index]) - len(self._stream)
            words[index] = min(words[index], place - begin)
            if joined[place] == CALLS:
                end = begin + int(sizes[index])
                is_findable[place:end] = False
                calls = joined[place + 1 : end].astype(np.int64)
                self._calls.append(np.stack([np.full(len(calls), first + index), calls]))
        self._postings.add(joined[is_findable], rows[is_findable])
        self._stream.append(joined)
        self._starts.append(starts)
        return [int(count) for count in words]

    def _link(self, first: int, columns: Column) -> None:
        """Give each row its neighbours; a later state of a memory takes its earlier one's place."""
        count = len(columns)
        self._chain.append(np.full((2, count), NOBODY, dtype=np.int64))
        highest = int(columns[:, _NUMBER].max()) + 1
        if highest > len(self._row_of_number):
            room = highest - len(self._row_of_number)
            self._row_of_number.append(np.full(room, NOBODY, dtype=np.int64))
        before, after = self._chain.view
        row_of_number = self._row_of_number.view
        numbers, sessions = columns[:, _NUMBER].tolist(), columns[:, _SESSION].tolist()
        for row, (number, session) in enumerate(zip(numbers, sessions, strict=True), first):
            earlier = int(row_of_number[number])
            row_of_number[number] = row
            if session == NOBODY:
                continue
            if earlier != NOBODY and self._columns.view[_SESSION, earlier] == session:
                left, right = int(before[earlier]), int(after[earlier])
            else:
                left, right = self._last_of_session[session], NOBODY
            before[row], after[row] = left, right
            if left != NOBODY:
                after[left] = row
            if right != NOBODY:
                before[right] = row
            if right == NOBODY:
                self._last_of_session[session] = row


def _pages_after(derived: VectorReader, state: int) -> Iterator[list[WordingRow]]:
    while page := derived.wordings_after(state, limit=_PAGE):
        yield page
        state = page[-1].state


def _looked_back(
    latest: Wordings, earlier: Wordings, derived: VectorReader, made_at: StatePosition
) -> Wordings:
    """The latest view as a reader sees it that has come further than an earlier view, but not so
    far: what it can see was opened and closed since then."""
    is_open = np.zeros(len(latest), dtype=np.bool_)
    is_open[: len(earlier)] = earlier.is_open
    pages = _pages_after(derived, made_at.state)
    opened = [row.state for page in pages for row in page if _is_open(row)]
    closed = [state for state, _ in derived.states_closed_after(made_at.audit)]
    is_open[latest.rows_of_states(np.array(opened, dtype=np.int64))] = True
    is_open[latest.rows_of_states(np.array(closed, dtype=np.int64))] = False
    return replace(latest, is_open=is_open)


def _is_open(row: WordingRow) -> bool:
    return row.recorded_until is None and row.status in _RECALLABLE


def _code(codes: dict[_Key, int], key: _Key) -> int:
    return codes.setdefault(key, len(codes))
