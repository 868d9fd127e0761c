"""What the user says of a model: tables in the settings that go before what is known of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from engram.errors import InvalidInput
from engram.memory.tokens.families import FAMILIES

LEAST_WINDOW, MOST_WINDOW = 512, 100_000_000
LONGEST_NAME = 200
_FIELDS = ("window", "output", "tools", "vision", "thinking", "tokenizer")


@dataclass(frozen=True, slots=True)
class ModelOverride:
    """What the user says of a model; what is None is left as it is known."""

    window: int | None = None
    output: int | None = None
    tools: bool | None = None
    vision: bool | None = None
    thinking: bool | None = None
    tokenizer: str | None = None


def checked_overrides(tables: Mapping[str, object]) -> dict[str, ModelOverride]:
    """What the settings say of models, one table each; anything unknown is an error."""
    return {name: _override(name, fields) for name, fields in tables.items()}


def _override(name: str, fields: object) -> ModelOverride:
    key = f'models."{name[:LONGEST_NAME]}"'
    if not isinstance(fields, Mapping):
        raise InvalidInput(hint=f"`{key}` is a table.")
    if not name.strip() or len(name) > LONGEST_NAME:
        raise InvalidInput(hint=f"`{key}` is no name of a model.")
    unknown = sorted(str(each) for each in set(fields) - set(_FIELDS))
    if unknown or not fields:
        raise InvalidInput(hint=f"`{key}` takes: {', '.join(_FIELDS)}.")
    window, output = _size(fields, "window", key), _size(fields, "output", key)
    if window is not None and output is not None and output > window:
        raise InvalidInput(hint=f"`{key}`: the output is part of the window and cannot exceed it.")
    return ModelOverride(
        window,
        output,
        tools=_flag(fields, "tools", key),
        vision=_flag(fields, "vision", key),
        thinking=_flag(fields, "thinking", key),
        tokenizer=_tokenizer(fields, key),
    )


def _size(fields: Mapping[str, object], field: str, key: str) -> int | None:
    value = fields.get(field)
    if value is None:
        return None
    least = LEAST_WINDOW if field == "window" else 1
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MOST_WINDOW:
        hint = f"`{key}.{field}` is a whole number from {least} to {MOST_WINDOW}."
        raise InvalidInput(hint=hint)
    return value


def _tokenizer(fields: Mapping[str, object], key: str) -> str | None:
    value = fields.get("tokenizer")
    if value is not None and not (isinstance(value, str) and value in FAMILIES):
        raise InvalidInput(hint=f"`{key}.tokenizer` is one of: {', '.join(FAMILIES)}.")
    return value


def _flag(fields: Mapping[str, object], field: str, key: str) -> bool | None:
    value = fields.get(field)
    if value is not None and not isinstance(value, bool):
        raise InvalidInput(hint=f"`{key}.{field}` is true or false.")
    return value
