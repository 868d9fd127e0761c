"""Vectors of what fades are kept in fewer bits, only in large stores, and never irrecoverably."""

import pytest
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from hypothesis import given
from hypothesis import strategies as st

from engram import Engram, Scope
from engram.memory.dreams.precision import (
    Precision,
    held_precision,
    is_to_be_embedded_anew,
    precision_for,
)
from engram.memory.vocabulary import Status

TEXTS = (
    "Ada went to the market in Porto.", "Bruno broke the blue lamp.", "Chen lost the archive key.",
    "Dalia sold the old cello.", "Emeka missed the train to Lyon.", "Freya painted the garden.",
)  # fmt: skip
ONCE = {"embedder": {"kind": "hashing", "hashing_dimension": 93}, "dreams": {"quantise_from": 3}}


# The rule


@pytest.mark.parametrize(
    ("retention", "status", "wanted"),
    [
        (1.0, Status.ACTIVE, Precision.FULL),
        (0.81, Status.ARCHIVED, Precision.FULL),
        (0.8, Status.ACTIVE, Precision.EIGHT),
        (0.51, Status.ACTIVE, Precision.EIGHT),
        (0.5, Status.ACTIVE, Precision.FOUR),
        (0.21, Status.ARCHIVED, Precision.FOUR),
        (0.2, Status.ARCHIVED, Precision.TWO),
        (0.0, Status.ARCHIVED, Precision.TWO),
        (0.0, Status.ACTIVE, Precision.FOUR),
        (0.0, Status.STALE, Precision.FOUR),
        (0.0, Status.SUPERSEDED, Precision.FOUR),
    ],
)
def test_the_less_vivid_the_fewer_bits(retention, status, wanted):
    assert precision_for(retention, status) is wanted


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(Status))
def test_what_is_more_vivid_never_has_fewer_bits(one, other, status):
    low, high = sorted((one, other))

    assert precision_for(low, status) <= precision_for(high, status)


@given(st.floats(0, 1), st.sampled_from(Status))
def test_nothing_that_may_be_recalled_goes_below_four_bits(retention, status):
    if status is not Status.ARCHIVED:
        assert precision_for(retention, status) >= Precision.FOUR


def test_what_lost_bits_and_is_vivid_again_is_embedded_anew_unless_it_is_archived():
    assert is_to_be_embedded_anew(Precision.FOUR, Precision.FULL, Status.ACTIVE)
    assert not is_to_be_embedded_anew(Precision.FULL, Precision.FULL, Status.ACTIVE)
    assert not is_to_be_embedded_anew(Precision.FULL, Precision.FOUR, Status.ACTIVE)
    assert not is_to_be_embedded_anew(Precision.TWO, Precision.FULL, Status.ARCHIVED)
    assert [held_precision(each.bits) for each in Precision] == list(Precision)


# The pass


@pytest.fixture
def store(clock):
    with Engram.open(":memory:", clock=clock, settings=ONCE) as opened:
        opened.remember_many([{"text": text, "layer": "episodic"} for text in TEXTS], wait=True)
        yield opened


def precisions(engram: Engram) -> dict[int, int | None]:
    """In how many bits each memory's vector is."""
    with engram._store.database.reading(5) as view:
        wanted = {"space": 1, "numbers": f"{list(range(1, 100))}"}
        return {number: bits for _, number, _, bits, _ in view.rows("held_vectors", wanted)}


def changes_of(engram: Engram) -> list[object]:
    with engram._store.database.reading(5) as view:
        return view._connection.execute("SELECT id FROM changes ORDER BY id").fetchall()


def quantised(engram: Engram) -> tuple[str, ...]:
    """What one dream says of vectors."""
    return tuple(told for done in engram.dream(steps=["quantise"]).passes for told in done.findings)


def test_vectors_lose_bits_as_memories_fade(store, clock):
    assert quantised(store) == ()

    clock.advance(days=20)
    told = quantised(store)
    assert set(precisions(store).values()) == {8}
    assert told == (
        "Faded, so that their vectors are kept in 8 bits: 6 memories from mem-0001 to mem-0006.",
    )

    clock.advance(days=40)
    quantised(store)
    assert set(precisions(store).values()) == {4}

    clock.advance(days=400)
    assert quantised(store) == ()
    assert set(precisions(store).values()) == {4}


def test_only_what_is_archived_goes_down_to_two_bits(store, clock):
    store.forget("mem-0003")
    clock.advance(days=400)

    quantised(store)

    assert precisions(store) == {1: 4, 2: 4, 3: 2, 4: 4, 5: 4, 6: 4}


def test_what_does_not_fade_keeps_all_bits(store, clock):
    store.pin("mem-0002")
    store.promote("mem-0004")  # to the layer of what is known for good
    clock.advance(days=400)

    quantised(store)

    assert precisions(store) == {1: 4, 2: None, 3: 4, 4: None, 5: 4, 6: 4}


def test_a_second_dream_finds_nothing_to_do(store, clock):
    store.forget("mem-0003")
    clock.advance(days=400)
    assert quantised(store)
    before = precisions(store)

    assert [quantised(store) for _ in range(3)] == [()] * 3
    assert precisions(store) == before


def test_no_memory_is_touched_and_no_change_is_made(store, clock):
    clock.advance(days=60)
    said, changes = logical_dump(store), changes_of(store)

    report = store.dream(steps=["quantise"])

    assert set(precisions(store).values()) == {4}
    assert logical_dump(store) == said
    assert changes_of(store) == changes
    assert report.decisions == 0
    assert report.of("quantise")[0].looked_at == 6


def test_what_lost_bits_is_still_found(store, clock):
    clock.advance(days=400)
    quantised(store)

    found = [store.recall(text)[0].memory.content for text in TEXTS]

    assert found == list(TEXTS)


def test_what_is_used_again_is_embedded_anew_and_not_made_up(store, clock):
    clock.advance(days=60)
    quantised(store)
    store.verify("mem-0005")

    told = quantised(store)
    assert told == ("Vivid again, so that their words are embedded anew: mem-0005 alone.",)
    assert quantised(store) == ()  # it waits, and is not asked for twice
    store.upkeep.embed()

    assert precisions(store) == {1: 4, 2: 4, 3: 4, 4: 4, 5: None, 6: 4}
    assert quantised(store) == ()


def test_what_comes_back_from_the_archive_gets_four_bits_again(store, clock):
    forgotten = store.forget("mem-0003")
    clock.advance(days=400)
    quantised(store)
    assert precisions(store)[3] == 2

    store.undo(forgotten.change_id)
    quantised(store)
    store.upkeep.embed()
    quantised(store)

    assert precisions(store)[3] == 4
    assert quantised(store) == ()


def test_only_the_present_wording_is_embedded_anew(store, clock):
    clock.advance(days=60)
    quantised(store)
    store.revise("mem-0002", "Bruno broke the green lamp.")
    store.upkeep.embed()

    assert quantised(store) == ()

    with store._store.database.reading(5) as view:
        rows = view.rows("held_vectors", {"space": 1, "numbers": "[2]"})
    assert [(version, bits) for _, _, version, bits, _ in rows] == [(1, 4), (2, None)]


# When, and how much


@pytest.mark.parametrize(("least", "is_done"), [(5, True), (6, False), (50_000, False), (0, False)])
def test_small_stores_keep_all_bits(store, clock, least, is_done):
    clock.advance(days=60)

    planned = planned_by(store, "quantise", night_of(store, quantise_from=least))

    assert bool(planned.decisions) is is_done


def test_without_an_embedder_there_is_nothing_to_do(clock):
    settings = {"embedder": {"kind": "none"}, "dreams": {"quantise_from": 1}}
    with Engram.open(":memory:", clock=clock, settings=settings) as engram:
        engram.remember_many(list(TEXTS))
        clock.advance(days=60)

        assert planned_by(engram, "quantise").decisions == ()


def test_a_bounded_pass_goes_on_where_it_stopped_and_then_begins_anew(store, clock):
    clock.advance(days=60)

    marks, done = [], []
    mark = None
    for _ in range(4):
        night = night_of(store, mark=mark, rows_per_pass=4)
        planned = planned_by(store, "quantise", night)
        assert carried_out(store, planned, night) == []
        mark = planned.mark
        marks.append((mark, planned.is_whole))
        done.append(sum(bits == 4 for bits in precisions(store).values()))

    assert marks == [("4", False), ("0", True), ("4", False), ("0", True)]
    assert done == [4, 6, 6, 6]


def test_decisions_are_batches_of_a_bounded_size(store, clock, monkeypatch):
    monkeypatch.setattr("engram.lifecycle.dreams.quantise._BATCH", 2)
    store.forget("mem-0003")
    clock.advance(days=400)

    planned = planned_by(store, "quantise")
    bounded = planned_by(store, "quantise", night_of(store, decisions_per_pass=2))

    assert [each.numbers for each in planned.decisions] == [(1, 2), (4, 5), (6,), (3,)]
    assert planned.is_whole
    assert [each.key for each in bounded.decisions] == [each.key for each in planned.decisions[:2]]
    assert not bounded.is_whole


def test_another_scope_is_left_alone(store, clock):
    elsewhere = Scope(project="apollo")
    store.remember("Goran signed the lease.", layer="episodic", scope=elsewhere, wait=True)
    clock.advance(days=60)

    carried_out(store, planned_by(store, "quantise"))

    assert precisions(store) == {1: 4, 2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: None}


def test_a_decision_that_was_overtaken_does_nothing(store, clock):
    clock.advance(days=60)
    planned = planned_by(store, "quantise")
    assert carried_out(store, planned) == []
    night = night_of(store)

    with store._store.write(_reach(store), actor="somebody", now=night.now) as unit:
        assert [each.carry_out(unit) for each in planned.decisions] == [False]


def _reach(engram):
    return engram.principal.reach(None)


def test_a_dry_run_tells_and_does_nothing(store, clock):
    clock.advance(days=60)

    report = store.dream(steps=["quantise"], dry_run=True)

    assert report.decisions == 1
    assert set(precisions(store).values()) == {None}
