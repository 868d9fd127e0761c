"""Reading what was sent: no further than allowed, and no JSON that two readers read differently."""

import asyncio
import json
import re
from collections.abc import Iterable

from starlette.types import Message, Receive

from engram.errors import ContentTooLarge, InvalidInput, RequestRefused, RequestTimeout
from engram.surfaces.http.problems import Refused

# Strings are stepped over as a whole: brackets in them are text. Each branch begins with another
# character, so the time is that of the length.
_EXACT = 2**53  # up to there every whole number has a float of its own
_MARKS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)


class Disconnected(Exception):
    """The caller went away before it had said all."""


async def read_body(receive: Receive, *, most: int, seconds: float) -> bytes:
    """The body, if it is no longer than allowed and comes in time."""
    try:
        async with asyncio.timeout(seconds):
            return await _read(receive, most)
    except TimeoutError:
        error = RequestTimeout(hint="The request did not come in time; nothing was done.")
        raise Refused(error, 408, ((b"connection", b"close"),)) from None


async def _read(receive: Receive, most: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        piece: bytes = message.get("body", b"")
        size += len(piece)
        if size > most:
            raise too_large(most)
        pieces.append(piece)
        if not message.get("more_body", False):
            return b"".join(pieces)


def too_large(most: int) -> Refused:
    """The refusal of a body that is larger than allowed."""
    error = ContentTooLarge(hint=f"A request may have {most} bytes here (network.max_body_bytes).")
    return Refused(error, 413, ((b"connection", b"close"),))


def replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body that was read already, then whatever comes after it."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def parse_json(body: bytes, *, max_depth: int) -> object:
    """The value of a JSON text: not deep, no key twice, no number that JSON does not have."""
    check_depth(body, max_depth)
    try:
        return json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_without_repeats,
            parse_constant=_no_number,
            parse_float=_number,
        )
    except (ValueError, RecursionError):
        hint = "The body is not valid JSON in UTF-8, or has a key twice."
        raise Refused(InvalidInput(hint=hint), 400) from None


def check_depth(body: bytes, max_depth: int) -> None:
    """Refuse JSON whose lists and objects lie deeper in each other than allowed."""
    if is_deeper(body, max_depth):
        hint = f"The JSON is deeper than {max_depth} levels (network.max_depth)."
        raise Refused(InvalidInput(hint=hint), 400)


def is_deeper(body: bytes, limit: int) -> bool:
    """Whether lists and objects lie deeper in each other than allowed; seen without parsing."""
    if body.count(b"[") + body.count(b"{") <= limit:
        return False
    depth = 0
    for mark in _MARKS.finditer(body):
        sign = body[mark.start()]
        if sign in b"[{":
            depth += 1
            if depth > limit:
                return True
        elif sign in b"]}":
            depth -= 1
    return False


def _without_repeats(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError
        found[key] = value
    return found


def _number(text: str) -> float | int:
    """A number with a point; 25.0 is the whole number 25, in JSON as in a schema."""
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError
    return int(number) if number.is_integer() and abs(number) < _EXACT else number


def _no_number(_: str) -> object:
    raise ValueError


def check_is_json(content_type: str) -> None:
    """Refuse a body that does not say it is JSON: a form of a web page cannot say so."""
    media, _, parameters = content_type.lower().partition(";")
    charset = parameters.strip().replace('"', "")
    if media.strip() != "application/json" or charset not in ("", "charset=utf-8"):
        hint = "Send `Content-Type: application/json` in UTF-8."
        raise Refused(RequestRefused(hint=hint), 415, ((b"accept", b"application/json"),))
