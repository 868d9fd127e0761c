"""Turns Engram's values into plain JSON documents; every surface shows the same ones."""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from engram.errors import EngramError
from engram.memory.scopes import Scope

if TYPE_CHECKING:
    from engram.engine.harvesting import HarvestReport, ScanReport
    from engram.engine.reasoning import Evidence, Reasoning, Timeline, TimelineEntry
    from engram.engine.sending import Webhook
    from engram.engine.tool_context import ToolContext
    from engram.engine.tracing import CaptureCount, Source, SpendingReport
    from engram.memory.access import AccessKey, IssuedKey
    from engram.memory.changes import HistoryEntry
    from engram.memory.entities.profile import Entity, EntityProfile
    from engram.memory.feedback import FeedbackOutcome
    from engram.memory.links import Link, LinkOutcome
    from engram.memory.options import OptionRule
    from engram.memory.outcomes import Extracted, Observed, Outcome
    from engram.memory.record import Memory
    from engram.recall.result import Explanation, Hit, RecallResult
    from engram.settings import SettingRow
    from engram.storage.upkeep import DoctorReport, Health
    from engram.upkeep import EmbedReport

Document = dict[str, object]

# A memory's fields as callers know them: by the names of the arguments of `remember`. The trust
# in its source is told apart from the trust in a hit.
TOLD_NAMES = {"is_pinned": "pinned", "base_importance": "importance", "trust": "source_trust"}
INTERNAL_FIELDS = frozenset({"identity", "number"})


def plain(value: object) -> object:
    """Any value of Engram's in the terms of JSON."""
    if value is None or isinstance(value, Enum):
        return value.value if isinstance(value, Enum) else None
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Scope):
        return value.path
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return record(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value


def record(value: object) -> Document:
    """The fields of a dataclass, each in the terms of JSON."""
    names = (field.name for field in dataclasses.fields(value))  # type: ignore[arg-type]  # one is given
    return {name: plain(getattr(value, name)) for name in names}


def records(values: Iterable[object]) -> list[Document]:
    """Many dataclasses, one document each."""
    return [record(value) for value in values]


def memory_document(memory: "Memory") -> Document:
    """One state of a memory, all of it that is of use to a caller."""
    found: Document = {"id": memory.id, "label": memory.label}
    for field in dataclasses.fields(memory):
        if field.name not in INTERNAL_FIELDS:
            name = TOLD_NAMES.get(field.name, field.name)
            found[name] = plain(getattr(memory, field.name))
    return found


def memory_documents(memories: "Iterable[Memory]") -> list[Document]:
    """Many memories."""
    return [memory_document(memory) for memory in memories]


def outcome_document(outcome: "Outcome") -> Document:
    """What became of a statement."""
    return {
        "kind": outcome.kind,
        "reason": outcome.reason,
        "change_id": outcome.change_id,
        "replaced": list(outcome.replaced),
        "may_replace": list(outcome.may_replace),
        "memory": memory_document(outcome.memory),
        "parts": memory_documents(outcome.parts),
    }


def observed_document(observed: "Observed") -> Document:
    """What became of a turn."""
    return {
        "kind": observed.kind,
        "reason": observed.reason,
        "signal": observed.signal,
        "change_id": observed.change_id,
        "memory": memory_document(observed.memory),
        "parts": memory_documents(observed.parts),
        "learnt": [outcome_document(outcome) for outcome in observed.learnt],
    }


def extracted_document(read: "Extracted") -> Document:
    """What reading turns came to."""
    return {
        "turns": read.turns,
        "learnt": [outcome_document(outcome) for outcome in read.outcomes],
        "problem": read.problem,
    }


def changed_document(memory: "Memory") -> Document:
    """A memory as a change left it, and what takes the change back."""
    return {"change_id": memory.change_id, "memory": memory_document(memory)}


def tier_document(before: "Memory | None", memory: "Memory") -> Document:
    """A memory under the tier that was asked for; where it was there already, no change is named.

    The last change was another's then, and taking that back would take the memory with it.
    """
    is_repeat = before is not None and before.secrecy is memory.secrecy
    return {**changed_document(memory), **({"change_id": None} if is_repeat else {})}


def link_document(link: "Link") -> Document:
    """One link: its ends by id and label, and the change that made it, if one did."""
    return {
        "from_id": link.from_id,
        "from_label": link.from_label,
        "relation": link.relation,
        "to_id": link.to_id,
        "to_label": link.to_label,
        "change": record(link.change) if link.change else None,
    }


def linked_document(found: "LinkOutcome") -> Document:
    """What became of a wish to relate, or no longer to relate, two memories."""
    return {
        "change_id": found.change_id,
        "is_repeat": found.is_repeat,
        "link": link_document(found.link),
    }


def source_document(source: "Source") -> Document:
    """A turn that a memory was drawn from, and the words it was drawn from."""
    return {"words": source.words, "turn": memory_document(source.turn)}


def capture_document(counts: "Iterable[CaptureCount]") -> Document:
    """What became of what was said: each outcome, and each reason for it."""
    found: dict[str, dict[str, int]] = {}
    for each in counts:
        found.setdefault(each.outcome, {})[each.reason] = each.count
    totals = {outcome: sum(reasons.values()) for outcome, reasons in found.items()}
    return {"totals": totals, "by_reason": found}


def spending_document(report: "SpendingReport") -> Document:
    """What the language model took and cost."""
    return {
        "calls": report.calls,
        "tokens_in": report.tokens_in,
        "tokens_out": report.tokens_out,
        "cost": report.cost,
        "lines": [
            {**record(line.row), "day": line.row.day.isoformat(), "cost": line.cost}
            for line in report.lines
        ],
    }


def harvest_document(report: "HarvestReport") -> Document:
    """What a harvest took in."""
    learnt = Counter(outcome.kind for outcome in report.learnt.outcomes)
    return {
        "harness": report.harness,
        "dry_run": report.is_dry_run,
        "kept": report.kept,
        "known": report.known,
        "left_out": dict(report.left_out),
        "bad_lines": dict(report.bad_lines),
        "files": records(report.files),
        "read": report.learnt.turns,
        "learnt": dict(learnt),
        "problem": report.learnt.problem,
        "plan": plain(report.plan),
    }


def scan_document(report: "ScanReport") -> Document:
    """What a scan kept, part by part."""
    return {
        "project": report.project,
        "dry_run": report.is_dry_run,
        "counts": dict(report.counts),
        "entries": [
            {
                "what": entry.what,
                "kind": entry.kind,
                "path": entry.path,
                "reason": entry.reason,
                "label": entry.memory.label if entry.memory else None,
                "change_id": entry.memory.change_id if entry.memory else None,
            }
            for entry in report.entries
        ],
    }


def entity_document(entity: "Entity") -> Document:
    """Somebody or something that memories name."""
    found = record(entity)
    return {**found, "keys": sorted(entity.keys)}


def profile_document(profile: "EntityProfile") -> Document:
    """What is known of somebody or something."""
    return {
        "entity": entity_document(profile.entity),
        "memories": memory_documents(profile.memories),
        "beside": [{"name": name, "memories": count} for name, count in profile.beside],
    }


def feedback_document(found: "FeedbackOutcome") -> Document:
    """What became of a caller's word on a memory."""
    return {
        "helpful": found.feedback.is_helpful,
        "query": found.feedback.query,
        "is_repeat": found.is_repeat,
        "change_id": found.change_id,
        "memory": memory_document(found.memory),
        "correction": outcome_document(found.correction) if found.correction else None,
    }


def hit_document(hit: "Hit") -> Document:
    """A recalled memory with its score and its reasons."""
    return {
        **memory_document(hit.memory),
        "score": hit.score,
        "probability": hit.probability,
        "references": list(hit.references),
        "trust": record(hit.trust),
        "why": {**record(hit.why), "text": str(hit.why)},
    }


def recall_document(result: "RecallResult") -> Document:
    """The answer to a question."""
    return {
        "hits": [hit_document(hit) for hit in result],
        "quality": record(result.quality),
        "confidence": result.confidence,
        "assessment": result.assessment,
        "level": result.level,
        "degraded": list(result.degraded),
        "trace": records(result.trace),
    }


def explanation_document(explanation: "Explanation") -> Document:
    """Why a memory was or was not recalled."""
    lost_at = explanation.lost_at
    return {
        "recalled": explanation.recalled,
        "lost_at": lost_at.name if lost_at else None,
        "stages": records(explanation.stages),
        "memory": memory_document(explanation.memory),
    }


def history_document(entry: "HistoryEntry") -> Document:
    """One state of a memory with the change that made it."""
    return {"change": record(entry.change), "memory": memory_document(entry.memory)}


def health_document(health: "Health") -> Document:
    """Whether the store can be relied on."""
    return {"status": health.status, "checks": records(health.checks)}


def doctor_document(report: "DoctorReport") -> Document:
    """What a doctor found and mended."""
    return {
        "is_fine": report.is_fine,
        "findings": records(report.findings),
        "repairs": list(report.repairs),
    }


def setting_document(row: "SettingRow") -> Document:
    """One setting: its value, where that comes from, what it may be and what it means."""
    told = rule_document(row.key, row.default, row.rule)
    return {**told, "value": row.value, "origin": row.origin}


def rule_document(key: str, default: object, rule: "OptionRule") -> Document:
    """What a setting is without more, what it may be and what it means."""
    return {
        "key": key,
        "default": default,
        "meaning": rule.meaning,
        "low": rule.low,
        "high": rule.high,
        "choices": list(rule.choices),
        "takes_effect": "when the store is opened next" if rule.at_open else "within a second",
    }


def embed_document(report: "EmbedReport", *, tells_embedder: bool = False) -> Document:
    """What was embedded, what waits, and how the spaces stand.

    How the embedder of a space is reached is told on its own machine: an address is not for
    everybody.
    """
    return {
        "embedded": report.embedded,
        "waiting": report.waiting,
        "failed": report.failed,
        "problem": report.problem,
        "spaces": [
            {
                **(
                    {"identity": each.space.identity, "metric": each.space.metric}
                    if tells_embedder
                    else {}
                ),
                "state": each.space.state.value,
                "dimension": each.space.dimension,
                "precision": each.space.precision,
                "vectors": each.space.vectors,
                "waiting": each.waiting,
                "failed": each.failed,
            }
            for each in report.spaces
        ],
    }


def key_document(key: "AccessKey") -> Document:
    """A key without its secret, and whether it opens anything now."""
    return {**record(key), "state": key.state(datetime.now(UTC)).value}


def issued_key_document(issued: "IssuedKey") -> Document:
    """A key with its text, which is told this once."""
    return {"text": issued.text, "key": key_document(issued.key)}


def webhook_document(webhook: "Webhook") -> Document:
    """A webhook without its secret."""
    found = record(webhook)
    del found["secret"]
    return found


def reasoning_document(found: "Reasoning") -> Document:
    """What was found out over several memories, step by step."""
    return {
        "question": found.question,
        "evidence": [_evidence_document(each) for each in found.evidence],
        "chain": [each.memory.label for each in found.chain],
        "steps": records(found.steps),
        "gaps": list(found.gaps),
        "is_sufficient": found.is_sufficient,
        "confidence": found.confidence,
        "assessment": found.assessment,
        "stopped": found.stopped,
        "level": found.level,
        "degraded": list(found.degraded),
        "milliseconds": found.milliseconds,
        "answer": records(found.answer),
        "dropped": found.dropped,
        "model": found.model,
        "calls": found.calls,
        "tokens": found.tokens,
    }


def tool_context_document(found: "ToolContext") -> Document:
    """What a tool is given to know, and the memories it was made of."""
    return {
        "text": found.text,
        "tokens": found.tokens,
        "query": found.query,
        "memories": [hit_document(hit) for hit in found.memories],
    }


def _evidence_document(evidence: "Evidence") -> Document:
    return {
        "step": evidence.step,
        "asked": evidence.asked,
        "through": evidence.through,
        "after": evidence.after,
        "covers": list(evidence.covers),
        "hit": hit_document(evidence.hit),
    }


def peak_documents(timeline: "Timeline") -> list[Document]:
    """The busiest periods of a timeline."""
    return [
        {"start": peak.start.isoformat(), "end": peak.end.isoformat(), "count": peak.count}
        for peak in timeline.peaks
    ]


def timeline_document(entry: "TimelineEntry") -> Document:
    """One wording of a memory in its place in time."""
    return {
        "at": entry.at.isoformat(),
        "standing": entry.standing,
        "is_current": entry.is_current,
        "replaces": list(entry.replaces),
        "replaced_by": entry.replaced_by,
        "ended_at": plain(entry.ended_at),
        "reason": entry.reason,
        "memory": memory_document(entry.memory),
    }


def error_document(error: EngramError) -> Document:
    """A refusal: what went wrong and what to do next."""
    return failure_document(error.code, error.message, error.hint)


def failure_document(code: str, message: str, hint: str) -> Document:
    """Anything that went wrong, in the one shape that errors have."""
    return {"error": {"code": code, "message": message, "hint": hint}}
