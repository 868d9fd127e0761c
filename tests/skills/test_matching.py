"""Which skills fit a situation, and why."""

import pytest

from engram import Engram
from engram.errors import InvalidInput
from engram.memory.episodes.outcomes import Failure
from engram.memory.situation import Situation
from engram.memory.skills import (
    BeliefHeld,
    CustomCheck,
    CustomExtractor,
    Feature,
    KeywordPresent,
    Precondition,
    SemanticSimilarity,
    TriggerPattern,
    Verdict,
)

from .samples import needing, skill


def trigger(*words: str, **more: object) -> TriggerPattern:
    return TriggerPattern(
        features=tuple(Feature(word, KeywordPresent((word,))) for word in words), **more
    )


def names(found) -> list[str]:
    return [each.name for each in found]


def test_a_skill_is_ranked_by_fit_times_success(engram: Engram):
    engram.skills.add(skill("steady", trigger=trigger("deploy", "service", "night")))
    engram.skills.add(skill("shaky", trigger=trigger("deploy", "service")))
    engram.skills.feedback("steady", "success")
    engram.skills.feedback("shaky", {"type": "partial", "completed": ["a"], "remaining": ["b"]})

    found = engram.skills.match("deploy the service")

    assert names(found) == ["steady", "shaky"]
    assert [round(each.match_score, 2) for each in found] == [0.67, 1.0]
    assert [round(each.score, 2) for each in found] == [0.67, 0.5]
    assert found[0].why == "names deploy; names service; success rate 1.00"


def test_below_its_threshold_a_skill_does_not_fit(engram: Engram):
    engram.skills.add(skill("half", trigger=trigger("deploy", "database")))
    engram.skills.add(skill("lenient", trigger=trigger("deploy", "database", threshold=0.5)))

    assert names(engram.skills.match("deploy the service")) == ["lenient"]
    assert engram.skills.match("bake a cake") == []


def test_only_so_many_are_given(engram: Engram):
    for number in range(5):
        engram.skills.add(skill(f"skill {number}"))

    assert len(engram.skills.match("deploy the service")) == 3
    assert len(engram.skills.match("deploy the service", limit=5)) == 5
    with pytest.raises(InvalidInput):
        engram.skills.match("deploy the service", limit=0)


def test_preconditions_are_reported_as_met_failed_or_unknown(engram: Engram):
    engram.skills.add(skill("a", preconditions=needing("git")))
    situation = {"goal": "deploy the service"}

    ready = engram.skills.match({**situation, "tools": ["git"]})[0]
    unknown = engram.skills.match(situation)[0]

    assert ready.is_ready
    assert not unknown.is_ready
    assert unknown.unknown_preconditions[0].reason.startswith("cannot be checked here")
    assert engram.skills.match({**situation, "tools": ["svn"]}) == []


def test_a_reliable_skill_is_offered_though_a_precondition_fails_and_says_so(engram: Engram):
    engram.skills.add(skill("a", preconditions=needing("git")))
    engram.skills.feedback("a", "success")

    found = engram.skills.match({"goal": "deploy the service", "tools": ["svn"]})[0]

    assert [each.reason for each in found.failed_preconditions] == [
        "not so: the tool git is available"
    ]


def test_a_belief_that_no_longer_holds_fails_its_precondition(engram: Engram):
    belief = engram.remember("The staging server is up.")
    engram.skills.add(skill("a", preconditions=(Precondition(BeliefHeld(belief.memory.id)),)))
    engram.skills.feedback("a", "success")

    def verdict():
        return engram.skills.match("deploy the service")[0].preconditions[0].verdict

    assert verdict() is Verdict.MET
    engram.forget(belief.memory.id)
    assert verdict() is Verdict.FAILED
    engram.undo(engram.get(belief.memory.id).change_id)
    assert verdict() is Verdict.MET


def test_checks_and_extractors_are_functions_registered_by_name(engram: Engram):
    own = TriggerPattern(
        features=(
            Feature("deploy", KeywordPresent(("deploy",))),
            Feature("mood", CustomExtractor("mood")),
        )
    )
    engram.skills.add(
        skill("a", trigger=own, preconditions=(Precondition(CustomCheck("is quiet")),))
    )
    assert engram.skills.match("deploy it") == []  # what cannot be read here is not there

    engram.skills.register_extractor("mood", lambda situation: 1.0)
    assert engram.skills.match("deploy it")[0].unknown_preconditions

    asked: list[Situation] = []
    engram.skills.register_check("is quiet", lambda situation: asked.append(situation) is None)
    assert engram.skills.match("deploy it")[0].is_ready
    assert asked == [Situation(text="deploy it")]


@pytest.mark.parametrize("error", [ValueError, KeyError, ZeroDivisionError, OSError])
def test_a_function_that_fails_leaves_the_question_open(engram: Engram, error):
    def broken(situation: Situation) -> bool:
        raise error

    engram.skills.add(skill("a", preconditions=(Precondition(CustomCheck("c")),)))
    engram.skills.register_check("c", broken)

    assert engram.skills.match("deploy the service")[0].preconditions[0].verdict is Verdict.UNKNOWN


def test_an_extractor_that_gives_no_number_reads_nothing(engram: Engram):
    own = TriggerPattern(features=(Feature("f", CustomExtractor("f")),))
    engram.skills.add(skill("a", trigger=own))
    engram.skills.register_extractor("f", lambda situation: float("nan"))

    assert engram.skills.match("deploy it") == []


def test_a_function_may_itself_ask_the_store(engram: Engram):
    engram.skills.add(skill("a", preconditions=(Precondition(CustomCheck("c")),)))
    engram.skills.register_check("c", lambda situation: bool(engram.skills.list()))

    assert engram.skills.match("deploy the service")[0].is_ready


@pytest.mark.parametrize(("name", "function"), [("", bool), ("x", 7), (None, bool)])
def test_what_cannot_be_registered_is_refused(engram: Engram, name, function):
    with pytest.raises(InvalidInput):
        engram.skills.register_check(name, function)


def test_a_skill_is_found_by_meaning(engram: Engram):
    near = Feature("near", SemanticSimilarity("bring a service into production", 0.3))
    engram.skills.add(skill("a", trigger=TriggerPattern(features=(near,), threshold=0.3)))

    found = engram.skills.match("we bring the mail service into production now")

    assert "like, by meaning" in found[0].why
    assert engram.skills.match("bake a cake") == []


def test_without_an_embedder_meaning_is_told_by_words(clock):
    with Engram.open(":memory:", clock=clock, settings={"embedder": {"kind": "none"}}) as engram:
        engram.skills.add(skill("a", trigger=TriggerPattern(description="bring the service out")))

        assert "by words" in engram.skills.match("bring the service out")[0].why


def test_what_was_learnt_is_in_the_procedure_that_is_matched(engram: Engram):
    engram.skills.add(skill("a"))
    engram.skills.feedback("a", "success")
    engram.skills.feedback("a", Failure("stale cache", learned="empty the cache"), step=2)

    steps = engram.skills.match("deploy the service")[0].procedure.steps

    assert [each.description for each in steps] == [
        "Call run_tests",
        "Check first: empty the cache",
        "Call build",
        "Call push",
    ]
