"""The operation that tells what should be in mind in a situation."""

from engram.engine import Engram
from engram.surfaces.documents import Document, records
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import Budget, Limit
from engram.surfaces.operations.operation import READING, ScopedArguments, operation
from engram.surfaces.operations.tagged_fields import SituationPart


class Gather(ScopedArguments):
    """What `gather` takes."""

    situation: SituationPart
    limit: Limit = 12
    budget: Budget | None = None


@operation(
    "gather", Gather, kind=READING, route="POST /working/gather", gives="WorkingItems",
    tells=telling.working_items,
)  # fmt: skip
def gather(engram: Engram, given: Gather) -> Document:
    """What memories, episodes, beliefs and skills offer for a situation, best first."""
    found = engram.working.gather(
        given.situation.as_document(), limit=given.limit, budget=given.budget, scope=given.part
    )
    return {"items": records(found)}
