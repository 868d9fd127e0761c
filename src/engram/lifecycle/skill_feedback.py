"""Takes down how a skill went; its figures, failure modes and refinements follow from that."""

import dataclasses

from engram.errors import InvalidInput
from engram.memory.changes import Action
from engram.memory.episodes.outcomes import Failure, Ongoing
from engram.memory.scopes import Principal, Scope
from engram.memory.skills.changes import placed_steps
from engram.memory.skills.failures import signature_of
from engram.memory.skills.known import FeedbackNoted, KnownSkill, known_skill
from engram.memory.skills.skill import SkillRun
from engram.memory.status import IN_FORCE
from engram.memory.vocabulary import Secrecy
from engram.storage.skills import StoredSkill, keep_run
from engram.storage.unit import UnitOfWork


def note_run(
    unit: UnitOfWork,
    principal: Principal,
    stored: StoredSkill,
    run: SkillRun,
    *,
    within: Scope | None = None,
    secrecy: Secrecy = Secrecy.CLEARTEXT,
) -> FeedbackNoted:
    """Count a run of a skill; one episode counts once.

    Who may not change the skill still says how it went: the run is kept in the caller's own scope,
    and counts for those who see that scope. So does what is told of a narrower scope, `within`:
    a skill that many see must not tell what happened where few look. `secrecy` is the tier that the
    run calls for by itself.
    """
    principal.check_known()
    memory = stored.memory
    if memory.status not in IN_FORCE:
        raise InvalidInput(hint=f"{memory.label} is {memory.status}: it is not followed now.")
    if isinstance(run.outcome, Ongoing):
        raise InvalidInput(hint="A run that goes on has no outcome yet; say it when it has ended.")
    earlier = unit.see.skills.runs([memory.number])[memory.number]
    before = known_skill(memory, stored.skill, earlier)
    known = _noted_before(run, stored, earlier)
    if known is not None:
        return FeedbackNoted(skill=before, run=known, change_id=None, is_repeat=True)
    counted = dataclasses.replace(run, step=_written_place(before, run.step))
    home = _home(principal, memory.scope, within)
    change = unit.begin_change(Action.RUN_SKILL, home, "")
    keep_run(
        unit.transaction, memory, counted, scope=home, change_id=change,
        recorded_at=unit.now, secrecy=secrecy,
    )  # fmt: skip
    unit.touch(memory, home)
    after = known_skill(memory, stored.skill, [*earlier, counted])
    return _noted(before, after, counted, FeedbackNoted(skill=after, run=counted, change_id=change))


def _noted(
    before: KnownSkill, after: KnownSkill, run: SkillRun, noted: FeedbackNoted
) -> FeedbackNoted:
    """What a run has taught, beside being counted."""
    if not isinstance(run.outcome, Failure):
        return noted
    signature = signature_of(run.outcome)
    mode = next((each for each in after.failure_modes if each.signature == signature), None)
    known = [each.modification for each in before.refinements]
    added = tuple(each for each in after.refinements if each.modification not in known)
    return dataclasses.replace(noted, failure_mode=mode, added_refinements=added)


def _noted_before(run: SkillRun, stored: StoredSkill, earlier: list[SkillRun]) -> SkillRun | None:
    if run.episode is None:
        return None
    counted = [*stored.skill.learnt_from, *earlier]
    return next((each for each in counted if each.episode == run.episode), None)


def _written_place(skill: KnownSkill, step: int | None) -> int | None:
    """The place of a step in the procedure as written; callers count what they were shown."""
    if step is None:
        return None
    modifications = tuple(each.modification for each in skill.refinements)
    shown = placed_steps(skill.skill.procedure, modifications)
    if not 1 <= step <= len(shown):
        raise InvalidInput(hint=f"The skill has {len(shown)} steps now; `step` is one of them.")
    return shown[step - 1][0]


def _home(principal: Principal, scope: Scope, within: Scope | None) -> Scope:
    is_own = principal.may_change_in(scope) or principal.scope is None
    home = scope if is_own else principal.scope or scope
    if within is None or within == home or not home.contains(within):
        return home
    principal.check_may_change(within)
    return within
