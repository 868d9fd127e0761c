"""The commands that reason over several memories, and that brief a tool with some."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.json_given import read_json
from engram.surfaces.cli.recalling import QueryArgument, made_ready
from engram.surfaces.cli.terminal import safe, styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine.reasoning import Evidence, Reasoning

_LINE = 2  # memories that make one
_STOPPED = {
    "covered": "one chain covers the question",
    "nothing more": "nothing more was to be found",
    "depth": "as deep as is allowed",
    "calls": "as many questions as are asked at most",
    "tokens": "as many tokens as the model may take",
    "time": "the time was up",
}


@command("reason", panel=Panel.USE, example='engram reason "Where does Ada\'s manager live?"')
def reason(
    call: Call,
    query: QueryArgument,
    depth: Annotated[int | None, typer.Option(help="Steps from find to find, from 1 to 5.")] = None,
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
    use_model: Annotated[
        bool | None,
        typer.Option("--model/--no-model", help="Let the language model that is set answer."),
    ] = None,
    calls: Annotated[
        int | None, typer.Option(help="Calls of the model at most, from 1 to 15.")
    ] = None,
    tokens: Annotated[
        int | None, typer.Option(help="Tokens that the model may take, 4000 or more.")
    ] = None,
) -> None:
    """Answer what no single memory answers: follow what each find names."""
    from engram.surfaces.documents import reasoning_document

    with call.engram() as engram:
        made_ready(engram)
        found = engram.reason(
            query, depth=depth, limit=limit, budget=budget, automatic=automatic, scope=call.part,
            use_model=use_model, calls=calls, tokens=tokens,
        )  # fmt: skip
    call.show(reasoning_document(found), lambda: _picture(found))


def _picture(found: "Reasoning") -> "RenderableType":
    notes = [styled(f"  degraded: {each}", "yellow") for each in found.degraded]
    if not found.evidence:
        return pictures.stack(styled("Nothing found.", "yellow"), *notes)
    made = pictures.table("", "label", "memory and how it was found", whole=("", "label"))
    places = _places(found)
    # Read from the top: what leads from one to the next, then the rest as it was found.
    for each in sorted(found, key=lambda each: places.get(each.memory.number, len(places) + 1)):
        place = places.get(each.memory.number)
        how = [styled(_how(each), "dim")] if len(found.steps) > 1 else []
        made.add_row(
            styled(f"{place}." if place else "", "cyan"),
            styled(each.memory.label, "bold"),
            pictures.stack(styled(pictures.shortened(each.memory.content)), *how),
        )
    return pictures.stack(*_answer(found), made, *_trace(found), *_told(found), *notes)


def _places(found: "Reasoning") -> dict[int, int]:
    """The place of each memory in the line that covers the question; empty where none does."""
    if not found.is_sufficient or len(found.chain) < _LINE:
        return {}
    together = {word for each in found.chain for word in each.covers}
    if found.model is None and not together.issuperset(
        word for each in found for word in each.covers
    ):
        return {}  # several cover it side by side, and none leads to the other
    shown = {each.memory.number for each in found}
    line = [each.memory.number for each in found.chain if each.memory.number in shown]
    return {number: place for place, number in enumerate(line, 1)}


def _answer(found: "Reasoning") -> "list[RenderableType]":
    """What the model says, each sentence with the memories that carry it."""
    return [
        pictures.stack(styled(each.text, "bold"), styled(f"  {', '.join(each.memories)}", "dim"))
        for each in found.answer
    ]


def _trace(found: "Reasoning") -> "list[RenderableType]":
    """What was done step by step; one question that was recalled once needs no telling."""
    if len(found.steps) == 1:
        return []
    lines: list[RenderableType] = []
    for step in found.steps:
        taken = f"{step.tokens:,} tokens" if step.calls else f"{step.found} found"
        about = step.detail or step.query
        shown = pictures.shortened(f"{step.kind.replace('_', '-')}: {about}")
        lines.append(styled(f"{'  ' * (step.depth + 1)}{step.number} {shown} ({taken})", "dim"))
    return lines


def _how(evidence: "Evidence") -> str:
    step = f"step {evidence.step}"
    return f"{step}, by {evidence.through} of {evidence.after}" if evidence.after else step


def _told(found: "Reasoning") -> "list[RenderableType]":
    """What it came to, in a few lines."""
    lines: list[RenderableType] = []
    if _places(found):
        lines.append(styled("The numbered memories cover the question in this order.", "green"))
    if found.gaps:
        where = "missing" if found.model else "in nothing found"
        lines.append(styled(f"{where}: {', '.join(found.gaps)}", "yellow"))
    questions = ("recall", "sub_question")
    steps = pictures.counted(sum(step.kind in questions for step in found.steps), "question")
    if found.calls:
        asked = pictures.counted(found.calls, "call")
        steps = f"{steps}, {asked} of {found.model or 'the model'}, {found.tokens:,} tokens"
    if found.dropped:
        lines.append(styled(f"dropped, as no memory says so: {found.dropped}", "yellow"))
    why = _STOPPED.get(found.stopped, found.stopped)
    lines.append(
        styled(
            f"{found.assessment} ({found.confidence:.0%}); {steps}; {why}; "
            f"{found.milliseconds:.1f} ms"
        )
    )
    return lines


@command(
    "tool-context",
    panel=Panel.USE,
    example='engram tool-context create_issue --arguments \'{"repository": "acme/billing"}\'',
)
def tool_context(
    call: Call,
    tool: Annotated[str, typer.Argument(help="The tool's name.")],
    arguments: Annotated[
        str | None,
        typer.Option(metavar="JSON", help="What it is called with; - reads it from a pipe."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Read the arguments from there.")
    ] = None,
    budget: Annotated[int, typer.Option(help="At most so many tokens.")] = 400,
) -> None:
    """Tell what is known about a tool's arguments, as a block for a prompt."""
    from engram.surfaces.documents import tool_context_document

    given = read_json(arguments, file, name="arguments") if arguments or file else {}
    if not isinstance(given, dict):
        raise InvalidInput(hint="`arguments` is a JSON object.")
    with call.engram() as engram:
        made_ready(engram)
        found = engram.tool_context(tool, given, budget=budget, scope=call.part)
    if call.json:
        call.show(tool_context_document(found), lambda: "")
    else:
        # In its own lines: what goes into a prompt is not broken to the width of a terminal.
        typer.echo(safe(found.text) if found.text else "Nothing known.")
