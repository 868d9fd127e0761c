"""A chat loop around a client of Anthropic's protocol: memory before, tools between, both kept."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engram import Engram, Scope
from engram.engine.turns import Message, Turn
from engram.integrations.tools import Tool, called, gave_up, listed, plain

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
    with engram.turn(session, model=model, system=system, runner=runner, scope=scope) as turn:
        window = turn.build(said)
        most = min(turn.model.output, _MOST_TOKENS)
        given = {"max_tokens": most, **(options or {}), **_offered(tools)}
        if window.system:
            given["system"] = window.system
        messages: list[Message] = [*window.messages("anthropic")]
        for _ in range(most_steps):
            sent = _fitted(turn, window.system, messages)
            reply = plain(client.messages.create(model=model, messages=sent, **given))
            blocks = listed(reply.get("content"))
            calls = [each for each in blocks if each.get("type") == "tool_use"]
            if not calls:
                text = "\n".join(str(each["text"]) for each in blocks if each.get("type") == "text")
                turn.answered(text)
                return text
            results = [_result(turn, tools, call) for call in calls]
            messages += [
                {"role": "assistant", "content": blocks}, {"role": "user", "content": results},
            ]  # fmt: skip
        raise gave_up(most_steps)


def _fitted(turn: Turn, system: str, messages: Sequence[Message]) -> list[Message]:
    """The messages as they fit beside the system prompt, which is sent apart."""
    if not system:
        return turn.fit(messages)
    return turn.fit([{"role": "system", "content": system}, *messages])[1:]


def _offered(tools: Sequence[Tool]) -> dict[str, object]:
    if not tools:
        return {}
    return {
        "tools": [
            {
                "name": each.name,
                "description": each.description,
                "input_schema": dict(each.parameters),
            }
            for each in tools
        ]
    }


def _result(turn: Turn, tools: Sequence[Tool], call: Mapping[str, object]) -> Message:
    text = called(turn, tools, str(call.get("name")), call.get("input"))
    return {"type": "tool_result", "tool_use_id": call.get("id"), "content": text}
