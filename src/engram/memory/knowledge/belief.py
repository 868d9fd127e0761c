"""Who and what is known, and one belief about them, as they are read."""

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import cast

from engram.errors import InvalidInput
from engram.language.names.keys import key_of
from engram.memory.ids import MemoryId
from engram.memory.jsons import Json
from engram.memory.knowledge.epistemic import Epistemic, strength
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.text.strings import checked_name

_NOTED = re.compile(r"(.*\S)\s*\(([^()]*[^()\s][^()]*)\)")
# Marks of direction, spaces without width, soft hyphens; and joiners outside of scripts that join.
_UNSEEN = re.compile(
    r"[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
    r"|(?<![^\x00-\u024f])[\u200c\u200d]"
)
_NODE_ID = re.compile(r"node-[0-9a-f]{32}")
MOST_CERTAIN = 0.99  # voices that agree make nothing certain
_DOUBT_LEFT = 2 / 3  # each further independent voice takes a third of the doubt away


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
    hint = f"A type is one of: {', '.join(NodeType)}; for one of your own say that it is `custom`."
    raise InvalidInput(hint=hint)


@dataclass(frozen=True, slots=True)
class NodeName:
    """A name as somebody said it: what it is written as, and what tells two of one name apart."""

    label: str
    note: str = ""

    @property
    def key(self) -> str:
        """One text for all ways to write this name."""
        note = " ".join(self.note.casefold().split())
        return f"{key_of(self.label)} ({note})" if note else key_of(self.label)

    @property
    def id(self) -> str:
        """The id of the node of this name."""
        return node_id(self.key)


def node_id(key: str) -> str:
    """The id of the node with this key: the same in every scope, so that one name is one node."""
    return "node-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_node_id(text: str) -> bool:
    """Whether a text is an id and not a name."""
    return _NODE_ID.fullmatch(text) is not None


def read_name(value: object, *, name: str, distinct: object = None) -> NodeName:
    """A name of somebody or something; "Alex (the plumber)" is another one than "Alex"."""
    text = _visible(checked_name(value, name=name), name)
    noted = _NOTED.fullmatch(text)
    if distinct is not None:
        note = _visible(checked_name(distinct, name="distinct"), "distinct")
        if noted or "(" in note or ")" in note:
            raise InvalidInput(hint=f"Say `distinct` without brackets, and `{name}` without note.")
        return NodeName(text, note)
    return NodeName(noted[1], noted[2].strip()) if noted else NodeName(text)


def _visible(text: str, name: str) -> str:
    """A name without marks that nobody sees, which would make somebody else of it."""
    kept = _UNSEEN.sub("", text)
    if not kept.strip():
        raise InvalidInput(hint=f"`{name}` is empty.")
    return " ".join(kept.split())


@dataclass(frozen=True, slots=True)
class Node:
    """Somebody or something. What it is follows from what is said of it."""

    id: str  # follows from the name, see node_id
    scope: Scope
    label: str
    name: str  # the key under which other spellings are found too
    note: str = ""  # tells two of one label apart
    type: str = NodeType.CONCEPT

    @property
    def title(self) -> str:
        """The label, with what tells it apart."""
        return f"{self.label} ({self.note})" if self.note else self.label


@dataclass(frozen=True, slots=True)
class Said:
    """What a belief says of its source: another node, or a value; and either in words."""

    target: str | None
    value: Json
    words: str


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
    is_learned: bool = True  # always; it told what was read off texts, which nothing is any more
    support: int = 1  # how many independent voices say so
    repeated_at: datetime | None = None  # when it was last said again

    @property
    def id(self) -> MemoryId:
        """The id of the memory that tells it."""
        return self.memory.id

    @property
    def strength(self) -> float:
        """How much its grounds are worth."""
        return strength(self.epistemic)

    @property
    def confidence(self) -> float:
        """How sure it is: as it was said, and surer for every independent voice that says so."""
        return corroborated(self.memory.confidence, self.support)

    @property
    def force(self) -> float:
        """What counts when it is held against another: its grounds times how sure it is."""
        return self.strength * self.confidence

    @property
    def said(self) -> Said:
        """What it says of its source, as it is compared."""
        return Said(self.target.id if self.target else None, self.value, self.object)

    @property
    def object(self) -> str:
        """What is said of the source, in words."""
        return self.target.title if self.target else value_text(self.value)


def corroborated(confidence: float, support: int) -> float:
    """The confidence of what several independent voices say.

    One voice, however often it speaks, leaves it as it is; each further one takes a third of the
    doubt that is left, up to 0.99.
    """
    if support <= 1:
        return confidence
    raised = 1.0 - (1.0 - confidence) * _DOUBT_LEFT ** (support - 1)
    return max(confidence, min(MOST_CERTAIN, raised))


def value_text(value: Json) -> str:
    """A value in words, as a sentence has it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return ", ".join(cast("list[str]", value))
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
