"""Patterns: what several memories have in common becomes one statement, and follows its sources."""

import dataclasses
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from memory.samples import memory

from engram import Engram
from engram.lifecycle.dreams.night import Night, Planned
from engram.memory.dreams.patterns import (
    Pattern,
    Shape,
    Terms,
    combined_confidence,
    find_patterns,
    may_show_a_pattern,
    timeless,
)
from engram.memory.episodes.events import ToolCall
from engram.memory.episodes.outcomes import Failure
from engram.memory.record import Memory
from engram.memory.vocabulary import (
    Kind,
    Layer,
    LearnedBy,
    Secrecy,
    SourceClass,
    Status,
)

TERMS = Terms(at_least=3, similarity=0.75, confidence=0.8)
ALIKE = np.array([1.0, 0.0], dtype=np.float32)
APART = np.array([0.0, 1.0], dtype=np.float32)
MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
TEA = ("I like green tea.", "I love green tea.", "I'm a fan of green tea.")
TOOLS = ("I use pytest for testing.", "I use ruff for linting.", "I use mypy for typing.")


def saying(*texts: str, **fields: object) -> list[Memory]:
    return [
        memory(number=n, content=text, at=MONDAY + n * DAY, **fields)
        for n, text in enumerate(texts, 1)
    ]


def found_in(memories: list[Memory], vectors=None, terms: Terms = TERMS, **more) -> list[Pattern]:
    near = dict.fromkeys((each.number for each in memories), ALIKE) if vectors is None else vectors
    return find_patterns(memories, near, terms, **more)


# By rule


def test_a_fact_that_passing_memories_repeat_is_one_of_their_sentences():
    (found,) = found_in(saying(*TEA))

    assert found.shape is Shape.FACT
    assert found.text in TEA
    assert [each.number for each in found.sources] == [1, 2, 3]
    assert found.metadata["schema"] == "fact"


def test_what_is_known_for_good_is_not_derived_again():
    memories = saying(*TEA)
    known = memory(number=9, content="I enjoy green tea.", layer=Layer.SEMANTIC)

    assert found_in([*memories, known]) == []


@pytest.mark.parametrize(
    "texts",
    [
        TEA[:2],
        (*TEA[:2], "I like black tea."),
        (*TEA[:2], "I don't like green tea."),
        (*TEA[:2], "Orla likes green tea."),
        (*TEA[:2], "I drink green tea."),
    ],
)
def test_two_and_another_are_no_pattern(texts):
    assert found_in(saying(*texts)) == []


def test_two_voices_are_not_mixed():
    mixed = saying(*TEA, speaker="Orla")
    mixed[2] = mixed[2].replaced(speaker="Bram")
    secret = saying(*TEA)
    secret[2] = secret[2].replaced(secrecy=Secrecy.CONFIDENTIAL)

    assert found_in(mixed) == []
    assert found_in(secret) == []


def test_far_vectors_keep_alike_words_apart():
    memories = saying(*TEA)

    assert found_in(memories, {1: ALIKE, 2: ALIKE, 3: APART}) == []
    assert len(found_in(memories, {})) == 1  # without vectors the words are believed


def test_several_values_of_one_thing_become_a_list_in_the_words_of_the_first():
    (found,) = found_in(saying(*TOOLS, layer=Layer.SEMANTIC))

    assert found.shape is Shape.LIST
    assert found.text == "I use pytest for testing, ruff for linting and mypy for typing."
    assert found.metadata["values"] == ["testing: pytest", "linting: ruff", "typing: mypy"]


def test_a_list_needs_vectors_that_are_near():
    memories = saying(*TOOLS, layer=Layer.SEMANTIC)

    assert found_in(memories, {}) == []
    assert found_in(memories, {1: ALIKE, 2: APART, 3: -ALIKE}) == []


def test_a_list_has_an_end():
    memories = saying(*(f"Orla has visited Town{n}." for n in range(1, 20)), layer=Layer.SEMANTIC)

    (found,) = found_in(memories)

    assert found.text.startswith("Orla has visited Town1, Town2, ")
    assert len(found.metadata["values"]) == 12
    assert len(found.sources) == 19


def test_values_with_commas_are_kept_apart():
    texts = ("Orla has visited Brno, Moravia.", "Orla has visited Turku.", "Orla has visited Oslo.")

    (found,) = found_in(saying(*texts, layer=Layer.SEMANTIC))

    assert found.text == "Orla has visited Brno, Moravia; Turku and Oslo."


def test_what_happened_again_and_again_is_a_habit_without_its_dates():
    texts = ("I went running this morning.", "I went running on 4 March.", "I went running.")

    (found,) = found_in(saying(*texts, kind=Kind.EPISODE, category="moment"))

    assert found.shape is Shape.HABIT
    assert found.text == "I went running (3 times from 2026-03-03 to 2026-03-05)."
    assert found.metadata["times"] == 3


def test_one_day_told_three_times_is_no_habit():
    texts = ("I went running this morning.", "I went running yesterday.", "I went running.")
    told = saying(*texts, kind=Kind.EPISODE, category="moment")
    told[2] = told[2].replaced(at=MONDAY + DAY)

    assert found_in(told) == []


def test_what_may_or_did_not_happen_is_no_habit():
    might = saying(*["I might have gone running."] * 3, kind=Kind.EPISODE)
    mixed = saying("I went running.", "I went running.", "I did not go running.")

    assert found_in(might) == []
    assert found_in(mixed) == []


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("I went running on 3 May 2026.", "I went running."),
        ("Yesterday I went running.", "I went running."),
        ("I went running.", "I went running."),
    ],
)
def test_a_sentence_without_its_time(text, plain):
    assert timeless(text) == plain


def test_many_little_certainties_make_a_greater_one():
    one = memory(confidence=0.5, trust=0.6)

    assert combined_confidence([one]) == 0.3
    assert combined_confidence([one] * 3) == pytest.approx(0.657)
    assert combined_confidence([]) == 0.0


def test_too_little_certainty_is_no_knowledge():
    guesses = saying(*TEA, confidence=0.4, trust=0.6)

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


def test_what_has_faded_still_counts_for_what_was_made_of_it():
    memories = [*saying(*TEA[:2]), memory(number=9, content=TEA[2], status=Status.ARCHIVED)]

    assert found_in(memories) == []
    assert len(found_in(memories, backing=frozenset({9}))) == 1


def test_the_order_in_which_they_come_does_not_matter():
    memories = [*saying(*TEA), *(each.replaced(number=each.number + 10) for each in saying(*TOOLS))]

    assert found_in(memories) == found_in(memories[::-1])
    assert len(found_in(memories)) == 2


# Through a dream


def alike_night(engram: Engram, **options: object) -> Night:
    night = night_of(engram, **options)

    def vectors(see):
        return {each.number: ALIKE for each in night.statements(see)}

    return dataclasses.replace(night, vectors=vectors)


def planned(engram: Engram, **options: object) -> Planned:
    return planned_by(engram, "patterns", alike_night(engram, **options))


def dream_of(engram: Engram, **options: object) -> list[str]:
    night = alike_night(engram, **options)
    return carried_out(engram, planned_by(engram, "patterns", night), night)


def made_by_dreams(engram: Engram) -> list[Memory]:
    return [each for each in engram.list(status="active") if each.learned_by is LearnedBy.DREAM]


def remember_all(engram: Engram, clock, texts, **fields: object) -> list[Memory]:
    kept = []
    for text in texts:
        kept.append(engram.remember(text, **fields).memory)
        clock.advance(days=1)
    return kept


def test_a_pattern_becomes_lasting_knowledge_linked_to_its_sources(engram, clock):
    kept = remember_all(engram, clock, TEA, category="general", confidence=0.8, speaker="Orla")

    dream_of(engram)

    (made,) = made_by_dreams(engram)
    assert (made.layer, made.source, made.source_class) == (
        Layer.SEMANTIC, "dream:patterns", SourceClass.DREAM,
    )  # fmt: skip
    assert made.content in TEA
    assert made.speaker == "Orla"
    assert made.trust == min(each.trust for each in kept)
    links = [link for link in engram.links(made.id) if link.relation == "derived_from"]
    assert {link.to_id for link in links} == {each.id for each in kept}
    assert [engram.get(each.id) for each in kept] == kept  # the sources stay byte-equal


def test_dreaming_again_changes_nothing_and_undoing_brings_all_back(engram, clock):
    remember_all(engram, clock, TEA, category="general")
    remember_all(engram, clock, TOOLS, category="tooling")
    before = logical_dump(engram)

    changes = dream_of(engram)

    after = logical_dump(engram)
    assert len(changes) == 2
    assert dream_of(engram) == []
    assert logical_dump(engram) == after
    for change in reversed(changes):
        engram.undo(change)
    assert logical_dump(engram) == before


def test_a_list_that_grows_replaces_what_was_made_before(engram, clock):
    remember_all(engram, clock, TOOLS, category="tooling")
    dream_of(engram)
    (first,) = made_by_dreams(engram)
    remember_all(engram, clock, ["I use uv for packaging."], category="tooling")

    dream_of(engram)

    (second,) = made_by_dreams(engram)
    assert second.content.endswith("mypy for typing and uv for packaging.")
    assert engram.get(first.id).superseded_by == second.id
    assert dream_of(engram) == []


def test_a_list_drops_what_no_longer_holds(engram, clock):
    remember_all(engram, clock, [*TOOLS, "I use uv for packaging."], category="tooling")
    dream_of(engram)
    remember_all(engram, clock, ["I use flake8 for linting."], category="tooling")

    dream_of(engram)

    (made,) = made_by_dreams(engram)
    assert "flake8" in made.content
    assert "ruff" not in made.content


def test_a_fact_is_strengthened_in_place_once_it_has_grown_by_half(engram, clock):
    remember_all(engram, clock, TEA, category="general", confidence=0.5)
    dream_of(engram)
    (first,) = made_by_dreams(engram)
    remember_all(engram, clock, ["I enjoy green tea."], category="general", confidence=0.5)
    assert dream_of(engram) == []
    remember_all(engram, clock, ["I adore green tea."], category="general", confidence=0.5)

    changes = dream_of(engram)

    (second,) = made_by_dreams(engram)
    assert len(changes) == 1
    assert second.id == first.id
    assert second.confidence > first.confidence
    assert len([each for each in engram.links(first.id) if each.relation == "derived_from"]) == 5
    engram.undo(changes[0])
    assert engram.get(first.id).confidence == first.confidence
    assert len([each for each in engram.links(first.id) if each.relation == "derived_from"]) == 3


def test_what_was_made_of_refuted_memories_goes_with_them(engram, clock):
    kept = remember_all(engram, clock, TEA, category="general")
    dream_of(engram)
    (made,) = made_by_dreams(engram)
    for each in kept[:2]:
        engram.set_status(each.id, "invalidated", reason="not so")

    dream_of(engram)

    assert engram.get(made.id).status is Status.INVALIDATED
    assert dream_of(engram) == []


def test_what_was_made_of_memories_that_merely_faded_stays(engram, clock):
    kept = remember_all(engram, clock, TEA, category="general")
    dream_of(engram)
    (made,) = made_by_dreams(engram)
    for each in kept:
        engram.forget(each.id)

    assert dream_of(engram) == []
    assert engram.get(made.id).status is Status.ACTIVE


def test_what_a_person_has_verified_or_archived_is_theirs(engram, clock):
    kept = remember_all(engram, clock, TEA, category="general")
    dream_of(engram)
    (made,) = made_by_dreams(engram)
    engram.verify(made.id)
    for each in kept:
        engram.set_status(each.id, "invalidated", reason="not so")

    assert dream_of(engram) == []
    assert engram.get(made.id).status is Status.ACTIVE


def test_what_was_archived_is_not_made_again(engram, clock):
    remember_all(engram, clock, TEA, category="general")
    dream_of(engram)
    engram.forget(made_by_dreams(engram)[0].id)
    remember_all(engram, clock, ["I enjoy green tea.", "I adore green tea."], category="general")

    assert dream_of(engram) == []
    assert made_by_dreams(engram) == []


def test_what_was_undone_is_not_made_of_more_memories_either(engram, clock):
    remember_all(engram, clock, TEA, category="general", speaker="Orla")
    options = {"pattern_similarity": 0.3}
    key = planned(engram, **options).decisions[0].key
    remember_all(engram, clock, ["I enjoy green tea."], category="general", speaker="Orla")

    assert planned(engram, **options).decisions[0].key == key


def test_what_was_changed_since_is_left_to_another_night(engram, clock):
    kept = remember_all(engram, clock, TEA, category="general")
    night = alike_night(engram)
    found = planned_by(engram, "patterns", night)
    engram.pin(kept[0].id)
    before = logical_dump(engram)

    assert carried_out(engram, found, night) == []
    assert logical_dump(engram) == before


def test_how_many_how_near_and_how_sure_is_set_by_options(engram, clock):
    remember_all(engram, clock, TEA, category="general", confidence=0.5)

    assert planned(engram, pattern_at_least=4).decisions == ()
    assert planned(engram, pattern_confidence=0.99).decisions == ()
    assert planned(engram, pattern_similarity=1.0).decisions == ()
    assert len(planned(engram).decisions) == 1


def test_reasons_name_labels_and_no_text(engram, clock):
    remember_all(engram, clock, TEA, category="general")

    assert planned(engram).decisions[0].why == "mem-0001, mem-0002, mem-0003 come to a fact"


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
    assert "3 of 3 times in failure" in made.content
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
