"""What belongs to episodes beside the memory that tells each: their details and their events."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import cast

from engram.errors import EngramError, StoreCorrupt
from engram.memory.episodes.episode import Episode, NumberedEvent, Participant, WholeEpisode
from engram.memory.episodes.events import Event, ToolCall, ToolResult, is_key_event, kind_of
from engram.memory.episodes.outcomes import (
    Abandoned,
    EpisodeOutcome,
    Failure,
    Ongoing,
    Partial,
    Success,
    outcome_kind,
    read_outcome,
)
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.secrecy import PLACEHOLDER
from engram.memory.situation import Situation
from engram.memory.tagged import as_json, read_as
from engram.memory.times import FOREVER, to_micros
from engram.storage.beside import keeping, kept, unless_sealed
from engram.storage.conditions import record_time
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import MEMORY_COLUMNS, memory_from_row

PAGE = 200  # rows that are in memory at once
_MOST_EVENTS = 1_000_000  # more than any setting allows
_KEY_EVENTS = 6  # told from the beginning, and as many from the end


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeConditions:
    """Which episodes are looked for; what is left out does not matter."""

    begun_before: datetime | None = None
    ended_after: datetime | None = None  # or not ended at all
    outcome: str | None = None
    has_ended: bool | None = None
    person: str | None = None
    session: str | None = None
    tool: str | None = None
    in_scope: Scope | None = None  # exactly there, of all that is in sight
    with_held: bool = False  # those too that wait for a person's decision
    known_at: datetime | None = None

    def parameters(self) -> dict[str, Value]:
        """The conditions as the query names them."""
        begun = self.begun_before
        return {
            "begun_before": FOREVER if begun is None else to_micros(begun),
            "number_before": 0,
            "ended_after": -FOREVER if self.ended_after is None else to_micros(self.ended_after),
            "outcome": self.outcome,
            "has_ended": None if self.has_ended is None else int(self.has_ended),
            "person": None if self.person is None else _line(self.person),
            "session": self.session,
            "tool": self.tool,
            "in_scope": None if self.in_scope is None else self.in_scope.path,
            "with_held": int(self.with_held),
            "known_at": record_time(self.known_at),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeDetails:
    """What is kept of one state of an episode beside its memory."""

    situation: Situation
    participants: tuple[Participant, ...]
    started_at: datetime
    ended_at: datetime | None
    outcome: EpisodeOutcome
    significance: float = 0.0
    surprise: float = 0.0
    valence: float = 0.0


class EpisodeReader:
    """Episodes seen through one caller's reach.

    How far one has faded is a matter of now, which a reader does not know: `strength` is 1 here,
    and `memory.episodes.strength.as_faded` puts in what it is.
    """

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def get(self, number: int, known_at: datetime | None = None) -> Episode | None:
        """One episode, whatever became of its memory; None when the memory is something else."""
        found = self._rows(
            "episode_by_number", {"number": number, "known_at": record_time(known_at)}
        )
        return _episode(found[0]) if found else None

    def whole(
        self, number: int, known_at: datetime | None = None, *, kinds: Sequence[str] | None = None
    ) -> WholeEpisode | None:
        """An episode with its events in order, or with those of some kinds alone."""
        episode = self.get(number, known_at)
        if episode is None:
            return None
        numbered = self.events(number, kinds=kinds, known_at=known_at, limit=_MOST_EVENTS)
        return WholeEpisode(episode, tuple(each.event for each in numbered))

    def listed(self, numbers: Iterable[int], known_at: datetime | None = None) -> list[Episode]:
        """Those of some memories that are episodes in force, in the order of the numbers given."""
        wanted = list(dict.fromkeys(numbers))
        rows = self._rows(
            "listed_episodes", {"numbers": json.dumps(wanted), "known_at": record_time(known_at)}
        )
        found = {each.memory.number: each for each in map(_episode, rows)}
        return [found[number] for number in wanted if number in found]

    def found(self, conditions: EpisodeConditions) -> Iterator[Episode]:
        """Episodes under conditions, the last begun first, read page by page as they are wanted."""
        parameters = {**conditions.parameters(), "limit": PAGE}
        while True:
            page = [_episode(row) for row in self._rows("episodes_found", parameters)]
            yield from page
            if len(page) < PAGE:
                return
            parameters["begun_before"] = to_micros(page[-1].started_at)
            parameters["number_before"] = page[-1].memory.number

    def latest_wordings(self, scope: Scope, *, limit: int) -> dict[int, int]:
        """The numbers and versions of the stories of a scope that have ended, the last begun."""
        parameters: dict[str, Value] = {"in_scope": scope.path, "limit": limit}
        rows = self._rows("latest_stories", parameters)
        return {cast(int, number): cast(int, version) for number, version in rows}

    def events(
        self,
        number: int,
        *,
        after: int = 0,
        limit: int,
        kinds: Sequence[str] | None = None,
        known_at: datetime | None = None,
    ) -> list[NumberedEvent]:
        """What happened in an episode, in order, after a place in it."""
        return self._events(
            "events_after", number, known_at, limit, after=after,
            kinds=None if kinds is None else json.dumps(list(kinds)),
        )  # fmt: skip

    def key_events(self, number: int) -> tuple[Event, ...]:
        """What a story tells of: the first event and the last, and between them the first and last
        of what decided it. Few, however much happened."""
        found = [
            *self.events(number, limit=1),
            *self._events("key_events_first", number, None, _KEY_EVENTS),
            *self._events("key_events_last", number, None, _KEY_EVENTS),
            *self._events("last_event", number, None, 1),
        ]
        by_place = {each.sequence: each.event for each in found}
        return tuple(by_place[place] for place in sorted(by_place))

    def event_places(self, number: int) -> tuple[int, int]:
        """How many events stand, and the highest place that was ever given to one."""
        row = self._transaction.rows("event_places", {"number": number})[0]
        return cast(int, row[0]), cast(int, row[1])

    def consolidated(self, numbers: Iterable[int]) -> set[int]:
        """Those of some episodes that something in sight was derived from already."""
        listed: dict[str, Value] = {"numbers": json.dumps(list(numbers))}
        return {cast(int, row[0]) for row in self._rows("consolidated_episodes", listed)}

    def _events(
        self,
        query: str,
        number: int,
        known_at: datetime | None,
        limit: int,
        **more: Value,
    ) -> list[NumberedEvent]:
        asked = {"number": number, "known_at": record_time(known_at), "limit": limit, **more}
        rows = self._rows(query, asked)
        return [
            NumberedEvent(cast(int, place), _event(text), ChangeId(cast(str, change_id)))
            for place, text, change_id in rows
            if text  # else it cannot be read: its key is gone, or it is not for this caller
        ]

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def keep_details(transaction: Transaction, memory: Memory, details: EpisodeDetails) -> None:
    """Write what belongs to one state of an episode."""
    ended_at, keep = details.ended_at, keeping(transaction, memory)
    people = "".join(_line(each.identifier) for each in details.participants)
    transaction.run(
        "insert_episode",
        {
            "number": memory.number,
            "version": memory.version,
            "started_at": to_micros(details.started_at),
            "ended_at": None if ended_at is None else to_micros(ended_at),
            "situation": kept(keep, _text(details.situation)),
            "participants": kept(keep, _text(details.participants)),
            "people": unless_sealed(keep, people),
            "outcome": kept(keep, _text(details.outcome)),
            "outcome_kind": outcome_kind(details.outcome),
            "significance": details.significance,
            "surprise": details.surprise,
            "valence": details.valence,
        },
    )


def keep_events(
    transaction: Transaction,
    memory: Memory,
    events: Iterable[Event],
    *,
    after: int,
    change_id: ChangeId,
    recorded_at: datetime,
) -> None:
    """Append events behind a place that was given already."""
    keep = keeping(transaction, memory)
    for sequence, event in enumerate(events, start=after + 1):
        transaction.run(
            "insert_event",
            {
                "number": memory.number,
                "sequence": sequence,
                "happened_at": to_micros(event.at),
                "recorded_at": to_micros(recorded_at),
                "kind": kind_of(event.happening),
                "tool": unless_sealed(keep, _tool_of(event)),
                "is_key": int(is_key_event(event)),
                "event": kept(keep, _text(event)),
                "change_id": change_id,
            },
        )


def rewrite_episode(transaction: Transaction, memory: Memory) -> None:
    """Keep all that is beside an episode as its memory is kept now: in the open, or sealed."""
    keep, named = keeping(transaction, memory), {"number": memory.number}
    for version, situation, participants, outcome in transaction.rows("episode_details", named):
        people = "".join(_line(each.identifier) for each in _participants(participants))
        row: dict[str, Value] = {
            **named, "version": version, "situation": kept(keep, cast(str, situation)),
            "participants": kept(keep, cast(str, participants)),
            "people": unless_sealed(keep, people), "outcome": kept(keep, cast(str, outcome)),
        }  # fmt: skip
        transaction.run("rewrite_episode", row)
    for sequence, text in transaction.rows("event_details", named):
        if text:
            row = {
                **named, "sequence": sequence, "event": kept(keep, cast(str, text)),
                "tool": unless_sealed(keep, _tool_of(_event(text))),
            }  # fmt: skip
            transaction.run("rewrite_event", row)


def _tool_of(event: Event) -> str:
    happening = event.happening
    return happening.tool if isinstance(happening, ToolCall | ToolResult) else ""


def _episode(row: Row) -> Episode:
    started_at, ended_at, situation, participants, outcome, *values = row[MEMORY_COLUMNS:]
    ending, significance, surprise, valence, event_count = values
    try:
        return Episode(
            memory=memory_from_row(row),
            situation=_situation(situation),
            participants=_participants(participants),
            started_at=stored_time(started_at),
            ended_at=None if ended_at is None else stored_time(ended_at),
            outcome=_outcome(outcome) if outcome else _unread_outcome(cast(str, ending)),
            significance=cast(float, significance),
            surprise=cast(float, surprise),
            valence=cast(float, valence),
            event_count=cast(int, event_count),
            strength=1.0,
        )
    except (ValueError, TypeError, EngramError):
        raise StoreCorrupt from None  # the cause would show what stood there


# Reading checks every field, and the same episodes are looked through again and again.


@lru_cache(maxsize=1024)
def _situation(text: Value) -> Situation:
    return read_as(Situation, _read(text), name="situation") if text else Situation()


@lru_cache(maxsize=1024)
def _participants(text: Value) -> tuple[Participant, ...]:
    listed = cast("list[object]", _read(text) if text else [])
    return tuple(read_as(Participant, each, name="participant") for each in listed)


@lru_cache(maxsize=1024)
def _outcome(text: Value) -> EpisodeOutcome:
    return read_outcome(_read(text))


def _unread_outcome(kind: str) -> EpisodeOutcome:
    """How it ended, of an episode whose details cannot be read: no more than its kind."""
    unread: dict[str, EpisodeOutcome] = {
        "success": Success(), "failure": Failure(PLACEHOLDER), "partial": Partial(),
        "abandoned": Abandoned(PLACEHOLDER),
    }  # fmt: skip
    return unread.get(kind, Ongoing())


def _event(text: Value) -> Event:
    try:
        return read_as(Event, _read(text), name="event")
    except (ValueError, TypeError, EngramError):
        raise StoreCorrupt from None


def _text(value: object) -> str:
    return json.dumps(as_json(value), ensure_ascii=False, sort_keys=True)


def _read(text: Value) -> object:
    return json.loads(cast(str, text))


def _line(identifier: str) -> str:
    """A participant's name so that it is found whole and in whichever case: names have no ends of
    lines in them."""
    return f"\n{identifier.casefold()}\n"
