"""What can become of a fact that is handed in, and who stands behind a belief."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from engram.memory.ids import ChangeId
from engram.memory.knowledge.belief import Belief
from engram.memory.knowledge.epistemic import Epistemic
from engram.memory.record import Memory

Kind = Literal["learned", "confirmed", "replaced", "contested", "challenged", "held", "refused"]


@dataclass(frozen=True, slots=True)
class Learned:
    """What became of a claim, why, and which memories it was held against.

    learned: it stands beside what is known. confirmed: it was known. replaced: it took the place of
    others. contested: it stands against others, and nobody but a person can tell. challenged: it is
    noted beside what is stronger, or what a person stands behind. held: it waits for a person.
    refused: nothing of it is kept.
    """

    belief: Belief
    kind: Kind
    reason: str
    change_id: ChangeId | None
    rivals: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True)
class Saying:
    """Who said a belief, on which grounds, when."""

    voice: str
    epistemic: Epistemic
    at: datetime


class Support(NamedTuple):
    """Who says a belief, how many of them are independent, and how sure that makes it."""

    sayings: list[Saying]
    voices: int
    confidence: float
