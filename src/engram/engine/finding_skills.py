"""Finding skills: what is known, what fits a situation, and what failed before."""

from collections.abc import Mapping
from datetime import datetime
from itertools import islice
from typing import TypeVar
from weakref import WeakKeyDictionary

from engram.engine.core import Core, Moment
from engram.errors import InvalidInput, MemoryNotFound
from engram.memory.changes import Action
from engram.memory.scopes import Scope
from engram.memory.situation import Situation, read_situation
from engram.memory.skills.known import KnownSkill, SkillMatch
from engram.memory.skills.signature import error_signature
from engram.memory.skills.skill import SkillRun
from engram.memory.skills.statistics import Stage
from engram.memory.skills.warnings import FailureWarning
from engram.memory.times import parse_time
from engram.recall.match_skills import (
    CheckFunction,
    ExtractorFunction,
    Fit,
    Registered,
    fitting,
    matches,
    nearest,
    similarities,
)
from engram.recall.question import read_limit
from engram.recall.skill_warnings import Wanted, warnings
from engram.storage.reader import StoreReader
from engram.storage.skills import StoredSkill
from engram.storage.store import Store
from engram.text.strings import checked_name, checked_text

_Function = TypeVar("_Function", CheckFunction, ExtractorFunction)
Situated = Situation | str | Mapping[str, object]
_ERROR_BYTES = 65_536
_EMBEDDING_SHARE = 0.5  # of a call's time; what is left is enough to compare by words

# Functions cannot be stored, so they live as long as the store is open, for all who look at it.
_REGISTERED: "WeakKeyDictionary[Store, Registered]" = WeakKeyDictionary()


class FindingSkills:
    """The part of the facet that reads."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def register_check(self, name: str, function: CheckFunction) -> None:
        """Let preconditions ask a function of yours, by this name, while the store is open."""
        self._registered.checks[checked_name(name, name="name")] = _checked_function(function)

    def register_extractor(self, name: str, function: ExtractorFunction) -> None:
        """Let triggers ask a function of yours, by this name, while the store is open."""
        self._registered.extractors[checked_name(name, name="name")] = _checked_function(function)

    def get(
        self, name_or_id: str, *, known_at: Moment | None = None, scope: Scope | None = None
    ) -> KnownSkill:
        """One skill by its name, id or label, as it is or as it was known at a moment."""
        moment = None if known_at is None else parse_time(known_at, name="known_at")
        with self._core._view(scope) as see:
            known = see.skills.known(find_skill(see, name_or_id, moment), moment)
        self._core._note(Action.GET, count=1, memory=known.memory)
        return known

    def runs(
        self, name_or_id: str, *, limit: int = 50, scope: Scope | None = None
    ) -> list[SkillRun]:
        """How a skill went, the last run first."""
        most = read_limit(limit)
        with self._core._view(scope) as see:
            stored = find_skill(see, name_or_id)
            found = see.skills.runs([stored.memory.number])[stored.memory.number]
        self._core._note(Action.GET, count=1, memory=stored.memory)
        return found[::-1][:most]

    def match(
        self, situation: Situated, limit: int = 3, *, scope: Scope | None = None
    ) -> list[SkillMatch]:
        """The skills that fit a situation, best first: how well they fit times how often they work.

        The procedure of each is the one to follow now, with what failures have taught put in.
        """
        most, where = read_limit(limit), read_situation(situation)
        fits = self._fitting(where, scope)
        with self._core._view(scope) as see:
            found = matches(see, fits, where, limit=most)
        self._core._note(
            Action.RECALL, count=len(found), shown=found, question=where.summary, scope=scope
        )
        return found

    def warnings(
        self,
        *,
        tool: str | None = None,
        error: str | None = None,
        situation: Situated | None = None,
        limit: int = 5,
        scope: Scope | None = None,
    ) -> list[FailureWarning]:
        """Last time this failed too: with this tool, with this error, or in such a situation.

        Drawn from the runs of skills and from episodes; each says what helped, where that is known.
        """
        most = read_limit(limit)
        wanted = _read_wanted(tool, error, situation)
        fits = [] if wanted.situation is None else self._fitting(wanted.situation, scope)
        with self._core._view(scope) as see:
            fits = _fit_enough(see, fits, wanted.situation)
            found = warnings(see, wanted, fits, limit=most)
        asked = wanted.tool or wanted.signature or "situation"
        self._core._note(Action.RECALL, count=len(found), shown=found, question=asked, scope=scope)
        return found

    def _fitting(self, situation: Situation, scope: Scope | None) -> list[Fit]:
        """The skills that show something of a situation; embedder and callers' own functions are
        asked while the store is not held."""
        with self._core._view(scope) as see:
            outlines = nearest(see.skills.outlines())
        embedding = self._core._parts.embedding
        near = similarities(
            situation,
            outlines,
            embedding.embedder if embedding is not None else None,
            self._core._parts.known_triggers,
            self._core._patience * _EMBEDDING_SHARE,
        )
        return fitting(outlines, situation, self._registered, near)

    @property
    def _registered(self) -> Registered:
        return _REGISTERED.setdefault(self._core._store, Registered())

    def list(
        self, stage: Stage | str | None = None, *, limit: int = 100, scope: Scope | None = None
    ) -> list[KnownSkill]:
        """The skills in sight in the order in which they were made, or those of one stage."""
        most, wanted = read_limit(limit), _read_stage(stage)
        with self._core._view(scope) as see:
            known = see.skills.all_known(see.skills.in_sight())
        found = list(
            islice((each for each in known if wanted is None or each.stage is wanted), most)
        )
        self._core._note(Action.LIST, count=len(found), shown=found, scope=scope)
        return found


def find_skill(
    see: StoreReader, name_or_id: object, known_at: datetime | None = None
) -> StoredSkill:
    """A skill by its name, else by the id or label of its memory."""
    named = checked_name(name_or_id, name="name")
    found = see.skills.named(named, known_at)
    if found is None and named.isprintable():  # as every id is
        memory = see.memory(named, known_at)
        found = see.skills.by_number(memory.number, known_at) if memory else None
    if found is None:
        raise MemoryNotFound(hint="There is no such skill in sight; `engram skills` lists them.")
    return found


def _fit_enough(see: StoreReader, fits: list[Fit], situation: Situation | None) -> list[Fit]:
    """Of the skills that show something of a situation those that fit it."""
    if situation is None:
        return []
    matched = {each.skill.memory.number for each in matches(see, fits, situation, limit=len(fits))}
    return [each for each in fits if each.outline.number in matched]


def _read_wanted(tool: str | None, error: str | None, situation: Situated | None) -> Wanted:
    if tool is None and error is None and situation is None:
        raise InvalidInput(hint="Name a `tool`, an `error` or a `situation`.")
    named = None if tool is None else checked_name(tool, name="tool")
    told = "" if error is None else checked_text(error, name="error", max_bytes=_ERROR_BYTES)
    where = None if situation is None else read_situation(situation)
    return Wanted(named, error_signature(told), where)


def _read_stage(stage: Stage | str | None) -> Stage | None:
    if stage is None:
        return None
    try:
        return Stage(stage)
    except ValueError:
        raise InvalidInput(hint=f"`stage` is one of: {', '.join(Stage)}.") from None


def _checked_function(function: _Function) -> _Function:
    if not callable(function):
        raise InvalidInput(hint="`function` is something that can be called with a situation.")
    return function
