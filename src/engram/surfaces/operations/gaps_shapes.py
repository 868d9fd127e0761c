"""The shapes of questions and of what became of answers."""

from typing import get_args

from engram.memory.dreams.gap_answers import Done
from engram.memory.dreams.gaps import GapKind
from engram.surfaces.operations.schemas import (
    CHANGE_ID,
    FLAG,
    NUMBER,
    TEXT,
    TIME,
    JsonSchema,
    listed,
    ref,
    whole,
)


def gap_shapes() -> dict[str, JsonSchema]:
    """Every shape of gaps by its name."""
    return {
        "Gap": whole({
            "id": TEXT,
            "scope": TEXT,
            "kind": {"type": "string", "enum": list(GapKind)},
            "question": TEXT,
            "subject": TEXT,
            "field": TEXT,
            "severity": NUMBER,
            "memories": listed(TEXT),
            "made_at": TIME,
        }),
        "Gaps": whole({"gaps": listed(ref("Gap"))}),
        "GapAnswer": whole({
            "gap": ref("Gap"),
            "kind": {"type": "string", "enum": list(get_args(Done))},
            "is_closed": FLAG,
            "reason": TEXT,
            "changes": listed(CHANGE_ID),
            "memories": listed(ref("Memory")),
        }),
    }  # fmt: skip
