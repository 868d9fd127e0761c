"""The command line: `main` is what the `engram` command runs."""

import sys
from typing import TYPE_CHECKING

from engram.security.process import claim

if TYPE_CHECKING:
    from engram.surfaces.cli.command import app as app

__all__ = ["app", "main"]


def main() -> None:
    """Run the command that was typed. A client of the MCP server waits for no command line."""
    claim()
    if sys.argv[1:2] == ["mcp"]:
        from engram.surfaces.mcp.quick import serve_at_once

        if serve_at_once(sys.argv[2:]):
            return
    from engram.surfaces.cli.entry import main as run

    run()


def __getattr__(name: str) -> object:
    """The application, with its commands, for whoever asks for it."""
    if name != "app":
        raise AttributeError(name)
    from engram.surfaces.cli import command, entry  # noqa: F401  # the entry registers the commands

    return command.app
