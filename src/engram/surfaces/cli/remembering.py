"""The command that stores memories: one from the command line, or many from a pipe."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import About
from engram.surfaces.cli.piping import bar, piped

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
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait until it is embedded, and say what it replaced.")
    ] = False,
) -> None:
    """Store a memory; it is safe on disk when this returns."""
    if lines:
        _remember_lines(call, about, wait=wait)
        return
    statement = " ".join(text) if text and text != ["-"] else piped()
    with call.engram(is_new=True) as engram:
        outcome = engram.remember(
            statement,
            scope=call.part,
            wait=wait,
            **about.arguments(),  # type: ignore[arg-type]  # named as remember names them
        )
    _show(call, outcome)


def _show(call: Call, outcome: "Outcome") -> None:
    from engram.surfaces.documents import outcome_document

    call.show(outcome_document(outcome), lambda: pictures.outcome(outcome, call.again))
    if outcome.kind == "refused":
        raise typer.Exit(1)


def _remember_lines(call: Call, about: About, *, wait: bool) -> None:
    from engram.surfaces.documents import outcome_document

    shared = {"scope": call.part, **about.arguments()}
    items = [{"text": line, **shared} for line in piped().splitlines() if line.strip()]
    with call.engram(is_new=True) as engram, bar("Remembering") as advance:
        outcomes = engram.remember_many(items, wait=wait, progress=advance)
    counts = Counter[str](outcome.kind for outcome in outcomes)
    document = {
        "counts": dict(counts),
        "outcomes": [outcome_document(outcome) for outcome in outcomes],
    }
    call.show(document, lambda: pictures.outcomes(counts))
    if counts["refused"]:
        raise typer.Exit(1)
