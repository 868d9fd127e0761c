"""The commands that take in what lies around: transcripts of coding agents, and repositories."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.piping import bar
from engram.surfaces.cli.terminal import styled
from engram.surfaces.cli.trying import on_any_store

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine.harvesting import HarvestReport, ScanReport

_MOST_SHOWN = 40
_WHAT_STYLES = {"added": "green", "changed": "cyan", "gone": "red", "unread": "yellow"}


@command("harvest", panel=Panel.USE, example="engram harvest claude-code --dry-run")
def harvest(
    call: Call,
    harness: Annotated[str, typer.Argument(help="claude-code, codex or generic (JSON lines).")],
    path: Annotated[
        Path | None, typer.Argument(help="A folder or a file, instead of the usual place.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="Only the sessions of this project.")] = None,
    is_dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be taken in.")
    ] = False,
) -> None:
    """Take in what was said to a coding agent, from its transcripts; never twice."""
    from engram.engine.harvesting import usual_places
    from engram.surfaces.documents import harvest_document

    where = on_any_store(call) if is_dry_run else call
    with where.engram(is_new=not is_dry_run) as engram, bar("Harvesting") as advance:
        report = engram.harvest(
            harness, folder=path, project=project, dry_run=is_dry_run, progress=advance,
            scope=call.part,
        )  # fmt: skip
    places = [str(place) for place in ([path] if path else usual_places(harness))]
    document = {**harvest_document(report), "looked_in": places}
    call.show(document, lambda: _harvested(report, places))
    if report.unreadable:
        raise typer.Exit(1)


def _harvested(report: "HarvestReport", places: list[str]) -> "RenderableType":
    files = [file for file in report.files if file.kept or file.known or file.problem]
    found = pictures.counted(len(report.files), "transcript")
    looked = styled(f"looked in {', '.join(places)}", "dim")
    if not files:
        return pictures.stack(styled(f"{found}, nothing new.", "dim"), looked)
    made = pictures.table("turns", "project", "transcript", whole=("turns",))
    for file in files[:_MOST_SHOWN]:
        notes = [styled(file.problem, "red")] if file.problem else []
        made.add_row(
            styled(file.kept, "cyan"),
            styled(file.project or "-"),
            pictures.stack(styled(file.path.name), styled(file.path.parent, "dim"), *notes),
        )
    parts = [made, *_more(len(files)), looked, _harvest_line(report)]
    parts += _reasons("left out", report.left_out) + _reasons("bad lines", report.bad_lines)
    if report.learnt.problem:
        parts.append(styled(f"not all is read: {report.learnt.problem}", "yellow"))
    return pictures.stack(*parts)


def _harvest_line(report: "HarvestReport") -> "RenderableType":
    turns = pictures.counted(report.kept, "turn")
    if report.is_dry_run:
        return styled(f"{turns} would be taken in: {pictures.reading_plan(report.plan)}")
    kinds = Counter(each.kind for each in report.learnt.outcomes)
    learnt = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items()) or "nothing"
    return styled(f"{turns} taken in, {report.known:,} known; learnt: {learnt}")


def _reasons(what: str, counts: "Counter[str]") -> "list[RenderableType]":
    told = ", ".join(f"{count:,} {reason}" for reason, count in counts.most_common())
    return [styled(f"{what}: {told}", "dim")] if told else []


def _more(count: int) -> "list[RenderableType]":
    rest = count - _MOST_SHOWN
    return [styled(f"and {rest:,} more; --json has all", "dim")] if rest > 0 else []


@command("scan", panel=Panel.USE, example="engram scan . --dry-run")
def scan(
    call: Call,
    folder: Annotated[Path, typer.Argument(help="The folder of a project.")],
    is_dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only list what would be kept.")
    ] = False,
) -> None:
    """Keep what a repository holds: files, declarations, entry points and commands."""
    from engram.surfaces.documents import scan_document

    where = on_any_store(call) if is_dry_run else call
    with where.engram(is_new=not is_dry_run) as engram, bar("Scanning") as advance:
        report = engram.scan(folder, dry_run=is_dry_run, progress=advance, scope=call.part)
    call.show(scan_document(report), lambda: _scanned(report))


def _scanned(report: "ScanReport") -> "RenderableType":
    told = ", ".join(f"{count:,} {what}" for what, count in sorted(report.counts.items()) if count)
    kept = "; nothing was kept" if report.is_dry_run else ""
    line = styled(f"{report.project}: {told or 'nothing to tell'}{kept}")
    if not report.entries:
        return line
    made = pictures.table("", "part", "path", whole=("", "part"))
    for entry in report.entries[:_MOST_SHOWN]:
        label = f" ({entry.memory.label})" if entry.memory else ""
        reason = f": {entry.reason}" if entry.what in ("unread", "left") else ""
        made.add_row(
            styled(entry.what, _WHAT_STYLES.get(entry.what, "dim")),
            styled(entry.kind, "dim"),
            styled(f"{entry.path}{label}{reason}"),
        )
    return pictures.stack(made, *_more(len(report.entries)), line)
