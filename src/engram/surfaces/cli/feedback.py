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
    helpful: Annotated[
        bool | None, typer.Option("--helpful/--unhelpful", help="Whether it helped.")
    ] = None,
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

    if helpful is None and correction is None:
        raise typer.BadParameter("Say which.", param_hint="--helpful/--unhelpful")
    with call.engram() as engram:
        found = engram.feedback(
            memory_id,
            bool(helpful),
            query=query,
            correction=correction,
            reason=reason,
            scope=call.part_of(engram, memory_id),
        )
    call.show(feedback_document(found), lambda: _picture(found, call.again))


def _picture(found: "FeedbackOutcome", again: str) -> "RenderableType":
    if found.correction is not None:
        return pictures.outcome(found.correction, again)
    word = "helpful" if found.feedback.is_helpful else "unhelpful"
    noted = "Noted before" if found.is_repeat else "Noted"
    line = terminal.styled(f"{noted}: {found.memory.label} was {word}.", "green")
    return pictures.stack(line, pictures.undo_hint(found.change_id, again))
