"""Keeps vectors in fewer bits than before. The way back is to embed the words again."""

import json
from collections.abc import Mapping
from typing import cast

from engram.storage.database import Transaction, Value
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
    wanted: dict[str, Value] = {"ids": json.dumps(sorted(held))}
    due: dict[int | None, list[tuple[int, bytes]]] = {}
    for row in transaction.rows("vectors_by_id", wanted):
        id_, blob, had = cast("tuple[int, bytes, int | None]", row)
        is_finer = had is None or had > bits
        if is_finer and had == held[id_] and are_sound(blob, had, space.precision, dimension):
            due.setdefault(had, []).append((id_, blob))
    return sum(_write(transaction, present, rows, had, bits) for had, rows in due.items())


def _write(
    transaction: Transaction,
    space: Space,
    rows: list[tuple[int, bytes]],
    had: int | None,
    bits: int,
) -> int:
    blobs = [blob for _, blob in rows]
    vectors = read_vectors(blobs, [had] * len(rows), space.precision, space.sound_dimension)
    for (id_, _), code in zip(rows, coded(vectors, bits), strict=True):
        row: dict[str, Value] = {"id": id_, "space": space.space, "vector": code, "bits": bits}
        transaction.run("recode_vector", row)
    return len(rows)
