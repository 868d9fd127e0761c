"""The shapes of the overview and of the map of what is known."""

from engram.memory.dreams.domains import KnownDomain
from engram.memory.dreams.growth import DayCount, NightCount
from engram.memory.vocabulary import RetentionMode
from engram.surfaces.operations.schemas import (
    COUNT,
    SHARE,
    TEXT,
    TIME,
    JsonSchema,
    counts,
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
        "Growth": whole({
            "days": listed(schema_of_record(DayCount)),
            "nights": listed(schema_of_record(NightCount)),
            "fading": whole({
                "mode": {"type": "string", "enum": list(RetentionMode)},
                "lasting": COUNT,
                "by_half_lives": counts(),
                "by_retention": counts(),
            }),
            "domains": listed(ref("Domain")),
            "statuses": counts(),
        }),
    }  # fmt: skip
