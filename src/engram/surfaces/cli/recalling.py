"""The commands that answer questions: recall, and why a memory was or was not recalled."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import Filters, MemoryArgument, Moments, Search

if TYPE_CHECKING:
    from engram.engine import Engram

# What was just remembered by another command is found by meaning too.
_PATIENCE_SECONDS = 1.5
_FULL = "full"  # the level of a recall by words and by meaning

ConversationOption = Annotated[
    str | None,
    typer.Option(
        "--conversation",
        metavar="SESSION",
        help="The session it is part of: what was said there tells what it means.",
    ),
]
QueryArgument = Annotated[str, typer.Argument(metavar="QUERY", help="The question, in any words.")]


@command("recall", panel=Panel.USE, example='engram recall "which package manager do I use?"')
def recall(
    call: Call,
    query: QueryArgument,
    search: Search,
    filters: Filters,
    moments: Moments,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show what each stage took and found.")
    ] = False,
    automatic: Annotated[
        bool,
        typer.Option(
            "--automatic", help="For prompts that nobody reads first: leave out what is flagged."
        ),
    ] = False,
    conversation: ConversationOption = None,
) -> None:
    """Find the memories that best answer a question, each with its reasons."""
    from engram.surfaces.documents import recall_document

    asked = {**asdict(search), **asdict(moments), "automatic": automatic}
    with call.engram() as engram:
        problem = made_ready(engram)
        result = engram.recall(
            query, filters=filters.conditions(), scope=call.part, session=conversation, **asked
        )
        elsewhere = "" if result.hits else call.elsewhere(engram)
    if result.level != _FULL and problem and not any(problem in each for each in result.degraded):
        result = replace(result, degraded=(*result.degraded, f"embedder: {problem}"))
    call.show(
        recall_document(result),
        lambda: pictures.with_hint(
            pictures.traced_hits(result) if trace else pictures.hits(result), elsewhere
        ),
    )


def made_ready(engram: "Engram") -> str:
    """Load the model and embed what waits before the recall's clock starts; or what is wrong."""
    with terminal.at_work("embedding…"):
        problem = engram.upkeep.warm()
        if not problem:  # there is no point in waiting for one that is not there
            engram.settle(_PATIENCE_SECONDS)
    return problem


@command("why", panel=Panel.USE, example='engram why "which package manager?" mem-0001')
def why(
    call: Call,
    query: QueryArgument,
    memory_id: MemoryArgument,
    search: Search,
    filters: Filters,
    moments: Moments,
    conversation: ConversationOption = None,
) -> None:
    """Explain stage by stage why a memory is or is not recalled for a question."""
    from engram.surfaces.documents import explanation_document

    asked = {**asdict(search), **asdict(moments)}
    with call.engram() as engram:
        found = engram.why(
            query,
            memory_id,
            filters=filters.conditions(),
            scope=call.part_of(engram, memory_id),
            session=conversation,
            **asked,
        )
    call.show(explanation_document(found), lambda: pictures.explanation(found))
