"""Engram: long-term memory for AI agents, in one process, on one file, with nothing to set up."""

from typing import TYPE_CHECKING

from engram.version import __version__

if TYPE_CHECKING:
    from engram.asynchronous import AsyncEngram
    from engram.engine import Engram
    from engram.errors import EngramError
    from engram.memory.record import Memory
    from engram.memory.scopes import Principal, Scope

_PLACES = {
    "AsyncEngram": "engram.asynchronous",
    "Engram": "engram.engine",
    "EngramError": "engram.errors",
    "Memory": "engram.memory.record",
    "Principal": "engram.memory.scopes",
    "Scope": "engram.memory.scopes",
}

__all__ = ["AsyncEngram", "Engram", "EngramError", "Memory", "Principal", "Scope", "__version__"]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: `import engram` alone costs nothing."""
    if name not in _PLACES:
        raise AttributeError(f"module 'engram' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)
