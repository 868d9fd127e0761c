"""The schemas of what tools take, as short as they can be: a model reads them in every session."""

import json
from typing import cast

from pydantic import BaseModel

from engram.surfaces.operations.schemas import model_schema, present
from engram.surfaces.operations.shapes import PLACE, components

Schema = dict[str, object]
_MOST_SHAPE_BYTES = 600  # what a tool gives is told where that costs little
# Said by the refusal, to those few who run into them.
_UNSAID = frozenset({"title", "default", "pattern", "minLength", "maxLength"})


def schema_of(model: type[BaseModel]) -> Schema:
    """What a tool takes, without what a reader can do without.

    An argument that may be left out may also be null; nobody has to be told so.
    """
    return cast("Schema", _shortened(model_schema(model)))


def _shortened(part: object) -> object:
    if isinstance(part, list):
        return [_shortened(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {key: value for key, value in present(part).items() if key not in _UNSAID}
    if part.get("default") not in (None, ""):
        kept["default"] = part["default"]
    properties = kept.pop("properties", None)
    short = {key: _shortened(value) for key, value in kept.items()}
    if isinstance(properties, dict):
        short["properties"] = {name: _shortened(value) for name, value in properties.items()}
    return short


def shape_of(gives: str) -> Schema | None:
    """What a tool gives, where that is short and stands by itself."""
    shape = components()[gives]
    text = json.dumps(shape)
    is_plain = PLACE not in text and shape.get("type") == "object"
    return shape if is_plain and len(text) <= _MOST_SHAPE_BYTES else None
