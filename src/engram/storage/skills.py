"""What belongs to skills beside the memory that tells each: how they are done, and their runs."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import cast

from engram.errors import EngramError, StoreCorrupt
from engram.memory.episodes.outcomes import EpisodeOutcome, Failure, Success, outcome_kind
from engram.memory.ids import ChangeId, label_of
from engram.memory.jsons import Json
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.situation import Situation
from engram.memory.skills.circles import Placed
from engram.memory.skills.failures import signature_of
from engram.memory.skills.known import KnownSkill, known_skill
from engram.memory.skills.skill import Skill, SkillRun, name_key
from engram.memory.status import IN_FORCE
from engram.memory.tagged import as_json, from_json, read_as
from engram.memory.times import to_micros
from engram.memory.vocabulary import Secrecy, Status
from engram.storage.beside import keeping, kept, unless_sealed
from engram.storage.conditions import record_time
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import MEMORY_COLUMNS, memory_from_row, scope_at

MOST_SKILLS = 5_000  # that are looked at for one situation
MOST_SIGNATURES = 10_000  # that are compared with one error


@dataclass(frozen=True, slots=True)
class StoredSkill:
    """A skill as it is kept: the memory that tells it, and how it is done."""

    memory: Memory
    skill: Skill


@dataclass(frozen=True, slots=True)
class SkillOutline:
    """A skill and where it stands: what is looked at when many are."""

    number: int
    scope: Scope
    status: Status
    skill: Skill


@dataclass(frozen=True, slots=True)
class _RunDetail:
    """What the columns of a run do not say."""

    outcome: EpisodeOutcome
    step: int | None
    context: Situation


class SkillReader:
    """Skills and their runs seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def by_number(self, number: int, known_at: datetime | None = None) -> StoredSkill | None:
        """One skill, whatever became of it; None when the memory is something else."""
        return _first(
            self._rows("skill_by_number", {"number": number, "known_at": record_time(known_at)})
        )

    def named(self, name: str, known_at: datetime | None = None) -> StoredSkill | None:
        """The skill of that name that is nearest; one in force before one that was retired."""
        key, known = name_key(name), {"known_at": record_time(known_at)}
        found = _first(self._rows("skills_by_name", {"name": key, **known}))
        if found is not None and found.memory.status in IN_FORCE:
            return found
        # What is sealed has no name in the open: there are few, and each is read.
        sealed = (each for each in _all_stored(self._rows("sealed_skills", known)))
        return next((each for each in sealed if each.skill.key == key), found)

    def outlines(self, *, limit: int = MOST_SKILLS) -> list[SkillOutline]:
        """All skills in the order in which they were made, without what their memories tell."""
        return [
            SkillOutline(
                cast(int, number), scope_at(cast(str, path)), Status(cast(str, status)),
                _skill(cast(str, text)),
            )
            for number, path, status, text in self._rows("skill_outlines", {"limit": limit})
            if text
        ]  # fmt: skip

    def listed(self, numbers: Iterable[int]) -> dict[int, StoredSkill]:
        """Those of some memories that are skills, by their numbers."""
        found = self._rows("listed_skills", {"numbers": json.dumps(list(numbers))})
        return {each.memory.number: each for each in _all_stored(found)}

    def in_sight(self, *, limit: int = MOST_SKILLS) -> list[StoredSkill]:
        """All skills in the order in which they were made, whatever became of them."""
        return _all_stored(self._rows("skills_in_sight", {"limit": limit}))

    def placed(self) -> list[Placed]:
        """All skills with where they belong, to see where names in them lead."""
        return [Placed(each.scope, each.skill, label_of(each.number)) for each in self.outlines()]

    def known(self, stored: StoredSkill, known_at: datetime | None = None) -> KnownSkill:
        """A skill with all that follows from its runs."""
        return next(self.all_known([stored], known_at))

    def all_known(
        self, stored: Iterable[StoredSkill], known_at: datetime | None = None
    ) -> Iterator[KnownSkill]:
        """The same for many: their runs are read at once, each is worked out when it is wanted."""
        listed = list(stored)
        runs = self.runs((each.memory.number for each in listed), known_at)
        return (known_skill(each.memory, each.skill, runs[each.memory.number]) for each in listed)

    def runs(
        self, numbers: Iterable[int], known_at: datetime | None = None
    ) -> dict[int, list[SkillRun]]:
        """How skills went, each in the order in which it was noted."""
        listed = list(numbers)
        found: dict[int, list[SkillRun]] = {number: [] for number in listed}
        parameters: dict[str, Value] = {
            "numbers": json.dumps(listed),
            "known_at": record_time(known_at),
        }
        for row in self._rows("runs_of_skills", parameters):
            found[cast(int, row[0])].append(_run(row))
        return found

    def signatures(self) -> list[str]:
        """The ways in which skills failed, by the signatures of the errors."""
        found = self._rows("signatures_of_failures", {"limit": MOST_SIGNATURES})
        return [cast(str, row[0]) for row in found]

    def that_failed(self, *, tool: str | None, signatures: Iterable[str], limit: int) -> list[int]:
        """The numbers of the skills that failed with a tool, or in some ways."""
        parameters: dict[str, Value] = {
            "tool": tool,
            "signatures": json.dumps(list(signatures)),
            "limit": limit,
        }
        return [cast(int, row[0]) for row in self._rows("skills_that_failed", parameters)]

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def keep_skill(transaction: Transaction, memory: Memory, skill: Skill) -> None:
    """Write how a skill is done, for one state of its memory."""
    keep = keeping(transaction, memory)
    transaction.run(
        "insert_skill",
        {
            "number": memory.number,
            "version": memory.version,
            "name": unless_sealed(keep, skill.key),
            "skill": kept(keep, _text(as_json(skill))),
        },
    )


def keep_run(
    transaction: Transaction,
    memory: Memory,
    run: SkillRun,
    *,
    scope: Scope,
    change_id: ChangeId,
    recorded_at: datetime,
    secrecy: Secrecy = Secrecy.CLEARTEXT,
) -> None:
    """Append a run behind those that are there; `secrecy` is what it calls for by itself."""
    keep = keeping(transaction, memory, secrecy)
    detail = _RunDetail(run.outcome, run.step, run.context)
    is_plain = detail == _RunDetail(Success(), None, Situation())
    failure = run.outcome if isinstance(run.outcome, Failure) else None
    transaction.run(
        "insert_run",
        {
            "number": memory.number,
            "scope": scope.path,
            "at": to_micros(run.at),
            "recorded_at": to_micros(recorded_at),
            "outcome_kind": outcome_kind(run.outcome),
            "seconds": None if run.duration is None else run.duration.total_seconds(),
            "episode": run.episode,
            "tool": None if run.tool is None else kept(keep, run.tool),
            "signature": unless_sealed(keep, signature_of(failure) if failure else ""),
            "run": "" if is_plain else kept(keep, _text(as_json(detail))),
            "change_id": change_id,
        },
    )


def rewrite_skill(transaction: Transaction, memory: Memory) -> None:
    """Keep all that is beside a skill as its memory is kept now: in the open, or sealed."""
    keep, named = keeping(transaction, memory), {"number": memory.number}
    for version, text in transaction.rows("skill_details", named):
        if text:
            name = unless_sealed(keep, _skill(cast(str, text)).key)
            row: dict[str, Value] = {
                **named, "version": version, "name": name, "skill": kept(keep, cast(str, text)),
            }  # fmt: skip
            transaction.run("rewrite_skill", row)
    for sequence, tool, text in transaction.rows("run_details", named):
        outcome = _detail(cast(str, text)).outcome
        signature = signature_of(outcome) if isinstance(outcome, Failure) else ""
        row = {
            **named, "sequence": sequence, "run": kept(keep, cast(str, text)),
            "tool": None if tool is None else kept(keep, cast(str, tool)),
            "signature": unless_sealed(keep, signature),
        }  # fmt: skip
        transaction.run("rewrite_run", row)


def _first(rows: list[Row]) -> StoredSkill | None:
    return next(iter(_all_stored(rows)), None)


def _all_stored(rows: Iterable[Row]) -> list[StoredSkill]:
    """The skills that can be read: of others the key is gone, or they are not for this caller."""
    return [_stored(row) for row in rows if row[MEMORY_COLUMNS]]


def _stored(row: Row) -> StoredSkill:
    return StoredSkill(memory_from_row(row), _skill(cast(str, row[MEMORY_COLUMNS])))


@lru_cache(maxsize=2_048)
def _skill(text: str) -> Skill:
    # A situation is held against all skills; what was read once is not read again.
    try:
        return read_as(Skill, json.loads(text), name="skill")
    except (ValueError, TypeError, EngramError):
        raise StoreCorrupt from None  # the cause would show what stood there


def _run(row: Row) -> SkillRun:
    _, at, seconds, episode, tool, text = row
    detail = _detail(cast(str, text))
    return SkillRun(
        at=stored_time(at),
        outcome=detail.outcome,
        duration=None if seconds is None else timedelta(seconds=cast(float, seconds)),
        episode=cast("str | None", episode),
        step=detail.step,
        tool=cast("str | None", tool) or None,
        context=detail.context,
    )


@lru_cache(maxsize=8_192)
def _detail(text: str) -> _RunDetail:
    if not text:
        return _RunDetail(Success(), None, Situation())
    try:
        return cast(_RunDetail, from_json(_RunDetail, json.loads(text), name="run"))
    except (ValueError, TypeError, EngramError):
        raise StoreCorrupt from None


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
