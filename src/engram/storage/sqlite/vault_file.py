"""The keys of persons, in a small file of their own beside the database.

The database is copied into backups; this file is not. A key that is destroyed here is gone for
every copy of the database, wherever it lies.
"""

import os
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast
from weakref import WeakSet

import apsw

from engram.errors import EngramError, VaultUnreadable
from engram.failpoints import failpoint
from engram.memory.people import Person, each_once
from engram.storage import record_cipher
from engram.storage.database import Value
from engram.storage.migrate import load_migrations, statements
from engram.storage.queries import VAULT, load_queries
from engram.storage.sqlite.connection import check_library, patience, unlock
from engram.storage.sqlite.folder import TEMPORARY, file_at, sync_folder

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

VAULT_APPLICATION = 0x454E_5654  # "ENVT"
_BUSY_SECONDS = 10.0
_FORK_SECONDS = 5.0
_MOST_CIPHERS = 4096
_SELF = "vault"  # the kind of note in which a vault keeps its own name


@dataclass(slots=True)
class _Keys:
    """What the file holds, as it was read last."""

    newest: dict[Person, bytes] = field(default_factory=dict)
    by_id: dict[bytes, bytes] = field(default_factory=dict)
    owner: dict[bytes, Person] = field(default_factory=dict)
    tags: dict[Person, bytes] = field(default_factory=dict)
    ciphers: dict[tuple[bytes, ...], "AESGCM"] = field(default_factory=dict)
    identity: str | None = None  # of the file


class VaultFile:
    """The vault of one store, from any number of threads and processes."""

    def __init__(
        self,
        path: Path | None,
        *,
        key: Callable[[], bytes | None] = lambda: None,
        read_only: bool = False,
    ) -> None:
        self.path = path  # None: it lives in memory and ends with the process
        self._key = key
        self._read_only = read_only
        self._queries = load_queries(VAULT)
        self._begin()
        _VAULTS.add(self)

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._connection: apsw.Connection | None = None
        self._file: tuple[int, int] | None = None  # which one the connection is to
        self._version = -1
        self._keys = _Keys()
        self._is_paused = False

    # Keys

    def refresh(self) -> None:
        """Forget cached keys when another process changed the file."""
        with self._held():
            try:
                if self._connection is not None and self._file != file_at(self.path):
                    self._let_go()  # it was moved away, or another put in its place
                connection = self._opened()
                if connection is None:
                    self._version, self._keys = -1, _Keys()
                    return
                version = cast(int, connection.pragma("data_version"))
                if version != self._version:
                    self._load(connection)
                    self._version = version
            except VaultUnreadable:
                self._version, self._keys = -1, _Keys()
            except apsw.Error:
                self._let_go()

    def _load(self, connection: apsw.Connection) -> None:
        keys = _Keys()
        found = connection.execute(self._queries["all_keys"]).fetchall()
        for id_, scope, name, key, tag_key, is_newest in cast(
            "list[tuple[bytes, str, str, bytes, bytes, int]]", found
        ):
            person = Person(scope, name)
            keys.by_id[id_], keys.owner[id_] = key, person
            keys.tags[person] = tag_key
            if is_newest:
                keys.newest[person] = id_
        found = connection.execute(self._queries["notes_of_kind"], {"kind": _SELF}).fetchall()
        keys.identity = next((cast(bytes, value).hex() for _, value in found), None)
        self._keys = keys

    def identity(self) -> str | None:
        """By what this vault is told from every other, as it was read last."""
        with self._held():
            return self._keys.identity

    def is_there(self) -> bool:
        """Whether there is a file, or it lives in memory."""
        return self.path is None or self.path.exists()

    def check(self) -> None:
        """A vault by itself belongs to no database; see vault_tie."""

    def make(self) -> None:
        """Make the file now, where there is none."""
        with self._writing():
            pass

    def people(self) -> list[Person]:
        """Everybody who has a key."""
        self.refresh()
        with self._held():
            return sorted(self._keys.newest)

    def has_key(self, person: Person) -> bool:
        """Whether this person has a key, as far as was read last."""
        with self._held():
            return person in self._keys.newest

    def people_of(self, blob: bytes) -> list[Person]:
        """The persons whose keys a record needs, as far as they still have one."""
        header = record_cipher.header_of(blob)
        with self._held():
            owner = self._keys.owner
            return [owner[id_] for id_ in (header.ids if header else ()) if id_ in owner]

    def can_unseal(self, blob: bytes) -> bool:
        """Whether every key that a record names is there; its beginning is enough."""
        header = record_cipher.header_of(blob)
        with self._held():
            return header is not None and all(id_ in self._keys.by_id for id_ in header.ids)

    # Records

    def seal(self, text: str, people: Sequence[Person]) -> bytes:
        """A text that can be read only as long as every one of these persons has a key."""
        return self._sealed(text.encode("utf-8", "surrogatepass"), record_cipher.TEXT, people)

    def seal_bytes(self, content: bytes, people: Sequence[Person]) -> bytes:
        """The same for bytes."""
        return self._sealed(content, record_cipher.BYTES, people)

    def unseal(self, blob: bytes) -> str | None:
        """The text of a record; None when a key is gone or the record was altered."""
        content = self._unsealed(blob, record_cipher.TEXT)
        return None if content is None else content.decode("utf-8", "surrogatepass")

    def unseal_bytes(self, blob: bytes) -> bytes | None:
        """The bytes of a record; None when a key is gone or the record was altered."""
        return self._unsealed(blob, record_cipher.BYTES)

    def tag(self, content: bytes, person: Person) -> bytes:
        """A keyed hash under a person's own key."""
        import hmac

        with self._held():
            if person not in self._keys.tags:
                self._make([person])
            return hmac.digest(self._keys.tags[person], content, "sha256")

    def _sealed(self, content: bytes, kind: int, people: Sequence[Person]) -> bytes:
        wanted = each_once(people)
        if not 0 < len(wanted) <= record_cipher.MOST_KEYS:
            raise ValueError("a record is sealed for one person at least, and not for a whole town")
        with self._held():
            missing = [person for person in wanted if person not in self._keys.newest]
            if missing:
                self._make(missing)
            ids = tuple(sorted(self._keys.newest[person] for person in wanted))
            cipher = self._cipher(ids)
        if cipher is None:
            raise VaultUnreadable
        return record_cipher.sealed(content, kind, ids, cipher)

    def _unsealed(self, blob: bytes, kind: int) -> bytes | None:
        header = record_cipher.header_of(blob)
        if header is None or header.kind != kind:
            return None
        with self._held():
            cipher = self._cipher(header.ids)
        return None if cipher is None else record_cipher.unsealed(blob, header, cipher)

    def _cipher(self, ids: tuple[bytes, ...]) -> "AESGCM | None":
        found = self._keys.ciphers.get(ids)
        if found is None:
            keys = [self._keys.by_id.get(id_) for id_ in ids]
            present = [key for key in keys if key is not None]
            if len(present) < len(keys):
                return None
            if len(self._keys.ciphers) >= _MOST_CIPHERS:
                self._keys.ciphers.clear()
            found = self._keys.ciphers[ids] = record_cipher.wrapping_cipher(present)
        return found

    # Changes

    def _make(self, people: Sequence[Person]) -> None:
        """Keys for persons who have none; durable before anything is sealed with them."""
        with self._writing() as connection:
            for person in people:
                self._insert(connection, person, secrets.token_bytes(record_cipher.KEY_BYTES))
            failpoint("vault_before_key")

    def _insert(self, connection: apsw.Connection, person: Person, tag_key: bytes) -> None:
        row: dict[str, Value] = {
            "id": secrets.token_bytes(record_cipher.ID_BYTES),
            "scope": person.scope,
            "name": person.name,
            "key": secrets.token_bytes(record_cipher.KEY_BYTES),
            "tag_key": tag_key,
        }
        connection.execute(self._queries["insert_key"], row)

    def destroy(self, people: Sequence[Person]) -> int:
        """End the keys of these persons for ever; return how many of them had one."""
        if not self.is_there():
            return 0
        ended = 0
        with self._writing() as connection:
            for person in each_once(people):
                row = {"scope": person.scope, "name": person.name}
                connection.execute(self._queries["end_person"], row)
                ended += 1 if connection.changes() else 0
            failpoint("vault_before_destroying")
        failpoint("vault_after_destroying")
        return ended

    def renew_people(self) -> int:
        """Give every person a new key; what older ones sealed can still be read."""
        if not self.is_there():
            return 0
        with self._writing() as connection:
            self._load(connection)
            connection.execute(self._queries["age_keys"])
            for person in sorted(self._keys.newest):
                self._insert(connection, person, self._keys.tags[person])
            return len(self._keys.newest)

    def rewrap(self, blob: bytes) -> bytes | None:
        """A record under its persons' newest keys; None when it is so already or unreadable."""
        header = record_cipher.header_of(blob)
        with self._held():
            owners = [self._keys.owner.get(id_) for id_ in (header.ids if header else ())]
            newest = [self._keys.newest.get(person) for person in owners if person is not None]
            ids = tuple(sorted(id_ for id_ in newest if id_ is not None))
            if header is None or len(ids) < len(header.ids) or ids == header.ids:
                return None
            old, wrapping = self._cipher(header.ids), self._cipher(ids)
        if old is None or wrapping is None:
            return None
        return record_cipher.rewrapped(blob, header, old, ids, wrapping)

    def drop_old_keys(self) -> int:
        """Remove keys that were renewed; only when no record needs one any more."""
        if not self.is_there():
            return 0
        with self._writing() as connection:
            connection.execute(self._queries["end_old_keys"])
            return connection.changes()

    # Notes

    def note(self, kind: str, key: str, content: bytes) -> None:
        """Keep something that no restore of the database brings an older one of back."""
        with self._writing() as connection:
            row: dict[str, Value] = {"kind": kind, "key": key, "value": content}
            connection.execute(self._queries["keep_note"], row)

    def noted(self, kind: str) -> dict[str, bytes]:
        """What is kept of one kind."""
        with self._held():
            connection = self._opened()
            if connection is None:
                return {}
            found = connection.execute(self._queries["notes_of_kind"], {"kind": kind}).fetchall()
        return dict(cast("list[tuple[str, bytes]]", found))

    def forget_note(self, kind: str, key: str) -> None:
        """Keep it no longer."""
        if self.is_there():
            with self._writing() as connection:
                connection.execute(self._queries["end_note"], {"kind": kind, "key": key})

    # The file

    def copy_to(self, target: Path) -> bool:
        """Write the vault beside a backup, under the same key; False when there is none to write.

        Whoever has such a copy can read what was sealed, also after a key was destroyed here.
        """
        temporary = target.with_name(f"{TEMPORARY}{secrets.token_hex(8)}.vault.db")
        with self._held():
            source = self._opened()
            if source is None or self.path is None:
                return False
            try:
                _copied(source, temporary, self._key())
                os.link(temporary, target)  # replaces nothing
                sync_folder(target.parent)
            except (apsw.Error, OSError) as error:
                raise VaultUnreadable(hint="A copy of vault.db could not be made.") from error
            finally:
                temporary.unlink(missing_ok=True)
        return True

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        """One durable change of the file; what is cached is read anew afterwards."""
        with self._held():
            connection = self._opened(make=True)
            if connection is None:
                raise VaultUnreadable(hint="This store was opened for reading only.")
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException as error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if isinstance(error, apsw.Error):
                    raise VaultUnreadable(hint="vault.db cannot be written.") from error
                raise
            finally:
                self._load(connection)

    def _opened(self, *, make: bool = False) -> apsw.Connection | None:
        """The connection; None when there is no vault yet and none is to be made."""
        if self._connection is None:
            if self.path is None:
                self._connection = _in_memory()
            elif self.path.exists() or (make and not self._read_only):
                self._connection = self._open_file(self.path)
                self._file = file_at(self.path)
        return self._connection

    def _open_file(self, path: Path) -> apsw.Connection:
        check_library()
        try:
            key = self._key()
            if not path.exists():
                _create(path, key)
            return _connected(path, key, read_only=self._read_only)
        except (apsw.Error, EngramError, OSError) as error:
            raise VaultUnreadable from error

    @contextmanager
    def _held(self) -> Iterator[None]:
        if os.getpid() != self._process:
            self.begin_in_child()
        with self._lock:
            yield

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        self._version, self._keys = -1, _Keys()
        if connection is not None and self.path is not None:
            connection.close(True)

    def pause(self) -> None:
        """Before a fork: let no thread be inside."""
        self._is_paused = self._lock.acquire(timeout=_FORK_SECONDS)

    def resume(self) -> None:
        """After a fork, in the parent: go on."""
        if self._is_paused:
            self._is_paused = False
            self._lock.release()

    def begin_in_child(self) -> None:
        """After a fork, in the child: own lock, own connection; in memory all is as it was."""
        connection, keys = self._connection, self._keys
        self._begin()
        if self.path is None:
            self._connection, self._keys = connection, keys
        elif connection is not None:
            _ORPHANS.append(connection)

    def close(self) -> None:
        """Let go of the file; what is asked later opens it anew."""
        with self._held():
            self._let_go()


def _in_memory() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    _build(connection)
    return connection


def _create(path: Path, key: bytes | None) -> None:
    """Make the file whole under a temporary name; of two processes that do so one wins."""
    temporary = path.with_name(f"{TEMPORARY}{secrets.token_hex(8)}.vault.db")
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        connection = apsw.Connection(str(temporary), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            unlock(connection, key)
            _build(connection)
        finally:
            connection.close(True)
        failpoint("vault_before_placing")
        os.link(temporary, path)
    except FileExistsError:
        pass  # another process was first; its vault is the vault
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def _copied(source: apsw.Connection, target: Path, key: bytes | None) -> None:
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    copy = apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        copy.pragma("synchronous", "FULL")
        unlock(copy, key)
        with copy.backup("main", source, "main") as running:
            running.step(-1)
        _check_application(copy)
    finally:
        copy.close(True)


def _build(connection: apsw.Connection) -> None:
    connection.pragma("synchronous", "FULL")
    connection.execute("BEGIN IMMEDIATE")
    connection.pragma("application_id", VAULT_APPLICATION)
    for step in load_migrations("vault"):
        for statement in statements(step.sql):
            connection.execute(statement)
    own = {"id": secrets.token_bytes(record_cipher.ID_BYTES)}
    connection.execute(load_queries(VAULT)["name_vault"], own)
    connection.execute("COMMIT")


def _connected(path: Path, key: bytes | None, *, read_only: bool) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    connection = apsw.Connection(str(path), flags=flags)
    try:
        connection.set_busy_handler(patience(_BUSY_SECONDS))
        unlock(connection, key)
        _check_application(connection)
        # Deleted keys are overwritten, and a journal with their pages does not outlive a change.
        for name, value in (
            ("synchronous", "FULL"), ("secure_delete", 1), ("temp_store", "MEMORY"),
            ("mmap_size", 0), ("trusted_schema", 0), ("fullfsync", 1),
        ):  # fmt: skip
            connection.pragma(name, value)
    except BaseException:
        connection.close(True)
        raise
    return connection


def _check_application(connection: apsw.Connection) -> None:
    if connection.pragma("application_id") != VAULT_APPLICATION:
        raise VaultUnreadable(hint="Its vault.db was not made by Engram; it was left alone.")


_ORPHANS: list[apsw.Connection] = []  # of a parent process: kept so that nothing closes them
_VAULTS: "WeakSet[VaultFile]" = WeakSet()


def _at_fork(step: Callable[[VaultFile], None]) -> Callable[[], None]:
    def act() -> None:
        for each in list(_VAULTS):
            step(each)

    return act


os.register_at_fork(
    before=_at_fork(VaultFile.pause),
    after_in_parent=_at_fork(VaultFile.resume),
    after_in_child=_at_fork(VaultFile.begin_in_child),
)
