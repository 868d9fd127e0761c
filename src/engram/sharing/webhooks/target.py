"""Where a webhook sends to: an address that holds no secret and is reached encrypted."""

from urllib.parse import urlsplit

from engram.errors import InvalidInput
from engram.providers.endpoint import Endpoint

_PORTS = {"http": 80, "https": 443}
_LONGEST = 2_000


def read_target(url: str, *, allow_plain_http: bool) -> Endpoint:
    """The endpoint that a URL stands for.

    URLs are listed, so they must hold no secret: names, passwords, queries and fragments are
    refused. The signature is what a receiver recognises us by.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except (ValueError, TypeError, AttributeError):
        raise InvalidInput(hint="`url` cannot be read as a URL.") from None
    is_plain_text = url.isascii() and url.isprintable() and " " not in url and len(url) <= _LONGEST
    if parts.scheme not in _PORTS or not host or not is_plain_text:
        raise InvalidInput(hint="`url` begins with https:// and a host, and is written in ASCII.")
    if parts.username is not None or "?" in url or "#" in url:
        raise InvalidInput(hint="`url` must hold no name, password, query or fragment.")
    target = Endpoint(parts.scheme, host, port or _PORTS[parts.scheme], parts.path or "/")
    if parts.scheme == "http" and not (allow_plain_http or target.is_on_this_machine):
        raise InvalidInput(
            hint="`url` would send news unencrypted to another machine; use https, or allow it."
        )
    return target
