"""The shape of a prompt that was put together."""

from engram.surfaces.operations.schemas import (
    COUNT,
    FLAG,
    NUMBER,
    TEXT,
    JsonSchema,
    listed,
    maybe,
    whole,
)

_MESSAGE: JsonSchema = {
    "type": "object",
    "description": "A message with its role, as the format that was asked for has it.",
}


def context_shapes() -> dict[str, JsonSchema]:
    """Every shape of these by its name."""
    return {
        "Context": whole({
            "tokens": COUNT,
            "budget": COUNT,
            "counted_by": TEXT,
            "model": maybe(TEXT),
            "is_known_model": maybe(FLAG),
            "notice": TEXT,
            "mode": TEXT,
            "topic": TEXT,
            "sections": listed(
                whole({"name": TEXT, "tokens": COUNT, "room": COUNT, "text": TEXT})
            ),
            "memories": listed(
                whole({"id": TEXT, "label": TEXT, "tier": TEXT, "score": NUMBER})
            ),
            "left_out": COUNT,
            "notes": listed(TEXT),
            "questions": listed(TEXT),
            "degraded": listed(TEXT),
            "system": TEXT,
            "messages": listed(_MESSAGE),
            "text": TEXT,
        }),
    }  # fmt: skip
