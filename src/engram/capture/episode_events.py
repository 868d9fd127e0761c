"""What happens in an episode, taken down while it goes on."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import cast

from engram.capture.draft import DraftRules
from engram.capture.once import Done, Request, done_before, note_done
from engram.capture.recorded import without_secrets_in
from engram.capture.seal_kept import secrecy_of
from engram.errors import ContentTooLarge, IllegalTransition, InvalidInput, MemoryNotFound
from engram.memory.changes import Action
from engram.memory.episodes.episode import Episode
from engram.memory.episodes.events import Event, read_happening
from engram.memory.episodes.results import EventsAdded
from engram.memory.jsons import Json
from engram.memory.status import check_rewording
from engram.memory.tagged import TAG, as_json, as_object
from engram.security.raising import raised
from engram.storage.episodes import keep_events
from engram.storage.unit import UnitOfWork

LONGEST_EVENT = 65_536  # bytes of one event as JSON


def add_events(
    episode_id: str,
    events: Sequence[Event],
    unit: UnitOfWork,
    rules: DraftRules,
    request: Request | None = None,
) -> EventsAdded:
    """Append events to an episode that goes on, in one change that takes all of them back."""
    if not events:
        raise InvalidInput(hint="Name at least one event.")
    known = _added_before(episode_id, len(events), unit, request)
    if known is not None:
        return known
    episode = ongoing_episode(episode_id, unit, rules)
    kept = [fit_event(event, rules) for event in events]
    standing, highest = unit.see.episodes.event_places(episode.memory.number)
    check_room(standing + len(kept), rules)
    change_id = unit.begin_change(Action.ADD_EVENTS, episode.memory.scope, "")
    secrecy = secrecy_of([as_json(event) for event in kept], rules)
    memory = raised(unit, episode.memory, secrecy)
    keep_events(
        unit.transaction, memory, kept, after=highest, change_id=change_id,
        recorded_at=unit.now,
    )  # fmt: skip
    unit.touch(memory)
    done = Done(episode.memory.number, change_id)
    note_done(unit, episode.memory.scope, request, done, memory.secrecy)
    return EventsAdded(episode.id, len(kept), standing + len(kept), change_id)


def _added_before(
    episode_id: str, count: int, unit: UnitOfWork, request: Request | None
) -> EventsAdded | None:
    """What the same request added, also when the episode has ended since."""
    memory = unit.see.memory(episode_id) if request else None
    done = done_before(unit, memory.scope, request) if memory else None
    if memory is None or done is None or done.change_id is None or done.number != memory.number:
        return None
    found = unit.transaction.rows("events_withdrawn", {"change_id": done.change_id})
    if not found or found[0][0] is not None:
        return None  # they were taken back since: the same request stands anew
    standing, _ = unit.see.episodes.event_places(memory.number)
    return EventsAdded(memory.id, count, standing, done.change_id)


def ongoing_episode(episode_id: str, unit: UnitOfWork, rules: DraftRules) -> Episode:
    """The episode of that id, when this caller may tell more of it."""
    memory = unit.see.memory(episode_id)
    episode = unit.see.episodes.get(memory.number) if memory else None
    if memory is None or episode is None:
        raise MemoryNotFound(hint="There is no such episode; `engram episodes` lists them.")
    rules.principal.check_may_change(memory.scope)
    check_rewording(rules.principal, memory)
    if not episode.is_ongoing:
        raise IllegalTransition(
            hint=f"{memory.label} has ended. To end it otherwise undo {memory.change_id} first."
        )
    return episode


def check_room(count: int, rules: DraftRules) -> None:
    """Refuse an episode of more events than the settings allow."""
    most = rules.options.max_events
    if count > most:
        raise ContentTooLarge(
            hint=f"An episode holds at most {most} events (capture.max_events); end it and begin "
            "another, with `caused_by` naming this one."
        )


def fit_event(event: Event, rules: DraftRules) -> Event:
    """An event as it may be kept: not too long, and without secrets."""
    document = as_object(event.happening)
    if len(json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")) > LONGEST_EVENT:
        raise ContentTooLarge(hint=f"One event has at most {LONGEST_EVENT} bytes.")
    # The name of its kind is ours; what callers wrote is looked over, and most events say little.
    told = {key: value for key, value in document.items() if key != TAG}
    people: dict[str, Json] = {"actor": event.actor, "target": event.target}
    screened = without_secrets_in({**told, **people}, rules)
    if screened == {**told, **people}:
        return event
    masked = dict(cast("Mapping[str, Json]", screened))
    actor, target = masked.pop("actor"), masked.pop("target")
    happening = read_happening({TAG: document[TAG], **masked})
    return dataclasses.replace(
        event, happening=happening, actor=cast("str | None", actor),
        target=cast("str | None", target),
    )  # fmt: skip
