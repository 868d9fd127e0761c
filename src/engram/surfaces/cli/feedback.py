"""The command by which people and agents say whether a memory helped."""

from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import MemoryArgument, ReasonOption

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.memory.feedback import FeedbackOutcome


@command(
    "feedback",
    panel=Panel.USE,
    example='engram feedback mem-0001 --unhelpful --query "where do I park?"',
)
def feedback(
    call: Call,
    memory_id: MemoryArgument,
    helpful: Annotated[bool, typer.Option("--helpful", help="It helped.")] = False,
    unhelpful: Annotated[bool, typer.Option("--unhelpful", help="It did not help.")] = False,
    query: Annotated[
        str | None, typer.Option(help="The question it was the answer to; it holds near that.")
    ] = None,
    correction: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What is right; it takes the old one's place."),
    ] = None,
    reason: ReasonOption = "",
) -> None:
    """Say whether a memory helped with a question, or what is right instead."""
    from engram.surfaces.documents import feedback_document

    if helpful and unhelpful:
        raise typer.BadParameter("It is one or the other.", param_hint="--helpful/--unhelpful")
    if not (helpful or unhelpful) and correction is None:
        raise typer.BadParameter("Say which.", param_hint="--helpful/--unhelpful")
    with call.engram() as engram:
        found = engram.feedback(
            memory_id,
            helpful,
            query=query,
            correction=correction,
            reason=reason,
            scope=call.part_of(engram, memory_id),
        )
    call.show(feedback_document(found), lambda: _picture(found, call.again))


def _picture(found: "FeedbackOutcome", again: str) -> "RenderableType":
    if found.correction is not None:
        label = found.memory.label
        replaced = f"  it takes the place of {label}, which is superseded"
        waiting = f"  {label} stays as it is until a person approves"
        what = waiting if found.correction.kind == "held" else replaced
        return pictures.stack(
            pictures.outcome(found.correction, again), terminal.styled(what, "dim")
        )
    word = "helpful" if found.feedback.is_helpful else "unhelpful"
    noted = "Noted before" if found.is_repeat else "Noted"
    line = terminal.styled(f"{noted}: {found.memory.label} was {word}.", "green")
    return pictures.stack(line, pictures.undo_hint(found.change_id, again))
