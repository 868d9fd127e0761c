"""Operations on how memories hang together, and on who and what they name."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.errors import MemoryNotFound
from engram.surfaces.documents import (
    Document,
    entity_document,
    link_document,
    linked_document,
)
from engram.surfaces.knowledge_documents import beliefs_of, known_entity_document
from engram.surfaces.operations import knowledge_telling, telling
from engram.surfaces.operations.fields import Id, Limit, Name, Reason, RelationName
from engram.surfaces.operations.memories import OneMemory
from engram.surfaces.operations.operation import (
    CHANGING,
    CURATING,
    READING,
    REMOVING,
    ScopedArguments,
    operation,
)


class Relate(ScopedArguments):
    """What `relate` and `unrelate` take."""

    a: Annotated[Id, Field(description="The memory it begins at.")]
    b: Annotated[Id, Field(description="The memory it ends at.")]
    relation: RelationName = "related"
    reason: Reason = ""


@operation(
    "relate", Relate, kind=CHANGING, route="POST /links", gives="Linked", tells=telling.linked
)
def relate(engram: Engram, given: Relate) -> Document:
    """Relate one memory to another: a supports b, a caused_by b, or a name of your own."""
    found = engram.relate(given.a, given.b, given.relation, reason=given.reason, scope=given.part)
    return linked_document(found)


@operation(
    "unrelate", Relate, kind=REMOVING, route="DELETE /links", gives="Linked",
    tells=telling.unlinked,
)  # fmt: skip
def unrelate(engram: Engram, given: Relate) -> Document:
    """Take back that one memory is related to another; `undo` does so by the change's id."""
    link = (given.a, given.b, given.relation)
    return linked_document(engram.unrelate(link, reason=given.reason, scope=given.part))


class Links(OneMemory):
    """What `links` takes."""

    limit: Limit = 100


@operation(
    "links", Links, kind=READING, route="GET /memories/{memory_id}/links", gives="Links",
    tells=telling.links,
)  # fmt: skip
def links(engram: Engram, given: Links) -> Document:
    """What a memory is related to, and what to it."""
    found = engram.links(given.memory_id, limit=given.limit, scope=given.part)
    return {"links": [link_document(link) for link in found]}


class Entities(ScopedArguments):
    """What `entities` takes."""

    limit: Limit = 100


@operation(
    "entities", Entities, kind=READING, route="GET /entities", gives="Entities",
    tells=telling.entities,
)  # fmt: skip
def entities(engram: Engram, given: Entities) -> Document:
    """Everybody and everything that memories name, the most named first."""
    found = engram.entities(limit=given.limit, scope=given.part)
    return {"entities": [entity_document(entity) for entity in found]}


class OneEntity(ScopedArguments):
    """What `entity` takes."""

    name: Name
    limit: Limit = 100


@operation(
    "entity", OneEntity, kind=READING, route="GET /entities/{name}", gives="Profile",
    tells=knowledge_telling.known_entity,
)  # fmt: skip
def entity(engram: Engram, given: OneEntity) -> Document:
    """What is known of somebody or something: names, memories, who is beside, what is believed."""
    found = engram.entity(given.name, limit=given.limit, scope=given.part)
    if found is None:
        raise MemoryNotFound(hint="No memory you can see names this.")
    beliefs = beliefs_of(engram, found, limit=given.limit, scope=given.part)
    return known_entity_document(found, beliefs)


class MergeEntities(ScopedArguments):
    """What `merge_entities` takes."""

    name: Name
    into: Name
    reason: Reason = ""


@operation(
    "merge_entities", MergeEntities, kind=CURATING, route="POST /entities/merge", gives="Renamed",
    tells=telling.renamed,
)  # fmt: skip
def merge_entities(engram: Engram, given: MergeEntities) -> Document:
    """Say that two names mean the same; the change can be undone."""
    change = engram.merge_entities(given.name, given.into, reason=given.reason, scope=given.part)
    return {"change_id": change}


class SplitEntity(ScopedArguments):
    """What `split_entity` takes."""

    name: Name
    reason: Reason = ""


@operation(
    "split_entity", SplitEntity, kind=CURATING, route="POST /entities/split", gives="Renamed",
    tells=telling.renamed,
)  # fmt: skip
def split_entity(engram: Engram, given: SplitEntity) -> Document:
    """Say that a name is somebody or something of its own; the change can be undone."""
    return {"change_id": engram.split_entity(given.name, reason=given.reason, scope=given.part)}
