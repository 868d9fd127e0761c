"""What a message costs in a model's window: the one count for prompts that are made, for loops that
are cut short and for what tools are described with.

A message costs four tokens beside its words and a prompt three, as chat formats do; a call of a
tool, its answer and a tool that is offered cost eight beside what is written of them, an image as
many as the dearest provider asks, whatever its bytes, and everything else what it takes as it is
written.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engram.context.call_arguments import as_json
from engram.context.message import ChatMessage
from engram.context.prompt import Prompt
from engram.context.shapes import anthropic_messages, one_by_one, openai_messages, openai_sent
from engram.context.tool_texts import PICTURES, Message, is_list, named
from engram.errors import InvalidInput

Count = Callable[[str], int]
A_MESSAGE, A_PROMPT, A_CALL, AN_IMAGE = 4, 3, 8, 1_600
_MARKS = frozenset({"role", "type", "status"})  # a chat template has marks for them
_SAID = frozenset({"content", "output"})
_ANSWERS = frozenset({"tool", "function"})  # roles
_ITEMS = frozenset({"function_call", "function_call_output"})  # of OpenAI's newer protocol


@dataclass(slots=True)
class Carried:
    """All that a message carries: its texts, its calls and answers of tools, its images."""

    texts: list[str] = field(default_factory=list)
    calls: int = 0
    images: int = 0

    def tokens(self, count: Count) -> int:
        """What that takes."""
        beside = A_MESSAGE + A_CALL * self.calls + AN_IMAGE * self.images
        return beside + sum(map(count, self.texts))


def message_tokens(message: Message, count: Count) -> int:
    """What one message takes as it is sent, in any provider's format."""
    return carried(message).tokens(count)


def messages_tokens(messages: Iterable[Message], count: Count) -> int:
    """What several take, without what a prompt costs beside them."""
    return sum(message_tokens(each, count) for each in messages)


def said_tokens(messages: Iterable[ChatMessage], count: Count) -> int:
    """What was said takes in the format in which it takes more."""
    said = tuple(messages)
    return max(
        messages_tokens(openai_sent(said), count), messages_tokens(one_by_one(said), count)
    )  # fmt: skip


def prompt_tokens(prompt: Prompt, count: Count, *, enough: int = 0) -> int:
    """What a prompt takes, as messages of either format or as one text: the most of them.

    `enough` is for counters that never find more tokens than bytes, where nobody needs to know more
    of the text than that it fits: one of no more bytes than that is not counted.
    """
    beside = A_MESSAGE + count(prompt.system) if prompt.system else 0
    said = A_PROMPT + max(
        messages_tokens(openai_messages(prompt), count),
        messages_tokens(anthropic_messages(prompt), count) + beside,
    )
    text = prompt.text
    if enough and len(text.encode("utf-8", "surrogatepass")) <= enough:
        return said
    return max(said, count(text))


def tools_tokens(tools: object, count: Count) -> int:
    """What the tools take that a model is offered beside the messages, as their schemas read."""
    if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Sequence):
        raise InvalidInput(hint="`tools` is a list of the schemas that the model is given.")
    return sum(A_CALL + count(_written(each)) for each in tools)


def carried(message: Message) -> Carried:
    """What there is to count in a message."""
    found = Carried()
    is_call = named(message, "role") in _ANSWERS or named(message, "type") in _ITEMS
    found.calls += is_call
    for name, value in message.items():
        if name in _SAID:
            _carry(value, found)
        elif name == "tool_calls" and is_list(value):
            found.calls += len(value)
            _carry_leaves(value, found)
        elif name not in _MARKS:
            _carry_leaves(value, found)
    return found


def _written(tool: object) -> str:
    if not isinstance(tool, Mapping):
        raise InvalidInput(hint="A tool in `tools` is an object: its schema.")
    try:
        return json.dumps(tool, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput(hint="`tools` holds something that is no JSON.") from None


def _carry(value: object, found: Carried) -> None:
    if isinstance(value, Mapping):
        _carry_block(value, found)
    elif is_list(value):
        for each in value:
            _carry(each, found)
    else:
        _carry_leaves(value, found)


def _carry_block(block: Message, found: Carried) -> None:
    """One part of what was said; of a kind that is not known, every letter of it."""
    kind, text = named(block, "type"), block.get("text")
    rest = dict(block)
    if kind in ("tool_use", "tool_result"):
        found.calls += 1
        if kind == "tool_use":
            found.texts.append(as_json(rest.pop("input", None)))
        _carry(rest.pop("content", None), found)
        _carry_leaves(rest, found)
    elif isinstance(text, str) and kind not in PICTURES:
        found.texts.append(text)
        del rest["text"]
        rest.pop("type", None)
        if rest:
            _carry_written(rest, found)
    else:
        _carry_written(block, found)


def _carry_leaves(value: object, found: Carried) -> None:
    """What is known by its place: every value of it."""
    if isinstance(value, str):
        found.texts.append(value)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            if name not in _MARKS:
                _carry_leaves(each, found)
    elif is_list(value):
        for each in value:
            _carry_leaves(each, found)
    elif value is not None:
        found.texts.append(as_json(value))


def _carry_written(value: object, found: Carried) -> None:
    """What is sent as it came: all of it but the bytes of images."""
    images: list[object] = []
    found.texts.append(as_json(_without_images(value, images)))
    found.images += len(images)


def _without_images(given: object, images: list[object]) -> object:
    """The same without the bytes or the address of each image, which is noted."""
    if isinstance(given, list | tuple):
        return [_without_images(each, images) for each in given]
    if not isinstance(given, Mapping):
        return given
    seen = _image_place(given)
    if named(given, "type") in PICTURES:
        images.append(given)
    return {
        key: _bare(value, seen) if seen and key == seen[0] else _without_images(value, images)
        for key, value in given.items()
    }


def _image_place(given: Message) -> tuple[str, str] | None:
    """Under which names the bytes or the address of an image stand, where it is one."""
    kind, source = given.get("type"), given.get("source")
    if kind in ("image_url", "input_image"):
        return "image_url", "url"
    if kind == "image" and isinstance(source, Mapping):
        place = {"base64": "data", "url": "url"}.get(str(source.get("type")))
        return ("source", place) if place else None
    return None


def _bare(value: object, seen: tuple[str, str]) -> object:
    if isinstance(value, Mapping):
        return {name: each for name, each in value.items() if name != seen[1]}
    return "" if isinstance(value, str) else value
