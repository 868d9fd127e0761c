"""Keeps the vectors of what fades in fewer bits, and has what is vivid again embedded anew.

Vectors are derived: no memory is touched, no change is opened, and there is nothing to undo. What
a dream did here stands in its findings.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.memory.dreams.precision import (
    Precision,
    held_precision,
    is_to_be_embedded_anew,
    precision_for,
)
from engram.memory.ids import label_of
from engram.memory.record import Memory
from engram.memory.retention import retention
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork
from engram.storage.vectors.held import HeldVector
from engram.storage.vectors.queue import queue_again
from engram.storage.vectors.recode import recode
from engram.storage.vectors.spaces import Space, answering

_T = TypeVar("_T")
_PAGE = 200  # memories read at once: a few milliseconds
_BATCH = 400  # vectors a transaction rewrites: others wait for it some 20 ms


def quantise(night: Night, see: StoreReader) -> Planned:
    """Plan which vectors are kept in fewer bits, in a store that is large enough to gain by it."""
    space = answering(see.derived.space_states())
    least = night.options.quantise_from
    if space is None or space.dimension is None or not least or space.vectors <= least:
        return Planned()
    due = _Due()
    after = 0 if night.is_rebuild else int(night.mark or 0)
    for memories in _pages(night, see, space, after):
        _look(due, memories, see.vectors_held.of(space, memories), night)
        night.breathe()
    is_whole = due.looked_at < night.options.rows_per_pass
    every, most = list(_decisions(due, space)), night.options.decisions_per_pass
    decisions = tuple(every[:most])
    return Planned(
        decisions=decisions,
        findings=tuple(each.why for each in decisions),
        looked_at=due.looked_at,
        mark="0" if is_whole else str(due.last),
        is_whole=is_whole and len(every) <= most,
    )


@dataclass(slots=True)
class _Due:
    """What was found: vectors by the bits they are to have, and wordings to embed anew."""

    looked_at: int = 0
    last: int = 0
    coarser: dict[Precision, list[HeldVector]] = field(default_factory=dict)
    anew: dict[tuple[int, int], None] = field(default_factory=dict)


def _pages(night: Night, see: StoreReader, space: Space, after: int) -> Iterator[list[Memory]]:
    left = night.options.rows_per_pass
    while left > 0:
        limit = min(left, _PAGE)
        page = see.vectors_held.memories_after(space, night.scope, after, limit=limit)
        if page:
            yield page
            after, left = page[-1].number, left - len(page)
        if len(page) < limit:
            return


def _look(due: _Due, memories: list[Memory], vectors: Iterable[HeldVector], night: Night) -> None:
    """Compare how vivid memories are with how precisely their vectors are kept."""
    by_number = {each.number: each for each in memories}
    wanted = {
        each.number: precision_for(retention(each, night.now, night.retention_mode), each.status)
        for each in memories
    }
    for vector in vectors:
        memory, precision = by_number[vector.number], wanted[vector.number]
        held = held_precision(vector.bits)
        if vector.is_waiting:
            continue
        if held > precision:
            due.coarser.setdefault(precision, []).append(vector)
        elif _can_be_embedded(memory, vector) and is_to_be_embedded_anew(
            held, precision, memory.status
        ):
            due.anew[vector.number, vector.version] = None
    due.looked_at += len(memories)
    due.last = memories[-1].number


def _can_be_embedded(memory: Memory, vector: HeldVector) -> bool:
    """Whether a vector is of the present wording, and that wording may be read."""
    return vector.version == memory.version and memory.is_indexable


def _decisions(due: _Due, space: Space) -> Iterator[Decision]:
    for precision, vectors in sorted(due.coarser.items(), reverse=True):
        for some in _batches(vectors):
            yield _coarser(space, some, precision)
    for wordings in _batches(due.anew):
        yield _anew(space, wordings)


def _batches(found: Iterable[_T]) -> Iterator[list[_T]]:
    rest = iter(found)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _coarser(space: Space, vectors: list[HeldVector], precision: Precision) -> Decision:
    numbers = tuple(dict.fromkeys(each.number for each in vectors))
    held = {each.id: each.bits for each in vectors}

    def carry_out(unit: UnitOfWork) -> bool:
        return recode(unit.transaction, space, held, precision.value) > 0

    return Decision(
        key=f"{precision.value} bits: {vectors[0].id} to {vectors[-1].id}",
        why=f"Faded, so that their vectors are kept in {precision.value} bits: {_named(numbers)}.",
        numbers=numbers,
        carry_out=carry_out,
    )


def _anew(space: Space, wordings: list[tuple[int, int]]) -> Decision:
    numbers = tuple(number for number, _ in wordings)

    def carry_out(unit: UnitOfWork) -> bool:
        queued = [queue_again(unit.transaction, space, *each) for each in wordings]
        return any(queued)

    return Decision(
        key=f"anew: {numbers[0]} to {numbers[-1]}",
        why=f"Vivid again, so that their words are embedded anew: {_named(numbers)}.",
        numbers=numbers,
        carry_out=carry_out,
    )


def _named(numbers: tuple[int, ...]) -> str:
    if len(numbers) == 1:
        return f"{label_of(numbers[0])} alone"
    return f"{len(numbers)} memories from {label_of(numbers[0])} to {label_of(numbers[-1])}"
