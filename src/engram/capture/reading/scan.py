"""How much a turn seems to hold, told from its words alone and in one look.

The scan decides when to read, not what to keep: a HIGH turn is read at once, the others wait for
company.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from engram.capture.reading.turns import SYSTEM, TOOL

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


_HIGH: tuple[tuple[str, str], ...] = (
    ("asked to remember", r"\b(?:remember (?:that|this|my|i|to)|don't forget|keep in mind|note"
                          r" that|for the record)\b"),
    ("correction", r"\b(?:actually,? (?:it|i|my|the|that|no)|no,? i meant|i meant|correction"
                   r"|that's (?:wrong|not right|incorrect)"
                   r"|not [\w-]+,? but|i was wrong|no longer|scratch that)\b"),
    ("instruction", r"(?:^|[.!?\n] ?)(?:please )?(?:always|never|from now on|going forward"
                    r"|whenever)\b|\bwhen(?:ever)? i ask\b"
                    r"|\bfrom now on\b|\b(?:call me|stop (?:using|calling|doing))\b"),
    ("decision", r"\b(?:(?:i|we)(?:'ve| have)? (?:decided|chosen|chose|settled|agreed|opted)"
                 r"|we're going with|i'm going with"
                 r"|let's go with|decision:|decided (?:on|to))\b"),
    ("commitment", r"\b(?:i promise|i'll .{1,60} by|i will .{1,60} by|remind me|deadline|due"
                   r" (?:on|by)|i commit)\b"),
    ("identity", r"\b(?:my name is|i'm called|i was born|i am \d+|i'm \d+ years)\b"),
    ("health", r"\b(?:allergic|allerg(?:y|ies)|diagnosed|pregnant|surgery|medication)\b"),
)  # fmt: skip
_MEDIUM: tuple[tuple[str, str], ...] = (
    ("preference", r"\b(?:i (?:really |also |usually )?(?:prefer|love|like|hate|enjoy|dislike)|my"
                   r" favou?rite|i can't stand|i'd rather)\b"),
    ("relationship", r"\bmy (?:wife|husband|partner|son|daughter|kids?|mother|father|mom|mum|dad"
                     r"|brother|sister|boss|team|friends?"
                     r"|dog|cat)\b"),
    ("place", r"\b(?:i live|we live|i moved|we moved|i'm from|based in|i grew up)\b"),
    ("work", r"\b(?:i work|my job|my company|i'm an? \w+(?:er|or|ist|ian)\b|we use|i use|i'm"
             r" working on|my project)\b"),
    ("event", r"\b(?:yesterday|last (?:week|month|year|night|\w+day)|\w+ ago|tomorrow|next"
              r" (?:week|month|year))\b"),
    ("plan", r"\b(?:i'm (?:planning|going to|thinking of)|i plan to|i want to|i hope to|i need"
             r" to)\b"),
)  # fmt: skip
_LOW = re.compile(r"\b(?:i|i'm|i've|my|we|our|mine)\b|\d|\b[a-z]+@[a-z]+\b")
_LEVELS = tuple(
    (level, name, re.compile(pattern))
    for level, table in ((Signal.HIGH, _HIGH), (Signal.MEDIUM, _MEDIUM))
    for name, pattern in table
)


def scan(text: str, role: str = "user") -> SignalScan:
    """The level and reasons of a turn; tool output and system prompts give no signal."""
    if role in (TOOL, SYSTEM):
        return SignalScan(Signal.NONE, (f"{role} output",))
    plain = text[:MOST_SCANNED].replace("’", "'").lower()
    found = [(level, name) for level, name, pattern in _LEVELS if pattern.search(plain)]
    reasons = tuple(name for _, name in found)
    if any(level is Signal.HIGH for level, _ in found):
        return SignalScan(Signal.HIGH, reasons)
    if found:
        return SignalScan(Signal.MEDIUM, reasons)
    return SignalScan(Signal.LOW, ("statement",)) if _LOW.search(plain) else SignalScan(Signal.NONE)
