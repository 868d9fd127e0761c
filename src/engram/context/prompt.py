"""A prompt before it takes the shape of one provider: the words of all sides in their places, and
all of it as one text."""

from collections.abc import Iterable
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
from engram.memory.fencing import BRIEF_RULES, RULES, block, harmless

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
        said = said_so_far(map(spoken, self.earlier))
        answered = [
            BETWEEN.join(map(_plain, run)) if is_asked else block(map(spoken, run), about=_SINCE)
            for is_asked, run in groupby(self.answered, key=lambda each: each.is_from_person)
        ]
        is_fenced = bool(said) or not all(each.is_from_person for each in self.answered)
        system = with_rules(self.system) if is_fenced else self.system
        return BETWEEN.join(filter(None, (system, self.front, said, self.tail, *answered)))


def said_so_far(lines: Iterable[str]) -> str:
    """What was said before as it stands within one text."""
    return block(lines, about="the conversation so far")


def with_rules(system: str, rules: str = RULES) -> str:
    """The system's words, and how to take what is fenced."""
    if RULES in system or BRIEF_RULES in system:
        return system
    return BETWEEN.join(filter(None, (system, rules)))


def joined_words(message: ChatMessage) -> str:
    """The words of a message as they are sent: one text where there is nothing else in it."""
    texts = (part.text for part in message.parts if isinstance(part, Words))
    return BETWEEN.join(filter(None, texts))


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


def spoken(message: ChatMessage) -> str:
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
