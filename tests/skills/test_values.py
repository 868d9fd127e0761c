"""Skills as values: what they are made of, in JSON and back, and what is refused."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import ContentTooLarge, EngramError, InvalidInput
from engram.language.names.kinds import EntityType as EntityKind
from engram.memory.skills import (
    Abort,
    AdjustTrigger,
    AllOf,
    Alternative,
    AnyOf,
    AskUser,
    BeliefHeld,
    CallTool,
    ContextProperty,
    CustomAction,
    CustomCheck,
    CustomExtractor,
    Described,
    EntityType,
    EnvironmentEquals,
    EnvironmentHas,
    Fallback,
    Feature,
    GoalMatches,
    If,
    InsertStep,
    InvokeSkill,
    KeywordPresent,
    KnownFailure,
    Learn,
    Loop,
    Not,
    Precondition,
    Procedure,
    ProcedureStep,
    Recall,
    Respond,
    Retry,
    RetryWith,
    SemanticSimilarity,
    Sequence,
    Skill,
    Skip,
    ToolAvailable,
    TriggerPattern,
)
from engram.memory.skills.outline import LONGEST, outline
from engram.memory.skills.skill import invoked, name_key, read_skill
from engram.memory.tagged import as_json

from .samples import run, skill, step

texts = st.text("abc {}é", min_size=1, max_size=8).filter(str.strip)
names = st.text("abcdef", min_size=1, max_size=6)
values = st.one_of(st.none(), st.booleans(), st.integers(0, 9), texts)
plain_checks = st.one_of(
    names.map(ToolAvailable), names.map(EnvironmentHas), names.map(BeliefHeld),
    names.map(CustomCheck), st.builds(EnvironmentEquals, names, values),
)  # fmt: skip
conditions = st.recursive(
    st.one_of(plain_checks, texts.map(Described)),
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=1, max_size=2).map(lambda some: AllOf(tuple(some))),
        st.lists(inner, min_size=1, max_size=2).map(lambda some: AnyOf(tuple(some))),
    ),
    max_leaves=3,
)
plain_actions = st.one_of(
    st.builds(CallTool, names, st.dictionaries(names, values, max_size=2)), texts.map(AskUser),
    texts.map(Respond), texts.map(Recall), texts.map(Learn), names.map(InvokeSkill),
    st.builds(CustomAction, names),
)  # fmt: skip
actions = st.recursive(
    plain_actions,
    lambda inner: st.one_of(
        st.builds(If, conditions, inner, st.one_of(st.none(), inner)),
        st.builds(Loop, conditions, inner, st.integers(1, 5)),
        st.lists(inner, min_size=1, max_size=2).map(lambda some: Sequence(tuple(some))),
    ),
    max_leaves=4,
)
on_failures = st.one_of(
    st.builds(Retry, st.integers(1, 5), st.integers(0, 9).map(lambda n: timedelta(seconds=n))),
    actions.map(Fallback), st.just(Skip()), st.builds(Abort, st.just("stop")), texts.map(AskUser),
)  # fmt: skip
steps = st.builds(
    ProcedureStep, description=texts, action=actions, expected=st.one_of(st.none(), texts),
    on_failure=on_failures,
)  # fmt: skip
extractors = st.one_of(
    st.lists(names, min_size=1, max_size=2).map(lambda some: KeywordPresent(tuple(some))),
    st.sampled_from(EntityKind).map(EntityType), st.builds(ContextProperty, names, values),
    texts.map(GoalMatches), texts.map(SemanticSimilarity), names.map(CustomExtractor),
)  # fmt: skip
recoveries = st.one_of(
    st.builds(lambda step: RetryWith((InsertStep(0, step),)), steps),
    names.map(lambda name: RetryWith((AdjustTrigger(name, -0.5),))), names.map(Alternative),
    texts.map(AskUser), st.just(Abort()),
)  # fmt: skip
skills = st.builds(
    Skill,
    name=names,
    description=texts,
    trigger=st.builds(
        lambda some, description: TriggerPattern(
            features=tuple(Feature(f"f{place}", each) for place, each in enumerate(some)),
            description=description,
        ),
        st.lists(extractors, max_size=3), texts,
    ),
    procedure=st.lists(steps, min_size=1, max_size=3).map(
        lambda some: Procedure(steps=tuple(some), estimated_duration=timedelta(seconds=90))
    ),
    preconditions=st.lists(st.builds(Precondition, plain_checks), max_size=2).map(tuple),
    known_failures=st.lists(
        st.builds(KnownFailure, error=texts, recovery=recoveries), max_size=2
    ).map(tuple),
)  # fmt: skip


@settings(max_examples=40)
@given(skills)
def test_a_skill_is_the_same_after_a_way_through_json(made):
    assert read_skill(as_json(made)) == made


@settings(max_examples=40)
@given(skills)
def test_an_outline_is_never_too_long_for_a_memory(made):
    assert 0 < len(outline(made)) <= LONGEST


def test_an_outline_tells_when_how_and_what_goes_wrong():
    told = outline(
        skill(
            "Deploy the service",
            preconditions=(Precondition(ToolAvailable("docker")),),
            known_failures=(KnownFailure(error="the registry is full", description="clean up"),),
        )
    )

    assert told.splitlines() == [
        "How to deploy the service: Bring a service into production.",
        "When: deploy or release, service",
        "Needs: the tool docker is available",
        "1. Call run_tests (call run_tests())",
        "2. Call build (call build())",
        "3. Call push (call push())",
        "Goes wrong: the registry is full (clean up)",
    ]


def test_an_outline_of_many_long_steps_says_how_many_are_left_out():
    many = skill(procedure=Procedure(steps=tuple(step(f"tool_{n}") for n in range(20))))

    assert "and 8 more steps" in outline(many)


def test_names_are_compared_without_case_spaces_and_dashes():
    assert name_key("Deploy the_API") == name_key("deploy-the api") == "deploy-the-api"


def test_every_skill_that_may_be_followed_is_found_wherever_it_is_named():
    nested = If(Described("it is late"), Sequence((InvokeSkill("wait"),)), InvokeSkill("Go on"))
    made = skill(
        procedure=Procedure(
            steps=(
                ProcedureStep(description="Choose", action=Loop(ToolAvailable("x"), nested)),
                ProcedureStep(
                    description="Try",
                    action=CallTool("x"),
                    on_failure=Fallback(InvokeSkill("undo")),
                ),
            )
        )
    )

    assert invoked(made) == {"wait", "go-on", "undo"}


def _nested(depth: int) -> object:
    action: object = CallTool("x")
    for _ in range(depth - 1):
        action = Sequence((action,))
    return action


def test_actions_are_nested_eight_deep_and_no_deeper():
    assert ProcedureStep(description="Deep", action=_nested(8))

    with pytest.raises(InvalidInput, match="at most 8 deep"):
        _nested(9)


def test_conditions_are_nested_eight_deep_and_no_deeper():
    condition: object = Described("it rains")
    for _ in range(7):
        condition = Not(condition)

    with pytest.raises(InvalidInput, match="at most 8 deep"):
        Not(condition)


def test_a_json_that_is_nested_without_end_is_refused():
    action: object = {"type": "call_tool", "tool": "x"}
    for _ in range(5_000):
        action = {"type": "sequence", "actions": [action]}

    with pytest.raises(ContentTooLarge):
        read_skill({"name": "deep", "procedure": {"steps": [{"action": action}]}})


_PLAIN = as_json(skill())


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": ""}, "`name` is empty"),
        ({"name": " deploy"}, "begins or ends with a space"),
        ({"name": "a\nb"}, "control character"),
        ({"description": None}, "`skill.description` is a text"),
        ({"trigger": {"features": []}}, "features, or a description"),
        ({"trigger": {"features": [], "description": "x", "threshold": 2}}, "from 0 to 1"),
        ({"trigger": {"features": [{"name": "f", "extractor": {"type": "pickle"}}]}}, "one of"),
        ({"procedure": {"steps": []}}, "1 to 100 steps"),
        ({"procedure": {"steps": [{"description": "x"}]}}, "lacks: action"),
        ({"preconditions": [{"check": {"type": "not"}}]}, "one of: belief_held"),
        ({"handler": "x"}, "fields nobody knows; it takes"),
        ({"source_episodes": [7]}, "is a text"),
    ],
)
def test_a_skill_that_makes_no_sense_is_refused_and_told_why(changes, told):
    with pytest.raises(EngramError) as refused:
        read_skill({**_PLAIN, **changes})

    assert told in refused.value.hint


@pytest.mark.parametrize(
    "make",
    [
        lambda: KeywordPresent(()),
        lambda: KeywordPresent(("...",)),
        lambda: Feature("f", CustomExtractor("x"), 0.0),
        lambda: Loop(Described("x"), CallTool("x"), 0),
        lambda: Sequence(()),
        lambda: AllOf(()),
        lambda: Retry(0),
        lambda: InsertStep(-1, step("x")),
        lambda: run(step=0),
        lambda: TriggerPattern(
            features=(Feature("f", CustomExtractor("x")), Feature("f", CustomExtractor("y")))
        ),
    ],
)
def test_a_part_that_makes_no_sense_cannot_be_made(make):
    with pytest.raises(InvalidInput):
        make()


def test_a_skill_that_is_too_large_is_refused():
    long = Procedure(steps=tuple(step(f"t{n}", expected="x" * 4_000) for n in range(20)))

    with pytest.raises(ContentTooLarge):
        read_skill(skill(procedure=long))
