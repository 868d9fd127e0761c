"""One message of a conversation, whichever chat format it came in.

The formats of OpenAI and Anthropic are both read. What is not known (images, thinking, files) is
kept as it came, so that nothing is lost on the way to the model it was made for.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engram.context.old_calls import with_ids
from engram.errors import ContentTooLarge, InvalidInput
from engram.memory.fencing import (
    BRIEF_RULES,
    RULES,
    spelled_out,
    without_blocks,
    without_leading_blocks,
)
from engram.providers.embedder import well_formed

Json = Mapping[str, object]
SYSTEM, USER, ASSISTANT, TOOL = "system", "user", "assistant", "tool"
_ROLES = {
    "system": SYSTEM, "developer": SYSTEM, "user": USER, "human": USER, "assistant": ASSISTANT,
    "model": ASSISTANT, "ai": ASSISTANT, "tool": TOOL, "function": TOOL,
}  # fmt: skip
_TEXTS = frozenset({"text", "input_text", "output_text"})
_MOST_MESSAGES = 100_000
_DEEPEST = 100  # levels of lists and objects
_MOST_BYTES = 64 * 1024 * 1024  # images included; more than that no model takes


@dataclass(frozen=True, slots=True)
class Words:
    """Text that somebody wrote."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """That a model wants a tool used; arguments as JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back."""

    call_id: str
    text: str
    is_error: bool = False
    given: object = field(default=None, compare=False)  # where it is more than text: as it came


@dataclass(frozen=True, slots=True)
class Other:
    """A part of another kind, as it came."""

    kind: str
    given: Json = field(compare=False)


Part = Words | ToolCall | ToolResult | Other


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """What one side said at one point of a conversation."""

    role: str
    parts: tuple[Part, ...]
    name: str | None = None
    at: str | None = None  # when it was said, as the caller wrote it

    @property
    def text(self) -> str:
        """What was said in words."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Words))

    @property
    def is_from_person(self) -> bool:
        """Whether a person speaks, and not a tool in the person's place (Anthropic's format)."""
        return self.role == USER and any(not isinstance(part, ToolResult) for part in self.parts)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tools that it asks for."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """What tools gave back in it."""
        return tuple(part for part in self.parts if isinstance(part, ToolResult))


def message_of(role: str, text: str) -> ChatMessage:
    """A message that is nothing but text."""
    return ChatMessage(role, (Words(text),))


def read_messages(given: object, system: str = "") -> tuple[ChatMessage, ...]:
    """Check and read a conversation; what Engram put into it before is taken out again.

    A text by itself is one message of a person.

    Engram puts no block into a prompt without the rules for reading it. Where they stand neither in
    `system` nor among the messages, a block before the words to be answered is what the person
    wrote: it is kept, spelled out.
    """
    if isinstance(given, str) and given.strip():
        given = [{"role": USER, "content": given}]
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence):
        raise InvalidInput(
            hint='`messages` is a list of {"role": …, "content": …}, or the text of one message.'
        )
    if len(given) > _MOST_MESSAGES:
        raise ContentTooLarge(hint=f"`messages` may hold {_MOST_MESSAGES:,} messages.")
    copied = with_ids(_copied(given))
    own = None if _holds_rules(system) or _has_rules(copied) else _last_asked(copied)
    return tuple(_read(each, is_own=place == own) for place, each in enumerate(copied))


def _has_rules(copied: Sequence[object]) -> bool:
    return any(
        isinstance(each, Mapping)
        and _role(each) == SYSTEM
        and _holds_rules(_told(each.get("content")))
        for each in copied
    )


def _holds_rules(text: str) -> bool:
    return RULES in text or BRIEF_RULES in text


def _last_asked(copied: Sequence[object]) -> int | None:
    """Where a person spoke last."""
    for place in range(len(copied) - 1, -1, -1):
        if _read(copied[place], is_own=True).is_from_person:
            return place
    return None


def _copied(given: Sequence[object]) -> list[object]:
    """A copy nobody else changes, of values that can be sent."""
    try:
        written = json.dumps(list(given), default=str, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput(hint="`messages` holds something that is no JSON.") from None
    if len(written) > _MOST_BYTES:
        raise ContentTooLarge(hint=f"`messages` may hold {_MOST_BYTES:,} characters.")
    copied: list[object] = json.loads(well_formed(written), parse_constant=str)
    if is_too_deep(copied):
        raise InvalidInput(hint=f"`messages` may be nested {_DEEPEST} levels deep.")
    return copied


def is_too_deep(given: object) -> bool:
    """Whether something is nested deeper than anybody who reads it further could follow."""
    level = [given]
    for _ in range(_DEEPEST):
        level = [each for outer in level for each in _inner(outer)]
        if not level:
            return False
    return True


def _inner(given: object) -> Iterable[object]:
    if isinstance(given, Mapping):
        return given.values()
    return given if isinstance(given, list) else ()


def whole(given: object) -> object:
    """The same without what nobody could send: halves of characters, and NaN, which is no JSON."""
    return json.loads(well_formed(json.dumps(given, ensure_ascii=False)), parse_constant=str)


def _role(given: Json) -> str | None:
    return _ROLES.get(str(given.get("role", "")).lower())


def _read(given: object, *, is_own: bool) -> ChatMessage:
    """One message; `is_own`: all of it is its speaker's, and nothing was put before it."""
    if not isinstance(given, Mapping):
        raise InvalidInput(hint='A message is {"role": …, "content": …}.')
    role = _role(given)
    if role is None:
        raise InvalidInput(hint="A message's `role` is system, user, assistant or tool.")
    name, at = given.get("name"), given.get("timestamp") or given.get("at")
    return ChatMessage(
        role,
        tuple(_parts(given, role, is_own=is_own)),
        spelled_out(name) if isinstance(name, str) and name else None,
        at if isinstance(at, str) and at else None,
    )


def _parts(given: Json, role: str, *, is_own: bool) -> Iterator[Part]:
    content = given.get("content")
    if role == TOOL:
        called = given.get("tool_call_id") or given.get("name") or ""
        yield ToolResult(_name(called), _told(content), given=_if_more_than_text(content))
        return
    if isinstance(content, str):
        text = _said(content, role, is_own=is_own)
        if text:
            yield Words(text)
    elif isinstance(content, Sequence):
        yield from (_part(each, role, is_own=is_own) for each in content)
    elif content is not None:
        raise InvalidInput(hint="A message's `content` is text or a list of parts.")
    refusal = given.get("refusal")
    if isinstance(refusal, str) and refusal:
        yield Words(spelled_out(refusal))
    calls = given.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        yield _call(call)


def _said(text: str, role: str, *, is_own: bool) -> str:
    """What somebody said, without what Engram put before it: it does so for nobody but people, and
    those who call it may have put its blocks among the system's words. No other tag is believed."""
    if role == USER and not is_own:
        text = without_leading_blocks(text)
    elif role == SYSTEM:
        text = without_blocks(text)
    return spelled_out(text)


def _part(given: object, role: str, *, is_own: bool) -> Part:
    if isinstance(given, str):
        return Words(_said(given, role, is_own=is_own))
    if not isinstance(given, Mapping):
        raise InvalidInput(hint="A part of a message's `content` is an object with a `type`.")
    kind = str(given.get("type", ""))
    text = given.get("refusal" if kind == "refusal" else "text")
    if (kind in _TEXTS or kind == "refusal") and isinstance(text, str):
        return Words(_said(text, role, is_own=is_own))
    if kind == "tool_use":
        return _tool_call(given.get("id"), given.get("name"), given.get("input", {}))
    if kind == "tool_result":
        is_error, content = given.get("is_error") is True, given.get("content")
        called = _name(given.get("tool_use_id"))
        return ToolResult(called, _told(content), is_error, _if_more_than_text(content))
    return Other(spelled_out(kind) or "part", _disarmed_object(given))


def _call(given: object) -> ToolCall:
    if not isinstance(given, Mapping):
        raise InvalidInput(hint="A tool call is an object with an `id` and a `function`.")
    function = given.get("function")
    called: Json = function if isinstance(function, Mapping) else given
    return _tool_call(given.get("id"), called.get("name"), called.get("arguments", "{}"))


def _tool_call(call_id: object, name: object, arguments: object) -> ToolCall:
    """A call in which no tag is believed; arguments that come as text stay as they were written."""
    if isinstance(arguments, str):
        written = spelled_out(arguments)
    else:
        written = json.dumps(disarmed(arguments), ensure_ascii=False, sort_keys=True)
    return ToolCall(_name(call_id), _name(name), written)


def _name(given: object) -> str:
    return "" if given is None else spelled_out(str(given))


def _if_more_than_text(content: object) -> object:
    """What a tool gave back as it came, where that is more than text; no tag in it is believed."""
    parts = content if isinstance(content, list) else []
    return disarmed(content) if any(map(_is_more_than_text, parts)) else None


def _is_more_than_text(part: object) -> bool:
    return isinstance(part, Mapping) and str(part.get("type")) not in _TEXTS


def disarmed(given: object) -> object:
    """The same with every tag in it spelled out, in names and in values."""
    if isinstance(given, str):
        return spelled_out(given)
    if isinstance(given, list):
        return [disarmed(each) for each in given]
    return _disarmed_object(given) if isinstance(given, Mapping) else given


def _disarmed_object(given: Json) -> Json:
    return {spelled_out(key): disarmed(value) for key, value in given.items()}


def _told(content: object) -> str:
    """What a tool gave back, in words; a part that is none is named."""
    if content is None:
        return ""
    if isinstance(content, str):
        return spelled_out(content)
    if isinstance(content, Sequence):
        return spelled_out("\n".join(_told_part(each) for each in content))
    return spelled_out(json.dumps(content, ensure_ascii=False))


def _told_part(part: object) -> str:
    if isinstance(part, Mapping):
        text = part.get("text")
        return text if isinstance(text, str) else f"({part.get('type') or 'part'})"
    return str(part)
