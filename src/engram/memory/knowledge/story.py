"""How a belief came to be what it is: its revisions, and the same told as a story."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engram.memory.ids import ChangeId, MemoryId


class RevisionKind(StrEnum):
    """What happened to what is believed."""

    ADDITION = "addition"
    REINFORCEMENT = "reinforcement"
    CORRECTION = "correction"
    CONTEST = "contest"
    RETRACTION = "retraction"
    UNDOING = "undoing"
    RESTORATION = "restoration"  # an undo by which it stands as before


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One step in the history of a belief: when, who, what, why."""

    kind: RevisionKind
    at: datetime
    actor: str
    statement: str
    object: str
    reason: str
    memory_id: MemoryId
    change_id: ChangeId


_TOLD = {
    RevisionKind.ADDITION: "learnt",
    RevisionKind.REINFORCEMENT: "said again",
    RevisionKind.CORRECTION: "corrected to",
    RevisionKind.CONTEST: "contested by",
    RevisionKind.RETRACTION: "withdrawn",
    RevisionKind.UNDOING: "taken back",
    RevisionKind.RESTORATION: "restored",
}


def story(revisions: Sequence[Revision]) -> str:
    """The revisions as lines that can be read from the first to the last."""
    return "\n".join(_line(each) for each in revisions)


def _line(revision: Revision) -> str:
    why = f" ({revision.reason})" if revision.reason else ""
    day = f"{revision.at:%Y-%m-%d %H:%M}"
    return f"{day}  {_TOLD[revision.kind]}: {revision.statement}  by {revision.actor}{why}"
