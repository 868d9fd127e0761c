"""The schemas of what tools take, as short as they can be: a model reads them in every session."""

import json
from typing import cast

from pydantic import BaseModel

from engram.surfaces.operations.shapes import PLACE, components

Schema = dict[str, object]
_MOST_SHAPE_BYTES = 600  # what a tool gives is told where that costs little
# Said by the refusal, to those few who run into them.
_UNSAID = frozenset({"title", "default", "pattern", "minLength", "maxLength"})


def schema_of(model: type[BaseModel]) -> Schema:
    """What a tool takes, without what a reader can do without.

    An argument that may be left out may also be null; nobody has to be told so.
    """
    whole = model.model_json_schema()
    definitions = whole.pop("$defs", {})
    whole.pop("description", None)
    short = cast("Schema", _shortened(whole, cast("Schema", definitions)))
    short.setdefault("properties", {})
    return short


def _shortened(part: object, definitions: Schema) -> object:
    if isinstance(part, list):
        return [_shortened(each, definitions) for each in part]
    if not isinstance(part, dict):
        return part
    reference = part.get("$ref")
    if isinstance(reference, str):
        named = cast("Schema", definitions[reference.rpartition("/")[2]])
        part = {**named, **{key: value for key, value in part.items() if key != "$ref"}}
    part = _without_null(part)
    kept = {key: value for key, value in part.items() if key not in _UNSAID}
    if "default" in part and part["default"] not in (None, ""):
        kept["default"] = part["default"]
    properties = kept.pop("properties", None)
    short = {key: _shortened(value, definitions) for key, value in kept.items()}
    if isinstance(properties, dict):
        short["properties"] = {
            name: _shortened(value, definitions) for name, value in properties.items()
        }
    return short


def _without_null(part: Schema) -> Schema:
    choices = part.get("anyOf")
    if not isinstance(choices, list):
        return part
    real = [choice for choice in choices if choice != {"type": "null"}]
    rest = {key: value for key, value in part.items() if key != "anyOf"}
    return {**real[0], **rest} if len(real) == 1 else {**rest, "anyOf": real}


def shape_of(gives: str) -> Schema | None:
    """What a tool gives, where that is short and stands by itself."""
    shape = components()[gives]
    text = json.dumps(shape)
    is_plain = PLACE not in text and shape.get("type") == "object"
    return shape if is_plain and len(text) <= _MOST_SHAPE_BYTES else None
