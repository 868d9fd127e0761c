"""Operations on the store as a whole: figures, health, audit, backups, embedding."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from engram.engine import Engram
from engram.memory.scopes import Principal
from engram.surfaces.documents import (
    Document,
    capture_document,
    doctor_document,
    embed_document,
    health_document,
    record,
    records,
    spending_document,
)
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import ActionName, Id, Limit, Time
from engram.surfaces.operations.operation import (
    CONTROLLING,
    INSPECTING,
    READING,
    Arguments,
    Progress,
    ScopedArguments,
    long_operation,
    operation,
)

if TYPE_CHECKING:
    from engram.storage.upkeep import Health


@operation(
    "stats", ScopedArguments, kind=READING, route="GET /stats", gives="Stats", tells=telling.stats
)
def stats(engram: Engram, given: ScopedArguments) -> Document:
    """How much there is, by status, category and layer."""
    return record(engram.stats(scope=given.part))


@operation(
    "health", Arguments, kind=READING, route="GET /store/health", gives="Health",
    tells=telling.health,
)  # fmt: skip
def health(engram: Engram, given: Arguments) -> Document:  # noqa: ARG001  # it takes nothing
    """Whether the store can be relied on right now, tried for real."""
    return told_health(engram.health(), engram.principal)


def told_health(found: "Health", principal: Principal) -> Document:
    """The health of a store as a caller may know it: details are of the whole, so the owner's."""
    told = health_document(found)
    if principal.is_owner:
        return told
    checks = [{"name": each.name, "state": each.state, "detail": ""} for each in found.checks]
    return {**told, "checks": checks}


class Doctor(Arguments):
    """What `doctor` takes."""

    repair: Annotated[bool, Field(description="Mend what is wrong, too.")] = False


@operation(
    "doctor", Doctor, kind=CONTROLLING, route="POST /doctor", gives="Diagnosis",
    tells=telling.diagnosis,
)  # fmt: skip
def doctor(engram: Engram, given: Doctor) -> Document:
    """Look the whole store over; mend only when told to."""
    return doctor_document(engram.doctor(repair=given.repair))


class Since(ScopedArguments):
    """What figures over time take."""

    since: Annotated[Time | None, Field(description="Only what happened then or later.")] = None


@operation(
    "capture_statistics", Since, kind=READING, route="GET /statistics/capture",
    gives="CaptureStatistics",
)  # fmt: skip
def capture_statistics(engram: Engram, given: Since) -> Document:
    """What became of what was said: kept, merged, held, refused and skipped, by reason."""
    return capture_document(engram.capture_statistics(given.since, scope=given.part))


@operation(
    "recall_statistics", Since, kind=READING, route="GET /statistics/recall",
    gives="RecallStatistics",
)  # fmt: skip
def recall_statistics(engram: Engram, given: Since) -> Document:
    """How recalls went: figures over time, and what got worse."""
    return record(engram.recall_statistics(given.since, scope=given.part))


@operation("spending", Since, kind=READING, route="GET /statistics/spending", gives="Spending")
def spending(engram: Engram, given: Since) -> Document:
    """What the language model took, by day, and what that cost."""
    return spending_document(engram.spending(given.since, scope=given.part))


class Audit(Since):
    """What `audit` takes."""

    memory_id: Id | None = None
    action: ActionName | None = None
    before: Annotated[
        int | None,
        Field(ge=1, le=2**62, description="Continue before this entry: `next` of a page."),
    ] = None
    limit: Limit = 100


@operation(
    "audit", Audit, kind=READING, route="GET /audit", gives="Audit", tells=telling.audit,
    cursor="before",
)  # fmt: skip
def audit(engram: Engram, given: Audit) -> Document:
    """What happened, newest first: ids and hashes, never text; `next` continues."""
    found = engram.audit(
        limit=given.limit + 1,  # one more shows whether anything follows
        memory_id=given.memory_id,
        action=given.action,
        since=given.since,
        before=given.before,
        scope=given.part,
    )
    page = found[: given.limit]
    following = page[-1].sequence if len(found) > given.limit else None
    return {"entries": records(page), "next": following}


@operation("backup", Arguments, kind=CONTROLLING, route="POST /backups", gives="Backup")
def backup(engram: Engram, given: Arguments) -> Document:  # noqa: ARG001  # no path from outside
    """Make a verified backup among the store's own."""
    made = engram.backup()
    # Its name alone: where on the machine the store lies is nobody's business.
    return {"name": made.path.name, "states": made.states, "bytes": made.bytes}


@long_operation("embed", Arguments, kind=CONTROLLING, route="POST /embed", gives="Embedded")
def embed(engram: Engram, given: Arguments, progress: Progress) -> Document:  # noqa: ARG001  # none
    """Embed now whatever waits, and what failed before."""
    return embed_document(engram.upkeep.embed(progress))


@operation(
    "scopes", Arguments, kind=INSPECTING, route="GET /scopes", gives="Scopes", tells=telling.scopes
)
def scopes(engram: Engram, given: Arguments) -> Document:  # noqa: ARG001  # it takes nothing
    """How many memories each scope holds."""
    return {"scopes": engram.upkeep.scopes()}
