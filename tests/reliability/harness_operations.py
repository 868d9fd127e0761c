"""Everything that writes to a store, each as one call on a store that was prepared for it."""

from collections.abc import Callable
from dataclasses import dataclass

from engram.engine import Engram

_KNOWN = "Ada's office is in Lyon."
_OTHER = "The build runs on two cores."


@dataclass(frozen=True, slots=True)
class Operation:
    """One write: what must be there before, what only this process knows, and the call itself."""

    act: Callable[[Engram, str], object]
    prepare: Callable[[Engram], str]
    warm_up: Callable[[Engram], object] = lambda engram: None


def _two_memories(engram: Engram) -> str:
    engram.remember(_OTHER)
    return engram.remember(_KNOWN).memory.id


def _forgotten(engram: Engram) -> str:
    return engram.forget(_two_memories(engram)).change_id


def _five(engram: Engram, _target: str) -> object:
    return engram.remember_many([f"Service number {number} listens." for number in range(5)])


OPERATIONS = {
    "remember": Operation(
        lambda engram, _: engram.remember("Grace prefers tea in the morning."), _two_memories
    ),
    "remember the same": Operation(lambda engram, _: engram.remember(_KNOWN), _two_memories),
    "remember instead": Operation(
        lambda engram, target: engram.remember("Ada's office is in Porto.", replaces=target),
        _two_memories,
    ),
    "revise": Operation(
        lambda engram, target: engram.revise(target, "Ada's office moved to Porto."), _two_memories
    ),
    "forget": Operation(lambda engram, target: engram.forget(target), _two_memories),
    "pin": Operation(lambda engram, target: engram.pin(target), _two_memories),
    "undo": Operation(lambda engram, change: engram.undo(change), _forgotten),
    "remember many": Operation(_five, _two_memories),
    "write the reads down": Operation(
        lambda engram, _: engram.settle(),
        _two_memories,
        warm_up=lambda engram: engram.recall("office"),
    ),
}
