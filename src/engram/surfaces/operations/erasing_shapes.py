"""The shapes of erasures."""

from engram.memory.erasure import ErasedKind, ErasureState
from engram.surfaces.operations.schemas import (
    COUNT,
    TEXT,
    TIME,
    JsonSchema,
    counts,
    listed,
    maybe,
    ref,
    whole,
)


def erasing_shapes() -> dict[str, JsonSchema]:
    """Every shape of these by its name."""
    return {
        "Remains": whole({"place": TEXT, "what": TEXT}),
        "Erasure": whole(
            {
                "id": maybe(TEXT),
                "at": TIME,
                "selected_by": {"type": "string", "enum": [each.value for each in ErasedKind]},
                "state": {"type": "string", "enum": [each.value for each in ErasureState]},
                "memories": COUNT,
                "counts": counts(),
                "remains": listed(ref("Remains")),
                "also_told_by": listed(TEXT),
                "change_id": maybe(TEXT),
                "certificate": maybe(TEXT),
            }
        ),
        "Erasures": whole({"erasures": listed(ref("Erasure"))}),
    }
