"""Questions and what became of answers, as JSON documents."""

from typing import TYPE_CHECKING

from engram.surfaces.documents import Document, memory_documents, plain

if TYPE_CHECKING:
    from engram.memory.dreams.gap_answers import GapAnswer
    from engram.memory.dreams.gaps import Gap


def gap_document(gap: "Gap") -> Document:
    """One question, and what it is about."""
    return {
        "id": gap.id,
        "scope": gap.scope.path,
        "kind": gap.kind.value,
        "question": gap.question,
        "subject": gap.subject,
        "field": gap.field,
        "severity": gap.severity,
        "memories": list(gap.labels),
        "made_at": plain(gap.made_at),
    }


def answer_document(answer: "GapAnswer") -> Document:
    """What became of an answer, and the changes that take it back."""
    return {
        "gap": gap_document(answer.gap),
        "kind": answer.kind,
        "is_closed": answer.is_closed,
        "reason": answer.reason,
        "changes": list(answer.changes),
        "memories": memory_documents(answer.memories),
    }
