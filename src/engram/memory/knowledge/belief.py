"""Who and what is known, and one belief about them, as they are read."""

from dataclasses import dataclass
from enum import StrEnum

from engram.errors import InvalidInput
from engram.memory.ids import MemoryId
from engram.memory.jsons import Json
from engram.memory.knowledge.epistemic import Epistemic, strength
from engram.memory.record import Memory
from engram.memory.scopes import Scope


class NodeType(StrEnum):
    """What somebody or something is; any other name is a caller's own."""

    PERSON = "person"
    ORGANIZATION = "organization"
    PLACE = "place"
    EVENT = "event"
    DOCUMENT = "document"
    TOOL = "tool"
    CONCEPT = "concept"
    CATEGORY = "category"
    SKILL = "skill"
    GOAL = "goal"
    USER = "user"
    AGENT = "agent"
    TASK = "task"
    PROJECT = "project"


def read_type(value: object, *, is_custom: bool = False) -> str:
    """A type of node; one of the caller's own only when that is said."""
    if isinstance(value, str) and value in set(NodeType):
        return value
    if is_custom and isinstance(value, str) and value.isidentifier() and len(value) <= 40:
        return value.lower()
    hint = f"A type is one of: {', '.join(NodeType)}; of your own with `custom=True`."
    raise InvalidInput(hint=hint)


@dataclass(frozen=True, slots=True)
class Node:
    """Somebody or something. What it is follows from what is said of it."""

    id: str
    scope: Scope
    label: str
    name: str  # the key under which other spellings are found too
    note: str = ""  # tells two of one label apart
    type: str = NodeType.CONCEPT

    @property
    def title(self) -> str:
        """The label, with what tells it apart."""
        return f"{self.label} ({self.note})" if self.note else self.label


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """One belief: the memory that tells it, and what it says of whom on which grounds.

    It has either a target or a value. `property_name` says which property the value is of.
    """

    memory: Memory
    source: Node
    relation: str
    target: Node | None = None
    property_name: str = ""
    value: Json = None
    weight: float = 1.0
    epistemic: Epistemic
    is_functional: bool = False
    is_learned: bool = True  # False: it was read off a memory's text

    @property
    def id(self) -> MemoryId:
        """The id of the memory that tells it."""
        return self.memory.id

    @property
    def strength(self) -> float:
        """How much its grounds are worth."""
        return strength(self.epistemic)

    @property
    def object(self) -> str:
        """What is said of the source, in words."""
        return self.target.title if self.target else str(self.value)
