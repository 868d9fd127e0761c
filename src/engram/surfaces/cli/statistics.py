"""The command that counts: what there is, and with `recall` how recalls went over time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import as_moment
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.memory.figures import RecallStatistics

_TOPICS = ("recall",)
_BARS = "▁▂▃▄▅▆▇█"
_MOST_DAYS = 60  # of a sparkline; more would not fit beside its name


@command("stats", panel=Panel.LOOK, example="engram stats recall")
def stats(
    call: Call,
    topic: Annotated[
        str | None, typer.Argument(metavar="recall", help="`recall`: how recalls went.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(callback=as_moment, metavar="TIME", help="Only recalls from then on."),
    ] = None,
) -> None:
    """Count what is there; `stats recall` tells how recalls went and what got worse."""
    if topic is not None and topic not in _TOPICS:
        raise typer.BadParameter("There is `recall`, or nothing.", param_hint="recall")
    if topic is None and since is not None:
        raise typer.BadParameter("It goes with `stats recall`.", param_hint="--since")
    if topic is None:
        _show_counts(call)
    else:
        _show_recalls(call, since)


def _show_counts(call: Call) -> None:
    from engram.surfaces.documents import record

    with call.engram() as engram:
        found = engram.stats(scope=call.part)
        # The figures are of one scope; the owner also sees where else there is something.
        scopes = engram.upkeep.scopes() if engram.principal.is_owner else {}
    call.show({**record(found), "by_scope": scopes}, lambda: pictures.stats(found, scopes))


def _show_recalls(call: Call, since: str | None) -> None:
    from engram.surfaces.documents import record

    with call.engram() as engram:
        found = engram.recall_statistics(since, scope=call.part)
    call.show(record(found), lambda: _picture(found))


def _picture(found: "RecallStatistics") -> "RenderableType":
    """The figures, one line each, with a small curve over the days."""
    if not found.recalls:
        return styled("No recalls are written down here yet.", "dim")
    title = f"{found.recalls} recalls, {pictures.moment(found.first)} to "
    made = pictures.table("figure", "value", "by day", title=title + pictures.moment(found.last))
    days = found.days[-_MOST_DAYS:]
    times = found.milliseconds
    rows: list[tuple[str, str, Sequence[float]]] = [
        ("recalls", str(found.recalls), [day.recalls for day in days]),
        ("latency p50 / p95 / p99", f"{times.p50:.1f} / {times.p95:.1f} / {times.p99:.1f} ms",
         [day.milliseconds.p95 for day in days]),
        ("relevance", f"{found.relevance:.2f}", [day.relevance for day in days]),
        ("self-consistency (NDCG)", f"{found.consistency:.2f}", ()),
        ("confidence", f"{found.confidence:.2f}", [day.confidence for day in days]),
        ("degraded", f"{found.degraded_share:.0%}", [day.degraded_share for day in days]),
        ("without an answer", f"{found.empty_share:.0%}", ()),
        ("candidates, returned, tokens",
         f"{found.candidates:.1f}, {found.returned:.1f}, {found.tokens:.0f}", ()),
        ("assessment", _shares(found.assessments), ()),
        ("level", _shares(found.levels), ()),
    ]  # fmt: skip
    for name, value, curve in rows:
        made.add_row(styled(name), styled(value, "cyan"), styled(sparkline(curve), "dim"))
    told = [styled(f"Warning: {each}", "bold yellow") for each in found.warnings]
    return pictures.stack(made, *told)


def _shares(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


def sparkline(values: Sequence[float]) -> str:
    """Numbers as bars, the highest being full; from nothing, nothing."""
    highest = max(values, default=0.0)
    if highest <= 0.0:
        return _BARS[0] * len(values)
    return "".join(_BARS[round(value / highest * (len(_BARS) - 1))] for value in values)
