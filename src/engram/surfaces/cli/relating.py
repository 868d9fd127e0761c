"""The commands that relate memories to each other, and show what is related."""

from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import MemoryArgument, ReasonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from engram.engine import Engram
    from engram.memory.links import Link, LinkOutcome
    from engram.memory.scopes import Scope

FromArgument = Annotated[str, typer.Argument(metavar="A", help="The memory it begins at.")]
ToArgument = Annotated[str, typer.Argument(metavar="B", help="The memory it ends at.")]
RelationArgument = Annotated[
    str, typer.Argument(help="How: supports, contradicts, caused_by …, or a name of your own.")
]


@command("links", panel=Panel.LOOK, example="engram links mem-0001")
def links(
    call: Call,
    memory_id: MemoryArgument,
    limit: Annotated[int, typer.Option(help="At most so many.")] = 100,
) -> None:
    """Show what a memory is related to, and what to it."""
    from engram.surfaces.documents import link_document

    with call.engram() as engram:
        found = engram.links(memory_id, limit=limit, scope=call.part_of(engram, memory_id))
    call.show({"links": [link_document(link) for link in found]}, lambda: _table(found))


@command("relate", panel=Panel.CHANGE, example="engram relate mem-0001 mem-0002 supports")
def relate(
    call: Call,
    a: FromArgument,
    b: ToArgument,
    relation: RelationArgument = "related",
    reason: ReasonOption = "",
) -> None:
    """Relate one memory to another."""
    with call.engram() as engram:
        found = engram.relate(a, b, relation, reason=reason, scope=_part_of(call, engram, a, b))
    _show(call, found, "Related before" if found.is_repeat else "Related")


@command("unrelate", panel=Panel.CHANGE, example="engram unrelate mem-0001 mem-0002 supports")
def unrelate(
    call: Call,
    a: FromArgument,
    b: ToArgument,
    relation: RelationArgument = "related",
    reason: ReasonOption = "",
) -> None:
    """Take back that one memory is related to another."""
    with call.engram() as engram:
        part = _part_of(call, engram, a, b)
        found = engram.unrelate((a, b, relation), reason=reason, scope=part)
    _show(call, found, "Taken back before" if found.is_repeat else "Taken back")


def _part_of(call: Call, engram: "Engram", a: str, b: str) -> "Scope | None":
    """The narrower of the scopes that two memories belong to: from there both are in sight."""
    first, second = call.part_of(engram, a), call.part_of(engram, b)
    if first is None or second is None:
        return first or second
    return second if first.contains(second) else first


def _show(call: Call, found: "LinkOutcome", done: str) -> None:
    from engram.surfaces.documents import linked_document

    line = terminal.styled(f"{done}: {_sentence(found.link)}.", "green")
    hint = pictures.undo_hint(found.change_id, call.again)
    call.show(linked_document(found), lambda: pictures.stack(line, hint))


def _sentence(link: "Link") -> str:
    return f"{link.from_label} {link.relation} {link.to_label}"


def _table(found: "Sequence[Link]") -> "RenderableType":
    if not found:
        return terminal.styled("No links.", "dim")
    made = pictures.table("from", "relation", "to", "when (UTC)", "by", "reason", "change")
    for link in found:
        change = link.change
        made.add_row(
            terminal.styled(link.from_label, "bold"),
            terminal.styled(link.relation, "cyan"),
            terminal.styled(link.to_label, "bold"),
            terminal.styled(pictures.moment(change.at if change else None), "dim"),
            terminal.styled(change.actor if change else "the record", "dim"),
            terminal.styled(change.reason if change else ""),
            terminal.styled(change.id if change else "", "dim"),
        )
    return made
