"""What tools were asked and answered in a message of any shape: found, and changed in its place."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeGuard

from engram.context.call_arguments import as_json

Message = Mapping[str, object]

PICTURES = frozenset({"image", "image_url", "input_image"})


def with_calls(
    message: Message, answered: Callable[[str], str], asked: Callable[[str], str]
) -> Message:
    """The message with what tools answered and were asked in it changed."""
    return with_arguments(with_outputs(message, answered), asked)


def called(message: Message) -> list[str]:
    """What tools answered and were asked in a message, text by text."""
    found = outputs(message)

    def noted(text: str) -> str:
        found.append(text)
        return text

    with_arguments(message, noted)
    return found


def with_outputs(message: Message, change: Callable[[str], str]) -> Message:
    """The message with what tools answered in it changed; all else is as it was."""
    if message.get("role") == "tool":
        return {**message, "content": _changed(message.get("content"), change)}
    if message.get("type") == "function_call_output":
        return {**message, "output": _changed(message.get("output"), change, "input_text")}
    blocks = message.get("content")
    if not is_list(blocks) or not answered_ids(message):
        return message
    return {**message, "content": [_changed_block(block, change) for block in blocks]}


def outputs(message: Message) -> list[str]:
    """What tools answered in a message, text by text."""
    found: list[str] = []

    def noted(text: str) -> str:
        found.append(text)
        return text

    with_outputs(message, noted)
    return found


def with_arguments(message: Message, change: Callable[[str], str]) -> Message:
    """The message with what tools were asked in it changed, which is JSON before and after."""
    changed = dict(message)
    if message.get("type") == "function_call" and isinstance(message.get("arguments"), str):
        changed["arguments"] = change(named(message, "arguments"))
    calls, blocks = message.get("tool_calls"), message.get("content")
    if is_list(calls):
        changed["tool_calls"] = [_changed_call(each, change) for each in calls]
    if is_list(blocks) and call_ids(message):
        changed["content"] = [_changed_use(each, change) for each in blocks]
    return changed


def call_ids(message: Message) -> list[str]:
    """The names of the calls that a message makes."""
    found = [named(each, "id") for each in mappings(message.get("tool_calls"))]
    blocks = mappings(message.get("content"))
    found += [named(each, "id") for each in blocks if each.get("type") == "tool_use"]
    if message.get("type") == "function_call":
        found.append(named(message, "call_id"))
    return [each for each in found if each]


def answered_ids(message: Message) -> list[str]:
    """The names of the calls that a message answers."""
    blocks = mappings(message.get("content"))
    found = [named(each, "tool_use_id") for each in blocks if each.get("type") == "tool_result"]
    if message.get("role") == "tool":
        found.append(named(message, "tool_call_id"))
    if message.get("type") == "function_call_output":
        found.append(named(message, "call_id"))
    return [each for each in found if each]


def named(message: Message, name: str) -> str:
    """A text in a message; what is no text, or not there, is none."""
    value = message.get(name)
    return value if isinstance(value, str) else ""


def mappings(value: object) -> list[Message]:
    """The dictionaries of a list, if it is one."""
    return [each for each in value if isinstance(each, Mapping)] if is_list(value) else []


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Whether it is a list and no text."""
    return isinstance(value, list | tuple)


def _changed_call(call: object, change: Callable[[str], str]) -> object:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(function, Mapping):
        return call
    if not isinstance(function.get("arguments"), str):
        return call
    return {**call, "function": {**function, "arguments": change(named(function, "arguments"))}}


def _changed_use(block: object, change: Callable[[str], str]) -> object:
    if not isinstance(block, Mapping) or block.get("type") != "tool_use":
        return block
    before = as_json(block.get("input"))
    after = change(before)
    return block if after == before else {**block, "input": json.loads(after or "{}")}


def _changed_block(block: object, change: Callable[[str], str]) -> object:
    if not isinstance(block, Mapping) or block.get("type") != "tool_result":
        return block
    return {**block, "content": _changed(block.get("content"), change)}


def _changed(content: object, change: Callable[[str], str], kind: str = "text") -> object:
    if isinstance(content, str):
        return change(content)
    if is_list(content):
        return [_changed_part(each, change, kind) for each in content]
    if isinstance(content, Mapping):
        before = as_json(content)
        after = change(before)
        return content if after == before else after
    return content


def _changed_part(part: object, change: Callable[[str], str], kind: str) -> object:
    """A part of an answer changed; what is no text and too long becomes one."""
    if not isinstance(part, Mapping) or named(part, "type") in PICTURES:
        return part
    if isinstance(part.get("text"), str):
        return {**part, "text": change(named(part, "text"))}
    before = as_json(part)
    after = change(before)
    return part if after == before else {"type": kind, "text": after}
