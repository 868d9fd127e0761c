"""The shapes of the overview and of the map of what is known."""

from engram.memory.dreams.domains import KnownDomain
from engram.surfaces.operations.schemas import (
    COUNT,
    SHARE,
    TEXT,
    TIME,
    JsonSchema,
    listed,
    maybe,
    ref,
    schema_of_record,
    whole,
)


def overseeing_shapes() -> dict[str, JsonSchema]:
    """Every shape of these by its name."""
    return {
        "OverviewNode": whole({
            "text": TEXT,
            "tokens": COUNT,
            "members": COUNT,
            "scope": TEXT,
            "sources": listed(TEXT),
        }),
        "Overview": whole({
            "level": COUNT,
            "tokens": COUNT,
            "made_at": maybe(TIME),
            "text": TEXT,
            "nodes": listed(ref("OverviewNode")),
        }),
        "Domain": schema_of_record(KnownDomain),
        "Domains": whole({"coverage": SHARE, "domains": listed(ref("Domain"))}),
    }  # fmt: skip
