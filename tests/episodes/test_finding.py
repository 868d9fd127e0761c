"""Finding what happened: by likeness, time, outcome, people and along causes."""

from datetime import timedelta

import pytest
from clock import START

from engram import Engram, Scope
from engram.errors import InvalidInput, MemoryNotFound
from engram.memory.episodes.events import ToolCall
from engram.memory.episodes.outcomes import Failure, Success
from engram.memory.situation import Situation
from engram.storage.episodes import EpisodeConditions

ACME = Scope("acme")
CODER = Scope("acme", None, "coder")
WORDLESS = {"embedder": {"kind": "none"}}


def hour(number: float):
    return START - timedelta(hours=100) + timedelta(hours=number)


def record(engram: Engram, goal: str, outcome: object = "success", *, at: float = 0, **told):
    told.setdefault("ended_at", hour(at + 0.5))
    kept = engram.episodes.record({"goal": goal}, [], outcome, started_at=hour(at), **told)
    return kept.episode


@pytest.fixture
def some(engram):
    """Three that are over, an hour each begun later, and one that goes on."""
    return [
        record(engram, "Deploy billing", at=1, participants=["Ada"]),
        record(engram, "Write the minutes", Failure("lost", recoverable=False), at=2),
        record(engram, "Deploy search", at=3, participants=["ada", "Bob"], session="s"),
        engram.episodes.begin("Deploy the web", at=hour(4), participants=["Bob"]),
    ]


def ids(episodes) -> list[str]:
    return [each.id for each in episodes]


# By conditions


def test_a_list_begins_with_what_began_last(engram, some):
    assert ids(engram.episodes.list()) == ids(some[::-1])
    assert ids(engram.episodes.list(limit=2)) == ids([some[3], some[2]])


def test_conditions_narrow_a_list(engram, some):
    on = engram.episodes

    assert ids(on.list(outcome="failure")) == ids(on.by_outcome("failure")) == ids([some[1]])
    assert ids(on.by_outcome("ongoing")) == ids(on.ongoing()) == ids([some[3]])
    assert ids(on.list(person="ADA")) == ids(on.by_participant("Ada")) == ids([some[2], some[0]])
    assert on.by_participant("Ad") == []
    assert ids(on.list(session="s")) == ids([some[2]])
    assert ids(on.list(since=hour(2.2), until=hour(3.5))) == ids([some[2], some[1]])


def test_around_a_moment_what_meant_most_comes_first(engram, some):
    assert ids(engram.episodes.at(hour(2.5), timedelta(hours=1))) == ids(
        sorted(some[:3], key=lambda each: -each.significance)
    )
    assert engram.episodes.at(hour(2.5), 3_600)[0].id == some[1].id  # a failure for good
    assert ids(engram.episodes.at(hour(2.4), 0)) == ids([some[1]])


def test_before_a_moment_what_meant_most_comes_first(engram, some):
    assert ids(engram.episodes.before(hour(3), 1)) == ids([some[1]])
    assert set(ids(engram.episodes.before(hour(3)))) == set(ids(some[:2]))


def test_between_two_moments_all_comes_in_its_order(engram, some):
    assert ids(engram.episodes.between(hour(1.2), hour(3))) == ids(some[:3])
    assert ids(engram.episodes.between(hour(0), hour(9))) == ids(some)
    assert ids(engram.episodes.between(hour(1), hour(9), limit=2)) == ids(some[:2])
    assert engram.episodes.between(hour(-9), hour(-8)) == []


def test_what_was_forgotten_is_not_found_but_can_be_looked_up(engram, some):
    engram.forget(some[0].id)

    assert some[0].id not in ids(engram.episodes.list())
    assert engram.episodes.get(some[0].id).situation == some[0].situation


def test_many_episodes_are_read_page_by_page_and_none_is_left_out(engram, monkeypatch):
    monkeypatch.setattr("engram.storage.episodes.PAGE", 3)
    every = [
        record(engram, f"Number {place}", at=place // 4) for place in range(11)
    ]  # four at once

    assert ids(engram.episodes.list()) == ids(every[::-1])


@pytest.mark.parametrize(
    "attempt",
    [
        lambda on: on.list(outcome="won"),
        lambda on: on.by_outcome(""),
        lambda on: on.by_participant(""),
        lambda on: on.by_participant("a\nb"),
        lambda on: on.list(limit=0),
        lambda on: on.list(since="yesterday"),
        lambda on: on.at("2026-03-01", 60),
        lambda on: on.at(START, -1),
        lambda on: on.at(START, float("nan")),
        lambda on: on.at(START, "hour"),
        lambda on: on.at(START, True),
        lambda on: on.at(START, timedelta(days=99_999)),
        lambda on: on.at("9999-12-30T00:00:00Z", timedelta(days=9)),
        lambda on: on.before(START, 0),
        lambda on: on.between(hour(2), hour(1)),
        lambda on: on.sequence("mem-0001", "sideways"),
        lambda on: on.sequence("mem-9999"),
        lambda on: on.similar("x", 0),
        lambda on: on.similar({"mood": 1}),
        lambda on: on.get("mem-0001", known_at="now"),
    ],
)
def test_a_wrong_question_is_refused(engram, some, attempt):
    with pytest.raises((InvalidInput, MemoryNotFound)):
        attempt(engram.episodes)


# By likeness


@pytest.mark.parametrize("settings", [None, WORDLESS], ids=["vectors", "words"])
def test_what_happened_in_similar_situations_is_found(clock, settings):
    with Engram.open(":memory:", settings=settings, clock=clock) as engram:
        deploy = record(engram, "Deploy the billing service to staging", at=1)
        record(engram, "Plan the summer party", at=2)
        engram.episodes.begin("Deploy the billing service again")
        engram.remember("The billing service is deployed to staging by hand.")
        engram.settle(10)

        [best, *_] = engram.episodes.similar(Situation(goal="deploying billing"))

        assert best.episode.id == deploy.id
        assert 0.5 < best.score < 1
        assert all(not hit.episode.is_ongoing for hit in engram.episodes.similar("billing"))
        assert engram.episodes.similar("deploy billing", outcome="failure") == []
        assert len(engram.episodes.similar("deploy billing", 1)) == 1


def test_runs_that_went_just_alike_are_all_found(engram):
    runs = [record(engram, "Deploy the billing service", at=at) for at in (1, 2, 3)]

    assert {hit.episode.id for hit in engram.episodes.similar("deploy billing")} == set(ids(runs))


@pytest.mark.parametrize("settings", [None, WORDLESS], ids=["vectors", "words"])
def test_a_score_says_how_much_a_situation_is_alike(clock, settings):
    with Engram.open(":memory:", settings=settings, clock=clock) as engram:
        for place, goal in enumerate(["Deploy billing", "Deploy search", "Deploy billing to Mars"]):
            record(engram, goal, at=place)
        engram.settle(10)

        found = engram.episodes.similar({"goal": "Deploy billing"})

        assert [hit.episode.situation.goal for hit in found][:2] == [
            "Deploy billing",
            "Deploy billing to Mars",
        ]
        assert found[0].score == 1.0
        scores = [hit.score for hit in found]
        assert scores == sorted(scores, reverse=True)
        assert all(0.0 <= score <= 1.0 for score in scores)


def test_an_empty_question_finds_nothing(engram, some):
    assert engram.episodes.similar(Situation()) == []


# Fading


def test_what_has_faded_is_left_out_unless_asked_for(engram, clock):
    old = record(engram, "Deploy billing", at=0)
    clock.advance(days=200)
    late = record(engram, "Deploy billing", at=24 * 200)

    on = engram.episodes
    assert ids(on.list()) == ids(on.between(hour(0), clock())) == ids([late])
    assert ids(on.list(faded=True)) == ids([late, old])
    assert [hit.episode.id for hit in on.similar("deploy billing")] == [late.id]
    assert len(on.similar("deploy billing", faded=True)) == 2
    assert on.get(old.id).strength < 0.1 < on.get(late.id).strength


def test_what_is_recalled_is_vivid_again(engram, clock):
    old = record(engram, "Deploy billing", at=0)
    clock.advance(days=20)
    faint = engram.episodes.get(old.id).strength

    engram.recall("deploy billing")
    engram.settle()
    fresh = engram.episodes.get(old.id).strength
    clock.advance(days=20)

    assert faint < fresh == 1.0
    assert engram.episodes.get(old.id).strength == pytest.approx(faint, rel=0.5)


def test_looking_often_changes_nothing(engram, clock):
    episode = record(engram, "Deploy billing", at=0)
    clock.advance(days=5)

    seen = {engram.episodes.get(episode.id).strength for _ in range(5)}
    seen |= {each.strength for _ in range(5) for each in engram.episodes.list()}
    engram.episodes.similar("deploy billing", faded=True)
    engram.episodes.at(hour(0), faded=True)
    engram.episodes.before(hour(9))
    engram.episodes.between(hour(0), hour(9))
    engram.episodes.sequence(episode.id)
    engram.settle()
    seen.add(engram.episodes.get(episode.id).strength)

    assert len(seen) == 1


def test_how_fast_episodes_fade_is_a_setting(clock):
    settings = {"lifecycle": {"episode_decay_per_hour": 0.1}}
    with Engram.open(":memory:", settings=settings, clock=clock) as engram:
        episode = record(engram, "Deploy billing", at=99)
        clock.advance(days=3)

        assert engram.episodes.list() == []
        assert engram.episodes.get(episode.id).strength < 0.05


# Links


def test_a_similar_episode_is_linked_and_says_what_to_expect(engram):
    first = record(engram, "Deploy the billing service", at=1)
    second = engram.episodes.record(
        {"goal": "Deploy the billing service"}, [], Failure("boom"), started_at=hour(2),
        ended_at=hour(2.5),
    )  # fmt: skip
    third = record(engram, "Plan the summer party", at=3)

    assert second.similar == (first.id,)
    assert second.labels == {first.id: first.label}
    assert second.episode.surprise == 1.0  # the one like it went well
    assert third.surprise == 0.5
    [link] = [each for each in engram.links(first.id) if each.relation == "similar_to"]
    assert (link.from_id, link.to_id) == (second.episode.id, first.id)


@pytest.mark.parametrize("is_embedded", [False, True], ids=["words", "vectors"])
def test_links_are_the_same_whether_or_not_vectors_are_there(open_store, is_embedded):
    engram = open_store(settings=None if is_embedded else WORDLESS)
    goals = ("Deploy checkout", "Deploy billing", "Deploy billing now", "Deploy billing again")
    for place, goal in enumerate(goals):
        last = engram.episodes.record(
            {"goal": goal}, [ToolCall("deploy")], Failure("disk full"), started_at=hour(place),
            ended_at=hour(place + 0.5),
        )  # fmt: skip
        if is_embedded:
            engram.settle(10)

    by_id = {each.id: each.situation.goal for each in engram.episodes.list()}
    assert {by_id[each] for each in last.similar} >= {"Deploy billing"}
    assert "Deploy checkout" not in {by_id[each] for each in last.similar}


def test_vectors_tell_likeness_where_there_are_any(engram):
    first = record(engram, "Deploy the billing service", at=1)
    engram.settle(10)

    with engram._view(None) as see:
        wordings = see.episodes.latest_wordings(Scope(), limit=10)
    near = engram.episodes._nearness(first.memory.content, Scope())

    assert wordings == {first.memory.number: 1}
    assert near == {first.memory.number: pytest.approx(1.0, abs=1e-3)}


def test_an_episode_is_linked_to_five_similar_ones_at_most(engram):
    for place in range(8):
        last = engram.episodes.record(
            {"goal": "Deploy the billing service"}, [], "success", started_at=hour(place),
            ended_at=hour(place + 0.5),
        )  # fmt: skip

    assert len(last.similar) == 5


def test_causes_are_followed_backward_and_forward(engram):
    failed = record(engram, "Deploy", Failure("no space left on device"), at=1)
    fixed = record(engram, "Free the disk: no space left on device", at=2)
    again = record(engram, "Deploy once more", at=3, caused_by=[fixed.id])
    beside = record(engram, "Tell Ada", at=4, caused_by=[fixed.label])

    on = engram.episodes
    assert ids(on.sequence(again.id, "backward")) == ids([again, fixed, failed])
    assert ids(on.sequence(failed.id)) == ids([failed, fixed, again, beside])
    assert ids(on.sequence(failed.id, limit=2)) == ids([failed, fixed])
    assert ids(on.sequence(failed.id, "backward")) == ids([failed])


def test_the_same_goal_in_the_same_session_goes_on_from_what_was_before(engram, clock):
    first = engram.episodes.begin({"goal": "Ship it"}, session="s")
    engram.episodes.end(first.id, Failure("boom"))
    clock.advance(minutes=5)
    second = engram.episodes.begin({"goal": "ship it"}, session="s")

    kept = engram.episodes.end(second.id, "success")

    assert kept.causes == (first.id,)


def test_an_end_that_is_undone_and_told_again_makes_no_link_twice(engram, clock):
    first = record(engram, "Ship the web", at=1)
    episode = engram.episodes.begin({"goal": "Ship the web"}, caused_by=[first.id])
    kept = engram.episodes.end(episode.id, "success")
    engram.undo(kept.change_id)

    engram.episodes.end(episode.id, "success")

    relations = [each.relation for each in engram.links(episode.id)]
    assert sorted(relations) == ["caused_by", "similar_to"]


def test_causes_never_run_in_a_circle(engram):
    first = record(engram, "Ship the web", Failure("boom"), at=1, session="s")
    engram.relate(first.id, record(engram, "Other", at=9).id, "caused_by")
    other = engram.episodes.list(outcome="success")[0]
    later = record(engram, "Ship the web", at=20, session="s", caused_by=[other.id])

    with pytest.raises(InvalidInput):
        engram.relate(other.id, later.id, "caused_by")

    every = engram.episodes.sequence(later.id, "backward")
    assert len(every) == len(set(ids(every))) == 3


def test_a_sequence_goes_on_through_what_has_faded(engram, clock):
    old = record(engram, "One", at=0)
    middle = record(engram, "Two", at=1, caused_by=[old.id])
    clock.advance(days=300)
    late = record(engram, "Three", at=24 * 300, caused_by=[middle.id])

    assert ids(engram.episodes.sequence(late.id, "backward")) == ids([late, middle, old])
    assert ids(engram.episodes.sequence(late.id, "backward", faded=False)) == ids([late])


def test_a_link_to_a_wider_scope_is_told_to_nobody_who_does_not_see_both(open_store):
    wide = open_store(scope=ACME)
    cause = wide.episodes.begin("Deploy")
    coder = open_store(scope=CODER)

    effect = coder.episodes.begin("Fix what broke", caused_by=[cause.id])

    assert ids(coder.episodes.sequence(effect.id, "backward")) == ids([effect, cause])
    assert wide.links(cause.id) == []
    assert ids(wide.episodes.sequence(cause.id)) == ids([cause])


def test_episodes_that_used_a_tool_are_found_by_it(engram):
    used = engram.episodes.record("Deploy", [ToolCall("deploy")], Failure("boom")).episode
    engram.episodes.record("Deploy by hand", [ToolCall("scp")], Failure("boom"))

    with engram._view(None) as see:
        found = list(see.episodes.found(EpisodeConditions(tool="deploy", outcome="failure")))

    assert ids(found) == [used.id]


def test_the_whole_of_an_episode_is_read_with_all_or_some_of_its_events(engram):
    kept = engram.episodes.record("Deploy", [ToolCall("a"), ToolCall("b")], Success("url"))
    number = kept.episode.memory.number

    with engram._view(None) as see:
        whole, none = see.episodes.whole(number), see.episodes.whole(number, kinds=["decision"])
        missing = see.episodes.whole(999)

    assert [each.happening.tool for each in whole.events] == ["a", "b"]
    assert none.events == ()
    assert whole.episode.outcome == Success("url")
    assert missing is None
