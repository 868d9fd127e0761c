"""The shapes of what operations on episodes give."""

from engram.memory.episodes.episode import Participant
from engram.memory.episodes.events import Event
from engram.memory.episodes.outcomes import OUTCOME_KINDS, EpisodeOutcome
from engram.memory.episodes.results import EventsAdded
from engram.memory.situation import Situation
from engram.surfaces.operations.schemas import (
    JsonSchema,
    listed,
    maybe,
    ref,
    schema_of_record,
    whole,
)
from engram.surfaces.operations.tagged_schemas import tagged_schema, untagged_schema

_TEXT: JsonSchema = {"type": "string"}
_COUNT: JsonSchema = {"type": "integer", "minimum": 0}
_SHARE: JsonSchema = {"type": "number", "minimum": 0, "maximum": 1}
_FLAG: JsonSchema = {"type": "boolean"}
_TIME: JsonSchema = {"type": "string", "format": "date-time"}
_CHANGE_ID: JsonSchema = {"type": "string", "description": "What `undo` takes it back by."}
_IDS = listed(_TEXT)


def episode_shapes() -> dict[str, JsonSchema]:
    """Every shape of episodes by its name."""
    event = {"sequence": _COUNT, "text": _TEXT, "event": untagged_schema(Event)}
    return {
        "Episode": whole(_episode_fields()),
        "Episodes": whole({"episodes": listed(ref("Episode"))}),
        "EpisodeBegun": whole({"change_id": _CHANGE_ID, "episode": ref("Episode")}),
        "EpisodeKept": whole({
            "kind": {"type": "string", "enum": ["recorded", "ended", "known", "held"]},
            "change_id": _CHANGE_ID,
            "similar": _IDS,
            "causes": _IDS,
            "episode": ref("Episode"),
        }),
        "EventsAdded": schema_of_record(EventsAdded),
        "Events": whole({
            "events": listed(whole({**event, "change_id": _CHANGE_ID})), "next": maybe(_COUNT),
        }),
        "EpisodeHits": whole({
            "hits": listed(whole({**_episode_fields(), "score": {"type": "number"}}))
        }),
        "Consolidation": whole({
            "looked_at": _COUNT, "dry_run": _FLAG, "found": listed(_consolidated()),
        }),
    }  # fmt: skip


def _episode_fields() -> dict[str, JsonSchema]:
    return {
        "id": _TEXT,
        "label": _TEXT,
        "kind": {"type": "string", "enum": list(OUTCOME_KINDS)},
        "situation": untagged_schema(Situation),
        "participants": listed(schema_of_record(Participant)),
        "started_at": _TIME,
        "ended_at": maybe(_TIME),
        "outcome": tagged_schema(EpisodeOutcome),
        "significance": _SHARE,
        "surprise": _SHARE,
        "valence": {"type": "number", "minimum": -1, "maximum": 1},
        "event_count": _COUNT,
        "strength": _SHARE,
        "memory": ref("Memory"),
    }


def _consolidated() -> JsonSchema:
    return whole({
        "episodes": _IDS,
        "statement": _TEXT,
        "teaches_skill": _FLAG,
        "memory": maybe(ref("Memory")),
        "change_id": maybe(_CHANGE_ID),
        "skill": maybe(_TEXT),
        "problem": _TEXT,
    })  # fmt: skip
