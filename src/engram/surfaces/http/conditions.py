"""Conditional requests: a memory's entity tag, and changes only to the state that was read.

The tag names the change that made the present state, and a digest of all that is shown of it: uses
are counted without a change.
"""

import hashlib
import json
import re
from dataclasses import dataclass

from engram.engine.core import FindMemory
from engram.errors import MemoryChanged
from engram.surfaces.documents import Document
from engram.surfaces.http.routing import Asked
from engram.surfaces.operations import Operation

_ID = "memory_id"
MADE = "Outcome"  # the shape that tells of a memory which may be there since just now
TAGGED = frozenset({"Memory", "Changed", MADE})  # shapes that tell of one memory
_STORED = ("stored", "held")
_TAG = re.compile(r'(W/)?("[!#-~]{0,100}")')


def etag_of(operation: Operation, made: Document) -> str:
    """The tag of the one memory that an answer tells of; empty when it tells of something else."""
    memory = made if operation.gives == "Memory" else made.get("memory")
    if operation.gives not in TAGGED or not isinstance(memory, dict):
        return ""
    if operation.gives == MADE and made.get("kind") not in _STORED:
        return ""
    text = json.dumps(memory, sort_keys=True)
    return f'"{memory["change_id"]}.{hashlib.sha256(text.encode()).hexdigest()[:16]}"'


def _change_of(tag: str) -> str:
    """The change that a tag tells of. What is only counted may have gone on: no state is lost."""
    return tag.strip('"').rpartition(".")[0]


def is_known_already(asked: Asked, tag: str) -> bool:
    """Whether the caller holds this very state; compared weakly, as for reads it should be."""
    wanted = asked.header("if-none-match")
    return bool(wanted) and (wanted.strip() == "*" or tag in {each for _, each in _tags(wanted)})


@dataclass(frozen=True, slots=True)
class Condition:
    """A change is wanted only of one state of a memory."""

    memory_id: str
    tags: frozenset[str]

    def check(self, find: FindMemory) -> None:
        """Refuse when the memory is in another state; where there is none, the change says so."""
        memory = find(self.memory_id)
        is_any = memory is None or "*" in self.tags
        if memory is not None and not is_any and memory.change_id not in map(_change_of, self.tags):
            raise MemoryChanged


def condition_of(operation: Operation, asked: Asked) -> Condition | None:
    """The condition a change was sent with, if any; weak tags never match."""
    wanted = asked.header("if-match")
    if not wanted or operation.method == "GET" or _ID not in asked.names:
        return None
    is_any = wanted.strip() == "*"
    tags = {"*"} if is_any else {tag for weak, tag in _tags(wanted) if not weak}
    return Condition(asked.names[_ID], frozenset(tags))


def _tags(header: str) -> list[tuple[str, str]]:
    """The tags in a header, and whether each is weak; what is no tag matches nothing."""
    return _TAG.findall(header)
