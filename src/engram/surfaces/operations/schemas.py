"""JSON Schemas made from what the code itself declares, so that they cannot fall behind it."""

import dataclasses
import types
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Literal, NewType, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from engram.memory.scopes import Scope

JsonSchema = dict[str, object]
PLACE = "#/components/schemas/"  # where a shape stands that others refer to

TEXT: JsonSchema = {"type": "string"}
COUNT: JsonSchema = {"type": "integer", "minimum": 0}
NUMBER: JsonSchema = {"type": "number"}
SHARE: JsonSchema = {"type": "number", "minimum": 0, "maximum": 1}
FLAG: JsonSchema = {"type": "boolean"}
TIME: JsonSchema = {"type": "string", "format": "date-time"}
ANYTHING: JsonSchema = {"description": "Any JSON value."}
CHANGE_ID: JsonSchema = {"type": "string", "description": "What `undo` takes it back by."}

_PLAIN: dict[object, JsonSchema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    bytes: {"type": "string"},
    type(None): {"type": "null"},
    object: {},
    datetime: {"type": "string", "format": "date-time"},
    Scope: {"type": "string"},
    Path: {"type": "string"},
}


def whole(properties: Mapping[str, JsonSchema], *optional: str) -> JsonSchema:
    """An object with these fields and no others; all are there but those named."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def ref(name: str) -> JsonSchema:
    """A shape that is told once, by its name."""
    return {"$ref": f"{PLACE}{name}"}


def listed(item: JsonSchema) -> JsonSchema:
    """A list of such."""
    return {"type": "array", "items": item}


def maybe(schema: JsonSchema) -> JsonSchema:
    """Such a value, or none."""
    return {"anyOf": [schema, {"type": "null"}]}


def counts() -> JsonSchema:
    """Numbers by name."""
    return {"type": "object", "additionalProperties": {"type": "integer"}}


def schema_of_record(kind: type) -> JsonSchema:
    """What `documents.record` makes of a dataclass."""
    return whole(fields_of(kind))


def fields_of(kind: type) -> dict[str, JsonSchema]:
    """The fields of a dataclass, each as it looks in JSON."""
    hints = get_type_hints(kind)
    return {field.name: schema_of(hints[field.name]) for field in dataclasses.fields(kind)}


def schema_of(annotation: object) -> JsonSchema:
    """What `documents.plain` makes of a value of that type."""
    if annotation in _PLAIN:
        return dict(_PLAIN[annotation])
    if isinstance(annotation, NewType):
        return schema_of(annotation.__supertype__)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return {"type": "string", "enum": [member.value for member in annotation]}
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        return schema_of_record(annotation)
    return _schema_of_many(annotation)


def _schema_of_many(annotation: object) -> JsonSchema:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(each) for each in arguments]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence | frozenset | set):
        return listed(schema_of(arguments[0]))
    raise TypeError(annotation)


@cache
def model_schema(model: type[BaseModel]) -> JsonSchema:
    """What a model of arguments takes, in one piece: no references, no titles."""
    made = model.model_json_schema()
    definitions = cast("dict[str, JsonSchema]", made.pop("$defs", {}))
    found = cast("JsonSchema", _inlined(made, definitions))
    found.pop("description", None)
    found.setdefault("properties", {})
    return found


def _inlined(value: object, definitions: Mapping[str, JsonSchema]) -> object:
    if isinstance(value, list):
        return [_inlined(each, definitions) for each in value]
    if not isinstance(value, dict):
        return value
    if isinstance(reference := value.get("$ref"), str):
        named = definitions[reference.rpartition("/")[2]]
        rest = {name: each for name, each in value.items() if name != "$ref"}
        told = {name: each for name, each in named.items() if name != "description"}
        value = {**told, **rest}
    # A title that is no text is a field of that name.
    return {
        name: _inlined(each, definitions)
        for name, each in value.items()
        if name != "title" or not isinstance(each, str)
    }


def present(schema: JsonSchema) -> JsonSchema:
    """The same for who leaves out what is not there: without null, and a default that says so."""
    kinds = cast("list[JsonSchema]", schema.get("anyOf", []))
    others = [each for each in kinds if each.get("type") != "null"]
    if len(others) == len(kinds):
        return schema
    rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    return {**others[0], **rest} if len(others) == 1 else {**rest, "anyOf": others}


def kinds_of(schema: JsonSchema) -> frozenset[str]:
    """The kinds of JSON values that a schema allows."""
    found = {schema["type"]} if isinstance(schema.get("type"), str) else set()
    for each in cast("list[JsonSchema]", schema.get("anyOf", [])):
        found |= kinds_of(each)
    return frozenset(cast("set[str]", found))


def names_in(schema: object) -> frozenset[str]:
    """The names of all fields that a schema tells of, at any depth."""
    found: set[str] = set()
    if isinstance(schema, dict):
        properties = schema.get("properties")
        found |= set(properties) if isinstance(properties, dict) else set()
        for each in schema.values():
            found |= names_in(each)
    elif isinstance(schema, list):
        for each in schema:
            found |= names_in(each)
    return frozenset(found)
