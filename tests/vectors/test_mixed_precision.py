"""A store whose vectors are in different bits: searched, mended, renewed and noticed by others."""

from importlib.util import find_spec

import apsw
import numpy as np
import pytest

from engram.memory.scopes import Reach
from engram.storage.vectors.contract import are_of_unit_length
from engram.storage.vectors.held import HeldVectorReader
from engram.storage.vectors.loaded import LoadedVectors
from engram.storage.vectors.queue import queue_again
from engram.storage.vectors.recode import recode
from engram.storage.vectors.spaces import answering, read_spaces

SMALL = {"embedder": {"kind": "hashing", "hashing_dimension": 90}}
LARGE = {"embedder": {"kind": "hashing", "hashing_dimension": 128}}
THINGS = (
    "Ada keeps bees behind the house.", "Bruno plays the cello at night.",
    "Chen repairs radios on Sundays.", "Dalia is allergic to walnuts.",
    "Emeka takes the train to Porto.", "Freya paints doors in blue.",
    "Goran writes the monthly report.", "Hana runs before breakfast.",
)  # fmt: skip
ASKED = {"bees behind the house": 1, "radios on Sundays": 3, "train to Porto": 5, "report": 7}
KINDS = ["flat", "bits", pytest.param("ann", marks=pytest.mark.skipif(
    find_spec("usearch") is None, reason="the extra `ann` is not installed"))]  # fmt: skip


def raw(path, statement, *arguments):
    connection = apsw.Connection(str(path / "engram.db"))
    try:
        return connection.execute(statement, arguments).fetchall()
    finally:
        connection.close()


def filled(open_store, settings=SMALL):
    engram = open_store(settings=settings)
    engram.remember_many(list(THINGS), wait=True)
    return engram


def held(transaction, *numbers):
    """The ids of memories' vectors, and in how many bits each is."""
    wanted = {"space": answering(read_spaces(transaction)).space, "numbers": f"{list(numbers)}"}
    return {id_: bits for id_, _, _, bits, _ in transaction.rows("held_vectors", wanted)}


def kept_in(engram, bits, *numbers):
    """Keep the vectors of some memories in fewer bits; how many were."""
    with engram._parts.store.derive() as transaction:
        space = answering(read_spaces(transaction))
        return recode(transaction, space, held(transaction, *numbers), bits)


def mixed(engram):
    """Two vectors of each precision."""
    assert [kept_in(engram, 8, 3, 4), kept_in(engram, 4, 5, 6), kept_in(engram, 2, 7, 8)] == [2] * 3


def precisions(path):
    return [row[0] for row in raw(path, "SELECT bits FROM vectors ORDER BY number")]


def nearest(engram, loaded=None):
    """Which memory each question finds first."""
    with engram._parts.store.read(Reach(()), timeout_seconds=5) as see:
        view = (loaded or engram._parts.vectors).refresh(see.derived)
        embedder = engram._parts.embedding.embedder_for(view.space)
        found = {}
        for question in ASKED:
            near = view.search(see.derived, embedder.embed([question])[0], 1)
            found[question] = int(view.numbers[near.positions[0]])
        return found


def vectors_finding(engram):
    return next(each for each in engram.doctor().findings if each.name == "vectors")


# Search


@pytest.mark.parametrize("kind", KINDS)
def test_every_index_searches_rows_of_different_bits(open_store, store_path, kind):
    engram = filled(open_store)
    mixed(engram)

    loaded = LoadedVectors(lambda: kind)

    assert precisions(store_path) == [None, None, 8, 8, 4, 4, 2, 2]
    assert nearest(engram, loaded) == ASKED
    with engram._parts.store.read(Reach(()), timeout_seconds=5) as see:
        assert loaded.finds_itself(see.derived)


def test_recall_answers_from_rows_of_different_bits(open_store):
    engram = filled(open_store)
    mixed(engram)

    found = {asked: engram.recall(asked)[0].memory.number for asked in ASKED}

    assert found == ASKED


def test_memories_are_compared_with_each_other_at_length_one(open_store):
    engram = filled(open_store)
    mixed(engram)

    with engram._parts.store.read(Reach(()), timeout_seconds=5) as see:
        _, found = see.derived.answering_vectors(dict.fromkeys(range(1, 9), 1))

    assert sorted(found) == list(range(1, 9))
    assert are_of_unit_length(np.stack(list(found.values()))).all()


# Noticing


@pytest.mark.parametrize("kind", ["flat", "bits"])
def test_another_process_notices_that_vectors_are_in_other_bits(open_store, kind):
    engram, other = filled(open_store), open_store(settings=SMALL)
    loaded = LoadedVectors(lambda: kind)
    with other._parts.store.read(Reach(()), timeout_seconds=5) as see:
        before = loaded.refresh(see.derived)
        assert loaded.refresh(see.derived) is before

    mixed(engram)

    with other._parts.store.read(Reach(()), timeout_seconds=5) as see:
        after = loaded.refresh(see.derived)
        (seventh,) = after.ids[after.numbers == 7]
        question = see.derived.vectors_by_id(after.space, np.array([seventh]))[1][0]
        similarity = after.search(see.derived, question, 1).similarities[0]
    assert after is not before
    assert after.space.recoded == before.space.recoded + 6
    assert similarity == pytest.approx(float(question @ question), abs=1e-5)  # as it is now
    # Sketches need not be made anew for it, and whole vectors do.
    assert loaded.loads == (2 if kind == "flat" else 1)


def test_sketches_are_made_anew_when_a_vector_was_altered_as_well(open_store, store_path):
    engram = filled(open_store)
    loaded = LoadedVectors(lambda: "bits")
    assert nearest(engram, loaded) == ASKED

    mixed(engram)
    raw(store_path, "UPDATE vectors SET vector = vector WHERE number = 1")

    assert nearest(engram, loaded) == ASKED
    assert loaded.loads == 2


def test_a_reader_whose_view_is_older_is_served_by_what_is_held(open_store):
    engram = filled(open_store)
    loaded = LoadedVectors(lambda: "flat")
    with engram._parts.store.read(Reach(()), timeout_seconds=5) as early:
        early.derived.space_states()  # its view begins with its first read
        mixed(engram)
        with engram._parts.store.read(Reach(()), timeout_seconds=5) as late:
            view = loaded.refresh(late.derived)

        assert loaded.refresh(early.derived) is view
    assert loaded.loads == 1


# Fewer bits, and the way back


def test_lost_bits_are_never_written_back(open_store, store_path):
    engram = filled(open_store)
    assert kept_in(engram, 4, 1, 2) == 2
    before = raw(store_path, "SELECT vector FROM vectors WHERE number <= 2")

    assert kept_in(engram, 8, 1, 2) == 0
    assert kept_in(engram, 4, 1, 2) == 0

    assert raw(store_path, "SELECT vector FROM vectors WHERE number <= 2") == before
    assert kept_in(engram, 2, 1, 2) == 2


def test_what_has_changed_since_it_was_looked_at_is_left_alone(open_store, store_path):
    engram = filled(open_store)
    kept_in(engram, 8, 1)

    with engram._parts.store.derive() as transaction:
        space = answering(read_spaces(transaction))
        seen = dict.fromkeys([*held(transaction, 1, 2), 999])  # as if nothing had happened since
        done = recode(transaction, space, seen, 4)

    assert done == 1
    assert precisions(store_path)[:2] == [8, 4]


def test_a_row_that_cannot_be_read_is_left_for_the_doctor(open_store, store_path):
    engram = filled(open_store)
    raw(store_path, "UPDATE vectors SET vector = zeroblob(180) WHERE number = 1")

    assert kept_in(engram, 4, 1, 2) == 1

    assert precisions(store_path)[:2] == [None, 4]


def test_a_space_that_no_longer_answers_is_left_alone(open_store):
    engram = filled(open_store)
    with engram._parts.store.read(Reach(()), timeout_seconds=5) as see:
        old = answering(see.derived.space_states())
    engram.close()
    engram = open_store(settings=LARGE)
    engram.upkeep.embed()

    with engram._parts.store.derive() as transaction:
        assert recode(transaction, old, {1: None, 2: None}, 4) == 0


def test_a_wording_embedded_anew_takes_the_place_of_its_few_bits(open_store, store_path):
    engram = filled(open_store)
    full = raw(store_path, "SELECT vector FROM vectors WHERE number = 1")
    kept_in(engram, 4, 1)
    counted = raw(store_path, "SELECT vectors, highest, generation, recoded FROM spaces")

    with engram._parts.store.derive() as transaction:
        space = answering(read_spaces(transaction))
        assert queue_again(transaction, space, 1, 1)
        assert not queue_again(transaction, space, 1, 1)  # it waits already
        assert not queue_again(transaction, space, 2, 1)  # nothing of it was lost
        assert list(held(transaction, 1).values()) == [4]  # it answers until then
    engram.upkeep.embed()

    assert raw(store_path, "SELECT vector FROM vectors WHERE number = 1") == full
    assert precisions(store_path)[0] is None
    vectors, highest, generation, recoded = counted[0]
    assert raw(store_path, "SELECT vectors, highest, generation, recoded FROM spaces") == [
        (vectors, highest, generation, recoded + 1)
    ]
    assert engram.doctor().is_fine


def test_another_embedder_begins_with_all_bits(open_store, store_path):
    engram = filled(open_store)
    mixed(engram)
    engram.close()

    engram = open_store(settings=LARGE)
    engram.upkeep.embed()

    assert raw(store_path, "SELECT dimension FROM spaces WHERE state = 'active'") == [(128,)]
    assert raw(
        store_path,
        "SELECT count(*), count(v.bits) FROM vectors AS v JOIN spaces AS s ON s.space = v.space "
        "WHERE s.state = 'active'",
    ) == [(8, 0)]
    assert nearest(engram) == ASKED


def test_what_is_held_is_told_in_the_scope_that_is_asked(open_store):
    engram = filled(open_store)
    mixed(engram)
    inside, outside = Reach(chain=(engram.principal.scope.path,)), Reach(())

    told = []
    for reach in (inside, outside):
        with engram._parts.store.read(reach, timeout_seconds=5) as see:
            space = answering(see.derived.space_states())
            reader = see.vectors_held
            assert isinstance(reader, HeldVectorReader)
            memories = reader.memories_after(space, engram.principal.scope, 2, limit=4)
            told.append([(each.number, each.bits) for each in reader.of(space, memories)])

    assert told == [[(3, 8), (4, 8), (5, 4), (6, 4)], []]


# Doctor


def test_a_doctor_has_nothing_against_rows_of_different_bits(open_store):
    engram = filled(open_store)
    mixed(engram)

    assert vectors_finding(engram).is_fine
    assert engram.doctor(repair=True).is_fine


@pytest.mark.failure("F08")
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vectors SET vector = zeroblob(90) WHERE number = 3",
        "UPDATE vectors SET vector = zeroblob(45) WHERE number = 5",
        "UPDATE vectors SET vector = substr(vector, 2) WHERE number = 7",
        "UPDATE vectors SET bits = 8 WHERE number = 5",
        "UPDATE vectors SET bits = NULL WHERE number = 5",
        "UPDATE vectors SET bits = 4 WHERE number = 1",
    ],
)
def test_a_doctor_finds_damaged_codes_and_has_them_made_anew(open_store, store_path, damage):
    engram = filled(open_store)
    mixed(engram)
    raw(store_path, damage)

    assert "1 unsound" in vectors_finding(engram).detail
    assert engram.doctor(repair=True).is_fine
    engram.upkeep.embed()

    assert len([bits for bits in precisions(store_path) if bits is not None]) in (5, 6)
    assert nearest(engram) == ASKED


@pytest.mark.failure("F08")
@pytest.mark.parametrize("bits", [8, 4, 2])
@pytest.mark.parametrize("dimension", [7, 0, None, 2**40])
def test_a_damaged_dimension_is_told_from_codes_alone(open_store, store_path, bits, dimension):
    engram = filled(open_store, {"embedder": {"kind": "hashing", "hashing_dimension": 96}})
    assert kept_in(engram, bits, *range(1, 9)) == 8
    raw(store_path, "UPDATE spaces SET dimension = ?", dimension)

    assert engram.doctor(repair=True).is_fine

    assert raw(store_path, "SELECT dimension, vectors FROM spaces") == [(96, 8)]
    assert raw(store_path, "SELECT count(*) FROM pending_vectors") == [(0,)]
    assert nearest(engram) == ASKED


@pytest.mark.parametrize("dimension", [89, 90, 91])
def test_a_dimension_that_fits_its_codes_is_believed(open_store, store_path, dimension):
    engram = filled(open_store, {"embedder": {"kind": "hashing", "hashing_dimension": dimension}})
    kept_in(engram, 2, *range(1, 9))

    assert vectors_finding(engram).is_fine


def test_a_store_holds_no_bits_that_nobody_reads(open_store, store_path):
    filled(open_store)

    with pytest.raises(apsw.ConstraintError):
        raw(store_path, "UPDATE vectors SET bits = 3")
