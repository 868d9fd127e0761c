"""How recalls went: written down in figures, scoped, bounded, summed up, and warned about."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from clock import START
from hypothesis import given
from hypothesis import strategies as st

from engine.dump import dump
from engram import Engram, Principal, Scope
from engram.errors import InvalidInput
from engram.memory.figures import RecallFigures, percentile
from engram.recall.journal import (
    FEWEST_COMPARED,
    figures_of,
    recall_statistics,
    self_consistency,
    warnings,
)

ONE = RecallFigures(
    at=START, milliseconds=4.0, candidates=20, returned=5, tokens=100, relevance=0.8,
    consistency=0.95, confidence=0.7, assessment="confident", level="full", is_degraded=False,
)  # fmt: skip


def journal(
    count: int, *, days: float = 30, seed: int = 1, **changes: object
) -> list[RecallFigures]:
    """So many recalls over so many days until START, each a little different."""
    chance = random.Random(seed)
    return [
        replace(
            ONE,
            at=START - timedelta(days=days * (count - index) / count),
            **{
                "milliseconds": max(0.1, chance.gauss(4.0, 1.5)),
                "relevance": min(1.0, max(0.0, chance.gauss(0.6, 0.2))),
                "consistency": min(1.0, max(0.0, chance.gauss(0.9, 0.1))),
                "confidence": chance.random(),
                "is_degraded": chance.random() < 0.05,
                **changes,
            },
        )
        for index in range(count)
    ]


# What is written down


def test_a_recall_is_written_down_in_figures(engram, clock):
    engram.remember("The office is in Lyon.")
    result = engram.recall("office")

    with engram._view(None) as see:
        assert see.recalls() == []  # in a batch, soon: the asker does not wait
    engram.settle()

    with engram._view(None) as see:
        assert see.recalls() == [figures_of(result, clock())]


def test_no_question_and_no_memory_enter_the_journal(open_store):
    engram = open_store()
    engram.remember("The zeppelin is in Lyon.", subject="canary")
    engram.recall("zeppelin canary")
    engram.settle()

    with engram._store.database.reading(5) as view:
        [row] = view._connection.execute("SELECT * FROM recall_journal").fetchall()

    scope, assessment, level = [value for value in row if isinstance(value, str)]
    assert scope == "/"
    assert assessment in ("confident", "uncertain", "unknown")
    assert level.replace("_", "").isalpha()
    assert not any(word in str(row) for word in ("zeppelin", "canary", "Lyon", "mem-"))


def test_recalls_wait_for_one_commit_together_with_the_reads(open_store):
    engram = open_store(settings={"security": {"flush_seconds": 60}})
    engram.remember("The office is in Lyon.")
    for _ in range(20):
        engram.recall("office")

    lines = len(dump(engram)["audit"])

    assert engram.recall_statistics().recalls == 20
    assert lines == 21


@pytest.mark.parametrize("mode", ["off", "immediate", "batched"])
def test_recalls_are_written_down_however_reads_are_audited(open_store, mode):
    engram = open_store(settings={"security": {"read_audit": mode}})
    engram.recall("nothing is here")

    assert engram.recall_statistics().recalls == 1


def test_only_the_newest_are_kept(open_store, clock):
    engram = open_store(settings={"security": {"journal_entries": 5}})
    for _ in range(12):
        clock.advance(minutes=1)
        engram.recall("office")
        engram.settle()

    found = engram.recall_statistics()

    assert found.recalls == 5
    assert found.last == clock()
    assert found.first == clock() - timedelta(minutes=4)


def test_a_journal_of_no_entries_keeps_nothing(open_store):
    engram = open_store(settings={"security": {"journal_entries": 0}})
    engram.recall("office")

    assert engram.recall_statistics().recalls == 0


def test_a_store_that_is_only_read_writes_nothing_down(open_store):
    open_store().recall("office")
    reading = open_store(read_only=True)
    reading.recall("office")

    assert reading.recall_statistics().recalls <= 1


def test_each_caller_sees_the_recalls_within_its_reach(open_store):
    project, agent = Scope("acme"), Scope("acme", None, "coder")
    callers = {
        "owner": open_store(),
        "project": open_store(scope=project),
        "agent": open_store(scope=agent),
        "other": open_store(scope=Scope("beta")),
        "above": open_store(principal=Principal.orchestrator(project)),
        "nobody": open_store(principal=Principal.anonymous()),
    }
    for name in ("owner", "project", "agent", "other"):
        callers[name].recall("office")
        callers[name].settle()

    seen = {name: caller.recall_statistics().recalls for name, caller in callers.items()}

    assert seen == {"owner": 1, "project": 2, "agent": 3, "other": 2, "above": 3, "nobody": 0}
    assert callers["owner"].recall_statistics(scope=agent).recalls == 3
    assert callers["agent"].recall_statistics(scope=project).recalls == 2


def test_statistics_begin_where_one_asks_for(engram, clock):
    engram.recall("office")
    clock.advance(days=2)
    engram.recall("office")

    assert engram.recall_statistics().recalls == 2
    assert engram.recall_statistics(clock() - timedelta(days=1)).recalls == 1
    assert engram.recall_statistics(since=clock().isoformat()).recalls == 1
    with pytest.raises(InvalidInput):
        engram.recall_statistics("yesterday-ish")


def test_a_store_is_found_again_with_its_journal(open_store):
    first = open_store()
    first.recall("office")
    first.close()

    assert open_store().recall_statistics().recalls == 1


# How it is summed up


def test_nothing_written_down_is_summed_up_as_nothing():
    found = recall_statistics([], START)

    assert (found.recalls, found.first, found.last) == (0, None, None)
    assert (found.milliseconds.p95, found.relevance, found.degraded_share) == (0.0, 0.0, 0.0)
    assert (found.assessments, found.days, found.warnings) == ({}, (), ())


def test_figures_are_summed_up():
    empty = replace(ONE, returned=0, relevance=0.0, consistency=0.0, assessment="unknown")
    recalls = [
        replace(ONE, at=START - timedelta(days=1), milliseconds=1.0, is_degraded=True),
        replace(ONE, milliseconds=2.0, relevance=0.4, confidence=0.1),
        replace(ONE, milliseconds=3.0),
        replace(empty, milliseconds=100.0, level="text_only"),
    ]

    found = recall_statistics(recalls, START)

    assert found.recalls == 4
    assert (found.milliseconds.p50, found.milliseconds.p95) == (2.0, 100.0)
    assert found.relevance == pytest.approx((0.8 + 0.4 + 0.8) / 3)  # of those that found something
    assert found.consistency == pytest.approx(0.95)
    assert found.confidence == pytest.approx((0.7 + 0.1 + 0.7 + 0.7) / 4)
    assert (found.degraded_share, found.empty_share) == (0.25, 0.25)
    assert found.assessments == {"confident": 0.75, "unknown": 0.25}
    assert found.levels == {"full": 0.75, "text_only": 0.25}
    assert [(day.day.day, day.recalls, day.degraded_share) for day in found.days] == [
        (28, 1, 1.0), (1, 3, 0.0),
    ]  # fmt: skip


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 1))
def test_a_percentile_is_one_of_the_values_and_bounds_its_share(values, share):
    ordered = sorted(values)

    found = percentile(ordered, share)

    assert found in values
    assert sum(each <= found for each in values) >= share * len(values) - 1e-6


def test_a_ranking_by_its_own_scores_is_consistent():
    assert self_consistency([0.9, 0.5, 0.1]) == 1.0
    assert self_consistency([0.1, 0.5, 0.9]) == pytest.approx(
        (0.1 + 0.5 / 1.584962500721156 + 0.9 / 2) / (0.9 + 0.5 / 1.584962500721156 + 0.1 / 2)
    )
    assert self_consistency([]) == 0.0
    assert self_consistency([0.0, 0.0]) == 0.0


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=30))
def test_consistency_is_a_share_whatever_the_scores(scores):
    assert 0.0 <= self_consistency(scores) <= 1.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_no_order_is_more_consistent_than_the_one_by_score(scores):
    assert self_consistency(scores) <= self_consistency(sorted(scores, reverse=True)) + 1e-12


# When it warns


@pytest.mark.parametrize(
    ("worse", "told"),
    [
        ({"relevance": 0.3}, "relevance fell"),
        ({"consistency": 0.5}, "self-consistency fell"),
        ({"confidence": 0.05}, "confidence fell"),
        ({"is_degraded": True}, "degraded recalls rose from 6% to 100%"),
        ({"returned": 0}, "recalls without an answer rose"),
        ({"milliseconds": 40.0}, "took 40.0 ms or more"),
    ],
)
def test_what_is_clearly_worse_lately_is_told(worse, told):
    before = journal(400, days=30)
    recent = [replace(each, **worse) for each in journal(150, days=6, seed=2)]
    before = [replace(each, at=each.at - timedelta(days=8)) for each in before]

    found = warnings([*before, *recent], START)

    assert [each for each in found if told in each], found
    assert warnings(before, START) == ()


def test_a_quiet_store_is_judged_by_its_newest_hundred():
    before = journal(200, days=300)
    before = [replace(each, at=each.at - timedelta(days=100)) for each in before]
    recent = [replace(each, relevance=0.2) for each in journal(100, days=90, seed=3)]

    assert "over the last 100 recalls" in warnings([*before, *recent], START)[0]


def test_a_busy_store_is_judged_by_its_newest_hundred_when_all_is_of_this_week():
    recalls = journal(900, days=2)
    recalls[-100:] = [replace(each, is_degraded=True) for each in recalls[-100:]]

    assert "degraded" in warnings(recalls, START)[0]


@pytest.mark.parametrize("count", [0, 1, 10, FEWEST_COMPARED, 100 + FEWEST_COMPARED - 1])
def test_too_little_to_compare_is_no_reason_to_warn(count):
    recalls = journal(count)
    worst = [replace(each, relevance=0.0, is_degraded=True) for each in recalls[-100:]]

    assert warnings([*recalls[:-100], *worst], START) == ()


def test_what_got_better_is_no_reason_to_warn():
    before = journal(300, days=30, relevance=0.2, is_degraded=True, milliseconds=90.0)
    recent = journal(150, days=1, seed=2)

    assert warnings([*before, *recent], START) == ()


def test_chance_alone_hardly_ever_warns():
    alarms = sum(bool(warnings(journal(400, seed=seed), START)) for seed in range(200))

    assert alarms <= 2


def test_a_small_loss_is_not_worth_a_word_even_when_it_is_certain():
    before = journal(5_000, days=30, relevance=0.60)
    recent = [replace(each, relevance=0.57) for each in journal(500, days=5, seed=2)]
    before = [replace(each, at=each.at - timedelta(days=8)) for each in before]

    assert warnings([*before, *recent], START) == ()


def test_warnings_reach_the_caller(engram: Engram, clock):
    engram.remember("The office is in Lyon.")
    for question, count in (("office", 100), ("zeppelin", 100)):
        for _ in range(count):
            engram.recall(question)
        clock.advance(days=8)

    found = engram.recall_statistics()

    assert any("without an answer rose from 0% to 100%" in each for each in found.warnings)
