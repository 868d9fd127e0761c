"""What failed before, as it is told to who is about to do the same."""

from dataclasses import dataclass
from datetime import datetime

from engram.memory.skills.failures import When


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureWarning:
    """One way in which this failed before, and what helped."""

    signature: str
    error: str
    tool: str | None
    occurrences: int
    last_at: datetime | None
    skills: tuple[str, ...] = ()  # names of skills that fail so
    episodes: tuple[str, ...] = ()  # ids of memories that tell of it, last first
    conditions: tuple[When, ...] = ()
    helped: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The warning in words."""
        times = "before" if self.occurrences == 1 else f"{self.occurrences} times"
        told = f"This failed {times}" if self.occurrences else ""
        told = ": ".join(part for part in (told, self.error) if part)
        when = ", ".join(f"{each.key} was {each.value}" for each in self.conditions)
        parts = [told, f"Each time {when}" if when else ""]
        parts += [f"What helped: {'; '.join(self.helped)}" if self.helped else ""]
        return ". ".join(part.rstrip(".") for part in parts if part) + "."
