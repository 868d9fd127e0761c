"""The short tool sets: ten tools under the names agents know, each an operation in other words."""

import dataclasses
from collections.abc import Callable
from typing import Annotated, Literal, cast

from pydantic import Field

from engram.engine import Engram
from engram.errors import InvalidInput
from engram.surfaces.documents import Document
from engram.surfaces.mcp import briefs
from engram.surfaces.mcp.briefs import Brief
from engram.surfaces.mcp.tool import Tool
from engram.surfaces.operations import OPERATIONS, Arguments, Progress
from engram.surfaces.operations.fields import CategoryName, Id, Label, Query, Reason, Share, Text
from engram.surfaces.operations.memories import placed

_Limit = Annotated[int, Field(ge=1, le=100)]
_Translate = Callable[[Arguments], dict[str, object]]


class RememberFact(Arguments):
    """What the tool `remember` of the minimal set takes."""

    fact: Annotated[Text, Field(description="One statement, as 'I prefer pnpm'")] | None = None
    text: Annotated[Text, Field(description="The same as fact")] | None = None
    category: CategoryName | None = None
    confidence: Share | None = None

    @property
    def statement(self) -> str:
        """What is to be kept; said once."""
        if (self.fact is None) == (self.text is None):
            raise InvalidInput(hint="Give `fact`, or `text`, and not both.")
        return self.fact or self.text or ""


class RecallQuery(Arguments):
    """What the tool `recall` of the minimal set takes."""

    query: Query
    limit: _Limit = 10


class MemoryStore(Arguments):
    """What `memory_store` takes."""

    content: Annotated[Text, Field(description="The fact, preference or instruction")]
    category: CategoryName | None = None
    importance: Annotated[Share, Field(description="0 trivial … 1 critical")] | None = None


class MemorySearch(RecallQuery):
    """What `memory_search` takes."""


class MemoryUpdate(Arguments):
    """What `memory_update` takes."""

    id: Id
    content: Text
    reason: Reason = ""


class MemoryDelete(Arguments):
    """What `memory_delete` takes."""

    id: Id
    reason: Reason = ""


class MemoryList(Arguments):
    """What `memory_list` takes."""

    category: CategoryName | None = None
    limit: _Limit = 10
    before: Label | None = None


class MemoryFeedback(Arguments):
    """What `memory_feedback` takes."""

    id: Id
    helpful: bool
    query: Annotated[Query, Field(description="What it was found for")] | None = None
    reason: Reason = ""


class MemoryRelate(Arguments):
    """What `memory_relate` takes."""

    source_id: Id
    target_id: Id
    relationship: Literal["supports", "contradicts", "caused_by", "related_to"] = "related_to"


class MemoryReason(Arguments):
    """What `memory_reason` takes."""

    query: Query
    depth: Annotated[int, Field(ge=1, le=5, description="Steps at most")] | None = None
    limit: _Limit = 10


def _named(**names: str) -> _Translate:
    """The same values under the names that an operation knows; what was left out stays out."""

    def translate(given: Arguments) -> dict[str, object]:
        values = given.model_dump(exclude_none=True)
        return {names.get(name, name): value for name, value in values.items()}

    return translate


def _fact(given: Arguments) -> dict[str, object]:
    fact = cast("RememberFact", given)
    values = fact.model_dump(exclude_none=True, exclude={"fact", "text"})
    return {"text": fact.statement, **values}


def _tool(
    name: str,
    takes: type[Arguments],
    description: str,
    *,
    does: str,
    given: _Translate,
    brief: Brief,
    is_additive: bool = False,
) -> Tool:
    """One tool: an operation that is called with other names and gives back less."""
    meant = OPERATIONS[does]

    def run(engram: Engram, arguments: Arguments, progress: Progress) -> Document:
        translated = meant.takes.model_validate(given(arguments))
        return meant.run(engram, placed(engram, translated), progress)

    spoken = dataclasses.replace(meant, name=name, takes=takes, run=run, summary=description)
    return Tool(spoken, brief, is_additive=is_additive)


def minimal_tools() -> list[Tool]:
    """Two tools for small models and short contexts."""
    return [
        _tool(
            "remember", RememberFact, "Keep one fact for later sessions.",
            does="remember", given=_fact, brief=briefs.outcome,
        ),
        _tool(
            "recall", RecallQuery, "Find what is known about a question.",
            does="recall", given=_named(), brief=briefs.hits,
        ),
    ]  # fmt: skip


def standard_tools() -> list[Tool]:
    """The eight tools of the default set."""
    return [
        _tool(
            "memory_store", MemoryStore,
            "Store a fact, preference or instruction in long-term memory",
            does="remember", given=_named(content="text"), brief=briefs.outcome,
        ),
        _tool(
            "memory_search", MemorySearch, "Search memory; best first, with how sure it is",
            does="recall", given=_named(), brief=briefs.hits,
        ),
        _tool(
            "memory_update", MemoryUpdate, "Correct a memory's wording; the old one is kept",
            does="revise", given=_named(id="memory_id", content="text"), brief=briefs.changed,
        ),
        _tool(
            "memory_delete", MemoryDelete,
            "Archive an obsolete or wrong memory; it can be brought back",
            does="forget", given=_named(id="memory_id"), brief=briefs.changed,
        ),
        _tool(
            "memory_list", MemoryList, "List memories, newest first",
            does="list", given=_named(), brief=briefs.memories,
        ),
        _tool(
            "memory_feedback", MemoryFeedback, "Say whether a memory helped",
            does="feedback", given=_named(id="memory_id"), brief=briefs.judged,
            is_additive=True,
        ),
        _tool(
            "memory_relate", MemoryRelate, "Relate one memory to another",
            does="relate",
            given=_named(source_id="a", target_id="b", relationship="relation"),
            brief=briefs.whole,
            is_additive=True,
        ),
        _tool(
            "memory_reason", MemoryReason,
            "Recall in steps: what a find names is asked for in turn",
            does="reason",
            given=_named(), brief=briefs.whole,
        ),
    ]  # fmt: skip
