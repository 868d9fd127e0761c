"""The command that counts: what there is, how recalls went, what was captured, what models cost."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import as_moment
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine.tracing import CaptureCount, SpendingReport
    from engram.memory.figures import RecallStatistics

_BARS = "▁▂▃▄▅▆▇█"
_MOST_DAYS = 60  # of a sparkline; more would not fit beside its name


@command("stats", panel=Panel.LOOK, example="engram stats recall")
def stats(
    call: Call,
    topic: Annotated[
        str | None,
        typer.Argument(
            metavar="TOPIC",
            help="recall: how recalls went; capture: what became of what was said; "
            "cost: what the language model took.",
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(callback=as_moment, metavar="TIME", help="Only from then on."),
    ] = None,
    plot: Annotated[
        bool,
        typer.Option(
            "--plot", help="Draw how the store grew, fades and dreams, and what it knows."
        ),
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --plot: draw it into a page for a browser."),
    ] = None,
) -> None:
    """Count what is there; with a topic, tell how recall, capture or the model did."""
    if plot or html is not None:
        _show_growth(call, topic, since, plot=plot, html=html)
        return
    if topic is not None and topic not in _TOPICS:
        raise typer.BadParameter(f"There is {', '.join(_TOPICS)}, or nothing.", param_hint="TOPIC")
    if topic is None and since is not None:
        raise typer.BadParameter("It goes with a topic.", param_hint="--since")
    if topic is None:
        _show_counts(call)
    else:
        _TOPICS[topic](call, since)


def _show_counts(call: Call) -> None:
    from engram.surfaces.documents import record

    with call.engram() as engram:
        found = engram.stats(scope=call.part)
        # The figures are of one scope; the owner also sees where else there is something.
        scopes = engram.upkeep.scopes() if engram.principal.is_owner else {}
    call.show({**record(found), "by_scope": scopes}, lambda: pictures.stats(found, scopes))


def _show_growth(
    call: Call, topic: str | None, since: str | None, *, plot: bool, html: Path | None
) -> None:
    """Draw, in the terminal or into a page."""
    if topic is not None:
        raise typer.BadParameter("It takes no topic.", param_hint="--plot")
    if not plot:
        raise typer.BadParameter("It goes with --plot.", param_hint="--html")
    from engram.surfaces.cli.plotting import plotted, write_page
    from engram.surfaces.overseeing_documents import growth_document

    with call.engram() as engram:
        found = engram.growth(since, scope=call.part)
        seen = call.part or engram.principal.scope
        of = seen.path if seen and seen.path != "/" else "this store"
    if html is None:
        call.show(growth_document(found), lambda: plotted(found))
        return
    from engram.surfaces.report.page import page

    write_page(page(found, of=of, at=datetime.now(UTC)), html)
    call.show(
        {**growth_document(found), "page": str(html)}, lambda: styled(f"Drawn: {html}", "green")
    )


def _show_recalls(call: Call, since: str | None) -> None:
    from engram.surfaces.documents import record

    with call.engram() as engram:
        found = engram.recall_statistics(since, scope=call.part)
    call.show(record(found), lambda: _picture(found))


def _show_capture(call: Call, since: str | None) -> None:
    from engram.surfaces.documents import capture_document

    with call.engram() as engram:
        found = engram.capture_statistics(since, scope=call.part)
        unread = engram.unread(scope=call.part)
    document = {**capture_document(found), "unread": unread}
    call.show(document, lambda: _captured(found, unread))


def _captured(found: "Sequence[CaptureCount]", unread: int) -> "RenderableType":
    """What became of what was said, the turns first, the most frequent reason of each first."""
    waiting = styled(f"{pictures.counted(unread, 'turn waits', 'turns wait')} to be read", "dim")
    if not found:
        return pictures.stack(styled("Nothing was said here yet.", "dim"), waiting)
    totals = Counter[str]()
    for each in found:
        totals[each.outcome] += each.count
    order = sorted(totals, key=lambda name: (not name.startswith("turn"), -totals[name], name))
    made = pictures.table("outcome", "reason", "count", whole=("outcome", "count"))
    for outcome in order:
        made.add_row(styled(outcome, "bold"), styled(""), styled(f"{totals[outcome]:,}", "cyan"))
        reasons = [each for each in found if each.outcome == outcome and each.reason]
        for each in sorted(reasons, key=lambda each: -each.count):
            made.add_row(styled(""), styled(each.reason), styled(f"{each.count:,}", "dim"))
    return pictures.stack(made, waiting)


def _show_cost(call: Call, since: str | None) -> None:
    from engram.surfaces.documents import spending_document

    with call.engram() as engram:
        found = engram.spending(since, scope=call.part)
    call.show(spending_document(found), lambda: _spent(found))


def _spent(found: "SpendingReport") -> "RenderableType":
    """What the language model took, by day."""
    if not found.lines:
        return styled("No language model was asked here yet.", "dim")
    columns = ("day", "purpose and model", "outcome", "calls", "in", "out", "cost")
    made = pictures.table(*columns, whole=[name for name in columns if " " not in name])
    for line in found.lines:
        row = line.row
        made.add_row(
            styled(row.day, "dim"),
            pictures.stack(styled(row.purpose), styled(row.model, "dim")),
            styled(row.outcome),
            styled(f"{row.calls:,}", "cyan"),
            styled(f"{row.tokens_in:,}"),
            styled(f"{row.tokens_out:,}"),
            styled(_price(line.cost)),
        )
    tokens = f"{found.tokens_in:,} tokens in, {found.tokens_out:,} out"
    total = f"{pictures.counted(found.calls, 'call')}, {tokens}, cost {_price(found.cost)}"
    return pictures.stack(made, styled(total))


def _price(cost: float | None) -> str:
    """A cost in the user's own currency; without prices there is none to tell."""
    return "-" if cost is None else f"{cost:.4f}"


_TOPICS = {"recall": _show_recalls, "capture": _show_capture, "cost": _show_cost}


def _picture(found: "RecallStatistics") -> "RenderableType":
    """The figures, one line each, with a small curve over the days."""
    if not found.recalls:
        return styled("No recalls are written down here yet.", "dim")
    title = f"{pictures.counted(found.recalls, 'recall')}, {pictures.moment(found.first)} to "
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
