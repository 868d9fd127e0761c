"""Reads a message that came in by a webhook: one flat object of texts, nothing else."""

import json
from collections.abc import Mapping

from engram.errors import InvalidInput

_FIELDS = frozenset({
    "kind", "text", "name", "outcome", "session", "at", "reference", "speaker", "subject",
})  # fmt: skip
_DEFAULT_KIND = "flow"  # what an automation came to
SHAPE = "The body is one JSON object of texts: `text`, and " + ", ".join(
    f"`{name}`" for name in sorted(_FIELDS - {"text"})
)


def read_message(body: bytes) -> dict[str, str]:
    """The fields of a message; whatever is not one of them is refused."""
    try:
        found = json.loads(body, object_pairs_hook=_once_each)
    except (ValueError, RecursionError):
        raise InvalidInput(hint=f"{SHAPE}.") from None
    if not isinstance(found, Mapping) or not set(found) <= _FIELDS or "text" not in found:
        raise InvalidInput(hint=f"{SHAPE}.")
    given = {name: value for name, value in found.items() if value is not None}
    if not all(isinstance(value, str) for value in given.values()):
        raise InvalidInput(hint=f"{SHAPE}.")
    return {"kind": _DEFAULT_KIND, **given}


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found
