"""Operations that tell what dreams have made of memories: profile, cards, topics, traces."""

from engram.engine import Engram
from engram.errors import MemoryNotFound
from engram.surfaces.documents import Document
from engram.surfaces.operations import profiles_telling
from engram.surfaces.operations.fields import Limit, Name
from engram.surfaces.operations.operation import READING, ScopedArguments, operation
from engram.surfaces.profiles_documents import (
    behaviour_document,
    card_document,
    topic_document,
    trace_document,
)


@operation(
    "profile", ScopedArguments, kind=READING, route="GET /profile", gives="Behaviour",
    tells=profiles_telling.behaviour,
)  # fmt: skip
def profile(engram: Engram, given: ScopedArguments) -> Document:
    """How the person behaves, by what people said: preferences, principles, ways of working."""
    return behaviour_document(engram.profile(scope=given.part))


class OneCard(ScopedArguments):
    """What `card` takes."""

    name: Name


@operation(
    "card", OneCard, kind=READING, route="GET /entities/{name}/card", gives="Card",
    tells=profiles_telling.card,
)  # fmt: skip
def card(engram: Engram, given: OneCard) -> Document:
    """What is known of somebody or something in a few lines, each with its memory."""
    found = engram.card(given.name, scope=given.part)
    if found is None:
        raise MemoryNotFound(hint="No memory you can see names this.")
    return card_document(found)


class Topics(ScopedArguments):
    """What `topics` takes."""

    limit: Limit = 100


@operation(
    "topics", Topics, kind=READING, route="GET /topics", gives="Topics",
    tells=profiles_telling.topics,
)  # fmt: skip
def topics(engram: Engram, given: Topics) -> Document:
    """What memories are about, the most telling first, each with the newest that tell of it."""
    found = engram.topics(limit=given.limit, scope=given.part)
    return {"topics": [topic_document(each) for each in found]}


class Traces(ScopedArguments):
    """What `traces` takes."""

    limit: Limit = 20


@operation(
    "traces", Traces, kind=READING, route="GET /traces", gives="Traces",
    tells=profiles_telling.traces,
)  # fmt: skip
def traces(engram: Engram, given: Traces) -> Document:
    """What was come back to in several talks, the latest first."""
    found = engram.traces(limit=given.limit, scope=given.part)
    return {"traces": [trace_document(each) for each in found]}
