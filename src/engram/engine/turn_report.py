"""How a turn went: its steps, what was kept of it and what it had to do without; no words."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TurnStep:
    """One step of a turn and how long it took."""

    name: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Captured:
    """What became of something that was said in a turn; never the words."""

    role: str
    kind: str  # kept, known or echo
    memory_id: str


@dataclass(frozen=True, slots=True)
class TurnReport:
    """How a turn went."""

    session: str
    runner: str
    model: str
    ended: str  # "open", "done", "failed" or "cancelled"
    steps: tuple[TurnStep, ...]
    tokens: int  # of the window that was built
    budget: int
    answer_tokens: int
    memories: int  # that were put in
    captured: tuple[Captured, ...]
    shortened: int  # answers of tools, while it ran
    dropped: int  # messages, while it ran
    degraded: tuple[str, ...]  # what it had to do without, and why
    notice: str  # what has to be said about the model's limits

    def step(self, name: str) -> float:
        """The milliseconds of one step; 0 when it has not been taken."""
        return sum(each.milliseconds for each in self.steps if each.name == name)
