"""Closed unions of dataclasses as JSON and back: each object carries the name of its class.

Reading is strict: an unknown name, a field too many or too few, or a value of the wrong type is
refused and named. What the fields are follows from the dataclasses, so that nothing is said twice.
"""

import dataclasses
import re
import types
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from engram.errors import ContentTooLarge, EngramError, InvalidInput
from engram.memory.jsons import Json, JsonObject, checked_json, checked_object
from engram.memory.times import parse_time

TAG = "type"
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_T = TypeVar("_T")
_DEEPEST = 100  # the JSON of a caller inside conditions and actions inside each other


def tag_of(kind: type) -> str:
    """What a class is called in JSON: ToolCall is tool_call."""
    return _tag(kind.__name__)


@cache
def _tag(name: str) -> str:
    return _WORDS.sub("_", name).lower().rstrip("_")


def as_json(value: object) -> Json:
    """A value made of dataclasses as JSON; each carries its tag."""
    return _as_json(value, 0)


def _as_json(value: object, depth: int) -> Json:
    if depth > _DEEPEST:
        raise ContentTooLarge(hint=f"Values are nested at most {_DEEPEST} levels deep.")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        named = {each.name: getattr(value, each.name) for each in _fields(type(value))}
        fields = {name: _as_json(item, depth + 1) for name, item in named.items()}
        return {TAG: tag_of(type(value)), **fields}
    if isinstance(value, Enum):
        return _as_json(value.value, depth)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, list | tuple):
        return [_as_json(item, depth + 1) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _as_json(item, depth + 1) for key, item in value.items()}
    return checked_json(value, name="value")


def as_object(value: object) -> JsonObject:
    """The same for one dataclass, which always becomes an object."""
    return cast("JsonObject", as_json(value))


def from_json(union: Any, value: object, *, name: str) -> Any:  # what `union` says
    """A value of a dataclass or a union of them; also one that is made already, checked anew."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = as_json(value)
    return _read(union, value, name)


def read_as(kind: type[_T], value: object, *, name: str) -> _T:
    """The same for a single class, with its type."""
    return cast(_T, from_json(kind, value, name=name))


def _read(hint: Any, value: object, name: str) -> object:  # any type hint
    if hint is Json:
        return checked_json(value, name=name)
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _read_one_of(get_args(hint), value, name)
    if origin is tuple:
        return _read_many(get_args(hint)[0], value, name)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return checked_object(value, name=name)
    if dataclasses.is_dataclass(hint):
        return _read_fields(hint, value, name)
    return _read_plain(hint, value, name)


def _read_one_of(choices: tuple[Any, ...], value: object, name: str) -> object:
    if value is None and type(None) in choices:
        return None
    rest = [choice for choice in choices if choice is not type(None)]
    if len(rest) == 1:
        return _read(rest[0], value, name)
    known = {tag_of(choice): choice for choice in rest}
    tag = value.get(TAG) if isinstance(value, Mapping) else None
    if not isinstance(tag, str) or tag not in known:
        raise InvalidInput(hint=f"`{name}` has a `{TAG}`, one of: {', '.join(sorted(known))}.")
    return _read_fields(known[tag], value, name)


def _read_fields(kind: Any, value: object, name: str) -> object:  # a dataclass
    if not isinstance(value, Mapping):
        raise InvalidInput(hint=f"`{name}` is an object.")
    given = {key: item for key, item in value.items() if key != TAG}
    if value.get(TAG, tag_of(kind)) != tag_of(kind):
        raise InvalidInput(hint=f"`{name}` is a {tag_of(kind)}.")
    hints = _hints(kind)
    if any(key not in hints for key in given):
        # What the caller wrote is not repeated: it may be anything.
        known = ", ".join(hints) or "nothing"
        raise InvalidInput(hint=f"`{name}` has fields nobody knows; it takes: {known}.")
    missing = [each.name for each in _fields(kind) if each.name not in given and _is_needed(each)]
    if missing:
        raise InvalidInput(hint=f"`{name}` lacks: {', '.join(missing)}.")
    read = {key: _read(hints[key], item, f"{name}.{key}") for key, item in given.items()}
    return _made(kind, read, name)


def _made(kind: Any, fields: dict[str, object], name: str) -> object:
    try:
        return kind(**fields)
    except EngramError as error:  # its own checks; say where it stands
        if not (error.hint or "").startswith(f"`{name}"):
            error.hint = f"In `{name}`: {error.hint}"
        raise


def _read_many(item_hint: Any, value: object, name: str) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise InvalidInput(hint=f"`{name}` is a list.")
    return tuple(_read(item_hint, item, f"{name}[{place}]") for place, item in enumerate(value))


def _read_plain(hint: Any, value: object, name: str) -> object:  # a plain type
    if hint is datetime:
        return parse_time(value, name=name)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _read_word(hint, value, name)
    if hint is float or hint is timedelta:
        return _read_number(hint, value, name)
    is_right = isinstance(value, hint) and not (hint is int and isinstance(value, bool))
    if not is_right:
        raise InvalidInput(hint=f"`{name}` is {_PLAIN_NAMES[hint]}.")
    return checked_json(value, name=name)


def _read_number(hint: Any, value: object, name: str) -> object:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InvalidInput(hint=f"`{name}` is a number.")
    number = float(checked_json(value, name=name))  # type: ignore[arg-type]  # a number comes back
    if hint is float:
        return number
    if not 0 <= number < _MOST_SECONDS:
        raise InvalidInput(hint=f"`{name}` is a number of seconds.")
    return timedelta(seconds=number)


def _read_word(kind: type[Enum], value: object, name: str) -> Enum:
    try:
        return kind(value)
    except ValueError:
        words = ", ".join(str(each.value) for each in kind)
        raise InvalidInput(hint=f"`{name}` is one of: {words}.") from None


def _is_needed(field: "dataclasses.Field[object]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


@cache
def _fields(kind: Any) -> tuple["dataclasses.Field[object]", ...]:
    return dataclasses.fields(kind)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


_PLAIN_NAMES = {str: "a text", int: "a whole number", bool: "true or false"}
_MOST_SECONDS = 100 * 365 * 86_400
