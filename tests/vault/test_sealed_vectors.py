"""Vectors tell what they were made of: those of protected memories are kept as safe as these."""

import numpy as np
import pytest

from engram import Engram
from engram.memory.people import Person
from engram.memory.vocabulary import Secrecy
from engram.parts import VECTOR_CACHE
from engram.providers.choose import is_elsewhere
from engram.providers.hashing import HashingEmbedder
from engram.providers.options import EmbedderOptions
from engram.storage.record_cipher import is_sealed
from engram.storage.resealing import resealed
from engram.storage.vectors.recode import recode
from engram.storage.vectors.spaces import answering, read_spaces
from vault.sealed import holding

SECRET = "the spare quokkahouse key lies under the zebrapot"
OPEN = "the committee meets on Tuesdays in the library"


@pytest.fixture
def engram(tmp_path):
    with Engram.open(tmp_path / "store") as engram:
        yield engram


def vectors(engram, number):
    with engram._store.database.reading(5) as transaction:
        sql = "SELECT vector FROM vectors WHERE number = ? ORDER BY id"
        return [row[0] for row in transaction._connection.execute(sql, (number,))]


def unsealed(engram, number):
    with engram._store.database.reading(5) as transaction:
        return [row[1] for row in transaction.rows("vectors_to_reseal", {"number": number})]


def remembered(engram, text, **fields):
    memory = engram.remember(text, **fields).memory
    engram._parts.embedding.settle()
    return memory


def test_they_are_sealed_and_those_of_other_memories_are_not(engram):
    hidden = remembered(engram, SECRET, secrecy="confidential")
    shown = remembered(engram, OPEN)

    assert vectors(engram, hidden.number)
    assert all(map(is_sealed, vectors(engram, hidden.number)))
    assert not any(map(is_sealed, vectors(engram, shown.number)))


def test_no_byte_of_one_lies_in_any_file(engram, tmp_path):
    hidden = remembered(engram, SECRET, secrecy="confidential")
    raw = unsealed(engram, hidden.number)
    engram.close()

    files = b"".join(
        each.read_bytes() for each in (tmp_path / "store").rglob("*") if each.is_file()
    )
    assert all(vector not in files for vector in raw)
    assert all(vector[64:128] not in files for vector in raw if len(vector) > 128)
    assert holding(tmp_path, "quokkahouse") == []


def test_loaded_they_are_what_the_embedder_made(engram):
    hidden = remembered(engram, SECRET, secrecy="sensitive")
    with engram._store.database.reading(5) as transaction:
        space = answering(read_spaces(transaction))
    made = HashingEmbedder(dimension=space.dimension).embed([SECRET])[0]
    read = np.frombuffer(unsealed(engram, hidden.number)[0], dtype="<f2").astype(np.float32)

    assert float(read @ made) == pytest.approx(1.0, abs=0.01)


def test_in_fewer_bits_they_stay_sealed(engram):
    hidden = remembered(engram, SECRET, secrecy="confidential")
    with engram._store.derive() as transaction:
        space = answering(read_spaces(transaction))
        ids = [row[0] for row in transaction._connection.execute("SELECT id FROM vectors")]
        assert recode(transaction, space, dict.fromkeys(ids), 8) == len(ids)

    assert all(map(is_sealed, vectors(engram, hidden.number)))
    assert [hit.memory.id for hit in engram.recall("where is the spare key?")] == [hidden.id]


def test_where_the_key_is_gone_others_are_still_found_by_meaning(engram):
    hidden = remembered(engram, SECRET, secrecy="confidential", subject="Ada")
    shown = remembered(engram, OPEN)
    engram._parts.place.vault.destroy([Person("/", "ada")])

    with Engram.open(engram._parts.place.root) as later:
        found = [hit.memory.id for hit in later.recall("when does the committee meet?")]
        assert found == [shown.id]
        assert hidden.id not in [hit.memory.id for hit in later.recall("spare key zebrapot")]


def test_no_index_is_kept_on_disk_while_protected_vectors_are_in_a_plain_store(tmp_path):
    settings = {"embedder": {"kind": "hashing", "index": "ann"}}
    cache = tmp_path / "store" / VECTOR_CACHE
    with Engram.open(tmp_path / "store", settings=settings) as engram:
        for number in range(40):
            engram.remember(f"{OPEN} number {number}")
        engram._parts.embedding.settle()
        engram.recall("committee")
        without = cache.read_bytes()  # otherwise this would show nothing
        remembered(engram, SECRET, secrecy="confidential")
        engram.recall("spare key")
        assert cache.read_bytes() == without
    with Engram.open(tmp_path / "store", settings=settings) as engram:
        assert not cache.exists()
        engram.recall("spare key")
    assert not cache.exists()


def test_moved_to_another_tier_the_vectors_follow(engram):
    memory = remembered(engram, SECRET)
    before = vectors(engram, memory.number)
    for secrecy, is_hidden in ((Secrecy.CONFIDENTIAL, True), (Secrecy.CLEARTEXT, False)):
        with engram._store.database.writing() as transaction:
            resealed(transaction, memory.number, secrecy)
        kept = vectors(engram, memory.number)
        assert [is_sealed(each) for each in kept] == [is_hidden] * len(before)
    assert kept == before
    assert [hit.memory.id for hit in engram.recall("where is the spare key?")] == [memory.id]


def test_the_doctor_finds_sealed_vectors_sound_and_mends_those_that_are_missing(engram):
    hidden = remembered(engram, SECRET, secrecy="confidential")
    place = engram._parts.place
    finding = {each.name: each for each in place.inspect()}["vectors"]
    assert finding.is_fine, finding.detail
    with engram._store.derive() as transaction:
        transaction._connection.execute("DELETE FROM vectors")
        transaction.run("recount_vectors", {})
    assert not {each.name: each for each in place.inspect()}["vectors"].is_fine

    place.repair(["derived"])
    engram._parts.embedding.settle()

    assert {each.name: each for each in place.inspect()}["vectors"].is_fine
    assert all(map(is_sealed, vectors(engram, hidden.number)))


def test_a_text_whose_key_is_gone_is_not_embedded_and_does_not_wait(engram):
    engram._parts.embedding.close()
    engram.remember(SECRET, secrecy="confidential", subject="Ada")
    engram._parts.place.vault.destroy([Person("/", "ada")])
    root = engram._parts.place.root
    engram.close()

    with Engram.open(root) as later:
        assert later._parts.embedding.settle()
        with later._store.database.reading(5) as transaction:
            assert transaction._connection.execute("SELECT count(*) FROM vectors").fetchall() == [
                (0,)
            ]


class Elsewhere:
    """An embedder that notes what it was sent."""

    identity, dimension, is_loaded, is_prompt = "elsewhere", 384, True, True

    def __init__(self):
        self.sent = []
        self._embedder = HashingEmbedder()

    def embed(self, texts):
        self.sent += texts
        return self._embedder.embed(texts)

    def warm(self):
        pass

    def close(self):
        pass


def test_protected_texts_do_not_go_to_an_embedder_on_another_machine(engram):
    for url, is_other in (
        ("https://models.example/v1", True), ("http://localhost:11434/v1", False),
        ("http://127.0.0.1:1/v1", False), ("nonsense", True),
    ):  # fmt: skip
        assert is_elsewhere(EmbedderOptions(kind="url", url=url)) is is_other
    assert not is_elsewhere(EmbedderOptions(kind="builtin", url="https://models.example/v1"))

    worker, embedder = engram._parts.embedding, Elsewhere()
    worker.embedder, worker._sends_protected = embedder, False
    engram.remember(SECRET, secrecy="confidential")
    shown = engram.remember(OPEN).memory
    assert worker.settle()

    assert not any("zebrapot" in text for text in embedder.sent)
    assert len(vectors(engram, shown.number)) == 1
    finding = {each.name: each for each in engram._parts.place.inspect()}["vectors"]
    assert finding.is_fine, finding.detail


def test_once_they_may_be_sent_what_was_left_out_is_embedded(engram):
    worker = engram._parts.embedding
    worker._sends_protected = False
    hidden = engram.remember(SECRET, secrecy="confidential").memory
    assert worker.settle()
    assert vectors(engram, hidden.number) == []

    worker._sends_protected = True
    worker.arrange()
    worker.settle()

    assert all(map(is_sealed, vectors(engram, hidden.number)))
    assert vectors(engram, hidden.number)


def test_raised_in_another_process_words_find_it_no_more(engram):
    memory = remembered(engram, SECRET)
    assert [hit.memory.id for hit in engram.recall("zebrapot")] == [memory.id]
    with Engram.open(engram._parts.place.root) as other:
        other.set_tier(memory.id, "confidential")

    hits = (
        engram.recall("zebrapot", known_at=memory.recorded_at).hits + engram.recall("zebrapot").hits
    )
    told = [signal.detail for hit in hits for signal in hit.why.signals]
    assert not any("zebrapot" in detail for detail in told)


def test_the_doctor_finds_what_of_a_protected_memory_lies_open_and_takes_it_away(engram):
    hidden = remembered(engram, SECRET, secrecy="confidential")
    place = engram._parts.place
    assert {each.name: each for each in place.inspect()}["protected"].is_fine
    raw = unsealed(engram, hidden.number)[0]
    with engram._store.derive() as transaction:
        run = transaction._connection.execute
        run("UPDATE vectors SET vector = ?", (raw,))
    finding = {each.name: each for each in place.inspect()}["protected"]
    assert finding.detail == "lying open: 1 vectors, 0 names, 0 confirmations"

    place.repair(["derived"])
    engram._parts.embedding.settle()

    assert {each.name: each for each in place.inspect()}["protected"].is_fine
    assert all(map(is_sealed, vectors(engram, hidden.number)))
