"""What a caller may ask of memories: conditions on them, and the clocks to read them by."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engram.memory.record import MetadataValue
from engram.memory.times import FOREVER, to_micros
from engram.storage.database import Value
from engram.storage.rows import metadata_text


def record_time(known_at: datetime | None) -> int:
    """A moment of record time as queries compare it; what nobody narrows is as it is now."""
    return FOREVER if known_at is None else to_micros(known_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """The three clocks of a question: now, what was true when, and what was known when."""

    now: datetime
    as_of: datetime | None = None
    known_at: datetime | None = None

    @property
    def instant(self) -> datetime:
        """The moment at which a status is judged."""
        return self.as_of or self.known_at or self.now

    def parameters(self) -> dict[str, Value]:
        """The moments as the SQL fragments name them."""
        instant = to_micros(self.instant)
        return {
            "known_at": record_time(self.known_at),
            "instant": instant,
            "is_past": int(self.as_of is not None),
            "valid_by": FOREVER if self.as_of is None else instant,
            "valid_after": instant,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Conditions a caller may put on what is listed or recalled."""

    category: str | None = None
    layer: str | None = None
    memory_type: str | None = None
    kind: str | None = None
    subject: str | None = None
    speaker: str | None = None
    session: str | None = None
    reference: str | None = None
    source: str | None = None
    is_pinned: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    metadata: Mapping[str, MetadataValue] | None = None

    def parameters(self) -> dict[str, Value]:
        """The conditions as the SQL fragments name them."""
        return {
            "category": self.category,
            "layer": self.layer,
            "memory_type": self.memory_type,
            "kind": self.kind,
            "subject": self.subject,
            "speaker": self.speaker,
            "session": self.session,
            "reference": self.reference,
            "source": self.source,
            "is_pinned": None if self.is_pinned is None else int(self.is_pinned),
            "since": to_micros(self.since) if self.since else None,
            "until": to_micros(self.until) if self.until else None,
            "metadata": metadata_text(dict(self.metadata)) if self.metadata else None,
        }
