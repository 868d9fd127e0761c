"""Dreams as documents: what was decided while nobody asked, and by which id it is taken back."""

from typing import TYPE_CHECKING

from engram.memory.ids import label_of
from engram.surfaces.documents import Document, plain, record

if TYPE_CHECKING:
    from engram.memory.dreams.report import Decided, DreamRecord, DreamReport, PassReport


def dream_document(report: "DreamReport") -> Document:
    """What a dream did; a dry one has no id."""
    return {
        "id": report.id or None,
        "at": plain(report.at),
        "is_dry": report.is_dry,
        "is_resumed": report.is_resumed,
        "is_whole": report.is_whole,
        "decisions": report.decisions,
        "passes": [_pass(each) for each in report.passes],
    }


def _pass(report: "PassReport") -> Document:
    return {
        "step": report.step.value,
        "scope": report.scope,
        "looked_at": report.looked_at,
        "decided": [_decided(each) for each in report.decided],
        "findings": list(report.findings),
        "skipped": report.skipped,
        "seconds": round(report.seconds, 4),
        "is_whole": report.is_whole,
        "is_finished": report.is_finished,
    }


def _decided(decided: "Decided") -> Document:
    return {
        "why": decided.why,
        "memories": [label_of(number) for number in decided.numbers],
        "changes": list(decided.changes),
    }


def dream_record_document(found: "DreamRecord") -> Document:
    """A dream in a list of them."""
    return record(found)
