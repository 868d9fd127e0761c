"""Failures teach: how they are counted, and what they change in a procedure."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from engram.memory.situation import Situation
from engram.memory.skills import (
    Abort,
    AddPrecondition,
    AdjustTrigger,
    AskUser,
    EnvironmentHas,
    InsertStep,
    KnownFailure,
    ModifyStep,
    Precondition,
    Procedure,
    Recall,
    RemoveStep,
    Retry,
    RetryWith,
    Skip,
    ToolAvailable,
)
from engram.memory.skills.changes import modified, placed_steps
from engram.memory.skills.failures import When, failure_modes
from engram.memory.skills.refinements import refined, refinements

from .samples import failed, needing, run, skill, step, told


def descriptions(made) -> list[str]:
    return [each.description for each in made.procedure.steps]


def test_the_same_error_is_one_failure_mode_that_is_counted():
    found = failure_modes(
        skill(),
        [
            failed("disk /dev/sda1 is full", step=2, episode="mem-0001"),
            run(),
            failed("disk /dev/sdb7 is full", step=2, learned="clean up first"),
            failed("no space in the lift", tool="push"),
        ],
    )

    assert [(each.occurrences, each.step, each.tool) for each in found] == [
        (2, 2, None),
        (1, None, "push"),
    ]
    assert found[0].error == "disk /dev/sdb7 is full"
    assert found[0].learnt == ("clean up first",)
    assert found[0].episodes == ("mem-0001",)


def test_a_failure_mode_tells_what_was_so_each_time_and_never_when_it_worked():
    found = failure_modes(
        skill(),
        [
            failed("it broke", context=told({"region": "us", "day": "friday"})),
            failed("it broke", context=told({"region": "US", "day": "monday"})),
            run(context=told({"region": "eu", "day": "friday"})),
        ],
    )

    assert found[0].conditions == (When("region", "us"),)


def test_one_failure_tells_nothing_about_when_it_comes():
    assert failure_modes(skill(), [failed("it broke", context=told({"a": 1}))])[0].conditions == ()


def test_what_an_author_knows_to_go_wrong_is_told_before_it_is_seen():
    foreseen = KnownFailure(error="the disk is full", description="clean up", recovery=Abort())
    found = failure_modes(skill(known_failures=(foreseen,)), [failed("it broke")])

    assert [(each.occurrences, each.error) for each in found] == [
        (1, "it broke"),
        (0, "the disk is full"),
    ]
    assert found[1].recovery == Abort()


def test_a_failure_puts_a_check_before_the_step_that_failed():
    lesson = failed("the migrations were not run", step=3, learned="run the migrations")
    found = refinements(skill(), [lesson])

    assert descriptions(refined(skill(), found)) == [
        "Call run_tests",
        "Call build",
        "Check first: run the migrations",
        "Call push",
    ]
    assert isinstance(found[0].modification.step.action, Recall)
    assert found[0].reason == "it failed: the migrations were not run"


def test_a_failure_of_a_tool_belongs_to_the_step_that_calls_it():
    found = refinements(skill(), [failed("the cache was cold", tool="build")])

    assert found[0].modification.after == 1


def test_a_failure_of_which_the_step_is_not_known_is_looked_for_at_the_beginning():
    found = refinements(skill(), [failed("the wind was wrong")])

    assert found[0].modification.after == 0


def test_what_passes_by_itself_is_tried_again():
    found = refinements(skill(), [failed("connection reset by peer", step=3)])

    assert isinstance(found[0].modification, ModifyStep)
    assert isinstance(refined(skill(), found).procedure.steps[2].on_failure, Retry)


def test_a_tool_that_was_lacking_becomes_a_precondition():
    found = refinements(skill(), [failed("push: command not found", step=3)])

    assert found[0].modification.precondition.check == ToolAvailable("push")


def test_a_part_of_the_environment_that_was_lacking_becomes_a_precondition():
    worked = run(context=told({"API_URL": "x"}))
    found = refinements(skill(), [worked, failed("API_URL is not set", step=2)])

    assert found[0].modification.precondition.check == EnvironmentHas("API_URL")


def test_what_was_asked_for_already_is_checked_again_before_the_step():
    made = skill(preconditions=needing("push"))

    assert isinstance(
        refinements(made, [failed("push: command not found", step=3)])[0].modification, InsertStep
    )


def test_a_step_that_keeps_failing_asks_the_person():
    twice = [failed("the wind was wrong", step=2)] * 2
    made = refined(skill(), refinements(skill(), twice))

    assert isinstance(made.procedure.steps[2].on_failure, AskUser)
    assert descriptions(made)[1].startswith("Check first")


def test_of_two_changes_to_one_step_the_one_by_the_more_frequent_failure_is_in_force_and_told():
    runs = [failed("the wind was wrong", step=2)] * 3 + [failed("connection timed out", step=2)]

    found = refinements(skill(), runs)
    made = refined(skill(), found)

    assert len([each for each in found if isinstance(each.modification, ModifyStep)]) == 1
    assert any(isinstance(each.on_failure, AskUser) for each in made.procedure.steps)


def test_what_the_author_wrote_for_a_failure_is_not_overruled():
    careful = Procedure(steps=(step("build", on_failure=Skip()), step("push")))
    made = skill(procedure=careful)
    found = refined(made, refinements(made, [failed("time-out", step=1)] * 3))

    assert isinstance(found.procedure.steps[-2].on_failure, Skip)


def test_a_known_remedy_is_put_in_when_the_failure_comes():
    remedy = RetryWith((InsertStep(2, step("clean")),))
    made = skill(known_failures=(KnownFailure(error="the disk is full", recovery=remedy),))

    assert refinements(made, []) == ()
    found = refined(made, refinements(made, [failed("The disk is full.", step=3)]))
    assert descriptions(found) == ["Call run_tests", "Call build", "Call clean", "Call push"]


def test_a_feature_that_misleads_weighs_half():
    misled = failed("it broke", context=Situation(text="deploy the service"))
    worked = run(context=Situation(text="release it"))
    found = refinements(skill(), [worked, misled, misled, misled])

    assert found[-1].modification == AdjustTrigger("service", -0.5)
    assert refined(skill(), found).trigger.features[1].importance == 0.5


@given(st.lists(st.sampled_from(["a broke", "b broke", "c is missing", "timed out"]), max_size=12))
def test_taking_back_all_failures_takes_back_all_that_they_taught(errors):
    noted = [failed(error, step=1 + len(error) % 3) for error in errors]

    assert refinements(skill(), []) == ()
    assert refined(skill(), refinements(skill(), [])) == skill()
    assert len(refinements(skill(), noted)) <= 2 * len(set(errors))


def test_a_skill_that_fails_in_ever_other_ways_does_not_become_a_list_of_checks():
    noted = [failed(f"{'x' * n} broke", step=1) for n in range(1, 40)]

    assert len(refined(skill(), refinements(skill(), noted)).procedure.steps) == 13


def test_modifications_do_not_move_each_other():
    changed = modified(
        skill(),
        (
            InsertStep(0, step("first")), RemoveStep(1), ModifyStep(3, step("pull")),
            InsertStep(99, step("last")), AddPrecondition(Precondition(ToolAvailable("x"))),
            AddPrecondition(Precondition(ToolAvailable("x"))),
        ),
    )  # fmt: skip

    assert descriptions(changed) == ["Call first", "Call build", "Call pull", "Call last"]
    assert changed.preconditions == needing("x")


def test_a_procedure_keeps_at_least_a_step():
    assert modified(skill(), (RemoveStep(1), RemoveStep(2), RemoveStep(3))) == skill()


def test_a_step_that_was_put_in_has_the_place_of_the_one_it_prepares():
    shown = placed_steps(skill().procedure, (InsertStep(2, step("check")),))

    assert [place for place, _ in shown] == [1, 2, 3, 3]


def test_refining_changes_nothing_else():
    found = refined(skill(), refinements(skill(), [failed("it broke", step=1)]))

    assert dataclasses.replace(found, procedure=skill().procedure) == skill()
