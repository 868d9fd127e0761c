"""The command that reasons: several recalls, one after the other, and the chain they make."""

from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.recalling import QueryArgument, made_ready
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine.reasoning import Evidence, Reasoning

_STOPPED = {
    "covered": "one chain covers the question",
    "nothing more": "nothing more was to be found",
    "depth": "as deep as was asked for",
    "calls": "as many questions as are asked at most",
    "time": "the time was up",
}


@command("reason", panel=Panel.USE, example='engram reason "Where does Ada\'s manager live?"')
def reason(
    call: Call,
    query: QueryArgument,
    depth: Annotated[
        int | None, typer.Option(help="Hops from memory to memory, from 1 to 5.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="At most so many memories.")
    ] = None,
    budget: Annotated[int | None, typer.Option(help="At most so many tokens of text.")] = None,
    automatic: Annotated[
        bool,
        typer.Option(
            "--automatic", help="For prompts that nobody reads first: leave out what is flagged."
        ),
    ] = False,
) -> None:
    """Answer what no single memory answers: follow what each find names."""
    from engram.surfaces.documents import reasoning_document

    with call.engram() as engram:
        made_ready(engram)
        found = engram.reason(
            query, depth=depth, limit=limit, budget=budget, automatic=automatic, scope=call.part
        )
    call.show(reasoning_document(found), lambda: _picture(found))


def _picture(found: "Reasoning") -> "RenderableType":
    notes = [styled(f"  degraded: {each}", "yellow") for each in found.degraded]
    if not found.evidence:
        return pictures.stack(styled("Nothing found.", "yellow"), *notes)
    made = pictures.table("", "label", "memory and how it was found", whole=("", "label"))
    in_chain = {each.memory.number: place for place, each in enumerate(found.chain, 1)}
    for each in found:
        place = in_chain.get(each.memory.number)
        made.add_row(
            styled(f"{place}." if place and len(found.chain) > 1 else "", "cyan"),
            styled(each.memory.label, "bold"),
            pictures.stack(
                styled(pictures.shortened(each.memory.content)), styled(_how(each), "dim")
            ),
        )
    return pictures.stack(made, *_told(found), *notes)


def _how(evidence: "Evidence") -> str:
    asked = f"step {evidence.step}: {evidence.asked}"
    return f"{asked}; by {evidence.through} of {evidence.after}" if evidence.after else asked


def _told(found: "Reasoning") -> "list[RenderableType]":
    """What it came to, in a few lines."""
    lines: list[RenderableType] = []
    if found.is_sufficient and len(found.chain) > 1:
        lines.append(styled("The numbered memories cover the question in this order.", "green"))
    if found.gaps:
        lines.append(styled(f"in no memory: {', '.join(found.gaps)}", "yellow"))
    steps = pictures.counted(len(found.steps), "question")
    why = _STOPPED.get(found.stopped, found.stopped)
    lines.append(
        styled(
            f"{found.assessment} ({found.confidence:.0%}); {steps} asked, {why}; "
            f"{found.milliseconds:.1f} ms"
        )
    )
    return lines
