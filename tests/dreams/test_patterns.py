"""Patterns: memories that are alike are linked and counted; words for them are a model's."""

import dataclasses
import json
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from memory.samples import memory
from test_tree import Scripted

from engram import Engram
from engram.lifecycle.dreams.night import Night
from engram.memory.dreams.patterns import (
    Pattern,
    Terms,
    combined_confidence,
    find_patterns,
    may_show_a_pattern,
)
from engram.memory.episodes.events import ToolCall
from engram.memory.episodes.outcomes import Failure
from engram.memory.record import Memory
from engram.memory.vocabulary import Layer, LearnedBy, Secrecy, SourceClass, Status

TERMS = Terms(at_least=3, similarity=0.75, confidence=0.8)
ALIKE = np.array([1.0, 0.0], dtype=np.float32)
APART = np.array([0.0, 1.0], dtype=np.float32)
MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
RUNS = ("I went running by the canal.", "Ran along the canal again.", "Another run at the canal.")
WRITTEN = "I went running by the canal."


def saying(*texts: str, **fields: object) -> list[Memory]:
    return [
        memory(number=n, content=text, at=MONDAY + n * DAY, **fields)
        for n, text in enumerate(texts, 1)
    ]


def found_in(memories: list[Memory], vectors=None, terms: Terms = TERMS) -> list[Pattern]:
    near = dict.fromkeys((each.number for each in memories), ALIKE) if vectors is None else vectors
    return find_patterns(memories, near, terms)


# By rule


def test_what_is_alike_is_counted_with_its_days():
    (found,) = found_in(saying(*RUNS))

    assert [each.number for each in found.sources] == [1, 2, 3]
    assert found.metadata == {
        "pattern": "mem-0001", "times": 3, "days": 3, "first": "2026-03-03", "last": "2026-03-05",
    }  # fmt: skip


def test_two_are_no_pattern_and_far_ones_are_none_either():
    assert found_in(saying(*RUNS[:2])) == []
    assert found_in(saying(*RUNS), {1: ALIKE, 2: ALIKE, 3: APART}) == []
    assert found_in(saying(*RUNS), {}) == []


def test_two_voices_are_not_mixed():
    mixed = saying(*RUNS, speaker="Orla")
    mixed[2] = mixed[2].replaced(speaker="Bram")
    secret = saying(*RUNS)
    secret[2] = secret[2].replaced(secrecy=Secrecy.CONFIDENTIAL)

    assert found_in(mixed) == []
    assert found_in(secret) == []


def test_many_little_certainties_make_a_greater_one():
    one = memory(confidence=0.5, trust=0.6)

    assert combined_confidence([one]) == 0.3
    assert combined_confidence([one] * 3) == pytest.approx(0.657)
    assert combined_confidence([]) == 0.0


def test_too_little_certainty_is_no_knowledge():
    guesses = saying(*RUNS, confidence=0.4, trust=0.6)

    assert found_in(guesses) == []
    assert len(found_in(guesses, terms=dataclasses.replace(TERMS, confidence=0.5))) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"status": Status.CHALLENGED},
        {"category": "correction"},
        {"category": "commitment"},
        {"layer": Layer.WORKING},
        {"trust": 0.3, "source_class": SourceClass.WEB},
        {"metadata": {"flags": ["injection"]}},
        {"content": "I like tea. " * 50},
    ],
    ids=str,
)
def test_from_some_memories_nothing_is_concluded(fields):
    assert not may_show_a_pattern(memory(**fields))


def test_the_order_in_which_they_come_does_not_matter():
    memories = saying(*RUNS)

    assert found_in(memories) == found_in(memories[::-1])


# Through a dream


def alike_night(engram: Engram, model: str | None = None, **options: object) -> Night:
    night = night_of(engram, **options)

    def vectors(see):
        return {each.number: ALIKE for each in night.statements(see)}

    said = Scripted(json.dumps({"text": model})) if model else None
    return dataclasses.replace(night, vectors=vectors, model=said)


def dream_of(engram: Engram, model: str | None = None, **options: object) -> list[str]:
    night = alike_night(engram, model, **options)
    return carried_out(engram, planned_by(engram, "patterns", night), night)


def made_by_dreams(engram: Engram) -> list[Memory]:
    return [each for each in engram.list(status="active") if each.learned_by is LearnedBy.DREAM]


def remember_all(engram: Engram, clock, texts=RUNS, **fields: object) -> list[Memory]:
    kept = []
    for text in texts:
        kept.append(engram.remember(text, category="general", **fields).memory)
        clock.advance(days=1)
    return kept


def test_without_a_model_the_memories_are_linked_and_nothing_is_written(engram, clock):
    kept = remember_all(engram, clock)
    night = alike_night(engram)
    planned = planned_by(engram, "patterns", night)
    before = logical_dump(engram)

    changes = carried_out(engram, planned, night)

    assert "needs a language model" in planned.skipped
    assert made_by_dreams(engram) == []
    links = engram.links(kept[0].id)
    assert {link.to_id for link in links} == {each.id for each in kept[1:]}
    assert {link.relation for link in links} == {"related"}
    assert dream_of(engram) == []
    for change in reversed(changes):
        engram.undo(change)
    assert logical_dump(engram) == before


def test_a_link_that_was_taken_back_is_not_made_again(engram, clock):
    remember_all(engram, clock)
    for change in reversed(dream_of(engram)):
        engram.undo(change)

    assert dream_of(engram) == []


def test_with_a_model_its_statement_is_kept_with_links_to_its_sources(engram, clock):
    kept = remember_all(engram, clock, speaker="Orla")

    dream_of(engram, WRITTEN)

    (made,) = made_by_dreams(engram)
    assert (made.content, made.layer, made.source) == (WRITTEN, Layer.SEMANTIC, "dream:patterns")
    assert made.metadata["times"] == 3
    links = [link for link in engram.links(made.id) if link.relation == "derived_from"]
    assert {link.to_id for link in links} == {each.id for each in kept}
    assert [engram.get(each.id) for each in kept] == kept  # the sources stay byte-equal
    assert dream_of(engram, WRITTEN) == []


def test_what_a_model_invents_is_not_kept(engram, clock):
    remember_all(engram, clock)

    dream_of(engram, "I run a marathon every year.")

    assert made_by_dreams(engram) == []


def test_what_was_made_of_refuted_memories_goes_with_them(engram, clock):
    kept = remember_all(engram, clock)
    dream_of(engram, WRITTEN)
    (made,) = made_by_dreams(engram)
    for each in kept[:2]:
        engram.set_status(each.id, "invalidated", reason="not so")

    dream_of(engram, WRITTEN)

    assert engram.get(made.id).status is Status.INVALIDATED
    assert dream_of(engram, WRITTEN) == []


def test_what_a_person_has_verified_or_archived_is_theirs(engram, clock):
    kept = remember_all(engram, clock)
    dream_of(engram, WRITTEN)
    (made,) = made_by_dreams(engram)
    engram.verify(made.id)
    for each in kept:
        engram.set_status(each.id, "invalidated", reason="not so")

    assert dream_of(engram, WRITTEN) == []
    assert engram.get(made.id).status is Status.ACTIVE


def test_what_was_archived_is_not_made_again(engram, clock):
    remember_all(engram, clock)
    dream_of(engram, WRITTEN)
    engram.forget(made_by_dreams(engram)[0].id)

    assert dream_of(engram, WRITTEN) == []


def test_what_was_changed_since_is_left_to_another_night(engram, clock):
    kept = remember_all(engram, clock)
    night = alike_night(engram)
    found = planned_by(engram, "patterns", night)
    engram.pin(kept[0].id)
    before = logical_dump(engram)

    assert carried_out(engram, found, night) == []
    assert logical_dump(engram) == before


def test_how_many_how_near_and_how_sure_is_set_by_options(engram, clock):
    remember_all(engram, clock, confidence=0.5)

    def count(**options: object) -> int:
        return len(planned_by(engram, "patterns", alike_night(engram, **options)).decisions)

    assert count(pattern_at_least=4) == 0
    assert count(pattern_confidence=0.99) == 0
    assert count(pattern_similarity=1.0) == 0
    assert count() == 1


def test_reasons_name_labels_and_no_text(engram, clock):
    remember_all(engram, clock)

    why = planned_by(engram, "patterns", alike_night(engram)).decisions[0].why

    assert why.startswith("mem-0001, mem-0002, mem-0003 are alike: 3 times from 2026-")


# Episodes


def record(engram: Engram, clock, outcome: object, steps=()) -> str:
    clock.advance(hours=1)
    goal = {"goal": "Deploy the billing service to production"}
    begun = clock() - timedelta(minutes=30)
    kept = engram.episodes.record(goal, list(steps), outcome, started_at=begun, ended_at=clock())
    return kept.episode.id


def test_fading_episodes_with_one_course_come_to_a_statement(engram, clock):
    failures = [record(engram, clock, Failure("disk full", recoverable=False)) for _ in range(3)]
    clock.advance(days=20)
    before = logical_dump(engram)

    report = engram.dream(steps=["patterns"])

    (made,) = made_by_dreams(engram)
    assert made.content == "Deploy the billing service to production\ndisk full"  # quotes alone
    assert made.metadata["ended_in_failure"] == 3
    links = [link for link in engram.links(made.id) if link.relation == "derived_from"]
    assert {link.to_id for link in links} == set(failures)
    assert engram.dream(steps=["patterns"]).decisions == 0
    assert engram.episodes.consolidate().found == ()
    engram.undo(report.id)
    assert logical_dump(engram) == before


def test_episodes_that_teach_a_skill_are_named_and_left_to_be_consolidated(engram, clock):
    for _ in range(3):
        record(engram, clock, "success", [ToolCall("run_tests"), ToolCall("deploy")])
    clock.advance(days=20)

    report = engram.dream(steps=["patterns"])

    assert report.decisions == 0
    assert "teach a way to do something" in report.of("patterns")[0].findings[0]
    (found,) = engram.episodes.consolidate().found
    assert found.skill
