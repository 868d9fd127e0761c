"""Engram: long-term memory for AI agents, in one process, on one file, with nothing to set up."""

from typing import TYPE_CHECKING

from engram.version import __version__

if TYPE_CHECKING:
    from engram.asynchronous import AsyncEngram
    from engram.context.window import Context
    from engram.engine import Engram
    from engram.errors import (
        AccessDenied,
        ChangeNotFound,
        ConfigInvalid,
        ContentTooLarge,
        EngramError,
        IdempotencyConflict,
        InvalidInput,
        MemoryNotFound,
        StoreBusy,
        StoreError,
        StoreInUse,
        StoreLocked,
        UndoConflict,
    )
    from engram.memory.dreams.report import DreamReport
    from engram.memory.outcomes import (
        Confirmed,
        Extracted,
        Held,
        Observed,
        Outcome,
        Refused,
        Stored,
    )
    from engram.memory.reading import Reading
    from engram.memory.record import Memory
    from engram.memory.scopes import Principal, Scope
    from engram.recall.result import Hit, RecallResult

_NAMES = {
    "engram.asynchronous": ("AsyncEngram",),
    "engram.context.window": ("Context",),
    "engram.engine": ("Engram",),
    "engram.errors": (
        "AccessDenied",
        "ChangeNotFound",
        "ConfigInvalid",
        "ContentTooLarge",
        "EngramError",
        "IdempotencyConflict",
        "InvalidInput",
        "MemoryNotFound",
        "StoreBusy",
        "StoreError",
        "StoreInUse",
        "StoreLocked",
        "UndoConflict",
    ),
    "engram.memory.dreams.report": ("DreamReport",),
    "engram.memory.outcomes": (
        "Confirmed",
        "Extracted",
        "Held",
        "Observed",
        "Outcome",
        "Refused",
        "Stored",
    ),
    "engram.memory.reading": ("Reading",),
    "engram.memory.record": ("Memory",),
    "engram.memory.scopes": ("Principal", "Scope"),
    "engram.recall.result": ("Hit", "RecallResult"),
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "AccessDenied",
    "AsyncEngram",
    "ChangeNotFound",
    "ConfigInvalid",
    "Confirmed",
    "ContentTooLarge",
    "Context",
    "DreamReport",
    "Engram",
    "EngramError",
    "Extracted",
    "Held",
    "Hit",
    "IdempotencyConflict",
    "InvalidInput",
    "Memory",
    "MemoryNotFound",
    "Observed",
    "Outcome",
    "Principal",
    "Reading",
    "RecallResult",
    "Refused",
    "Scope",
    "StoreBusy",
    "StoreError",
    "StoreInUse",
    "StoreLocked",
    "Stored",
    "UndoConflict",
    "__version__",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: `import engram` alone costs nothing."""
    if name not in _PLACES:
        raise AttributeError(f"module 'engram' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)
