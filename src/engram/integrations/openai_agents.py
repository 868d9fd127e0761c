"""A session for the OpenAI Agents SDK: the conversation is kept, and Engram learns from it.

`EngramSession` meets the SDK's `Session` protocol and imports nothing of it. The items of a
session are events of an episode that goes on, in order and word for word. Popping and clearing add
an event that says so: nothing is destroyed, and `engram.undo(session.last_change)` takes it back.
What was observed of them stays known: `engram.forget` is for that.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from engram import AsyncEngram, Engram, Scope
from engram.engine.turn_words import keepable
from engram.errors import ContentTooLarge, InvalidInput
from engram.integrations.opened import opened
from engram.memory.episodes.episode import Episode
from engram.memory.episodes.events import Custom
from engram.memory.jsons import Json, JsonObject

if TYPE_CHECKING:
    # Known to type checkers that have the SDK; the session itself does without.
    from agents.memory import SessionSettings

SessionItem = dict[str, object]

_TASK = "openai-agents session"  # what such an episode is about
_ITEM, _PIECE, _POPPED, _CLEARED = "item", "piece", "popped", "cleared"
_PIECE_CHARACTERS = 12_000  # an event holds 65,536 bytes, and a character has four at most
_CUT, _ESCAPED = "$pieces", "$escaped"  # stand for a text too long for one event, or not sound
_PAGE = 5_000
_MOST_EPISODES = 1_000
_SPEAKERS = frozenset({"user", "assistant"})
_T = TypeVar("_T")


class EngramSession:
    """The history of one conversation, in Engram.

    What people and the model say is observed as well, so that it is known in other sessions; with
    `learns=False` it is kept in this one alone.
    """

    session_settings: "SessionSettings | None" = None

    def __init__(
        self,
        session_id: str,
        engram: Engram | AsyncEngram,
        *,
        scope: Scope | None = None,
        learns: bool = True,
    ) -> None:
        self.session_id = session_id
        self.last_change: str | None = None  # what `engram.undo` takes to undo the last call
        self._engram = opened(engram)
        self._scope = scope
        self._learns = learns
        self._one_at_a_time = asyncio.Lock()

    async def get_items(self, limit: int | None = None) -> list[SessionItem]:
        """The conversation so far, or its last items, in order."""
        if limit is not None and (isinstance(limit, bool) or limit < 0):
            raise InvalidInput(hint="`limit` is a number of items from 0.")
        items = await self._in_turn(self._items)
        if limit is None:
            return items
        return items[-limit:] if limit else []

    async def add_items(self, items: Sequence[Mapping[str, object]]) -> None:
        """Add to the conversation; all of the items or none."""
        checked = [_checked(each) for each in items]
        if checked:
            await self._in_turn(lambda: self._add(checked))

    async def pop_item(self) -> SessionItem | None:
        """Take back the last item, and return it."""
        return await self._in_turn(self._pop)

    async def clear_session(self) -> None:
        """Begin anew under the same name."""
        await self._in_turn(self._clear)

    async def _in_turn(self, work: Callable[[], _T]) -> _T:
        """Work in a thread, one call after the other; one that was begun is finished."""
        async with self._one_at_a_time:
            running = asyncio.ensure_future(asyncio.to_thread(work))
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                await asyncio.wait({running})
                raise

    def _add(self, items: Sequence[JsonObject]) -> None:
        self._note([event for item in items for event in _events(item)])
        told = [turn for item in items if self._learns and (turn := self._turn(item))]
        if told:
            self._engram.observe_many(told)

    def _turn(self, item: Mapping[str, object]) -> dict[str, object] | None:
        text = said_in(item)
        if item.get("role") not in _SPEAKERS or not _is_sound(text):
            return None
        return {
            "text": keepable(text, self._engram.settings.capture.max_input_bytes),
            "role": item["role"], "session": self.session_id, "scope": self._scope,
        }  # fmt: skip

    def _pop(self) -> SessionItem | None:
        items = self._items()
        if not items:
            return None
        self._note([Custom(_POPPED)])
        return items[-1]

    def _clear(self) -> None:
        if self._items():
            self._note([Custom(_CLEARED)])

    def _note(self, events: Sequence[Custom]) -> None:
        known = self._episodes()
        if known and self._is_added(known[-1], events):
            return
        begun = self._engram.episodes.begin(
            {"text": f"Conversation {self.session_id}, part {len(known) + 1}", "task": _TASK},
            session=self.session_id, caused_by=[each.id for each in known[-1:]], scope=self._scope,
        )  # fmt: skip
        self._is_added(begun, events, is_first=True)

    def _is_added(
        self, episode: Episode, events: Sequence[Custom], *, is_first: bool = False
    ) -> bool:
        try:
            added = self._engram.episodes.add(episode.id, list(events), scope=self._scope)
        except ContentTooLarge:
            if is_first:
                raise
            return False  # the episode is full: the conversation goes on in another
        self.last_change = added.change_id
        return True

    def _episodes(self) -> list[Episode]:
        found = self._engram.episodes.list(
            session=self.session_id, faded=True, limit=_MOST_EPISODES, scope=self._scope
        )
        # A session of the same name in a wider scope is another conversation.
        place = self._engram.principal.write_scope(self._scope)
        here = [each for each in found if each.memory.scope == place and each.is_ongoing]
        own = [each for each in here if each.situation.task == _TASK]
        return sorted(own, key=lambda each: each.memory.number)

    def _items(self) -> list[SessionItem]:
        items: list[SessionItem] = []
        pieces: list[str] = []
        for event in self._all_events():
            match event.type_name, event.content:
                case "piece", str(text):
                    pieces.append(text)
                case "item", Mapping() as item:
                    items.append({name: _whole(value, pieces) for name, value in item.items()})
                    pieces.clear()
                case "popped", _:
                    items = items[:-1]
                case "cleared", _:
                    items = []
        return items

    def _all_events(self) -> Iterator[Custom]:
        for episode in self._episodes():
            after = 0
            while True:
                page = self._engram.episodes.events(
                    episode.id, after=after, limit=_PAGE, scope=self._scope
                )
                for each in page.events:
                    after = each.sequence
                    if isinstance(each.event.happening, Custom):
                        yield each.event.happening
                if len(page.events) < _PAGE:
                    break


def said_in(item: Mapping[str, object]) -> str:
    """What is said in words in an item of a conversation."""
    content = item.get("content")
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list | tuple) else ()
    texts = [block.get("text") for block in blocks if isinstance(block, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _checked(item: object) -> JsonObject:
    """An item as it can be kept: plain JSON, which no one changes any more."""
    try:
        if isinstance(item, Mapping):
            copied: JsonObject = json.loads(json.dumps(item, allow_nan=False))
            return copied
    except (TypeError, ValueError):
        pass
    raise InvalidInput(hint="An item of a session is a dictionary of plain JSON.")


def _events(item: JsonObject) -> list[Custom]:
    """An item as one event; texts that are too long for one go before it in pieces."""
    pieces: list[str] = []
    short = {name: _cut(value, pieces) for name, value in item.items()}
    return [*(Custom(_PIECE, piece) for piece in pieces), Custom(_ITEM, short)]


def _cut(value: Json, pieces: list[str]) -> Json:
    if isinstance(value, str):
        return _cut_text(value, pieces)
    if isinstance(value, Mapping):
        if _CUT in value or _ESCAPED in value:
            return {_ESCAPED: _cut_text(json.dumps(value), pieces)}
        return {name: _cut(each, pieces) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(each, pieces) for each in value]
    return value


def _cut_text(text: str, pieces: list[str]) -> Json:
    if text and not _is_sound(text):
        return {_ESCAPED: json.dumps(text)}  # no text of a memory, but of a conversation it may be
    if len(text) <= _PIECE_CHARACTERS:
        return text
    cut = [text[i : i + _PIECE_CHARACTERS] for i in range(0, len(text), _PIECE_CHARACTERS)]
    if not all(piece.strip() for piece in cut):
        return {_ESCAPED: _cut_text(json.dumps(text), pieces)}
    pieces += cut
    return {_CUT: [len(pieces) - len(cut), len(pieces)]}


def _is_sound(text: str) -> bool:
    """Whether a text can be that of a memory: it says something, and can be written down."""
    is_broken = any(each == "\x00" or "\ud800" <= each <= "\udfff" for each in text)
    return bool(text.strip()) and not is_broken


def _whole(value: Json, pieces: Sequence[str]) -> Json:
    """A value with its texts as they were."""
    match value:
        case {"$pieces": [int(start), int(end)]}:
            return "".join(pieces[start:end])
        case {"$escaped": written}:
            found: Json = json.loads(str(_whole(written, pieces)))
            return found
        case Mapping():
            return {name: _whole(each, pieces) for name, each in value.items()}
        case list() | tuple():
            return [_whole(each, pieces) for each in value]
    return value
