"""What the processes of a crew do with the keys of a store: change them, or look what is there."""

import os
from pathlib import Path

from engram.engine import Engram
from engram.wiring import restore_store

_QUIET = {"storage": {"backup_every_hours": 0}}
_PLAIN = b"SQLite format 3\x00"


def rekey(store: str, what: str, key: str) -> dict[str, object]:
    """Encrypt, decrypt or renew; what is so already is left so."""
    is_plain = is_plain_file(store, "engram.db")
    if is_plain:
        os.environ.pop("ENGRAM_KEY", None)
    else:
        os.environ["ENGRAM_KEY"] = key
    with Engram.open(store, settings=_QUIET) as engram:
        if what == "encrypt":
            if not engram.upkeep.ways_in():
                engram.upkeep.encrypt(key=bytes.fromhex(key))
        elif what == "decrypt":
            if engram.upkeep.ways_in():
                engram.upkeep.decrypt(confirmed=True)
        elif what == "dropping":
            engram.upkeep.renew_keys("subjects", drop_old=True)
        else:
            engram.upkeep.renew_keys(what)
    return look_over(store, key)


def restore_over(store: str, backup: str, key: str) -> dict[str, object]:
    """Put a backup in the store's place, whatever lies there."""
    os.environ["ENGRAM_KEY"] = key
    restore_store(store, backup)
    return look_over(store, key)


def open_only(store: str, key: str) -> None:
    """Open and close, as anybody who comes after a crash."""
    look_over(store, key)


def look_over(store: str, key: str) -> dict[str, object]:
    """What is in a store for whoever has the key, and what lies in its folder afterwards."""
    if is_plain_file(store, "engram.db"):
        os.environ.pop("ENGRAM_KEY", None)
    else:
        os.environ["ENGRAM_KEY"] = key
    with Engram.open(store, settings=_QUIET) as engram:
        texts = sorted(memory.content for memory in engram.list(limit=200))
        findings = [each.name for each in engram.doctor().findings if not each.is_fine]
        is_intact = engram.verify_audit().is_intact
        old_keys = len(engram._parts.place.vault._keys.by_id) - len(
            engram._parts.place.vault._keys.newest
        )
    names = sorted(str(path.relative_to(store)) for path in Path(store).rglob("*"))
    return {
        "texts": texts,
        "findings": findings,
        "is_intact": is_intact,
        "old_keys": old_keys,
        "names": names,
        "plain": [name for name in ("engram.db", "vault.db") if is_plain_file(store, name)],
    }


def is_plain_file(store: str, name: str) -> bool:
    """Whether a file begins as one that needs no key."""
    return (Path(store) / name).read_bytes()[: len(_PLAIN)] == _PLAIN
