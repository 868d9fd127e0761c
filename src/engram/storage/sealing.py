"""Reads sealed columns: which those are is said in the SQL, by the names they are given there."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from engram.storage.record_cipher import BYTES, header_of
from engram.storage.vault import Vault, blob_in

_SELECTED = re.compile(r"\bSELECT\b(?:\s+DISTINCT\b)?(.*?)\bFROM\b", re.DOTALL | re.IGNORECASE)
_SEALABLE = re.compile(r"\bAS\s+sealable_(\w+)\s*$", re.IGNORECASE)
_CONTENT = "content"


@dataclass(frozen=True, slots=True)
class SealableColumns:
    """Where a query's rows may hold sealed values."""

    places: tuple[int, ...]
    content: int | None  # of a memory's text: a row whose text cannot be read is left out


_NONE = SealableColumns((), None)


@cache
def sealable_columns(query: str, statement: str) -> SealableColumns:
    """The places of the columns of a query that may hold sealed values."""
    if "sealable_" not in statement:
        return _NONE
    names = [_SEALABLE.search(each) for each in _outer_columns(statement)]
    found = {place: name[1] for place, name in enumerate(names) if name}
    if not found:
        raise ValueError(f"{query} names a sealable column, but does not give one out")
    content = next((place for place, name in found.items() if name == _CONTENT), None)
    return SealableColumns(tuple(found), content)


def _outer_columns(statement: str) -> list[str]:
    """The columns of the outermost SELECT, of several joined by UNION the first."""
    outer = _without_brackets(statement)
    match = _SELECTED.search(outer)
    return match[1].split(",") if match else []


def _without_brackets(statement: str) -> str:
    """The statement with whatever stands in brackets taken out: no SELECT or FROM of a part."""
    kept, depth = [], 0
    for character in statement:
        if character == "(":
            depth += 1
        if not depth:
            kept.append(character)
        if character == ")":
            depth -= 1
    return "".join(kept)


def with_unsealed(
    rows: Sequence[Any], columns: SealableColumns, vault: Callable[[], Vault], *, is_veiled: bool
) -> list[Any]:
    """The rows with what is sealed in these columns unsealed.

    A memory whose key is gone, or whose record was altered, is as if it were not there: nobody is
    shown an empty text, and nothing is made of one. The doctor counts such memories.
    """
    opened = (_opened(row, columns, vault, is_veiled=is_veiled) for row in rows)
    return [row for row in opened if row is not None]


def _opened(
    row: Any, columns: SealableColumns, vault: Callable[[], Vault], *, is_veiled: bool
) -> Any:
    changed: list[Any] | None = None
    for place in columns.places:
        blob = blob_in(row[place])
        if blob is None:
            continue
        value = "" if is_veiled else unsealed_value(blob, vault())
        if place == columns.content and not (value or (is_veiled and vault().can_unseal(blob))):
            return None
        changed = changed or list(row)
        changed[place] = value
    return row if changed is None else tuple(changed)


def unsealed_value(blob: bytes, vault: Vault) -> str | bytes:
    """What a record holds; an empty text when a key is gone, or bytes when it held those."""
    header = header_of(blob)
    if header is not None and header.kind == BYTES:
        return vault.unseal_bytes(blob) or b""
    return vault.unseal(blob) or ""
