"""How tasks are done: the facet of the facade that keeps skills; finding them is beside it."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, cast

from engram.capture.learn_skill import (
    add_learnt,
    add_skill,
    fit_run,
    free_name,
    read_sources,
    revise_skill,
    run_secrecy,
)
from engram.engine.core import Moment, checked_reason
from engram.engine.finding_skills import FindingSkills, Situated, find_skill
from engram.errors import AccessDenied, InvalidInput, MemoryNotFound
from engram.lifecycle.alter import move
from engram.lifecycle.skill_feedback import note_run
from engram.memory.changes import Action
from engram.memory.episodes.episode import WholeEpisode
from engram.memory.episodes.outcomes import EpisodeOutcome, Ongoing, read_outcome
from engram.memory.ids import MemoryId, checked_id
from engram.memory.scopes import Scope
from engram.memory.situation import read_situation
from engram.memory.skills.experience import TELLING_KINDS, run_of
from engram.memory.skills.flows import (
    FlowNode,
    failing_place,
    flow_events,
    flow_situation,
    flow_skill,
    read_nodes,
)
from engram.memory.skills.known import FeedbackNoted, KnownSkill, SkillKept
from engram.memory.skills.lessons import skill_from
from engram.memory.skills.skill import Skill, SkillRun, read_skill
from engram.memory.tagged import as_object
from engram.memory.times import parse_time
from engram.memory.vocabulary import Status
from engram.storage.reader import StoreReader
from engram.storage.skills import StoredSkill
from engram.storage.unit import UnitOfWork
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.engine.facade import Engram

Ended = EpisodeOutcome | str | Mapping[str, object]
Duration = timedelta | float
_MOST_EPISODES = 200
_MOST_SECONDS = 100 * 365 * 86_400
_REVISABLE = (
    "description", "trigger", "preconditions", "procedure", "expected", "known_failures",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FlowRecorded:
    """What became of a flow's run: the episode that tells it, and the run of the skill."""

    episode_id: MemoryId
    noted: FeedbackNoted
    is_first: bool  # the flow was not known as a skill before

    @property
    def skill(self) -> KnownSkill:
        """The flow as a skill."""
        return self.noted.skill


class Skills(FindingSkills):
    """How tasks are done: kept, learnt from episodes, matched to a situation, refined."""

    def add(self, skill: Skill | Mapping[str, object], *, scope: Scope | None = None) -> SkillKept:
        """Keep a skill; it is on probation until runs have shown that it works."""
        read = read_skill(skill)
        if read.learnt_from:
            raise InvalidInput(hint="`learnt_from` is written by `learn_from` alone.")
        where = self._core.principal.write_scope(scope)
        with self._core._writing(where) as unit:
            kept = add_skill(read, where, unit, self._core._draft_rules(unit.now))
        self._core._parts.wake_embedding()
        return kept

    def revise(
        self,
        name_or_id: str,
        *,
        reason: str = "",
        scope: Scope | None = None,
        **changes: object,
    ) -> KnownSkill:
        """Give a skill its next version: any of its parts but its name, the others stay.

        What its runs have shown stays with it: a revision is the same skill.
        """
        if not changes or set(changes) - set(_REVISABLE):
            raise InvalidInput(hint=f"revise() takes some of: {', '.join(_REVISABLE)}.")
        with self._core._unit(scope) as unit:
            stored = find_skill(unit.see, name_or_id)
            revised = read_skill({**as_object(stored.skill), **_plain(changes)})
            rules = self._core._draft_rules(unit.now)
            known = revise_skill(stored, revised, unit, rules, reason=checked_reason(reason))
        self._core._parts.wake_embedding()
        return known

    def retire(self, name_or_id: str, reason: str, *, scope: Scope | None = None) -> KnownSkill:
        """Take a skill out of use; it is matched no more, and comes back by undo."""
        told = checked_reason(reason)
        if not told:
            raise InvalidInput(hint="`reason` says why it is retired.")
        with self._core._unit(scope) as unit:
            stored = find_skill(unit.see, name_or_id)
            retired = move(
                unit, self._core.principal, stored.memory.id,
                target=Status.ARCHIVED, action=Action.RETIRE_SKILL, reason=told,
            )  # fmt: skip
            return unit.see.skills.known(StoredSkill(retired, stored.skill))

    def feedback(
        self,
        name_or_id: str,
        outcome: Ended | None = None,
        *,
        episode: str | None = None,
        duration: Duration | None = None,
        context: Situated | None = None,
        step: int | None = None,
        tool: str | None = None,
        at: Moment | None = None,
        scope: Scope | None = None,
    ) -> FeedbackNoted:
        """Say how a skill went. A failure teaches: it is counted, and changes the procedure.

        `step` is the step that failed, counted in the procedure as it was shown; `tool` what failed
        in it. An episode tells all of this by itself, its outcome too, and counts once.
        """
        given = {
            "outcome": None if outcome is None else read_outcome(outcome),
            "duration": _read_duration(duration),
            "context": None if context is None else read_situation(context),
            "step": step,
            "tool": tool,
            "at": None if at is None else parse_time(at, name="at"),
        }
        if outcome is None and episode is None:
            raise InvalidInput(hint="Say how it went: an `outcome`, or an `episode` that tells it.")
        with self._core._unit(scope) as unit:
            stored = find_skill(unit.see, name_or_id)
            lived = _whole(unit.see, episode) if episode is not None else None
            run = _run(run_of(lived) if lived else None, given, unit)
            rules = self._core._draft_rules(unit.now)
            fit = fit_run(run, rules)
            within = lived.episode.memory.scope if lived else scope
            called_for = run_secrecy(fit, rules, lived.episode.memory if lived else None)
            return note_run(
                unit, self._core.principal, stored, fit, within=within, secrecy=called_for
            )

    def learn_from(
        self, episode_ids: Iterable[str], *, name: str | None = None, scope: Scope | None = None
    ) -> SkillKept:
        """Draw a skill from episodes that went alike: at least three of them successes.

        It has what they share: features of their situations, and their actions in the same order.
        """
        ids = _read_ids(episode_ids)
        if name is not None:
            checked_name(name, name="name")
        where = self._core.principal.write_scope(scope)
        with self._core._view(scope) as see:
            sources = read_sources(see, ids)
        learnt = skill_from(sources.episodes, name=name)
        with self._core._writing(where) as unit:
            rules = self._core._draft_rules(unit.now)
            if name is None:
                learnt = dataclasses.replace(
                    learnt, name=free_name(learnt.name, where, unit, learnt)
                )
            kept = add_learnt(learnt, sources, where, unit, rules)
        self._core._parts.wake_embedding()
        return kept

    def record_flow(
        self,
        name: str,
        nodes: Sequence[FlowNode | str | Mapping[str, object]],
        outcome: Ended,
        *,
        failing_node: str | None = None,
        duration: Duration | None = None,
        scope: Scope | None = None,
    ) -> FlowRecorded:
        """Record a run of a flow: an episode, and a run of the skill that the flow is.

        A flow that is not known yet becomes a skill whose steps are its nodes.
        """
        checked_name(name, name="name")
        read, ended, took = read_nodes(nodes), read_outcome(outcome), _read_duration(duration)
        if isinstance(ended, Ongoing):
            raise InvalidInput(hint="A flow that still runs is recorded when it has ended.")
        where = self._core.principal.write_scope(scope)
        if not self._core.principal.can_see(where):  # else the answer would tell what is there
            raise AccessDenied(hint="A flow is recorded where whoever records it can read it.")
        failed_at = failing_place(read, failing_node, ended)
        flow = flow_skill(name, read)
        now = self._core._clock()
        begun = now - (took or timedelta())
        kept = cast("Engram", self._core).episodes.record(
            flow_situation(name), flow_events(read, ended, failed_at, begun), ended,
            started_at=begun, ended_at=now, scope=scope,
        )  # fmt: skip
        run = SkillRun(
            at=now, outcome=ended, duration=took, episode=kept.episode.id,
            tool=read[failed_at - 1].called if failed_at else None,
        )  # fmt: skip
        with self._core._writing(where) as unit:
            rules = self._core._draft_rules(unit.now)
            known = unit.see.skills.named(name)
            is_first = known is None or known.memory.status is Status.ARCHIVED
            if known is None or is_first:
                known = _added(add_skill(flow, where, unit, rules))
            fit = fit_run(run, rules)
            noted = note_run(
                unit, self._core.principal, known, fit, within=where,
                secrecy=run_secrecy(fit, rules),
            )  # fmt: skip
        self._core._parts.wake_embedding()
        return FlowRecorded(kept.episode.id, noted, is_first)


def _added(kept: SkillKept) -> StoredSkill:
    if kept.skill is None:
        raise InvalidInput(hint=f"The flow is not kept as a skill: {kept.reason}.")
    return StoredSkill(kept.skill.memory, kept.skill.skill)


def _plain(changes: Mapping[str, object]) -> dict[str, object]:
    """Parts of a skill as JSON, however they were handed in."""
    return {name: _as_plain(value) for name, value in changes.items()}


def _as_plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return as_object(value)
    if isinstance(value, list | tuple):
        return [_as_plain(item) for item in value]
    return value


def _whole(see: StoreReader, episode_id: str) -> WholeEpisode:
    memory = see.memory(checked_id(episode_id))
    whole = see.episodes.whole(memory.number, kinds=TELLING_KINDS) if memory else None
    if whole is None:
        raise MemoryNotFound(hint="There is no such episode.")
    return whole


def _run(told: SkillRun | None, given: Mapping[str, object], unit: UnitOfWork) -> SkillRun:
    """The run as it is told, by what was given before what an episode says."""
    start = told or SkillRun(at=unit.now)
    known = {name: value for name, value in given.items() if value is not None}
    return dataclasses.replace(start, **known)  # type: ignore[arg-type]  # each was read as its kind


def _read_duration(value: Duration | None) -> timedelta | None:
    if value is None:
        return None
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 <= seconds < _MOST_SECONDS:
        raise InvalidInput(hint="`duration` is a timedelta, or a number of seconds.")
    return timedelta(seconds=seconds)


def _read_ids(episode_ids: object) -> list[str]:
    if isinstance(episode_ids, str) or not isinstance(episode_ids, Iterable):
        raise InvalidInput(hint="`episode_ids` is a list of ids.")
    ids = list(dict.fromkeys(checked_id(each) for each in episode_ids))
    if len(ids) > _MOST_EPISODES:
        raise InvalidInput(hint=f"A skill is learnt from at most {_MOST_EPISODES} episodes.")
    return ids
