"""What happened to memories, by whom and why: changes that can be undone, and their audit."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engram.errors import InvalidInput
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.record import Memory
from engram.memory.vocabulary import Status


class Action(StrEnum):
    """Everything that can be done to memories, and that the audit can therefore tell."""

    REMEMBER = "remember"
    OBSERVE = "observe"
    LEARN = "learn"
    CONFIRM = "confirm"
    REVISE = "revise"
    FORGET = "forget"
    SUPERSEDE = "supersede"
    SET_STATUS = "set_status"
    APPROVE = "approve"
    REJECT = "reject"
    VERIFY = "verify"
    PIN = "pin"
    UNPIN = "unpin"
    PROMOTE = "promote"
    DEMOTE = "demote"
    UNDO = "undo"
    FEEDBACK = "feedback"
    RELATE = "relate"
    UNRELATE = "unrelate"
    RENAME = "rename"
    # episodes, knowledge and skills
    BEGIN_EPISODE = "begin_episode"
    ADD_EVENTS = "add_events"
    END_EPISODE = "end_episode"
    RECORD_EPISODE = "record_episode"
    LEARN_FACT = "learn_fact"
    RETRACT = "retract"
    ADD_SKILL = "add_skill"
    REVISE_SKILL = "revise_skill"
    RUN_SKILL = "run_skill"
    RETIRE_SKILL = "retire_skill"
    CONSOLIDATE = "consolidate"
    # while nobody asks
    DREAM = "dream"
    EXPIRE = "expire"
    ARCHIVE = "archive"
    MERGE = "merge"
    DERIVE = "derive"
    INFER = "infer"
    INVALIDATE = "invalidate"
    CHALLENGE = "challenge"
    REHEARSE = "rehearse"
    KEEP_ARTEFACT = "keep_artefact"
    PRUNE = "prune"
    # reads
    GET = "get"
    LIST = "list"
    RECALL = "recall"
    REASON = "reason"
    TIMELINE = "timeline"
    WHY = "why"
    HISTORY = "history"
    LINKS = "links"
    AUDIT = "audit"
    # the store as a whole
    BACKUP = "backup"
    RESTORE = "restore"
    REPAIR = "repair"
    ENCRYPT = "encrypt"
    CONFIGURE = "configure"
    # the vault
    ERASE = "erase"
    EXPORT = "export"
    IMPORT = "import"
    UNSEAL = "unseal"
    RENEW_KEYS = "renew_keys"
    TIER = "tier"
    SECURITY = "security"
    # who is let in, and where news go
    ISSUE_KEY = "issue_key"
    ROTATE_KEY = "rotate_key"
    REVOKE_KEY = "revoke_key"
    ADD_WEBHOOK = "add_webhook"
    END_WEBHOOK = "end_webhook"


def parse_action(value: str) -> str:
    """The name of an action, or a refusal that lists them."""
    try:
        return Action(value).value
    except ValueError:
        raise InvalidInput(hint=f"Action is one of: {', '.join(Action)}.") from None


@dataclass(frozen=True, slots=True)
class Change:
    """One decision that altered the store, with what is needed to tell and to undo it."""

    id: ChangeId
    action: Action
    at: datetime
    actor: str
    scope: str
    reason: str
    undoes: ChangeId | None = None
    undone_by: ChangeId | None = None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One state of a memory together with the change that made it."""

    memory: Memory
    change: Change


@dataclass(frozen=True, slots=True)
class StatusMove:
    """One step of a memory from a status to another."""

    old: Status | None  # None: the memory was made, or came back
    new: Status | None  # None: its making was undone
    reason: str
    actor: str
    at: datetime
    change_id: ChangeId


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the audit: ids and keyed hashes, never text."""

    sequence: int
    at: datetime
    actor: str
    action: str
    memory_id: MemoryId | None
    change_id: ChangeId | None
    scope: str
    count: int
    digest: str
    entry_hash: str


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    """Whether the chain of audit entries is whole, and its head to note down elsewhere."""

    is_intact: bool
    entries: int
    head: str
    problem: str = ""
    pruned: int = 0  # entries, from the first, that were let go by policy; they count above
    kept: int = 0  # how many of them a head outside the database vouches for
    restored_at: datetime | None = None  # when a backup last took the database's place


@dataclass(frozen=True, slots=True)
class AuditHead:
    """How long the audit is and what it ends with: noted elsewhere, it dates all before it."""

    entries: int
    head: str

    @property
    def text(self) -> str:
        """As people write it down, and as `verify_audit` takes it back."""
        return f"{self.entries}:{self.head}"


_HEAD = re.compile(r"(\d{1,18}):([0-9a-f]{64})?", re.ASCII)


def parse_head(text: str) -> AuditHead:
    """Read a head that was noted down."""
    match = _HEAD.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None or bool(int(match[1])) != bool(match[2]):
        raise InvalidInput(hint="A head is written ENTRIES:HASH, as `engram audit --head` says it.")
    return AuditHead(int(match[1]), match[2] or "")


def status_moves(entries: list[HistoryEntry], ending: Change | None = None) -> list[StatusMove]:
    """The statuses a memory went through, oldest first, read off its states.

    The ending is the change that took the last state away, as when a remember was undone.
    """
    moves: list[StatusMove] = []
    previous: Status | None = None
    for entry in entries:
        if entry.memory.status is not previous:
            change = entry.change
            moves.append(
                StatusMove(
                    previous, entry.memory.status, change.reason, change.actor, change.at, change.id
                )
            )
        previous = entry.memory.status
    if ending is not None:
        moves.append(StatusMove(previous, None, ending.reason, ending.actor, ending.at, ending.id))
    return moves
