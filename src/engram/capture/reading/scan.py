"""How much a turn seems to hold, told from its words alone and in one look.

The scan decides when to read, not what to keep: a HIGH turn is read at once, the others wait for
company.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from engram.capture.turns import SYSTEM, TOOL
from engram.language.tables import read_table

MOST_SCANNED = 20_000  # about 3,500 words; what stands further on does not make a turn urgent


class Signal(StrEnum):
    """How soon a turn wants to be read."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SignalScan:
    """The level of a turn and the named reasons for it."""

    level: Signal
    reasons: tuple[str, ...] = ()


_PATTERNS = tuple(
    (level, name, re.compile(pattern))
    for level in (Signal.HIGH, Signal.MEDIUM, Signal.LOW)
    for name, pattern in read_table("signals.json")[level].items()
)


def scan(text: str, role: str = "user") -> SignalScan:
    """The level and reasons of a turn; tool output and system prompts give no signal."""
    if role in (TOOL, SYSTEM):
        return SignalScan(Signal.NONE, (f"{role} output",))
    plain = text[:MOST_SCANNED].replace("’", "'").lower()
    found = [(level, name) for level, name, pattern in _PATTERNS if pattern.search(plain)]
    level = found[0][0] if found else Signal.NONE  # the highest one comes first
    # That it is a statement is no reason beside others.
    return SignalScan(level, tuple(name for its, name in found if its in (level, Signal.MEDIUM)))
