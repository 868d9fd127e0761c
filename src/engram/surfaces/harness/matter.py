"""What matters now, when nobody has asked anything yet."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from engram.language.asking import states_something
from engram.memory.categories import TURN
from engram.memory.record import Memory
from engram.memory.standing_rules import (
    INSTRUCTION,
    may_stand_unasked,
    standing_instructions,
    weightiest_first,
)
from engram.memory.vocabulary import Layer

if TYPE_CHECKING:
    from engram.engine import Engram
    from engram.memory.scopes import Scope

# What a project goes by: a context block is made of these alone.
CONVENTIONS = (
    "instruction", "constraint", "principle", "decision", "preference", "correction", "procedure",
    "tooling",
)  # fmt: skip
_LOOKED_AT = 200  # the newest of each layer: each is weighed here, and a hook cannot weigh them all
_OF_EACH = 50  # more than any surface shows, of what is pinned and of each convention


def what_matters(
    engram: "Engram", scope: "Scope | None", *, now: datetime, most: int = 20
) -> list[Memory]:
    """Standing instructions, then the pinned, then the most important of the newest.

    Only what may enter a prompt unasked.
    """
    found = engram.list(limit=_OF_EACH, scope=scope, pinned=True)
    found += engram.list(limit=_OF_EACH, scope=scope, category=INSTRUCTION)
    rules = standing_instructions(found, now)
    for layer in (Layer.PROCEDURAL, Layer.SEMANTIC, Layer.EPISODIC):
        # Notes: turns are what was said, word for word, and there are many of them.
        found += engram.list(limit=_LOOKED_AT, scope=scope, layer=layer.value, kind="note")
    others = [each for each in _ordered(found, now) if each not in rules]
    return [*rules, *others][:most]


def conventions(
    engram: "Engram", scope: "Scope | None", *, now: datetime, most: int = 40
) -> list[Memory]:
    """What a project goes by: its rules, decisions and preferences, the weightiest first."""
    found = []
    for category in CONVENTIONS:
        found += engram.list(limit=_OF_EACH, scope=scope, category=category)
    return _ordered(found, now)[:most]


def _ordered(memories: Sequence[Memory], now: datetime) -> list[Memory]:
    fit = {memory.id: memory for memory in memories if _is_fit(memory, now)}
    return weightiest_first(fit.values(), now)


def _is_fit(memory: Memory, now: datetime) -> bool:
    """Whether a memory may stand where nobody looks first, and says something by itself."""
    is_statement = memory.category != TURN and memory.layer is not Layer.CODEBASE
    says_something = memory.category == INSTRUCTION or states_something(memory.content)
    return is_statement and says_something and may_stand_unasked(memory, now)
