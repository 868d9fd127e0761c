"""What is in mind: one thing each, how active it is now, and what refreshing does to it.

Activation is never written down again and again: it is computed from what it was when it was last
refreshed and the time since, so looking twice fades nothing twice.
"""

import math
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from engram.language.lexicon import COMMON_WORDS
from engram.language.stems import stem
from engram.memory.ids import MemoryId
from engram.memory.working.options import WorkingOptions

SlotId = NewType("SlotId", str)

REFERRED_BOOST = 0.1  # of what the conversation mentions by the way; refreshing it says more
MATTERS_FROM = 2  # references: who comes back to a thing twice means it
_HOUR = timedelta(hours=1)
_LONGEST = 4_000  # characters that are compared
_LEAST_SHARED = 2
_SHARE = 0.5
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


class SlotSource(StrEnum):
    """Who brought something to mind."""

    USER = "user"
    ASSISTANT = "assistant"
    AGENT = "agent"
    TOOL = "tool"
    SYSTEM = "system"
    WEB = "web"
    RECALL = "recall"  # a memory that was found
    MORNING = "morning"  # a memory that a new session starts with


# The source under which something is kept that only was in mind; None: it is a memory already.
KEPT_AS: dict[SlotSource, str | None] = {
    SlotSource.USER: "user:working",
    SlotSource.ASSISTANT: "assistant:working",
    SlotSource.AGENT: "agent:working",
    SlotSource.TOOL: "result:working",
    SlotSource.SYSTEM: "import:working",
    SlotSource.WEB: "web:working",
    SlotSource.RECALL: None,
    SlotSource.MORNING: None,
}
# From the most trusted down: what is made of several is believed as far as the least of them.
_BY_TRUST = (
    SlotSource.USER, SlotSource.ASSISTANT, SlotSource.AGENT, SlotSource.TOOL, SlotSource.SYSTEM,
    SlotSource.WEB,
)  # fmt: skip


class SlotTier(StrEnum):
    """How much of a thing is in mind."""

    FULL = "full"
    SUMMARY = "summary"
    KEY_FACT = "key_fact"
    TAG = "tag"


TIERS = tuple(SlotTier)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Focus:
    """One thing in mind as it is held: what it was when last refreshed, and when that was."""

    id: SlotId
    text: str
    tokens: int
    source: SlotSource
    strength: float  # activation at `refreshed_at`
    attended_at: datetime
    refreshed_at: datetime
    references: int = 0
    tier: SlotTier = SlotTier.FULL
    memory_id: MemoryId | None = None  # the memory behind it
    is_pinned: bool = False
    is_flagged: bool = False

    def __repr__(self) -> str:
        # Without the text: a repr ends up in logs and tracebacks.
        return f"Focus({self.id}, {self.source}, {self.tier}, {self.tokens} tokens)"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Slot:
    """One thing in mind as it is at a moment."""

    id: SlotId
    text: str
    tokens: int
    activation: float
    source: SlotSource
    tier: SlotTier
    memory_id: MemoryId | None
    references: int  # how often it was come back to
    attended_at: datetime
    refreshed_at: datetime
    is_pinned: bool  # it is let go last
    is_flagged: bool  # looks like an order, or nobody trustworthy said it: only shown as such

    def __repr__(self) -> str:
        return f"Slot({self.id}, {self.source}, {self.activation:.2f}, {self.tokens} tokens)"


def activation(focus: Focus, now: datetime, rate: float) -> float:
    """How active something is now; a clock that went back fades nothing."""
    hours = max((now - focus.refreshed_at) / _HOUR, 0.0)
    return focus.strength * math.exp(-rate * hours)


def seen(focus: Focus, now: datetime, rate: float) -> Slot:
    """A thing in mind as it is now."""
    return Slot(
        id=focus.id, text=focus.text, tokens=focus.tokens,
        activation=round(activation(focus, now, rate), 6), source=focus.source, tier=focus.tier,
        memory_id=focus.memory_id, references=focus.references, attended_at=focus.attended_at,
        refreshed_at=focus.refreshed_at, is_pinned=focus.is_pinned, is_flagged=focus.is_flagged,
    )  # fmt: skip


def refreshed(focus: Focus, boost: float, now: datetime, rate: float) -> Focus:
    """The same, more active, never above 1; it counts as come back to."""
    strength = min(1.0, activation(focus, now, rate) + boost)
    return replace(
        focus, strength=strength, refreshed_at=now, references=focus.references + 1
    )  # fmt: skip


def scaled(focus: Focus, factor: float, now: datetime, rate: float) -> Focus:
    """The same, at a share of its activation from now on."""
    return replace(focus, strength=activation(focus, now, rate) * factor, refreshed_at=now)


def strongest_first(foci: tuple[Focus, ...], now: datetime, rate: float) -> list[Focus]:
    """The most active first; what is equally active in the order of attention."""
    return sorted(foci, key=lambda each: (-activation(each, now, rate), each.attended_at, each.id))


def weakest_first(foci: tuple[Focus, ...], now: datetime, rate: float) -> list[Focus]:
    """What is let go first; what is pinned comes last of all."""

    def rank(each: Focus) -> tuple[bool, float, datetime, str]:
        return (each.is_pinned, activation(each, now, rate), each.attended_at, each.id)

    return sorted(foci, key=rank)


def matters(focus: Focus, now: datetime, options: WorkingOptions) -> bool:
    """Whether what is let go deserves more than to be forgotten."""
    is_active = activation(focus, now, options.decay_per_hour) > options.promote_above
    return is_active or focus.is_pinned or focus.references >= MATTERS_FROM


def least_trusted(foci: tuple[Focus, ...]) -> SlotSource:
    """The source that something made of all these has."""
    return max((each.source for each in foci), key=_BY_TRUST.index)


def refers_to(said: str, text: str) -> bool:
    """Whether what is said is about a thing in mind: it shares enough of its telling words."""
    own = _stems(text)
    shared = own & _stems(said)
    return len(shared) >= _LEAST_SHARED or (bool(shared) and len(shared) >= _SHARE * len(own))


def _stems(text: str) -> set[str]:
    words = _WORD.findall(text[:_LONGEST].lower())
    return {stem(word) for word in words if word not in COMMON_WORDS}
