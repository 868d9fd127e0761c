"""The commands that show what is known as a whole: the overview, and what is known how well."""

from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.profiling import what_next
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.memory.dreams.domains import KnownDomain
    from engram.memory.dreams.overview import Overview

_COLOURS = {"confident": "green", "uncertain": "yellow", "unknown": "red"}
_BAR = 10  # blocks for a whole


@command("overview", panel=Panel.LOOK, example="engram overview --tokens 500")
def overview(
    call: Call,
    tokens: Annotated[
        int | None, typer.Option(metavar="N", help="As much detail as fits into so many tokens.")
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(metavar="1|2|3", help="1 clusters, 2 domains, 3 all in one paragraph."),
    ] = None,
) -> None:
    """Tell what is known altogether, in sentences of the memories themselves."""
    from engram.surfaces.overseeing_documents import overview_document

    with call.engram() as engram:
        found = engram.overview(tokens=tokens, level=level, scope=call.part)
        hint = "" if found.nodes else what_next(call, engram)
    call.show(overview_document(found), lambda: _overview(found, hint))


def _overview(found: "Overview", hint: str) -> "RenderableType":
    if not found.nodes:
        return styled(f"There is no overview here. {hint}", "dim")
    paragraphs = [styled(each.text) for each in found.nodes]
    members = pictures.counted(sum(each.members for each in found.nodes), "memory", "memories")
    told = f"level {found.level}, {found.tokens} tokens, of {members}"
    return pictures.stack(*paragraphs, styled(told, "dim"))


@command("domains", panel=Panel.LOOK, example="engram domains")
def domains(call: Call) -> None:
    """Show what is known how well, domain by domain."""
    from engram.surfaces.overseeing_documents import domains_document

    with call.engram() as engram:
        found = engram.domains(scope=call.part)
        hint = "" if found else what_next(call, engram)
    call.show(domains_document(found), lambda: _domains(found, hint))


def _domains(found: "list[KnownDomain]", hint: str) -> "RenderableType":
    if not found:
        return styled(f"There is no map here. {hint}", "dim")
    made = pictures.table("domain", "known", "memories", "open", "news", whole=("memories", "open"))
    for each in found:
        blocks = round(each.confidence * _BAR)
        bar = "█" * blocks + "░" * (_BAR - blocks)
        made.add_row(
            styled(each.label),
            styled(f"{bar} {each.assessment}", _COLOURS[each.assessment]),
            styled(each.memory_count),
            styled(each.gaps + each.challenged),
            styled(pictures.moment(each.latest)),
        )
    return made
