"""Claims of texts as beliefs: which relation a predicate stands for, and what its ends are."""

from engram.memory.claims import table
from engram.memory.knowledge.belief import NodeType
from engram.memory.knowledge.relations import PROPERTY

# Only what has one value at a time, or is given up by name, is kept of texts: likes are not there.
_RELATIONS = {
    table.LIVES: "located_in",
    table.LOCATION: "located_in",
    table.WHEREABOUTS: "located_in",
    table.MOVED: "located_in",
    table.WORKS: "works_for",
    table.OWNER: "owned_by",
    table.BELONGS: "owned_by",
    table.USES: "used_by",
}
_SAID_FROM_THE_OTHER_END = frozenset({table.USES})  # who uses comes first, and the relation's last
LEADING = frozenset(_RELATIONS.values())  # the relations by which a claim leads to another node
_NODE_TYPES = {
    "person": NodeType.PERSON,
    "organization": NodeType.ORGANIZATION,
    "place": NodeType.PLACE,
    "project": NodeType.PROJECT,
    "technology": NodeType.TOOL,
    "service": NodeType.TOOL,
    "file": NodeType.DOCUMENT,
}
_VALUE_TYPES = {
    "located_in": NodeType.PLACE,
    "works_for": NodeType.ORGANIZATION,
    "used_by": NodeType.TOOL,
}
_USERS = frozenset({"user", "the user"})


def relation_of(predicate: str) -> tuple[str, str]:
    """The relation that a predicate stands for, and the property where it is one of those."""
    relation = _RELATIONS.get(predicate)
    return (PROPERTY, predicate) if relation is None else (relation, "")


def subject_type(name: str, mentioned_as: str | None) -> str:
    """What the subject of a claim is, as far as its text tells."""
    if name in _USERS:
        return NodeType.USER
    return _NODE_TYPES.get(mentioned_as or "", NodeType.CONCEPT)


def value_type(relation: str) -> str:
    """What the value of a claim is, as far as the relation tells."""
    return _VALUE_TYPES.get(relation, NodeType.CONCEPT)


def is_reversed(predicate: str) -> bool:
    """Whether the subject of a claim is the target of its relation."""
    return predicate in _SAID_FROM_THE_OTHER_END
