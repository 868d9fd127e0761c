"""The queue of wordings that are yet to be embedded, and what becomes of them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from engram.memory.times import to_micros
from engram.storage.database import Transaction, Value
from engram.storage.sealed_memories import seal_of_wording
from engram.storage.vectors.spaces import Space, SpaceState, read_spaces


@dataclass(frozen=True, slots=True)
class QueuedWording:
    """One wording that waits; its text is None when it is gone, and empty when its key is."""

    number: int
    version: int
    attempts: int
    text: str | None
    source_class: str
    is_protected: bool = False


@dataclass(frozen=True, slots=True)
class EmbeddedWording:
    """One wording and its vectors, part by part, as they are stored."""

    number: int
    version: int
    vectors: tuple[bytes, ...]


def due_wordings(
    transaction: Transaction, space: Space, *, now: datetime, limit: int
) -> list[QueuedWording]:
    """What is to be embedded next, the newest first.

    The newest, because whoever has just said something asks for it soonest, and because a call
    that waits for its own memory must not wait for a backlog of thousands.
    """
    found = transaction.rows(
        "due_wordings", {"space": space.space, "now": to_micros(now), "limit": limit}
    )
    return [
        QueuedWording(
            cast(int, number), cast(int, version), cast(int, attempts),
            cast("str | None", text), cast(str, source_class or ""), bool(is_protected),
        )
        for number, version, attempts, text, source_class, is_protected in found
    ]  # fmt: skip


def are_waiting(transaction: Transaction, space: Space, numbers: Iterable[int]) -> set[int]:
    """Which of these memories still wait in a space."""
    named: dict[str, Value] = {"space": space.space, "numbers": json.dumps(list(numbers))}
    return {cast(int, row[0]) for row in transaction.rows("waiting_wordings", named)}


def keep_vectors(
    transaction: Transaction,
    space: Space,
    wordings: Sequence[EmbeddedWording],
    *,
    dimension: int,
) -> int:
    """Store the vectors of wordings that still wait, and take those off the queue.

    What no longer waits is left alone: another process was quicker, the space has retired, or the
    memory is gone. Returns how many wordings were stored.
    """
    present = {each.space: each for each in read_spaces(transaction)}.get(space.space)
    if present is None or present.state is SpaceState.RETIRED:
        return 0
    if present.vectors and present.dimension not in (None, dimension):
        return 0  # another process was quicker, with vectors of another length
    stored, added, highest = 0, 0, 0
    for wording in wordings:
        key = _key(space, wording.number, wording.version)
        if not transaction.rows("is_pending", key):
            continue
        seal = seal_of_wording(transaction, wording.number, wording.version)
        for part, vector in enumerate(wording.vectors if seal.is_possible else ()):
            vector_id = _keep(transaction, {**key, "part": part, "vector": seal(vector)})
            if vector_id is not None:
                added, highest = added + 1, vector_id
        transaction.run("settle_wording", key)
        stored += 1
    counts: dict[str, Value] = {"added": added, "dimension": dimension, "highest": highest}
    if stored:
        transaction.run("count_vectors", {**counts, "space": space.space})
    return stored


def _keep(transaction: Transaction, row: dict[str, Value]) -> int | None:
    """Store one part of a wording; its id, or None where it took the place of one in few bits."""
    transaction.run("renew_vector", row)
    if transaction.changed():
        return None
    vector_id = transaction.insert("insert_vector", row)
    return vector_id if transaction.changed() else None


def queue_again(transaction: Transaction, space: Space, number: int, version: int) -> bool:
    """Let a wording be embedded anew whose vectors are in few bits; those answer until then."""
    transaction.run("queue_coded_wording", _key(space, number, version))
    return bool(transaction.changed())


def drop_wordings(
    transaction: Transaction, space: Space, wordings: Iterable[QueuedWording]
) -> None:
    """Take wordings off the queue that have no text to embed."""
    for each in wordings:
        transaction.run("settle_wording", _key(space, each.number, each.version))


def note_unsent(transaction: Transaction) -> None:
    """Protected texts were left out, since they would have been sent to another machine."""
    transaction.run("note_unsent", {})


def take_up_unsent(transaction: Transaction) -> None:
    """Queue what was left out, now that it may be sent or is embedded here."""
    if not transaction.rows("meta_value", {"key": "protected_unsent"}):
        return
    for space in read_spaces(transaction):
        if space.state is not SpaceState.RETIRED:
            transaction.run("queue_present_wordings", {"space": space.space})
    transaction.run("send_again", {})


def postpone(
    transaction: Transaction, space: Space, wording: QueuedWording, *, until: datetime
) -> None:
    """Try a wording again later; how often it was tried is kept."""
    key = _key(space, wording.number, wording.version)
    transaction.run("postpone_wording", {**key, "not_before": to_micros(until)})


def hurry(transaction: Transaction, space: Space) -> None:
    """Try at once, and count anew, what was tried in vain."""
    transaction.run("hurry_wordings", {"space": space.space})


def _key(space: Space, number: int, version: int) -> dict[str, Value]:
    return {"space": space.space, "number": number, "version": version}
