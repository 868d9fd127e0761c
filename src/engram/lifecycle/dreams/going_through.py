"""How the passes that retire and move memories go through them: in order, within bounds, once."""

from collections.abc import Callable, Iterable

from engram.lifecycle.dreams.night import CarryOut, Decision, Night, Planned
from engram.memory.changes import Action
from engram.memory.record import Memory
from engram.storage.aging import Walk
from engram.storage.unit import UnitOfWork

_OFTEN = 25  # memories between two pauses
_FROM_THE_START = "0"

Decide = Callable[[Memory], Decision | None]
Unchanged = Callable[[Memory, Memory], bool]


def walk_of(night: Night, after: str | None) -> Walk:
    """Go on behind a number, or from the start, through as many memories as a pass may see."""
    number = int(after) if after is not None and after.isdecimal() else 0
    return Walk(number, night.options.rows_per_pass, night.breathe)


def decided(night: Night, candidates: Iterable[Memory], decide: Decide) -> Planned:
    """What comes of memories, looked at one by one until a bound is reached."""
    options = night.options
    decisions: list[Decision] = []
    looked_at = last = 0
    for memory in candidates:
        decision = decide(memory)
        decisions += [decision] if decision else []
        looked_at, last = looked_at + 1, memory.number
        if looked_at % _OFTEN == 0:
            night.breathe()
        if len(decisions) >= options.decisions_per_pass:
            break
    is_whole = looked_at < options.rows_per_pass and len(decisions) < options.decisions_per_pass
    mark = _FROM_THE_START if is_whole else str(last)
    return Planned(tuple(decisions), looked_at=looked_at, mark=mark, is_whole=is_whole)


def replacing(
    memory: Memory,
    action: Action,
    reason: str,
    *,
    unchanged: Unchanged | None = None,
    **changes: object,
) -> CarryOut:
    """Give a memory its next state, unless another has come first."""

    def carry_out(unit: UnitOfWork) -> bool:
        current = unit.see.current(memory.number)
        if current is None or current.change_id != memory.change_id:
            return False
        if unchanged is not None and not unchanged(memory, current):
            return False
        unit.begin_change(action, memory.scope, reason)
        unit.replace(current, **changes)
        return True

    return carry_out


def same_use(planned: Memory, current: Memory) -> bool:
    """Whether nobody has used or confirmed it meanwhile."""
    return planned.usage == current.usage


def as_often_confirmed(planned: Memory, current: Memory) -> bool:
    """Whether nobody has said it again meanwhile."""
    return planned.usage.confirmations == current.usage.confirmations
