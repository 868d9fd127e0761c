"""Reads and writes slot files: strictly, and in one durable step."""

import json
import os
import re
import secrets
from pathlib import Path
from typing import cast

from engram.errors import EncryptionFailed
from engram.security.keys.credentials import KEY_BYTES, Kind
from engram.security.keys.slots import (
    MOST_WRAPPINGS,
    NONCE_BYTES,
    SALT_BYTES,
    TAG_BYTES,
    KeySlot,
    StoreUse,
    Wrapping,
)

_MOST_BYTES = 64 * 1024
_FIRST_FORMAT = {"version", "kind", "salt", "wrapped"}
_FIRST_ID = "first"  # what was the only way in had no name


def read_slot(path: Path) -> KeySlot | None:
    """The slot of an encrypted store; None when the store is not encrypted."""
    if not path.exists():
        return None
    try:
        # A pipe would keep us waiting for ever, and so would a file without end.
        is_file = path.is_file() and path.stat().st_size <= _MOST_BYTES
        document = json.loads(path.read_text(encoding="utf-8")) if is_file else None
    except (OSError, ValueError, RecursionError) as error:
        raise EncryptionFailed(hint="keys.json cannot be read; take it from a backup.") from error
    if not isinstance(document, dict):
        raise EncryptionFailed(hint="keys.json is damaged.")
    slot = _first_format(document) if document.get("version") == 1 else document
    if not _is_whole(slot):
        raise EncryptionFailed(hint="keys.json is damaged or of a newer version.")
    return cast("KeySlot", slot)


def _first_format(document: dict[str, object]) -> dict[str, object]:
    """A slot of the first format, which had one way in; the next write keeps it as this one."""
    if set(document) != _FIRST_FORMAT or document["kind"] not in (Kind.PASSPHRASE, Kind.KEY):
        return {}
    wrapping = {name: value for name, value in document.items() if name != "version"}
    first = {str(use): 1 for use in StoreUse}
    return {"version": 2, "keys": first, "wrappings": [{"id": _FIRST_ID, **wrapping}]}


def _is_whole(slot: dict[str, object]) -> bool:
    keys, wrappings = slot.get("keys"), slot.get("wrappings")
    return (
        set(slot) == KeySlot.__required_keys__
        and slot["version"] == 2  # the second format
        and isinstance(keys, dict)
        and set(keys) == set(StoreUse)
        and all(type(each) is int and each > 0 for each in keys.values())
        and isinstance(wrappings, list)
        and 0 < len(wrappings) <= MOST_WRAPPINGS
        and all(_is_wrapping(each) for each in wrappings)
    )


def _is_wrapping(wrapping: object) -> bool:
    if not isinstance(wrapping, dict):
        return False
    names = set(wrapping) - Wrapping.__optional_keys__
    return (
        names == Wrapping.__required_keys__
        and isinstance(wrapping["id"], str)
        and wrapping["kind"] in tuple(Kind)
        and isinstance(wrapping.get("entry", ""), str)
        and _is_hex(wrapping["salt"], SALT_BYTES)
        and _is_hex(wrapping["wrapped"], NONCE_BYTES + KEY_BYTES + TAG_BYTES)
    )


def _is_hex(text: object, length: int) -> bool:
    return isinstance(text, str) and re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text) is not None


def write_slot(path: Path, slot: KeySlot) -> None:
    """Put a slot in place in one step, durable."""
    try:
        _write_durably(path, slot)
    except OSError as error:
        raise EncryptionFailed(hint="keys.json cannot be written; nothing changed.") from error


def _write_durably(path: Path, slot: KeySlot) -> None:
    temporary = path.with_name(f".tmp-{secrets.token_hex(8)}.keys.json")
    handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(slot, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
