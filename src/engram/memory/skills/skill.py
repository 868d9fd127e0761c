"""A skill as it is handed in: how a task is done, when that fits, and what is known to go wrong."""

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache

from engram.errors import ContentTooLarge, InvalidInput
from engram.memory.episodes.outcomes import EpisodeOutcome, Success
from engram.memory.ids import checked_id
from engram.memory.jsons import checked_json
from engram.memory.situation import Situation
from engram.memory.skills.changes import MOST_LISTED, Modification
from engram.memory.skills.conditions import TEXT_BYTES, Precondition
from engram.memory.skills.procedure import Abort, AskUser, InvokeSkill, Procedure, actions_in
from engram.memory.skills.triggers import TriggerPattern
from engram.memory.tagged import as_json, from_json
from engram.text.strings import checked_name, checked_text, folded

LARGEST_BYTES = 65_536
_MOST_SOURCES = 200


@dataclass(frozen=True, slots=True)
class RetryWith:
    """Try again with the procedure changed so."""

    modifications: tuple[Modification, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Follow another skill instead."""

    skill: str

    def __post_init__(self) -> None:
        checked_name(self.skill, name="skill")


Recovery = RetryWith | Alternative | AskUser | Abort


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFailure:
    """Something that is known to go wrong, and what to do then."""

    error: str
    description: str = ""
    recovery: Recovery | None = None

    def __post_init__(self) -> None:
        checked_text(self.error, name="error", max_bytes=TEXT_BYTES)
        if self.description:
            checked_text(self.description, name="description", max_bytes=TEXT_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillRun:
    """How a skill, or what it was learnt from, went once."""

    at: datetime
    outcome: EpisodeOutcome = field(default_factory=Success)
    duration: timedelta | None = None
    episode: str | None = None  # the id of the memory that tells it
    step: int | None = None  # at which step of the procedure as written it failed, from 1
    tool: str | None = None  # what failed
    context: Situation = field(default_factory=Situation)

    def __post_init__(self) -> None:
        if self.step is not None and self.step < 1:
            raise InvalidInput(hint="`step` counts from 1.")
        if self.tool is not None:
            checked_name(self.tool, name="tool")
        if self.episode is not None:
            checked_id(self.episode)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """How a task is done. What became of it is counted beside it and never written in here."""

    name: str
    description: str
    trigger: TriggerPattern
    procedure: Procedure
    preconditions: tuple[Precondition, ...] = ()
    expected: tuple[str, ...] = ()  # what should have come about in the end
    known_failures: tuple[KnownFailure, ...] = ()
    source_episodes: tuple[str, ...] = ()
    learnt_from: tuple[SkillRun, ...] = ()  # how the episodes went that it was learnt from

    def __post_init__(self) -> None:
        checked_name(self.name, name="name")
        if self.name != self.name.strip():
            raise InvalidInput(hint="`name` begins or ends with a space.")
        checked_text(self.description, name="description", max_bytes=TEXT_BYTES)
        for name in ("preconditions", "expected", "known_failures"):
            if len(getattr(self, name)) > MOST_LISTED:
                raise InvalidInput(hint=f"`{name}` holds at most {MOST_LISTED}.")
        for text in self.expected:
            checked_text(text, name="expected", max_bytes=TEXT_BYTES)
        if max(len(self.source_episodes), len(self.learnt_from)) > _MOST_SOURCES:
            raise InvalidInput(hint=f"A skill has at most {_MOST_SOURCES} source episodes.")
        for episode in self.source_episodes:
            checked_id(episode)

    @property
    def key(self) -> str:
        """The name as it is compared: `Deploy the API` and `deploy-the-api` are one."""
        return name_key(self.name)


@lru_cache(maxsize=8_192)
def name_key(name: str) -> str:
    """A skill's name as it is compared."""
    return "-".join(folded(name).replace("_", " ").replace("-", " ").split())


def read_skill(value: object) -> Skill:
    """A skill as callers hand it in: one of these, or its JSON."""
    if not isinstance(value, Skill):
        checked_json(value, name="skill")  # no deeper and no larger than can be walked through
    skill: Skill = from_json(Skill, value, name="skill")
    size = len(json.dumps(as_json(skill), ensure_ascii=False).encode())
    if size > LARGEST_BYTES:
        raise ContentTooLarge(hint=f"The skill has {size} bytes; {LARGEST_BYTES} are allowed.")
    return skill


def invoked(skill: Skill) -> frozenset[str]:
    """The keys of the skills that this one may follow."""
    return frozenset(
        name_key(action.skill)
        for step in skill.procedure.steps
        for action in actions_in(step)
        if isinstance(action, InvokeSkill)
    )
