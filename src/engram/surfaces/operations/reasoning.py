"""Operations over several memories: what follows from them together, and what happened in order."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.surfaces.documents import (
    Document,
    peak_documents,
    reasoning_document,
    timeline_document,
    tool_context_document,
)
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import Budget, Limit, Name, Query, Time
from engram.surfaces.operations.operation import (
    READING,
    Progress,
    ScopedArguments,
    long_operation,
    operation,
)

_MOST_DEPTH = 5
_MOST_CALLS = 15
_LEAST_TOKENS, _MOST_TOKENS = 4_000, 10_000_000


class Reason(ScopedArguments):
    """What `reason` takes."""

    query: Query
    depth: Annotated[int, Field(ge=1, le=_MOST_DEPTH, description="Hops at most.")] | None = None
    limit: Limit | None = None
    budget: Budget | None = None
    automatic: bool = False
    use_model: Annotated[
        bool | None, Field(description="Let a language model judge and answer, or not.")
    ] = None
    calls: Annotated[
        int | None, Field(ge=1, le=_MOST_CALLS, description="Calls of the model at most.")
    ] = None
    tokens: Annotated[
        int | None,
        Field(ge=_LEAST_TOKENS, le=_MOST_TOKENS, description="Tokens the model may take."),
    ] = None


@long_operation(
    "reason", Reason, kind=READING, route="POST /reason", gives="Reasoning",
    tells=telling.reasoning,
)  # fmt: skip
def reason(engram: Engram, given: Reason, progress: Progress) -> Document:
    """Answer a question that no single memory answers: follow what each find names."""
    found = engram.reason(
        given.query,
        depth=given.depth,
        limit=given.limit,
        budget=given.budget,
        automatic=given.automatic,
        use_model=given.use_model,
        calls=given.calls,
        tokens=given.tokens,
        progress=progress,
        scope=given.part,
    )
    return reasoning_document(found)


class ToolContext(ScopedArguments):
    """What `tool_context` takes."""

    tool: Annotated[Name, Field(description="The tool's name.")]
    arguments: Annotated[
        dict[str, object],
        Field(description="What the tool is called with; what is secret in it is not asked for."),
    ]
    budget: Annotated[
        int, Field(ge=100, le=100_000, description="The most tokens of the block.")
    ] = 400


@operation(
    "tool_context", ToolContext, kind=READING, route="POST /tool-context", gives="ToolContext",
    tells=telling.tool_context,
)  # fmt: skip
def tool_context(engram: Engram, given: ToolContext) -> Document:
    """A short block of what is known about a tool's arguments, to be read before it is called."""
    found = engram.tool_context(given.tool, given.arguments, budget=given.budget, scope=given.part)
    return tool_context_document(found)


class Timeline(ScopedArguments):
    """What `timeline` takes."""

    topic: Query
    since: Time | None = None
    until: Time | None = None
    limit: Limit = 100


@operation(
    "timeline", Timeline, kind=READING, route="POST /timeline", gives="Timeline",
    tells=telling.timeline,
)  # fmt: skip
def timeline(engram: Engram, given: Timeline) -> Document:
    """What happened around a topic, oldest first, what was replaced, and the busiest periods."""
    found = engram.timeline(
        given.topic, limit=given.limit, since=given.since, until=given.until, scope=given.part
    )
    return {
        "entries": [timeline_document(entry) for entry in found],
        "peaks": peak_documents(found),
    }
