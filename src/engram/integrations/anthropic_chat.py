"""A chat loop around a client of Anthropic's protocol: memory before, tools between, both kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engram import Engram, Scope
from engram.engine.turns import Message, Turn
from engram.integrations.loop import Call, Reply, answer
from engram.integrations.tools import Tool, listed, plain

_MOST_TOKENS = 4_096  # of an answer, where the caller says nothing else


class AnthropicClient(Protocol):
    """`anthropic.Anthropic`, or whatever has its `messages.create`."""

    @property
    def messages(self) -> Any:
        """Where `create` is."""
        ...


def converse(
    client: AnthropicClient,
    engram: Engram,
    said: str,
    *,
    session: str,
    model: str,
    system: str | None = None,
    tools: Sequence[Tool] = (),
    runner: str = "chat",
    scope: Scope | None = None,
    most_steps: int = 8,
    options: Mapping[str, object] | None = None,
) -> str:
    """Answer what was said with all that is known, and remember both; the answer's text.

    `options` go to the client as they are: max_tokens, temperature, thinking and so on.
    """
    schemas = [_schema(each) for each in tools]
    with engram.turn(session, model=model, system=system, runner=runner, scope=scope) as turn:
        window = turn.build(said, tools=schemas)
        most = min(turn.model.output, _MOST_TOKENS)
        given = {"model": model, "max_tokens": most, **(options or {})}
        given |= {"tools": schemas} if schemas else {}
        given |= {"system": window.system} if window.system else {}
        dialect = _Anthropic(client, turn, given)
        messages: list[Message] = [*window.messages("anthropic")]
        return answer(turn, dialect, messages, tools=tools, most_steps=most_steps)


@dataclass(frozen=True, slots=True)
class _Anthropic:
    """How Anthropic's protocol asks and tells."""

    client: AnthropicClient
    turn: Turn
    given: Mapping[str, Any]

    def ask(self, messages: Sequence[Message]) -> Reply:
        """What the model says to the messages, as they fit beside what is sent apart."""
        system = self.given.get("system")
        beside: list[Message] = [{"role": "system", "content": system}] if system else []
        sent = self.turn.fit([*beside, *messages])[len(beside) :]
        blocks = listed(
            plain(self.client.messages.create(messages=sent, **self.given)).get("content")
        )
        texts = [str(each["text"]) for each in blocks if each.get("type") == "text"]
        calls = tuple(
            Call(each.get("id"), str(each.get("name")), each.get("input"))
            for each in blocks
            if each.get("type") == "tool_use"
        )
        return Reply("\n".join(texts), calls, {"role": "assistant", "content": blocks})

    def told(self, answers: Sequence[tuple[Call, str]]) -> list[Message]:
        """One message with what each tool said."""
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": text}
            for call, text in answers
        ]
        return [{"role": "user", "content": results}]


def _schema(tool: Tool) -> dict[str, object]:
    return {
        "name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters),
    }  # fmt: skip
