"""Calls in the oldest of OpenAI's formats, which had no ids: one call a message, known by its name.

No format that is sent today has a place for them, and an answer without its call is refused. So
each call gets an id, and the answers to it get the same.
"""

from collections.abc import Mapping, Sequence


def with_ids(messages: Sequence[object]) -> list[object]:
    """The messages with those calls and their answers as they are written today."""
    asked: dict[str, str] = {}  # by the name of the function: the id of its last call
    return [_with_id(message, place, asked) for place, message in enumerate(messages)]


def _with_id(message: object, place: int, asked: dict[str, str]) -> object:
    if not isinstance(message, Mapping):
        return message
    called, name = message.get("function_call"), message.get("name")
    if isinstance(called, Mapping) and not message.get("tool_calls"):
        call_id = f"call-{place}"
        asked[str(called.get("name", ""))] = call_id
        rest = {key: value for key, value in message.items() if key != "function_call"}
        return {**rest, "tool_calls": [{"id": call_id, "type": "function", "function": called}]}
    is_answer = str(message.get("role")).lower() == "function" and not message.get("tool_call_id")
    if is_answer and isinstance(name, str) and name in asked:
        return {**message, "tool_call_id": asked[name]}
    return message
