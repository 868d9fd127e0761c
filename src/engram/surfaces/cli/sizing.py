"""The commands that say how much fits: what models can take, and what a text takes."""

from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.piping import piped
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine.sizing import LanguageModelLimits, TokenCount


@command("models", panel=Panel.LOOK, example="engram models gpt-4o")
def models(
    call: Call,
    name: Annotated[
        str | None, typer.Argument(help="One model; without it, all that are known.")
    ] = None,
) -> None:
    """Show what language models can take: window, longest answer, tokenizer."""
    from engram.surfaces.sizing_documents import model_document, models_document

    with call.engram() as engram:
        found = engram.models() if name is None else [engram.model(name)]
    document = models_document(found) if name is None else model_document(found[0])
    call.show(document, lambda: _models(found))


def _models(found: "list[LanguageModelLimits]") -> "RenderableType":
    made = pictures.table(
        "model", "window", "output", "can", "counted as", whole=("window", "output")
    )
    for each in found:
        gifts = {"tools": each.has_tools, "vision": each.has_vision, "thinking": each.has_thinking}
        made.add_row(
            styled(each.name),
            styled(f"{each.window:,}"),
            styled(f"{each.output:,}"),
            styled(" ".join(name for name, is_there in gifts.items() if is_there)),
            styled(each.tokenizer),
        )
    notices = (styled(each.notice, "yellow") for each in found if each.notice)
    return pictures.stack(made, *notices)


@command("tokens", panel=Panel.LOOK, example='engram tokens "How long is this?" --model gpt-4o')
def tokens(
    call: Call,
    text: Annotated[
        list[str] | None, typer.Argument(help="The text; - or nothing reads it from a pipe.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Whose tokens; without it, as all budgets count."),
    ] = None,
) -> None:
    """Count what a text takes in a model's window."""
    from engram.surfaces.sizing_documents import token_count_document

    counted = " ".join(text) if text and text != ["-"] else piped()
    with call.engram() as engram:
        found = engram.count_tokens(counted, model=model)
    call.show(token_count_document(found), lambda: _count(found))


def _count(found: "TokenCount") -> "RenderableType":
    worth = "exactly" if found.is_exact else "by estimate"
    return styled(f"{pictures.counted(found.tokens, 'token')}, {worth} ({found.counter})")
