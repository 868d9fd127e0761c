"""The shapes of profiles, cards, topics and traces."""

from engram.surfaces.operations.schemas import (
    COUNT,
    FLAG,
    SHARE,
    TEXT,
    TIME,
    JsonSchema,
    listed,
    maybe,
    ref,
    whole,
)


def profile_shapes() -> dict[str, JsonSchema]:
    """Every shape by its name."""
    lines = listed(ref("Line"))
    return {
        "Line": whole({"text": TEXT, "heading": TEXT, "memory": TEXT}),
        "Behaviour": whole({
            "lines": lines, "text": TEXT, "reflection": TEXT, "made_at": maybe(TIME),
        }),
        "Card": whole({
            "entity": ref("Entity"),
            "text": TEXT,
            "lines": lines,
            "facts": lines,
            "relations": listed(
                whole({"relation": TEXT, "name": TEXT, "is_inward": FLAG, "memory": TEXT})
            ),
            "made_at": maybe(TIME),
        }),
        "Topics": whole({"topics": listed(whole({
            "name": TEXT, "count": COUNT, "share": SHARE, "last_seen": TIME,
            "memories": listed(TEXT),
        }))}),
        "Traces": whole({"traces": listed(whole({
            "id": TEXT,
            "topics": listed(TEXT),
            "since": TIME,
            "until": TIME,
            "boxes": COUNT,
            "sessions": COUNT,
            "memories": listed(TEXT),
            "lines": lines,
        }))}),
    }  # fmt: skip
