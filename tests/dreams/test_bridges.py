"""Bridges: guesses with evidence, kept as guesses."""

import dataclasses
from datetime import timedelta

import numpy as np
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from test_tree import Scripted

from engram.memory.dreams.bridging import Side, joint, spans, word_counts
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

        assert [each.number for each in found] == [4, 1]
        assert joint(span, dict.fromkeys(counts, 100), 8) is None


class TestThePass:
    def test_by_rule_a_guess_is_a_link_and_no_sentence(self, engram):
        told(engram)
        night = apart(night_of(engram))
        before = logical_dump(engram)

        changes = carried_out(engram, planned_by(engram, Step.BRIDGES, night), night)

        assert [each for each in engram.list(limit=50) if each.source == "dream:bridges"] == []
        (link,) = (each for each in engram.links("mem-0001") if each.relation == "related")
        assert (link.relation, {link.from_label, link.to_label}) == (
            "related", {"mem-0001", "mem-0004"},
        )  # fmt: skip
        assert planned_by(engram, Step.BRIDGES, apart(night_of(engram))).decisions == ()
        for change in reversed(changes):
            engram.undo(change)
        assert logical_dump(engram) == before

    def test_a_models_guess_is_kept_once_and_expires_unless_somebody_confirms_it(
        self, engram, clock
    ):
        told(engram)
        answer = '{"is_related": true, "text": "Marisol and Project Heron orders from Zephyrix."}'
        night = dataclasses.replace(apart(night_of(engram)), model=Scripted(answer))
        carried_out(engram, planned_by(engram, Step.BRIDGES, night), night)
        made = next(each for each in engram.list(limit=50) if each.source == "dream:bridges")

        assert made.confidence < 0.4
        assert planned_by(engram, Step.BRIDGES, night).decisions == ()
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
            '{"is_related": true, "text": "Marisol and Project Heron sensors: Zephyrix."}': 1,
            "garbage": 0,
        }

        for answer, expected in answers.items():
            night = dataclasses.replace(apart(night_of(engram)), model=Scripted(answer))
            assert len(planned_by(engram, Step.BRIDGES, night).decisions) == expected, answer
