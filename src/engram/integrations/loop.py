"""A chat's loop, whichever client it is for: ask, call the tools that are wanted, ask again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engram.engine.turns import Message, Turn
from engram.errors import Cancelled, ModelUnavailable
from engram.integrations.tools import Tool, called


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that a model wants called."""

    id: object
    name: str
    arguments: object


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, the tools it wants called first, and the message that says both."""

    text: str
    calls: tuple[Call, ...]
    message: Message


class Dialect(Protocol):
    """How a protocol asks a model, and tells it what its tools said."""

    def ask(self, messages: Sequence[Message]) -> Reply:
        """What the model says to the messages."""
        ...

    def told(self, answers: Sequence[tuple[Call, str]]) -> list[Message]:
        """What the tools said, as messages."""
        ...


def answer(
    turn: Turn,
    dialect: Dialect,
    messages: list[Message],
    *,
    tools: Sequence[Tool],
    most_steps: int,
) -> str:
    """Ask until the model wants no more tools; its answer is the turn's."""
    for _ in range(most_steps):
        if turn.is_cancelled:
            raise Cancelled(hint="The turn was taken back; nothing of it is kept.")
        reply = dialect.ask(messages)
        if not reply.calls:
            turn.answered(reply.text)
            return reply.text
        answers = [(each, called(turn, tools, each.name, each.arguments)) for each in reply.calls]
        messages = [*messages, reply.message, *dialect.told(answers)]
    raise ModelUnavailable(hint=f"The model called tools {most_steps} times and never answered.")
