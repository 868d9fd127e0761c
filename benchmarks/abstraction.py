"""The abstraction tree and the confidence map: made anew, and after a day's news."""

import dataclasses
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from benchmarks.figures import Figure, middle, named_size, timed
from benchmarks.material import memories
from engram import Engram, Scope
from engram.lifecycle.dreams.known import Known
from engram.lifecycle.dreams.night import Night, Plan, Planned
from engram.lifecycle.dreams.passes import pass_of
from engram.memory.dreams.report import Step
from engram.memory.scopes import Reach

_MANY, _NEWS = 10_000, 20
_ROUNDS = 3
_WHOLE_SECONDS, _NEWS_SECONDS = 5.0, 0.2
_PARTS = {"recall": {"timeout_seconds": 600.0}, "embedder": {"kind": "hashing"}}


def measure(folder: Path) -> list[Figure]:
    """Time the passes by themselves, their writing with them; memories are read before."""
    texts = memories(_MANY + _NEWS * (_ROUNDS + 1))
    with Engram.open(folder / "abstraction", settings=_PARTS) as engram:
        engram.remember_many([{"text": text} for text in texts[:_MANY]])
        engram.upkeep.embed()
        whole = [_dreamt(engram, is_rebuild=True) for _ in range(_ROUNDS)]
        mapped = _timed_pass(engram, Step.MAP, _night(engram))
        news: list[float] = []
        for place in range(_ROUNDS + 1):
            start = _MANY + _NEWS * place
            engram.remember_many([{"text": text} for text in texts[start : start + _NEWS]])
            engram.upkeep.embed()
            news.append(_dreamt(engram, is_rebuild=False))
        again = _timed_pass(engram, Step.MAP, _night(engram))
    size = named_size(_MANY)
    return [
        _figure(f"abstraction tree of {size}, made anew", middle(whole), _WHOLE_SECONDS),
        _figure(f"abstraction tree of {size}, {_NEWS} more", middle(news[1:]), _NEWS_SECONDS),
        _figure(f"confidence map of {size}, made anew", mapped, None),
        _figure(f"confidence map of {size}, after news", again, None),
    ]


def _dreamt(engram: Engram, *, is_rebuild: bool) -> float:
    night = dataclasses.replace(_night(engram), is_rebuild=is_rebuild)
    return _timed_pass(engram, Step.TREE, night)


def _timed_pass(engram: Engram, step: Step, night: Night) -> float:
    """Seconds for planning and writing one pass, its statements and vectors read before."""
    with engram._store.read(_exactly(night), timeout_seconds=600) as see:
        night.vectors(see)
        planned: list[Planned] = []
        seconds = timed(_planning(pass_of(step), night, see, planned))
    return seconds + timed(lambda: _write(engram, night, planned[0]))


def _planning(plan: Plan, night: Night, see: object, into: list[Planned]) -> Callable[[], object]:
    return lambda: into.append(plan(night, see))  # type: ignore[arg-type]  # the reader just opened


def _write(engram: Engram, night: Night, planned: Planned) -> None:
    for decision in planned.decisions:
        with engram._store.write(
            _exactly(night), actor=engram.principal.actor, now=night.now
        ) as unit:
            decision.carry_out(unit)


def _night(engram: Engram) -> Night:
    now = engram._clock() + timedelta(seconds=1)
    night = engram._night(Scope(), now)
    known = Known(night.scope, now, limit=night.options.rows_per_pass)
    return dataclasses.replace(night, statements=known.statements, vectors=known.vectors)


def _exactly(night: Night) -> Reach:
    return Reach(chain=(night.scope.path,))


def _figure(name: str, seconds: float, bar: float | None) -> Figure:
    return Figure(
        name, seconds * 1000, "ms", None, "", f"< {bar * 1000:,.0f} ms" if bar else "",
        bar is None or seconds < bar,
    )  # fmt: skip
