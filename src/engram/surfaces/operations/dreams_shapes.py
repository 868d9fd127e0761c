"""The shapes of what operations on dreams give."""

from engram.memory.dreams.report import DreamRecord, Step
from engram.surfaces.operations.schemas import (
    CHANGE_ID,
    COUNT,
    FLAG,
    NUMBER,
    TEXT,
    TIME,
    JsonSchema,
    listed,
    maybe,
    ref,
    schema_of_record,
    whole,
)


def dream_shapes() -> dict[str, JsonSchema]:
    """Every shape of dreams by its name."""
    return {
        "DreamDecision": whole(
            {"why": TEXT, "memories": listed(TEXT), "changes": listed(CHANGE_ID)}
        ),
        "DreamPass": whole({
            "step": {"type": "string", "enum": list(Step)},
            "scope": TEXT,
            "looked_at": COUNT,
            "decided": listed(ref("DreamDecision")),
            "findings": listed(TEXT),
            "skipped": TEXT,
            "seconds": NUMBER,
            "is_whole": FLAG,
            "is_finished": FLAG,
        }),
        "Dream": whole({
            "id": maybe(CHANGE_ID),
            "at": TIME,
            "is_dry": FLAG,
            "is_resumed": FLAG,
            "is_whole": FLAG,
            "decisions": COUNT,
            "passes": listed(ref("DreamPass")),
        }),
        "DreamRecord": schema_of_record(DreamRecord),
        "Dreams": whole({"dreams": listed(ref("DreamRecord"))}),
    }  # fmt: skip
