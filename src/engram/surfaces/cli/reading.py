"""The commands that look memories up: list, show and history."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput, MemoryNotFound
from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import Filters, MemoryArgument, Moments

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.memory.importance_report import ImportanceReport

LimitOption = Annotated[int, typer.Option("--limit", "-n", help="At most so many.")]


@command("list", panel=Panel.LOOK, example="engram list --category tooling --limit 20")
def list_memories(
    call: Call,
    filters: Filters,
    moments: Moments,
    status: Annotated[str, typer.Option(help="active, pending, archived …, or any.")] = "active",
    limit: LimitOption = 100,
    before: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Go on after this one.")
    ] = None,
) -> None:
    """List memories, newest first."""
    from engram.surfaces.documents import memory_documents

    conditions = {**filters.conditions(), **asdict(moments)}
    with call.engram() as engram:
        found = engram.list(
            status=status, limit=limit, before=before, scope=call.part, **conditions
        )
        elsewhere = "" if found else call.elsewhere(engram)
    call.show(
        {"memories": memory_documents(found)},
        lambda: pictures.with_hint(pictures.memories(found), elsewhere),
    )


@command("show", panel=Panel.LOOK, example="engram show mem-0001 --importance")
def show(
    call: Call,
    memory_id: MemoryArgument,
    moments: Moments,
    importance: Annotated[
        bool, typer.Option("--importance", help="Also how much it matters, and for how long.")
    ] = False,
) -> None:
    """Show everything that is known about one memory."""
    from engram.surfaces.documents import memory_document, memory_documents, source_document

    is_now = moments == Moments()  # what was drawn from what is told as it is today
    if importance and not is_now:
        raise InvalidInput(hint="How much a memory matters is told as of now alone.")
    with call.engram() as engram:
        scope = call.part_of(engram, memory_id)
        memory = engram.get(memory_id, scope=scope, **asdict(moments))
        if memory is None:
            raise MemoryNotFound
        sources = engram.sources(memory_id, scope=scope) if is_now else []
        drawn = engram.drawn(memory_id, scope=scope) if is_now else []
        report = engram.importance(memory_id, scope=scope) if importance else None
    document = memory_document(memory)
    call.show(
        {
            "memory": document,
            "sources": [source_document(source) for source in sources],
            "drawn": memory_documents(drawn),
            **_weighed(report),
        },
        lambda: pictures.stack(
            pictures.details(document), *pictures.behind(sources, drawn), *_drawn(report)
        ),
    )


def _weighed(report: "ImportanceReport | None") -> dict[str, object]:
    from engram.surfaces.documents import record

    return {} if report is None else {"importance": record(report)}


def _drawn(report: "ImportanceReport | None") -> list["RenderableType"]:
    from engram.surfaces.cli.importance_picture import importance

    return [] if report is None else [importance(report)]


@command("history", panel=Panel.LOOK, example="engram history mem-0001")
def history(call: Call, memory_id: MemoryArgument) -> None:
    """Show every state a memory has had: what changed, by whom, when and why."""
    from engram.surfaces.documents import history_document

    with call.engram() as engram:
        entries = engram.history(memory_id, scope=call.part_of(engram, memory_id))
    document: dict[str, object] = {"history": [history_document(entry) for entry in entries]}
    call.show(document, lambda: pictures.history(entries))
