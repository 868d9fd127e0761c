"""The wordings of a store as columns in memory: what recall ranks by, without any text.

A row is one state of a memory. It tells where the state belongs, who said it when, which wordings
stand before and after it in the same session, and which tokens it is made of. Everything comes
from the store and nothing goes back: a row that is out of date costs a place among the candidates
until the store itself is asked, and never a wrong answer.
"""

import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Generic, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from engram.errors import StoreCorrupt
from engram.memory.status import RECALLABLE
from engram.memory.traits import CALLS
from engram.memory.vocabulary import SourceClass
from engram.recall.postings import Postings
from engram.storage.vectors.reader import StatePosition, VectorReader, WordingPage
from engram.storage.vectors.rows import GrowingRows

Column = NDArray[np.int64]
_Key = TypeVar("_Key")
NOBODY = -1  # no speaker, no session, no neighbour, no row
_PAGE = 5_000
_TOKEN_BYTES = 4
_KEPT = 8  # views for readers that others have overtaken
_RECALLABLE = frozenset(status.value for status in RECALLABLE)
_SAID_BY_PERSON = SourceClass.PERSON.value
_COLUMNS = 9
_FAR_AHEAD = 1_000_000  # room for states that were purged
_STATE, _NUMBER, _SESSION = 0, 1, 4  # where these stand among the columns


class Talk(NamedTuple):
    """Who speaks in each session: how many, and the first two of them."""

    speakers: Column
    first: Column
    second: Column


@dataclass(frozen=True, slots=True)
class Wordings:
    """A view of the table; what is added or closed later does not show in it."""

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
    is_impersonal: NDArray[np.bool_]  # whether no person said it
    is_lacking: NDArray[np.bool_]  # whether its words are not known, though they could be read
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
        self._is_impersonal = GrowingRows((), np.dtype(np.bool_))
        self._is_lacking = GrowingRows((), np.dtype(np.bool_))
        self._chain = GrowingRows((2,), np.dtype(np.int64), axis=1)
        self._stream = GrowingRows((), np.dtype(np.uint32))
        self._starts = GrowingRows((), np.dtype(np.int64))
        self._row_of_number = GrowingRows((), np.dtype(np.int64))
        self._postings = Postings()
        self._scopes: _Codes[str] = _Codes()
        self._speakers: _Codes[str] = _Codes()
        self._sessions: _Codes[tuple[int, str]] = _Codes()
        self._talks = GrowingRows((3,), np.dtype(np.int64), axis=1)
        self._speaks_in: set[tuple[int, int]] = set()
        self._last_of_session = GrowingRows((), np.dtype(np.int64))
        self._calls = GrowingRows((2,), np.dtype(np.int64), axis=1)
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
        if view is not None and derived.have_tiers_moved_after(mine.audit):
            self._clear()  # words that were open are known no more, also of states that are past
            mine, view = StatePosition(0, 0), None
        try:
            self._read_on(derived, mine, view, position)
        except (TypeError, ValueError, OverflowError, IndexError) as error:
            self._clear()
            raise StoreCorrupt(hint="A row cannot be read: run `engram doctor`.") from error
        except BaseException:  # even an interrupt: half a page would shift all that follows
            self._clear()
            raise

    def _read_on(
        self,
        derived: VectorReader,
        mine: StatePosition,
        view: Wordings | None,
        position: StatePosition,
    ) -> None:
        known = len(self._is_open)
        last = int(self._columns.view[_STATE, -1]) if len(self._is_open) else 0
        for page in _pages_after(derived, last):
            self._add(page)
        closed = derived.states_closed_after(mine.audit) if mine.audit else []
        self._close(closed)
        if view is None or closed or len(self._is_open) > known:
            view = self._look()
            self._views.append((position, view))
        self._latest = (position, view)

    def _look(self) -> Wordings:
        state, number, version, scope, session, speaker, at, flags, words = self._columns.view
        before, after = self._chain.view
        call_rows, call_tokens = self._calls.view
        return Wordings(
            state, number, version, scope, session, speaker, at, flags, words,
            before, after, self._is_open.view.copy(), self._is_impersonal.view,
            self._is_lacking.view, self._stream.view,
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

    def _add(self, page: WordingPage) -> None:
        first = len(self._is_open)
        _check_words(page)
        scopes = self._scopes.of(page.scopes)
        speakers = _where_given(page.speakers, self._speakers, page.speakers)
        sessions = _where_given(
            page.sessions, self._sessions, zip(scopes.tolist(), page.sessions, strict=True)
        )
        words = self._add_tokens(first, page.tokens)
        flags = [each or 0 for each in page.flags]
        columns = np.array(
            [
                page.states, page.numbers, page.versions, scopes, sessions, speakers,
                page.happened_at, flags, words,
            ],
            dtype=np.int64,
        )  # fmt: skip
        self._note_speakers(sessions, speakers)
        self._columns.append(columns)
        self._is_open.append(_are_open(page))
        is_impersonal = [each != _SAID_BY_PERSON for each in page.source_classes]
        self._is_impersonal.append(np.array(is_impersonal, dtype=np.bool_))
        self._is_lacking.append(np.array(page.is_lacking, dtype=np.bool_))
        self._link(first, columns)

    def _note_speakers(self, sessions: Column, speakers: Column) -> None:
        """Who speaks in which session; room is made for the sessions that are here first."""
        opened = len(self._sessions) - len(self._last_of_session)
        self._talks.append(np.repeat([[0], [NOBODY], [NOBODY]], opened, axis=1))
        self._last_of_session.append(np.full(opened, NOBODY, dtype=np.int64))
        talks = self._talks.view
        said = (sessions != NOBODY) & (speakers != NOBODY)
        pairs = zip(sessions[said].tolist(), speakers[said].tolist(), strict=True)
        for session, speaker in dict.fromkeys(pairs):  # each once, in their order
            if (session, speaker) in self._speaks_in:
                continue
            self._speaks_in.add((session, speaker))
            talk = talks[:, session]
            if talk[0] < 2:
                talk[1 + talk[0]] = speaker
            talk[0] += 1

    def _add_tokens(self, first: int, tokens: Sequence[bytes | None]) -> Column:
        """Put the tokens of a page into the stream and the postings; how many words each has."""
        blobs = [each or b"" for each in tokens]
        lengths = np.array(list(map(len, blobs)), dtype=np.int64)
        if (lengths % _TOKEN_BYTES).any():
            raise ValueError(_TOKEN_BYTES)  # half a token would shift all that follow
        sizes = lengths // _TOKEN_BYTES
        joined = np.frombuffer(b"".join(blobs), dtype=np.uint32)
        begins = np.cumsum(sizes) - sizes
        owners = np.repeat(np.arange(len(blobs)), sizes)
        words = sizes.copy()
        is_findable, is_call = joined > CALLS, np.zeros(len(joined), dtype=np.bool_)
        for place in np.flatnonzero(~is_findable).tolist():
            index = int(owners[place])
            words[index] = min(int(words[index]), place - int(begins[index]))
            if joined[place] == CALLS:
                end = int(begins[index] + sizes[index])
                is_findable[place:end] = False
                is_call[place + 1 : end] = True
        self._calls.append(np.stack([owners[is_call] + first, joined[is_call]]).astype(np.int64))
        self._postings.add(joined[is_findable], owners[is_findable] + first)
        self._starts.append(begins + len(self._stream))
        self._stream.append(joined)
        return words

    def _link(self, first: int, columns: Column) -> None:
        """Give each row its neighbours in its session."""
        numbers, sessions = columns[_NUMBER], columns[_SESSION]
        if int(numbers.min()) < 0 or int(numbers.max()) > int(columns[_STATE].max()) + _FAR_AHEAD:
            raise ValueError(_NUMBER)  # every memory has a state: no number is far beyond them
        self._chain.append(np.full((2, len(numbers)), NOBODY, dtype=np.int64))
        room = int(numbers.max()) + 1 - len(self._row_of_number)
        if room > 0:
            self._row_of_number.append(np.full(room, NOBODY, dtype=np.int64))
        is_known = self._row_of_number.view[numbers] != NOBODY
        if is_known.any() or len(np.unique(numbers)) < len(numbers):
            self._link_again(first, numbers, sessions)
        else:
            self._link_fresh(first, numbers, sessions)

    def _link_fresh(self, first: int, numbers: Column, sessions: Column) -> None:
        """Rows of memories that were not there yet: each goes behind the last of its session."""
        before, after = self._chain.view
        self._row_of_number.view[numbers] = np.arange(first, first + len(numbers))
        said = np.flatnonzero(sessions != NOBODY)
        rows = said[np.argsort(sessions[said], kind="stable")]  # session by session, in order
        ordered = sessions[rows]
        rows += first
        is_first = np.ones(len(rows), dtype=np.bool_)
        is_first[1:] = ordered[1:] != ordered[:-1]
        left = np.roll(rows, 1)
        last = self._last_of_session.view
        left[is_first] = last[ordered[is_first]]
        before[rows] = left
        follows = left != NOBODY
        after[left[follows]] = rows[follows]
        is_last = np.roll(is_first, -1)
        last[ordered[is_last]] = rows[is_last]

    def _link_again(self, first: int, numbers: Column, sessions: Column) -> None:
        """The same one by one: a later state of a memory takes its earlier one's place."""
        before, after = self._chain.view
        row_of_number, last = self._row_of_number.view, self._last_of_session.view
        pairs = zip(numbers.tolist(), sessions.tolist(), strict=True)
        for row, (number, session) in enumerate(pairs, first):
            earlier = int(row_of_number[number])
            row_of_number[number] = row
            if session == NOBODY:
                continue
            if earlier != NOBODY and self._columns.view[_SESSION, earlier] == session:
                left, right = int(before[earlier]), int(after[earlier])
            else:
                left, right = int(last[session]), NOBODY
            before[row], after[row] = left, right
            if left != NOBODY:
                after[left] = row
            if right != NOBODY:
                before[right] = row
            if right == NOBODY:
                last[session] = row


class _Codes(dict[_Key, int], Generic[_Key]):
    """Small numbers for values, in the order in which they come."""

    def __missing__(self, key: _Key) -> int:
        code = self[key] = len(self)
        return code

    def of(self, keys: Iterable[_Key]) -> Column:
        """The number of each."""
        return np.array(list(map(self.__getitem__, keys)), dtype=np.int64)


def _check_words(page: WordingPage) -> None:
    """A flipped bit can turn a text into bytes, which are compared with texts much later."""
    if not all(
        isinstance(each, str | None) for each in {*page.scopes, *page.speakers, *page.sessions}
    ):
        raise TypeError


def _where_given(
    values: Sequence[str | None], codes: _Codes[_Key], keys: Iterable[object]
) -> Column:
    """The code of each key whose value is given; NOBODY for the others."""
    found = np.full(len(values), NOBODY, dtype=np.int64)
    given = [value is not None for value in values]
    found[given] = codes.of(cast("Iterable[_Key]", compress(keys, given)))
    return found


def _pages_after(derived: VectorReader, state: int) -> Iterator[WordingPage]:
    while (page := derived.wordings_after(state, limit=_PAGE)) is not None:
        yield page
        state = page.states[-1]


def _looked_back(
    latest: Wordings, earlier: Wordings, derived: VectorReader, made_at: StatePosition
) -> Wordings:
    """The latest view as a reader sees it that has come further than an earlier view, but not so
    far: what it can see was opened and closed since then."""
    is_open = np.zeros(len(latest), dtype=np.bool_)
    is_open[: len(earlier)] = earlier.is_open
    for page in _pages_after(derived, made_at.state):
        opened = np.array(page.states, dtype=np.int64)[_are_open(page)]
        is_open[latest.rows_of_states(opened)] = True
    closed = [state for state, _ in derived.states_closed_after(made_at.audit)]
    is_open[latest.rows_of_states(np.array(closed, dtype=np.int64))] = False
    return replace(latest, is_open=is_open)


def _are_open(page: WordingPage) -> NDArray[np.bool_]:
    ends = zip(page.recorded_until, page.statuses, strict=True)
    return np.array([end is None and status in _RECALLABLE for end, status in ends], dtype=np.bool_)
