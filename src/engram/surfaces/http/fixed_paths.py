"""The description of what is served beside the operations: health, figures, streams, webhooks."""

from collections.abc import Callable

from engram.surfaces.http.routing import API

Problems = Callable[[list[int]], dict[str, object]]
_GATE = [400, 403, 408, 413, 414, 421, 431, 500]
_KEYED = [*_GATE, 401, 404, 415, 429, 503, 504]
_TEXT = {"type": "string"}
_NOBODY: list[object] = []  # no key is needed


def fixed_paths(problems: Problems) -> dict[str, dict[str, object]]:
    """Every path that is not made from an operation."""
    return {
        "/livez": {"get": _probe("live", "Whether the process answers.", problems)},
        "/readyz": {"get": _probe("ready", "Whether to send requests here.", problems)},
        "/metrics": {"get": _metrics(problems)},
        f"{API}/health": {"get": _health(problems)},
        f"{API}/openapi.json": {"get": _description(problems)},
        f"{API}/streams/changes": {"get": _stream("changes", "Changes as they happen.", problems)},
        f"{API}/streams/health": {"get": _stream("health", "The health of the store.", problems)},
        f"{API}/streams/progress": {"get": _stream("progress", "What still waits.", problems)},
        f"{API}/hooks/{{webhook_id}}": {"post": _hook(problems)},
    }


def _described(name: str, summary: str, responses: dict[str, object]) -> dict[str, object]:
    return {"operationId": name, "summary": summary, "tags": ["server"], "responses": responses}


def _probe(name: str, summary: str, problems: Problems) -> dict[str, object]:
    schema = {
        "type": "object",
        "properties": {"status": {"enum": ["alive", "ready", "not ready"]}},
        "required": ["status"],
        "additionalProperties": False,
    }
    good = {"description": "Yes.", "content": {"application/json": {"schema": schema}}}
    bad = {"description": "Not now.", "content": {"application/json": {"schema": schema}}}
    told = {"200": good, "503": bad, **problems([*_GATE, 504])}
    return {**_described(name, summary, told), "security": _NOBODY}


def _metrics(problems: Problems) -> dict[str, object]:
    text = {"description": "Figures.", "content": {"text/plain": {"schema": _TEXT}}}
    summary = "Figures for Prometheus; needs a key without a scope."
    return _described("metrics", summary, {"200": text, **problems(_KEYED)})


def _health(problems: Problems) -> dict[str, object]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}
    good = {"description": "It can be relied on.", "content": content}
    bad = {"description": "Something fails; the checks tell what.", "content": content}
    told = {"200": good, **problems([each for each in _KEYED if each != 503]), "503": bad}
    return _described("probe", "Try the store for real.", told)


def _description(problems: Problems) -> dict[str, object]:
    good = {"description": "This.", "content": {"application/json": {"schema": {"type": "object"}}}}
    return _described("openapi", "This description.", {"200": good, **problems([*_KEYED, 406])})


def _stream(name: str, summary: str, problems: Problems) -> dict[str, object]:
    content = {"text/event-stream": {"schema": _TEXT}}
    good = {"description": "Events, until either side ends it.", "content": content}
    scope = {"name": "scope", "in": "query", "required": False, "schema": _TEXT}
    last = {"name": "Last-Event-ID", "in": "header", "required": False, "schema": _TEXT}
    parameters = [scope, last] if name == "changes" else [scope]
    told = _described(f"stream_{name}", summary, {"200": good, **problems([*_KEYED, 422])})
    return {**told, "parameters": parameters}


def _hook(problems: Problems) -> dict[str, object]:
    body = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
    content = {"application/json": {"schema": {"type": "object"}}}
    good = {"description": "What became of it; it is stored.", "content": content}
    name = {"name": "webhook_id", "in": "path", "required": True, "schema": _TEXT}
    signature = {"name": "Engram-Signature", "in": "header", "required": True, "schema": _TEXT}
    told = _described(
        "take_message",
        "Take in a signed message of a webhook.",
        {"200": good, **problems([*_KEYED, 409, 422, 507])},
    )
    parameters = [name, signature]
    return {**told, "parameters": parameters, "requestBody": body, "security": _NOBODY}
