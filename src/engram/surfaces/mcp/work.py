"""The boundary of the MCP server: an error that leaves it is one of ours."""

from collections.abc import Callable
from typing import TypeVar

from engram.errors import EngramError
from engram.surfaces.unexpected import unexpected

T = TypeVar("T")


def attempted(work: Callable[[], T]) -> T:
    """Do it; whatever goes wrong comes out as an error of ours, without the words of the other.

    The SDK would send them to the client.
    """
    try:
        return work()
    except EngramError:
        raise
    except Exception as error:
        raise unexpected(error) from error
