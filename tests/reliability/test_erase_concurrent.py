"""Erasing while others write: what was committed before is gone, what comes after stays whole."""

import threading
import time
from pathlib import Path

import pytest
from harness_child import answer_of, run_child, start_child
from harness_erasing import PERSON, WORDS

from engram import Engram
from engram.capture.embedding import embed_step
from engram.errors import EngramError
from engram.storage.vectors.spaces import read_spaces

WRITERS = 3
TOLD = 25


@pytest.mark.failure("F51", "F49")
def test_four_processes_at_once_leave_nothing_half(tmp_path: Path) -> None:
    store, outside = str(tmp_path / "store"), str(tmp_path / "outside.db")
    run_child("harness_erasing", "fill", store, outside)

    writers = [
        start_child("harness_erasing", "write_about", store, f"writer {number}", TOLD)
        for number in range(WRITERS)
    ]
    eraser = start_child("harness_erasing", "erase_meanwhile", store, 4)
    told = {id_ for each in writers for id_ in answer_of(each)}
    done = answer_of(eraser)
    left = run_child("harness_erasing", "readable", store)

    assert len(told) == WRITERS * TOLD
    assert left["is_intact"]
    assert left["is_fine"]
    theirs = {id_: text for id_, text in left["memories"].items() if id_ in told}
    # What was written after the last erasure can be read, sealed or not: it has a key of its own.
    assert all(text for text in theirs.values())
    assert sum(each["memories"] for each in done) > 0
    last = run_child("harness_erasing", "erase_meanwhile", store, 1)
    assert last[0]["state"] == "proven"
    assert last[0]["memories"] == len(theirs)
    files = [path.read_bytes().lower() for path in Path(store).rglob("*") if path.is_file()]
    assert not [word for word in WORDS for said in files if word.encode() in said]


def test_a_worker_that_embeds_an_erased_text_stores_nothing(open_store, monkeypatch):
    """The text was read before the erasure, and its vector comes after."""
    engram = open_store(settings={"embedder": {"kind": "hashing"}})
    memory = engram.remember(f"{PERSON} waits to be embedded.").memory
    worker = engram._parts.embedding
    embedder = worker.embedder
    embed = embedder.embed

    def erased_meanwhile(texts):
        vectors = embed(texts)
        if engram.get(memory.id) is not None:
            engram.erase(memory.id)
        return vectors

    monkeypatch.setattr(embedder, "embed", erased_meanwhile)
    with engram._store.database.reading(5) as view:
        [space] = read_spaces(view)
    embed_step(engram._store, embedder, space, engram._clock())

    with engram._store.database.reading(5) as view:
        assert view._connection.execute("SELECT count(*) FROM vectors").fetchone() == (0,)
        assert view._connection.execute("SELECT count(*) FROM memories").fetchone() == (0,)


def test_reads_go_on_while_something_is_erased(open_store):
    engram = open_store(settings={"embedder": {"kind": "none"}})
    for number in range(40):
        engram.remember(f"{PERSON} has thing {number}.", subject=PERSON)
        engram.remember(f"The pier has lamp {number}.")
    problems: list[str] = []
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            try:
                hits = engram.recall("Which lamps has the pier?").hits
                engram.list(limit=10)
            except EngramError as error:
                problems.append(error.code)
            else:
                problems.extend("empty" for hit in hits if not hit.memory.content)
            time.sleep(0.001)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for each in readers:
        each.start()
    done = engram.erase(subject=PERSON)
    is_over.set()
    for each in readers:
        each.join()

    assert problems == []
    assert done.memories == 40
    assert done.is_proven or {each.what for each in done.remains} == {"log in use"}
    assert all(each.is_proven for each in engram.finish_erasures())


def test_another_process_forgets_what_it_held(tmp_path: Path) -> None:
    """Minds, echoes and what recall holds: all gone at the next thing that it is asked."""
    store = tmp_path / "store"
    with Engram.open(store) as here:
        here.remember(f"{PERSON} sings.", subject=PERSON)
        here.recall("Who sings?")
        here.working.attend(f"{PERSON} sings", session="s")
        run_child("harness_erasing", "erase", str(store))

        assert not here.recall("Who sings?").hits
        assert here.working.active(session="s") == []
    with Engram.open(store) as again:
        assert again.working.active(session="s") == []


def test_a_mind_that_is_put_away_after_an_erasure_is_let_go(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with Engram.open(store) as here:
        here.remember(f"{PERSON} sings.", subject=PERSON)
        here.working.attend(f"{PERSON} sings", session="s")
        run_child("harness_erasing", "erase", str(store))

    with Engram.open(store) as again:
        assert again.working.active(session="s") == []
    files = [path.read_bytes().lower() for path in store.rglob("*") if path.is_file()]
    assert not [word for word in WORDS for said in files if word.encode() in said]
