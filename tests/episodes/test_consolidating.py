"""What fading episodes have in common becomes a fact, and a skill where they show a way."""

from datetime import timedelta

import pytest

from engram import Engram, Principal, Scope
from engram.memory.episodes.events import ToolCall
from engram.memory.episodes.outcomes import Failure
from engram.memory.vocabulary import LearnedBy

DEPLOY = {"goal": "Deploy the billing service to production"}
STEPS = [ToolCall("run_tests"), ToolCall("build_image"), ToolCall("deploy")]


def run(engram: Engram, clock, outcome: object = "success", steps=(), situation=DEPLOY) -> str:
    clock.advance(hours=1)
    return engram.episodes.record(
        situation,
        list(steps),
        outcome,
        started_at=clock() - timedelta(minutes=30),
        ended_at=clock(),
    ).episode.id


@pytest.fixture
def failures(engram, clock):
    """Three runs that failed, long enough ago to be about to fade."""
    found = [run(engram, clock, Failure("disk full", recoverable=False)) for _ in range(3)]
    run(engram, clock, situation={"goal": "Plan the summer party"})
    clock.advance(days=20)
    engram.settle(10)
    return found


def test_three_similar_episodes_that_fade_come_to_a_statement(engram, failures):
    report = engram.episodes.consolidate()

    [made] = report.found
    assert set(made.proposal.episodes) == set(failures)
    memory = engram.get(made.memory.id)
    assert memory.category == "fact"
    assert memory.learned_by is LearnedBy.DREAM
    assert "disk full" in memory.content
    links = engram.links(memory.id)
    assert {link.to_id for link in links if link.relation == "derived_from"} == set(failures)
    assert memory.trust <= min(engram.get(each).trust for each in failures)


def test_a_second_run_changes_nothing(engram, failures):
    engram.episodes.consolidate()
    before = engram.audit(limit=1)[0].sequence

    again = engram.episodes.consolidate()

    assert again.found == ()
    assert [e.action for e in engram.audit(limit=100) if e.sequence > before] == ["audit"]


def test_a_trial_changes_nothing_and_says_what_would_come(engram, failures):
    before = len(engram.list())

    report = engram.episodes.consolidate(dry_run=True)

    assert report.is_dry_run
    assert len(report.found) == 1
    assert report.found[0].memory is None
    assert len(engram.list()) == before
    assert len(engram.episodes.consolidate().found) == 1


def test_undoing_it_frees_the_episodes_for_another_time(engram, failures):
    [made] = engram.episodes.consolidate().found

    engram.undo(made.change_id)

    assert engram.get(made.memory.id) is None
    assert len(engram.episodes.consolidate().found) == 1


def test_what_is_vivid_or_meant_little_or_is_alone_is_left_alone(engram, clock):
    for _ in range(2):
        run(engram, clock, Failure("disk full"))
    clock.advance(days=20)
    assert engram.episodes.consolidate().found == ()  # two are no pattern

    run(engram, clock, Failure("disk full"))
    assert engram.episodes.consolidate().found == ()  # the third is still vivid


def test_episodes_stay_as_they_were(engram, failures):
    before = [engram.history(each) for each in failures]

    engram.episodes.consolidate()

    assert [engram.history(each) for each in failures] == before


def test_successes_that_did_something_also_become_a_skill(engram, clock):
    found = [run(engram, clock, steps=STEPS) for _ in range(4)]
    clock.advance(days=25)
    engram.settle(10)

    [made] = engram.episodes.consolidate().found

    assert made.proposal.is_skill
    assert made.problem == ""
    skill = engram.skills.get(made.skill)
    linked = {link.to_id for link in engram.links(skill.id) if link.relation == "derived_from"}
    assert linked <= set(found)
    assert len(linked) >= 3


MIGRATE = [ToolCall("backup"), ToolCall("run_migration"), ToolCall("verify")]


@pytest.mark.parametrize("is_embedded", [False, True], ids=["words", "vectors"])
@pytest.mark.parametrize(
    ("goals", "steps", "count"),
    [
        (["Migrate the {} database"] * 3, MIGRATE, 1),
        (["Deploy {}"] * 3, (), 0),
        (["Plan the {} party", "Report on {} sales", "Interview {} candidates"], MIGRATE, 0),
    ],
    ids=["same steps", "one word in common", "the same steps for something else"],
)
def test_it_does_not_matter_whether_vectors_are_there_yet(
    open_store, clock, goals, steps, count, is_embedded
):
    settings = None if is_embedded else {"embedder": {"kind": "none"}}
    with open_store(settings=settings) as engram:
        for goal, what in zip(goals, ("orders", "customer", "billing"), strict=True):
            failed = Failure("disk full", recoverable=False)
            run(engram, clock, failed, steps, {"goal": goal.format(what)})
            if is_embedded:
                engram.settle(10)
        clock.advance(days=20)

        assert len(engram.episodes.consolidate(dry_run=True).found) == count


def test_an_agent_consolidates_its_own_episodes_alone(open_store, clock):
    coder = open_store(scope=Scope("acme", None, "coder"))
    critic = open_store(scope=Scope("acme", None, "critic"))
    for _ in range(3):
        run(coder, clock, Failure("disk full"))
    clock.advance(days=20)

    assert critic.episodes.consolidate().found == ()
    [made] = coder.episodes.consolidate().found
    assert made.memory.scope == Scope("acme", None, "coder")
    assert open_store(principal=Principal.of(Scope("acme"))).get(made.memory.id) is None
