"""The shapes of what is in mind."""

from engram.memory.working.export import Form
from engram.memory.working.slots import Slot
from engram.memory.working.snapshot import Return, Suspended
from engram.surfaces.operations.schemas import (
    COUNT,
    NUMBER,
    SHARE,
    TEXT,
    JsonSchema,
    fields_of,
    listed,
    maybe,
    ref,
    schema_of_record,
    whole,
)


def working_shapes() -> dict[str, JsonSchema]:
    """Every shape of these by its name."""
    slots = listed(ref("Slot"))
    return {
        "Slot": whole({**fields_of(Slot), "activation": SHARE}),
        "Slots": whole({"slots": slots}),
        "ExportedMind": whole({
            "form": {"type": "string", "enum": [each.value for each in Form]},
            "text": TEXT,
            "tokens": COUNT,
            "slots": slots,
            "left_out": COUNT,
        }),
        "Ticked": whole({"came": slots, "let_go": slots, "kept": listed(ref("Outcome"))}),
        "Suspended": schema_of_record(Suspended),
        "Resumed": whole({
            "kind": {"type": "string", "enum": [each.value for each in Return]},
            "slots": slots,
            "away_seconds": maybe(NUMBER),
            "dropped": COUNT,
        }),
        "Cleared": whole({"slots": COUNT}),
    }  # fmt: skip
