"""Reads what came with a call, strictly; a refusal names the field and the rule, never the value.

What callers send may be a secret or somebody's words, and an error ends up in logs.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from engram.errors import InvalidInput
from engram.surfaces.operations.operation import Arguments, Operation
from engram.surfaces.operations.schemas import JsonSchema, kinds_of, model_schema, names_in

_METADATA = "metadata"
_META = "meta."
_WHOLE = re.compile(r"-?[0-9]{1,19}")
_NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_FLAGS = {"true": True, "false": False}
_MOST_PAIRS = 200
# What kinds of values are told by, instead of the words for programmers.
_RULES = {
    "missing": "is missing",
    "string_type": "must be text",
    "string_unicode": "must be text in UTF-8",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "finite_number": "must be a finite number",
    "string_too_short": "has at least {min_length} characters",
    "string_too_long": "has at most {max_length} characters",
    "too_short": "has at least {min_length} entries",
    "too_long": "has at most {max_length} entries",
    "greater_than_equal": "is at least {ge}",
    "less_than_equal": "is at most {le}",
    "enum": "is one of: {expected}",
    "literal_error": "is one of: {expected}",
    "form": "{rule}",
}


def parse_document(
    operation: Operation,
    document: object,
    path_arguments: Mapping[str, str] | None = None,
) -> Arguments:
    """The arguments in a JSON document, together with those in the path of the request."""
    if not isinstance(document, Mapping):
        raise InvalidInput(hint="Arguments are a JSON object.")
    return _validated(operation, _with_path(document, path_arguments or {}))


def parse_query(
    operation: Operation,
    pairs: Iterable[tuple[str, str]],
    path_arguments: Mapping[str, str] | None = None,
) -> Arguments:
    """The arguments in a query string, where everything is text; each may be named once.

    `meta.key=value` is a condition on metadata: a value that reads as JSON (5, true, "5") is that,
    any other is text.
    """
    kinds = _kinds(operation.takes)
    found: dict[str, object] = {}
    metadata: dict[str, object] = {}
    for count, (name, text) in enumerate(pairs):
        is_meta = name.startswith(_META) and _METADATA in kinds
        place, key = (metadata, name.removeprefix(_META)) if is_meta else (found, name)
        if count >= _MOST_PAIRS or key in place:
            raise InvalidInput(hint="Each parameter may be given once.")
        if not is_meta and name == _METADATA:
            raise InvalidInput(hint=f"Metadata is asked for as {_META}name=value.")
        place[key] = _plain_value(text) if is_meta else _value(text, kinds.get(name, frozenset()))
    if metadata:
        found[_METADATA] = metadata
    return _validated(operation, _with_path(found, path_arguments or {}))


def _with_path(given: Mapping[str, object], path_arguments: Mapping[str, str]) -> dict[str, object]:
    if set(given) & set(path_arguments):
        hint = ", ".join(sorted(path_arguments))
        raise InvalidInput(hint=f"Given twice; in the path is enough: {hint}.")
    return {**given, **path_arguments}


def _validated(operation: Operation, given: dict[str, object]) -> Arguments:
    try:
        return operation.takes.model_validate(given)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        # Without the cause: it holds the values.
        raise InvalidInput(hint=_hint(details[0], operation)) from None


def _hint(detail: ErrorDetails, operation: Operation) -> str:
    place = _place(detail["loc"], operation)
    if detail["type"] == "extra_forbidden":
        names = ", ".join(operation.takes.model_fields)
        return f"{operation.name} takes: {names or 'nothing'}; {place or 'something'} is unknown."
    rule = _RULES.get(detail["type"], "has a value that is not allowed")
    context = {name: str(value) for name, value in detail.get("ctx", {}).items()}
    return f"{place or 'The arguments'} {rule.format(**context)}."


def _place(location: tuple[int | str, ...], operation: Operation) -> str:
    """Where in the arguments; names that the caller made up are not repeated."""
    known = names_in(model_schema(operation.takes))
    parts = ""
    for step in location:
        if isinstance(step, int):
            parts += f"[{step}]"
        elif step in known:
            parts += f".{step}" if parts else step
    return f"`{parts}`" if parts else ""


def _value(text: str, kinds: frozenset[str]) -> object:
    """What a text stands for where such kinds are taken; the text itself when it is none."""
    if "integer" in kinds and _WHOLE.fullmatch(text):
        return int(text)
    if "number" in kinds and _NUMBER.fullmatch(text):
        return float(text)
    if "boolean" in kinds:
        return _FLAGS.get(text, text)
    return text


def _plain_value(text: str) -> object:
    """A value of metadata; lists and objects cannot be asked for and are text like any other."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if found is None or isinstance(found, str | int | float) else text


def _kinds(takes: type[Arguments]) -> dict[str, frozenset[str]]:
    """By field, the kinds of JSON values it takes."""
    properties = cast("dict[str, JsonSchema]", model_schema(takes)["properties"])
    return {field: kinds_of(schema) for field, schema in properties.items()}
