"""Recall finds protected memories by what may be known of them, and each showing is audited."""

import re

import pytest

from engram import Engram
from engram.memory.changes import Action
from engram.memory.people import Person

CONFIDENTIAL = "The spare quokkahouse key lies under the zebrapot by the door"
SENSITIVE = "Ada's illness is narcolepsia and she takes modafix for it"
SUMMARY = "about the health of a colleague"
OPEN = "The committee meets on Tuesdays in the library"


@pytest.fixture
def engram(tmp_path):
    with Engram.open(tmp_path / "store") as engram:
        for number in range(12):
            engram.remember(f"Somebody planted {number} tulips in garden bed number {number}")
        engram.remember(OPEN)
        engram._hidden = engram.remember(CONFIDENTIAL, secrecy="confidential", subject="Ada").memory
        engram._delicate = engram.remember(
            SENSITIVE, secrecy="sensitive", summary=SUMMARY, subject="Ada"
        ).memory
        engram._parts.embedding.settle()
        yield engram


def found(engram, question, **conditions):
    return [hit.memory.id for hit in engram.recall(question, **conditions)]


def unsealed(engram):
    engram._parts.access_log.flush()
    return [entry.memory_id for entry in engram.audit(action="unseal", limit=100)]


def test_a_sensitive_one_is_found_by_the_words_of_its_summary(engram):
    hit = engram.recall("health of a colleague").hits[0]

    assert hit.memory.id == engram._delicate.id
    assert hit.memory.content == SENSITIVE
    told = {signal.name: signal.detail for signal in hit.why.signals}
    assert told["protected"].startswith("sensitive: found by its summary")


def test_both_are_found_by_their_meaning(engram):
    assert engram._hidden.id in found(engram, "where is the spare key for the house?")
    assert engram._delicate.id in found(engram, "which illness does she take something for?")


def test_what_is_told_of_a_confidential_one_names_none_of_its_words(engram):
    hits = engram.recall("spare quokkahouse key zebrapot").hits
    hit = next(hit for hit in hits if hit.memory.id == engram._hidden.id)
    told = {signal.name: signal.detail for signal in hit.why.signals}

    assert told["protected"] == "confidential: found by its meaning, never by its words"
    assert "zebrapot" not in told.get("text", "")
    assert "zebrapot" not in told.get("coverage", "")


def test_without_meaning_their_own_words_find_neither(tmp_path, engram):
    root = engram._parts.place.root
    engram.close()
    with Engram.open(root, settings={"embedder": {"kind": "none"}}) as degraded:
        assert found(degraded, "quokkahouse zebrapot spare key") == []
        assert engram._delicate.id not in found(degraded, "narcolepsia modafix illness")
        assert engram._delicate.id in found(degraded, "health of a colleague")


def test_with_the_key_gone_neither_is_found_nor_shown(engram):
    engram._parts.place.vault.destroy([Person("/", "ada")])

    assert engram._hidden.id not in found(engram, "where is the spare key for the house?")
    assert engram._delicate.id not in found(engram, "health of a colleague")
    assert engram.get(engram._hidden.id) is None
    gone = {engram._hidden.id, engram._delicate.id}
    assert gone.isdisjoint(memory.id for memory in engram.list())


SHOWING = {
    "get": lambda engram: engram.get(engram._hidden.id),
    "list": lambda engram: engram.list(),
    "history": lambda engram: engram.history(engram._hidden.id),
    "recall": lambda engram: engram.recall("where is the spare key for the house?"),
    "why": lambda engram: engram.why("spare key", engram._hidden.id),
    "importance": lambda engram: engram.importance(engram._hidden.id),
    "links": lambda engram: engram.links(engram._hidden.id),
    "drawn": lambda engram: engram.drawn(engram._hidden.id),
    "timeline": lambda engram: engram.timeline("where is the spare key for the house?"),
    "reason": lambda engram: engram.reason("where is the spare key for the house?"),
}


@pytest.mark.parametrize("way", SHOWING)
def test_each_showing_is_audited_by_memory_and_never_with_text(engram, way):
    assert unsealed(engram) == []

    SHOWING[way](engram)

    engram._parts.access_log.flush()
    entries = engram.audit(action="unseal", limit=100)
    assert engram._hidden.id in {entry.memory_id for entry in entries}
    assert {entry.memory_id for entry in entries} <= {engram._hidden.id, engram._delicate.id}
    assert all(entry.action == Action.UNSEAL and entry.count == 1 for entry in entries)
    assert not re.search("quokka|zebra|narcolep", repr(entries))
    assert engram._store.verify_audit(timeout_seconds=5).is_intact


def test_what_shows_nothing_protected_is_not_an_unsealing(engram):
    engram.get("mem-0001")
    engram.recall("how many tulips were planted in garden bed number 3?", limit=1)
    engram.stats()

    assert unsealed(engram) == []


def test_a_word_of_a_sensitive_text_does_not_help_its_rank(engram):
    """Only meaning and the summary count: otherwise an order of hits would tell words."""
    hits = engram.recall("modafix", limit=20).hits
    for hit in hits:
        if hit.memory.id == engram._delicate.id:
            assert all("modafix" not in signal.detail for signal in hit.why.signals)


def test_health_says_when_protected_memories_cannot_be_read(engram):
    def told():
        return {check.name: check.state for check in engram.health().checks}.get("vault")

    assert told() == "ok"
    (engram._parts.place.root / "vault.db").rename(engram._parts.place.root / "vault.elsewhere")
    engram._parts.place.vault.close()
    assert told() == "failing"
    assert engram.get(engram._hidden.id) is None
    assert engram.get("mem-0001") is not None
    (engram._parts.place.root / "vault.elsewhere").rename(engram._parts.place.root / "vault.db")
    assert told() == "ok"
    assert engram.get(engram._hidden.id).content == CONFIDENTIAL
