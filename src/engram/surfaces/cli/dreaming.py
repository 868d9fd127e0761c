"""The command that has the store dream, and shows what it did."""

from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.piping import bar
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.memory.dreams.report import DreamRecord, DreamReport, PassReport

_SHOWN = 6  # lines of one pass; `--all` shows every one


@command("dream", panel=Panel.CARE, example="engram dream --dry-run")
def dream(
    call: Call,
    step: Annotated[
        list[str] | None, typer.Option("--step", metavar="PASS", help="Only this pass; repeatable.")
    ] = None,
    is_dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be decided.")
    ] = False,
    is_rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make what was made of memories anew.")
    ] = False,
    is_list: Annotated[bool, typer.Option("--list", help="The last dreams.")] = False,
    show: Annotated[
        str | None, typer.Option(metavar="DREAM", help="What a dream did, as drm-….")
    ] = None,
    is_all: Annotated[bool, typer.Option("--all", help="Every decision, not only the first.")] = (
        False
    ),
) -> None:
    """Let memories fade, merge and be made sense of, once; every decision can be undone."""
    if is_list and show:
        raise typer.BadParameter("One of the two.", param_hint="--list, --show")
    if is_list:
        _show_list(call)
        return
    from engram.surfaces.dreams_documents import dream_document

    with call.engram() as engram, bar("Dreaming") as advance:
        if show is not None:
            report = engram.dream_report(show, scope=call.part)
        else:
            report = engram.dream(
                steps=step, dry_run=is_dry_run, rebuild=is_rebuild, scope=call.part,
                progress=advance,
            )  # fmt: skip
    most = 10_000 if is_all else _SHOWN
    call.show(dream_document(report), lambda: _pictured(report, call, most))


def _show_list(call: Call) -> None:
    from engram.surfaces.dreams_documents import dream_record_document

    with call.engram() as engram:
        found = engram.dreams(scope=call.part)
    call.show({"dreams": [dream_record_document(each) for each in found]}, lambda: _listed(found))


def _listed(found: "list[DreamRecord]") -> "RenderableType":
    if not found:
        return styled("Nothing has been dreamt yet. Begin with: engram dream --dry-run", "dim")
    made = pictures.table("dream", "at", "decisions", "undone", whole=("dream", "decisions"))
    for each in found:
        when = pictures.moment(each.at) + ("" if each.finished_at else " (interrupted)")
        made.add_row(
            styled(each.id, "cyan"), styled(when), styled(each.decisions), styled(each.undone)
        )
    return made


def _pictured(report: "DreamReport", call: Call, most: int) -> "RenderableType":
    done = [each for each in report.passes if each.decided or each.findings or each.skipped]
    parts = [_head(report)]
    for each in done:
        parts += _pass(each, most)
    quiet = len(report.passes) - len(done)
    if quiet:
        parts.append(styled(f"{pictures.counted(quiet, 'pass', 'passes')} found nothing.", "dim"))
    if not report.is_whole:
        parts.append(styled("Not everything was reached: the next dream goes on.", "yellow"))
    if report.id and report.decisions:
        parts.append(pictures.undo_hint(report.id, call.again))
    return pictures.stack(*parts)


def _head(report: "DreamReport") -> "RenderableType":
    number = pictures.counted(report.decisions, "decision")
    if report.is_dry:
        return styled(f"{number} would be made. Nothing was changed.", "bold")
    resumed = ", taken up where it was interrupted" if report.is_resumed else ""
    return styled(f"{number} made by {report.id}{resumed}.", "bold green")


def _pass(report: "PassReport", most: int) -> "list[RenderableType]":
    place = "" if report.scope == "/" else f" in {report.scope}"
    number = pictures.counted(len(report.decided), "decision")
    looked = f", {report.looked_at:,} looked at" if report.looked_at else ""
    parts: list[RenderableType] = [styled(f"{report.step.value}{place}: {number}{looked}", "cyan")]
    lines = [each.why for each in report.decided]
    parts += [styled(f"  {line}") for line in lines[:most]]
    parts += [styled(f"  {line}", "dim") for line in report.findings[:most]]
    left = max(0, len(lines) - most) + max(0, len(report.findings) - most)
    if left:
        parts.append(styled(f"  and {left:,} more; --all shows them", "dim"))
    if report.skipped:
        parts.append(styled(f"  not done: {report.skipped}", "yellow"))
    return parts
