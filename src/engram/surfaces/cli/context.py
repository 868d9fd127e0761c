"""The command that shows what would go into a model's window."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.json_given import read_json_list
from engram.surfaces.cli.piping import piped
from engram.surfaces.cli.recalling import made_ready
from engram.surfaces.cli.terminal import safe, styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine.contexts import Context

_SHAPES = ("openai", "anthropic")


@command("context", panel=Panel.USE, example='engram context "When do we deploy?" --model gpt-4o')
def context(
    call: Call,
    message: Annotated[
        str, typer.Argument(help="What the model is to answer; - reads it from a pipe.")
    ],
    model: Annotated[
        str,
        typer.Option(metavar="NAME", help="The model that answers; tokens are counted its way."),
    ],
    budget: Annotated[
        int | None, typer.Option(metavar="N", help="Tokens of the whole prompt at most.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="NAME", help="Count in what is in mind there.")
    ] = None,
    system: Annotated[str | None, typer.Option(metavar="TEXT", help="The system prompt.")] = None,
    mode: Annotated[
        str | None,
        typer.Option(metavar="MODE", help="How much: automatic, minimal, standard or deep."),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="The messages before it: JSON, or one a line."),
    ] = None,
    tools: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="The schemas of tools to keep room for: JSON."),
    ] = None,
    messages: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", help="Print the messages: openai or anthropic."),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print the prompt as one text.")] = False,
) -> None:
    """Show what would go into a model's window, section by section."""
    from engram.surfaces.context_documents import context_document

    if messages is not None and messages not in _SHAPES:
        raise InvalidInput(hint="`--messages` is openai or anthropic.")
    asked = piped() if message == "-" else message
    said: list[dict[str, object]] = [
        *_objects(history, "history"),
        {"role": "user", "content": asked},
    ]
    with call.engram() as engram:
        made_ready(engram)
        made = engram.context(
            said, model=model, budget=budget, session=session, system=system, mode=mode,
            tools=_objects(tools, "tools"), with_questions=False, scope=call.part,
        )  # fmt: skip
    if messages is not None:
        _print_messages(made, messages)
    elif text and not call.json:
        # In its own lines: what goes into a prompt is not broken to the width of a terminal.
        typer.echo(safe(made.text))
    else:
        call.show(context_document(made), lambda: _picture(made))


def _objects(path: Path | None, name: str) -> list[dict[str, object]]:
    if path is None:
        return []
    found = read_json_list(None, path, name=name)
    if not all(isinstance(each, dict) for each in found):
        raise InvalidInput(hint=f"Each entry of `--{name}` is a JSON object.")
    return [each for each in found if isinstance(each, dict)]


def _print_messages(made: "Context", shape: str) -> None:
    import json

    document: object = made.messages(shape)
    if shape == "anthropic":
        document = {"system": made.system, "messages": document}
    typer.echo(json.dumps(document, ensure_ascii=True, indent=2))


def _picture(made: "Context") -> "RenderableType":
    table = pictures.table("section", "tokens", "room", "begins", whole=("tokens", "room"))
    for each in made.sections:
        beginning = pictures.shortened(" ".join(each.text.split()))
        table.add_row(
            styled(each.name), styled(f"{each.tokens:,}"), styled(f"{each.room:,}"),
            styled(beginning, "dim"),
        )  # fmt: skip
    memories = pictures.counted(len(made.memories), "memory", "memories")
    told = f"{made.tokens:,} of {made.budget:,} tokens ({made.counted_by}); {memories}"
    if made.left_out:
        told += f", {made.left_out} found and left out"
    lines = [styled(told), *(styled(each, "yellow") for each in made.notes)]
    if made.model is not None and made.model.notice:
        lines.append(styled(made.model.notice, "yellow"))
    lines += [styled(f"without {each}", "yellow") for each in made.degraded]
    return pictures.stack(table, *lines)
