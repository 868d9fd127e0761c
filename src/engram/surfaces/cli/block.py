"""The command that keeps a block of what a project goes by in AGENTS.md and the like."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.surfaces.harness.blocks import BlockOutcome

_TOLD = {
    "added": "a block was put in",
    "changed": "the block is current now",
    "same": "the block is current",
    "removed": "the block was taken out",
    "missing": "there is no block",
}
_CHECKED = {**_TOLD, "changed": "the block is not current"}


@command("block", panel=Panel.CONNECT, example="engram block AGENTS.md")
def block(
    call: Call,
    paths: Annotated[list[Path], typer.Argument(metavar="FILE...", help="As AGENTS.md.")],
    is_removing: Annotated[
        bool, typer.Option("--remove", help="Take the block out again.")
    ] = False,
    is_checking: Annotated[
        bool, typer.Option("--check", help="Only say whether it is there and current.")
    ] = False,
) -> None:
    """Keep what a project goes by between two marks in AGENTS.md, CLAUDE.md or the like."""
    if is_removing and is_checking:
        raise typer.BadParameter("Not both.", param_hint="--remove, --check")
    if is_removing:
        outcomes = _removed(paths)
    else:
        outcomes = [_written(call, path, is_checking=is_checking) for path in paths]
    document = {"files": [_document(each) for each in outcomes]}
    told = _CHECKED if is_checking else _TOLD
    call.show(document, lambda: _picture(outcomes, told))
    if is_checking and any(each.what != "same" for each in outcomes):
        raise typer.Exit(1)


def _removed(paths: list[Path]) -> "list[BlockOutcome]":
    from engram.surfaces.harness.blocks import release
    from engram.surfaces.harness.places import places_here

    return [release(path, places_here()) for path in paths]


def _written(call: Call, path: Path, *, is_checking: bool) -> "BlockOutcome":
    from engram.surfaces.harness.blocks import check, keep, once
    from engram.surfaces.harness.places import places_here

    named = _in_project(call, path)
    with named.engram() as engram:
        if is_checking:
            outcome = check(engram, path, call.part)
        elif call.part is not None:
            outcome = once(engram, path, call.part, places_here())  # hooks cannot make such a block
        else:
            outcome = keep(engram, path, places_here())
        scope = call.part or engram.principal.scope
    return replace(outcome, project=None if scope is None else scope.project)


def _in_project(call: Call, path: Path) -> Call:
    """The call as a hook makes it in the file's folder, unless somebody said who is calling."""
    from engram.memory.scopes import Scope
    from engram.surfaces.harness.project import folder_of, project_here

    if call.caller is not None or call.part is not None:
        return call
    return replace(call, scope=Scope(project=project_here(folder_of(path))).path)


def _document(outcome: "BlockOutcome") -> dict[str, str | None]:
    return {"path": str(outcome.path), "block": outcome.what, "project": outcome.project}


def _picture(outcomes: "list[BlockOutcome]", told: dict[str, str]) -> "RenderableType":
    return pictures.stack(*(styled(_line(each, told)) for each in outcomes))


def _line(outcome: "BlockOutcome", told: dict[str, str]) -> str:
    project = f" (project {outcome.project})" if outcome.project else ""
    return f"{outcome.path}: {told[outcome.what]}{project}"
