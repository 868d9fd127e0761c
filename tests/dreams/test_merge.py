"""Merging: five wordings of one thing become one, and nothing that differs ever does."""

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from dreaming import Judge, carried_out, night_of, planned_by
from dump import logical_dump
from hypothesis import given
from hypothesis import strategies as st
from memory.samples import memory
from near_misses import near_misses

from engram import Engram
from engram.lifecycle.dreams.night import Night
from engram.memory.dreams.merging import (
    best_first,
    can_stand_for,
    may_be_merged,
    merges,
)
from engram.memory.record import Memory, Usage
from engram.memory.sameness import say_the_same
from engram.memory.vocabulary import Kind, Layer, Secrecy, SourceClass, Status

WORDINGS = (
    "I live in Lyon.",
    "My home is in Lyon.",
    "Lyon is where I live.",
    "I'm based in Lyon these days.",
    "I've got a flat in Lyon, that's where I live.",
)
ALIKE = np.array([1.0, 0.0], dtype=np.float32)
DAY = timedelta(days=1)
MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


def alike(numbers: Sequence[int]) -> dict[int, np.ndarray]:
    """The worst case: everything is as near to everything as can be."""
    return dict.fromkeys(numbers, ALIKE)


def merged(
    memories: Sequence[Memory], *, at_least: int = 2, vectors=None, judge: Judge | None = None
) -> list[list[int]]:
    near = alike([each.number for each in memories]) if vectors is None else vectors
    found = merges(memories, near, judge, at_least=at_least, similarity=0.8).found
    return [
        [group.survivor.number, *sorted(each.number for each in group.merged)] for group in found
    ]


def saying(*texts: str, **fields: object) -> list[Memory]:
    return [memory(number=n, content=text, **fields) for n, text in enumerate(texts, 1)]


def alike_night(engram: Engram, **options: object) -> Night:
    night = night_of(engram, judge=Judge("same"), **options)

    def vectors(see):
        return alike([each.number for each in night.statements(see)])

    return dataclasses.replace(night, vectors=vectors)


def dream_of(engram: Engram, **options: object) -> list[str]:
    night = alike_night(engram, **options)
    return carried_out(engram, planned_by(engram, "merge", night), night)


# By rule


def test_of_more_than_a_thousand_near_misses_none_is_the_same():
    pairs, judge = near_misses(), Judge("same")  # the worst judge there can be
    wrong = [
        pair.kind
        for pair in pairs
        if say_the_same(*saying(pair.one, pair.other), judge)
        or say_the_same(*saying(pair.other, pair.one), judge)
    ]

    assert len(pairs) >= 1_000
    assert wrong == []


def test_five_wordings_are_one():
    assert merged(saying(*WORDINGS), at_least=5, judge=Judge("same")) == [[1, 2, 3, 4, 5]]


def test_four_wordings_are_left_alone():
    assert merged(saying(*WORDINGS[:4]), at_least=5, judge=Judge("same")) == []


def test_without_a_judge_only_what_is_said_to_the_word_is_merged():
    plain = ("The mill is loud.", "Actually the mill is loud", "the mill is now loud")

    assert merged(saying(*plain), vectors={}) == [[1, 2, 3]]
    assert merged(saying(*WORDINGS)) == []


def test_what_the_judge_does_not_call_the_same_is_not_merged():
    assert merged(saying(*WORDINGS), judge=Judge("adds")) == []


@pytest.mark.parametrize(
    "stray",
    [
        "I live in Lille.",
        "I don't live in Lyon.",
        "I used to live in Lyon.",
        "I may live in Lyon.",
        "I live in 2 flats in Lyon.",
        "Marta lives in Lyon.",
        "Do I live in Lyon?",
    ],
)
def test_a_judge_that_takes_all_for_one_does_not_merge_what_differs_in_a_particular(stray):
    statements = [*saying(*WORDINGS), memory(number=9, content=stray)]

    assert merged(statements, judge=Judge("same")) == [[1, 2, 3, 4, 5]]


def test_who_lacks_the_word_that_all_others_have_is_left_out():
    dogs = saying(
        "My dog is called Biscuit.",
        "We named our dog Biscuit at the lake.",
        "The name of my dog is Biscuit.",
        "Biscuit is what I call my dog at home.",
        "Our cat answers to Biscuit.",
    )

    (found,) = merged([each.replaced(category="identity") for each in dogs], judge=Judge("same"))

    assert 5 not in found


def test_the_same_words_with_far_vectors_are_not_merged():
    statements = saying("The mill is loud.", "Actually the mill is loud")
    apart = {1: ALIKE, 2: np.array([0.5, 0.8660254], dtype=np.float32)}

    assert merged(statements, vectors=apart) == []


def test_who_is_far_from_the_centre_is_left_out():
    statements = saying(*["The mill is loud."] * 4)
    angles = {1: 0.0, 2: 0.1, 3: 0.1, 4: 0.63}
    vectors = {n: np.array([np.cos(a), np.sin(a)], dtype=np.float32) for n, a in angles.items()}

    found = merges(statements, vectors, None, at_least=2, similarity=0.95).found

    assert [each.number for each in found[0].merged] == [2, 3]


def test_what_a_person_says_stands_for_what_a_machine_says_and_not_the_other_way():
    heard = memory(number=1, source_class=SourceClass.AGENT, usage=Usage(accesses=9))
    said = memory(number=2)

    assert merged([heard, said]) == [[2, 1]]
    assert not can_stand_for(heard, said)


def test_the_best_stands():
    dated = {"learned_at": MONDAY, "horizon": "30d"}
    order = [
        memory(number=6, last_verified_at=MONDAY, horizon="30d"),
        memory(number=5, layer=Layer.SEMANTIC),
        memory(number=7, horizon=None),
        memory(number=3, **dated | {"learned_at": MONDAY + 60 * DAY}),
        memory(number=4, **dated, usage=Usage(confirmations=2)),
        memory(number=8, **dated, usage=Usage(accesses=5)),
        memory(number=9, **dated, content="Fact."),
        memory(number=1, **dated),
        memory(number=2, **dated),
        memory(number=0, source_class=SourceClass.AGENT),
    ]

    assert best_first(order[::-1]) == order


@pytest.mark.parametrize(
    "fields",
    [
        {"is_pinned": True},
        {"status": Status.CHALLENGED},
        {"kind": Kind.EPISODE},
        {"category": "correction"},
        {"category": "commitment"},
        {"category": "turn"},
        {"metadata": {"flags": ["injection"]}},
        {"content": "It is loud."},
        {"content": "Your mill is loud."},
        {"content": "Orla likes this mill."},
        {"content": "The mill " * 500},
    ],
    ids=str,
)
def test_some_memories_are_never_merged(fields):
    both = [memory(number=1, **fields), memory(number=2, **fields)]

    assert not may_be_merged(both[0])
    assert merged(both) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"subject": "Orla"},
        {"secrecy": Secrecy.CONFIDENTIAL},
        {"valid_from": MONDAY},
        {"valid_until": MONDAY},
        {"metadata": {"environment": "staging"}},
        {"layer": Layer.PROCEDURAL},
    ],
    ids=str,
)
def test_what_is_said_of_another_or_filed_otherwise_is_not_merged(fields):
    one, other = memory(number=1), memory(number=2, **fields)

    assert merged([one, other]) == []
    assert merged([one, memory(number=2)]) == [[1, 2]]


def test_two_people_who_say_i_say_different_things():
    said = [
        memory(number=n, content="I own the mill.", speaker=speaker)
        for n, speaker in enumerate(("Orla", "Bram", "Orla"), 1)
    ]
    told = [each.replaced(content="The mill is loud.") for each in said]

    assert merged(said) == [[1, 3]]
    assert merged(told) == [[1, 3]]  # each has a voice of their own


def test_what_happened_on_two_days_happened_twice():
    days = [memory(number=n, content="The mill stopped.", at=MONDAY + n * DAY) for n in (1, 2)]
    stated = [each.replaced(content="The mill is loud.") for each in days]

    assert merged(days) == []
    assert merged([each.replaced(at=MONDAY) for each in days]) == [[1, 2]]
    assert merged(stated) == [[1, 2]]


def test_tomorrow_is_another_day_when_it_is_said_another_day():
    text = "The mill opens tomorrow."
    said = [memory(number=n, content=text, at=MONDAY + n * DAY) for n in (1, 2)]

    assert merged(said) == []


@given(st.permutations(range(5)), st.sampled_from([None, "30d"]))
def test_the_order_in_which_they_come_does_not_matter(order, horizon):
    statements = [each.replaced(horizon=horizon) for each in saying(*WORDINGS)]

    judge = Judge("same")
    shuffled = [statements[place] for place in order]
    assert merged(shuffled, judge=judge) == merged(statements, judge=judge)


def test_hundreds_of_one_shape_are_still_compared_word_by_word():
    tickets = saying(*(f"Ticket {n} is due on Monday." for n in range(1, 400)))
    again = memory(number=500, content="Actually, ticket 7 is due on Monday.")

    assert merged([*tickets, again]) == [[7, 500]]


# Through a dream


def remember_wordings(engram: Engram, clock, **fields: object) -> list[Memory]:
    kept = []
    for n, text in enumerate(WORDINGS):
        fields["reference"] = f"talk-{n}"
        kept.append(engram.remember(text, category="identity", **fields).memory)
        clock.advance(days=1)
    return kept


def test_five_wordings_of_a_preference_become_one_with_all_their_evidence(engram, clock):
    kept = remember_wordings(engram, clock)

    changes = dream_of(engram)

    standing = engram.list(status="active")
    assert len(changes) == 4
    assert [each.id for each in standing] == [kept[0].id]  # the plainest wording
    assert standing[0].usage.confirmations == 4
    others = [engram.get(each.id) for each in kept[1:]]
    assert {each.status for each in others} == {Status.MERGED}
    assert {each.superseded_by for each in others} == {standing[0].id}
    hit = engram.recall("Where do I live?")[0]
    assert set(hit.references) == {f"talk-{n}" for n in range(5)}


SIX = (
    "I live in Lyon.", "My home is in Lyon.", "Lyon is where I live.", "Home for me is Lyon.",
    "Lyon is my home.", "Where I live is Lyon.",
)  # fmt: skip


def test_six_restatements_by_one_speaker_become_one_memory_by_the_reader_in_the_package(clock):
    settings = {"embedder": {"kind": "builtin"}}
    with Engram.open(":memory:", clock=clock, settings=settings) as engram:
        engram.remember("I work at the Lyon opera.", speaker="Nadia")
        for text in SIX:
            engram.remember(text, speaker="Nadia", category="identity", wait=True)
            clock.advance(days=1)
        before = logical_dump(engram)

        report = engram.dream(steps=["merge"])

        standing = [each for each in engram.list(status="active") if "opera" not in each.content]
        assert len(standing) == 1
        assert standing[0].content in SIX  # a whole quote
        assert standing[0].usage.confirmations == len(SIX) - 1
        engram.undo(report.id)
        assert logical_dump(engram) == before


def test_merging_again_changes_nothing(engram, clock):
    remember_wordings(engram, clock)
    dream_of(engram)
    before = logical_dump(engram)

    assert dream_of(engram) == []
    assert logical_dump(engram) == before


def test_undoing_every_change_brings_everything_back(engram, clock):
    remember_wordings(engram, clock)
    before = logical_dump(engram)

    for change in reversed(dream_of(engram)):
        engram.undo(change)

    assert logical_dump(engram) == before


def test_one_of_them_alone_can_be_taken_back(engram, clock):
    kept = remember_wordings(engram, clock)
    changes = dream_of(engram)

    engram.undo(changes[1])

    assert len(engram.list(status="active")) == 2
    assert engram.get(kept[0].id).usage.confirmations == 3


def test_through_the_cycle_a_merge_is_done_once_and_undone_whole(engram):
    said = "the old mill by the river in Brno is far too loud for a quiet village"
    for lead in ("", "Actually, ", "Oh, ", "Yes, ", "Okay, "):
        engram.remember(f"{lead}{said}.", category="fact")
        engram.remember(f"{lead}{said}.", category="fact", subject="noise")
    before = logical_dump(engram)

    report = engram.dream(steps=["merge"])

    assert report.decisions == 2
    assert len(engram.list(status="active")) == 2
    assert engram.dream(steps=["merge"]).decisions == 0
    engram.undo(f"{report.id}:merge")
    assert logical_dump(engram) == before
    assert engram.dream(steps=["merge"]).decisions == 0  # what was undone is not done again


def test_canaries_are_never_merged_however_near_they_are(engram):
    pairs = [pair for place, pair in enumerate(near_misses()) if place % 3]
    texts = dict.fromkeys(text for pair in pairs for text in (pair.one, pair.other))
    engram.remember_many([{"text": text, "category": "fact"} for text in texts])
    night = dataclasses.replace(alike_night(engram, merge_at_least=2), judge=None)

    planned = planned_by(engram, "merge", night)

    assert len(pairs) >= 1_000
    assert planned.looked_at >= 0.95 * len(texts)
    assert planned.decisions == ()


def test_pinned_rows_and_corrections_stay_as_they_are(engram, clock):
    for text in WORDINGS:
        engram.remember(text, category="preference", pinned=True)
        engram.remember(text, category="correction")
    before = logical_dump(engram)

    assert dream_of(engram) == []
    assert logical_dump(engram) == before


def test_a_person_is_not_merged_into_a_machine_and_takes_its_echoes_in(engram, clock):
    said = engram.remember("The mill is loud.", category="fact").memory
    for n in range(5):
        engram.remember(f"{'Actually, ' * n}the mill is loud", category="fact", source="import:x")

    dream_of(engram)

    assert engram.get(said.id).status is Status.ACTIVE
    assert [each.id for each in engram.list(status="active")] == [said.id]


def test_what_was_changed_since_is_left_to_another_night(engram, clock):
    kept = remember_wordings(engram, clock)
    night = alike_night(engram)
    planned = planned_by(engram, "merge", night)
    engram.pin(kept[2].id)
    before = logical_dump(engram)

    assert carried_out(engram, planned, night) == []
    assert logical_dump(engram) == before


def test_how_many_and_how_near_is_set_by_options(engram, clock):
    remember_wordings(engram, clock)

    assert dream_of(engram, merge_at_least=6) == []
    assert dream_of(engram, merge_similarity=1.0) == []
    assert len(dream_of(engram, merge_at_least=3)) == 4


def test_only_so_many_are_decided_at_once(engram, clock):
    for thing in ("mill", "kiln"):
        for lead in ("", "Actually, ", "Oh, ", "Yes, ", "Okay, "):
            engram.remember(f"{lead}the {thing} is loud.", category="fact")
    night = alike_night(engram, decisions_per_pass=1)

    planned = planned_by(engram, "merge", night)

    assert len(planned.decisions) == 1
    assert not planned.is_whole
    assert "mill" not in planned.decisions[0].why
