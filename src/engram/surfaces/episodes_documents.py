"""Turns episodes into plain JSON documents; every surface shows the same ones."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engram.memory.episodes.story import tell
from engram.memory.tagged import TAG, as_json, as_object
from engram.surfaces.documents import Document, memory_document, plain, record, records

if TYPE_CHECKING:
    from engram.memory.episodes.episode import Episode, EventPage, NumberedEvent
    from engram.memory.episodes.events import Event
    from engram.memory.episodes.results import (
        Consolidated,
        ConsolidationReport,
        EpisodeHit,
        EpisodeKept,
        EventsAdded,
    )


def episode_document(episode: "Episode") -> Document:
    """One episode: how it stood, who took part, how it ended and what it meant."""
    return {
        "id": episode.id,
        "label": episode.label,
        "kind": episode.kind,
        "situation": record(episode.situation),
        "participants": records(episode.participants),
        "started_at": plain(episode.started_at),
        "ended_at": plain(episode.ended_at),
        "outcome": as_json(episode.outcome),
        "significance": episode.significance,
        "surprise": episode.surprise,
        "valence": episode.valence,
        "event_count": episode.event_count,
        "strength": episode.strength,
        "memory": memory_document(episode.memory),
    }


def episodes_document(episodes: "Iterable[Episode]") -> Document:
    """Many episodes."""
    return {"episodes": [episode_document(each) for each in episodes]}


def begun_document(episode: "Episode") -> Document:
    """An episode that has just begun, and what takes that back."""
    return {"change_id": episode.memory.change_id, "episode": episode_document(episode)}


def added_document(added: "EventsAdded") -> Document:
    """Some events that were added to an episode."""
    return record(added)


def kept_document(kept: "EpisodeKept") -> Document:
    """An episode that has ended or was recorded whole, and what it hangs together with."""
    return {
        "kind": kept.kind,
        "change_id": kept.change_id,
        "similar": list(kept.similar),
        "causes": list(kept.causes),
        "episode": episode_document(kept.episode),
    }


def events_document(page: "EventPage", episode: "Episode | None" = None) -> Document:
    """A page of what happened; with the episode itself where both were asked for."""
    told = {} if episode is None else {"episode": episode_document(episode)}
    return {**told, "events": [_event(each) for each in page.events], "next": page.next_after}


def _event(numbered: "NumberedEvent") -> Document:
    """An event in its place; `event` can be handed in again as it is."""
    fields = as_object(numbered.event)
    return {
        "sequence": numbered.sequence,
        "text": event_text(numbered.event),
        "event": {name: value for name, value in fields.items() if name != TAG},
        "change_id": numbered.change_id,
    }


def event_text(event: "Event") -> str:
    """What happened, in a line, as stories tell it."""
    from engram.memory.episodes.outcomes import Ongoing
    from engram.memory.situation import Situation

    (line,) = tell(Situation(), (), [event], Ongoing(), (event.at, None)).happenings
    return line


def episode_hits_document(hits: "Iterable[EpisodeHit]") -> Document:
    """Similar episodes, each with how well it answers."""
    return {"hits": [{**episode_document(each.episode), "score": each.score} for each in hits]}


def consolidation_document(report: "ConsolidationReport") -> Document:
    """What fading episodes came to."""
    return {
        "looked_at": report.looked_at,
        "dry_run": report.is_dry_run,
        "found": [_consolidated(each) for each in report.found],
    }


def _consolidated(found: "Consolidated") -> Document:
    proposal = found.proposal
    return {
        "episodes": list(proposal.episodes),
        "statement": proposal.statement,
        "teaches_skill": proposal.is_skill,
        "memory": None if found.memory is None else memory_document(found.memory),
        "change_id": found.change_id,
        "skill": found.skill,
        "problem": found.problem,
    }
