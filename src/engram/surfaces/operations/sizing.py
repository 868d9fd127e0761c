"""Operations on how much fits: what a model can take, and what a text takes."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.surfaces.documents import Document
from engram.surfaces.operations import sizing_telling
from engram.surfaces.operations.fields import Text
from engram.surfaces.operations.operation import READING, Arguments, operation
from engram.surfaces.sizing_documents import model_document, models_document, token_count_document

_NAME = Field(
    min_length=1,
    max_length=200,
    pattern=r"\S",
    description="As gpt-4o or anthropic/claude-opus-4.6.",
)


class Model(Arguments):
    """What `model` takes."""

    name: Annotated[str, _NAME]


@operation(
    "model", Model, kind=READING, route="GET /model", gives="Model", tells=sizing_telling.model
)
def model(engram: Engram, given: Model) -> Document:
    """What a language model can take: window, longest answer, tools, tokenizer."""
    return model_document(engram.model(given.name))


class Models(Arguments):
    """What `models` takes: nothing."""


@operation("models", Models, kind=READING, route="GET /models", gives="Models")
def models(engram: Engram, given: Models) -> Document:  # noqa: ARG001  # it takes nothing
    """The language models that are known, those of the settings first."""
    return models_document(engram.models())


class CountTokens(Arguments):
    """What `count_tokens` takes."""

    text: Text
    model: Annotated[
        Annotated[str, _NAME] | None,
        Field(description="Without one, by the estimate that all budgets go by."),
    ] = None


@operation(
    "count_tokens", CountTokens, kind=READING, route="POST /tokens", gives="TokenCount",
    tells=sizing_telling.count_tokens,
)  # fmt: skip
def count_tokens(engram: Engram, given: CountTokens) -> Document:
    """What a text takes in a model's window, and whether that is exact."""
    return token_count_document(engram.count_tokens(given.text, model=given.model))
