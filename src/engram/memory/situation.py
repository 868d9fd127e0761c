"""Where an agent stands: what it wants, what it believes and can do, and what is around it."""

from dataclasses import dataclass, field

from engram.errors import InvalidInput
from engram.memory.ids import checked_id
from engram.memory.jsons import JsonObject
from engram.memory.tagged import read_as
from engram.text.strings import checked_name, checked_text

_TEXT_BYTES = 16_384
_MOST_LISTED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A moment of work, as episodes keep it and as skills and context are looked for by it."""

    text: str = ""  # what it is about, in words
    goal: str | None = None
    task: str | None = None
    beliefs: tuple[str, ...] = ()  # ids of memories that were in mind
    tools: tuple[str, ...] = ()  # names of what could be called
    environment: JsonObject = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("text", "goal"):
            value = getattr(self, name)
            if value:
                checked_text(value, name=name, max_bytes=_TEXT_BYTES)
        if self.task is not None:
            checked_name(self.task, name="task")
        if max(len(self.beliefs), len(self.tools)) > _MOST_LISTED:
            raise InvalidInput(hint=f"At most {_MOST_LISTED} beliefs and tools are listed.")
        for belief in self.beliefs:
            checked_id(belief)
        for tool in self.tools:
            checked_name(tool, name="tool")

    @property
    def summary(self) -> str:
        """What it is about, in one line."""
        told = [self.goal or "", self.text, f"task {self.task}" if self.task else ""]
        around = [f"{key}: {value}" for key, value in sorted(self.environment.items())]
        return "; ".join(part for part in (*told, *around) if part)


def read_situation(value: object, *, name: str = "situation") -> Situation:
    """A situation as callers hand it in: one of these, a text, or a dictionary."""
    if isinstance(value, str):
        return Situation(text=checked_text(value, name=name, max_bytes=_TEXT_BYTES))
    if value is None:
        return Situation()
    return read_as(Situation, value, name=name)
