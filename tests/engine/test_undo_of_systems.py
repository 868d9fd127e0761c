"""Every change to an episode, a belief or a skill is taken back exactly, and made again exactly."""

import dataclasses
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import pytest

from engram import Engram, Principal, Scope
from engram.errors import AccessDenied, EngramError, UndoConflict
from engram.memory.episodes.events import ErrorOccurred, ToolCall, ToolResult
from engram.memory.episodes.outcomes import Failure, Success
from engram.memory.knowledge.epistemic import Observed
from engram.memory.skills import CallTool, Procedure, ProcedureStep, Skill, TriggerPattern

AGENT = Scope("acme", "core", "coder")
TOLD = [ToolCall("build"), ToolResult("build", "boom", success=False), ErrorOccurred("boom")]
# What says when and by which change a state came about, and not what it tells.
_OF_THE_STATE = frozenset({"change_id", "recorded_at", "recorded_until", "usage", "strength"})

SEEN = datetime(2026, 2, 1, tzinfo=UTC)
Act = Callable[[Engram], str]


def a_skill(name: str = "release", *tools: str) -> Skill:
    steps = tuple(
        ProcedureStep(description=f"Call {tool}", action=CallTool(tool))
        for tool in tools or ("build", "push")
    )
    return Skill(
        name=name, description="Bring a service out.",
        trigger=TriggerPattern(description="a service is to be released"),
        procedure=Procedure(steps=steps),
    )  # fmt: skip


def lived(engram: Engram, number: int, outcome: object = "success") -> str:
    """An episode that is over."""
    told = [ToolCall("build", {"n": number}), ToolCall("push", {"n": number})]
    return engram.episodes.record(f"release the service {number}", told, outcome).episode.id


def furnish(engram: Engram, clock: object) -> None:
    """What the changes below are made to."""
    engram.episodes.begin("release the service", session="open", participants=["Ada"])
    lived(engram, 0, Failure("boom"))
    learn = engram.knowledge.learn
    learn("Ada", "located_in", "Lyon", confidence=0.5)
    learn("Ada", "works_for", "Acme", valid_from="2025-06-01T00:00:00Z")
    learn("Bob", "located_in", "Rome")
    clock.advance(seconds=1)
    learn("Bob", "located_in", "Oslo", epistemic=Observed("report", clock.time), confidence=0.9)
    engram.skills.add(a_skill())
    engram.skills.feedback("release", Failure("boom"), step=1)
    clock.advance(days=1)


def _ongoing(engram: Engram) -> str:
    return engram.episodes.ongoing()[0].id


def _belief(engram: Engram, subject: str = "Ada") -> str:
    return engram.knowledge.belief(subject, "located_in").belief.memory.id


def _alias(engram: Engram) -> str:
    return engram.knowledge.alias("Adelaide", "Ada")


ACTS: dict[str, Act] = {
    "begin": lambda e: e.episodes.begin("something else").memory.change_id,
    "begin after another": lambda e: e.episodes.begin(
        "something else", caused_by=[_ongoing(e)]
    ).memory.change_id,
    "add": lambda e: e.episodes.add(_ongoing(e), TOLD).change_id,
    "end": lambda e: e.episodes.end(_ongoing(e), Failure("boom")).change_id,
    "abandon": lambda e: e.episodes.abandon(_ongoing(e), "no time").change_id,
    "record": lambda e: e.episodes.record(
        "release the service 0", TOLD, Failure("boom"), caused_by=[_ongoing(e)]
    ).change_id,
    "learn": lambda e: e.knowledge.learn("Cleo", "knows", "Ada").change_id,
    "learn again": lambda e: e.knowledge.learn(
        "Ada", "located_in", "Lyon", confidence=0.5
    ).change_id,
    "learn again from another": lambda e: e.knowledge.learn(
        "Ada", "located_in", "Lyon", source="import:letter"
    ).change_id,
    "learn on better grounds": lambda e: e.knowledge.learn(
        "Ada", "located_in", "Lyon", epistemic=Observed("seen", SEEN), subject_type="person"
    ).change_id,
    "replace": lambda e: e.knowledge.learn("Ada", "located_in", "Porto").change_id,
    "dispute": lambda e: e.knowledge.learn(
        "Ada", "located_in", "Nice", at="2026-02-01T00:00:00Z", confidence=0.5
    ).change_id,
    "tell what was before": lambda e: e.knowledge.learn(
        "Ada", "works_for", "Initech", at="2024-01-01T00:00:00Z", valid_from="2024-01-01T00:00:00Z"
    ).change_id,
    "propose": lambda e: e.knowledge.propose("Ada", "located_in", "Mars").change_id,
    "alias": _alias,
    "retract": lambda e: e.knowledge.retract(_belief(e), "wrong").change_id,
    "add a skill": lambda e: e.skills.add(a_skill("another")).change_id,
    "revise a skill": lambda e: e.skills.revise(
        "release", description="Another way.", procedure=a_skill("x", "push").procedure
    ).memory.change_id,
    "retire a skill": lambda e: e.skills.retire("release", "no use").memory.change_id,
    "report a success": lambda e: e.skills.feedback("release", "success").change_id,
    "report a failure": lambda e: e.skills.feedback(
        "release", Failure("boom", learned="push before"), step=1
    ).change_id,
    "learn a skill": lambda e: e.skills.learn_from(
        [lived(e, number) for number in (1, 2, 3)], name="learnt"
    ).change_id,
    "report a flow": lambda e: e.skills.record_flow(
        "release", ["build"], "success"
    ).noted.change_id,
}  # fmt: skip


def facts(engram: Engram) -> object:
    """All that the three systems tell, apart from when and how they came to tell it."""
    episodes = engram.episodes.list(faded=True, limit=1000)
    reads: dict[str, object] = {
        "episodes": episodes,
        "ongoing": engram.episodes.ongoing(),
        "events": [_events(engram, each.id) for each in episodes],
        "before": [engram.episodes.sequence(each.id, "backward") for each in episodes],
        "after": [engram.episodes.sequence(each.id, "forward") for each in episodes],
        "nodes": engram.knowledge.nodes(limit=1000),
        "skills": engram.skills.list(limit=1000),
        "runs": [engram.skills.runs(each.id) for each in engram.skills.list(limit=1000)],
        "matched": engram.skills.match("a service is to be released"),
        "warnings": engram.skills.warnings(tool="build"),
        "links": [_links(engram, each) for each in engram.list(status="any", limit=1000)],
    }
    for name in ("Ada", "Bob", "Cleo", "Adelaide"):
        reads[name] = [
            _or_error(lambda name=name: engram.knowledge.node(name)),
            *(engram.knowledge.belief(name, each) for each in ("located_in", "works_for")),
        ]
    return _plain(reads)


def _events(engram: Engram, id_: str) -> list[object]:
    return [(each.sequence, each.event) for each in engram.episodes.events(id_).events]


def _links(engram: Engram, memory: object) -> list[tuple[str, str, str]]:
    return sorted((each.from_id, each.to_id, each.relation) for each in engram.links(memory.id))


def _or_error(act: Callable[[], object]) -> object:
    try:
        return act()
    except EngramError as error:
        return type(error)


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [each.name for each in dataclasses.fields(value) if each.name not in _OF_THE_STATE]
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _undo(engram: Engram, change: str) -> str:
    """Take a change back; the id of what did so."""
    engram.undo(change)
    engram.settle()
    return str(engram.audit(action="undo", limit=1)[0].change_id)


@pytest.mark.parametrize("act", ACTS)
def test_a_change_is_taken_back_exactly_and_made_again_exactly(engram: Engram, clock, act: str):
    furnish(engram, clock)
    is_several = act in ("learn a skill", "report a flow")  # they record episodes besides
    before = None if is_several else facts(engram)
    change = ACTS[act](engram)
    after = facts(engram)
    assert after != before

    undone = _undo(engram, change)
    taken_back = facts(engram)
    redone = _undo(engram, undone)

    assert taken_back != after
    assert before is None or taken_back == before
    assert facts(engram) == after
    _undo(engram, redone)
    assert facts(engram) == taken_back


def test_everything_together_is_taken_back_in_the_opposite_order(engram: Engram, clock):
    """One after another, each before the last: the store tells what it told in between."""
    furnish(engram, clock)
    told = [facts(engram)]
    changes = []
    for act in ("add", "learn", "replace", "alias", "revise a skill", "report a failure"):
        changes.append(ACTS[act](engram))
        told.append(facts(engram))
        clock.advance(minutes=1)

    for change, before in zip(reversed(changes), reversed(told[:-1]), strict=True):
        _undo(engram, change)
        assert facts(engram) == before


@pytest.mark.parametrize("act", ACTS)
def test_what_was_known_at_a_moment_does_not_change_by_an_undo(engram: Engram, clock, act: str):
    furnish(engram, clock)
    moment = clock.time
    known = _known(engram, moment)
    clock.advance(minutes=1)
    change = ACTS[act](engram)
    clock.advance(minutes=1)
    later = clock.time
    known_later = _known(engram, later)

    clock.advance(minutes=1)
    _undo(engram, change)

    assert _known(engram, moment) == known
    assert _known(engram, later) == known_later


def _known(engram: Engram, moment: object) -> object:
    episodes = engram.episodes.list(faded=True, known_at=moment, limit=1000)
    return _plain(
        {
            "episodes": [(each.situation, each.outcome, each.event_count) for each in episodes],
            "events": [
                [e.event for e in engram.episodes.events(each.id, known_at=moment).events]
                for each in episodes
            ],
            "beliefs": [
                engram.knowledge.belief(name, "located_in", as_of=moment, known_at=moment)
                for name in ("Ada", "Bob")
            ],
            "skills": [
                _or_error(lambda name=name: engram.skills.get(name, known_at=moment))
                for name in ("release", "another", "learnt")
            ],
        }
    )  # fmt: skip


@pytest.mark.failure("F28")
@pytest.mark.parametrize("act", ACTS)
def test_another_agent_takes_none_of_it_back(open_store, clock, act: str):
    """Two agents that write where both may: an orchestrator and the one it directs."""
    agent = open_store(principal=Principal.of(AGENT))
    furnish(agent, clock)
    change = ACTS[act](agent)
    after = facts(agent)
    other = open_store(principal=Principal.orchestrator(Scope("acme", "core")))

    with pytest.raises(AccessDenied):
        other.undo(change)

    assert facts(agent) == after


def test_an_older_learning_that_was_replaced_since_is_a_conflict(engram: Engram, clock):
    first = engram.knowledge.learn("Ada", "located_in", "Lyon")
    clock.advance(days=1)
    second = engram.knowledge.learn("Ada", "located_in", "Porto")
    assert second.kind == "replaced"

    with pytest.raises(UndoConflict, match=str(second.change_id)):
        engram.undo(str(first.change_id))

    engram.undo(str(second.change_id))
    engram.undo(str(first.change_id))
    assert engram.knowledge.nodes() == []


def test_what_an_episode_ended_on_is_not_taken_from_under_it(engram: Engram):
    episode = engram.episodes.begin("release the service")
    added = engram.episodes.add(episode.id, TOLD)
    ended = engram.episodes.end(episode.id, Success())

    for earlier in (added.change_id, episode.memory.change_id):
        with pytest.raises(UndoConflict):
            engram.undo(earlier)

    engram.undo(ended.change_id)
    engram.undo(added.change_id)
    assert engram.episodes.get(episode.id).event_count == 0


def test_a_revision_that_was_revised_since_is_a_conflict(engram: Engram):
    engram.skills.add(a_skill())
    first = engram.skills.revise("release", description="One.").memory.change_id
    second = engram.skills.revise("release", description="Two.").memory.change_id

    with pytest.raises(UndoConflict, match=second):
        engram.undo(first)


def test_a_belief_that_others_confirmed_is_not_made_undone(engram: Engram, clock):
    first = engram.knowledge.learn("Ada", "located_in", "Lyon")
    again = engram.knowledge.learn("Ada", "located_in", "Lyon", source="import:letter")

    with pytest.raises(UndoConflict):
        engram.undo(str(first.change_id))

    engram.undo(str(again.change_id))
    engram.undo(str(first.change_id))


def test_what_is_undone_twice_is_a_conflict(engram: Engram, clock):
    furnish(engram, clock)
    for act in ("add", "learn", "alias", "report a success"):
        change = ACTS[act](engram)
        engram.undo(change)

        with pytest.raises(UndoConflict):
            engram.undo(change)


def test_consolidating_is_taken_back_with_the_ties_it_made(engram: Engram, clock):
    for number in range(4):
        lived(engram, number)
    clock.advance(days=60)
    before = facts(engram)
    found = engram.episodes.consolidate().found
    assert found

    for each in found:
        engram.undo(str(each.change_id))
        if each.skill is not None:  # a change of its own
            engram.undo(engram.skills.get(each.skill).memory.change_id)

    assert facts(engram) == before
    assert engram.episodes.consolidate(dry_run=True).found


def test_the_figures_of_an_undone_run_are_as_if_it_had_not_been(engram: Engram, clock):
    engram.skills.add(a_skill())
    engram.skills.feedback("release", "success", duration=timedelta(minutes=1))
    before = engram.skills.get("release").stats
    noted = engram.skills.feedback("release", Failure("boom"), duration=timedelta(hours=1))

    engram.undo(str(noted.change_id))

    assert engram.skills.get("release").stats == before
