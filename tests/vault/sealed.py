"""A plain store with protected memories in it, and looks at all of its bytes."""

import secrets
from collections.abc import Iterable
from pathlib import Path

from clock import START, FakeClock
from store.contract import made

from engram.memory.ids import IdMint
from engram.memory.record import Memory
from engram.memory.scopes import Reach, Scope
from engram.storage.migrate import load_migrations
from engram.storage.options import StorageOptions
from engram.storage.place import StoreKeys
from engram.storage.sqlite.embedded import EmbeddedStore
from engram.storage.sqlite.folder import StoreFolder
from engram.storage.store import Store

EVERYTHING = Reach(("/",))


def open_place(path: Path, keys: StoreKeys | None = None) -> EmbeddedStore:
    """The files of a store, plain unless keys are given."""
    return EmbeddedStore(
        StoreFolder(path), unlock=lambda _: keys, options=StorageOptions, now=FakeClock()
    )


def open_store(place: EmbeddedStore) -> Store:
    return Store(place.database, IdMint(secrets.randbits), schema=len(load_migrations("sqlite")))


def put(store: Store, content: str, scope: Scope = Scope(), people=(), **fields) -> Memory:  # noqa: B008
    with store.write(EVERYTHING, actor="tester", now=START) as unit:
        memory = made(unit, content, scope, **fields)
        assert unit.insert(memory, people)
    return memory


def holding(folder: Path, *needles: str) -> list[tuple[str, str]]:
    """Which files of a folder hold which words, in whatever case, coding or stem."""
    found = []
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        content = path.read_bytes()
        found += [(path.name, needle) for needle in needles if _stands_in(needle, content)]
    return found


def _stands_in(needle: str, content: bytes) -> bool:
    return any(each in content for each in forms(needle))


def forms(word: str) -> Iterable[bytes]:
    """The ways in which a word could be written into a file."""
    for text in (word, word.lower(), word.upper()):
        yield text.encode()
        yield text.encode("utf-16-le")
        yield text.encode("utf-16-be")
