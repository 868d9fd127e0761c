"""A prompt before it takes the shape of one provider, and what it costs.

A message costs four tokens beside its words and a prompt three, as chat formats do; a call of a
tool costs eight beside its name and arguments, an image as many as the dearest provider asks. The
prompt as one text has to fit as well: the larger of the two counts.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from engram.context.message import (
    ASSISTANT,
    TOOL,
    USER,
    ChatMessage,
    Other,
    Part,
    ToolCall,
    ToolResult,
    Words,
)
from engram.memory.fencing import CLOSING, harmless, opening

Count = Callable[[str], int]
A_MESSAGE, A_PROMPT, A_CALL, AN_IMAGE = 4, 3, 8, 1_600
_IMAGES = frozenset({"image", "image_url", "input_image"})
BETWEEN = "\n\n"
_BEGINS = (Words("(the conversation begins)"),)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The system's words and the messages; what memory adds stands in them as words."""

    system: str
    front: str  # before everything that was said
    earlier: tuple[ChatMessage, ...]
    tail: str  # before what is answered
    answered: tuple[ChatMessage, ...]

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """All messages behind the system's, with what memory adds in its places."""
        answered = _with_words(self.answered, self.tail, before_last_person=True)
        found = _with_words((*self.earlier, *answered), self.front)
        # Anthropic refuses a conversation that the assistant begins.
        return found if found[0].role != ASSISTANT else (ChatMessage(USER, _BEGINS), *found)

    @property
    def text(self) -> str:
        """All of it as one text: what was said before stands between tags, an utterance a line."""
        said = "\n".join(_spoken(message) for message in self.earlier)
        if said:
            said = "\n".join([opening("the conversation so far"), said, CLOSING])
        first, rest = self.answered[0], self.answered[1:]
        answered = (_plain(first), *(_spoken(message) for message in rest))
        return BETWEEN.join(filter(None, (self.system, self.front, said, self.tail, *answered)))

    def tokens(self, count: Count, *, enough: int = 0) -> int:
        """What it takes, as messages or as one text.

        `enough` is for counters that never find more tokens than bytes: a text of no more bytes
        than that needs no counting.
        """
        system = A_MESSAGE + count(self.system) if self.system else 0
        said = A_PROMPT + system + sum(message_tokens(each, count) for each in self.messages)
        text = self.text
        if enough and len(text.encode("utf-8", "surrogatepass")) <= enough:
            return said
        return max(said, count(text))


def message_tokens(message: ChatMessage, count: Count) -> int:
    """What one message takes."""
    named = count(message.name) if message.name else 0
    rest = sum(_part_tokens(part, count) for part in message.parts)
    return A_MESSAGE + named + _words_tokens(message, count) + rest


def _words_tokens(message: ChatMessage, count: Count) -> int:
    """What its words take, sent as one text or as several."""
    texts = [part.text for part in message.parts if isinstance(part, Words) and part.text]
    if len(texts) < 2:
        return count(texts[0]) if texts else 0
    together = count(BETWEEN.join(texts))
    is_one = len(texts) == len(message.parts)
    return together if is_one else max(together, sum(map(count, texts)))


def messages_tokens(messages: Iterable[ChatMessage], count: Count) -> int:
    """What several messages take."""
    return sum(message_tokens(message, count) for message in messages)


def joined_words(message: ChatMessage) -> str:
    """The words of a message as they are sent: one text where there is nothing else in it."""
    texts = (part.text for part in message.parts if isinstance(part, Words))
    return BETWEEN.join(filter(None, texts))


def _part_tokens(part: Part, count: Count) -> int:
    match part:
        case Words():
            return 0
        case ToolCall(_, name, arguments):
            return A_CALL + count(name) + count(arguments)
        case ToolResult(_, text, _, given):
            images = _images_in(given)
            return A_CALL + count(text) + AN_IMAGE * images
        case Other(kind, _) if kind in _IMAGES:
            return AN_IMAGE
        case Other(_, given):
            return count(json.dumps(given, ensure_ascii=False))


def _images_in(given: object) -> int:
    parts = given if isinstance(given, list) else []
    return sum(isinstance(each, dict) and each.get("type") in _IMAGES for each in parts)


def _with_words(
    messages: tuple[ChatMessage, ...], words: str, *, before_last_person: bool = False
) -> tuple[ChatMessage, ...]:
    """The messages with words put before those of a person; where nobody spoke first, alone."""
    if not words:
        return messages
    place = _place(messages, before_last_person=before_last_person)
    if place is None:
        return (ChatMessage(USER, (Words(words),)), *messages)
    message = messages[place]
    added = replace(message, parts=(Words(words), *message.parts))
    return (*messages[:place], added, *messages[place + 1 :])


def _place(messages: tuple[ChatMessage, ...], *, before_last_person: bool) -> int | None:
    if before_last_person:
        places = [place for place, each in enumerate(messages) if each.is_from_person]
        return places[-1] if places else None
    return 0 if messages and messages[0].is_from_person else None


def _spoken(message: ChatMessage) -> str:
    """A message in one text: who speaks, and their words, each line of them harmless."""
    who = {USER: "user", ASSISTANT: "assistant", TOOL: "tool"}.get(message.role, message.role)
    named = f" {harmless(message.name)}" if message.name else ""
    return f"- {who}{named}, who said: {_plain(message, is_fenced=True)}"


def _plain(message: ChatMessage, *, is_fenced: bool = False) -> str:
    told = BETWEEN.join(_plain_part(part) for part in message.parts)
    if not is_fenced:
        return told
    lines = (f"{line[: len(line) - len(line.lstrip())]}{harmless(line)}" for line in _lines(told))
    return "\n".join(lines)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _plain_part(part: Part) -> str:
    match part:
        case Words(text):
            return text
        case ToolCall(_, name, arguments):
            return f"(uses {name}: {arguments})"
        case ToolResult(_, text, _, _):
            return f"(a tool gave back: {text})"
        case Other(kind, _):
            return f"({kind.replace('_', ' ')})"
