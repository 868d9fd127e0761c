"""The operation that puts a prompt together for a model."""

from typing import Annotated, Literal

from pydantic import Field

from engram.engine import Engram
from engram.surfaces.context_documents import context_document
from engram.surfaces.documents import Document
from engram.surfaces.operations.context_telling import context_told
from engram.surfaces.operations.fields import Name, Query, Text
from engram.surfaces.operations.operation import READING, ScopedArguments, operation

_MOST_MESSAGES = 5_000
_MOST_TOKENS = 100_000_000
_MOST_TOOLS = 1_000


class Context(ScopedArguments):
    """What `context` takes."""

    messages: Annotated[
        list[dict[str, object]],
        Field(
            min_length=1,
            max_length=_MOST_MESSAGES,
            description="The conversation, oldest first, in OpenAI's or Anthropic's format.",
        ),
    ]
    model: Annotated[Name, Field(description="The model that answers, as its provider names it.")]
    budget: Annotated[
        int | None,
        Field(ge=1, le=_MOST_TOKENS, description="Tokens of the whole prompt at most."),
    ] = None
    session: Annotated[
        Name | None, Field(description="Counts in what is in mind in this session.")
    ] = None
    system: Annotated[Text | None, Field(description="The system prompt, if not a message.")] = None
    query: Annotated[
        Query | None, Field(description="What to recall, if not the last message.")
    ] = None
    mode: Annotated[
        Literal["automatic", "minimal", "standard", "deep"] | None,
        Field(description="How much is recalled."),
    ] = None
    tools: Annotated[
        list[dict[str, object]],
        Field(
            max_length=_MOST_TOOLS,
            description="The schemas of tools sent beside it: room for them is kept free.",
        ),
    ] = Field(default_factory=list)
    shape: Annotated[
        Literal["openai", "anthropic"],
        Field(description="The format of the messages that are given back."),
    ] = "openai"


@operation(
    "context", Context, kind=READING, route="POST /context", gives="Context", tells=context_told
)
def context(engram: Engram, given: Context) -> Document:
    """The best prompt for a model that answers the last message, within its budget to the token."""
    made = engram.context(
        given.messages,
        model=given.model,
        budget=given.budget,
        session=given.session,
        system=given.system,
        query=given.query,
        mode=given.mode,
        tools=given.tools,
        with_questions=False,  # who reads must not use them up: there is an operation for them
        scope=given.part,
    )
    return context_document(made, given.shape)
