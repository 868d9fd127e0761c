"""Dreams as they are kept: what was decided, how far each pass got, and what was undone."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from engram.errors import StoreCorrupt
from engram.memory.dreams.report import (
    ALL_STEPS,
    Decided,
    DreamId,
    DreamRecord,
    PassReport,
    Step,
)
from engram.memory.dreams.schedule import LIGHT_STEPS, Lately
from engram.memory.ids import ChangeId, encode_id
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import to_micros
from engram.storage.audit_chain import the_row
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import memory_from_row, numbers_from_text, scope_at

_ORDER = {step: place for place, step in enumerate(Step)}


@dataclass(frozen=True, slots=True)
class DreamBegun:
    """A dream that is under way: its name, and the moment by which it counts."""

    id: DreamId
    at: datetime


@dataclass(frozen=True, slots=True)
class MadeLink:
    """One memory related to another, and since when."""

    start: int
    end: int
    relation: str
    at: datetime


class DreamReader:
    """Dreams seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def unfinished(
        self, scope: Scope, actor: str, steps: Sequence[Step], since: datetime
    ) -> DreamBegun | None:
        """The same caller's dream over the same steps that stopped half-way."""
        wanted: dict[str, Value] = {
            "scope": scope.path, "actor": actor, "steps": _steps_text(steps),
            "since": to_micros(since),
        }  # fmt: skip
        found = self._rows("unfinished_dream", wanted)
        return DreamBegun(DreamId(str(found[0][0])), stored_time(found[0][1])) if found else None

    def all(self, *, limit: int, id_: str | None = None) -> list[DreamRecord]:
        """The last dreams, newest first."""
        rows = self._rows("dreams", {"limit": limit, "id": id_})
        listed = json.dumps([row[0] for row in rows])
        counts = {row[0]: row[1:] for row in self._rows("dream_counts", {"dreams": listed})}
        return [_record((*row, *counts.get(row[0], (0, 0)))) for row in rows]

    def passes(self, dream: DreamId) -> list[PassReport]:
        """What the passes of a dream did that are done, in their order."""
        decided = self._decided(dream)
        rows = self._rows("dream_steps", {"dream": dream})
        reports = [_pass(row, decided.pop((str(row[0]), str(row[1])), ())) for row in rows]
        # A pass that was killed half-way has decisions and no end yet.
        reports += [
            PassReport(
                step=Step(step), scope=scope, decided=each, is_whole=False, is_finished=False
            )
            for (step, scope), each in decided.items()
        ]
        return sorted(reports, key=lambda each: (each.scope, _ORDER[each.step]))

    def _decided(self, dream: DreamId) -> dict[tuple[str, str], tuple[Decided, ...]]:
        found: dict[tuple[str, str], dict[str, Decided]] = {}
        for step, scope, key, why, change_id, numbers in self._rows(
            "dream_decisions", {"dream": dream}
        ):
            place = found.setdefault((str(step), str(scope)), {})
            known = place.get(str(key), Decided(str(why), numbers_from_text(numbers), ()))
            place[str(key)] = replace(known, changes=(*known.changes, ChangeId(str(change_id))))
        return {place: tuple(each.values()) for place, each in found.items()}

    def standing_changes(self, dream: str, step: str | None) -> list[ChangeId]:
        """The changes of a dream, or of one pass, that were not undone: the last first."""
        rows = self._rows("dream_changes", {"dream": dream, "step": step})
        return [ChangeId(str(row[0])) for row in rows]

    def undone(self, keys: Iterable[str], step: Step, scope: Scope) -> set[str]:
        """Those of some decisions that were made before and taken back."""
        wanted: dict[str, Value] = {
            "keys": json.dumps(list(keys)), "step": step.value, "scope": scope.path,
        }  # fmt: skip
        return {str(row[0]) for row in self._rows("undone_decisions", wanted)}

    def mark(self, step: Step, scope: Scope) -> str | None:
        """How far a pass got in a scope."""
        found = self._rows("dream_mark", {"step": step.value, "scope": scope.path})
        return str(found[0][0]) if found else None

    def scopes(self) -> list[Scope]:
        """The scopes that hold memories."""
        return [scope_at(str(row[0])) for row in self._rows("dream_scopes", {})]

    def statements(self, scope: Scope, now: datetime, *, limit: int) -> list[Memory]:
        """What a scope holds that can be recalled now, oldest first: no turns, nothing derived.

        Where there are more than the limit, the newest.
        """
        wanted: dict[str, Value] = {
            "scope": scope.path, "instant": to_micros(now), "limit": limit,
        }  # fmt: skip
        return [memory_from_row(row) for row in reversed(self._rows("dream_statements", wanted))]

    def rehearsals(self, numbers: Iterable[int]) -> dict[int, int]:
        """How often memories were gone through since somebody used them last."""
        wanted: dict[str, Value] = {"numbers": f"[{','.join(map(str, numbers))}]"}
        rows = self._rows("rehearsed_since", wanted)
        return {cast(int, number): cast(int, count) for number, count in rows}

    def derived(self, scope: Scope, *, limit: int) -> list[Memory]:
        """What dreams derived in a scope, whatever its status, oldest first."""
        wanted: dict[str, Value] = {"scope": scope.path, "limit": limit}
        return [memory_from_row(row) for row in reversed(self._rows("derived_statements", wanted))]

    def links(self, scope: Scope) -> list[MadeLink]:
        """The links between the memories of a scope, by their ends."""
        return [
            MadeLink(cast(int, start), cast(int, end), str(relation), stored_time(at))
            for start, end, relation, at in self._rows("links_in_scope", {"scope": scope.path})
        ]

    def tries(self, space: int, numbers: Iterable[int]) -> dict[tuple[int, int], int]:
        """Which wordings of some memories wait to be embedded, and how often each was tried."""
        wanted: dict[str, Value] = {
            "space": space, "numbers": f"[{','.join(map(str, numbers))}]",
        }  # fmt: skip
        return {
            (cast(int, number), cast(int, version)): cast(int, attempts)
            for number, version, attempts in self._rows("tried_in_vain", wanted)
        }

    def standing(self, numbers: Iterable[int], now: datetime) -> dict[int, int]:
        """Which of some memories can be recalled now, each with the version of its wording."""
        wanted: dict[str, Value] = {
            "numbers": f"[{','.join(map(str, numbers))}]", "instant": to_micros(now),
        }  # fmt: skip
        rows = self._rows("standing_wordings", wanted)
        return {cast(int, number): cast(int, version) for number, version in rows}

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def lately(transaction: Transaction) -> Lately:
    """What has happened to the store as a whole since it dreamt: times and counts alone."""
    dreamt = {str(steps): stored_time(at) for steps, at in transaction.rows("last_dreams", {})}
    whole = dreamt.get(_steps_text(ALL_STEPS))
    light = dreamt.get(_steps_text(LIGHT_STEPS))
    last = max((each for each in (whole, light) if each), default=None)
    after = "chg-" + (encode_id(int(last.timestamp() * 1000), 0) if last else "")
    first, changed, learnt = the_row(transaction.rows("changes_of_people", {"after": after}))
    return Lately(
        None if first is None else stored_time(first),
        last if changed is None else stored_time(changed),
        whole, light, cast(int, learnt),
    )  # fmt: skip


def begin_dream(
    transaction: Transaction, dream: DreamBegun, *, actor: str, scope: Scope, steps: Sequence[Step],
    now: datetime,
) -> None:  # fmt: skip
    """Write down that a dream begins; what stopped half-way in that scope is given up."""
    transaction.run(
        "abandon_dreams", {"finished_at": to_micros(now), "scope": scope.path, "id": dream.id}
    )
    transaction.run(
        "insert_dream",
        {
            "id": dream.id, "at": to_micros(dream.at), "actor": actor, "scope": scope.path,
            "steps": _steps_text(steps), "began_at": to_micros(now),
        },
    )  # fmt: skip


def finish_dream(transaction: Transaction, dream: DreamId, now: datetime) -> None:
    """Write down that a dream has come to its end."""
    transaction.run("finish_dream", {"id": dream, "finished_at": to_micros(now)})


@dataclass(frozen=True, slots=True)
class Place:
    """One pass of one dream in one scope."""

    dream: DreamId
    step: Step
    scope: Scope


def note_decision(transaction: Transaction, place: Place, key: str, decided: Decided) -> None:
    """Note which changes a decision came to."""
    for change_id in decided.changes:
        transaction.run(
            "insert_dream_decision",
            {
                "change_id": change_id, "dream": place.dream, "step": place.step.value,
                "scope": place.scope.path, "key": key, "why": decided.why,
                "numbers": json.dumps(list(decided.numbers)),
            },
        )  # fmt: skip


def finish_pass(
    transaction: Transaction, dream: DreamId, done: PassReport, mark: str | None
) -> None:
    """Note that a pass is done in a scope, and how far it got."""
    transaction.run(
        "insert_dream_step",
        {
            "dream": dream, "step": done.step.value, "scope": done.scope,
            "looked_at": done.looked_at, "findings": json.dumps(list(done.findings)),
            "skipped": done.skipped, "seconds": done.seconds, "is_whole": int(done.is_whole),
        },
    )  # fmt: skip
    if mark is not None:
        kept: dict[str, Value] = {"step": done.step.value, "scope": done.scope, "mark": mark}
        transaction.run("keep_dream_mark", kept)


def _steps_text(steps: Sequence[Step]) -> str:
    return json.dumps([step.value for step in steps])


def _record(row: Row) -> DreamRecord:
    id_, at, actor, scope, steps, finished_at, decisions, undone = row
    try:
        return DreamRecord(
            DreamId(str(id_)), stored_time(at), str(actor), str(scope),
            tuple(Step(each) for each in json.loads(str(steps))),
            None if finished_at is None else stored_time(finished_at),
            cast(int, decisions), cast(int, undone),
        )  # fmt: skip
    except (ValueError, TypeError):
        raise StoreCorrupt from None


def _pass(row: Row, decided: tuple[Decided, ...]) -> PassReport:
    step, scope, looked_at, findings, skipped, seconds, is_whole = row
    try:
        return PassReport(
            step=Step(str(step)), scope=str(scope), looked_at=cast(int, looked_at), decided=decided,
            findings=tuple(json.loads(str(findings))), skipped=str(skipped),
            seconds=cast(float, seconds), is_whole=bool(is_whole),
        )  # fmt: skip
    except (ValueError, TypeError):
        raise StoreCorrupt from None
