"""Plans and carries out single passes of a dream, as the cycle does, on a store that is open."""

import dataclasses
from collections.abc import Sequence
from datetime import datetime

from engram import Engram, Scope
from engram.lifecycle.dreams.known import Known
from engram.lifecycle.dreams.night import HostFiles, Night, Planned
from engram.lifecycle.dreams.passes import pass_of
from engram.memory.dreams.report import Step
from engram.memory.ids import ChangeId
from engram.memory.scopes import Reach


class Judge:
    """A pair judge that says the same of every pair; what it was asked is kept."""

    def __init__(self, relation: str = "unrelated") -> None:
        self.relation = relation
        self.asked: list[tuple[str, str]] = []

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
        self.asked.extend(pairs)
        chances = dict.fromkeys(("same", "replaces", "ends", "adds", "unrelated"), 0.0)
        return [chances | {self.says(first, later): 1.0} for first, later in pairs]

    def says(self, first: str, later: str) -> str:
        return self.relation


class PlaceJudge(Judge):
    """One that takes "Ada lives in …" and "… costs …" for one thing that has one value."""

    def says(self, first: str, later: str) -> str:
        frames = [text.rsplit(" in ", 1)[0].rsplit(" costs ", 1)[0] for text in (first, later)]
        has_frame = any(mark in first for mark in (" lives in ", " costs "))
        return "replaces" if has_frame and frames[0] == frames[1] else "unrelated"


def night_of(
    engram: Engram,
    *,
    now: datetime | None = None,
    scope: Scope | None = None,
    mark: str | None = None,
    host: HostFiles | None = None,
    judge: Judge | None = None,
    **options: object,
) -> Night:
    """A night of a store, with some options set otherwise."""
    moment = now or engram._clock()
    night = engram._night(scope or Scope(), moment)
    known = Known(night.scope, moment, limit=night.options.rows_per_pass)
    return dataclasses.replace(
        night,
        statements=known.statements,
        vectors=known.vectors,
        mark=mark,
        host=host or night.host,
        judge=judge or night.judge,
        options=dataclasses.replace(night.options, **options),
    )


def planned_by(engram: Engram, step: Step | str, night: Night | None = None) -> Planned:
    """What a pass wants done."""
    night = night or night_of(engram)
    with engram._store.read(_exactly(night), timeout_seconds=5) as see:
        return pass_of(Step(step))(night, see)


def carried_out(engram: Engram, planned: Planned, night: Night | None = None) -> list[ChangeId]:
    """Do what was planned; the changes it came to."""
    night = night or night_of(engram)
    changes: list[ChangeId] = []
    for decision in planned.decisions:
        with engram._store.write(
            _exactly(night), actor=engram.principal.actor, now=night.now
        ) as unit:
            if decision.carry_out(unit):
                changes += unit.decisions
    return changes


def _exactly(night: Night) -> Reach:
    return Reach(chain=(night.scope.path,))
