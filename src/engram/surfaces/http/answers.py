"""What is sent back: status, headers and body, and the one way to send them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from starlette.types import Message, Send

Headers = tuple[tuple[bytes, bytes], ...]

JSON = b"application/json"
PROBLEM = b"application/problem+json"
# Said with every answer: nothing of it is kept, guessed at, framed or told to other sites.
SAFE_HEADERS: Headers = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'self'; base-uri 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """One whole answer."""

    status: int
    body: bytes = b""
    media: bytes = JSON
    headers: Headers = field(default=())

    def saying(self, name: str, value: str) -> "Answer":
        """The same with one more header."""
        return replace(self, headers=(*self.headers, (name.encode(), value.encode("latin-1"))))


def document(content: object, status: int = 200, media: bytes = JSON) -> Answer:
    """A JSON answer. Escaped throughout, so that no byte of a memory is read as anything else."""
    text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Answer(status, text.encode(), media)


async def send_answer(answer: Answer, send: Send, *, is_bare: bool = False) -> None:
    """Send it; bare as an answer to HEAD: all the headers, and no body."""
    headers = [*answer.headers]
    if answer.body:
        headers.append((b"content-type", answer.media))
    if answer.status not in (204, 304):  # neither may carry a body, nor a length of one
        headers.append((b"content-length", str(len(answer.body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if is_bare else answer.body})


def guarded(send: Send) -> Send:
    """A `send` whose answers say what they must, whichever app they come from.

    What another app says of who else may read it is taken out: no page elsewhere may.
    """

    async def guard(message: Message) -> None:
        if message["type"] == "http.response.start":
            told = list(_own_headers(message.get("headers", ())))
            names = {name for name, _ in told}
            told += [pair for pair in SAFE_HEADERS if pair[0] not in names]
            message = {**message, "headers": told}
        await send(message)

    return guard


def _own_headers(headers: Iterable[tuple[bytes, bytes]]) -> Iterable[tuple[bytes, bytes]]:
    for name, value in headers:
        if not name.lower().startswith((b"access-control-", b"server")):
            yield name.lower(), value
