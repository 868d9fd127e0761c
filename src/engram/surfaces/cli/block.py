"""The command that keeps a block of what a project goes by in AGENTS.md and the like."""

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
    outcomes = _removed(paths) if is_removing else _written(call, paths, is_checking=is_checking)
    document = {"files": [{"path": str(each.path), "block": each.what} for each in outcomes]}
    told = _CHECKED if is_checking else _TOLD
    call.show(document, lambda: _picture(outcomes, told))
    if is_checking and any(each.what != "same" for each in outcomes):
        raise typer.Exit(1)


def _removed(paths: list[Path]) -> "list[BlockOutcome]":
    from engram.surfaces.harness.blocks import remove

    return [remove(path) for path in paths]


def _written(call: Call, paths: list[Path], *, is_checking: bool) -> "list[BlockOutcome]":
    from engram.surfaces.harness.blocks import check, update

    act = check if is_checking else update
    with call.engram() as engram:
        return [act(engram, path, call.part) for path in paths]


def _picture(outcomes: "list[BlockOutcome]", told: dict[str, str]) -> "RenderableType":
    return pictures.stack(*(styled(f"{each.path}: {told[each.what]}") for each in outcomes))
