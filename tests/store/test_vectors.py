"""Vectors in the store: queued with the memory, kept by wording and space, checked when used."""

import os
import random
import subprocess
import sys
import threading
from importlib.util import find_spec

import apsw
import numpy as np
import pytest

from engram import Engram
from engram.errors import StoreReadOnly, VectorRefused
from engram.memory.scopes import Reach
from engram.storage.vectors.choose import FLAT_UP_TO, make_index
from engram.storage.vectors.loaded import LoadedVectors
from engram.storage.vectors.spaces import SpaceState
from engram.wiring import restore_store

SMALL = {"embedder": {"kind": "hashing", "hashing_dimension": 64}}
LARGE = {"embedder": {"kind": "hashing", "hashing_dimension": 128}}
NONE = {"embedder": {"kind": "none"}}
needs_ann = pytest.mark.skipif(
    find_spec("usearch") is None, reason="the extra `ann` is not installed"
)


def raw(path, statement, *arguments):
    connection = apsw.Connection(str(path / "engram.db"))
    try:
        return connection.execute(statement, arguments).fetchall()
    finally:
        connection.close()


def states(engram):
    """Each space as (dimension, state, vectors, waiting)."""
    return [
        (each.space.dimension, each.space.state.value, each.space.vectors, each.waiting)
        for each in engram._parts.embedding.fills()
    ]


def neighbourhood(engram, loaded=None):
    with engram._parts.store.read(Reach(()), timeout_seconds=5) as see:
        return (loaded or engram._parts.vectors).refresh(see.derived)


def nearest(engram, text, k=1, loaded=None):
    """The numbers of the memories nearest to a text, by the index."""
    with engram._parts.store.read(Reach(()), timeout_seconds=5) as see:
        view = (loaded or engram._parts.vectors).refresh(see.derived)
        query = engram._parts.embedding.embedder_for(view.space).embed([text])[0]
        found = view.search(see.derived, query, k)
        return view.numbers[found.positions].tolist()


# The queue


def test_a_memory_waits_in_the_queue_from_the_moment_it_is_stored(open_store, store_path):
    engram = open_store(settings=SMALL)

    engram.remember("Ada lives in Lyon.")

    found = raw(store_path, "SELECT number, version FROM pending_vectors")
    assert found == [(1, 1)] or raw(store_path, "SELECT count(*) FROM vectors") == [(1,)]
    assert engram.recall("Lyon")[0].memory.content == "Ada lives in Lyon."
    assert engram.settle()
    assert states(engram) == [(64, "active", 1, 0)]


def test_only_a_new_wording_is_embedded(open_store, store_path):
    engram = open_store(settings=SMALL)
    memory = engram.remember("Ada lives in Lyon.", wait=True).memory

    engram.pin(memory.id)
    engram.promote(memory.id)
    engram.forget(memory.id)
    engram.set_status(memory.id, "active", reason="back")
    assert raw(store_path, "SELECT count(*) FROM pending_vectors") == [(0,)]

    engram.revise(memory.id, "Ada lives in Porto.")
    assert engram.settle()

    found = raw(store_path, "SELECT number, version, part FROM vectors ORDER BY id")
    assert found == [(1, 1, 0), (1, 2, 0)]


def test_a_wording_brought_back_has_its_vector_already_and_a_later_one_has_its_own(
    open_store, store_path
):
    engram = open_store(settings=SMALL)
    memory = engram.remember("Ada lives in Lyon.").memory
    revised = engram.revise(memory.id, "Ada lives in Porto.")
    engram.settle()

    engram.undo(revised.change_id)
    assert raw(store_path, "SELECT count(*) FROM pending_vectors") == [(0,)]
    again = engram.revise(memory.id, "Ada lives in Rome.")
    engram.settle()

    assert again.version == 3  # 2 names the wording that was undone
    assert nearest(engram, "Ada lives in Porto.") == nearest(engram, "Ada lives in Rome.") == [1]
    view = neighbourhood(engram)
    assert sorted(view.versions.tolist()) == [1, 2, 3]


def test_without_an_embedder_nothing_waits_and_with_one_later_everything_does(open_store):
    first = open_store(settings=NONE)
    first.remember_many(["One fact.", "Another fact."])
    first.close()

    second = open_store(settings=SMALL)

    assert states(second) == [(64, "active", 0, 2)]
    assert second.upkeep.embed().embedded == 2
    assert nearest(second, "another fact") == [2]


def test_a_text_is_found_by_any_of_its_passages(open_store):
    engram = open_store(settings=SMALL)
    filler = "Nothing of note happened on that long and quiet afternoon by the sea. " * 6
    engram.remember(filler + "The vault opens with a brass octopus key. " + filler, wait=True)
    engram.remember("A note about shoes.", wait=True)

    view = neighbourhood(engram)

    assert view.numbers.tolist().count(1) > 3
    assert nearest(engram, "brass octopus key") == [1]


# Spaces


@pytest.mark.failure("F48")
def test_changing_the_embedder_keeps_the_old_space_answering_until_the_new_one_is_full(open_store):
    first = open_store(settings=SMALL)
    first.remember_many([f"Fact {word}." for word in ("amber", "basil", "cedar")], wait=True)
    first.close()

    second = open_store(settings=LARGE)
    assert states(second) == [(64, "active", 3, 0), (128, "filling", 0, 3)]
    assert nearest(second, "basil") == [2]
    assert neighbourhood(second).space.dimension == 64

    report = second.upkeep.embed()

    assert (report.embedded, report.waiting, report.problem) == (3, 0, "")
    assert states(second) == [(128, "active", 3, 0), (64, "retired", 0, 0)]
    assert nearest(second, "basil") == [2]
    assert neighbourhood(second).space.dimension == 128
    second.close()

    third = open_store(settings=SMALL)
    third.settle()
    assert states(third)[0] == (64, "active", 3, 0)
    assert nearest(third, "cedar") == [3]
    assert third.doctor().is_fine


@pytest.mark.failure("F48")
def test_settings_that_go_back_half_way_find_the_old_space_as_it_was(open_store, monkeypatch):
    first = open_store(settings=SMALL)
    first.remember_many([f"Fact {number}." for number in range(200)], wait=True)
    first.close()
    second = open_store(settings=LARGE)
    second._parts.embedding._step()
    assert [each[1:3] for each in states(second)] == [("active", 200), ("filling", 64)]
    second.close()

    third = open_store(settings=SMALL)

    assert [each[:2] + each[3:] for each in states(third)] == [
        (64, "active", 0), (128, "retired", 0)
    ]  # fmt: skip
    assert third.upkeep.embed().embedded == 0
    assert states(third)[1] == (128, "retired", 0, 0)
    assert third.doctor().is_fine


@pytest.mark.failure("F10")
@pytest.mark.parametrize("seed", range(3))
def test_what_is_said_reworded_and_forgotten_during_re_embedding_is_neither_lost_nor_revived(
    open_store, store_path, seed
):
    chance = random.Random(seed)
    first = open_store(settings=SMALL)
    first.remember_many([f"Old fact {number}." for number in range(150)], wait=True)
    first.close()
    engram = open_store(settings=LARGE)
    texts = {each.number: each.content for each in engram.list(limit=1_000)}

    while states(engram)[0][0] != 128:
        action = chance.choice(["say", "revise", "forget", "step", "step"])
        number = chance.choice(sorted(texts))
        if action == "say":
            made = engram.remember(f"Said meanwhile {len(texts)} {chance.random()}.").memory
            texts[made.number] = made.content
        elif action == "revise":
            text = f"Reworded {number} {chance.random()}."
            engram.revise(f"mem-{number:04d}", text)
            texts[number] = text
        elif action == "forget":
            engram.forget(f"mem-{number:04d}")
            del texts[number]
        else:
            engram._parts.embedding._step()
    engram.settle()

    present = {each.number: each.content for each in engram.list(limit=1_000)}
    assert present == texts
    wordings = raw(
        store_path,
        "SELECT number, version FROM memories WHERE recorded_until IS NULL AND status = 'active'",
    )
    view = neighbourhood(engram)
    held = set(zip(view.numbers.tolist(), view.versions.tolist(), strict=True))
    assert set(wordings) <= held
    for number in chance.sample(sorted(texts), 10):
        assert nearest(engram, texts[number]) == [number]
    assert engram.doctor().is_fine


def test_a_process_with_other_settings_does_not_take_the_store_back(open_store):
    mine = open_store(settings=SMALL)
    mine.remember("A fact.", wait=True)
    theirs = open_store(settings=LARGE)
    theirs.upkeep.embed()

    mine.remember("Another fact.")

    assert not mine._parts.embedding._step().did_something
    assert "other settings" in mine._parts.embedding.problem
    assert [each[:2] for each in states(theirs)] == [(128, "active"), (64, "retired")]


@pytest.mark.failure("F50")
def test_the_vectors_of_a_space_that_retired_leave_no_byte_behind(open_store, store_path):
    first = open_store(settings=SMALL)
    first.remember("The seal of the embassy.", wait=True)
    stored = raw(store_path, "SELECT vector FROM vectors")[0][0]
    first.close()
    assert stored in (store_path / "engram.db").read_bytes()

    second = open_store(settings=LARGE)
    second.upkeep.embed()
    second.close()

    left = [
        path.name
        for path in store_path.glob("engram.db*")
        if stored in path.read_bytes()
    ]  # fmt: skip
    assert left == []


# The index in memory


@pytest.mark.failure("F05", "F09")
@pytest.mark.parametrize("count", [1, 10, 999, 1_000, 1_001])
def test_a_search_is_the_same_before_and_after_a_restart(open_store, count):
    engram = open_store(settings=SMALL)
    chance = random.Random(count)
    words = [f"w{chance.randrange(400)}" for _ in range(count * 4)]
    texts = [f"{number} " + " ".join(words[number * 4 : number * 4 + 4]) for number in range(count)]
    engram.remember_many(texts, wait=True)
    questions = [chance.choice(texts) for _ in range(5)]
    before = [nearest(engram, text, 10) for text in questions]
    engram.close()

    again = open_store(settings=SMALL)

    assert [nearest(again, text, 10) for text in questions] == before
    assert len(neighbourhood(again)) == count


def test_refreshing_reads_only_what_was_added(open_store):
    engram = open_store(settings=SMALL)
    engram.remember_many([f"Fact {number}." for number in range(30)], wait=True)
    first = neighbourhood(engram)
    assert neighbourhood(engram) is first  # nothing happened: nothing is read

    engram.remember("A later fact about herons.", wait=True)
    second = neighbourhood(engram)

    assert (len(first), len(second)) == (30, 31)
    assert second.index is first.index
    assert engram._parts.vectors.loads == 1
    assert nearest(engram, "herons") == [31]


def test_a_view_taken_before_does_not_show_what_came_after(open_store):
    engram = open_store(settings=SMALL)
    engram.remember_many(["One.", "Two."], wait=True)
    view = neighbourhood(engram)
    engram.remember("Herons.", wait=True)
    neighbourhood(engram)

    with engram._parts.store.read(Reach(()), timeout_seconds=5) as see:
        query = engram._parts.embedding.embedder.embed(["Herons."])[0]
        found = view.search(see.derived, query, 10)

    assert view.numbers[found.positions].tolist() in ([1, 2], [2, 1])


@pytest.mark.failure("F03", "F04")
@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM vectors WHERE id % 3 = 0",
        "DELETE FROM vectors WHERE id = (SELECT max(id) FROM vectors)",
        "UPDATE spaces SET vectors = 7, highest = 7",
        "UPDATE vectors SET part = 5 WHERE id = 7",
        "DELETE FROM vectors",
    ],
)
def test_rows_altered_behind_its_back_are_noticed_and_read_anew(open_store, store_path, damage):
    engram = open_store(settings=SMALL)
    engram.remember_many([f"Fact number {number}." for number in range(40)], wait=True)
    neighbourhood(engram)

    raw(store_path, damage)
    engram.remember("One more fact, of herons.", wait=True)

    view = neighbourhood(engram)
    kept = [row[0] for row in raw(store_path, "SELECT id FROM vectors ORDER BY id")]
    assert view.ids.tolist() == kept
    assert len(view.index) == len(kept)
    assert nearest(engram, "herons") == [41]


def test_after_a_restore_the_vectors_are_those_of_the_restored_store(open_store, store_path):
    engram = open_store(settings=SMALL)
    engram.remember("Apples are red.", wait=True)
    made = engram.backup()
    engram.remember("Bananas are yellow.", wait=True)
    assert nearest(engram, "bananas") == [2]

    engram.restore(made.path)
    engram.remember("Cherries are dark.", wait=True)

    view = neighbourhood(engram)
    assert len(view) == 2
    assert nearest(engram, "cherries dark") == [3]  # numbers are not handed out twice
    assert 2 not in view.numbers.tolist()


def test_a_store_grows_from_flat_to_bits_and_finds_the_same(open_store, monkeypatch):
    monkeypatch.setattr("engram.storage.vectors.choose.FLAT_UP_TO", 50)
    engram = open_store(settings=SMALL)
    engram.remember_many([f"Fact {number} of {number * 7}." for number in range(50)], wait=True)
    assert neighbourhood(engram).index.name == "flat"

    engram.remember("And herons.", wait=True)

    assert neighbourhood(engram).index.name == "bits"
    assert nearest(engram, "herons") == [51]
    assert nearest(engram, "Fact 3 of 21.") == [4]
    assert FLAT_UP_TO == 20_000


def test_threads_refresh_and_search_while_others_write(open_store):
    engram = open_store(settings=SMALL)
    engram.remember_many([f"Fact {number}." for number in range(50)], wait=True)
    problems = []

    def ask():
        try:
            for number in range(25):
                assert nearest(engram, f"Fact {number}.") == [number + 1]
        except BaseException as error:  # noqa: BLE001  # collected for the assertion
            problems.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(15):
        engram.remember(f"Entirely different matter {number}.", wait=True)
    for thread in threads:
        thread.join()

    assert problems == []
    assert len(neighbourhood(engram)) == 65


@pytest.mark.failure("F03", "F05")
def test_a_cache_of_the_approximate_index_is_used_only_when_the_database_agrees(
    open_store, store_path
):
    if find_spec("usearch") is None:
        pytest.skip("the extra `ann` is not installed")
    settings = {"embedder": {"kind": "hashing", "hashing_dimension": 64, "index": "ann"}}
    engram = open_store(settings=settings)
    engram.remember_many([f"Fact {number} of {number * 3}." for number in range(60)], wait=True)
    assert nearest(engram, "Fact 5 of 15.") == [6]
    engram.close()
    cache = store_path / "vectors.cache"
    assert cache.stat().st_mode & 0o077 == 0

    for spoil in (None, lambda: cache.write_bytes(b"x" * 99), cache.unlink):
        if spoil is not None:
            spoil()
        again = open_store(settings=settings)
        assert nearest(again, "Fact 5 of 15.") == [6]
        assert len(neighbourhood(again)) == 60
        again.close()
    raw(store_path, "DELETE FROM vectors WHERE number = 6")
    last = open_store(settings=settings)
    assert nearest(last, "Fact 5 of 15.") != [6]


def test_no_cache_lies_beside_an_encrypted_store(open_store, store_path):
    if find_spec("usearch") is None:
        pytest.skip("the extra `ann` is not installed")
    settings = {"embedder": {"kind": "hashing", "hashing_dimension": 64, "index": "ann"}}
    engram = open_store(settings=settings, passphrase="a passphrase for this test")
    engram.remember_many([f"Fact {number}." for number in range(20)], wait=True)

    assert nearest(engram, "Fact 5.") == [6]

    assert not (store_path / "vectors.cache").exists()


ANN = {"embedder": {"kind": "hashing", "hashing_dimension": 64, "index": "ann"}}
PASSPHRASE = "a passphrase for this test"


@needs_ann
def test_encrypting_a_store_takes_its_cache_away_and_none_is_written_after(open_store, store_path):
    cache = store_path / "vectors.cache"
    engram = open_store(settings=ANN)
    engram.remember_many([f"Fact {number}." for number in range(20)], wait=True)
    assert nearest(engram, "Fact 5.") == [6]
    assert cache.exists()

    engram.upkeep.encrypt(PASSPHRASE)
    assert not cache.exists()
    engram.remember_many([f"Later fact {number}." for number in range(40)], wait=True)

    assert nearest(engram, "Later fact 5.") == [26]
    engram.close()
    assert not cache.exists()


@needs_ann
def test_opening_an_encrypted_store_takes_a_cache_away_that_an_encryption_left(
    open_store, store_path
):
    open_store(settings=ANN, passphrase=PASSPHRASE).close()
    cache = store_path / "vectors.cache"
    cache.write_bytes(b"left by a process that was killed")

    open_store(settings=ANN, passphrase=PASSPHRASE, read_only=True).close()
    assert cache.exists()  # whoever only reads takes nothing away
    open_store(settings=NONE, passphrase=PASSPHRASE)

    assert not cache.exists()


@needs_ann
@pytest.mark.failure("F03")
def test_a_cache_made_before_a_restore_is_not_taken_for_what_came_after(open_store, store_path):
    engram = open_store(settings=ANN)
    engram.remember_many([f"Fact {number}." for number in range(20)], wait=True)
    made = engram.backup()
    engram.remember_many([f"Lost fact {number}." for number in range(20)], wait=True)
    assert nearest(engram, "Lost fact 5.") == [26]

    engram.restore(made.path)
    assert not (store_path / "vectors.cache").exists()

    assert nearest(engram, "Fact 5.") == [6]
    assert (store_path / "vectors.cache").exists()
    engram.close()
    restore_store(store_path, made.path)  # as of a store that can no longer be opened
    assert not (store_path / "vectors.cache").exists()


# Doctor


def findings(engram):
    return {each.name: each for each in engram.doctor().findings}


@pytest.mark.failure("F06", "F07", "F08")
@pytest.mark.parametrize(
    ("damage", "name", "detail"),
    [
        ("DELETE FROM vectors WHERE number = 2", "vectors", "1 missing"),
        ("DELETE FROM vectors", "vectors", "5 missing"),
        ("UPDATE vectors SET number = 999 WHERE number = 2", "vectors", "1 orphaned"),
        ("INSERT INTO pending_vectors VALUES (1, 77, 1, 0, 0)", "vectors", "1 orphaned"),
        ("UPDATE vectors SET vector = x'0102' WHERE number = 3", "vectors", "1 unsound"),
        ("UPDATE vectors SET vector = zeroblob(128) WHERE number = 3", "vectors", "1 unsound"),
        ("UPDATE spaces SET vectors = 99", "vectors", "1 spaces miscounted"),
        ("UPDATE spaces SET dimension = 7", "vectors", "1 spaces of another dimension"),
        ("UPDATE spaces SET dimension = 0", "vectors", "1 spaces of another dimension"),
        ("UPDATE spaces SET dimension = -3", "vectors", "1 spaces of another dimension"),
        ("UPDATE spaces SET dimension = NULL", "vectors", "1 spaces of another dimension"),
        ("UPDATE vectors SET number = -7 WHERE number = 2", "vectors", "1 orphaned"),
        ("UPDATE traits SET tokens = x'010203' WHERE number = 4", "traits", "1 damaged"),
        ("DELETE FROM traits WHERE number = 4", "traits", "1 missing"),
        ("UPDATE traits SET number = 999 WHERE number = 4", "traits", "1 orphaned"),
    ],
)
def test_a_doctor_finds_and_mends_what_is_wrong_with_derived_rows(
    open_store, store_path, damage, name, detail
):
    engram = open_store(settings=SMALL)
    engram.remember_many([f"Fact {word}." for word in ("a1", "b2", "c3", "d4", "e5")], wait=True)
    raw(store_path, damage)
    assert detail in findings(engram)[name].detail
    assert not findings(engram)[name].is_fine

    report = engram.doctor(repair=True)
    engram.settle()

    assert report.is_fine
    assert report.repairs
    engram.close()
    again = open_store(settings=SMALL)
    assert again.doctor().is_fine
    assert [nearest(again, f"Fact {word}.") for word in ("b2", "c3", "d4")] == [[2], [3], [4]]


@pytest.mark.failure("F08")
def test_a_doctor_finds_numbers_that_are_none(open_store, store_path):
    engram = open_store(settings=SMALL)
    engram.remember("Fact.", wait=True)
    not_a_number = np.full(64, np.nan, "<f2").tobytes()
    raw(store_path, "UPDATE vectors SET vector = ?", not_a_number)

    assert "1 unsound" in findings(engram)["vectors"].detail
    assert engram.doctor(repair=True).is_fine
    assert engram.settle()
    assert nearest(engram, "fact") == [1]


@pytest.mark.failure("F08")
@pytest.mark.parametrize("value", [60_000, 0.2, 0.001, 0.0])
def test_a_stored_vector_that_is_not_of_length_one_is_refused_and_mended(
    open_store, store_path, value
):
    engram = open_store(settings=SMALL)
    engram.remember_many(["Ada keeps bees.", "Bob plays the cello."], wait=True)
    raw(store_path, "UPDATE vectors SET vector = ? WHERE id = 1", _filled_with(value))

    with pytest.raises(VectorRefused):
        neighbourhood(engram)
    assert "1 unsound" in findings(engram)["vectors"].detail
    assert engram.doctor(repair=True).is_fine
    assert engram.settle()

    assert nearest(engram, "bees") == [1]


def _filled_with(value):
    return np.full(64, value, "<f2").tobytes()


@pytest.mark.failure("F08")
@pytest.mark.parametrize("dimension", [7, 0, -3, 2**40])
def test_a_damaged_dimension_is_refused_and_mended_without_embedding_anything_anew(
    open_store, store_path, dimension
):
    engram = open_store(settings=SMALL)
    engram.remember_many(["Ada keeps bees.", "Bob plays the cello."], wait=True)
    raw(store_path, "UPDATE spaces SET dimension = ?", dimension)

    with pytest.raises(VectorRefused):
        neighbourhood(engram, LoadedVectors(lambda: "auto"))
    assert engram.doctor(repair=True).is_fine

    assert raw(store_path, "SELECT dimension, vectors FROM spaces") == [(64, 2)]
    assert raw(store_path, "SELECT count(*) FROM pending_vectors") == [(0,)]
    assert nearest(engram, "bees") == [1]


@pytest.mark.failure("F08")
@pytest.mark.parametrize("dimension", [7, 0, -3])
def test_a_space_without_vectors_has_the_dimension_of_the_first_that_comes(
    open_store, store_path, dimension
):
    engram = open_store(settings=SMALL)
    raw(store_path, "UPDATE spaces SET dimension = ?", dimension)

    engram.remember("Ada keeps bees.", wait=True)

    assert states(engram) == [(64, "active", 1, 0)]
    assert nearest(engram, "bees") == [1]


@pytest.mark.failure("F08")
@pytest.mark.parametrize("number", [-7, 0, 2**62])
def test_a_vector_of_a_number_that_no_memory_has_belongs_to_nobody(open_store, store_path, number):
    engram = open_store(settings=SMALL)
    engram.remember_many(["Ada keeps bees.", "Bob plays the cello."], wait=True)
    raw(store_path, "UPDATE vectors SET number = ? WHERE number = 1", number)

    found = engram.recall("cello")

    assert found[0].memory.number == 2
    assert found.degraded == ("meaning: 1 of 2 memories wait for their vectors",)


@pytest.mark.failure("F08")
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE traits SET tokens = x'010203' WHERE number = 1",
        "DELETE FROM traits WHERE number = 1",
    ],
)
def test_a_wording_whose_words_are_damaged_or_gone_is_read_without_them_and_health_tells(
    open_store, store_path, damage
):
    engram = open_store(settings=NONE)
    engram.remember_many(["Ada keeps bees.", "Bob plays the cello."])
    assert {each.name: each for each in engram.health().checks}["traits"].state == "ok"
    raw(store_path, damage)

    with engram._view(None) as see:
        page = see.derived.wordings_after(0, limit=10)

    assert page.numbers == (1, 2)
    assert page.tokens[0] is None
    assert page.tokens[1]
    assert page.is_lacking == (1, 0)
    check = {each.name: each for each in engram.health().checks}["traits"]
    assert (check.state, "engram doctor" in check.detail) == ("warning", True)


@pytest.mark.failure("F06")
def test_health_asks_the_index_for_a_stored_vector(open_store, store_path):
    engram = open_store(settings=SMALL)
    engram.remember("Fact.", wait=True)
    checks = {each.name: each for each in engram.health().checks}
    assert checks["vectors"].state == "ok"
    assert checks["vectors"].detail == "active: 1 vectors, 0 waiting"

    held = engram._parts.vectors._held
    held.index = make_index("flat", 64)  # an index that died in memory
    engram._parts.vectors._view = held.view()

    checks = {each.name: each for each in engram.health().checks}
    assert checks["vectors"].state == "failing"
    assert {each.name: each for each in engram.health().checks}["vectors"].state == "ok"


# Settling


def test_settling_says_no_while_something_waits_in_the_space_of_another_process(open_store):
    mine = open_store(settings=SMALL)
    mine.remember("A fact.", wait=True)
    theirs = open_store(settings=LARGE)
    theirs.upkeep.embed()
    assert mine.settle()  # everything is embedded, if not by these settings

    mine.remember("Another fact.", wait=True)

    assert not mine.settle()
    assert theirs.settle()
    assert mine.settle()


# Readers and processes


def test_a_read_only_store_is_searched_and_nothing_is_written(open_store, store_path):
    engram = open_store(settings=SMALL)
    engram.remember("Herons fish at dawn.", wait=True)
    engram.close()
    raw(store_path, "INSERT INTO pending_vectors VALUES (1, 1, 1, 0, 0)")

    reader = open_store(settings=SMALL, read_only=True)

    assert nearest(reader, "herons") == [1]
    reader._parts.wake_embedding()
    assert reader._parts.embedding._thread is None
    assert not reader.settle()
    assert raw(store_path, "SELECT count(*) FROM pending_vectors") == [(1,)]


def test_a_store_of_an_older_schema_is_not_opened_for_reading_only(open_store, store_path):
    open_store(settings=SMALL).close()
    raw(store_path, "DELETE FROM schema_migrations WHERE version > 1")

    with pytest.raises(StoreReadOnly):
        open_store(settings=SMALL, read_only=True)


def test_two_processes_that_embed_the_same_store_each_vector_once(open_store, store_path):
    first, second = open_store(settings=SMALL), open_store(settings=SMALL)
    first.remember_many([f"Fact {number}." for number in range(300)])

    threads = [threading.Thread(target=each.upkeep.embed) for each in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert raw(store_path, "SELECT count(*), count(DISTINCT number) FROM vectors") == [(300, 300)]
    assert states(first) == [(64, "active", 300, 0)]
    assert first.doctor().is_fine


_WRITE = """
import sys
from engram import Engram
engram = Engram.open(sys.argv[1], settings={"embedder": {"kind": "hashing"}})
for number in range(1000):
    made = engram.remember(f"Fact {number} of the killed process.", wait=True)
    print(made.memory.number, flush=True)
"""


@pytest.mark.failure("F09")
@pytest.mark.parametrize("skip", [0, 3])
def test_a_kill_just_before_vectors_are_committed_loses_nothing(open_store, store_path, skip):
    marker = store_path.with_name("marker")
    child = subprocess.Popen(
        [sys.executable, "-c", _WRITE, str(store_path)],
        env={**os.environ, "ENGRAM_FAILPOINT": f"vectors_before_commit,{marker},{skip}"},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with child:
        while not marker.exists():
            assert child.poll() is None
        child.kill()
        acknowledged = [int(line) for line in child.stdout.read().split()]

    settings = {"embedder": {"kind": "hashing"}}
    engram = open_store(settings=settings)
    numbers = [each.number for each in engram.list()]
    assert set(acknowledged) <= set(numbers)
    assert engram.settle()

    assert states(engram) == [(384, "active", len(numbers), 0)]
    assert all(nearest(engram, f"Fact {number - 1} of the killed process.") == [number]
               for number in numbers)  # fmt: skip
    assert engram.doctor().is_fine


# Traits


def test_traits_are_written_with_the_wording_and_made_anew_when_their_rules_change(
    open_store, store_path, monkeypatch
):
    engram = open_store(settings=NONE)
    memory = engram.remember("I prefer tea over coffee.").memory
    engram.revise(memory.id, "I prefer coffee over tea.")
    engram.pin(memory.id)
    assert raw(store_path, "SELECT number, version FROM traits") == [(1, 1), (1, 2)]
    engram.close()
    raw(store_path, "UPDATE traits SET tokens = x'', flags = 0")
    monkeypatch.setattr("engram.storage.vectors.traits.VERSION", 99)

    open_store(settings=NONE).close()

    found = raw(store_path, "SELECT length(tokens) > 0, flags > 0 FROM traits")
    assert found == [(1, 1), (1, 1)]
    assert raw(store_path, "SELECT count(*) FROM pending_traits") == [(0,)]


def test_the_table_of_recall_is_told_what_was_added_and_what_was_closed(open_store):
    engram = open_store(settings=NONE)
    memory = engram.remember("One.").memory
    with engram._view(None) as see:
        rows = see.derived.wordings_after(0, limit=10)
        before = see.derived.position()

    engram.pin(memory.id)
    undone = engram.remember("Two.")
    engram.undo(undone.change_id)

    with engram._view(None) as see:
        added = see.derived.wordings_after(before.state, limit=10)
        closed = see.derived.states_closed_after(before.audit)
        assert see.derived.position() > before
    assert (rows.numbers, rows.versions, rows.statuses, rows.flags) == (
        (1,),
        (1,),
        ("active",),
        (4,),
    )
    assert added.numbers == (1, 2)
    assert [state for state, _ in closed] == [1, 3]


def test_an_index_alone_can_be_made_of_any_store(engram):
    loaded = LoadedVectors(lambda: "auto")

    view = neighbourhood(engram, loaded)

    assert view is None or len(view) == 0


def test_spaces_say_what_they_are(open_store):
    engram = open_store(settings=SMALL)

    (space,) = [each.space for each in engram._parts.embedding.fills()]

    assert (space.metric, space.precision, space.state) == ("cosine", "f16", SpaceState.ACTIVE)
    assert "hashing:64" in space.identity


def test_single_precision_makes_a_space_of_its_own(open_store, store_path):
    open_store(settings=SMALL).remember("Fact.", wait=True)
    settings = {"embedder": {**SMALL["embedder"], "precision": "f32"}}

    engram = open_store(settings=settings)
    engram.upkeep.embed()

    assert raw(store_path, "SELECT length(vector) FROM vectors") == [(256,)]
    assert nearest(engram, "fact") == [1]
    assert isinstance(engram, Engram)
