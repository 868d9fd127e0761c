"""Operations on what is known as a whole: the overview, and the map of what is known how well."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.surfaces.documents import Document
from engram.surfaces.operations import overseeing_telling
from engram.surfaces.operations.fields import Time
from engram.surfaces.operations.operation import READING, ScopedArguments, operation
from engram.surfaces.overseeing_documents import (
    domains_document,
    growth_document,
    overview_document,
)

_MOST_TOKENS = 1_000_000


class Overview(ScopedArguments):
    """What `overview` takes."""

    tokens: Annotated[
        int | None,
        Field(ge=1, le=_MOST_TOKENS, description="As much detail as fits into so many."),
    ] = None
    level: Annotated[
        int | None,
        Field(ge=1, le=3, description="1 clusters, 2 domains, 3 all in one paragraph."),
    ] = None


@operation(
    "overview", Overview, kind=READING, route="GET /overview", gives="Overview",
    tells=overseeing_telling.overview,
)  # fmt: skip
def overview(engram: Engram, given: Overview) -> Document:
    """What is known altogether, in as much detail as the tokens allow."""
    found = engram.overview(tokens=given.tokens, level=given.level, scope=given.part)
    return overview_document(found)


class Domains(ScopedArguments):
    """What `domains` takes."""


@operation(
    "domains", Domains, kind=READING, route="GET /domains", gives="Domains",
    tells=overseeing_telling.domains,
)  # fmt: skip
def domains(engram: Engram, given: Domains) -> Document:
    """What is known how well, domain by domain, the best known first."""
    return domains_document(engram.domains(scope=given.part))


class Growth(ScopedArguments):
    """What `growth` takes."""

    since: Annotated[Time | None, Field(description="Only the days from then on.")] = None


@operation("growth", Growth, kind=READING, route="GET /statistics/growth", gives="Growth")
def growth(engram: Engram, given: Growth) -> Document:
    """How memory grew day by day, what dreams did, how it fades, what is known well."""
    return growth_document(engram.growth(given.since, scope=given.part))
