"""The shapes of models and of counts of tokens."""

from engram.surfaces.operations.schemas import COUNT, FLAG, TEXT, JsonSchema, listed, ref, whole


def sizing_shapes() -> dict[str, JsonSchema]:
    """Every shape of these by its name."""
    return {
        "Model": whole(
            {
                "name": TEXT,
                "known_as": TEXT,
                "provider": TEXT,
                "window": COUNT,
                "output": COUNT,
                "has_tools": FLAG,
                "has_vision": FLAG,
                "has_thinking": FLAG,
                "tokenizer": TEXT,
                "is_known": FLAG,
                "notice": TEXT,
            }
        ),
        "Models": whole({"models": listed(ref("Model"))}),
        "TokenCount": whole({"tokens": COUNT, "counter": TEXT, "is_exact": FLAG}),
    }
