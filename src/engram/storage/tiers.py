"""Protects memories by another tier, with all that is kept beside them and was made of them."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from engram.memory.ids import ChangeId
from engram.memory.people import Person, person_of
from engram.memory.record import Memory
from engram.memory.secrecy import is_protected
from engram.memory.vocabulary import Secrecy
from engram.storage.artefacts import rewrite_artefacts
from engram.storage.beside import keeping, kept
from engram.storage.database import Transaction
from engram.storage.episodes import rewrite_episode
from engram.storage.knowledge import rewrite_beliefs
from engram.storage.resealing import resealed
from engram.storage.rows import memory_from_row
from engram.storage.skills import rewrite_skill
from engram.storage.unit import UnitOfWork

Summary = Callable[[Memory], str | None]
People = Sequence[Person]
_MOST = 10_000  # memories that one change protects


@dataclass(frozen=True, slots=True)
class TierMove:
    """How a memory was protected before a change and after it."""

    number: int
    before: Secrecy
    after: Secrecy


def moves_of(unit: UnitOfWork, change: ChangeId) -> list[TierMove]:
    """What a change did to the protection of memories."""
    rows = unit.transaction.rows("tier_moves_of", {"change_id": change})
    return [
        TierMove(cast(int, number), Secrecy(cast(str, before)), Secrecy(cast(str, after)))
        for number, before, after in rows
    ]


def keep_move(unit: UnitOfWork, change: ChangeId, memory: Memory, secrecy: Secrecy) -> None:
    """Note from what to what a change moves a memory."""
    unit.transaction.run(
        "insert_tier_move",
        {
            "change_id": change,
            "number": memory.number,
            "before": memory.secrecy.value,
            "after": secrecy.value,
        },
    )


def told_by_the_same_words(unit: UnitOfWork, memory: Memory) -> list[Memory]:
    """What a memory was drawn from, and what was made of it, however far on."""
    turns = unit.transaction.rows("turns_it_was_drawn_from", {"number": memory.number})
    found: dict[int, None] = {cast(int, row[0]): None for row in turns}
    made = [memory.number]
    while made and len(found) < _MOST:
        rows = unit.transaction.rows("made_of_listed", {"numbers": json.dumps(made)})
        made = [cast(int, row[0]) for row in rows if row[0] not in found]
        found.update(dict.fromkeys(made))
    found.pop(memory.number, None)
    return states_of(unit, found)


def states_of(unit: UnitOfWork, numbers: Iterable[int]) -> list[Memory]:
    """The present states of some memories, whoever may see them."""
    listed = json.dumps(list(numbers))
    return [
        memory_from_row(row)
        for row in unit.transaction.rows("states_of_listed", {"numbers": listed})
    ]


def protect(
    unit: UnitOfWork, memory: Memory, secrecy: Secrecy, summary: Summary, people: People = ()
) -> Memory:
    """The memory under another tier, in the change that is open: all states and all beside them.

    `summary` tells what may be known of each of its wordings.
    """
    transaction = unit.transaction
    is_known_by_tag = memory.secrecy is not Secrecy.CLEARTEXT or _was_protected(unit, memory)
    resealed(
        transaction,
        memory.number,
        secrecy,
        people=people,
        summary=summary,
        identity=_as_it_is if is_known_by_tag else partial(_tagged, unit),
    )
    (changed,) = states_of(unit, [memory.number])
    rewrite_episode(transaction, changed)
    rewrite_beliefs(transaction, changed)
    rewrite_skill(transaction, changed)
    _rewrite_feedback(transaction, changed)
    if is_protected(secrecy):
        transaction.run("blank_boxes_of", {"number": changed.number})
        rewrite_artefacts(transaction, changed)
    return changed


def _was_protected(unit: UnitOfWork, memory: Memory) -> bool:
    """Whether a memory in the open was protected once: then it is known by a keyed hash still."""
    return bool(unit.transaction.rows("lowered_once", {"number": memory.number}))


def _as_it_is(memory: Memory) -> bytes:
    return memory.identity


def _tagged(unit: UnitOfWork, memory: Memory) -> bytes:
    return unit.tagged(memory.identity, person_of(memory))


def _rewrite_feedback(transaction: Transaction, memory: Memory) -> None:
    keep = keeping(transaction, memory)
    for change_id, query in transaction.rows("feedback_details", {"number": memory.number}):
        if query:
            row = {"number": memory.number, "change_id": change_id}
            transaction.run("rewrite_feedback", {**row, "query": kept(keep, cast(str, query))})
