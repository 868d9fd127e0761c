"""Closed unions of dataclasses, told from the classes themselves: as JSON Schema, and in a line."""

import dataclasses
import operator
import types
from collections.abc import Mapping
from datetime import timedelta
from functools import reduce
from typing import Union, get_args, get_origin, get_type_hints

from engram.memory.jsons import Json
from engram.memory.tagged import TAG, tag_of
from engram.surfaces.operations.schemas import (
    ANYTHING,
    JsonSchema,
    listed,
    maybe,
    schema_of,
    whole,
)

Told = Mapping[object, JsonSchema]
_NONE: Told = types.MappingProxyType({})


def tagged_schema(annotation: object, told: Told = _NONE) -> JsonSchema:
    """What `tagged.as_json` makes of a value of that type.

    `told` is what stands for some types instead: a reference, where a union holds itself.
    """
    if annotation in told:
        return dict(told[annotation])
    if annotation is Json:
        return dict(ANYTHING)
    if annotation is timedelta:
        return {"type": "number", "description": "Seconds."}
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        tag: JsonSchema = {"type": "string", "enum": [tag_of(annotation)]}
        return whole({TAG: tag, **_fields(annotation, told)})
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        return _schema_of_union(arguments, told)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": True}
    return listed(tagged_schema(arguments[0], told)) if origin is tuple else schema_of(annotation)


def untagged_schema(kind: type, told: Told = _NONE) -> JsonSchema:
    """The same of a single class that needs no tag, as `documents.record` tells it."""
    return whole(_fields(kind, told))


def _schema_of_union(choices: tuple[object, ...], told: Told) -> JsonSchema:
    if type(None) in choices:
        rest = reduce(operator.or_, (each for each in choices if each is not type(None)))
        if rest in told:  # `Action | None` is told as one flat union
            return maybe(dict(told[rest]))
    return {"anyOf": [tagged_schema(each, told) for each in choices]}


def _fields(kind: type, told: Told) -> dict[str, JsonSchema]:
    return {name: tagged_schema(hint, told) for name, hint in get_type_hints(kind).items()}


def spelled(union: object) -> str:
    """A union as callers write it, in a line: tool_call(tool, args?), plan_created(steps)."""
    return ", ".join(_spelled(each) for each in get_args(union))


def _spelled(kind: type) -> str:
    names = [f"{each.name}{'' if _is_needed(each) else '?'}" for each in dataclasses.fields(kind)]
    return f"{tag_of(kind)}({', '.join(names)})"


def _is_needed(field: "dataclasses.Field[object]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
