"""One store in one folder: opened safely, backed up, restored, inspected and closed in order."""

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from engram.errors import (
    BackupFailed,
    EncryptionFailed,
    EngramError,
    StoreCorrupt,
    StoreInUse,
    StoreMissing,
    StoreReadOnly,
)
from engram.failpoints import failpoint
from engram.storage.audit_chain import AuditIdentity
from engram.storage.background import seat_kept_free
from engram.storage.migrate import Migration, load_migrations
from engram.storage.options import StorageOptions
from engram.storage.place import Backup, Finding, StoreKeys
from engram.storage.sqlite.backup import (
    audit_in,
    back_up,
    list_backups,
    restore_file,
    rotate,
    rotating_target,
    slot_of,
    vault_of,
    verify_backup,
)
from engram.storage.sqlite.connection import keep_plans, open_connection
from engram.storage.sqlite.database import SqliteDatabase
from engram.storage.sqlite.folder import StoreFolder, StoreLock
from engram.storage.sqlite.schema import build_schema, create_database, migrate_database
from engram.storage.sqlite.translate import translated
from engram.storage.sqlite.vault_file import VaultFile

if TYPE_CHECKING:
    from engram.storage.sqlite.scrubbing import SqliteScrubber

_MEGABYTE = 1024 * 1024
_LOOK_SECONDS = 30.0


class EmbeddedStore:
    """The files of one store and this process's hold on them."""

    def __init__(
        self,
        folder: StoreFolder,
        *,
        unlock: Callable[[bool], StoreKeys | None],
        options: Callable[[], StorageOptions],
        now: Callable[[], datetime],
        read_only: bool = False,
        is_unchecked: bool = False,
        migrations: list[Migration] | None = None,
    ) -> None:
        self.folder = folder
        self.read_only = read_only
        self._is_unchecked = is_unchecked  # for a doctor, who wants to see what is wrong
        self.migrations = migrations or load_migrations("sqlite")
        self.recovered = False  # the last process did not leave in order
        self.migrated = 0
        self._is_new = False
        self._keys = StoreKeys()
        # Opens the slots of backups; the wiring, which knows what a person has shown, sets it.
        self.keys_in: Callable[[Path], StoreKeys] = lambda _slot: self._keys
        self._options = options
        self._now = now
        self._backup_thread: threading.Thread | None = None
        self._backing_up = threading.Lock()  # each of the own backups has a number of its own
        self.backup_problem = ""
        folder.prepare(read_only=read_only)
        self._lock = StoreLock(
            folder, patience_seconds=options().busy_timeout_seconds, read_only=read_only
        )
        try:
            self._enter(unlock)
        except BaseException:
            self._lock.leave(is_in_order=False)
            raise
        self.vault = VaultFile(folder.vault, key=lambda: self.vault_key, read_only=read_only)
        self.database = SqliteDatabase(
            self._connect, self._options, read_only=read_only, vault=self.vault
        )

    def _enter(self, unlock: Callable[[bool], StoreKeys | None]) -> None:
        is_alone = self._lock.enter()
        # What was there before the lock was ours may have changed since.
        has_database = self.folder.prepare(read_only=self.read_only)
        if not has_database and not is_alone:
            self._lock.wait_alone()  # those who are in have not made it, or never will
            is_alone = True
            has_database = self.folder.prepare(read_only=self.read_only)
        if not has_database and self._lock.has_held_a_store():
            raise StoreMissing
        self._keys = unlock(has_database) or StoreKeys()
        if is_alone:
            self.folder.remove_leftovers()
            self.recovered = has_database and self._lock.was_left_open()
        if not has_database:
            self._is_new = True
            create_database(self.folder, key=self._key, migrations=self.migrations, now=self._now())
        if not self._is_unchecked:
            self._check_database()
        if is_alone:
            self._lock.mark_open()
            self._lock.share()

    def _check_database(self) -> None:
        connection = self._connect(self.read_only)
        try:
            if self.recovered:
                self._check_after_crash(connection)
            if not self.read_only:
                self.migrated = migrate_database(
                    connection, self.migrations, now=self._now(), back_up=self.back_up
                )
        finally:
            connection.close(True)

    def _connect(self, read_only: bool) -> apsw.Connection:
        return open_connection(
            str(self.folder.database), key=self._key, options=self._options(), read_only=read_only
        )

    def _check_after_crash(self, connection: apsw.Connection) -> None:
        """After a crash look at the whole file, if that does not keep people waiting."""
        size = self.folder.database.stat().st_size / _MEGABYTE
        if size > self._options().check_megabytes:
            return
        with translated():
            problems = connection.execute("PRAGMA quick_check(1)").fetchall()
        if problems != [("ok",)]:
            raise StoreCorrupt

    @property
    def _key(self) -> bytes | None:
        return self._keys.database

    @property
    def key(self) -> bytes | None:
        """The database's key, for tools that open copies."""
        return self._keys.database

    def key_of_backup(self, backup: Path) -> bytes | None:
        """The key of a backup, which may be an earlier one than that of the database."""
        slot = slot_of(backup)
        return self.keys_in(slot).database if slot.exists() else None

    @property
    def vault_key(self) -> bytes | None:
        """The key of the file that holds the keys of persons."""
        return self._keys.vault

    def back_up(self, target: Path | None = None, *, with_keys: bool = False) -> Backup:
        """Make a verified backup: at a path, or among the store's own, of which the oldest go.

        The keys of persons come along only to a path, and only when asked for: whoever has them
        can read that backup whatever is erased here later.
        """
        if with_keys and (target is None or vault_of(target).exists()):
            raise BackupFailed(hint="Keys of persons go to a path of yours where none lie yet.")
        if target is not None:
            return self._back_up_to(target, with_keys=with_keys)
        with self._backing_up:
            made = self._back_up_to(rotating_target(self.folder, self._now()), with_keys=False)
            rotate(self.folder, kept=self._options().backups_kept)
        return made

    def _back_up_to(self, path: Path, *, with_keys: bool) -> Backup:
        source = self._connect(True)
        try:
            made = back_up(source, path, key=self._key, key_slot=self.folder.key_slot)
        finally:
            source.close(True)
        if with_keys:  # after the rows: a key is there before anything is sealed with it
            self.vault.copy_to(vault_of(path))
        return made

    def back_up_when_due(self) -> None:
        """Start a backup in the background when the last one is too old."""
        if self.read_only or self._is_unchecked or self._is_new or not self._is_backup_due():
            return
        self._backup_thread = threading.Thread(target=self._back_up_quietly, name="engram-backup")
        self._backup_thread.start()

    def _is_backup_due(self) -> bool:
        hours = self._options().backup_every_hours
        age = self.last_backup_age()
        return hours > 0 and (age is None or age > timedelta(hours=hours))

    def _back_up_quietly(self) -> None:
        try:
            self.back_up()
        except EngramError as error:
            self.backup_problem = error.code  # health shows it
        except OSError as error:
            self.backup_problem = type(error).__name__

    def last_backup_age(self) -> timedelta | None:
        """How long ago the newest backup was made; None without one."""
        made = list_backups(self.folder)
        if not made:
            return None
        return self._now() - datetime.fromtimestamp(made[-1].stat().st_mtime, UTC)

    def audit_in_backup(self, backup: Path, *, keys: StoreKeys) -> AuditIdentity | None:
        """Whose audit a backup holds; None when it cannot be read."""
        return audit_in(backup, key=keys.database)

    def restore(self, backup: Path, *, keys: StoreKeys) -> int:
        """Replace the database by a verified backup, alone; return its number of memories.

        The keys are those of the backup; a store that has keys keeps its own.
        """
        if self.read_only:
            raise StoreReadOnly
        memories = verify_backup(backup, key=keys.database, migrations=self.migrations)
        with self._alone():
            self._keys = restore_file(
                self.folder, backup, keys=keys, old=self._keys,
                options=self._options(), now=self._now(),
            )  # fmt: skip
            self._check_database()
        return memories

    def _states_in_newest_backup(self) -> int:
        newest = self.newest_backup()
        try:
            if newest is None:
                return 0
            key = self.key_of_backup(newest)
            return verify_backup(newest, key=key, migrations=self.migrations)
        except EngramError:
            return 0  # damaged too: nothing to compare with

    def newest_backup(self) -> Path | None:
        """The newest of the store's own backups."""
        made = list_backups(self.folder)
        return made[-1] if made else None

    def slot_of_backup(self, backup: Path) -> Path:
        """Where a backup's key slot lies."""
        return slot_of(backup)

    def backup_slots(self) -> list[Path]:
        """The key slots of the store's own backups."""
        return sorted(self.folder.backups.glob("*.keys.json"))

    def rekey(self, keys: StoreKeys, place_slot: Callable[[Path], None] | None) -> None:
        """Bring every file under other keys, alone; without a slot to place they become plain."""
        from engram.storage.sqlite.rekeying import rekey

        if not self.is_encrypted and self.folder.key_slot.exists():
            raise EncryptionFailed(hint="A keys.json lies beside this plain store; move it away.")
        with self._alone():
            rekey(self.folder, self._keys, keys, place_slot=place_slot, migrations=self.migrations)
            self._keys = keys

    def renew_people(self, *, drop_old: bool) -> int:
        """Give every person a fresh key and put their records under it; return how many records.

        Backups from before need the old keys, so these go only when it is said.
        """
        from engram.storage.sqlite.rewrapping import rewrap_records

        if self.read_only:
            raise StoreReadOnly
        with self.database.reading(_LOOK_SECONDS) as transaction:
            transaction.vault().check()
        self.vault.renew_people()
        failpoint("people_renewed")
        rewrapped = rewrap_records(self.database.run_exclusively, self.vault)
        failpoint("people_rewrapped")
        if drop_old:
            with self._alone():  # nobody seals anything under an old key any more
                connection = self._connect(False)
                try:
                    rewrapped += rewrap_records(lambda act: act(connection), self.vault)
                finally:
                    connection.close(True)
                self.vault.drop_old_keys()
            failpoint("old_keys_dropped")
        return rewrapped

    def plain_copies(self) -> list[Path]:
        """Every readable copy of the store that lies around after it was encrypted."""
        backups = [path for path in self.folder.backups.glob("*.db") if not slot_of(path).exists()]
        return sorted([*backups, *self.folder.path.glob("damaged-*")])

    def scrubber(self) -> "SqliteScrubber":
        """What cleans the files of what was erased."""
        from engram.storage.sqlite.scrubbing import SqliteScrubber

        self._finish_backup()
        return SqliteScrubber(self.database, self.folder, self.migrations, self._now())

    def inspect(self) -> list[Finding]:
        """Look everything over, changing nothing."""
        from engram.storage.sqlite.inspect import inspect

        self._finish_backup()  # its temporary file is no leftover
        return inspect(self, self._options().minimum_free_megabytes)

    def with_snapshot(self, look: Callable[[apsw.Connection], list[Finding]]) -> list[Finding]:
        """Look at the database as it is at one moment, whoever writes meanwhile."""
        connection = self._connect(True)
        try:
            with translated():
                connection.execute("BEGIN")
            return look(connection)
        finally:
            connection.close(True)

    def repair(self, repairs: Sequence[str]) -> list[str]:
        """Mend what was found; a salvage keeps the damaged file, the rest comes after a backup."""
        from engram.storage.sqlite.repair import salvage, tighten_permissions

        done = []
        if "permissions" in repairs:
            done.append(f"{tighten_permissions(self)} entries made private")
        if "leftovers" in repairs:
            with self._alone():
                done.append(f"{len(self.folder.remove_leftovers())} temporary files removed")
        if "text_index" in repairs:
            done += self._rebuild_text_index()
        if "derived" in repairs:
            done += self._repair_derived()
        if "vault" in repairs:
            done += self._give_up_vault()
        if "salvage" in repairs and self._is_damaged():
            with self._alone():
                saved = salvage(self, self._now(), at_least=self._states_in_newest_backup())
            lost = sum(saved.unreadable.values())
            done.append(f"{saved.rows['memories']} states saved; {lost} places could not be read")
            done.append(f"the damaged file is kept as {saved.kept_as.name}")
        return done

    def _rebuild_text_index(self) -> list[str]:
        """A damaged index is only derived: make it anew before thinking of worse."""
        from engram.storage.sqlite.repair import rebuild_text_index

        try:
            self.back_up()
            count = self.database.run_exclusively(rebuild_text_index)
        except EngramError as error:
            return [f"the text index could not be rebuilt: {error.code}"]
        return [f"text index rebuilt from {count} states"]

    def _repair_derived(self) -> list[str]:
        from engram.storage.sqlite.repair import repair_derived

        mended: list[str] = []

        def act(connection: apsw.Connection) -> None:
            mended_now = repair_derived(connection, self.vault)
            mended.extend(f"{count} {name}" for name, count in mended_now.items())

        try:
            self.back_up()
            self.database.run_exclusively(act)
        except EngramError as error:
            return [f"vectors and traits could not be mended: {error.code}"]
        return mended or ["vectors recounted"]

    def _give_up_vault(self) -> list[str]:
        from engram.storage.sqlite.repair import give_up_vault

        try:
            self.back_up()
            lost = self.database.run_exclusively(lambda each: give_up_vault(each, self))
        except EngramError as error:
            return [f"no other vault could take the lost one's place: {error.code}"]
        return [f"a vault took the lost one's place; kept, but unreadable without that one: {lost}"]

    def _is_damaged(self) -> bool:
        return any(not each.is_fine and each.repair == "salvage" for each in self.inspect())

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Shut out every other process, or refuse; open anew afterwards."""
        if self.read_only:
            raise StoreReadOnly
        self._finish_backup()
        with seat_kept_free(self.folder.path):
            self._lock.alone()
            try:
                self.database.close()
                self.vault.close()
                yield
            finally:
                self.database.open_again()
                self._lock.share()

    def has_company(self) -> bool:
        """Whether other processes have the store open right now."""
        return self._lock.has_company()

    def free_megabytes(self) -> int:
        """The space left on the disk."""
        return shutil.disk_usage(self.folder.path).free // _MEGABYTE

    @property
    def root(self) -> Path:
        """The store's folder."""
        return self.folder.path

    @property
    def key_slot(self) -> Path:
        """How the key is derived, when the store is encrypted."""
        return self.folder.key_slot

    @property
    def is_encrypted(self) -> bool:
        """Whether the files are unreadable without a key."""
        return self._key is not None

    def _finish_backup(self) -> None:
        if self._backup_thread is not None:
            self._backup_thread.join()
            self._backup_thread = None

    def close(self) -> None:
        """Finish what runs, close every connection, and leave in order."""
        self._finish_backup()
        self.database.close()
        self.vault.close()
        self._lock.leave()


def restore_into(
    folder: StoreFolder,
    backup: Path,
    *,
    keys: StoreKeys,
    old: StoreKeys,
    options: StorageOptions,
    now: datetime,
) -> int:
    """Put a verified backup where a store is damaged or gone; return how many states it holds."""
    folder.prepare_for_restore()
    states = verify_backup(backup, key=keys.database, migrations=load_migrations("sqlite"))
    with seat_kept_free(folder.path):
        lock = StoreLock(folder, patience_seconds=options.busy_timeout_seconds)
        try:
            if not lock.enter():
                raise StoreInUse
            restore_file(folder, backup, keys=keys, old=old, options=options, now=now)
            lock.mark_open()
            lock.share()
        finally:
            lock.leave()
    return states


def memory_database(options: Callable[[], StorageOptions], now: datetime) -> SqliteDatabase:
    """A store that leaves nothing on disk."""
    migrations = load_migrations("sqlite")

    def connect(_read_only: bool) -> apsw.Connection:
        connection = apsw.Connection(":memory:")
        keep_plans(connection)
        build_schema(connection, key=None, migrations=migrations, now=now)
        return connection

    return SqliteDatabase(connect, options, is_shared=False)
