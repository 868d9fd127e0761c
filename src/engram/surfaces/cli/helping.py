"""The command that opens the manual."""

import re
from typing import TYPE_CHECKING, Annotated, cast

import typer

from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Page, Panel, app, command, overview

if TYPE_CHECKING:
    from typer.core import TyperGroup

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


@command("help", panel=Panel.CARE, example="engram help recall")
def help_page(
    call: Call,
    name: Annotated[
        str | None, typer.Argument(metavar="COMMAND", help="Which command; without it all.")
    ] = None,
    is_man: Annotated[
        bool, typer.Option("--man", help="The whole manual in roff, as `man` reads it.")
    ] = False,
) -> None:
    """Show the page of a command, or the whole manual as a man page."""
    text = _man() if is_man else overview() if name is None else page_of(name)
    if call.json:
        call.show({"text": _STYLE.sub("", text)}, str)
    else:
        typer.echo(text)


def _group() -> "TyperGroup":
    return cast("TyperGroup", typer.main.get_command(app))


def page_of(name: str) -> str:
    """The page of a command, as the terminal shows it."""
    from engram.surfaces.cli.manual import page

    found = _group().commands.get(name)
    if not isinstance(found, Page):
        raise typer.BadParameter(
            f"There is no command {name}; `engram help` lists them.", param_hint="COMMAND"
        )
    return page(found)


def _man() -> str:
    from datetime import UTC, datetime

    from engram.surfaces.cli.manual import man_page
    from engram.version import __version__

    today = f"{datetime.now(UTC):%Y-%m-%d}"
    return man_page(_group(), version=__version__, on=today)
