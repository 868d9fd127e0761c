"""What skills compare situations with is embedded once."""

import time

import numpy as np
import pytest

from engram import Engram
from engram.memory.situation import read_situation
from engram.memory.skills import TriggerPattern
from engram.recall.known_triggers import KnownTriggers
from engram.recall.match_skills import similarities

from .samples import skill

TEXTS = ("bring a service into production", "water the garden", "file the taxes")


@pytest.fixture
def embedded(engram: Engram, monkeypatch) -> list[str]:
    """The texts that were embedded for skills, as they come."""
    for number, text in enumerate(TEXTS):
        engram.skills.add(skill(f"skill {number}", trigger=TriggerPattern(description=text)))
    engram.settle()
    texts: list[str] = []
    embedder = engram._parts.embedding.embedder
    embed = embedder.embed

    def counted(given: list[str]) -> object:
        texts.extend(given)
        return embed(given)

    monkeypatch.setattr(embedder, "embed", counted)
    return texts


def test_from_the_second_turn_on_the_situation_alone_is_embedded(engram, embedded):
    first = engram.skills.match("bring the mail service into production")
    second = engram.skills.match("water the garden please")
    again = engram.skills.match("bring the mail service into production")

    assert embedded[1:4] == list(TEXTS)
    assert embedded[4:] == [
        "water the garden please", "bring the mail service into production",
    ]  # fmt: skip
    assert [each.name for each in second] == ["skill 1"]
    assert [each.name for each in again] == [each.name for each in first] == ["skill 0"]
    assert again[0].score == pytest.approx(first[0].score)


def test_a_skill_that_compares_with_other_words_is_embedded_anew_and_no_other(engram, embedded):
    engram.skills.match("water the garden")
    embedded.clear()
    engram.skills.revise("skill 1", trigger=TriggerPattern(description="water the plants"))
    engram.settle()
    embedded.clear()

    found = engram.skills.match("water the plants")

    assert embedded == ["water the plants", "water the plants"]
    assert found[0].name == "skill 1"


def test_a_turn_embeds_no_trigger_twice(engram, embedded):
    for said in ("Please water the garden.", "And file the taxes, too."):
        with engram.turn("s", model="gpt-4o") as turn:
            turn.build(said)

    assert [embedded.count(text) for text in TEXTS] == [1, 1, 1]


class Slow:
    identity = "slow"
    is_prompt = False

    def __init__(self) -> None:
        self.seconds = 0.2
        self.asked: list[str] = []

    def embed(self, texts: list[str]) -> np.ndarray:
        time.sleep(self.seconds)
        self.asked += texts
        return np.ones((len(texts), 4), dtype=np.float32) / 2


def test_what_comes_too_late_for_one_turn_is_there_for_the_next(engram, embedded):
    slow, known, situation = Slow(), KnownTriggers(), read_situation("water the garden")
    with engram._view(None) as see:
        outlines = list(see.skills.outlines())

    _, late = similarities(situation, outlines, slow, known, 0.01)
    while len(known) < len(TEXTS):
        time.sleep(0.01)
    slow.seconds = 0.0
    near, soon = similarities(situation, outlines, slow, known, 5.0)

    assert (late, soon) == ("words", "meaning")
    assert slow.asked[-1] == "water the garden"
    assert slow.asked.count("file the taxes") == 1
    assert near == dict.fromkeys(TEXTS, 1.0)


def test_embedders_and_skills_have_vectors_of_their_own_and_the_table_is_bounded():
    known, vector = KnownTriggers(most=3), np.ones(4, dtype=np.float32)

    known.keep("one", 1, "a", vector)

    assert list(known.find("one", [(1, "a"), (1, "b")])) == ["a"]
    assert known.find("other", [(1, "a")]) == known.find("one", [(2, "a")]) == {}
    for number in range(2, 9):
        known.keep("one", number, "a", vector)
        known.find("one", [(2, "a")])
    assert len(known) == 3
    assert known.find("one", [(2, "a"), (1, "a")]).keys() == {"a"}
    assert known.find("one", [(1, "a")]) == {}


def test_vectors_hold_no_more_than_themselves():
    known, table = KnownTriggers(), np.ones((500, 4), dtype=np.float32)

    known.keep("one", 1, "a", table[7])

    assert known.find("one", [(1, "a")])["a"].base is None
