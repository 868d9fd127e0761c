"""Conversations, memories and counters that tests put prompts together from."""

from dataclasses import dataclass
from datetime import UTC, datetime

from engram.context.history import Tiers
from engram.context.message import ChatMessage, ToolCall, ToolResult, Words
from engram.context.options import ContextOptions
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.vocabulary import Kind, Layer, LearnedBy, MemoryType, SourceClass, Status

TIERS = Tiers.of(ContextOptions())
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Quarters:
    """Four characters are a token, rounded up."""

    name: str = "quarters"
    is_exact: bool = False

    def count(self, text: str) -> int:
        return -(-len(text) // 4)


@dataclass(frozen=True)
class Greedy:
    """The longer a text, the dearer each letter of it: two halves cost less than the whole."""

    name: str = "greedy"
    is_exact: bool = False

    def count(self, text: str) -> int:
        return -(-len(text) // 4) + len(text) ** 2 // 20_000


@dataclass(frozen=True)
class Moody:
    """Costs by what the text happens to be: nothing follows from one count for another."""

    name: str = "moody"
    is_exact: bool = False

    def count(self, text: str) -> int:
        return 1 + sum(map(ord, text)) % 37 + len(text) // 3 if text else 0


@dataclass(frozen=True)
class Bytes:
    """As many tokens as any vocabulary could have."""

    name: str = "bytes"
    is_exact: bool = True

    def count(self, text: str) -> int:
        return len(text.encode("utf-8", "surrogatepass"))


def memory_of(text: str, number: int = 1, **fields: object) -> Memory:
    """A memory that was never stored."""
    given: dict[str, object] = {
        "id": MemoryId(f"{number:026d}"), "number": number, "scope": Scope(), "content": text,
        "category": "fact", "memory_type": MemoryType.FACT, "layer": Layer.SEMANTIC,
        "kind": Kind.NOTE, "status": Status.ACTIVE, "source": "manual",
        "source_class": SourceClass.PERSON, "learned_by": LearnedBy.MANUAL, "confidence": 1.0,
        "base_importance": 0.5, "trust": 1.0, "at": NOON, "learned_at": NOON, "recorded_at": NOON,
        "change_id": ChangeId("chg-1"),
    }  # fmt: skip
    return Memory(**{**given, **fields})  # type: ignore[arg-type]  # checked by the class itself


def said(role: str, text: str) -> ChatMessage:
    """A message."""
    return ChatMessage(role, (Words(text),))


def talk(exchanges: int, words: int = 20) -> list[ChatMessage]:
    """A conversation of so many exchanges, each with its number in it."""
    found = []
    for number in range(exchanges):
        found.append(said("user", f"Question {number}: what of " + "part " * words + "?"))
        found.append(said("assistant", f"Answer {number}: I changed file_{number}.py, " * 3))
    return found


def tool_talk(call_id: str) -> list[ChatMessage]:
    """An exchange in which a tool was used."""
    return [
        said("user", "Run the tests."),
        ChatMessage("assistant", (ToolCall(call_id, "run", '{"what": "tests"}'),)),
        ChatMessage("tool", (ToolResult(call_id, "2 failed: error in a.py"),)),
        said("assistant", "Two failed."),
    ]
