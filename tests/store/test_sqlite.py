"""The store contract on SQLite: a plain file, an encrypted file, and memory."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest
from clock import START, FakeClock

from engram.memory.ids import IdMint
from engram.storage.migrate import load_migrations
from engram.storage.options import StorageOptions
from engram.storage.place import StoreKeys
from engram.storage.sqlite.connection import unlock
from engram.storage.sqlite.embedded import EmbeddedStore, memory_database
from engram.storage.sqlite.folder import StoreFolder
from engram.storage.store import Store
from store.contract import StoreContract

KEY = bytes(range(32))
VAULT_KEY = bytes(range(32, 64))


class _OnDisk(StoreContract):
    key: bytes | None = None

    @pytest.fixture
    def place(self, tmp_path: Path, clock: FakeClock) -> Iterator[EmbeddedStore]:
        place = EmbeddedStore(
            StoreFolder(tmp_path / "store"),
            unlock=lambda _has_database: StoreKeys(self.key, self.key and VAULT_KEY),
            options=StorageOptions,
            now=clock,
        )
        yield place
        place.close()

    @pytest.fixture
    def store(self, place: EmbeddedStore) -> Store:
        return Store(
            place.database, IdMint(secrets.randbits), schema=len(load_migrations("sqlite"))
        )

    @pytest.fixture
    def raw(self, place: EmbeddedStore) -> Iterator[Callable[..., list[tuple[object, ...]]]]:
        connection = apsw.Connection(str(place.folder.database), flags=apsw.SQLITE_OPEN_READWRITE)
        unlock(connection, self.key)
        connection.set_busy_timeout(5000)
        yield lambda sql, values=(): connection.execute(sql, values).fetchall()
        connection.close()


class TestPlainFile(_OnDisk):
    """A store in the clear."""


class TestEncryptedFile(_OnDisk):
    """A store under a key."""

    key = KEY

    def test_the_file_is_no_plain_database(self, store, place):
        self.put(store, "a zebra")

        assert not place.folder.database.read_bytes().startswith(b"SQLite format 3")


class TestInMemory(StoreContract):
    """A store that leaves no trace."""

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = Store(
            memory_database(StorageOptions, START),
            IdMint(secrets.randbits),
            schema=len(load_migrations("sqlite")),
        )
        yield store
        store.close()

    @pytest.fixture
    def raw(self, store: Store) -> Callable[..., list[tuple[object, ...]]]:
        def run(sql: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
            with store.database.writing() as transaction:
                return transaction._connection.execute(sql, values).fetchall()

        return run
