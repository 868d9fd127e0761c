"""Puts derived rows right: what is missing is queued, what belongs to nothing or is broken goes."""

from typing import cast

from engram.storage.database import Transaction
from engram.storage.vectors.encoding import are_sound, bytes_per_vector
from engram.storage.vectors.spaces import Space, SpaceState, read_spaces

_PAGE = 2_000


def unsound_wordings(transaction: Transaction, space: Space) -> set[tuple[int, int]]:
    """Wordings of which a stored vector has the wrong length, no number, or no direction.

    One that is sealed under a key that is gone is none of these: it cannot be made anew either.
    """
    found: set[tuple[int, int]] = set()
    after = 0
    while True:
        page = transaction.rows(
            "vectors_after", {"after": after, "space": space.space, "limit": _PAGE}
        )
        for id_, number, version, _, vector, bits in page:
            after = cast(int, id_)
            dimension = space.dimension or 0
            kind = cast("int | None", bits)
            if vector and not are_sound(cast(bytes, vector), kind, space.precision, dimension):
                found.add((cast(int, number), cast(int, version)))
        if len(page) < _PAGE:
            return found


def right_dimension(transaction: Transaction, space: Space) -> int | None:
    """How many numbers most vectors of a space have; what is noted, where it has no vector.

    Where all are in few bits, some dimensions make codes of the same length: what is noted counts
    if it is one of them, else the largest.
    """
    found = transaction.rows("usual_vector_bytes", {"space": space.space})
    if not found:
        return space.dimension
    length, bits = cast("tuple[int, int | None]", found[0])
    if bits is None:
        return length // bytes_per_vector(space.precision, 1) or None
    largest = length * 8 // bits
    is_possible = largest - 8 // bits < (space.dimension or 0) <= largest
    return space.dimension if is_possible else largest or None


def _mend_dimensions(transaction: Transaction) -> int:
    """Note each space's dimension anew by its vectors, so that these need not be made anew."""
    wrong = [
        (space.space, dimension)
        for space in read_spaces(transaction)
        if (dimension := right_dimension(transaction, space)) != space.dimension
    ]
    for space, dimension in wrong:
        transaction.run("set_dimension", {"space": space, "dimension": dimension})
    return len(wrong)


def mend_derived(transaction: Transaction) -> dict[str, int]:
    """Mend within the caller's transaction; what has to be made anew waits in its queue after it.

    Nothing canonical is touched, and no memory is read: a store that never embedded stays so.
    """
    done: dict[str, int] = {}
    for name, query in (
        ("orphaned vectors removed", "drop_orphaned_vectors"),
        ("open vectors of protected memories removed", "drop_open_vectors"),
        ("open names in protected memories removed", "drop_open_mentions"),
        ("orphaned queue entries removed", "drop_orphaned_pending"),
        ("orphaned traits removed", "drop_orphaned_traits"),
        ("wordings queued for their traits", "queue_missing_traits"),
        ("wordings queued for sound traits", "queue_damaged_traits"),
    ):
        transaction.run(query, {})
        done[name] = transaction.changed()
    done["spaces given their dimension"] = _mend_dimensions(transaction)
    queued = 0
    for space in read_spaces(transaction):
        if space.state is SpaceState.RETIRED:
            continue
        for number, version in unsound_wordings(transaction, space):
            key = {"space": space.space, "number": number, "version": version}
            transaction.run("drop_wording_vectors", key)
        transaction.run("queue_present_wordings", {"space": space.space})
        queued += transaction.changed()
    done["wordings queued to be embedded"] = queued
    transaction.run("recount_vectors", {})
    return {name: count for name, count in done.items() if count}
