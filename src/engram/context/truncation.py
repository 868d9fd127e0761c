"""Makes a conversation fit in the middle of an agent's loop: what is oldest goes, nothing breaks.

Messages are taken as the caller has them, in OpenAI's or Anthropic's shape or as items of OpenAI's
newer protocol, and given back in the same one. What never goes: the system prompt, the last thing
that was asked, and half of a tool's call and its answer.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TypeGuard

from engram.errors import InvalidInput
from engram.memory.fencing import TAG
from engram.memory.tokens.counter import TokenCounter

Message = Mapping[str, object]

_AROUND_A_MESSAGE = 4  # tokens that a chat template puts around each
_PICTURE = 1_600  # tokens of a large picture, whatever its bytes
_PICTURES = frozenset({"image", "image_url", "input_image"})
_SYSTEM = frozenset({"system", "developer"})
_SHORT = 256  # tokens that an old answer of a tool keeps
_LEAST = 16
_CLOSE = 0.02  # of a limit that a shortened text may stay below it
_HEAD = 0.6  # of what is kept of a long answer; the rest is its end, where results often stand
_NAMES = frozenset({"role", "content", "type", "id", "call_id", "tool_call_id", "status"})


@dataclass(frozen=True, slots=True)
class Fitted:
    """A conversation as it may be sent."""

    messages: tuple[Message, ...]
    tokens: int
    limit: int
    shortened: int = 0  # answers of tools that lost their middle
    dropped: int = 0  # messages that are left out

    @property
    def fits(self) -> bool:
        """Whether it is within the limit: what may never go can be too long by itself."""
        return self.tokens <= self.limit


@dataclass(slots=True)
class _Unit:
    """Messages that stay or go together."""

    places: list[int]
    is_fixed: bool = False


@dataclass(slots=True)
class _Draft:
    """A conversation on its way to become shorter."""

    messages: list[Message]
    counter: TokenCounter
    limit: int
    costs: list[int] = field(default_factory=list)
    tokens: int = 0
    gone: set[int] = field(default_factory=set)
    shortened: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.costs = [message_tokens(each, self.counter) for each in self.messages]
        self.tokens = sum(self.costs)

    @property
    def is_over(self) -> bool:
        return self.tokens > self.limit

    def shorten(self, places: Sequence[int], *, least: int) -> None:
        """Shorten what tools answered in some messages, the longest first and by no more than it
        takes; so many tokens of each are left in any case."""
        if not self.is_over:
            return
        sizes = [
            self.counter.count(text) for place in places for text in _outputs(self.messages[place])
        ]
        most = max(least, _level(sizes, sum(sizes) - (self.tokens - self.limit)))
        for place in places:
            before = self.messages[place]
            after = _with_outputs(before, lambda text: shortened_text(text, most, self.counter))
            if after != before:
                self._put(place, after)
                self.shortened.add(place)

    def put_back(self, places: Sequence[int], as_given: Sequence[Message]) -> None:
        """Take back what was shortened."""
        for place in self.shortened.intersection(places):
            self._put(place, as_given[place])
        self.shortened.difference_update(places)

    def _put(self, place: int, message: Message) -> None:
        self.messages[place] = message
        self.tokens -= self.costs[place]
        self.costs[place] = message_tokens(message, self.counter)
        self.tokens += self.costs[place]

    def drop(self, unit: _Unit) -> None:
        """Leave out what belongs together."""
        self.gone.update(unit.places)
        self.tokens -= sum(self.costs[place] for place in unit.places)

    def fitted(self) -> Fitted:
        kept = tuple(each for place, each in enumerate(self.messages) if place not in self.gone)
        return Fitted(
            kept, self.tokens, self.limit, len(self.shortened - self.gone), len(self.gone)
        )


def fit(messages: Sequence[Message], limit: int, counter: TokenCounter) -> Fitted:
    """The conversation within a limit of tokens, changed as little as that takes."""
    draft = _Draft([_checked(each) for each in messages], counter, limit)
    if not draft.is_over:
        return draft.fitted()
    units = _units(draft.messages)
    newest = _newest(units, draft.messages)
    as_given = list(draft.messages)
    small = max(_LEAST, min(_SHORT, limit // 8))
    for unit in (unit for unit in units if unit is not newest):
        for place in unit.places:
            draft.shorten([place], least=small)
    if newest is not None:
        # To half of the room before anything is left out.
        draft.shorten(newest.places, least=max(small, limit // 2 // len(newest.places)))
    loose = [unit for unit in units if unit is not newest and not unit.is_fixed]
    # What memory put in goes last: it stands in the oldest message, and is not the oldest news.
    _drop(sorted(loose, key=lambda unit: _bears_memories(unit, draft)), draft)
    if draft.gone:
        _begin_with_a_question(units, draft)
    if newest is not None:
        # Anew, from all of it: what was left out may have made room.
        draft.put_back(newest.places, as_given)
        draft.shorten(newest.places, least=small)
    return draft.fitted()


def message_tokens(message: Message, counter: TokenCounter) -> int:
    """What one message costs, with all it carries."""
    texts, pictures = _carried(message)
    return _AROUND_A_MESSAGE + _PICTURE * pictures + sum(counter.count(text) for text in texts)


def shortened_text(text: str, most: int, counter: TokenCounter) -> str:
    """The beginning and the end of a text in at most so many tokens; a note stands between."""
    count = counter.count(text)
    if count <= most:
        return text
    best, fitting, too_long = "", -1, len(text)
    kept = int(len(text) * most / count)
    while too_long - fitting > 1:
        told = _without_middle(text, kept)
        takes = counter.count(told)
        if takes > most:
            too_long = kept
        else:
            best, fitting = told, kept
            if most - takes <= most * _CLOSE:
                break
        # Where it would just fit if all of it were alike; halfway where that leads nowhere.
        guess = int(kept * most * (1 - _CLOSE / 2) / max(1, takes))
        kept = guess if fitting < guess < too_long else (fitting + too_long) // 2
    return best


def _without_middle(text: str, kept: int) -> str:
    head = ceil(kept * _HEAD)
    tail = kept - head
    return f"{text[:head]}\n[{len(text) - kept} characters left out]\n{text[len(text) - tail :]}"


def _level(sizes: Sequence[int], room: int) -> int:
    """The most that each may keep for all to have room, where the short ones keep all of it."""
    left = room
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return max(0, share)
        left -= size
    return max(sizes, default=0)


def _drop(units: Sequence[_Unit], draft: _Draft) -> None:
    for unit in units:
        if not draft.is_over:
            return
        draft.drop(unit)


def _bears_memories(unit: _Unit, draft: _Draft) -> bool:
    texts = (text for place in unit.places for text in _carried(draft.messages[place])[0])
    return any(f"<{TAG}" in text for text in texts)


def _begin_with_a_question(units: Sequence[_Unit], draft: _Draft) -> None:
    """Let no answer stand first whose question is gone: some servers refuse that."""
    left = [unit for unit in units if unit.places[0] not in draft.gone]
    talk = [unit for unit in left if not _is_system(draft.messages[unit.places[0]])]
    if not any(unit.is_fixed for unit in talk):
        return  # nobody asked anything
    for unit in talk:
        if unit.is_fixed or _is_question(draft.messages[unit.places[0]]):
            return
        draft.drop(unit)


def _newest(units: Sequence[_Unit], messages: Sequence[Message]) -> _Unit | None:
    """What came last since somebody asked: the model has just waited for it."""
    asked = _last_asked(messages)
    since = [unit for unit in units if not unit.is_fixed and unit.places[-1] > asked]
    return since[-1] if since else None


def _last_asked(messages: Sequence[Message]) -> int:
    return max((place for place, each in enumerate(messages) if _is_question(each)), default=-1)


def _units(messages: Sequence[Message]) -> list[_Unit]:
    """What stays or goes together, in order: a call and its answers are one."""
    units: list[_Unit] = []
    by_call: dict[str, _Unit] = {}
    last_asked = _last_asked(messages)
    for place, message in enumerate(messages):
        calls, answers = _calls(message), _answers(message)
        unit = next((by_call[each] for each in answers if each in by_call), None)
        if unit is None:
            unit = _Unit([])
            units.append(unit)
        unit.places.append(place)
        for each in answers:
            _join(unit, by_call.get(each), units, by_call)
        unit.is_fixed = unit.is_fixed or place == last_asked or _is_system(message)
        by_call.update(dict.fromkeys(calls, unit))
    return units


def _join(unit: _Unit, other: _Unit | None, units: list[_Unit], by_call: dict[str, _Unit]) -> None:
    """Make one of two units that a message answers at once."""
    if other is None or other is unit:
        return
    unit.places[:] = sorted({*unit.places, *other.places})
    unit.is_fixed = unit.is_fixed or other.is_fixed
    units.remove(other)
    for call, owner in by_call.items():
        if owner is other:
            by_call[call] = unit


def _is_system(message: Message) -> bool:
    return message.get("role") in _SYSTEM


def _is_question(message: Message) -> bool:
    """Whether somebody asks here, and not only a tool answers."""
    if message.get("role") != "user":
        return False
    blocks = _blocks(message.get("content"))
    return not blocks or any(block.get("type") != "tool_result" for block in blocks)


def _calls(message: Message) -> list[str]:
    called = [_named(each, "id") for each in _mappings(message.get("tool_calls"))]
    blocks = _blocks(message.get("content"))
    called += [_named(each, "id") for each in blocks if each.get("type") == "tool_use"]
    if message.get("type") == "function_call":
        called.append(_named(message, "call_id"))
    return [each for each in called if each]


def _answers(message: Message) -> list[str]:
    blocks = _blocks(message.get("content"))
    found = [_named(each, "tool_use_id") for each in blocks if each.get("type") == "tool_result"]
    if message.get("role") == "tool":
        found.append(_named(message, "tool_call_id"))
    if message.get("type") == "function_call_output":
        found.append(_named(message, "call_id"))
    return [each for each in found if each]


def _named(message: Message, name: str) -> str:
    value = message.get(name)
    return value if isinstance(value, str) else ""


def _mappings(value: object) -> list[Message]:
    return [each for each in value if isinstance(each, Mapping)] if _is_list(value) else []


def _blocks(content: object) -> list[Message]:
    return _mappings(content)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple)


def _carried(message: Message) -> tuple[list[str], int]:
    """Every text of a message, and how many pictures it shows."""
    texts: list[str] = []
    pictures = _carry(message.get("content"), texts)
    for name, value in message.items():
        if name not in _NAMES:
            pictures += _carry(value, texts)
    return texts, pictures


def _carry(value: object, texts: list[str]) -> int:
    if isinstance(value, str):
        texts.append(value)
        return 0
    if _is_list(value):
        return sum(_carry(each, texts) for each in value)
    if isinstance(value, Mapping):
        if value.get("type") in _PICTURES:
            return 1
        inner = [each for name, each in value.items() if name not in _NAMES or name == "content"]
        return sum(_carry(each, texts) for each in inner)
    if value is not None:
        texts.append(json.dumps(value, default=str))
    return 0


def _with_outputs(message: Message, change: Callable[[str], str]) -> Message:
    """The message with what tools answered in it changed; all else is as it was."""
    if message.get("role") == "tool":
        return {**message, "content": _changed(message.get("content"), change)}
    if message.get("type") == "function_call_output":
        return {**message, "output": _changed(message.get("output"), change)}
    blocks = message.get("content")
    if not _is_list(blocks) or not _answers(message):
        return message
    return {**message, "content": [_changed_block(block, change) for block in blocks]}


def _outputs(message: Message) -> list[str]:
    """What tools answered in a message, text by text."""
    found: list[str] = []

    def noted(text: str) -> str:
        found.append(text)
        return text

    _with_outputs(message, noted)
    return found


def _changed_block(block: object, change: Callable[[str], str]) -> object:
    if not isinstance(block, Mapping) or block.get("type") != "tool_result":
        return block
    return {**block, "content": _changed(block.get("content"), change)}


def _changed(content: object, change: Callable[[str], str]) -> object:
    if isinstance(content, str):
        return change(content)
    if not _is_list(content):
        return content
    return [
        {**each, "text": change(each["text"])}
        if isinstance(each, Mapping) and isinstance(each.get("text"), str)
        else each
        for each in content
    ]


def _checked(message: object) -> Message:
    if not isinstance(message, Mapping):
        raise InvalidInput(hint="`messages` is a list of dictionaries with `role` and `content`.")
    return message
