"""The shapes of what operations on episodes give."""

from engram.memory.episodes.episode import Participant
from engram.memory.episodes.events import Event
from engram.memory.episodes.outcomes import OUTCOME_KINDS, EpisodeOutcome
from engram.memory.episodes.results import EventsAdded
from engram.memory.situation import Situation
from engram.surfaces.operations.schemas import (
    CHANGE_ID,
    COUNT,
    FLAG,
    SHARE,
    TEXT,
    TIME,
    JsonSchema,
    listed,
    maybe,
    ref,
    schema_of_record,
    whole,
)
from engram.surfaces.operations.tagged_schemas import tagged_schema, untagged_schema

_IDS = listed(TEXT)


def episode_shapes() -> dict[str, JsonSchema]:
    """Every shape of episodes by its name."""
    event = {"sequence": COUNT, "text": TEXT, "event": untagged_schema(Event)}
    return {
        "Episode": whole(_episode_fields()),
        "Episodes": whole({"episodes": listed(ref("Episode"))}),
        "EpisodeBegun": whole({"change_id": CHANGE_ID, "episode": ref("Episode")}),
        "EpisodeKept": whole({
            "kind": {"type": "string", "enum": ["recorded", "ended", "known", "held"]},
            "change_id": CHANGE_ID,
            "similar": _IDS,
            "causes": _IDS,
            "episode": ref("Episode"),
        }),
        "EventsAdded": schema_of_record(EventsAdded),
        "Events": whole({
            "events": listed(whole({**event, "change_id": CHANGE_ID})), "next": maybe(COUNT),
        }),
        "EpisodeHits": whole({
            "hits": listed(whole({**_episode_fields(), "score": {"type": "number"}}))
        }),
        "Consolidation": whole({
            "looked_at": COUNT, "dry_run": FLAG, "found": listed(_consolidated()),
        }),
    }  # fmt: skip


def _episode_fields() -> dict[str, JsonSchema]:
    return {
        "id": TEXT,
        "label": TEXT,
        "kind": {"type": "string", "enum": list(OUTCOME_KINDS)},
        "situation": untagged_schema(Situation),
        "participants": listed(schema_of_record(Participant)),
        "started_at": TIME,
        "ended_at": maybe(TIME),
        "outcome": tagged_schema(EpisodeOutcome),
        "significance": SHARE,
        "surprise": SHARE,
        "valence": {"type": "number", "minimum": -1, "maximum": 1},
        "event_count": COUNT,
        "strength": SHARE,
        "memory": ref("Memory"),
    }


def _consolidated() -> JsonSchema:
    return whole({
        "episodes": _IDS,
        "statement": TEXT,
        "teaches_skill": FLAG,
        "memory": maybe(ref("Memory")),
        "change_id": maybe(CHANGE_ID),
        "skill": maybe(TEXT),
        "problem": TEXT,
    })  # fmt: skip
