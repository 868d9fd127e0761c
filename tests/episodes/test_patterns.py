"""Causes and clusters: which episodes belong together, by pure rules."""

from datetime import timedelta

import pytest
from clock import START
from hypothesis import given
from hypothesis import strategies as st
from memory.samples import memory

from engram.memory.episodes.causes import earlier_causes
from engram.memory.episodes.episode import Episode, WholeEpisode
from engram.memory.episodes.events import Event, ToolCall, UserMessage
from engram.memory.episodes.outcomes import EpisodeOutcome, Failure, Success
from engram.memory.episodes.patterns import (
    FEWEST,
    SIMILAR,
    clusters,
    consolidation,
    is_ripe,
    statement,
)
from engram.memory.situation import Situation


def episode(
    number: int,
    situation: Situation,
    outcome: EpisodeOutcome,
    *,
    hour: int = 0,
    session: str | None = None,
    significance: float = 0.5,
    strength: float = 1.0,
) -> Episode:
    began = START + timedelta(hours=hour)
    return Episode(
        memory=memory(number=number, session=session), situation=situation, participants=(),
        started_at=began, ended_at=began + timedelta(minutes=30), outcome=outcome,
        significance=significance, surprise=0.5, valence=0.0, event_count=0, strength=strength,
    )  # fmt: skip


SHIP = Situation(goal="Ship it")


def test_what_goes_directly_before_in_the_same_session_with_the_same_goal_is_a_cause():
    first = episode(1, SHIP, Failure("boom"), hour=0, session="s")
    second = episode(2, SHIP, Failure("boom"), hour=1, session="s")
    other_goal = episode(3, Situation(goal="Lunch"), Success(), hour=2, session="s")
    other_session = episode(4, SHIP, Success(), hour=2, session="t")
    third = episode(5, Situation(goal="ship it."), Success(), hour=3, session="s")

    found = earlier_causes(third, [first, second, other_goal, other_session, third])

    assert [each.memory.number for each in found] == [2]


def test_a_failure_whose_error_one_sets_out_from_and_overcomes_is_a_cause():
    failed = episode(1, SHIP, Failure("No space left on device /dev/sda1"), hour=0)
    fixing = Situation(goal="Free the disk: no space left on device sda1")

    assert earlier_causes(episode(2, fixing, Success(), hour=1), [failed]) == [failed]
    assert earlier_causes(episode(2, fixing, Failure("x"), hour=1), [failed]) == []
    assert earlier_causes(episode(2, SHIP, Success(), hour=1), [failed]) == []


def test_what_ended_later_than_one_began_is_no_cause():
    failed = episode(1, SHIP, Failure("no space left on device"), hour=1)
    fixing = Situation(goal="no space left on device")

    assert earlier_causes(episode(2, fixing, Success(), hour=0), [failed]) == []


numbers = st.lists(st.integers(1, 40), unique=True, max_size=25)


@given(numbers, st.integers(0, 10**6))
def test_clusters_are_alike_throughout_and_share_nothing(listed, seed):
    def similarity(one: int, other: int) -> float:
        low, high = sorted((one, other))
        return (low * 7_919 + high * 104_729 + seed) % 1_000 / 500  # half of the pairs are alike

    found = clusters(listed, similarity)

    members = [number for group in found for number in group]
    assert len(members) == len(set(members))
    assert all(len(group) >= FEWEST for group in found)
    assert all(
        similarity(a, b) >= SIMILAR for group in found for a in group for b in group if a != b
    )
    assert found == clusters(sorted(listed, reverse=True), similarity)


def test_a_chain_of_likenesses_does_not_tie_what_differs():
    found = clusters([1, 2, 3, 4], lambda one, other: 1.0 if abs(one - other) <= 1 else 0.0)

    assert found == []


@pytest.mark.parametrize(
    ("strength", "significance", "expected"),
    [(0.4, 0.4, True), (0.6, 0.4, False), (0.4, 0.3, False), (0.49, 0.31, True)],
)
def test_what_is_weak_and_meant_something_is_ripe(strength, significance, expected):
    found = episode(1, SHIP, Success(), significance=significance, strength=strength)

    assert is_ripe(found) is expected


def run(number: int, outcome: EpisodeOutcome, *tools: str) -> WholeEpisode:
    events = [Event(happening=ToolCall(tool), at=START) for tool in tools]
    return WholeEpisode(episode(number, SHIP, outcome), tuple(events))


def test_three_successes_that_did_something_make_a_skill():
    runs = [run(number, Success(), "test", "deploy") for number in (1, 2, 3)]

    assert consolidation(runs).is_skill
    assert not consolidation([*runs[:2], run(3, Failure("boom"), "test")]).is_skill
    talk = WholeEpisode(
        episode(3, SHIP, Success()), (Event(happening=UserMessage("hi"), at=START),)
    )
    assert not consolidation([*runs[:2], talk]).is_skill


def test_a_statement_quotes_the_situation_and_what_was_learnt_and_counts_the_rest():
    runs = [
        run(1, Success(), "test", "deploy"),
        run(2, Failure("disk full", learned="look at the disk first"), "test", "deploy", "pray"),
        run(3, Success(), "test", "deploy"),
    ]

    found = consolidation(runs)

    assert found.statement == "Ship it\ndisk full\nlook at the disk first"
    assert found.counts == {
        "times": 3, "ended_in_failure": 1, "ended_in_success": 2,
        "usual_steps": ["test", "deploy"],
    }  # fmt: skip


def test_a_statement_is_short_whatever_was_said():
    long = "word " * 700
    runs = [
        WholeEpisode(
            episode(
                number,
                Situation(goal=long),
                Failure(f"{number} {long}", learned=f"{number} {long}"),
            ),
            tuple(Event(happening=ToolCall(f"{step}" + "t" * 190), at=START) for step in range(20)),
        )
        for number in range(1, 6)
    ]

    assert len(statement(runs)) < 2_000
