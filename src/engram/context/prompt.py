"""A prompt before it takes the shape of one provider, and what it costs.

A message costs four tokens beside its words and a prompt three, as chat formats do; a call of a
tool costs eight beside its id, name and arguments, the bytes of an image as many as the dearest
provider asks, and everything else what it takes as it is written. The prompt as one text has to fit
as well: the larger of the two counts.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

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
from engram.memory.fencing import RULES, block, harmless

Count = Callable[[str], int]
A_MESSAGE, A_PROMPT, A_CALL, AN_IMAGE = 4, 3, 8, 1_600
BETWEEN = "\n\n"
_SINCE = "what came of it so far"
_FURTHER = "  "  # before each further line of an utterance: only another one begins with a dash
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
        said = block(map(_spoken, self.earlier), about="the conversation so far")
        answered = [
            BETWEEN.join(map(_plain, run)) if is_asked else block(map(_spoken, run), about=_SINCE)
            for is_asked, run in groupby(self.answered, key=lambda each: each.is_from_person)
        ]
        is_fenced = bool(said) or not all(each.is_from_person for each in self.answered)
        system = with_rules(self.system) if is_fenced else self.system
        return BETWEEN.join(filter(None, (system, self.front, said, self.tail, *answered)))

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


def with_rules(system: str) -> str:
    """The system's words, and how to take what is fenced."""
    return system if RULES in system else BETWEEN.join(filter(None, (system, RULES)))


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
        case ToolCall(id_, name, arguments):
            return A_CALL + count(id_) + count(name) + count(arguments)
        case ToolResult(call_id, text, _, given):
            # One format sends the text of it, the other all that the tool gave.
            told = count(text) if given is None else max(count(text), _given_tokens(given, count))
            return A_CALL + count(call_id) + told
        case Other(_, given):
            return _given_tokens(given, count)


def _given_tokens(given: object, count: Count) -> int:
    """What something takes that is sent as it came: all of it but the bytes of images."""
    images: list[object] = []
    rest = _without_images(given, images)
    return count(json.dumps(rest, ensure_ascii=False)) + AN_IMAGE * len(images)


def _without_images(given: object, images: list[object]) -> object:
    """The same without the bytes or the address of each image, which is noted."""
    if isinstance(given, list):
        return [_without_images(each, images) for each in given]
    if not isinstance(given, Mapping):
        return given
    seen = _image_place(given)
    if seen:
        images.append(given)
    return {
        key: _bare(value, seen) if seen and key == seen[0] else _without_images(value, images)
        for key, value in given.items()
    }


def _image_place(given: Mapping[str, object]) -> tuple[str, str] | None:
    """Under which names the bytes or the address of an image stand, where it is one."""
    kind, source = given.get("type"), given.get("source")
    if kind in ("image_url", "input_image"):
        return "image_url", "url"
    if kind == "image" and isinstance(source, Mapping):
        named = {"base64": "data", "url": "url"}.get(str(source.get("type")))
        return ("source", named) if named else None
    return None


def _bare(value: object, seen: tuple[str, str]) -> object:
    if isinstance(value, Mapping):
        return {name: each for name, each in value.items() if name != seen[1]}
    return "" if isinstance(value, str) else value


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
    who = {USER: "the user", ASSISTANT: "the assistant", TOOL: "a tool"}
    named = f" ({harmless(message.name)})" if message.name else ""
    told = _plain(message, is_fenced=True)
    return f"- {who.get(message.role, message.role)}{named} said: {told}"


def _plain(message: ChatMessage, *, is_fenced: bool = False) -> str:
    told = BETWEEN.join(_plain_part(part) for part in message.parts)
    return f"\n{_FURTHER}".join(map(_harmless_line, told.splitlines())) if is_fenced else told


def _harmless_line(line: str) -> str:
    """A line that speaks for nobody, as far to the right as it stood."""
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return indent + harmless(line)


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
