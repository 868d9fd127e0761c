"""Protects memories by another tier, with all that is kept beside them and was made of them."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from engram.memory.changes import Action
from engram.memory.ids import ChangeId
from engram.memory.people import Person, person_named, person_of
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
    identities = _Identities(unit, memory, secrecy)
    people = (*people, *_each_named(memory))
    resealed(
        transaction, memory.number, secrecy, people=people, summary=summary,
        identity=identities.kept,
    )  # fmt: skip
    (changed,) = states_of(unit, [memory.number])
    identities.note(changed)
    # What others hold in memory of its words they let go when they see this line.
    unit.audit(Action.TIER, changed.scope.path, memory_id=changed.id)
    rewrite_episode(transaction, changed)
    rewrite_beliefs(transaction, changed)
    rewrite_skill(transaction, changed)
    _rewrite_feedback(transaction, changed)
    if is_protected(secrecy):
        transaction.run("blank_boxes_of", {"number": changed.number})
        rewrite_artefacts(transaction, changed)
    return changed


def _each_named(memory: Memory) -> list[Person]:
    """Everybody whom the subject of a memory names, where it names several: each can be erased."""
    names = (memory.subject or "").split(", ")
    return [person_named(memory.scope.path, name) for name in names] if len(names) > 1 else []


class _Identities:
    """By what wordings are known under another tier: a keyed hash, or the plain one.

    The plain ones of a memory that is protected are sealed beside it, so that it is known by them
    again when it stands in the open. One that never did keeps its keyed hash there.
    """

    def __init__(self, unit: UnitOfWork, memory: Memory, secrecy: Secrecy) -> None:
        self._unit, self._number = unit, memory.number
        self._is_sealed_now = is_protected(secrecy) and not is_protected(memory.secrecy)
        self._is_opened_now = is_protected(memory.secrecy) and not is_protected(secrecy)
        found = unit.transaction.rows("sealed_identities", {"number": memory.number})
        self._is_noted, self._plain = bool(found), dict[str, str]()
        if found and found[0][0]:
            self._plain = json.loads(cast(str, found[0][0]))

    def kept(self, memory: Memory) -> bytes:
        """The identity of one state under the new tier."""
        if self._is_opened_now:
            return bytes.fromhex(self._plain.get(memory.identity.hex(), memory.identity.hex()))
        if not self._is_sealed_now or self._is_noted:
            return memory.identity
        tagged = self._unit.tagged(memory.identity, person_of(memory))
        self._plain[tagged.hex()] = memory.identity.hex()
        return tagged

    def note(self, memory: Memory) -> None:
        """Keep what is needed to go back, once all states are written."""
        run, named = self._unit.transaction.run, {"number": self._number}
        if self._is_opened_now and self._plain:
            run("drop_sealed_identities", named)
        elif self._is_opened_now:
            run("keep_sealed_identities", {**named, "identities": ""})
        elif self._is_sealed_now and not self._is_noted:
            keep = keeping(self._unit.transaction, memory)
            run(
                "keep_sealed_identities",
                {**named, "identities": kept(keep, json.dumps(self._plain))},
            )


def _rewrite_feedback(transaction: Transaction, memory: Memory) -> None:
    keep = keeping(transaction, memory)
    for change_id, query in transaction.rows("feedback_details", {"number": memory.number}):
        if query:
            row = {"number": memory.number, "change_id": change_id}
            transaction.run("rewrite_feedback", {**row, "query": kept(keep, cast(str, query))})
