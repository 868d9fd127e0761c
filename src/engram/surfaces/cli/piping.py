"""What comes in by a pipe, and the bar that is shown on the other side."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import terminal


def piped() -> str:
    """The text on the input, without the line end that `echo` adds."""
    if terminal.is_interactive():
        raise typer.BadParameter("Give a text, or pipe one in.", param_hint="TEXT")
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(hint=f"The input is not UTF-8 at byte {error.start}.") from None
    return text.removesuffix("\n").removesuffix("\r")


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr, when somebody is looking; stdout belongs to the answer."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=terminal.console(stderr=True), transient=True) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
