"""A chat loop around a client of OpenAI's protocol: memory before, tools between, both kept."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engram import Engram, Scope
from engram.engine.turns import Message, Turn
from engram.errors import ModelUnavailable
from engram.integrations.tools import Tool, called, gave_up, listed, plain


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
    given = {**(options or {}), **_offered(tools)}
    with engram.turn(session, model=model, system=system, runner=runner, scope=scope) as turn:
        messages: list[Message] = [*turn.build(said).messages("openai")]
        for _ in range(most_steps):
            sent = turn.fit(messages)
            reply = client.chat.completions.create(model=model, messages=sent, **given)
            message = _message(plain(reply))
            calls = listed(message.get("tool_calls"))
            if not calls:
                text = str(message.get("content") or "")
                turn.answered(text)
                return text
            messages += [message, *(_result(turn, tools, call) for call in calls)]
        raise gave_up(most_steps)


def _offered(tools: Sequence[Tool]) -> dict[str, object]:
    if not tools:
        return {}
    functions = (
        {"name": each.name, "description": each.description, "parameters": dict(each.parameters)}
        for each in tools
    )
    return {"tools": [{"type": "function", "function": each} for each in functions]}


def _message(reply: Mapping[str, object]) -> Message:
    choices = listed(reply.get("choices"))
    message = choices[0].get("message") if choices else None
    if not isinstance(message, Mapping):
        raise ModelUnavailable(hint="There is no message in the client's answer.")
    return {"role": "assistant", **message}


def _result(turn: Turn, tools: Sequence[Tool], call: Mapping[str, object]) -> Message:
    function = call.get("function")
    asked: Mapping[str, object] = function if isinstance(function, Mapping) else {}
    text = called(turn, tools, str(asked.get("name")), asked.get("arguments"))
    return {"role": "tool", "tool_call_id": call.get("id"), "content": text}
