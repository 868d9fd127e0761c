"""Operations by which an owner sees whether somebody tampered with the store, or tried to."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.memory.security_events import SecurityKind
from engram.surfaces.documents import Document, record, records
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import Limit, Time
from engram.surfaces.operations.lines import bounded, on_one_line
from engram.surfaces.operations.operation import INSPECTING, Arguments, operation
from engram.surfaces.operations.telling import documents_in


class VerifyAudit(Arguments):
    """What `verify_audit` takes."""

    against: Annotated[
        str | None,
        Field(max_length=100, description="A head that was noted, as `audit_head` told it."),
    ] = None


@operation(
    "verify_audit", VerifyAudit, kind=INSPECTING, route="GET /audit/verdict", gives="AuditVerdict",
    tells=telling.verdict,
)  # fmt: skip
def verify_audit(engram: Engram, given: VerifyAudit) -> Document:
    """Whether the audit is whole: no entry altered, dropped or added, none taken back."""
    return record(engram.verify_audit(given.against))


def told_head(document: Document) -> str:
    """The head, as it is noted down."""
    return f"The audit ends with {document['text']}."


@operation(
    "audit_head", Arguments, kind=INSPECTING, route="GET /audit/head", gives="AuditHead",
    tells=told_head,
)  # fmt: skip
def audit_head(engram: Engram, given: Arguments) -> Document:  # noqa: ARG001  # it takes nothing
    """How long the audit is and what it ends with, to be noted down elsewhere."""
    found = engram.audit_head()
    return {**record(found), "text": found.text}


class SecurityEvents(Arguments):
    """What `security_events` takes."""

    kind: Annotated[
        SecurityKind | None, Field(strict=False, description="Only events of this kind.")
    ] = None
    since: Annotated[Time | None, Field(description="Only what happened then or later.")] = None
    limit: Limit = 100


def told_events(document: Document) -> str:
    """What happened, line by line."""
    return bounded(
        f"{event['last_at']} {event['kind']} {event['count']} times"
        f" {on_one_line(event['actor'], 300)} {event['code']}".rstrip()
        for event in documents_in(document["events"])
    ) or "No events."  # fmt: skip


@operation(
    "security_events", SecurityEvents, kind=INSPECTING, route="GET /security/events",
    gives="SecurityEvents", tells=told_events,
)  # fmt: skip
def security_events(engram: Engram, given: SecurityEvents) -> Document:
    """What happened that concerns safety, newest first, counted by the minute."""
    found = engram.security_events(limit=given.limit, kind=given.kind, since=given.since)
    return {"events": records(found)}
