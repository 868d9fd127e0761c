"""Runs the command line in this process. The tree of its commands is built once for all tests."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from typer.main import get_command
from typer.testing import CliRunner

from engram.surfaces.cli import app


@dataclass(frozen=True)
class Invoked:
    """What a command printed and how it ended."""

    exit_code: int
    stdout: str
    stderr: str


@cache
def _commands():
    # The runner of the library builds the tree for every call, which takes longer than most calls.
    return get_command(app)


def invoke(
    words: Sequence[str],
    *,
    typed: str | bytes | None = None,
    env: Mapping[str, str] | None = None,
) -> Invoked:
    """Run a command as a shell would; an exception that would leave it leaves this too."""
    runner = CliRunner()
    code: object = 0
    with runner.isolation(input=typed, env=env) as (out, err, _):
        try:
            _commands().main(args=list(words), prog_name="root")
        except SystemExit as leaving:
            code = leaving.code or 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            told = [each.getvalue().decode(runner.charset) for each in (out, err)]
    assert isinstance(code, int), code
    return Invoked(code, *(text.replace("\r\n", "\n") for text in told))
