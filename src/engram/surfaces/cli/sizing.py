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

    from engram.engine.sizing import LanguageModelLimits, Sizes, TokenCount


@command("models", panel=Panel.LOOK, example="engram models gpt-4o")
def models(
    call: Call,
    name: Annotated[
        str | None,
        typer.Argument(help="One model, or a part of its name; without it, all that are known."),
    ] = None,
) -> None:
    """Show what language models can take: window, longest answer, tokenizer."""
    from engram.surfaces.sizing_documents import model_document, models_document

    sizes = _sizes(call)
    if name is None:
        every = sizes.models()
        call.show(models_document(every), lambda: _models(every))
        return
    found = sizes.model(name)
    # Whoever types a part of a name wants to see the whole ones.
    matching = [] if found.is_known else sizes.matching(name)
    document = {**model_document(found), "matching": list(map(model_document, matching))}
    call.show(document, lambda: _matching(matching) if matching else _models([found]))


def _sizes(call: Call) -> "Sizes":
    """What the settings say, whether there is a store or not, and whether or not it is locked."""
    from engram.engine.sizing import Sizes
    from engram.settings import LiveSettings

    file = call.folder / "config.toml" if call.is_folder else None
    return Sizes(LiveSettings(file).current.models)


def _matching(found: "list[LanguageModelLimits]") -> "RenderableType":
    told = "No model has just this name; these have it in theirs."
    return pictures.stack(_models(found), styled(told, "yellow"))


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
    found = _sizes(call).count_tokens(counted, model=model)
    call.show(token_count_document(found), lambda: _count(found))


def _count(found: "TokenCount") -> "RenderableType":
    worth = "exactly" if found.is_exact else "by estimate"
    return styled(f"{pictures.counted(found.tokens, 'token')}, {worth} ({found.counter})")
