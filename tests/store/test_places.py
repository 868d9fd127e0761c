"""The folder of a store: what may lie there, who may read it, and what is never overwritten."""

import os
import shutil
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from engram import Engram
from engram.errors import (
    EngramError,
    NetworkFilesystem,
    StoreCorrupt,
    StoreError,
    StoreMissing,
    StorePathInvalid,
)
from engram.storage.options import StorageOptions
from engram.storage.place import DATABASE, is_store
from engram.storage.sqlite.connection import check_library, open_connection
from engram.storage.sqlite.embedded import EmbeddedStore
from engram.storage.sqlite.folder import StoreFolder, filesystem_of_path


def _foreign_database(path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
    other.close()


def _folder_with(act: Callable[[Path], object]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.mkdir(mode=0o700)
        act(path)

    return make


def _symlink_to_fifo(path: Path) -> None:
    os.mkfifo(path / "pipe")
    (path / "engram.db").symlink_to(path / "pipe")


PLACES: dict[str, tuple[Callable[[Path], object], type[EngramError]]] = {
    "file at the path": (lambda p: p.write_text("mine"), StorePathInvalid),
    "fifo at the path": (lambda p: os.mkfifo(p), StorePathInvalid),
    "database at the path": (_foreign_database, StorePathInvalid),
    "link to nowhere at the path": (lambda p: p.symlink_to("nowhere/at/all"), StorePathInvalid),
    "fifo as the database": (_folder_with(lambda p: os.mkfifo(p / "engram.db")), StorePathInvalid),
    "folder as the database": (_folder_with(lambda p: (p / "engram.db").mkdir()), StorePathInvalid),
    "link to a fifo as the database": (_folder_with(_symlink_to_fifo), StorePathInvalid),
    "link to nowhere as the database": (
        _folder_with(lambda p: (p / "engram.db").symlink_to("none")), StorePathInvalid,
    ),
    "link to a device as the database": (
        _folder_with(lambda p: (p / "engram.db").symlink_to("/dev/zero")), StorePathInvalid,
    ),
    "empty file as the database": (
        _folder_with(lambda p: (p / "engram.db").touch()), StoreCorrupt,
    ),
    "other program's database": (
        _folder_with(lambda p: _foreign_database(p / "engram.db")), StorePathInvalid,
    ),
    "random bytes as the database": (
        _folder_with(lambda p: (p / "engram.db").write_bytes(b"\x07" * 5000)), StoreError,
    ),
    "text as the database": (
        _folder_with(lambda p: (p / "engram.db").write_text("hello " * 2000)), StoreError,
    ),
    "other files in the folder": (
        _folder_with(lambda p: (p / "thesis.doc").write_text("mine")), StorePathInvalid,
    ),
    "other folders in the folder": (
        _folder_with(lambda p: (p / "photos").mkdir()), StorePathInvalid,
    ),
    "a log without its database": (
        _folder_with(lambda p: (p / "engram.db-wal").write_bytes(b"x")), StoreMissing,
    ),
    "a backup without its database": (
        _folder_with(lambda p: ((p / "backups").mkdir(), (p / "backups" / "a.db").touch())),
        StoreMissing,
    ),
}  # fmt: skip


def _listing(path: Path) -> dict[str, object]:
    """Every entry with its kind and content; pipes and devices are not opened."""
    found: dict[str, object] = {}
    for entry in [path, *(sorted(path.rglob("*")) if path.is_dir() else [])]:
        mode = entry.lstat().st_mode
        is_file = stat.S_ISREG(mode)
        found[str(entry)] = (mode, entry.read_bytes() if is_file else b"")
    return found


@pytest.mark.failure("F15", "F13")
@pytest.mark.parametrize("case", PLACES)
def test_a_place_that_is_no_store_is_refused_at_once_and_left_alone(tmp_path, clock, case):
    make, error = PLACES[case]
    path = tmp_path / "place"
    make(path)
    before = _listing(path)
    started = time.monotonic()

    with pytest.raises(EngramError) as caught:
        Engram.open(path, clock=clock)

    assert time.monotonic() - started < 1
    assert isinstance(caught.value, error)
    assert caught.value.hint
    ours = ("store.lock", "store.gate")
    after = {name: what for name, what in _listing(path).items() if not name.endswith(ours)}
    assert after == before


@pytest.mark.failure("F15")
@pytest.mark.parametrize("name", ["config.toml", "keys.json", "store.lock"])
def test_a_pipe_in_place_of_one_of_our_files_does_not_hang(tmp_path, name):
    path = tmp_path / "place"
    path.mkdir()
    os.mkfifo(path / name)
    program = "import sys; from engram import Engram; Engram.open(sys.argv[1], passphrase='x')"

    ran = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=4,
    )  # fmt: skip

    assert ran.returncode == 1
    assert "engram.errors." in ran.stderr


@pytest.mark.failure("F19", "F21")
@pytest.mark.parametrize("left", ["lock", "backups", "wal", "everything", "keys", "vault"])
def test_no_empty_store_is_started_where_one_was_lost(open_store, store_path, clock, left):
    engram = open_store(passphrase="pw" if left == "keys" else None)
    engram.remember("precious", secrecy="confidential" if left == "vault" else None)
    if left in ("backups", "everything"):
        engram.backup()
    if left == "wal":
        shutil.copyfile(store_path / "engram.db-wal", store_path / "kept-wal")
    engram.close()
    (store_path / "engram.db").unlink()
    if left == "wal":
        (store_path / "kept-wal").rename(store_path / "engram.db-wal")
    if left in ("backups", "wal", "keys", "vault"):
        (store_path / "store.lock").unlink()

    with pytest.raises(StoreMissing):
        Engram.open(store_path, clock=clock, passphrase="pw" if left == "keys" else None)

    assert not (store_path / "engram.db").exists()


@pytest.mark.failure("F56")
@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "ceph"])
def test_a_network_file_system_is_refused(tmp_path, clock, kind):
    folder = StoreFolder(tmp_path / "store", filesystem_of=lambda _path: kind)

    with pytest.raises(NetworkFilesystem):
        EmbeddedStore(folder, unlock=lambda _: None, options=StorageOptions, now=clock)

    assert not folder.database.exists()


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "overlay", "tmpfs", "apfs", ""])
def test_a_local_file_system_is_used(tmp_path, clock, kind):
    folder = StoreFolder(tmp_path / "store", filesystem_of=lambda _path: kind)

    EmbeddedStore(folder, unlock=lambda _: None, options=StorageOptions, now=clock).close()

    assert folder.database.exists()


def test_the_file_system_of_a_path_is_found(tmp_path):
    assert filesystem_of_path(tmp_path)
    assert filesystem_of_path(Path("/proc/self")) == "proc"


_WATCH = textwrap.dedent("""
    import os, sys, stat, threading
    from datetime import datetime, timedelta, UTC
    from pathlib import Path
    os.umask(0o022)
    loose = set()
    def look():
        for entry in [root, *root.rglob("*")]:
            try:
                mode = entry.lstat().st_mode
            except OSError:
                continue
            wanted = 0o700 if stat.S_ISDIR(mode) else 0o600
            if entry.name != ".gitignore" and stat.S_IMODE(mode) & ~wanted:
                loose.add(f"{entry.relative_to(root)} {stat.S_IMODE(mode):o}")
    root = Path(sys.argv[1])
    done = threading.Event()
    def watch():
        while not done.is_set():
            look()
    def hook(event, args):
        if event == "os.rename" and str(args[0]).startswith(str(root)):
            look()
    sys.addaudithook(hook)
    watcher = threading.Thread(target=watch)
    watcher.start()
    from engram import Engram
    from engram.settings import write_setting
    with Engram.open(root, passphrase=sys.argv[2] or None) as engram:
        engram.remember_many([f"fact {i}" for i in range(100)])
        engram.recall("fact")
        engram.settle()
        look()
        engram.backup()
        write_setting(root / "config.toml", "recall.limit", "5")
        look()
        engram.restore()
        look()
        if not sys.argv[2]:
            try:
                engram.upkeep.encrypt(passphrase="pw")
            except Exception:
                pass
            look()
    look()
    done.set()
    watcher.join()
    print("\\n".join(sorted(loose)))
""")


@pytest.mark.parametrize("passphrase", ["", "pw"])
def test_every_file_is_private_from_its_first_moment(tmp_path, passphrase):
    ran = subprocess.run(
        [sys.executable, "-c", _WATCH, str(tmp_path / "store"), passphrase],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip

    assert ran.stdout.strip() == ""


@pytest.mark.failure("F01", "F12")
@pytest.mark.parametrize("read_only", [False, True])
def test_every_connection_has_every_pragma(open_store, read_only):
    engram = open_store()
    engram.remember("one")
    options = StorageOptions(cache_kilobytes=555)

    connection = open_connection(
        str(engram._parts.place.folder.database), key=None, options=options, read_only=read_only
    )

    wanted = {
        "journal_mode": "wal", "synchronous": 2, "secure_delete": 1, "temp_store": 2,
        "mmap_size": 0, "foreign_keys": 1, "trusted_schema": 0, "cell_size_check": 1,
        "fullfsync": 1, "checkpoint_fullfsync": 1, "cache_size": -555,
        "wal_autocheckpoint": 0, "journal_size_limit": 64 * 1024 * 1024,
    }  # fmt: skip
    found = {name: connection.pragma(name) for name in wanted}
    connection.close()
    assert found == wanted


@pytest.mark.failure("F01")
def test_connections_in_use_have_the_pragmas_too(open_store):
    engram = open_store()
    engram.remember("one")

    with engram._store.database.reading(5) as view:
        reader = view._connection
        assert reader.pragma("mmap_size") == 0
        assert reader.pragma("journal_mode") == "wal"
    with engram._store.database.writing() as change:
        writer = change._connection
        assert writer.pragma("synchronous") == 2
        assert writer.pragma("journal_mode") == "wal"


@pytest.mark.failure("F12")
def test_an_unsafe_library_is_refused(monkeypatch):
    check_library()
    for version in ("3.51.2", "3.50.9", "3.7.0"):
        monkeypatch.setattr(apsw, "sqlite_lib_version", lambda version=version: version)
        with pytest.raises(StoreError) as caught:
            check_library()
        assert caught.value.code == "E1013"


def test_a_folder_that_cannot_be_written_is_a_typed_error(tmp_path, clock):
    if os.getuid() == 0:
        place = Path("/proc/engram-store")
    else:
        tmp_path.chmod(0o500)
        place = tmp_path / "store"

    with pytest.raises(StoreError):
        Engram.open(place, clock=clock)


@pytest.mark.failure("F57")
def test_leftovers_of_killed_processes_are_cleared_at_the_next_start(open_store, store_path):
    engram = open_store()
    engram.backup()
    engram.close()
    for left in (store_path / ".tmp-abc.db", store_path / "backups" / ".tmp-def.db"):
        left.write_bytes(b"half")

    open_store()

    assert not list(store_path.rglob(".tmp-*"))


@pytest.mark.failure("F55")
def test_damage_is_found_after_a_crash_and_nothing_is_renamed(open_store, store_path, clock):
    engram = open_store()
    engram.remember_many([f"fact number {i} with some length to fill pages" for i in range(500)])
    engram.close()
    database = store_path / "engram.db"
    content = bytearray(database.read_bytes())
    content[8192:12288] = b"\xa5" * 4096
    database.write_bytes(content)
    (store_path / "store.lock").write_bytes(b"open")
    before = sorted(entry.name for entry in store_path.iterdir())

    with pytest.raises(StoreCorrupt):
        Engram.open(store_path, clock=clock)

    assert database.read_bytes() == bytes(content)
    names = {entry.name for entry in store_path.iterdir()} - {"engram.db-wal", "engram.db-shm"}
    assert names == set(before) - {"engram.db-wal", "engram.db-shm"}


def test_the_same_store_may_be_open_many_times(open_store):
    handles = [open_store() for _ in range(4)]

    for index, handle in enumerate(handles):
        handle.remember(f"fact {index}")

    assert all(len(handle.list()) == 4 for handle in handles)


def test_a_folder_is_a_store_when_its_database_lies_in_it_and_looking_makes_none(tmp_path: Path):
    Engram.open(tmp_path / "store").close()
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("mine")
    (tmp_path / "odd" / DATABASE).mkdir(parents=True)

    found = {
        name for name in ("store", "empty", "file", "odd", "none") if is_store(tmp_path / name)
    }

    assert found == {"store"}
    assert not (tmp_path / "none").exists()
