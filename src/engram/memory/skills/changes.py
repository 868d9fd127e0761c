"""What can be changed in a procedure by what was learnt: a closed set of modifications."""

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from engram.errors import InvalidInput
from engram.memory.skills.conditions import Precondition
from engram.memory.skills.procedure import MOST_STEPS, Procedure, ProcedureStep
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.memory.skills.skill import Skill

MOST_LISTED = 50  # preconditions, known failures and the like
_LEAST_IMPORTANCE = 0.01


@dataclass(frozen=True, slots=True)
class InsertStep:
    """A step more, after so many of the procedure as written; 0: at the beginning."""

    after: int
    step: ProcedureStep

    def __post_init__(self) -> None:
        _check_place(self.after, least=0)


@dataclass(frozen=True, slots=True)
class RemoveStep:
    """A step less; steps are counted from 1."""

    place: int

    def __post_init__(self) -> None:
        _check_place(self.place, least=1)


@dataclass(frozen=True, slots=True)
class ModifyStep:
    """Another step in the place of one."""

    place: int
    step: ProcedureStep

    def __post_init__(self) -> None:
        _check_place(self.place, least=1)


@dataclass(frozen=True, slots=True)
class AddPrecondition:
    """Something more that must hold."""

    precondition: Precondition


@dataclass(frozen=True, slots=True)
class AdjustTrigger:
    """A feature that weighs more, or less."""

    feature: str
    adjustment: float

    def __post_init__(self) -> None:
        checked_name(self.feature, name="feature")


Modification = InsertStep | RemoveStep | ModifyStep | AddPrecondition | AdjustTrigger


def modified(skill: "Skill", modifications: "tuple[Modification, ...]") -> "Skill":
    """The skill with all modifications made; places are those of the procedure as written.

    So that none moves the place of another. What would leave no step, or too many, is left out.
    """
    steps = tuple(step for _, step in placed_steps(skill.procedure, modifications))
    if 1 <= len(steps) <= MOST_STEPS:
        procedure = dataclasses.replace(skill.procedure, steps=steps)
        skill = dataclasses.replace(skill, procedure=procedure)
    preconditions = list(skill.preconditions)
    for each in modifications:
        if isinstance(each, AddPrecondition) and each.precondition not in preconditions:
            preconditions.append(each.precondition)
    preconditions = preconditions[:MOST_LISTED]
    return dataclasses.replace(_reweighed(skill, modifications), preconditions=tuple(preconditions))


def placed_steps(
    procedure: Procedure, modifications: "tuple[Modification, ...]"
) -> tuple[tuple[int, ProcedureStep], ...]:
    """The steps after all modifications, each with its place in the procedure as written.

    A step that was put in has the place of the written one that it prepares.
    """
    inserted, replaced = _sorted_out(procedure, modifications)
    last = len(procedure.steps)
    found = [(1, step) for step in inserted.get(0, ())]
    for place, step in enumerate(procedure.steps, start=1):
        kept = replaced.get(place, step)
        found += [(place, kept)] if kept is not None else []
        found += [(min(place + 1, last), step) for step in inserted.get(place, ())]
    return tuple(found)


def _sorted_out(
    procedure: Procedure, modifications: "tuple[Modification, ...]"
) -> tuple[dict[int, list[ProcedureStep]], dict[int, ProcedureStep | None]]:
    """What is put in after which place, and what takes the place of which step."""
    inserted: dict[int, list[ProcedureStep]] = {}
    replaced: dict[int, ProcedureStep | None] = {}
    for each in modifications:
        match each:
            case InsertStep(after, step):
                inserted.setdefault(min(after, len(procedure.steps)), []).append(step)
            case RemoveStep(place):
                replaced[place] = None
            case ModifyStep(place, step):
                replaced[place] = step
            case AddPrecondition() | AdjustTrigger():
                pass
            case _:
                assert_never(each)
    return inserted, replaced


def _reweighed(skill: "Skill", modifications: "tuple[Modification, ...]") -> "Skill":
    changes: dict[str, float] = {}
    for each in modifications:
        if isinstance(each, AdjustTrigger):
            changes[each.feature] = changes.get(each.feature, 0.0) + each.adjustment
    if not changes:
        return skill
    features = tuple(
        dataclasses.replace(
            feature,
            importance=min(
                100.0, max(_LEAST_IMPORTANCE, feature.importance + changes.get(feature.name, 0.0))
            ),
        )
        for feature in skill.trigger.features
    )
    return dataclasses.replace(skill, trigger=dataclasses.replace(skill.trigger, features=features))


def _check_place(place: int, *, least: int) -> None:
    if not least <= place <= MOST_STEPS:
        raise InvalidInput(hint=f"A place lies between {least} and {MOST_STEPS}.")
