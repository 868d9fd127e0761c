"""What was just said: a ring of turns in the process, from which what has rested comes to mind."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engram.memory.tiers import tiers
from engram.memory.working.slots import SlotSource

HEARD_RELEVANCE = 0.5  # of a turn that comes to mind: below what somebody attends to
_CATEGORY = "context"
ROLES = {
    "user": SlotSource.USER,
    "assistant": SlotSource.ASSISTANT,
    "tool": SlotSource.TOOL,
    "system": SlotSource.SYSTEM,
    "result": SlotSource.TOOL,
}


@dataclass(frozen=True, slots=True, repr=False)
class Heard:
    """One turn, word for word. It is never written anywhere."""

    text: str
    role: str
    at: datetime

    def __repr__(self) -> str:
        return f"Heard({self.role}, {len(self.text)} characters)"


Ring = tuple[Heard, ...]


def heard(ring: Ring, turn: Heard, *, most: int) -> Ring:
    """The ring with one turn more; the oldest makes way."""
    return (*ring, turn)[-most:]


def rested(ring: Ring, now: datetime, seconds: float) -> tuple[Ring, Ring]:
    """The turns that are still fresh, and those that have rested long enough to come to mind."""
    since = now - timedelta(seconds=seconds)
    fresh = tuple(each for each in ring if each.at > since)
    return fresh, tuple(each for each in ring if each.at <= since)


def key_fact(text: str) -> str:
    """What stays in mind of a turn."""
    return tiers(text, _CATEGORY).key_fact.text


def worth_keeping_in_mind(turns: Sequence[Heard]) -> list[Heard]:
    """Those of some turns that tell anything: thanks and greetings are heard and gone."""
    # Imported here: who hears nothing never loads what reading takes.
    from engram.memory.dreams.small_talk import says_nothing_lasting

    return [each for each in turns if not says_nothing_lasting(each.text)]
