"""Whether what a pass planned with is still as it was when its decision is carried out."""

from collections.abc import Iterable

from engram.memory.record import Memory
from engram.storage.unit import UnitOfWork


def are_unchanged(unit: UnitOfWork, planned: Iterable[Memory]) -> bool:
    """Whether nobody has touched any of these since the pass looked at them."""
    for each in planned:
        now = unit.see.current(each.number)
        if now is None or now.change_id != each.change_id:
            return False
    return True
