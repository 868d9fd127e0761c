"""What came in, as a message of the protocol, or the error that what is none is answered with.

The SDK would tell what it could not read in the words that were sent; these errors tell nothing
of it but the id that the answer belongs to.
"""

import json

from engram.surfaces.mcp.adapter import SessionMessage, message_of
from engram.surfaces.mcp.wire import Line, TooLong, request_id

_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600
_NO_MESSAGE = "This is not a JSON-RPC message."


def understood(line: Line) -> SessionMessage | dict[str, object] | None:
    """A message, or the error that a line which is none is answered with; None: let it pass."""
    if isinstance(line, TooLong):
        return problem(request_id(line), _INVALID_REQUEST, "The message is too long.")
    try:
        document = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return problem(request_id(line), _PARSE_ERROR, "This is not JSON.")
    if not isinstance(document, dict):
        return problem(None, _INVALID_REQUEST, "A message is one JSON object.")
    message = message_of(document)
    if message is None and "method" not in document and {"result", "error"} & set(document):
        return None  # meant as an answer, to which none is given
    if message is None:
        return problem(document.get("id"), _INVALID_REQUEST, _NO_MESSAGE)
    return message


def refusal_of(body: bytes) -> dict[str, object] | None:
    """The error that a request over HTTP is answered with; None when it is a message."""
    read = understood(body)
    if read is None:  # over HTTP everything is answered
        return problem(None, _INVALID_REQUEST, _NO_MESSAGE)
    return read if isinstance(read, dict) else None


def _refuse(name: str) -> float:
    raise ValueError(name)


def problem(known: object, code: int, text: str) -> dict[str, object]:
    """An error for a request, as far as it is known which."""
    is_id = isinstance(known, int | str) and not isinstance(known, bool)
    error = {"code": code, "message": text}
    return {"jsonrpc": "2.0", "id": known if is_id else None, "error": error}
