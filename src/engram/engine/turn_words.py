"""What was said in a turn, as it can be kept and told."""

from collections.abc import Mapping, Sequence

from engram.context.truncation import Message, shortened_text
from engram.memory.fencing import spelled_out


class _Bytes:
    """Counts as the store does."""

    name = "bytes"
    is_exact = True

    def count(self, text: str) -> int:
        """How many bytes a text takes."""
        return len(text.encode())


def writable(text: str) -> str:
    """The text without what no text on disk can hold: half characters and NUL."""
    return text.encode("utf-8", "replace").decode().replace("\x00", " ")


def keepable(text: str, max_bytes: int) -> str:
    """The text, or its beginning and end where the store takes no more."""
    return shortened_text(text, max_bytes, _Bytes())


def with_tools_spelled_out(messages: Sequence[Message]) -> Sequence[Message]:
    """Messages in which no tool's answer passes for memories; what is none is refused later."""
    if not isinstance(messages, list | tuple):
        return messages
    return [without_forged_blocks(each) if isinstance(each, Mapping) else each for each in messages]


def without_forged_blocks(message: Message) -> Message:
    """A message in which no answer of a tool passes for a block of memories."""
    if message.get("role") == "tool":
        return _told(message, "content")
    if message.get("type") == "function_call_output":
        return _told(message, "output")
    content = message.get("content")
    if not isinstance(content, list):
        return message
    blocks = [_told(each, "content") if _is_result(each) else each for each in content]
    return message if blocks == content else {**message, "content": blocks}


def _is_result(block: object) -> bool:
    return isinstance(block, Mapping) and block.get("type") == "tool_result"


def _told(answer: Message, name: str) -> Message:
    """An answer of a tool, a text or a list of some, with their tags spelled out."""
    given = answer.get(name)
    told = [_spelled(each) for each in given] if isinstance(given, list) else _spelled(given)
    return answer if told == given else {**answer, name: told}


def _spelled(value: object) -> object:
    if isinstance(value, str):
        return spelled_out(value)
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        return {**value, "text": spelled_out(value["text"])}
    return value
