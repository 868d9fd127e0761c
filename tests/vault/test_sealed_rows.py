"""Protected memories in the store: every reader sees them, and no byte of the files tells them."""

import re
import stat
from contextlib import suppress

import apsw
import pytest
from clock import START

from engram import Engram
from engram.errors import BackupFailed, StatementTaken, VaultUnreadable
from engram.language.lexicon import query_terms
from engram.memory.changes import Action
from engram.memory.people import Person, person_of
from engram.memory.scopes import Scope
from engram.memory.vocabulary import MemoryType, Secrecy
from engram.storage.conditions import Filters, Moments
from engram.storage.place import StoreKeys
from engram.storage.queries import load_queries
from engram.storage.resealing import resealed
from engram.storage.sealing import sealable_columns
from engram.storage.unit import Evidence
from engram.wiring import restore_store
from vault.sealed import EVERYTHING, holding, open_place, open_store, put

SECRET = "Ada keeps the quokkahouse key under the zebrapot"
PROTECTED = (Secrecy.SENSITIVE, Secrecy.CONFIDENTIAL)
ADA = Person("/", "ada")


@pytest.fixture
def place(tmp_path):
    place = open_place(tmp_path / "store")
    yield place
    place.close()


@pytest.fixture
def store(place):
    return open_store(place)


def read(store, memory):
    with store.read(EVERYTHING, timeout_seconds=5) as see:
        return see.memory(memory.id)


def search(see, words):
    types = tuple(MemoryType)
    found = see.search_text(query_terms(words), Moments(now=START), Filters(), types=types, limit=9)
    return [match.memory.number for match in found]


@pytest.mark.parametrize("secrecy", PROTECTED)
def test_it_comes_back_as_it_was_put_in_and_lies_there_sealed(store, place, secrecy):
    memory = put(
        store, SECRET, secrecy=secrecy, subject="Ada", summary="where something lies",
        metadata={"room": "wombatroom", "floor": 3},
    )  # fmt: skip

    assert read(store, memory) == memory
    assert holding(place.root, "quokkahouse", "zebrapot", "wombatroom", "quokkahous") == []
    assert bool(holding(place.root, "where something lies")) is (secrecy is Secrecy.SENSITIVE)


def test_every_reader_of_memories_unseals_and_says_where():
    """A query that names a sealable column in a part only would hand out what is sealed."""
    for name, statement in load_queries("sqlite").items():
        columns = sealable_columns(name, statement)
        reads = "sealed_content" in statement and "sealable_" not in statement
        is_known = name in {
            "insert_state", "newest_sealed", "sealed_wording", "has_sealed",
            "sealed_records_after", "reseal_state", "newest_sealed_records", "missing_vectors",
            "lying_open", "drop_open_vectors", "drop_open_mentions",
                "seals_of_listed", "seals_kept",
        }  # fmt: skip
        assert not reads or is_known or name.startswith(("rewrap", "erase")), name
        assert all(place >= 0 for place in columns.places)


def test_the_places_of_sealable_columns_are_those_that_the_engine_gives_out(place):
    with place.database.reading(5) as transaction:
        connection = transaction._connection
        told = []

        def note(cursor, _statement, _bindings):
            told.append([each[0] for each in cursor.get_description()])
            return False  # do not run it

        connection.exec_trace = note
        for name, statement in load_queries("sqlite").items():
            wanted = sealable_columns(name, statement).places
            if wanted:
                names = set(re.findall(r":([a-z_0-9]+)", statement))
                with suppress(apsw.ExecTraceAbort):
                    connection.execute(statement, dict.fromkeys(names))
                given = [at for at, each in enumerate(told[-1]) if each.startswith("sealable_")]
                assert tuple(given) == wanted, name
        connection.exec_trace = None
    assert len(told) > 40


@pytest.mark.parametrize("secrecy", PROTECTED)
def test_the_text_index_knows_the_summary_of_a_sensitive_one_and_nothing_else(store, secrecy):
    memory = put(store, SECRET, secrecy=secrecy, summary="about a hiding place")

    with store.read(EVERYTHING, timeout_seconds=5) as see:
        assert search(see, "quokkahouse key") == []
        expected = [memory.number] if secrecy is Secrecy.SENSITIVE else []
        assert search(see, "hiding place") == expected


def test_a_sensitive_one_without_a_summary_is_in_no_index(store):
    put(store, SECRET, secrecy=Secrecy.SENSITIVE)

    with store.database.reading(5) as transaction:
        assert transaction.rows("indexable_states", {"after": 0, "limit": 9}) == []
        assert transaction.rows("missing_traits", {})[0][0] == 0


def test_when_the_key_is_gone_the_memory_is_as_if_it_were_not_there(store, place):
    gone = put(store, SECRET, secrecy=Secrecy.SENSITIVE, subject="Ada", summary="hiding place")
    other = put(store, "Bob's secret", secrecy=Secrecy.CONFIDENTIAL, subject="Bob")
    plain = put(store, "an open word")

    assert place.vault.destroy([ADA]) == 1

    assert read(store, gone) is None
    with store.read(EVERYTHING, timeout_seconds=5) as see:
        assert search(see, "hiding place") == []
        assert see.history(gone.id) == []
        listed = see.listing(Moments(now=START), Filters(), status=None, limit=9)
        assert {memory.number for memory in listed} == {other.number, plain.number}
    finding = next(each for each in place.inspect() if each.name == "vault")
    assert not finding.is_fine
    assert finding.detail == "1 of 2 protected states cannot be read: their keys are gone"


def test_a_record_that_was_altered_is_not_shown(store, place):
    memory = put(store, SECRET, secrecy=Secrecy.CONFIDENTIAL)
    with store.database.writing() as transaction:
        transaction._connection.execute(
            "UPDATE memories SET"
            " sealed_content = substr(sealed_content, 1, length(sealed_content) - 1)"
        )

    assert read(store, memory) is None


def test_a_backup_tells_nothing_without_the_vault(store, place, tmp_path):
    memory = put(store, SECRET, secrecy=Secrecy.CONFIDENTIAL, subject="Ada", metadata={"a": "b"})
    plain = put(store, "an open word")
    made = place.back_up(tmp_path / "elsewhere" / "copy.db")
    target = tmp_path / "new"
    target.mkdir()
    made.path.rename(target / "engram.db")

    other = open_place(target)
    try:
        assert read(open_store(other), memory) is None
        assert read(open_store(other), plain) is not None
        assert "vault.db is missing" in next(
            each.detail for each in other.inspect() if each.name == "vault"
        )
        # and once the lost vault is given up, what is said from now on can be protected
        with pytest.raises(VaultUnreadable):
            put(open_store(other), "another secret", secrecy=Secrecy.CONFIDENTIAL)
        other.repair(["vault"])
        again = put(open_store(other), "another secret", secrecy=Secrecy.CONFIDENTIAL)
        assert read(open_store(other), again) is not None
    finally:
        other.close()
    assert holding(tmp_path, "quokkahouse", "zebrapot") == []


def test_what_was_derived_hangs_on_the_keys_of_all_it_was_made_from(store, place):
    bob = Person("/", "bob")
    memory = put(store, SECRET, people=[bob], secrecy=Secrecy.SENSITIVE, subject="Ada")
    with store.write(EVERYTHING, actor="tester", now=START) as unit:
        assert set(unit.people_of(memory)) == {ADA, bob}
        unit.begin_change(Action.PIN, Scope(), "")
        changed = unit.replace(memory, is_pinned=True)
    assert read(store, changed).is_pinned

    place.vault.destroy([bob])

    assert read(store, memory) is None


def test_a_new_state_is_sealed_as_well_and_undoing_brings_the_old_one_back(store, place):
    memory = put(store, SECRET, secrecy=Secrecy.CONFIDENTIAL, subject="Ada")
    with store.write(EVERYTHING, actor="tester", now=START) as unit:
        unit.begin_change(Action.REVISE, Scope(), "")
        newer = unit.replace(memory, content="now under the wallabystone", version=2)
    with store.write(EVERYTHING, actor="tester", now=START) as unit:
        unit.begin_change(Action.UNDO, Scope(), "")
        unit.withdraw(newer)
        unit.restore(memory, after=newer.recorded_at)

    with store.read(EVERYTHING, timeout_seconds=5) as see:
        told = [entry.memory.content for entry in see.history(memory.id)]
    assert told == [SECRET, "now under the wallabystone", SECRET]
    assert holding(place.root, "quokkahouse", "wallabystone") == []


def test_evidence_in_other_words_is_sealed(store, place):
    memory = put(store, SECRET, secrecy=Secrecy.CONFIDENTIAL)
    with store.write(EVERYTHING, actor="tester", now=START) as unit:
        unit.begin_change(Action.CONFIRM, Scope(), "")
        evidence = Evidence(START, "manual", None, None, "the key is beneath the zebrapot")
        unit.confirm(memory, evidence)

    with store.database.reading(5) as transaction:
        rows = transaction.rows("evidence_to_reseal", {"number": memory.number})
    assert [row[1] for row in rows] == ["the key is beneath the zebrapot"]
    assert holding(place.root, "zebrapot", "beneath") == []


def test_digests_of_protected_texts_cannot_be_compared_with_those_of_others(store):
    for subject, secrecy in (("Ada", *PROTECTED[:1]), ("Bob", *PROTECTED[:1])):
        put(store, SECRET, secrecy=secrecy, subject=subject, identity=subject.encode())

    with store.database.reading(5) as transaction:
        digests = [row[0] for row in transaction._connection.execute("SELECT digest FROM audit")]
    assert len(set(digests)) == 2


def test_a_protected_statement_is_known_again_under_its_tag(store):
    with store.write(EVERYTHING, actor="tester", now=START) as unit:
        tag = unit.tagged(b"identity", ADA)
    put(store, SECRET, secrecy=Secrecy.CONFIDENTIAL, subject="Ada", identity=tag)

    with store.write(EVERYTHING, actor="tester", now=START) as unit:
        assert unit.tagged(b"identity", ADA) == tag
        found = unit.see.same_statement(tag, Scope())
        assert found is not None
        assert person_of(found) == ADA
        with pytest.raises(StatementTaken):
            unit._write_next_state(found.replaced(number=99, id="other"))


# another tier


def _all_rows(store, number):
    with store.database.reading(5) as transaction:
        return transaction._connection.execute(
            "SELECT content, summary, metadata, secrecy FROM memories WHERE number = ?", (number,)
        ).fetchall()


@pytest.fixture
def changed(store):
    """A memory with two wordings, a vector, claims, mentions and evidence."""
    memory = put(store, SECRET, subject="Ada", metadata={"room": "wombatroom"})
    with store.write(EVERYTHING, actor="tester", now=START) as unit:
        unit.begin_change(Action.REVISE, Scope(), "")
        memory = unit.replace(memory, content="Ada lives in Wallabytown", version=2)
        unit.begin_change(Action.CONFIRM, Scope(), "")
        unit.confirm(memory, Evidence(START, "manual", None, None, "Wallabytown is her home"))
    with store.derive() as transaction:
        transaction._connection.execute(
            "INSERT INTO spaces (identity, dimension, metric, precision, state, recipe, created_at)"
            " VALUES ('x', 2, 'cosine', 'f32', 'active', '{}', 0)"
        )
        transaction._connection.execute(
            "INSERT INTO vectors (space, number, version, part, vector) VALUES (1, ?, 2, 0, ?)",
            (memory.number, b"VECTORBY"),
        )
    return memory


def test_raised_every_state_and_all_that_is_derived_is_sealed(store, place, changed):
    words = ("quokkahouse", "zebrapot", "wombatroom", "wallabytown", "VECTORBY", "quokkahous")
    with store.database.writing() as transaction:
        assert resealed(transaction, changed.number, Secrecy.CONFIDENTIAL) == 2

    with store.read(EVERYTHING, timeout_seconds=5) as see:
        told = [entry.memory for entry in see.history(changed.id)]
        assert [memory.content for memory in told] == [SECRET, "Ada lives in Wallabytown"]
        assert {memory.secrecy for memory in told} == {Secrecy.CONFIDENTIAL}
        assert told[0].metadata == {"room": "wombatroom"}
        assert search(see, "quokkahouse wallabytown") == []
    with store.database.reading(5) as transaction:
        vectors = transaction.rows("vectors_to_reseal", {"number": changed.number})
        assert [row[1] for row in vectors] == [b"VECTORBY"]
    assert {row[0] for row in _all_rows(store, changed.number)} == {None}
    store.close()
    place.close()
    assert holding(place.root, *words) == []


def test_lowered_all_of_it_is_in_the_clear_again(store, place, changed):
    for secrecy in (Secrecy.CONFIDENTIAL, Secrecy.SENSITIVE, Secrecy.CLEARTEXT):
        with store.database.writing() as transaction:
            resealed(transaction, changed.number, secrecy)

    with store.read(EVERYTHING, timeout_seconds=5) as see:
        assert search(see, "wallabytown") == [changed.number]
        assert see.memory(changed.id) == changed.replaced(usage=see.memory(changed.id).usage)
    assert [each for each in place.inspect() if not each.is_fine and each.name != "vectors"] == []
    with store.database.reading(5) as transaction:
        raw = transaction._connection.execute("SELECT vector FROM vectors").fetchall()
    assert raw == [(b"VECTORBY",)]


def test_a_change_of_tier_that_fails_changes_nothing(store, changed):
    before = _all_rows(store, changed.number)

    def fail():
        with store.database.writing() as transaction:
            resealed(transaction, changed.number, Secrecy.CONFIDENTIAL)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert _all_rows(store, changed.number) == before


def test_doctor_and_index_repair_know_summaries(store, place):
    put(store, SECRET, secrecy=Secrecy.SENSITIVE, summary="about a hiding place", subject="Ada")
    put(store, "other secret", secrecy=Secrecy.CONFIDENTIAL)
    put(store, "an open word")
    names = {"index and rows", "traits", "vault", "text index"}
    assert all(each.is_fine for each in place.inspect() if each.name in names)

    assert place.repair(["text_index"]) == ["text index rebuilt from 2 states"]

    assert all(each.is_fine for each in place.inspect() if each.name in names)
    with store.read(EVERYTHING, timeout_seconds=5) as see:
        assert len(search(see, "hiding place")) == 1
        assert search(see, "quokkahouse") == []


def test_a_salvaged_store_still_has_its_protected_memories(store, place):
    memory = put(store, SECRET, secrecy=Secrecy.SENSITIVE, summary="hiding place", subject="Ada")
    from engram.storage.sqlite.repair import salvage

    with place._alone():
        saved = salvage(place, START, at_least=0)

    assert saved.rows["memories"] == 1
    assert read(store, memory).content == SECRET
    assert holding(place.root, "quokkahouse") == []


def test_in_an_encrypted_store_the_vault_is_encrypted_too(tmp_path):
    keys = StoreKeys(bytes(range(32)), bytes(range(32, 64)))
    place = open_place(tmp_path / "store", keys)
    memory = put(open_store(place), SECRET, secrecy=Secrecy.CONFIDENTIAL, subject="Augusta Ada")
    place.close()

    assert not (tmp_path / "store" / "vault.db").read_bytes().startswith(b"SQLite")
    assert holding(tmp_path, "quokkahouse", "augusta") == []
    again = open_place(tmp_path / "store", keys)
    assert read(open_store(again), memory).content == SECRET
    again.close()


# moving to another machine


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_a_backup_with_keys_can_be_read_elsewhere(tmp_path, is_encrypted):
    with Engram.open(tmp_path / "here", passphrase="pw" if is_encrypted else None) as engram:
        memory = engram.remember(SECRET, secrecy="confidential", subject="Augusta Ada").memory
        engram.backup(tmp_path / "with.db", with_keys=True)
        engram.backup(tmp_path / "without.db")
        with pytest.raises(BackupFailed):
            engram.backup(with_keys=True)
    kept = tmp_path / "with.db.vault.db"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert (b"augusta" in kept.read_bytes()) is not is_encrypted

    passphrase = "pw" if is_encrypted else None
    for name, content in (("with", SECRET), ("without", None)):
        restore_store(tmp_path / name, tmp_path / f"{name}.db", passphrase=passphrase)
        with Engram.open(tmp_path / name, passphrase=passphrase) as engram:
            found = engram.get(memory.id)
            assert (found and found.content) == content


def test_keys_that_came_along_never_replace_those_that_are_there(tmp_path):
    with Engram.open(tmp_path / "here") as engram:
        memory = engram.remember(SECRET, secrecy="confidential", subject="Ada").memory
        engram.backup(tmp_path / "with.db", with_keys=True)
        engram._parts.place.vault.destroy([ADA])
        engram.restore(tmp_path / "with.db")
        assert engram.get(memory.id) is None
