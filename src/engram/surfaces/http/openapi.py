"""The description of the API, OpenAPI 3.1, made from the operations: it cannot fall behind them."""

import re
from collections.abc import Mapping
from functools import cache
from typing import cast

from engram.surfaces.http.answers import Answer, document
from engram.surfaces.http.calls import KEY_FORM, admitted, check_accepts_json, takes_key
from engram.surfaces.http.conditions import MADE, TAGGED
from engram.surfaces.http.examples import EXAMPLES
from engram.surfaces.http.fixed_paths import fixed_paths
from engram.surfaces.http.routing import API, Asked, Endpoint
from engram.surfaces.operations import OPERATIONS, Operation
from engram.surfaces.operations.schemas import JsonSchema, present
from engram.surfaces.operations.shapes import arguments_schema, components
from engram.version import __version__

_NAMES = re.compile(r"\{(\w+)\}")
_METADATA = "metadata"
_ABOUT_METADATA = "Conditions on metadata are asked for as `meta.name=value`, any number of them."
# What can happen to any request, whatever it asks for; the gate and the store say so.
_ALWAYS = (400, 401, 403, 404, 406, 408, 413, 414, 415, 421, 422, 429, 431, 500, 503, 504)
_MEANINGS = {
    400: "The request cannot be read: JSON, query or a header.",
    401: "No key that is valid here came with it.",
    403: "The key does not allow this, or a web page of another site asked.",
    404: "There is no such thing that the key may see.",
    405: "The path does not take this method.",
    406: "The caller accepts no JSON.",
    408: "The request did not come in time.",
    409: "It does not fit what is there now; nothing was changed.",
    412: "The memory has changed since it was read; nothing was changed.",
    413: "The request is larger than allowed.",
    414: "The address is longer than allowed.",
    415: "The body is not `application/json`, or is compressed.",
    421: "The server was called by a name that is not its own.",
    422: "A value is not valid; `detail` names the field and the rule.",
    429: "The key came too often; `Retry-After` says when to come again.",
    431: "The headers are larger than allowed.",
    500: "Something unexpected went wrong.",
    503: "The store or a model cannot do it just now; `Retry-After` says when to try again.",
    504: "It took too long.",
    507: "The disk is full; nothing was stored.",
}


def description_endpoint() -> Endpoint:
    """What serves the description."""

    async def serve(asked: Asked) -> Answer:
        admitted(asked)
        check_accepts_json(asked)
        return document(description())

    return serve


@cache
def description() -> dict[str, object]:
    """The whole description."""
    paths: dict[str, dict[str, object]] = {}
    for operation in OPERATIONS.values():
        if not operation.is_local:
            described = paths.setdefault(API + operation.path, {})
            described[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Engram",
            "version": __version__,
            "summary": "Long-term memory for AI agents.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "paths": {**paths, **fixed_paths(_problems)},
        "components": {
            "schemas": components(),
            "responses": {_name(status): _problem(status) for status in _MEANINGS},
            "securitySchemes": _keys(),
        },
    }


def _keys() -> dict[str, object]:
    told = "A key as `engram keys issue` makes it; `X-Engram-Key` takes it too."
    return {"bearer": {"type": "http", "scheme": "bearer", "description": told}}


def _described(operation: Operation) -> dict[str, object]:
    """One operation."""
    in_path = _NAMES.findall(operation.path)
    fields = cast("dict[str, JsonSchema]", arguments_schema(operation)["properties"])
    required = cast("list[str]", arguments_schema(operation).get("required", []))
    parameters = [_parameter(name, "path", fields[name], required=True) for name in in_path]
    told: dict[str, object] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.path.split("/")[1]],
        "x-engram-need": operation.need.value,
        "x-engram-repeatable": operation.is_repeatable,
    }
    if operation.method == "GET":
        parameters += [
            _parameter(name, "query", schema, required=name in required)
            for name, schema in fields.items()
            if name not in in_path and name != _METADATA
        ]
        if _METADATA in fields:
            told["description"] = _ABOUT_METADATA
    elif set(fields) - set(in_path):
        told["requestBody"] = _body(operation, set(in_path))
    parameters += _header_parameters(operation)
    return {**told, "parameters": parameters, "responses": _responses(operation)}


def _parameter(name: str, place: str, schema: JsonSchema, *, required: bool) -> dict[str, object]:
    """An argument in the path or the query, where nothing is null: it is there or it is not."""
    shown = present(schema)
    found: dict[str, object] = {"name": name, "in": place, "required": required, "schema": shown}
    if "description" in schema:
        found["description"] = schema["description"]
    return found


def _body(operation: Operation, in_path: set[str]) -> dict[str, object]:
    schema = dict(arguments_schema(operation))
    fields = cast("Mapping[str, JsonSchema]", schema["properties"])
    schema["properties"] = {name: each for name, each in fields.items() if name not in in_path}
    required = [
        each for each in cast("list[str]", schema.get("required", [])) if each not in in_path
    ]
    schema["required"] = required
    content: dict[str, object] = {"schema": schema}
    if operation.name in EXAMPLES:
        content["example"] = EXAMPLES[operation.name]
    return {"required": bool(required), "content": {"application/json": content}}


def _header_parameters(operation: Operation) -> list[dict[str, object]]:
    found = []
    if operation.method == "GET" and operation.gives in TAGGED:
        found.append(_header("If-None-Match", "Answer 304 when the memory is still this one."))
    if operation.method != "GET" and "{memory_id}" in operation.path:
        found.append(_header("If-Match", "Change it only when it is still in this state."))
    if takes_key(operation):
        told = "The same request under the same key is done once."
        found.append(_header("Idempotency-Key", told, {"pattern": f"^{KEY_FORM}$"}))
    return found


def _header(name: str, told: str, rule: JsonSchema | None = None) -> dict[str, object]:
    schema = {"type": "string", **(rule or {})}
    return {"name": name, "in": "header", "required": False, "description": told, "schema": schema}


def _responses(operation: Operation) -> dict[str, object]:
    """Every status that can come of it."""
    good: dict[str, object] = {
        "description": "What came of it.",
        "content": {
            "application/json": {"schema": {"$ref": f"#/components/schemas/{operation.gives}"}}
        },
        "headers": _answer_headers(operation),
    }
    statuses = list(_ALWAYS)
    if operation.method != "GET":
        statuses += [409, 507]
        if "{memory_id}" in operation.path:
            statuses.append(412)
    found: dict[str, object] = {"200": good}
    if operation.method == "GET" and operation.gives in TAGGED:
        found["304"] = {"description": "It is still the state that the caller has."}
    return {**found, **_problems(statuses)}


def _answer_headers(operation: Operation) -> dict[str, object]:
    text = {"type": "string"}
    found: dict[str, object] = {}
    if operation.gives in TAGGED:
        found["ETag"] = {"description": "Of the memory in this state.", "schema": text}
    if operation.gives == MADE:
        found["Location"] = {"description": "Of the memory, if one was stored.", "schema": text}
    if operation.method == "GET" and operation.cursor:
        found["Link"] = {"description": "Where the next page is, if any.", "schema": text}
    return found


def _problems(statuses: list[int]) -> dict[str, object]:
    return {
        str(status): {"$ref": f"#/components/responses/{_name(status)}"}
        for status in sorted(statuses)
    }


def _name(status: int) -> str:
    return f"Problem{status}"


def _problem(status: int) -> dict[str, object]:
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {"description": _MEANINGS[status], "content": {"application/problem+json": schema}}
