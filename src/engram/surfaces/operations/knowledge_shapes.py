"""The shapes of what operations on what is known give."""

from engram.memory.knowledge.belief import Node
from engram.memory.knowledge.epistemic import Epistemic, Inferred
from engram.memory.knowledge.learned import Kind
from engram.memory.knowledge.story import Revision
from engram.surfaces.operations.schemas import (
    JsonSchema,
    fields_of,
    listed,
    maybe,
    ref,
    schema_of,
    schema_of_record,
    whole,
)
from engram.surfaces.operations.tagged_schemas import tagged_schema

_TEXT: JsonSchema = {"type": "string"}
_COUNT: JsonSchema = {"type": "integer", "minimum": 0}
_SHARE: JsonSchema = {"type": "number", "minimum": 0, "maximum": 1}
_FLAG: JsonSchema = {"type": "boolean"}
_TIME: JsonSchema = {"type": "string", "format": "date-time"}
_CHANGE_ID: JsonSchema = {"type": "string", "description": "What `undo` takes it back by."}
_ANYTHING: JsonSchema = {"description": "Any JSON value."}
_BELIEFS = listed(ref("Belief"))
_STATES = ["held", "contested", "retracted", "unknown"]


def knowledge_shapes() -> dict[str, JsonSchema]:
    """Every shape of what is known by its name."""
    return {
        "Node": whole({**fields_of(Node), "title": _TEXT}),
        "Nodes": whole({"nodes": listed(ref("Node"))}),
        "Epistemic": tagged_schema(Epistemic),
        "Belief": whole(_belief_fields()),
        "Learned": whole({
            "kind": schema_of(Kind),
            "reason": _TEXT,
            "change_id": maybe(_CHANGE_ID),
            "belief": ref("Belief"),
            "rivals": listed(ref("Memory")),
        }),
        "LearnedMany": whole({"learned": listed(ref("Learned"))}),
        "BeliefState": whole({
            "state": {"type": "string", "enum": _STATES},
            "beliefs": _BELIEFS,
            "alternatives": _BELIEFS,
            "reason": _TEXT,
            "retracted_at": maybe(_TIME),
        }),
        "Revisions": whole({"revisions": listed(schema_of_record(Revision)), "story": _TEXT}),
        "Support": whole({
            "voices": _COUNT,
            "confidence": _SHARE,
            "sayings": listed(whole({"voice": _TEXT, "epistemic": ref("Epistemic"), "at": _TIME})),
        }),
        **_found_shapes(),
    }  # fmt: skip


def _belief_fields() -> dict[str, JsonSchema]:
    return {
        "id": _TEXT,
        "label": _TEXT,
        "source": ref("Node"),
        "relation": _TEXT,
        "target": maybe(ref("Node")),
        "property": _TEXT,
        "value": _ANYTHING,
        "object": _TEXT,
        "weight": _SHARE,
        "epistemic": ref("Epistemic"),
        "strength": _SHARE,
        "confidence": _SHARE,
        "force": _SHARE,
        "support": _COUNT,
        "is_functional": _FLAG,
        "is_learned": _FLAG,
        "repeated_at": maybe(_TIME),
        "memory": ref("Memory"),
    }


def _found_shapes() -> dict[str, JsonSchema]:
    """What is found by asking and by following."""
    concluded: dict[str, JsonSchema] = {
        "source": ref("Node"), "relation": _TEXT, "target": ref("Node"), "confidence": _SHARE,
        "valid_from": maybe(_TIME), "valid_until": maybe(_TIME),
    }  # fmt: skip
    held: dict[str, JsonSchema] = {
        "name": _TEXT,
        "value": _ANYTHING,
        "confidence": _SHARE,
        "belief": ref("Belief"),
    }
    reached: dict[str, JsonSchema] = {
        "node": ref("Node"),
        "score": _SHARE,
        "hops": _COUNT,
        "way": _BELIEFS,
    }
    answer: dict[str, JsonSchema] = {
        "node": ref("Node"), "score": {"type": "number"}, "relevance": {"type": "number"},
        "confidence": _SHARE, "epistemic": ref("Epistemic"), "way": _BELIEFS,
    }  # fmt: skip
    return {
        "Conclusion": whole({
            **concluded, "epistemic": tagged_schema(Inferred), "premises": _BELIEFS,
        }),
        "Conclusions": whole({"conclusions": listed(ref("Conclusion"))}),
        "NodeView": whole({
            "node": ref("Node"),
            "aliases": listed(_TEXT),
            "properties": listed(whole(held)),
            "beliefs_out": _BELIEFS,
            "beliefs_in": _BELIEFS,
            "conclusions": listed(ref("Conclusion")),
        }),
        "Reached": whole({
            "reached": listed(whole({**reached, "conclusion": maybe(whole(concluded))}))
        }),
        "Answers": whole({"answers": listed(whole(answer))}),
    }  # fmt: skip
