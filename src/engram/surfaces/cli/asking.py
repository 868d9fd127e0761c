"""The command that shows what is not known, puts a few questions, and takes answers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import ReasonOption
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.memory.dreams.gap_answers import GapAnswer
    from engram.memory.dreams.gaps import Gap

_TERMINAL = "command line"  # the session of whoever asks by hand and names none
_DONE = {
    "stored": "Kept", "confirmed": "Known already", "verified": "It holds", "replaced": "Replaced",
    "settled": "Settled", "withdrawn": "Withdrawn", "held": "Waits for a person",
}  # fmt: skip


@command("gaps", panel=Panel.LOOK, example="engram gaps --ask")
def gaps(
    call: Call,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="With --answer: what the answer is.")
    ] = None,
    is_asked: Annotated[
        bool, typer.Option("--ask", help="The few questions to put now; they count as put.")
    ] = False,
    answer: Annotated[
        str | None, typer.Option(metavar="GAP", help="Answer this question, as gap-….")
    ] = None,
    session: Annotated[
        str | None, typer.Option(help="The conversation that is asked or answered in.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many.")] = 20,
    reason: ReasonOption = "",
) -> None:
    """Show what is missing, contradictory or out of date, as questions; answer them."""
    if is_asked and answer:
        raise typer.BadParameter("Ask or answer, one at a time.", param_hint="--ask")
    if (answer is None) != (text is None):
        raise typer.BadParameter("Say `--answer GAP TEXT`.", param_hint="--answer")
    if answer is not None and text is not None:
        _answer(call, answer, text, session, reason)
    else:
        _show(call, limit, session or _TERMINAL if is_asked else None)


def _show(call: Call, limit: int, session: str | None) -> None:
    from engram.surfaces.gap_documents import gap_document

    with call.engram() as engram:
        if session is None:
            found = engram.gaps(limit=limit, scope=call.part)
        else:
            found = engram.questions(session, limit=limit, scope=call.part)
    nothing = "Nothing is to be asked now." if session else "No questions. Dreams find them."
    call.show({"gaps": [gap_document(each) for each in found]}, lambda: _table(found, nothing))


def _answer(call: Call, gap_id: str, text: str, session: str | None, reason: str) -> None:
    from engram.surfaces.gap_documents import answer_document

    with call.engram() as engram:
        done = engram.answer_gap(gap_id, text, session=session, reason=reason, scope=call.part)
    call.show(answer_document(done), lambda: _picture(done, call.again))


def _picture(done: "GapAnswer", again: str) -> "RenderableType":
    colour = "green" if done.is_closed else "yellow"
    lines = [
        styled(f"{_DONE[done.kind]}: {each.label} ({each.status}) {each.content}", colour)
        for each in done.memories
    ]
    hints = [pictures.undo_hint(change, again) for change in done.changes]
    return pictures.stack(*lines, *hints)


def _table(found: "Sequence[Gap]", nothing: str) -> "RenderableType":
    if not found:
        return styled(nothing, "dim")
    made = pictures.table("gap", "question", "from", whole=("gap",))
    for each in found:
        made.add_row(
            styled(each.id, "cyan"), styled(each.question), styled(", ".join(each.labels), "dim")
        )
    return made
