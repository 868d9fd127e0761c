"""The folder a store lives in: its files, its permissions, and who has it open."""

import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from weakref import WeakSet

from engram.errors import (
    NetworkFilesystem,
    NoStore,
    StoreCorrupt,
    StoreInUse,
    StoreMissing,
    StorePathInvalid,
    StoreReadOnly,
)
from engram.storage.background import BELL, SEAT
from engram.storage.place import DATABASE, DREAM_LOCK, KEYS_LOCK, SENDING_LOCK

if sys.platform != "win32":
    import fcntl

KEY_SLOT = "keys.json"
CONFIG = "config.toml"
BACKUPS = "backups"
LOCK = "store.lock"
GATE = "store.gate"
TEMPORARY = ".tmp-"  # everything with this prefix is ours and can be removed when nobody is in

LOGS = "logs"
VAULT = "vault.db"
AUDIT_HEAD = "audit.head"
_WRITTEN = frozenset({"refused.log", "vectors.cache"})  # by other parts; a store may lack them

_OURS = frozenset({
    VAULT, VAULT + ".next", VAULT + "-journal", KEY_SLOT, KEY_SLOT + ".next", CONFIG, BACKUPS, LOCK,
    GATE, LOGS, ".gitignore", SEAT, BELL, SENDING_LOCK, DREAM_LOCK, AUDIT_HEAD,
    KEYS_LOCK,
})  # fmt: skip
_NETWORK = ("nfs", "cifs", "smb", "afs", "9p", "ncpfs", "ceph", "glusterfs", "fuse.sshfs",
            "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse", "davfs", "fuse.davfs")  # fmt: skip
_OPEN_MARK = b"open"
_SHUT_MARK = b"shut"  # a file without a mark belongs to a store that was never finished


def is_own_name(name: str) -> bool:
    """Whether a file or folder of this name, in a store's folder, is one that Engram makes."""
    return name in _OURS | _WRITTEN


class StoreFolder:
    """Paths and checks of one store's folder; never opens the database itself."""

    def __init__(self, path: Path, *, filesystem_of: Callable[[Path], str] | None = None) -> None:
        self.path = path.expanduser().absolute()
        self._filesystem_of = filesystem_of or filesystem_of_path

    @property
    def database(self) -> Path:
        """The database file."""
        return self.path / DATABASE

    @property
    def key_slot(self) -> Path:
        """How the key is derived; present when the store is encrypted."""
        return self.path / KEY_SLOT

    @property
    def next_key_slot(self) -> Path:
        """The key slot of a database that is about to take its place."""
        return self.path / (KEY_SLOT + ".next")

    @property
    def next_vault(self) -> Path:
        """The vault under other keys, about to follow a database that takes its place."""
        return self.path / (VAULT + ".next")

    @property
    def vault(self) -> Path:
        """The keys of persons; no backup holds them."""
        return self.path / VAULT

    @property
    def config(self) -> Path:
        """The store's settings."""
        return self.path / CONFIG

    @property
    def backups(self) -> Path:
        """Where verified backups are kept."""
        return self.path / BACKUPS

    def prepare(self, *, read_only: bool) -> bool:
        """Check the place, make the folder when missing; say whether a database is there."""
        self._check_folder(read_only=read_only)
        self._check_filesystem()
        if self._has_database():
            return True
        self._check_nothing_lost()
        if read_only:
            raise NoStore
        return False

    def _check_folder(self, *, read_only: bool) -> None:
        try:
            mode = self.path.stat().st_mode
        except FileNotFoundError:
            if read_only:
                raise NoStore from None
            self._make_folder()
            return
        except OSError as error:
            raise StorePathInvalid(hint=f"The path cannot be read ({_why(error)}).") from error
        if not stat.S_ISDIR(mode):
            raise StorePathInvalid(hint="A store is a folder, but this path is something else.")

    def _make_folder(self) -> None:
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            (self.path / ".gitignore").write_text("*\n", encoding="utf-8")
        except PermissionError as error:
            raise StoreReadOnly(hint="This folder cannot be made here: no permission.") from error
        except OSError as error:
            raise StorePathInvalid(hint=f"The folder cannot be made ({_why(error)}).") from error

    def _check_filesystem(self) -> None:
        kind = self._filesystem_of(self.path)
        if kind.startswith(_NETWORK):
            raise NetworkFilesystem

    def _has_database(self) -> bool:
        try:
            found = self.database.stat()
        except FileNotFoundError:
            if self.database.is_symlink():
                raise StorePathInvalid(hint="Its engram.db is a link to nowhere.") from None
            return False
        except OSError as error:
            raise StorePathInvalid(hint=f"The database cannot be read ({_why(error)}).") from error
        if not stat.S_ISREG(found.st_mode):
            raise StorePathInvalid(hint="Its engram.db is not a regular file.")
        if found.st_size == 0:
            raise StoreCorrupt(
                hint="Its engram.db is empty. `engram restore` brings a backup back."
            )
        return True

    def _check_nothing_lost(self) -> None:
        """No empty store is ever started beside the remains of an old one."""
        names = {entry.name for entry in self.path.iterdir()}
        if self.database.exists():
            return  # another process has just made it
        has_backup = self.backups.is_dir() and any(self.backups.glob("*.db"))
        remains = {name for name in names if DATABASE in name}
        is_keyed = KEY_SLOT in names and LOCK not in names  # a new store is locked before its key
        if has_backup or remains or is_keyed or VAULT in names:
            raise StoreMissing
        foreign = {name for name in names if name not in _OURS and not name.startswith(TEMPORARY)}
        if foreign:
            raise StorePathInvalid(
                hint="The folder holds other files. Give an empty folder or a new path."
            )

    def prepare_for_restore(self) -> None:
        """Check the place, make the folder when missing; what is in it may be damaged or gone."""
        self._check_folder(read_only=False)
        self._check_filesystem()

    def leftovers(self) -> list[Path]:
        """Temporary files, of processes that were killed or are at work."""
        found = (*self.path.glob(TEMPORARY + "*"), *self.backups.glob(TEMPORARY + "*"))
        return [path for path in found if path.is_symlink() or not path.is_dir()]

    def loose_permissions(self) -> list[Path]:
        """Files and folders of the store that others on this machine could read."""
        entries = [self.path, *self.path.rglob("*")]
        private = (entry for entry in entries if entry.name != ".gitignore")
        return [entry for entry in private if entry.lstat().st_mode & 0o077]

    def remove_leftovers(self) -> list[Path]:
        """Remove temporary files of processes that were killed; only when nobody else is in."""
        left = self.leftovers()
        for entry in left:
            entry.unlink(missing_ok=True)
        return left


class StoreLock:
    """Says who has the store open. The kernel keeps it, so a killed process leaves no trace.

    Everyone who is in holds `store.lock` together with the others. Whoever comes in, asks who else
    is in, or wants to be alone first passes `store.gate`, one at a time: an attempt to lock others
    out gives up one's own hold for a moment, and nobody may slip in meanwhile.
    """

    def __init__(
        self, folder: StoreFolder, *, patience_seconds: float, read_only: bool = False
    ) -> None:
        self._patience_seconds = patience_seconds
        self._read_only = read_only
        self._gate_path = folder.path / GATE
        self._path = folder.path / LOCK
        self._gate = -1
        self._file = _open_lock(self._path, read_only=read_only)
        _LOCKS.add(self)

    def begin_in_child(self) -> None:
        """After a fork: hold the store oneself, and not through the parent's descriptor."""
        if self._file < 0:
            return
        inherited, self._file = self._file, -1
        self._leave_gate()
        self._file = _open_lock(self._path, read_only=self._read_only)
        self._try(fcntl.LOCK_SH)
        os.close(inherited)

    def enter(self) -> bool:
        """Come in; True when alone, and then still alone until `share`."""
        if self._read_only:
            self._hold(fcntl.LOCK_SH)
            return False
        self._pass_gate()
        if self._try(fcntl.LOCK_EX):
            return True
        self.share()
        return False

    def alone(self) -> None:
        """Shut others out until `share`, or refuse."""
        self._pass_gate()
        if not self._try(fcntl.LOCK_EX):
            self.share()
            raise StoreInUse

    def wait_alone(self) -> None:
        """Wait until nobody else is in, and shut others out until `share`."""
        self._pass_gate()
        self._hold(fcntl.LOCK_EX)

    def share(self) -> None:
        """Let others in."""
        self._hold(fcntl.LOCK_SH)
        self._leave_gate()

    def has_company(self) -> bool:
        """Whether others are in right now."""
        self._pass_gate()
        is_alone = self._try(fcntl.LOCK_EX)
        self.share()
        return not is_alone

    def _pass_gate(self) -> None:
        if self._gate >= 0:
            return
        gate = _open_lock(self._gate_path, read_only=False)
        try:
            _wait_for(gate, fcntl.LOCK_EX, self._patience_seconds)
        except BaseException:
            os.close(gate)
            raise
        self._gate = gate

    def _leave_gate(self) -> None:
        if self._gate >= 0:
            os.close(self._gate)
            self._gate = -1

    def _try(self, how: int) -> bool:
        try:
            fcntl.flock(self._file, how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _hold(self, how: int) -> None:
        _wait_for(self._file, how, self._patience_seconds)

    def was_left_open(self) -> bool:
        """Whether the last one in did not leave in order; ask only when alone."""
        return self._mark() == _OPEN_MARK

    def has_held_a_store(self) -> bool:
        """Whether a database was here before: if it is gone now, it was lost."""
        return bool(self._mark())

    def mark_open(self) -> None:
        """Note that someone is in."""
        os.pwrite(self._file, _OPEN_MARK, 0)

    def _mark(self) -> bytes:
        return os.pread(self._file, len(_OPEN_MARK), 0)

    def leave(self, *, is_in_order: bool = True) -> None:
        """Go; the last one out notes that all was in order, if it was let in at all."""
        if self._file < 0:
            return
        if is_in_order and not self._read_only:
            self._mark_when_last()
        self._leave_gate()
        os.close(self._file)
        self._file = -1

    def _mark_when_last(self) -> None:
        try:
            self._pass_gate()
        except StoreInUse:
            return  # someone is at the gate: then we are not the last
        if self._try(fcntl.LOCK_EX) and self.has_held_a_store():
            os.pwrite(self._file, _SHUT_MARK, 0)
        self._leave_gate()


_LOCKS: "WeakSet[StoreLock]" = WeakSet()


def _begin_in_child() -> None:
    for each in list(_LOCKS):
        each.begin_in_child()


os.register_at_fork(after_in_child=_begin_in_child)


def _open_lock(path: Path, *, read_only: bool) -> int:
    how = os.O_RDONLY if read_only else os.O_RDWR | os.O_CREAT
    flags = how | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        handle = os.open(path, flags, 0o600)
    except OSError as error:
        raise StoreReadOnly(hint=f"The store's lock cannot be opened ({_why(error)}).") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise StorePathInvalid(hint=f"Its {path.name} is not a regular file.")
    return handle


def _wait_for(handle: int, how: int, patience_seconds: float) -> None:
    deadline = time.monotonic() + patience_seconds
    while True:
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise StoreInUse(
                    hint="Another process is opening, restoring or repairing this store."
                ) from None
            time.sleep(0.005)
        else:
            return


def filesystem_of_path(path: Path) -> str:
    """The type of file system a path lies on, or nothing where it cannot be told."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    target = str(path.resolve())
    best, kind = "", ""
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        point = fields.split(" ")[4].replace("\\040", " ")
        is_prefix = target == point or target.startswith(point.rstrip("/") + "/")
        if is_prefix and len(point) >= len(best):
            best, kind = point, rest.split(" ")[0]
    return kind


def sync_folder(path: Path) -> None:
    """Make renames in a folder durable."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _why(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else "unknown reason"


def file_at(path: Path | None) -> tuple[int, int] | None:
    """Which file lies at a path; None where there is none, or it is no path."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found is not None else None
