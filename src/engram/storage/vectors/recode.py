"""Keeps vectors in fewer bits than before. The way back is to embed the words again."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from engram.storage.database import Transaction, Value
from engram.storage.sealed_memories import seal_of_wording
from engram.storage.vectors.coded import coded
from engram.storage.vectors.encoding import are_sound, read_vectors
from engram.storage.vectors.spaces import Space, answering, read_spaces


def recode(
    transaction: Transaction, space: Space, held: Mapping[int, int | None], bits: int
) -> int:
    """Keep vectors in fewer bits; returns how many were.

    `held` are their ids, and in how many bits each was when it was looked at. What is otherwise by
    now is left alone, as is what cannot be read, and all of a space that no longer answers. Bits
    that are lost do not come back by writing more of them: that is never done.
    """
    present = answering(read_spaces(transaction))
    if present is None or present.space != space.space:
        return 0
    dimension = present.sound_dimension
    due: dict[int | None, list[_Vector]] = {}
    for vector in _read(transaction, present, held):
        is_finer = vector.bits is None or vector.bits > bits
        is_sound = are_sound(vector.blob, vector.bits, present.precision, dimension)
        if is_finer and is_sound and vector.bits == held[vector.id]:
            due.setdefault(vector.bits, []).append(vector)
    return sum(_write(transaction, present, vectors, bits) for vectors in due.values())


class _Vector(NamedTuple):
    id: int
    number: int
    version: int
    part: int
    blob: bytes
    bits: int | None


def _read(transaction: Transaction, space: Space, ids: Iterable[int]) -> list[_Vector]:
    rows = transaction.rows("whole_vectors", _listed(space, ids))
    return [_Vector(*cast("tuple[int, int, int, int, bytes, int | None]", row)) for row in rows]


def _write(transaction: Transaction, space: Space, vectors: list[_Vector], bits: int) -> int:
    """Take vectors of the same bits out and put them back smaller.

    Made smaller where they are, they would leave holes in every page of the file that nothing ever
    fills: pages are only given back when rows leave them.
    """
    matrix = read_vectors(
        [each.blob for each in vectors],
        [each.bits for each in vectors],
        space.precision,
        space.sound_dimension,
    )
    transaction.run("take_vectors", _listed(space, (each.id for each in vectors)))
    for each, code in zip(vectors, coded(matrix, bits), strict=True):
        seal = seal_of_wording(transaction, each.number, each.version)
        row: dict[str, Value] = {
            "id": each.id, "space": space.space, "number": each.number, "version": each.version,
            "part": each.part, "vector": seal(code), "bits": bits,
        }  # fmt: skip
        transaction.run("put_vector", row)
    transaction.run("note_recoded", {"space": space.space, "count": len(vectors)})
    return len(vectors)


def _listed(space: Space, ids: Iterable[int]) -> dict[str, Value]:
    return {"space": space.space, "numbers": f"[{','.join(map(str, ids))}]"}
