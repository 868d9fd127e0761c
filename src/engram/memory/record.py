"""The one record: everything Engram knows about a memory, validated when it is made."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from engram.errors import ContentTooLarge, InvalidInput
from engram.memory.categories import TURN
from engram.memory.ids import ChangeId, MemoryId, label_of
from engram.memory.scopes import Scope
from engram.memory.times import parse_horizon
from engram.memory.vocabulary import (
    Kind,
    Layer,
    LearnedBy,
    MemoryType,
    Secrecy,
    SourceClass,
    Status,
)
from engram.text.strings import SUMMARY_BYTES, checked_name, checked_text

if TYPE_CHECKING:
    from engram.memory.tiers import ContentTiers

MetadataValue = str | int | float | bool | None | list[str]
Metadata = Mapping[str, MetadataValue]

METADATA_BYTES = 8192


@dataclass(frozen=True, slots=True)
class Usage:
    """What has happened to a memory since: counts and times of events, never a decayed value."""

    accesses: int = 0
    spaced_accesses: int = 0  # a burst counts once
    last_accessed_at: datetime | None = None
    confirmations: int = 0
    last_rehearsed_at: datetime | None = None  # gone through again in a dream


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Memory:
    """One state of one memory. A change makes a new state; none is ever altered."""

    id: MemoryId
    number: int
    scope: Scope
    content: str
    category: str
    memory_type: MemoryType
    layer: Layer
    kind: Kind
    status: Status
    # where it came from
    source: str
    source_class: SourceClass
    learned_by: LearnedBy
    speaker: str | None = None
    subject: str | None = None
    session: str | None = None
    reference: str | None = None
    # how firmly it is held: immutable bases; what is derived from them is computed when read
    confidence: float
    base_importance: float
    trust: float
    valence: float = 0.0
    arousal: float = 0.0
    surprise: float | None = None
    is_pinned: bool = False
    # when it holds in the world
    at: datetime
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    # when Engram knew it
    learned_at: datetime
    last_verified_at: datetime | None = None
    horizon: str | None = None
    recorded_at: datetime
    recorded_until: datetime | None = None
    # how it hangs together
    version: int = 1
    superseded_by: MemoryId | None = None
    change_id: ChangeId
    summary: str | None = None
    metadata: Metadata = field(default_factory=dict)
    secrecy: Secrecy = Secrecy.CLEARTEXT
    identity: bytes = b""
    usage: Usage = field(default_factory=Usage)

    def __post_init__(self) -> None:
        for name in ("confidence", "base_importance", "trust", "arousal"):
            check_share(getattr(self, name), name=name)
        if not -1.0 <= self.valence <= 1.0:
            raise InvalidInput(hint="`valence` lies between -1 and 1.")
        if self.valid_from and self.valid_until and self.valid_until <= self.valid_from:
            raise InvalidInput(hint="`valid_until` must be later than `valid_from`.")

    def __repr__(self) -> str:
        # Without the text: a repr ends up in logs and tracebacks.
        return f"Memory({self.label}, {self.status}, {self.category}, {self.scope.path})"

    @property
    def label(self) -> str:
        """The short name people use: mem-0001."""
        return label_of(self.number)

    @property
    def is_vouched_for(self) -> bool:
        """Whether a person said it, or approved or verified it: then only people take it away."""
        return self.source_class is SourceClass.PERSON or self.last_verified_at is not None

    @property
    def tiers(self) -> "ContentTiers":
        """The content at four lengths, each with its cost in tokens."""
        from engram.memory.tiers import tiers

        return tiers(self.content, self.category, self.summary)

    @property
    def is_drawn(self) -> bool:
        """Whether it was drawn from turns, which are kept beside it."""
        return self.learned_by is LearnedBy.OBSERVE and self.category != TURN

    @property
    def is_current(self) -> bool:
        """Whether this is what Engram holds now, and not a past state."""
        return self.recorded_until is None

    @property
    def is_indexable(self) -> bool:
        """Whether the text may enter the text index: protected text never does."""
        return self.secrecy is Secrecy.CLEARTEXT

    @property
    def index_words(self) -> str | None:
        """What the text index may know: the text, or of a sensitive one the allowed summary."""
        if self.secrecy is Secrecy.CLEARTEXT:
            return self.content
        return self.summary or None if self.secrecy is Secrecy.SENSITIVE else None

    @property
    def is_unreadable(self) -> bool:
        """Whether the key that its text was sealed with is gone; it is then left out of answers."""
        return not self.content and self.secrecy is not Secrecy.CLEARTEXT

    def replaced(self, **changes: object) -> "Memory":
        """The same memory with some fields changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]  # checked by the class


def check_share(value: object, *, name: str) -> float:
    """A number from 0 to 1, or a refusal that names the field."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0:
        return float(value)
    raise InvalidInput(hint=f"`{name}` is a number from 0 to 1.")


def has_metadata(kept: object, wanted: MetadataValue) -> bool:
    """Whether a value is the one that is wanted, or a list with it or with all of them in it."""
    if kept == wanted or not isinstance(kept, list) or wanted is None:
        return kept == wanted
    members = wanted if isinstance(wanted, list) else [wanted]
    return bool(members) and all(each in kept for each in members)


def check_metadata(metadata: object) -> dict[str, MetadataValue]:
    """Flat, named values that can be filtered on; anything deeper is refused."""
    if not isinstance(metadata, Mapping):
        raise InvalidInput(hint="`metadata` is a dictionary of names and plain values.")
    checked: dict[str, MetadataValue] = {}
    for key, value in metadata.items():
        checked_name(key, name="metadata key")
        checked[key] = _checked_value(value)
    size = len(json.dumps(checked, ensure_ascii=False).encode())
    if size > METADATA_BYTES:
        raise ContentTooLarge(hint=f"`metadata` has {size} bytes; {METADATA_BYTES} are allowed.")
    return checked


def _checked_value(value: object) -> MetadataValue:
    if value is None or (isinstance(value, int) and abs(value) < 2**63):
        return value
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return value
    if isinstance(value, str):
        return checked_text(value, name="metadata value", max_bytes=METADATA_BYTES)
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return [
            checked_text(item, name="metadata value", max_bytes=METADATA_BYTES) for item in value
        ]
    raise InvalidInput(hint="Metadata values are text, numbers, true/false, null or lists of text.")


def check_summary(summary: object) -> str:
    """A summary short enough to stand beside its memory."""
    return checked_text(summary, name="summary", max_bytes=SUMMARY_BYTES)


def check_horizon(horizon: str | None) -> str | None:
    """A decay horizon that can be read, or None for never."""
    if horizon is not None:
        parse_horizon(horizon)
    return horizon
