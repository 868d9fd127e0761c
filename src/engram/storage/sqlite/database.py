"""Many readers and one writer over one SQLite file, from any number of threads."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, cast
from weakref import WeakSet

import apsw

from engram.errors import (
    RecallError,
    StoreBusy,
    StoreClosed,
    StoreCorrupt,
    StoreReadOnly,
    WriteFailed,
)
from engram.failpoints import failpoint
from engram.memory.people import Person
from engram.storage.database import Parameters, Row
from engram.storage.options import StorageOptions
from engram.storage.queries import load_queries
from engram.storage.sealing import sealable_columns, with_unsealed
from engram.storage.sqlite.translate import as_ours, is_sync_failure
from engram.storage.sqlite.vault_file import VaultFile
from engram.storage.vault import Vault, as_text
from engram.storage.vault_tie import TiedVault

if TYPE_CHECKING:
    from engram.storage.sqlite.scrubbing import SqliteScrubber

_IDLE_READERS = 4
_FORK_SECONDS = 5.0
_STEPS_BETWEEN_LOOKS = 20_000  # virtual machine steps between two looks at the clock


class SqliteTransaction:
    """Runs named queries on one connection."""

    def __init__(self, connection: apsw.Connection, vault: Vault | None = None) -> None:
        self._connection = connection
        self._queries = load_queries("sqlite")
        self._vault = vault
        self._tied: TiedVault | None = None
        self._is_veiled = False

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        """All rows of a named query; a column named `sealable_…` comes unsealed."""
        statement = self._queries[query]
        try:  # spelled out, not `with translated()`: this is the hot path
            found = self._connection.execute(statement, parameters).fetchall()
        except apsw.Error as error:
            raise as_ours(error) from error
        except UnicodeDecodeError:
            raise StoreCorrupt from None  # its text would show what stood there
        columns = sealable_columns(query, statement)
        if columns.places and found:
            found = with_unsealed(found, columns, self.vault, is_veiled=self._is_veiled)
        return cast("list[Row]", found)

    def vault(self) -> Vault:
        """The keys of persons, as they are since this transaction first asked."""
        if self._tied is None:
            vault = self._vault or VaultFile(None)
            vault.refresh()
            self._tied = TiedVault(vault, self)
        return self._tied

    def seal(self, text: str, people: Sequence[Person]) -> str:
        """A sealed text, for a column for text."""
        return as_text(self.vault().seal(text, people))

    def seal_bytes(self, content: bytes, people: Sequence[Person]) -> bytes:
        """Sealed bytes, for a column for bytes."""
        return self.vault().seal_bytes(content, people)

    def veil(self) -> None:
        """From now on what is sealed reads as nothing."""
        self._is_veiled = True

    def run(self, query: str, parameters: Parameters) -> None:
        """A named statement that returns nothing."""
        try:
            self._connection.execute(self._queries[query], parameters)
        except apsw.Error as error:
            raise as_ours(error) from error

    def insert(self, query: str, parameters: Parameters) -> int:
        """A named INSERT; returns the new row's key."""
        self.run(query, parameters)
        return self._connection.last_insert_rowid()

    def changed(self) -> int:
        """How many rows the last statement altered."""
        return self._connection.changes()


class SqliteDatabase:
    """Owns the connections of one process to one database file."""

    def __init__(
        self,
        connect: Callable[[bool], apsw.Connection],
        options: Callable[[], StorageOptions],
        *,
        read_only: bool = False,
        is_shared: bool = True,
        vault: VaultFile | None = None,
    ) -> None:
        self.vault = vault or VaultFile(None)
        self._connect = connect
        self._options = options
        self._read_only = read_only
        self._is_shared = is_shared  # False: an in-memory database lives in one connection
        self._generation = 0
        self._make_locks()
        self._start()
        _DATABASES.add(self)

    def _make_locks(self) -> None:
        """The locks are made once in a process's life: whoever waits for one waits for that one."""
        self._process = os.getpid()
        self._state = threading.Lock()
        self._idle = threading.Condition(self._state)
        self._write_turn = threading.Lock()
        self._waiting = 0
        self._paused: list[threading.Lock] = []

    def _start(self) -> None:
        self._generation += 1  # connections of an earlier one are not taken back
        self._reading = 0
        self._readers: list[apsw.Connection] = []
        self._writer: apsw.Connection | None = None
        self._is_closed = False
        self._is_poisoned = False
        self._log_pages = 0

    @contextmanager
    def reading(self, timeout_seconds: float) -> Iterator[SqliteTransaction]:
        """A snapshot for reading; interrupted when it takes longer than allowed."""
        if not self._is_shared:
            with self._turn():
                yield SqliteTransaction(self._writing_connection(), self.vault)
            return
        connection, generation = self._take_reader()
        is_good = False
        try:
            deadline = time.monotonic() + timeout_seconds
            connection.set_progress_handler(
                lambda: time.monotonic() > deadline, _STEPS_BETWEEN_LOOKS
            )
            _execute(connection, "BEGIN")
            yield SqliteTransaction(connection, self.vault)
            _execute(connection, "COMMIT")
            is_good = True
        except RecallError:  # nothing found, or not allowed: the connection is as good as before
            connection.execute("ROLLBACK")
            is_good = True
            raise
        finally:
            self._give_back(connection, generation, is_good=is_good)

    @contextmanager
    def writing(self) -> Iterator[SqliteTransaction]:
        """One transaction; durable when the block ends, undone when it raises."""
        if self._read_only:
            raise StoreReadOnly
        self._take_turn()
        try:
            if self._is_poisoned:
                raise WriteFailed(hint="The disk failed to keep an earlier write: open anew.")
            connection = self._writing_connection()
            # A deferred transaction that turns into a write can fail with SQLITE_BUSY at once,
            # whatever the busy timeout; take the write lock first.
            _execute(connection, "BEGIN IMMEDIATE")
            try:
                yield SqliteTransaction(connection, self.vault)
                failpoint("before_commit")
                _execute(connection, "COMMIT")
            except BaseException as error:
                self._roll_back(connection, error)
                raise
            failpoint("after_commit")
            self._fold_log()
        finally:
            self._write_turn.release()

    def _roll_back(self, connection: apsw.Connection, error: BaseException) -> None:
        # After a failed sync nobody knows what is on the disk: never report success again.
        self._is_poisoned = self._is_poisoned or is_sync_failure(error.__cause__)
        with suppress(apsw.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    @contextmanager
    def _turn(self) -> Iterator[None]:
        self._take_turn()
        try:
            yield
        finally:
            self._write_turn.release()

    def _take_turn(self) -> None:
        """Wait for the writer in a bounded queue: more callers than that are told to come back."""
        self._check_process()
        if self._write_turn.acquire(blocking=False):
            return
        options = self._options()
        with self._state:
            if self._waiting >= options.max_waiting_writers:
                raise StoreBusy
            self._waiting += 1
        try:
            has_turn = self._write_turn.acquire(timeout=options.busy_timeout_seconds)
        finally:
            with self._state:
                self._waiting -= 1
        if not has_turn:
            raise StoreBusy

    def _fold_log(self) -> None:
        """Fold the log back into the file when it is long; never in the way of a committed write.

        A sync that fails here shows that the disk cannot be trusted with the next write either.
        """
        if self._writer is None or self._log_pages < self._options().checkpoint_pages:
            return
        self._log_pages = 0
        try:
            self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.Error as error:
            self._is_poisoned = self._is_poisoned or isinstance(error, apsw.IOError)

    def _writing_connection(self) -> apsw.Connection:
        if self._is_closed:
            raise StoreClosed
        if self._writer is None:
            self._writer = self._connect(self._read_only)
            self._writer.set_wal_hook(self._note_log_length)
        return self._writer

    def _note_log_length(self, _connection: object, _name: str, pages: int) -> int:
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _take_reader(self) -> tuple[apsw.Connection, int]:
        self._check_process()
        with self._state:
            if self._is_closed:
                raise StoreClosed
            self._reading += 1
            generation = self._generation
            if self._readers:
                return self._readers.pop(), generation
        try:
            return self._connect(self._read_only), generation
        except BaseException:
            self._count_reader_out(generation)
            raise

    def _give_back(self, connection: apsw.Connection, generation: int, *, is_good: bool) -> None:
        with self._state:
            is_ours = generation == self._generation and not self._is_closed
            keep = is_good and is_ours and len(self._readers) < _IDLE_READERS
            if keep:
                self._readers.append(connection)
        try:
            if not keep:
                connection.close(True)
        finally:
            self._count_reader_out(generation)

    def _count_reader_out(self, generation: int) -> None:
        with self._state:
            if generation == self._generation:
                self._reading -= 1
                self._idle.notify_all()

    def _check_process(self) -> None:
        """A connection must not cross fork(): a child opens its own and leaves the parent's be."""
        if os.getpid() != self._process:
            self.begin_in_child()

    def pause(self) -> None:
        """Before a fork: let no thread be inside SQLite, whose own locks a child would inherit."""
        if self._write_turn.acquire(timeout=_FORK_SECONDS):
            self._paused.append(self._write_turn)
        if self._state.acquire(timeout=_FORK_SECONDS):
            self._paused.append(self._state)
            self._idle.wait_for(lambda: not self._reading, timeout=_FORK_SECONDS)

    def resume(self) -> None:
        """After a fork, in the parent: go on."""
        while self._paused:
            self._paused.pop().release()

    def begin_in_child(self) -> None:
        """After a fork, in the child: own locks, own connections."""
        _ORPHANS.extend(c for c in (*self._readers, self._writer) if c is not None)
        is_closed = self._is_closed
        self._make_locks()
        self._start()
        self._is_closed = is_closed

    def scrubber(self) -> "SqliteScrubber":
        """What cleans this database of what was erased; a place knows of more files."""
        from engram.storage.sqlite.scrubbing import SqliteScrubber

        return SqliteScrubber(self)

    def match_expression(self, terms: Sequence[Sequence[str]]) -> str:
        """Any of these terms, in FTS5's language."""
        return " OR ".join(map(_quoted, terms))

    def run_exclusively(self, act: Callable[[apsw.Connection], object]) -> object:
        """Use the writer's connection outside a transaction, alone in this process."""
        with self._turn():
            try:
                return act(self._writing_connection())
            except apsw.Error as error:
                raise as_ours(error) from error

    def open_again(self) -> None:
        """Come back after a time in which the file was someone else's."""
        self._start()

    def close(self) -> None:
        """Let running reads and the writer finish, then close every connection.

        The last process to close folds the log back into the file.
        """
        self._check_process()
        with self._state:
            self._is_closed = True
            self._idle.wait_for(
                lambda: not self._reading, timeout=self._options().busy_timeout_seconds
            )
            idle, self._readers = self._readers, []
        for connection in idle:
            connection.close(True)
        with self._write_turn:
            if self._writer is not None:
                self._writer.close(True)
            self._writer = None


def _execute(connection: apsw.Connection, statement: str) -> None:
    try:
        connection.execute(statement)
    except apsw.Error as error:
        raise as_ours(error) from error


_ORPHANS: list[apsw.Connection] = []  # of a parent process: kept so that nothing closes them
_DATABASES: "WeakSet[SqliteDatabase]" = WeakSet()


def _at_fork(step: Callable[[SqliteDatabase], None]) -> Callable[[], None]:
    def act() -> None:
        for each in list(_DATABASES):
            step(each)

    return act


os.register_at_fork(
    before=_at_fork(SqliteDatabase.pause),
    after_in_parent=_at_fork(SqliteDatabase.resume),
    after_in_child=_at_fork(SqliteDatabase.begin_in_child),
)


def _quoted(term: Sequence[str]) -> str:
    """A term as FTS5 reads it: quoted, so that no text is syntax."""
    return '"' + " ".join(token.replace('"', " ") for token in term) + '"'
