"""The table in memory: however it was kept in step, it is what a fresh load would be."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np
import pytest
from clock import FakeClock
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import Engram
from engram.errors import EngramError, StoreCorrupt
from engram.memory.scopes import Scope
from engram.memory.traits import Mark, token_of
from engram.recall import wordings
from engram.recall.selection import select
from engram.recall.wordings import NOBODY, Wordings, WordingTable

PLAIN = {"embedder": {"kind": "none"}, "security": {"read_audit": "off"}}


def kept(engram: Engram) -> Wordings:
    """The table that this Engram keeps in step."""
    with engram._view(None) as see:
        return engram._parts.wordings.refresh(see.derived)


def fresh(engram: Engram) -> Wordings:
    """The same, loaded at once."""
    with engram._view(None) as see:
        return WordingTable().refresh(see.derived)


def told(table: Wordings) -> dict[str, object]:
    """Everything a table says, in words that do not depend on how it was filled."""

    def name(code: int) -> str | None:
        return None if code == NOBODY else table.speakers[code]

    return {
        **{name: getattr(table, name).tolist() for name in (
            "states", "numbers", "versions", "at", "flags", "words", "before", "after", "is_open",
            "is_impersonal", "is_lacking", "stream", "starts", "row_of_number", "sessions",
        )},
        "scopes": [table.scopes[code] for code in table.scope_codes],
        "speakers": [name(code) for code in table.speaker_codes],
        "calls": [column.tolist() for column in table.calls],
        "talks": (table.talks.speakers.tolist(), [name(code) for code in table.talks.first],
                  [name(code) for code in table.talks.second]),
        "postings": {token: (table.postings.find(token).rows.tolist(),
                             table.postings.find(token).counts.tolist())
                     for token in np.unique(table.stream).tolist()},
    }  # fmt: skip


WORDS = (
    "Hi Kate",
    "zebra_one",
    "lion lion",
    "I like tea",
    "Why?",
    "now 3 cats",
    "東京",
    "Thanks, Tom",
)


class Writer:
    """Does what it is told to a store, on whichever memory there is."""

    def __init__(self, engram: Engram) -> None:
        self.engram = engram
        self.memories: list[str] = []
        self.changes: list[str] = []
        self.count = 0

    def do(self, step: tuple[str, int]) -> None:
        name, seed = step
        if name == "remember" or not self.memories:
            self._remember(seed)
            return
        memory_id = self.memories[seed % len(self.memories)]
        actions: dict[str, Callable[[], object]] = {
            "revise": lambda: self.engram.revise(memory_id, self._text(seed)),
            "pin": lambda: self.engram.pin(memory_id),
            "forget": lambda: self.engram.forget(memory_id),
            "replace": lambda: self._remember(seed, replaces=memory_id),
            "undo": lambda: self.engram.undo(self.changes[seed % len(self.changes)]),
            "correct": lambda: self.engram.feedback(memory_id, False, correction=self._text(seed)),
            "look": lambda: kept(self.engram),
        }
        try:
            done = actions[name]()
        except EngramError:  # as undoing what was undone: refused, and the store is as it was
            return
        if change := getattr(done, "change_id", None):
            self.changes.append(change)

    def _text(self, seed: int) -> str:
        self.count += 1
        return f"{WORDS[seed % len(WORDS)]} {self.count}"

    def _remember(self, seed: int, replaces: str | None = None) -> None:
        scope = None if seed % 5 else Scope(project="side")
        outcome = self.engram.remember(
            self._text(seed), session=[None, "one", "two"][seed % 3],
            speaker=[None, "Kate", "Tom"][(seed // 3) % 3], scope=scope if not replaces else None,
            replaces=replaces,
        )  # fmt: skip
        self.memories.append(outcome.memory.id)
        self.changes.append(outcome.change_id)


STEPS = st.tuples(
    st.sampled_from(["remember", "remember", "revise", "pin", "forget", "replace", "undo",
                     "correct", "look"]),
    st.integers(0, 60),
)  # fmt: skip


@settings(max_examples=40)
@given(st.lists(STEPS, max_size=25))
def test_a_table_kept_in_step_is_what_a_fresh_load_is(steps):
    with Engram.open(":memory:", clock=FakeClock(), settings=PLAIN) as engram:
        writer = Writer(engram)
        for step in steps:
            writer.do(step)

        assert told(kept(engram)) == told(fresh(engram))


@settings(max_examples=25)
@given(st.lists(STEPS, min_size=5, max_size=25), st.integers(2, 5))
def test_a_table_filled_in_small_pages_is_the_same(steps, page):
    with (
        Engram.open(":memory:", clock=FakeClock(), settings=PLAIN) as engram,
        pytest.MonkeyPatch.context() as patched,
    ):
        writer = Writer(engram)
        for step in steps:
            writer.do(step)
        at_once = told(fresh(engram))
        patched.setattr("engram.recall.wordings._PAGE", page)

        assert told(fresh(engram)) == at_once


@settings(max_examples=25)
@given(st.lists(STEPS, min_size=5, max_size=25))
def test_what_is_open_is_what_the_store_lists(steps):
    with Engram.open(":memory:", clock=FakeClock(), settings=PLAIN) as engram:
        writer = Writer(engram)
        for step in steps:
            writer.do(step)
        table = kept(engram)

        listed = {
            (memory.number, memory.version)
            for memory in engram.list(limit=1_000, scope=Scope(project="side"))
        }
        shown = zip(table.numbers[table.is_open], table.versions[table.is_open], strict=True)
        assert {(int(number), int(version)) for number, version in shown} == listed


@pytest.fixture
def engram(clock):
    with Engram.open(":memory:", clock=clock, settings=PLAIN) as opened:
        yield opened


def talk(engram: Engram, *texts: str, session: str = "talk") -> list[str]:
    return [engram.remember(text, session=session).memory.id for text in texts]


def chain(table: Wordings) -> list[tuple[int, int]]:
    """Memory numbers and versions along a session, from its beginning."""
    (first,) = [
        row for row in range(len(table))
        if table.before[row] == NOBODY and table.sessions[row] != NOBODY
        and row == table.row_of_number[table.numbers[row]]
    ]  # fmt: skip
    found, row = [], first
    while row != NOBODY:
        found.append((int(table.numbers[row]), int(table.versions[row])))
        row = int(table.after[row])
    return found


def test_neighbours_are_those_of_the_same_session(engram):
    talk(engram, "one", "two")
    engram.remember("alone")
    talk(engram, "three")

    assert chain(kept(engram)) == [(1, 1), (2, 1), (4, 1)]


@pytest.mark.parametrize("revised", [0, 1, 2])
def test_a_revised_turn_keeps_its_place_among_its_neighbours(engram, revised):
    turns = talk(engram, "one", "two", "three")
    kept(engram)
    engram.revise(turns[revised], "something else")

    versions = [1, 1, 1]
    versions[revised] = 2
    expected = list(zip([1, 2, 3], versions, strict=True))
    table = kept(engram)
    assert chain(table) == expected
    last = int(table.row_of_number[3])
    assert [int(table.numbers[row]) for row in _backwards(table, last)] == [3, 2, 1]


def _backwards(table: Wordings, row: int) -> list[int]:
    found = []
    while row != NOBODY:
        found.append(row)
        row = int(table.before[row])
    return found


def test_a_turn_that_is_said_after_a_revision_follows_the_last_one(engram):
    turns = talk(engram, "one", "two")
    engram.revise(turns[1], "two, revised")
    engram.revise(turns[0], "one, revised")
    talk(engram, "three")

    assert chain(kept(engram)) == [(1, 2), (2, 2), (3, 1)]


def test_the_same_session_of_another_scope_is_another_session(engram):
    talk(engram, "one")
    engram.remember("elsewhere", session="talk", scope=Scope(project="side"))
    table = kept(engram)

    assert table.before.tolist() == table.after.tolist() == [NOBODY, NOBODY]
    assert len(set(table.sessions.tolist())) == 2


def words_of(table: Wordings, row: int) -> list[int]:
    """The tokens of a row's words in their order."""
    start = int(table.starts[row])
    return table.stream[start : start + int(table.words[row])].tolist()


def test_a_row_knows_its_words_marks_and_calls(engram):
    engram.remember("Hi Kate, I love my_cats", session="talk", speaker="Tom")
    table = kept(engram)

    assert words_of(table, 0) == [
        token_of(word) for word in ("hi", "kate", "i", "love", "my", "cats")
    ]
    assert table.flags[0] & Mark.PREFERENCE
    assert [column.tolist() for column in table.calls] == [[0], [token_of("kate")]]
    assert table.postings.find(token_of("my_cats")).rows.tolist() == [0]
    assert table.postings.find(0).rows.tolist() == []


def test_a_view_does_not_change_when_more_is_said(engram):
    talk(engram, "one", "two")
    view = kept(engram)
    before = (len(view), view.states.tolist(), words_of(view, 1))

    talk(engram, *(f"turn {i}" for i in range(200)))
    assert len(kept(engram)) == 202

    assert (len(view), view.states.tolist(), words_of(view, 1)) == before


def open_wordings(table: Wordings) -> list[tuple[int, int]]:
    """What a view shows as held now, by number and version."""
    shown = zip(table.numbers[table.is_open], table.versions[table.is_open], strict=True)
    return sorted((int(number), int(version)) for number, version in shown)


@settings(max_examples=15)
@given(st.lists(STEPS, max_size=8), st.lists(STEPS, max_size=8), st.lists(STEPS, max_size=8))
def test_a_reader_that_others_have_overtaken_sees_its_own_time(before, between, after):
    with (
        tempfile.TemporaryDirectory() as folder,
        Engram.open(Path(folder) / "store", clock=FakeClock(), settings=PLAIN) as engram,
    ):
        writer = Writer(engram)
        for step in [("remember", 1), *before]:
            writer.do(step)
        kept(engram)  # a view from before, perhaps
        for step in between:
            writer.do(step)
        with engram._view(None) as early:
            early.derived.position()  # from here on it sees nothing new
            for step in after:
                writer.do(step)
            kept(engram)

            overtaken = engram._parts.wordings.refresh(early.derived)

            assert open_wordings(overtaken) == open_wordings(WordingTable().refresh(early.derived))


def test_nothing_is_read_again_while_nothing_changes(engram):
    talk(engram, "one")

    assert kept(engram) is kept(engram)


def test_what_another_process_writes_is_seen_at_the_next_question(open_store, store_path):
    engram = open_store(settings=PLAIN)
    doomed = engram.remember("A lion was here.", session="talk").memory
    assert [hit.memory.number for hit in engram.recall("lion")] == [1]

    script = (
        "import sys; from engram import Engram\n"
        "with Engram.open(sys.argv[1], settings={'embedder': {'kind': 'none'}}) as engram:\n"
        "    engram.forget(sys.argv[2])\n"
        "    engram.remember('A zebra was here.', session='talk')\n"
    )
    subprocess.run([sys.executable, "-c", script, store_path, doomed.id], check=True, timeout=60)

    assert [hit.memory.content for hit in engram.recall("zebra lion")] == ["A zebra was here."]
    assert told(kept(engram)) == told(fresh(engram))


def test_after_a_restore_nothing_of_the_other_store_is_left(open_store):
    engram = open_store(settings=PLAIN)
    engram.remember("A lion was here.")
    engram.backup()
    engram.remember("A zebra was here.", session="talk", speaker="Kate")
    assert len(engram.recall("zebra")) == 1

    engram.restore()
    engram.remember("A giraffe was here.")

    assert len(engram.recall("zebra")) == 0
    assert [hit.memory.content for hit in engram.recall("giraffe")] == ["A giraffe was here."]
    assert told(kept(engram)) == told(fresh(engram))


def test_words_that_are_damaged_are_told_and_shift_no_others(open_store, store_path):
    with open_store(settings=PLAIN) as engram:
        engram.remember("A lion was here.")
        engram.remember("A zebra was here.")
    connection = apsw.Connection(str(store_path / "engram.db"))
    connection.execute("UPDATE traits SET tokens = substr(tokens, 1, 6) WHERE number = 1")
    connection.close()

    result = open_store(settings=PLAIN, read_only=True).recall("zebra")
    assert [hit.memory.content for hit in result] == ["A zebra was here."]
    assert "words: those of 1 memories are missing: run `engram doctor --repair`" in result.degraded


def test_a_number_far_beyond_all_others_is_damage(open_store, store_path):
    with open_store(settings=PLAIN) as engram:
        engram.remember("A lion was here.")
    connection = apsw.Connection(str(store_path / "engram.db"))
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("UPDATE memories SET number = 1 << 40")
    connection.close()

    with pytest.raises(StoreCorrupt, match="doctor"):
        open_store(settings=PLAIN).recall("lion")


class Stopped(BaseException):
    """An interrupt, such as a timer or a person makes."""


@pytest.mark.parametrize("stopped_at", ["_add_tokens", "_link", "_close", "_look"])
def test_an_interrupted_load_begins_anew(engram, monkeypatch, stopped_at):
    talk(engram, "one", "two")

    def stop(*_: object) -> None:
        raise Stopped

    with monkeypatch.context() as patched:
        patched.setattr(WordingTable, stopped_at, stop)
        with pytest.raises(Stopped):
            kept(engram)

    assert told(kept(engram)) == told(fresh(engram))


def test_without_an_embedder_no_vectors_are_loaded(open_store):
    with open_store(settings={"embedder": {"kind": "hashing"}}) as engram:
        engram.remember("A lion was here.", wait=True)
        engram.recall("lion")
        assert engram._parts.vectors.loads == 1

    engram = open_store(settings=PLAIN)

    assert len(engram.recall("lion")) == 1
    assert engram._parts.vectors.loads == 0


def test_a_vector_of_an_impossible_memory_belongs_to_no_row(engram):
    talk(engram, "one", "two")
    table = kept(engram)
    selection = select(table, table.is_open)
    numbers = np.array([1, -7, 2, 1 << 40])

    rows = selection.row_of_vectors(numbers, np.ones(4, dtype=np.int64))

    assert rows.tolist() == [0, NOBODY, 1, NOBODY]


@pytest.mark.parametrize("column", ["scopes", "speakers", "sessions"])
def test_bytes_where_words_should_be_are_damage(open_store, monkeypatch, column):
    """A flipped bit in the head of a row turns a text into bytes, which compare with no text."""
    engram = open_store(settings=PLAIN)
    engram.remember("The harbour is quiet.", speaker="Ada", session="s1")
    read = wordings._pages_after

    def damaged(*asked):
        return [page._replace(**{column: (b"/",) * len(page.states)}) for page in read(*asked)]

    monkeypatch.setattr(wordings, "_pages_after", damaged)

    with pytest.raises(StoreCorrupt, match="doctor"):
        engram.recall("harbour")
