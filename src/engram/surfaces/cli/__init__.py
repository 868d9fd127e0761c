"""The command line: `engram` and everything one can type after it."""

from engram.surfaces.cli.command import app
from engram.surfaces.cli.entry import main

__all__ = ["app", "main"]
