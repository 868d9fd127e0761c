"""A chat loop around a client of OpenAI's protocol: memory before, tools between, both kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engram import Engram, Scope
from engram.engine.turns import Message, Turn
from engram.errors import ModelUnavailable
from engram.integrations.loop import Call, Reply, answer
from engram.integrations.tools import Tool, listed, plain


class OpenAIClient(Protocol):
    """`openai.OpenAI`, or whatever has its `chat.completions.create`."""

    @property
    def chat(self) -> Any:
        """Where `completions` is."""
        ...


def converse(
    client: OpenAIClient,
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

    `options` go to the client as they are: temperature, top_p and so on.
    """
    schemas = [_schema(each) for each in tools]
    given = {"model": model, **(options or {}), **({"tools": schemas} if schemas else {})}
    with engram.turn(session, model=model, system=system, runner=runner, scope=scope) as turn:
        window = turn.build(said, tools=schemas)
        dialect = _OpenAI(client, turn, given)
        messages: list[Message] = [*window.messages("openai")]
        return answer(turn, dialect, messages, tools=tools, most_steps=most_steps)


@dataclass(frozen=True, slots=True)
class _OpenAI:
    """How OpenAI's protocol asks and tells."""

    client: OpenAIClient
    turn: Turn
    given: Mapping[str, Any]

    def ask(self, messages: Sequence[Message]) -> Reply:
        """What the model says to the messages, as they fit."""
        sent = self.turn.fit(messages)
        message = _message(plain(self.client.chat.completions.create(messages=sent, **self.given)))
        calls = tuple(_call(each) for each in listed(message.get("tool_calls")))
        return Reply(str(message.get("content") or ""), calls, message)

    def told(self, answers: Sequence[tuple[Call, str]]) -> list[Message]:
        """A message for each tool."""
        return [
            {"role": "tool", "tool_call_id": call.id, "content": text} for call, text in answers
        ]


def _schema(tool: Tool) -> dict[str, object]:
    function = {
        "name": tool.name, "description": tool.description, "parameters": dict(tool.parameters),
    }  # fmt: skip
    return {"type": "function", "function": function}


def _message(reply: Mapping[str, object]) -> Message:
    choices = listed(reply.get("choices"))
    message = choices[0].get("message") if choices else None
    if not isinstance(message, Mapping):
        raise ModelUnavailable(hint="There is no message in the client's answer.")
    return {"role": "assistant", **message}


def _call(call: Mapping[str, object]) -> Call:
    function = call.get("function")
    asked: Mapping[str, object] = function if isinstance(function, Mapping) else {}
    return Call(call.get("id"), str(asked.get("name")), asked.get("arguments"))
