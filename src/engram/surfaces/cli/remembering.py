"""The command that stores memories: one from the command line, or many from a pipe."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import About

if TYPE_CHECKING:
    from engram.memory.outcomes import Outcome


@command("remember", panel=Panel.USE, example='engram remember "I prefer pnpm" --category tooling')
def remember(
    call: Call,
    about: About,
    text: Annotated[
        list[str] | None, typer.Argument(help="The statement; - or nothing reads it from a pipe.")
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Every line of the pipe is a memory of its own.")
    ] = False,
) -> None:
    """Store a memory; it is safe on disk when this returns."""
    if lines:
        _remember_lines(call, about)
        return
    statement = " ".join(text) if text and text != ["-"] else _piped()
    with call.engram(is_new=True) as engram:
        outcome = engram.remember(
            statement,
            scope=call.part,
            **about.arguments(),  # type: ignore[arg-type]  # named as remember names them
        )
    _show(call, outcome)


def _show(call: Call, outcome: "Outcome") -> None:
    from engram.surfaces.documents import outcome_document

    call.show(outcome_document(outcome), lambda: pictures.outcome(outcome, call.again))
    if outcome.kind == "refused":
        raise typer.Exit(1)


def _remember_lines(call: Call, about: About) -> None:
    from engram.surfaces.documents import outcome_document

    shared = {"scope": call.part, **about.arguments()}
    items = [{"text": line, **shared} for line in _piped().splitlines() if line.strip()]
    with call.engram(is_new=True) as engram, _bar(len(items)) as advance:
        outcomes = engram.remember_many(items, progress=advance)
    counts = Counter[str](outcome.kind for outcome in outcomes)
    document = {
        "counts": dict(counts),
        "outcomes": [outcome_document(outcome) for outcome in outcomes],
    }
    call.show(document, lambda: pictures.outcomes(counts))
    if counts["refused"]:
        raise typer.Exit(1)


def _piped() -> str:
    """The text on the input, without the line end that `echo` adds."""
    if terminal.is_interactive():
        raise typer.BadParameter("Give a text, or pipe one in.", param_hint="TEXT")
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(hint=f"The input is not UTF-8 at byte {error.start}.") from None
    return text.removesuffix("\n").removesuffix("\r")


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr, when somebody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=terminal.console(stderr=True), transient=True) as progress:
        task = progress.add_task("Remembering", total=total)
        yield lambda done, _total: progress.update(task, completed=done)
