"""The table of all operations: each module registers its own when it is imported."""

from engram.surfaces.operations import (  # noqa: F401  # imported for what they register
    access,
    asking,
    configuring,
    context,
    curating,
    dreaming,
    episodes,
    erasing,
    guarding,
    knowledge,
    local,
    memories,
    observing,
    overseeing,
    profiling,
    reasoning,
    recalling,
    relating,
    sending,
    sizing,
    skills,
    store,
    working,
)
from engram.surfaces.operations.operation import OPERATIONS

__all__ = ["OPERATIONS"]
