"""Bridges: guesses with evidence, kept as guesses."""

import dataclasses
from datetime import timedelta

import numpy as np
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from test_tree import Scripted

from engram.memory.dreams.bridging import Side, joint, spans, told_by_rule, word_counts
from engram.memory.dreams.report import Step
from engram.memory.vocabulary import Status

_FIRST = (
    "Marisol runs the Tallinn office and orders from Zephyrix.",
    "Marisol signed the contract in Tallinn.",
    "Marisol hired two people last spring.",
)
_SECOND = (
    "Project Heron bought sensors from Zephyrix.",
    "Project Heron measures the lake.",
    "Project Heron has a budget for sensors.",
)


def told(engram) -> None:
    for text in (*_FIRST, *_SECOND, "The kettle is green.", "Lunch is at noon."):
        engram.remember(text)
    engram.settle()


def apart(night):
    """The night with vectors in which the two things are neither near nor far."""

    def vectors(see):
        found = {}
        for each in night.statements(see):
            angle = 0.0 if "Marisol" in each.content else np.arccos(0.82)
            if "Heron" not in each.content and "Marisol" not in each.content:
                angle = np.pi / 2 + 0.3
            found[each.number] = np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)
        return found

    return dataclasses.replace(night, vectors=vectors)


def side(engram, key: str, word: str, centre: tuple[float, float]) -> Side:
    members = tuple(each for each in engram.list(limit=50) if word in each.content)
    return Side(key, word, members, np.array(centre, dtype=np.float32))


class TestRules:
    def test_only_what_is_at_the_right_distance_and_not_joined_is_a_span(self, engram):
        told(engram)
        near, right, far = (1.0, 0.05), (0.82, 0.572), (0.0, 1.0)
        sides = [side(engram, "marisol", "Marisol", (1.0, 0.0))]

        counts = [
            len(spans([*sides, side(engram, "heron", "Heron", where)], set()))
            for where in (near, right, far)
        ]

        assert counts == [0, 1, 0]

    def test_linked_things_are_known_to_each_other(self, engram):
        told(engram)
        sides = [
            side(engram, "marisol", "Marisol", (1.0, 0.0)),
            side(engram, "heron", "Heron", (0.82, 0.572)),
        ]

        assert spans(sides, {frozenset((1, 4))}) == []

    def test_a_rare_word_on_both_sides_joins_them_and_a_common_one_does_not(self, engram):
        told(engram)
        sides = [
            side(engram, "marisol", "Marisol", (1.0, 0.0)),
            side(engram, "heron", "Heron", (0.82, 0.572)),
        ]
        span = spans(sides, set())[0]
        counts = word_counts(engram.list(limit=50))

        found = joint(span, counts, 8)

        assert found.word == "Zephyrix"
        assert {each.number for each in found.sources} == {1, 4}
        assert "Zephyrix" in told_by_rule(span, found)
        assert joint(span, dict.fromkeys(counts, 100), 8) is None


class TestThePass:
    def test_a_guess_rests_on_its_sources_and_is_speculative(self, engram):
        told(engram)
        night = apart(night_of(engram))
        before = logical_dump(engram)

        changes = carried_out(engram, planned_by(engram, Step.BRIDGES, night), night)

        made = [each for each in engram.list(limit=50) if each.source == "dream:bridges"]
        assert len(made) == 1
        assert made[0].confidence < 0.4
        assert made[0].category == "relationship"
        links = [each for each in engram.links(made[0].id) if each.relation == "derived_from"]
        assert {each.to_label for each in links} == {"mem-0001", "mem-0004"}
        for change in reversed(changes):
            engram.undo(change)
        assert logical_dump(engram) == before

    def test_the_same_two_are_guessed_at_once(self, engram, clock):
        told(engram)
        night = apart(night_of(engram))
        carried_out(engram, planned_by(engram, Step.BRIDGES, night), night)

        assert planned_by(engram, Step.BRIDGES, apart(night_of(engram))).decisions == ()
        made = next(each for each in engram.list(limit=50) if each.source == "dream:bridges")
        engram.forget(made.id)
        clock.advance(days=40)
        assert planned_by(engram, Step.BRIDGES, apart(night_of(engram))).decisions == ()

    def test_a_guess_nobody_confirms_expires(self, engram, clock):
        told(engram)
        night = apart(night_of(engram))
        carried_out(engram, planned_by(engram, Step.BRIDGES, night), night)
        made = next(each for each in engram.list(limit=50) if each.source == "dream:bridges")

        clock.set(night.now + timedelta(days=31))
        engram.dream(steps=["expire"])

        assert engram.get(made.id).status is Status.ARCHIVED

    def test_without_vectors_nothing_is_guessed(self, engram):
        told(engram)
        night = dataclasses.replace(night_of(engram), vectors=lambda see: {})

        assert planned_by(engram, Step.BRIDGES, night).decisions == ()

    def test_none_are_made_when_none_are_wanted(self, engram):
        told(engram)

        night = apart(night_of(engram, bridges_per_night=0))

        assert planned_by(engram, Step.BRIDGES, night).decisions == ()

    def test_a_model_has_to_confirm_it_in_words_that_the_memories_carry(self, engram):
        told(engram)
        answers = {
            '{"is_related": false, "text": ""}': 0,
            '{"is_related": true, "text": "Marisol and Heron both went to Zanzibar."}': 0,
            '{"is_related": true, "text": "Marisol and Project Heron both use Zephyrix."}': 1,
            "garbage": 0,
        }

        for answer, expected in answers.items():
            night = dataclasses.replace(apart(night_of(engram)), model=Scripted(answer))
            assert len(planned_by(engram, Step.BRIDGES, night).decisions) == expected, answer
