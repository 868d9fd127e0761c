"""The commands by which a person decides on what agents propose."""

from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import EngramError
from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import MemoryArgument, ReasonOption

if TYPE_CHECKING:
    from engram.engine import Engram
    from engram.engine.tracing import Source
    from engram.memory.record import Memory

_EMPTY = "Nothing waits for review."
_MOST_SHOWN = 10_000
_CHOICES = "[a]pprove  [r]eject  [e]dit  [s]kip  [q]uit > "


@command("approve", panel=Panel.REVIEW, example="engram approve mem-0004 --within agent=coder")
def approve(call: Call, memory_id: MemoryArgument, reason: ReasonOption = "") -> None:
    """Let a memory that was held for review be recalled."""
    call.change("approve", "Approved", memory_id, reason=reason)


@command("reject", panel=Panel.REVIEW, example="engram reject mem-0004 --reason wrong")
def reject(call: Call, memory_id: MemoryArgument, reason: ReasonOption = "") -> None:
    """Turn a held memory away; the same statement is refused from then on."""
    call.change("reject", "Rejected", memory_id, reason=reason)


@command("review", panel=Panel.REVIEW, example="engram review --approve mem-0004")
def review(
    call: Call,
    is_listing: Annotated[bool, typer.Option("--list", help="Only list what waits.")] = False,
    approved: Annotated[
        str | None, typer.Option("--approve", metavar="ID", help="Approve this one.")
    ] = None,
    rejected: Annotated[
        str | None, typer.Option("--reject", metavar="ID", help="Reject this one.")
    ] = None,
    reason: ReasonOption = "",
) -> None:
    """Go through what waits for a person; the owner sees the queue of every scope."""
    if approved is not None and rejected is not None:
        raise typer.BadParameter("Approve or reject, one at a time.", param_hint="--approve")
    if approved is not None:
        call.change("approve", "Approved", approved, reason=reason)
    elif rejected is not None:
        call.change("reject", "Rejected", rejected, reason=reason)
    elif is_listing or call.json or not terminal.is_interactive():
        _show_queue(call)
    else:
        _go_through(call)


def _show_queue(call: Call) -> None:
    from engram.surfaces.documents import memory_document, source_document

    with call.engram() as engram:
        found = engram.review(limit=_MOST_SHOWN, scope=call.part)
        candidates = [(memory, *_behind(engram, memory)) for memory in found]
    documents = [
        {
            **memory_document(memory),
            "reason": reason,
            "sources": [source_document(source) for source in sources],
        }
        for memory, reason, sources in candidates
    ]
    hint = terminal.styled("decide with: engram review --approve ID, or --reject ID", "dim")
    picture = pictures.candidates(candidates, empty=_EMPTY)
    call.show({"pending": documents}, lambda: pictures.stack(picture, hint) if found else picture)


def _behind(engram: "Engram", memory: "Memory") -> "tuple[str, list[Source]]":
    """Why a memory waits for a person, and the turns it was drawn from."""
    entries = engram.history(memory.id, scope=memory.scope)
    return entries[0].change.reason, engram.sources(memory.id, scope=memory.scope)


def _go_through(call: Call) -> None:
    """Show one held memory after the other and do what the person says."""
    out = terminal.console()
    with call.engram() as engram:
        found = engram.review(limit=_MOST_SHOWN, scope=call.part)
        if not found:
            out.print(terminal.styled(_EMPTY, "dim"))
        for place, memory in enumerate(found, 1):
            reason, sources = _behind(engram, memory)
            shown = f"{place} of {len(found)}"
            out.print(pictures.proposal(memory, shown, reason=reason, sources=sources))
            if not _decide(call, engram, memory):
                return


def _decide(call: Call, engram: "Engram", memory: "Memory") -> bool:
    """Ask until the memory is decided on or skipped; False when the person wants to stop."""
    out = terminal.console()
    while True:
        choice = terminal.ask(_CHOICES).lower()[:1]
        if choice in ("", "q"):
            return False
        if choice == "s":
            return True
        try:
            if _apply(call, engram, memory, choice):
                return True
        except EngramError as error:
            call.fail(error)
        else:
            current = engram.get(memory.id, scope=memory.scope)
            out.print(pictures.proposal(current or memory, "as it is now"))


def _apply(call: Call, engram: "Engram", memory: "Memory", choice: str) -> bool:
    """Do what was chosen; True when that decided on the memory."""
    if choice == "a":
        call.show_change("Approved", engram.approve(memory.id, scope=memory.scope))
        return True
    if choice == "r":
        reason = terminal.ask("Reason (may be empty): ")
        call.show_change("Rejected", engram.reject(memory.id, reason=reason, scope=memory.scope))
        return True
    if choice == "e":
        text = terminal.ask("New wording: ")
        engram.revise(memory.id, text, reason="reworded in review", scope=memory.scope)
    return False
