"""The entry of the command line: runs one command and turns whatever happens into an exit code."""

import sys
from typing import Annotated

import typer

# Each registers its commands when it is imported; the help shows them in this order.
# isort: off
from engram.surfaces.cli import remembering  # noqa: F401
from engram.surfaces.cli import observing  # noqa: F401
from engram.surfaces.cli import harvesting  # noqa: F401
from engram.surfaces.cli import recalling  # noqa: F401
from engram.surfaces.cli import reasoning  # noqa: F401
from engram.surfaces.cli import context  # noqa: F401
from engram.surfaces.cli import feedback  # noqa: F401
from engram.surfaces.cli import episodes  # noqa: F401
from engram.surfaces.cli import knowledge  # noqa: F401
from engram.surfaces.cli import skills  # noqa: F401
from engram.surfaces.cli import working  # noqa: F401
from engram.surfaces.cli import shell  # noqa: F401
from engram.surfaces.cli import demo  # noqa: F401
from engram.surfaces.cli import reading  # noqa: F401
from engram.surfaces.cli import auditing  # noqa: F401
from engram.surfaces.cli import timeline  # noqa: F401
from engram.surfaces.cli import statistics  # noqa: F401
from engram.surfaces.cli import entities  # noqa: F401
from engram.surfaces.cli import profiling  # noqa: F401
from engram.surfaces.cli import asking  # noqa: F401
from engram.surfaces.cli import changing  # noqa: F401
from engram.surfaces.cli import erasing  # noqa: F401
from engram.surfaces.cli import relating  # noqa: F401
from engram.surfaces.cli import reviewing  # noqa: F401
from engram.surfaces.cli import install  # noqa: F401
from engram.surfaces.cli import hook  # noqa: F401
from engram.surfaces.cli import block  # noqa: F401
from engram.surfaces.cli import mcp  # noqa: F401
from engram.surfaces.cli import serve  # noqa: F401
from engram.surfaces.cli import webhooks  # noqa: F401
from engram.surfaces.cli import daemon  # noqa: F401
from engram.surfaces.cli import dreaming  # noqa: F401
from engram.surfaces.cli import overseeing  # noqa: F401
from engram.surfaces.cli import sizing  # noqa: F401
from engram.surfaces.cli import upkeep  # noqa: F401
from engram.surfaces.cli import carrying  # noqa: F401
from engram.surfaces.cli import embedding  # noqa: F401
from engram.surfaces.cli import configuring  # noqa: F401
from engram.surfaces.cli import keys  # noqa: F401
from engram.surfaces.cli import evaluating  # noqa: F401
from engram.surfaces.cli import helping  # noqa: F401

# isort: on
from engram.security.process import place_of
from engram.surfaces.cli.call import show_failure
from engram.surfaces.cli.command import alias, app, commands
from engram.surfaces.cli.helping import page_of

alias("search", of="recall")

_USAGE = 2
_INTERRUPTED = 130


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        from engram.version import __version__

        typer.echo(f"engram {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[  # its callback does the work
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", hidden=True)] = False,  # main looks for it
) -> None:
    """Long-term memory for AI agents: keep, recall, correct, explain and undo facts."""


def main() -> None:
    """Run the command that was typed, and exit with 0, 1 (refused or failed) or 2 (wrong usage)."""
    arguments = sys.argv[1:]
    as_json = "--json" in arguments
    _never_choke_on_encoding()
    try:
        if _asks_for_page(arguments):
            typer.echo(page_of(arguments[0]))
            return
        app(arguments or ["--help"], prog_name="engram")
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except SystemExit as leaving:
        if leaving.code == _USAGE and as_json:
            _say_usage_was_wrong()
        raise
    except Exception as error:  # noqa: BLE001  # the boundary: no traceback reaches a user
        if arguments[:1] == ["--debug"]:
            typer.echo(place_of(error), err=True)
        _say_what_was_unexpected(error, as_json=as_json)
        sys.exit(1)


def _asks_for_page(arguments: list[str]) -> bool:
    """Whether the page of a command is all that is asked for: it needs no parsing of the rest."""
    known = {name for name, _, _ in commands()}
    return "--help" in arguments and "--" not in arguments and arguments[0] in known


def _never_choke_on_encoding() -> None:
    """A terminal that cannot show a character gets its number instead of a crash."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _say_usage_was_wrong() -> None:
    from engram.surfaces.documents import failure_document

    hint = "What was wrong stands on stderr; `engram COMMAND --help` shows what can be typed."
    document = failure_document("usage", "This command line cannot be read.", hint)
    show_failure(document, as_json=True)


def _say_what_was_unexpected(error: Exception, *, as_json: bool) -> None:
    """Only its type: the text of an unexpected error could hold anything, even a memory."""
    from engram.surfaces.documents import failure_document

    message = f"Something unexpected went wrong ({type(error).__name__})."
    document = failure_document("E0000", message, "Run `engram doctor`, then try again.")
    show_failure(document, as_json=as_json)
