"""Guarding: a caller's view of the store in which every change first looks at one memory."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from engram.engine.facade import Engram
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.unit import UnitOfWork

Look = Callable[[Memory | None], None]  # raises when the change is not wanted


def guarded_by(engram: Engram, memory_id: str, look: Look) -> Engram:
    """The same caller; its changes look at a memory inside their own transaction, or do not happen.

    Looking before would leave a moment in which another process can change it.
    """
    begin = engram._unit

    @contextmanager
    def unit(scope: Scope | None) -> Iterator[UnitOfWork]:
        with begin(scope) as opened:
            look(opened.see.memory(memory_id))
            yield opened

    def guarded(scope: Scope | None) -> AbstractContextManager[UnitOfWork]:
        return unit(scope)

    # One view is made for each request and handed to nobody else, so it can be altered.
    engram._unit = guarded  # type: ignore[method-assign]
    return engram
