"""How a webhook's message proves who sent it and when: an HMAC over the time and the body."""

import hashlib
import hmac
import re

from engram.errors import SignatureInvalid

TOLERANCE_SECONDS = 300
_HEADER = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")
_NOBODYS_SECRET = "0" * 64  # compared with when nobody is there, so that both take the same path


def sign(secret: str, seconds: int, body: bytes) -> str:
    """The header `Engram-Signature` of a body sent at a time (seconds since 1970)."""
    return f"t={seconds},v1={_code(secret, seconds, body)}"


def check(header: str, secret: str | None, body: bytes, *, now_seconds: int) -> str:
    """The signature's code when it is right and fresh; a refusal that tells nothing otherwise.

    All of it is worked out whatever is wrong: how long a refusal takes tells nothing either.
    """
    found = _HEADER.fullmatch(header)
    seconds, code = (int(found[1]), found[2]) if found else (0, "")
    is_right = hmac.compare_digest(_code(secret or _NOBODYS_SECRET, seconds, body), code)
    is_fresh = abs(now_seconds - seconds) <= TOLERANCE_SECONDS
    if not (found and secret and is_right and is_fresh):
        raise SignatureInvalid
    return code


def _code(secret: str, seconds: int, body: bytes) -> str:
    return hmac.new(secret.encode(), b"%d." % seconds + body, hashlib.sha256).hexdigest()
