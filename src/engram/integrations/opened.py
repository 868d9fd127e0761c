"""The store that an integration works on, whichever way it was opened."""

from engram import AsyncEngram, Engram
from engram.errors import InvalidInput


def opened(engram: Engram | AsyncEngram) -> Engram:
    """The Engram itself, whether it was opened to be called or to be awaited."""
    found = engram.engram if isinstance(engram, AsyncEngram) else engram
    if not isinstance(found, Engram):
        raise InvalidInput(hint="`engram` is an Engram or an AsyncEngram that is open.")
    return found
