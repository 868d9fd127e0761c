"""The commands that change memories, and the one that takes changes back."""

from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import MemoryArgument, ReasonOption

if TYPE_CHECKING:
    from engram.memory.ids import MemoryId

_MOST_LABELS = 20


@command(
    "revise", panel=Panel.CHANGE, example='engram revise mem-0001 "I prefer yarn" --reason "moved"'
)
def revise(
    call: Call,
    memory_id: MemoryArgument,
    text: Annotated[str, typer.Argument(help="The new wording.")],
    reason: ReasonOption = "",
) -> None:
    """Give a memory a new wording; the old one stays in its history."""
    call.change("revise", "Revised", memory_id, text, reason=reason)


@command("forget", panel=Panel.CHANGE, example="engram forget mem-0001 --reason outdated")
def forget(call: Call, memory_id: MemoryArgument, reason: ReasonOption = "") -> None:
    """Archive a memory: it is no longer recalled, and can be brought back."""
    call.change("forget", "Forgot", memory_id, reason=reason)


@command("undo", panel=Panel.CHANGE, example="engram undo chg-01jc0example")
def undo(
    call: Call,
    change_id: Annotated[
        str,
        typer.Argument(
            metavar="CHANGE",
            help="A change, as chg-…; a dream, as drm-…, or one pass of it, as drm-…:merge; "
            "an import, as imp-…; or turns that were read again, as rrd-….",
        ),
    ],
    reason: ReasonOption = "",
) -> None:
    """Take back any change, exactly; an undo can be undone too."""
    from engram.memory.ids import ChangeId
    from engram.memory.outcomes import kept_of
    from engram.surfaces.documents import memory_documents

    with call.engram() as engram:
        part = call.part_of(engram, change_id)
        found = engram.undo(change_id, reason=reason, scope=part)
        # A memory whose making was undone has no new state to read the undo's own id from.
        entries = engram.audit(limit=100, action="undo", scope=part)
    touched: set[MemoryId | None] = {memory.id for memory in found}
    touched = touched or {None}  # nothing but what was made of memories
    own = next((each.change_id for each in entries if each.memory_id in touched), None)
    if change_id.startswith(("drm-", "rrd-")):
        own = None  # each decision was undone by a change of its own: none brings all of it back
    elif change_id.startswith("imp-"):
        own = None if change_id.endswith(":undo") else ChangeId(f"{change_id}:undo")
    document: dict[str, object] = {
        "undone": change_id,
        "change_id": own,
        "memories": memory_documents(found),
        "kept": memory_documents(kept_of(found)),
    }
    labels = ", ".join(memory.label for memory in found[:_MOST_LABELS])
    more = f" and {len(found) - _MOST_LABELS:,} more" if len(found) > _MOST_LABELS else ""
    line = f"Undone for {labels}{more}." if found else "Undone."
    if kept := kept_of(found):
        line += f" Changed since and left: {', '.join(each.label for each in kept[:_MOST_LABELS])}."
    call.show(
        document,
        lambda: pictures.stack(terminal.styled(line, "green"), pictures.undo_hint(own, call.again)),
    )


@command("pin", panel=Panel.CHANGE, example="engram pin mem-0001")
def pin(call: Call, memory_id: MemoryArgument, reason: ReasonOption = "") -> None:
    """Keep a memory from fading."""
    call.change("pin", "Pinned", memory_id, reason=reason)


@command("unpin", panel=Panel.CHANGE, example="engram unpin mem-0001")
def unpin(call: Call, memory_id: MemoryArgument, reason: ReasonOption = "") -> None:
    """Let a memory fade like any other again."""
    call.change("unpin", "Unpinned", memory_id, reason=reason)


@command("promote", panel=Panel.CHANGE, example="engram promote mem-0001")
def promote(call: Call, memory_id: MemoryArgument, reason: ReasonOption = "") -> None:
    """Move a memory to the next more lasting layer."""
    call.change("promote", "Promoted", memory_id, reason=reason)


@command("demote", panel=Panel.CHANGE, example="engram demote mem-0001")
def demote(call: Call, memory_id: MemoryArgument, reason: ReasonOption = "") -> None:
    """Move a memory to the next less lasting layer."""
    call.change("demote", "Demoted", memory_id, reason=reason)


@command("verify", panel=Panel.CHANGE, example="engram verify mem-0001")
def verify(call: Call, memory_id: MemoryArgument, reason: ReasonOption = "") -> None:
    """Note that a memory still holds."""
    call.change("verify", "Verified", memory_id, reason=reason)


@command(
    "status", panel=Panel.CHANGE, example="engram status mem-0001 challenged --reason doubtful"
)
def status(
    call: Call,
    memory_id: MemoryArgument,
    target: Annotated[
        str | None, typer.Argument(metavar="STATUS", help="The status to move it to.")
    ] = None,
    reason: ReasonOption = "",
) -> None:
    """Move a memory to another status; with the id alone, show those it went through."""
    if target is None:
        _show_moves(call, memory_id)
        return
    if not reason:
        raise typer.BadParameter("Say why the status changes.", param_hint="--reason")
    with call.engram() as engram:
        memory = engram.set_status(
            memory_id, target, reason=reason, scope=call.part_of(engram, memory_id)
        )
    call.show_change("Moved", memory)


@command("tier", panel=Panel.CHANGE, example="engram tier mem-0001 confidential --reason private")
def tier(
    call: Call,
    memory_id: MemoryArgument,
    secrecy: Annotated[
        str, typer.Argument(metavar="TIER", help="cleartext, sensitive or confidential.")
    ],
    reason: ReasonOption = "",
) -> None:
    """Protect a memory more or less, with all that belongs to it."""
    from engram.surfaces.documents import tier_document

    with call.engram() as engram:
        part = call.part_of(engram, memory_id)
        before = engram.get(memory_id, scope=part)
        memory = engram.set_tier(memory_id, secrecy, reason=reason, scope=part)
    document = tier_document(before, memory)
    call.show(
        document,
        lambda: pictures.tier_set(memory, call.again, is_repeat=document["change_id"] is None),
    )


def _show_moves(call: Call, memory_id: str) -> None:
    from engram.surfaces.documents import records

    with call.engram() as engram:
        moves = engram.status_history(memory_id, scope=call.part_of(engram, memory_id))
    call.show({"moves": records(moves)}, lambda: pictures.status_moves(moves))
