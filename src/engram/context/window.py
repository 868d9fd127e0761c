"""What goes into a model's window: the sections that were filled, and the prompt they make."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engram.context.budget import HISTORY, SECTIONS
from engram.context.message import ChatMessage
from engram.context.piece import Piece
from engram.context.prompt import Prompt
from engram.context.shapes import Message, anthropic_messages, one_by_one, openai_messages
from engram.context.standing import Standing
from engram.errors import InvalidInput
from engram.memory.fencing import block
from engram.memory.record import Memory
from engram.memory.tokens.counter import TokenCounter
from engram.providers.model_registry import LanguageModelLimits

_FROM_MEMORY = tuple(name for name in SECTIONS if name != HISTORY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """Everything that could go into a prompt, best first, before anybody asks how much fits."""

    messages: tuple[ChatMessage, ...]
    system: str = ""
    identity: tuple[str, ...] = ()  # how the person works, a line each
    instructions: tuple[Piece, ...] = ()  # what holds in every conversation, the weightiest first
    working: tuple[Piece, ...] = ()  # what is in mind, the most active first
    recalled: tuple[Piece, ...] = ()
    schemas: tuple[Piece, ...] = ()
    skills: tuple[Piece, ...] = ()
    overview: tuple[str, ...] = ()  # all that is known, from the most detailed level on
    notes: tuple[str, ...] = ()  # what is not known
    questions: tuple[str, ...] = ()  # what could be asked
    topic: str = ""
    mode: str = "standard"
    degraded: tuple[str, ...] = ()
    # What stands in the prompt of this session already; None: no session, nothing stays in place.
    standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a prompt: what it says, what that takes, and what it might have taken."""

    name: str
    text: str
    tokens: int
    room: int


@dataclass(frozen=True, slots=True)
class PutIn:
    """A memory that was put in, at which length."""

    memory: Memory
    tier: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A prompt within its budget, and how it came to be."""

    prompt: Prompt
    tokens: int  # as messages of the dearer format; as one text, where that could be too much
    budget: int
    counted_by: str
    sections: tuple[Section, ...]
    memories: tuple[PutIn, ...] = ()
    left_out: int = 0  # memories that were found and for which there was no room
    notes: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    topic: str = ""
    mode: str = ""
    degraded: tuple[str, ...] = ()
    model: LanguageModelLimits | None = None
    standing: Standing | None = field(default=None, repr=False)
    counter: TokenCounter = field(repr=False, compare=False)

    def __repr__(self) -> str:
        # Without the text: a repr ends up in logs and tracebacks.
        return f"Context({self.tokens} of {self.budget} tokens, {len(self.memories)} memories)"

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The whole prompt as one text."""
        return self.prompt.text

    @property
    def text_tokens(self) -> int:
        """What the prompt takes as one text; counted when it is asked for, tools not among it."""
        return self.counter.count(self.text)

    @property
    def system(self) -> str:
        """What Anthropic's format takes as `system`, beside the messages."""
        return self.prompt.system

    @property
    def memory_block(self) -> str:
        """All that comes from memory as one block that nothing in it can close, for prompts that
        are made elsewhere; empty when there is none. The rules for reading it are in `system`."""
        told = (each.text for each in self.sections if each.name in _FROM_MEMORY)
        return block(told, about="from memory")

    def messages(self, shape: str = "openai") -> list[Message]:
        """The prompt as messages of a chat: `openai` with the system's among them, `anthropic`
        without, since that goes beside them (`system`)."""
        if shape == "openai":
            return openai_messages(self.prompt)
        if shape == "anthropic":
            return anthropic_messages(self.prompt)
        raise InvalidInput(hint="`shape` is openai or anthropic.")

    def section(self, name: str) -> Section | None:
        """One section by its name."""
        return next((each for each in self.sections if each.name == name), None)

    def document(self) -> Mapping[str, object]:
        """All of it in plain values."""
        return {
            "tokens": self.tokens,
            "budget": self.budget,
            "counted_by": self.counted_by,
            "model": self.model.name if self.model else None,
            "is_known_model": self.model.is_known if self.model else None,
            "notice": self.model.notice if self.model else "",
            "mode": self.mode,
            "topic": self.topic,
            "sections": [
                {"name": each.name, "tokens": each.tokens, "room": each.room, "text": each.text}
                for each in self.sections
            ],
            "memories": [
                {
                    "id": each.memory.id,
                    "label": each.memory.label,
                    "tier": each.tier,
                    "score": round(each.score, 4),
                }
                for each in self.memories
            ],
            "left_out": self.left_out,
            "notes": list(self.notes),
            "questions": list(self.questions),
            "degraded": list(self.degraded),
            "system": self.system,
            "messages": [
                {**message, **_said_at(given)}
                for message, given in zip(
                    one_by_one(self.prompt.messages), self.prompt.messages, strict=True
                )
            ],
        }


def _said_at(message: ChatMessage) -> Message:
    told = {"name": message.name, "at": message.at}
    return {key: value for key, value in told.items() if value}
