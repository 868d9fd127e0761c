"""Makes a conversation fit in the middle of an agent's loop: what is oldest goes, nothing breaks.

Messages are taken as the caller has them, in OpenAI's or Anthropic's shape or as items of OpenAI's
newer protocol, and given back in the same one. What never goes: the system prompt, the last thing
that was asked, and half of a tool's call and its answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from engram.context.call_arguments import level, shortened_arguments
from engram.context.cost import carried, message_tokens
from engram.context.tool_texts import Message as Message
from engram.context.tool_texts import (
    answered_ids,
    call_ids,
    called,
    is_list,
    mappings,
    named,
    outputs,
    with_calls,
    with_outputs,
)
from engram.errors import InvalidInput
from engram.memory.fencing import TAG
from engram.memory.tokens.counter import TokenCounter

_SYSTEM = frozenset({"system", "developer"})
_SHORT = 256  # tokens that an old answer of a tool keeps
_LEAST = 16
_CLOSE = 0.02  # of a limit that a shortened text may stay below it
_HEAD = 0.6  # of what is kept of a long answer; the rest is its end, where results often stand
_LEFT_OUT = "[left out]"
_NOTHING_LEFT = "…"  # some servers refuse a text that is empty
_DEEPEST = 100  # lists and dictionaries within each other; nobody's messages have more


@dataclass(frozen=True, slots=True)
class Fitted:
    """A conversation as it may be sent."""

    messages: tuple[Message, ...]
    tokens: int
    limit: int
    shortened: int = 0  # messages in which what a tool answered or was asked lost a part
    dropped: int = 0  # messages that are left out
    why: str = ""  # it is too long all the same

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
    why: str = ""

    def __post_init__(self) -> None:
        self.costs = [message_tokens(each, self.counter.count) for each in self.messages]
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
            self.counter.count(text) for place in places for text in outputs(self.messages[place])
        ]
        most = max(least, level(sizes, sum(sizes) - (self.tokens - self.limit)))
        for place in places:
            before = self.messages[place]
            after = with_outputs(before, lambda text: shortened_text(text, most, self.counter))
            if after != before:
                self._put(place, after)
                self.shortened.add(place)

    def squeeze(self, places: Sequence[int], room: int) -> None:
        """Let some messages have so much room: what tools answered and were asked shares it."""
        counter = self.counter
        now = [self.messages[place] for place in places]
        sizes = [counter.count(text) for each in now for text in called(each)]
        bare = (with_calls(each, _nothing, _nothing) for each in now)
        room -= sum(message_tokens(each, counter.count) for each in bare)
        most = level(sizes, room)
        stub = _LEFT_OUT if room <= 0 or counter.count(_LEFT_OUT) <= most else _NOTHING_LEFT
        for place, before in zip(places, now, strict=True):
            after = with_calls(
                before,
                lambda text: text and (shortened_text(text, most, counter) or stub),
                lambda text: shortened_arguments(text, most, counter, shortened_text),
            )
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
        self.costs[place] = message_tokens(message, self.counter.count)
        self.tokens += self.costs[place]

    def drop(self, unit: _Unit) -> None:
        """Leave out what belongs together."""
        self.gone.update(unit.places)
        self.tokens -= sum(self.costs[place] for place in unit.places)

    def bring_back(self, unit: _Unit) -> bool:
        """Put back what was left out, if there is room for it."""
        cost = sum(self.costs[place] for place in unit.places)
        if self.tokens + cost > self.limit:
            return False
        self.gone.difference_update(unit.places)
        self.tokens += cost
        return True

    def fitted(self) -> Fitted:
        kept = tuple(each for place, each in enumerate(self.messages) if place not in self.gone)
        return Fitted(
            kept, self.tokens, self.limit, len(self.shortened - self.gone), len(self.gone),
            self.why,
        )  # fmt: skip


def fit(messages: Sequence[Message], limit: int, counter: TokenCounter) -> Fitted:
    """The conversation within a limit of tokens, changed as little as that takes."""
    draft = _Draft(_checked(messages), counter, limit)
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
    if newest is not None and draft.is_over:
        draft.squeeze(newest.places, limit // 2)
    loose = [unit for unit in units if unit is not newest and not unit.is_fixed]
    # What memory put in goes last: it stands in the oldest message, and is not the oldest news.
    _drop(sorted(loose, key=lambda unit: _bears_memories(unit, draft)), draft)
    if draft.gone:
        _begin_with_a_question(units, draft)
    if newest is not None:
        # Anew, from all of it: what was left out may have made room.
        draft.put_back(newest.places, as_given)
        draft.shorten(newest.places, least=small)
    if draft.is_over:
        _squeeze(units, draft, as_given)
    return draft.fitted()


def _squeeze(units: Sequence[_Unit], draft: _Draft, as_given: Sequence[Message]) -> None:
    """Let what is left share the limit, however little each then has; or say why it cannot."""
    left = [place for place in range(len(as_given)) if place not in draft.gone]
    draft.put_back(left, as_given)
    draft.squeeze(left, draft.limit)
    if draft.is_over:
        fixed = [place for unit in units if unit.is_fixed for place in unit.places]
        is_fixed_alone = sum(draft.costs[place] for place in fixed) > draft.limit
        draft.why = (
            "the system prompt and the question alone are too long"
            if is_fixed_alone
            else "what came last is too long, even with its tools' answers and arguments left out"
        )


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


def _drop(units: Sequence[_Unit], draft: _Draft) -> None:
    for unit in units:
        if not draft.is_over:
            return
        draft.drop(unit)


def _bears_memories(unit: _Unit, draft: _Draft) -> bool:
    texts = (text for place in unit.places for text in carried(draft.messages[place]).texts)
    return any(f"<{TAG}" in text for text in texts)


def _begin_with_a_question(units: Sequence[_Unit], draft: _Draft) -> None:
    """Let no answer stand first whose question is gone: some servers refuse that.

    The question comes back where there is room for it; otherwise the answer goes, too.
    """
    left = [unit for unit in units if unit.places[0] not in draft.gone]
    talk = [unit for unit in left if not _is_system(draft.messages[unit.places[0]])]
    if not any(unit.is_fixed for unit in talk):
        return  # nobody asked anything
    for unit in talk:
        if unit.is_fixed or _is_question(draft.messages[unit.places[0]]):
            return
        asked = _question_before(unit, units, draft)
        if asked is not None and draft.bring_back(asked):
            return
        draft.drop(unit)


def _question_before(unit: _Unit, units: Sequence[_Unit], draft: _Draft) -> _Unit | None:
    """The last question before an answer."""
    before = [each for each in units if each.places[0] < unit.places[0]]
    asked = [each for each in before if _is_question(draft.messages[each.places[0]])]
    return asked[-1] if asked else None


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
        calls, answers = call_ids(message), answered_ids(message)
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
    return named(message, "role") in _SYSTEM


def _is_question(message: Message) -> bool:
    """Whether somebody asks here, and not only a tool answers."""
    if message.get("role") != "user":
        return False
    blocks = mappings(message.get("content"))
    return not blocks or any(block.get("type") != "tool_result" for block in blocks)


def _nothing(_: str) -> str:
    return ""


def _checked(messages: object) -> list[Message]:
    """The messages, when they are some and can be looked through to their end."""
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
        raise InvalidInput(hint="`messages` is a list of dictionaries with `role` and `content`.")
    found = mappings(list(messages))
    if len(found) < len(messages):
        raise InvalidInput(hint="`messages` is a list of dictionaries with `role` and `content`.")
    inside: list[tuple[object, int]] = [(each, 1) for each in found]
    while inside:
        value, depth = inside.pop()
        if depth > _DEEPEST:
            raise InvalidInput(hint=f"A message is nested more than {_DEEPEST} deep.")
        held = list(value.values()) if isinstance(value, Mapping) else value
        if is_list(held):
            inside += [(each, depth + 1) for each in held]
    return found
