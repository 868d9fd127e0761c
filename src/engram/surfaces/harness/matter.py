"""What matters now, when nobody has asked anything yet."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from engram.memory.categories import TURN
from engram.memory.importance import importance
from engram.memory.record import Memory
from engram.memory.staleness import holds_at
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import Layer, Secrecy

if TYPE_CHECKING:
    from engram.engine import Engram
    from engram.memory.scopes import Scope

# What a project goes by: a context block is made of these alone.
CONVENTIONS = (
    "instruction", "constraint", "principle", "decision", "preference", "correction", "procedure",
    "tooling",
)  # fmt: skip
_LOOKED_AT = 200
_OF_EACH = 50


def what_matters(
    engram: "Engram", scope: "Scope | None", *, now: datetime, most: int = 20
) -> list[Memory]:
    """The pinned, then the most important of the newest; only what may enter a prompt unasked."""
    found = engram.list(limit=_OF_EACH, scope=scope, pinned=True)
    for layer in (Layer.PROCEDURAL, Layer.SEMANTIC, Layer.EPISODIC):
        # Notes: turns are what was said, word for word, and there are many of them.
        found += engram.list(limit=_LOOKED_AT, scope=scope, layer=layer.value, kind="note")
    return _ordered(found, now)[:most]


def conventions(
    engram: "Engram", scope: "Scope | None", *, now: datetime, most: int = 40
) -> list[Memory]:
    """What a project goes by: its rules, decisions and preferences, the weightiest first."""
    found = []
    for category in CONVENTIONS:
        found += engram.list(limit=_OF_EACH, scope=scope, category=category)
    return _ordered(found, now)[:most]


def _ordered(memories: Sequence[Memory], now: datetime) -> list[Memory]:
    fit = {memory.id: memory for memory in memories if is_fit(memory, now)}
    return sorted(
        fit.values(),
        key=lambda memory: (not memory.is_pinned, -importance(memory, now).score, -memory.number),
    )


def is_fit(memory: Memory, now: datetime) -> bool:
    """Whether a memory may stand where nobody looks first, and says something by itself."""
    return (
        may_enter_unasked(memory)
        and holds_at(memory, now)
        and memory.category != TURN
        and memory.layer is not Layer.CODEBASE
        and memory.secrecy is Secrecy.CLEARTEXT
    )
