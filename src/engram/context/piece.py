"""Something that may be put into a prompt, at up to four lengths."""

from dataclasses import dataclass
from datetime import datetime

from engram.memory.attribution import attribution, quoted
from engram.memory.fencing import harmless
from engram.memory.record import Memory
from engram.text.strings import folded

FULL, SUMMARY, KEY_FACT, TAG = "full", "summary", "key_fact", "tag"
FIDELITY = {FULL: 1.0, SUMMARY: 0.8, KEY_FACT: 0.55, TAG: 0.15}  # how much of it is left


@dataclass(frozen=True, slots=True)
class Piece:
    """One memory, pattern or skill that is offered: where it is from, what it says, how well it
    fits."""

    key: str  # the same for the same memory in every turn
    version: int
    text: str
    score: float
    label: str = ""
    day: datetime | None = None
    sort: str = ""  # its category, or what it is
    memory: Memory | None = None
    mark: str = ""  # what there is to know about it: replaced by another one, perhaps
    sources: frozenset[int] = frozenset()  # numbers of the turns it was drawn from

    def lines(self) -> list[tuple[str, str]]:
        """The line at each length that is shorter than the one before, the longest first."""
        if self.memory is None or self.text != self.memory.content:
            return [(FULL, self.line(self.text))]
        tiers = self.memory.tiers
        found = [(FULL, self.line(self.text))]
        for name, tier in (
            (SUMMARY, tiers.summary), (KEY_FACT, tiers.key_fact), (TAG, tiers.tag),
        ):  # fmt: skip
            line = self.line(tier.text)
            if len(line) < len(found[-1][1]):
                found.append((name, line))
        return found

    def full_line(self) -> str:
        """The line at full length."""
        return self.line(self.text)

    def line(self, text: str) -> str:
        """One harmless line: label, who said it, day, category, text."""
        if self.memory is not None:
            return f"- {self.label} ({self._about(self.memory)}): {quoted(self.memory, text)}"
        about = ", ".join(filter(None, (self.sort, f"{self.day:%Y-%m-%d}" if self.day else "")))
        head = " ".join(filter(None, (self.label, f"({harmless(about)})" if about else "")))
        return f"- {head}: {harmless(text)}" if head else f"- {harmless(text)}"

    def _about(self, memory: Memory) -> str:
        return attribution(memory, self.mark)

    def tells_same_as(self, other: "Piece") -> bool:
        """Whether both are one memory, or one is the turn that the other was drawn from."""
        if self.key == other.key:
            return True
        here, there = self.memory, other.memory
        return (here is not None and here.number in other.sources) or (
            there is not None and there.number in self.sources
        )


def wording(text: str) -> str:
    """The words of a text, however they are spaced, spelled large or ended."""
    return " ".join(folded(text).split()).rstrip(" .!")


def piece_of(memory: Memory, score: float) -> Piece:
    """A memory as it is offered."""
    return Piece(
        key=memory.id, version=memory.version, text=memory.content, score=score,
        label=memory.label, day=memory.at, sort=memory.category, memory=memory,
    )  # fmt: skip
