"""The shapes of all documents that operations give, as components of JSON Schema (2020-12)."""

from functools import cache
from typing import TYPE_CHECKING

from engram.engine.sending import Backlog, ChangeNews, Webhook, WebhookTrial
from engram.memory.access import AccessKey, KeyState
from engram.memory.changes import AuditEntry, AuditVerdict, Change, StatusMove
from engram.memory.entities.profile import Entity
from engram.memory.figures import RecallStatistics
from engram.memory.importance_report import ImportanceReport
from engram.memory.reading import Reading, Reread
from engram.memory.record import Memory
from engram.memory.security_events import SecurityEvent
from engram.memory.trust import TrustScore
from engram.memory.working.offers import WorkingItem
from engram.recall.result import Quality, Signal, Stage, StageTrace
from engram.storage.place import Finding
from engram.storage.upkeep import Check, Stats
from engram.surfaces.documents import INTERNAL_FIELDS, TOLD_NAMES
from engram.surfaces.operations.context_shapes import context_shapes
from engram.surfaces.operations.dreams_shapes import dream_shapes
from engram.surfaces.operations.episodes_shapes import episode_shapes
from engram.surfaces.operations.erasing_shapes import erasing_shapes
from engram.surfaces.operations.gaps_shapes import gap_shapes
from engram.surfaces.operations.knowledge_shapes import knowledge_shapes
from engram.surfaces.operations.overseeing_shapes import overseeing_shapes
from engram.surfaces.operations.profiles_shapes import profile_shapes
from engram.surfaces.operations.schemas import (
    CHANGE_ID,
    COUNT,
    FLAG,
    NUMBER,
    PLACE,
    TEXT,
    TIME,
    JsonSchema,
    counts,
    fields_of,
    listed,
    maybe,
    model_schema,
    schema_of_record,
    whole,
)
from engram.surfaces.operations.schemas import ref as _ref
from engram.surfaces.operations.sizing_shapes import sizing_shapes
from engram.surfaces.operations.skills_shapes import skill_shapes
from engram.surfaces.operations.working_shapes import working_shapes

if TYPE_CHECKING:
    from engram.surfaces.operations.operation import Operation

__all__ = ["PLACE", "arguments_schema", "components"]

_ASSESSMENT: JsonSchema = {"type": "string", "enum": ["confident", "uncertain", "unknown"]}
_ANY_PLAIN: JsonSchema = {"type": ["string", "number", "boolean", "null"]}


def _word(*words: str) -> JsonSchema:
    return {"type": "string", "enum": list(words)}


@cache
def components() -> dict[str, JsonSchema]:
    """Every shape by its name; they refer to each other as components of an OpenAPI document."""
    return {
        **_memory_shapes(),
        **_recall_shapes(),
        **_turn_shapes(),
        **_tie_shapes(),
        **_store_shapes(),
        **_local_shapes(),
        **_access_shapes(),
        **dream_shapes(),
        **gap_shapes(),
        **episode_shapes(),
        **knowledge_shapes(),
        **overseeing_shapes(),
        **profile_shapes(),
        **sizing_shapes(),
        **erasing_shapes(),
        **context_shapes(),
        **skill_shapes(),
        **working_shapes(),
        "Problem": _problem(),
    }


def arguments_schema(operation: "Operation") -> JsonSchema:
    """What an operation takes, in one piece: no references, no titles."""
    return model_schema(operation.takes)


def _memory_fields() -> dict[str, JsonSchema]:
    told = {
        TOLD_NAMES.get(name, name): schema
        for name, schema in fields_of(Memory).items()
        if name not in INTERNAL_FIELDS
    }
    return {"label": TEXT, **told}


def _memory_shapes() -> dict[str, JsonSchema]:
    memories = listed(_ref("Memory"))
    kept = {
        "reason": TEXT, "change_id": maybe(CHANGE_ID), "memory": _ref("Memory"),
        "parts": memories,
    }  # fmt: skip
    return {
        "Memory": whole(_memory_fields()),
        "Memories": whole({"memories": memories, "next": maybe(TEXT)}),
        "Waiting": whole({"memories": memories}),
        "Undone": whole({"memories": memories, "kept": memories}),
        "Changed": whole({"change_id": maybe(CHANGE_ID), "memory": _ref("Memory")}),
        "Outcome": whole({
            "kind": _word("stored", "confirmed", "held", "refused"),
            "replaced": listed(TEXT),
            "may_replace": listed(TEXT),
            **kept,
        }),
        "Outcomes": whole({"outcomes": listed(_ref("Outcome"))}),
        "Change": schema_of_record(Change),
        "History": whole({
            "entries": listed(whole({"change": _ref("Change"), "memory": _ref("Memory")}))
        }),
        "Importance": schema_of_record(ImportanceReport),
        "Statuses": whole({"moves": listed(schema_of_record(StatusMove))}),
        "Feedback": whole({
            "helpful": FLAG,
            "query": maybe(TEXT),
            "is_repeat": FLAG,
            "change_id": CHANGE_ID,
            "memory": _ref("Memory"),
            "correction": maybe(_ref("Outcome")),
        }),
        "Observed": whole({
            "kind": _word("kept", "known", "echo"),
            "signal": TEXT,
            "learnt": listed(_ref("Outcome")),
            **kept,
        }),
    }  # fmt: skip


def _recall_shapes() -> dict[str, JsonSchema]:
    # Callers nobody vouches for are told by which means, and not by which values.
    signal = whole(fields_of(Signal), "rank", "score", "detail")
    why = whole({"signals": listed(signal), "path": listed(TEXT), "text": TEXT})
    return {
        "Hit": whole({
            **_memory_fields(),
            "score": NUMBER,
            "probability": NUMBER,
            "references": listed(TEXT),
            "trust": schema_of_record(TrustScore),
            "why": why,
        }),
        "Recall": whole({
            "hits": listed(_ref("Hit")),
            "quality": schema_of_record(Quality),
            "confidence": NUMBER,
            "assessment": _ASSESSMENT,
            "level": TEXT,
            "degraded": listed(TEXT),
            "trace": listed(schema_of_record(StageTrace)),
        }),
        "Explanation": whole({
            "recalled": FLAG,
            "lost_at": maybe(TEXT),
            "stages": listed(schema_of_record(Stage)),
            "memory": _ref("Memory"),
        }),
        "WorkingItems": whole({"items": listed(schema_of_record(WorkingItem))}),
        **_reasoning_shapes(),
    }  # fmt: skip


def _reasoning_shapes() -> dict[str, JsonSchema]:
    numbers = dict.fromkeys(("number", "depth", "found", "calls", "tokens"), COUNT)
    told = {"query": TEXT, "kind": TEXT, "detail": TEXT}
    led = {"through": maybe(TEXT), "after": maybe(TEXT)}
    evidence = {
        "step": COUNT, "asked": TEXT, **led, "covers": listed(TEXT), "hit": _ref("Hit"),
    }  # fmt: skip
    return {
        "Reasoning": whole({
            "question": TEXT,
            "evidence": listed(whole(evidence)),
            "chain": listed(TEXT),
            "steps": listed(whole({**numbers, **told, **led})),
            "gaps": listed(TEXT),
            "is_sufficient": FLAG,
            "confidence": NUMBER,
            "assessment": _ASSESSMENT,
            "stopped": TEXT,
            "level": TEXT,
            "degraded": listed(TEXT),
            "milliseconds": NUMBER,
            "answer": listed(whole({"text": TEXT, "memories": listed(TEXT)})),
            "dropped": COUNT,
            "model": maybe(TEXT),
            "calls": COUNT,
            "tokens": COUNT,
        }),
        "ToolContext": whole({
            "text": TEXT, "tokens": COUNT, "query": TEXT, "memories": listed(_ref("Hit")),
        }),
        "Timeline": whole({
            "entries": listed(whole({
                "at": TIME,
                "standing": TEXT,
                "is_current": FLAG,
                "replaces": listed(TEXT),
                "replaced_by": maybe(TEXT),
                "ended_at": maybe(TIME),
                "reason": TEXT,
                "memory": _ref("Memory"),
            })),
            "peaks": listed(whole({"start": TIME, "end": TIME, "count": COUNT})),
        }),
    }  # fmt: skip


def _turn_shapes() -> dict[str, JsonSchema]:
    plan = whole({
        "calls": COUNT, "tokens_in": COUNT, "tokens_out": COUNT, "cost": maybe(NUMBER),
    })  # fmt: skip
    return {
        "Observations": whole({"turns": listed(_ref("Observed"))}),
        "Result": whole({"is_kept": FLAG, "turn": maybe(_ref("Observed"))}),
        "Extracted": whole({
            "turns": COUNT, "learnt": listed(_ref("Outcome")), "problem": TEXT,
        }),
        "ReadingPlan": plan,
        "Estimate": whole({"turns": COUNT, "plan": maybe(_ref("ReadingPlan"))}),
        "Reading": schema_of_record(Reading),
        "Reread": schema_of_record(Reread),
        "Unread": whole({"unread": COUNT}),
        "Sources": whole({"sources": listed(whole({"words": TEXT, "turn": _ref("Memory")}))}),
    }  # fmt: skip


def _tie_shapes() -> dict[str, JsonSchema]:
    ends = dict.fromkeys(("from_id", "from_label", "relation", "to_id", "to_label"), TEXT)
    beside = whole({"name": TEXT, "memories": COUNT})
    return {
        "Link": whole({**ends, "change": maybe(_ref("Change"))}),
        "Links": whole({"links": listed(_ref("Link"))}),
        "Linked": whole({"change_id": CHANGE_ID, "is_repeat": FLAG, "link": _ref("Link")}),
        "Entity": schema_of_record(Entity),
        "Entities": whole({"entities": listed(_ref("Entity"))}),
        "Profile": whole({
            "entity": _ref("Entity"), "memories": listed(_ref("Memory")), "beside": listed(beside),
            "beliefs": listed(_ref("Belief")),
        }),
        "Renamed": whole({"change_id": CHANGE_ID}),
    }  # fmt: skip


def _store_shapes() -> dict[str, JsonSchema]:
    return {
        "Stats": schema_of_record(Stats),
        "Health": whole({
            "status": _word("ok", "warning", "failing"), "checks": listed(schema_of_record(Check)),
        }),
        "Diagnosis": whole({
            "is_fine": FLAG,
            "findings": listed(schema_of_record(Finding)),
            "repairs": listed(TEXT),
        }),
        "CaptureStatistics": whole({
            "totals": counts(),
            "by_reason": {"type": "object", "additionalProperties": counts()},
        }),
        "RecallStatistics": schema_of_record(RecallStatistics),
        "Spending": _spending(),
        "Audit": whole({
            "entries": listed(schema_of_record(AuditEntry)), "next": maybe(COUNT),
        }),
        "AuditVerdict": schema_of_record(AuditVerdict),
        "AuditHead": whole({"entries": COUNT, "head": TEXT, "text": TEXT}),
        "SecurityEvents": whole({"events": listed(schema_of_record(SecurityEvent))}),
        "Backup": whole({"name": TEXT, "states": COUNT, "bytes": COUNT}),
        "Embedded": _embedded(),
        "Scopes": whole({"scopes": counts()}),
        "Setting": _setting(),
        "Settings": whole({"settings": listed(_ref("Setting"))}),
    }  # fmt: skip


def _spending() -> JsonSchema:
    taken = {"calls": COUNT, "tokens_in": COUNT, "tokens_out": COUNT, "cost": maybe(NUMBER)}
    words = dict.fromkeys(("day", "purpose", "model", "outcome"), TEXT)
    line = whole({**words, **taken, "milliseconds": COUNT})
    return whole({**taken, "lines": listed(line)})


def _embedded() -> JsonSchema:
    space = {
        "state": TEXT, "dimension": maybe(COUNT), "precision": TEXT, "vectors": COUNT,
        "waiting": COUNT, "failed": COUNT,
    }  # fmt: skip
    return whole({
        "embedded": COUNT, "waiting": COUNT, "failed": COUNT, "problem": TEXT,
        "spaces": listed(whole(space)),
    })  # fmt: skip


def _setting() -> JsonSchema:
    return whole({
        "key": TEXT,
        "value": _ANY_PLAIN,
        "default": _ANY_PLAIN,
        "is_protected": FLAG,
        "meaning": TEXT,
        "low": maybe(NUMBER),
        "high": maybe(NUMBER),
        "choices": listed(TEXT),
        "takes_effect": TEXT,
    })  # fmt: skip


def _local_shapes() -> dict[str, JsonSchema]:
    file = whole({
        "path": TEXT, "project": maybe(TEXT), "kept": COUNT, "known": COUNT,
        "left_out": counts(), "bad_lines": counts(), "is_rewritten": FLAG, "problem": TEXT,
    })  # fmt: skip
    entry = dict.fromkeys(("what", "kind", "path", "reason"), TEXT)
    made = {"label": maybe(TEXT), "change_id": maybe(TEXT)}
    return {
        "Harvest": whole({
            "harness": TEXT,
            "dry_run": FLAG,
            "kept": COUNT,
            "known": COUNT,
            "left_out": counts(),
            "bad_lines": counts(),
            "files": listed(file),
            "read": COUNT,
            "learnt": counts(),
            "problem": TEXT,
            "plan": maybe(_ref("ReadingPlan")),
        }),
        "Scan": whole({
            "project": TEXT,
            "dry_run": FLAG,
            "counts": counts(),
            "entries": listed(whole({**entry, **made})),
        }),
    }  # fmt: skip


def _access_shapes() -> dict[str, JsonSchema]:
    key = whole({**fields_of(AccessKey), "state": _word(*KeyState)})
    told = {name: schema for name, schema in fields_of(Webhook).items() if name != "secret"}
    return {
        "Key": key,
        "Keys": whole({"keys": listed(_ref("Key"))}),
        "IssuedKey": whole({"text": TEXT, "key": _ref("Key")}),
        "Webhook": whole(told),
        "Webhooks": whole({"webhooks": listed(_ref("Webhook"))}),
        "IssuedWebhook": whole({"secret": TEXT, "webhook": _ref("Webhook")}),
        "WebhookTrial": schema_of_record(WebhookTrial),
        "News": whole({
            "changes": listed(schema_of_record(ChangeNews)), "next": maybe(COUNT),
        }),
        "Backlog": schema_of_record(Backlog),
    }  # fmt: skip


def _problem() -> JsonSchema:
    """A refusal as HTTP tells it (RFC 9457), with Engram's own code; `detail` says what to do."""
    return whole(
        {
            "type": TEXT,
            "title": TEXT,
            "status": {"type": "integer"},
            "detail": TEXT,
            "code": {"type": "string", "pattern": "^E[0-9]{4}$"},
        }
    )
