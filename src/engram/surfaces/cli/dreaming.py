"""The command that has the store dream, and shows what it did."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from engram.errors import ChangeNotFound
from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.piping import bar
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.memory.dreams.report import Decided, DreamRecord, DreamReport, PassReport

Line = TypeVar("Line")

_SHOWN = 6  # lines of one pass; `--all` shows every one
_LISTED = 20  # dreams, unless told


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
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="With --list: at most so many, else 20.")
    ] = None,
    is_all: Annotated[bool, typer.Option("--all", help="Every decision, not only the first.")] = (
        False
    ),
) -> None:
    """Let memories fade, merge and be made sense of, once; every decision can be undone."""
    if is_list and show is not None:
        raise typer.BadParameter("One of the two.", param_hint="--list, --show")
    if limit is not None and not is_list:
        raise typer.BadParameter("It goes with --list.", param_hint="--limit")
    if (is_list or show is not None) and (step or is_dry_run or is_rebuild):
        raise typer.BadParameter(
            "It shows what was dreamt, and dreams nothing: without --step, --dry-run, --rebuild.",
            param_hint="--list" if is_list else "--show",
        )
    if is_list:
        _show_list(call, _LISTED if limit is None else limit)
        return
    from engram.surfaces.dreams_documents import dream_document

    if show is not None:
        report = _kept(call, show)
    else:
        with call.engram() as engram, bar("Dreaming") as advance:
            report = engram.dream(
                steps=step, dry_run=is_dry_run, rebuild=is_rebuild, scope=call.part,
                progress=advance,
            )  # fmt: skip
    most = None if is_all else _SHOWN
    call.show(dream_document(report), lambda: _pictured(report, call, most))


def _kept(call: Call, dream_id: str) -> "DreamReport":
    """What a dream did; who asks for one that is not there is told where they are listed."""
    with call.engram() as engram:
        try:
            return engram.dream_report(dream_id, scope=call.part)
        except ChangeNotFound:
            shows = f"`engram dream --list{call.again}` shows them."
            raise ChangeNotFound(hint=f"No dream of that name is in sight; {shows}") from None


def _show_list(call: Call, limit: int) -> None:
    from engram.surfaces.dreams_documents import dream_record_document

    with call.engram() as engram:
        found = engram.dreams(limit=limit, scope=call.part)
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


def _pictured(report: "DreamReport", call: Call, most: int | None) -> "RenderableType":
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
        told = f"{number} would be made, each pass as if it were the first. Nothing was changed."
        return styled(told, "bold")
    resumed = ", taken up where it was interrupted" if report.is_resumed else ""
    return styled(f"{number} made by {report.id}{resumed}.", "bold green")


def _pass(report: "PassReport", most: int | None) -> "list[RenderableType]":
    place = "" if report.scope == "/" else f" in {report.scope}"
    number = pictures.counted(len(report.decided), "decision")
    looked = f", {report.looked_at:,} looked at" if report.looked_at else ""
    parts: list[RenderableType] = [styled(f"{report.step.value}{place}: {number}{looked}", "cyan")]
    decided, findings = _first(report.decided, most), _first(report.findings, most)
    parts += [_decision(each) for each in decided]
    parts += [styled(f"  {line}", "dim") for line in findings]
    left = len(report.decided) - len(decided) + len(report.findings) - len(findings)
    if left:
        parts.append(styled(f"  and {left:,} more; --all shows them", "dim"))
    if report.skipped:
        parts.append(styled(f"  not done: {report.skipped}", "yellow"))
    return parts


def _decision(decided: "Decided") -> "RenderableType":
    """Why, and by which change it alone is taken back; a dry run has none."""
    line = styled(f"  {decided.why}")
    if decided.changes:
        more = f" and {len(decided.changes) - 1:,} more" if len(decided.changes) > 1 else ""
        line.append(styled(f"  {decided.changes[0]}{more}", "dim"))
    return line


def _first(lines: Sequence[Line], most: int | None) -> Sequence[Line]:
    """The first lines; one that is left over takes no more room than to say so."""
    return lines if most is None or len(lines) <= most + 1 else lines[:most]
