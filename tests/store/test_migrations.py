"""Migrations: in order, whole, once, behind a backup; never an empty store beside an old one."""

import os
import shutil
import subprocess
import sys
import textwrap
import threading
from functools import partial
from pathlib import Path

import apsw
import pytest
from clock import FakeClock

from engram import Engram
from engram.errors import MigrationFailed, SchemaTooNew
from engram.storage.migrate import Migration, load_migrations, pending, statements
from engram.storage.options import StorageOptions
from engram.storage.sqlite.backup import list_backups, verify_backup
from engram.storage.sqlite.embedded import EmbeddedStore
from engram.storage.sqlite.folder import StoreFolder
from engram.storage.sqlite.repair import rebuild_text_index

HASHING = {"kind": "hashing", "hashing_dimension": 64}
HEAD = load_migrations("sqlite")
NEXT = Migration(
    len(HEAD) + 1,
    "more",
    "CREATE TABLE more (a INTEGER);\nINSERT INTO more VALUES (1);\n"
    "ALTER TABLE memories ADD COLUMN extra TEXT;\n",
)
BROKEN = Migration(
    len(HEAD) + 1, "broken", "CREATE TABLE half (a INTEGER);\nINSERT INTO nowhere VALUES (1);\n"
)
VERSIONS = [each.version for each in HEAD]
# Columns that a version's rows are compared by; later migrations may add others.
TABLES = ("memories", "usage", "confirmations", "changes", "audit", "idempotency", "ledger", "meta")


def opened(path: Path, migrations: list[Migration], clock: FakeClock) -> EmbeddedStore:
    return EmbeddedStore(
        StoreFolder(path), unlock=lambda _: None, options=StorageOptions, now=clock,
        migrations=migrations,
    )  # fmt: skip


def version_of(path: Path) -> list[int]:
    raw = apsw.Connection(str(path / "engram.db"))
    try:
        return [row[0] for row in raw.execute("SELECT version FROM schema_migrations ORDER BY 1")]
    finally:
        raw.close()


def rows_of(path: Path, columns: dict[str, list[str]] | None = None):
    raw = apsw.Connection(str(path / "engram.db"))
    try:
        names = columns or {
            table: [row[1] for row in raw.execute(f"PRAGMA table_info({table})")]
            for table in TABLES
        }
        rows = {
            table: raw.execute(f"SELECT {', '.join(names[table])} FROM {table}").fetchall()
            for table in TABLES
        }
        rows["meta"] = [row for row in rows["meta"] if row[0] != "names_to_make"]  # a to-do note
    finally:
        raw.close()
    return rows, names


def build_version(version: int, path: Path, clock: FakeClock) -> None:
    """A store of an earlier version: the rows that version 1 wrote, brought to that version."""
    place = opened(path, HEAD[:1], clock)
    try:
        place.database.run_exclusively(fill_with_version_1)
    finally:
        place.close()
    if version > 1:
        opened(path, HEAD[:version], clock).close()
        shutil.rmtree(path / "backups")  # of that migration; the test counts those of its own


def fill_with_version_1(connection: apsw.Connection) -> None:
    for line in (Path(__file__).parent / "versions" / "0001.sql").read_text().splitlines():
        connection.execute(line)
    rebuild_text_index(connection)


def build_today(path: Path, clock: FakeClock) -> None:
    """A store as this version makes it: every table filled, every kind of state present."""
    settings = {"storage": {"backup_every_hours": 0}, "embedder": HASHING}
    with Engram.open(path, clock=clock, settings=settings) as engram:
        first = engram.remember("The first fact.", metadata={"a": 1}, idempotency_key="k")
        engram.remember("the first fact", reference="r")
        engram.revise(first.memory.id, "The first fact, revised.")
        second = engram.remember("The second fact.", replaces=first.memory.id)
        engram.pin(second.memory.id)
        engram.forget(second.memory.id)
        undone = engram.remember("Taken back.")
        engram.undo(undone.change_id)
        engram.remember("Held.", category="identity", source="web:x")
        engram.recall("fact")
        engram.settle()


FIXTURES = {
    1: partial(build_version, 1),
    2: partial(build_version, 2),
    3: partial(build_version, 3),
    4: partial(build_version, 4),
    5: partial(build_version, 5),
    6: partial(build_version, 6),
    7: partial(build_version, 7),
    8: partial(build_version, 8),
    9: partial(build_version, 9),
    10: partial(build_version, 10),
    11: partial(build_version, 11),
    12: partial(build_version, 12),
    13: partial(build_version, 13),
    14: partial(build_version, 14),
    15: build_today,
}


def test_there_is_a_fixture_for_every_version():
    assert set(FIXTURES) == {migration.version for migration in HEAD}


@pytest.mark.failure("F20", "F21")
@pytest.mark.parametrize("version", FIXTURES)
def test_every_version_comes_to_head_with_equal_rows(tmp_path, clock, version):
    path = tmp_path / "store"
    FIXTURES[version](path, clock)
    before, columns = rows_of(path)

    place = opened(path, HEAD, clock)
    place.close()

    assert rows_of(path, columns)[0] == before
    assert version_of(path) == VERSIONS
    with Engram.open(path, clock=clock) as engram:
        assert engram.doctor().is_fine
        assert engram.verify_audit().is_intact


def test_a_store_of_version_1_is_found_by_meaning_after_it_is_opened(tmp_path, clock):
    path = tmp_path / "store"
    build_version(1, path, clock)

    with Engram.open(path, clock=clock, settings={"embedder": HASHING}) as engram:
        report = engram.upkeep.embed()
        # Version 1 could give two wordings of a memory one number; the later one stands for both.
        (again,) = [each for each in engram.list() if "for good" in each.content]
        revised = engram.revise(again.id, "A fact reworded once more.")
        assert engram.settle()
        assert engram.doctor().is_fine

    assert (report.embedded, report.waiting) == (4, 0)
    assert revised.version == 3


def many_rows(connection: apsw.Connection) -> None:
    """Thousands of rows of version 1, made of the one memory there is."""
    columns = [row[1] for row in connection.execute("PRAGMA table_info(memories)")]
    changed = {
        "state": "1000 + n", "number": "1000 + n", "id": "printf('%026d', n)",
        "identity": "CAST(printf('%032d', n) AS BLOB)", "content": "'Fact number ' || n || '.'",
        "recorded_until": "NULL", "ended_by": "NULL",
    }  # fmt: skip
    values = ", ".join(changed.get(name, f"m.{name}") for name in columns)
    connection.execute(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 3000) "
        f"INSERT INTO memories SELECT {values} FROM numbers, memories AS m WHERE m.state = 11"
    )
    connection.execute("UPDATE ledger SET last_number = 4000")
    rebuild_text_index(connection)


_OPEN = """
import sys
from engram import Engram
Engram.open(sys.argv[1], settings={"embedder": {"kind": "hashing", "hashing_dimension": 64}})
"""


@pytest.mark.failure("F20", "F21")
@pytest.mark.parametrize(
    "failpoint",
    ["migration_statement,{},3", "vectors_before_commit,{},0", "vectors_before_commit,{},4",
     "vectors_before_commit,{},8"],
)  # fmt: skip
def test_a_kill_while_a_large_store_is_brought_to_today_is_made_up_for(tmp_path, clock, failpoint):
    path, marker = tmp_path / "store", tmp_path / "marker"
    build_version(1, path, clock)
    place = opened(path, HEAD[:1], clock)
    place.database.run_exclusively(many_rows)
    place.close()
    child = subprocess.Popen(
        [sys.executable, "-c", _OPEN, str(path)],
        env={**os.environ, "ENGRAM_FAILPOINT": failpoint.format(marker)},
    )
    with child:
        while not marker.exists():
            assert child.poll() is None, "it was through before it could be killed"
        child.kill()

    with Engram.open(path, clock=clock, settings={"embedder": HASHING}) as engram:
        (fill,) = engram._parts.embedding.fills()
        assert engram.doctor().is_fine

    raw = apsw.Connection(str(path / "engram.db"))
    assert raw.execute("SELECT count(*) FROM traits WHERE number > 1000").fetchall() == [(3000,)]
    assert raw.execute("SELECT count(*) FROM pending_traits").fetchall() == [(0,)]
    raw.close()
    assert fill.waiting == 3004


@pytest.mark.failure("F20")
def test_a_migration_keeps_every_row_and_makes_a_backup_first(tmp_path, clock):
    path = tmp_path / "store"
    build_today(path, clock)
    before, columns = rows_of(path)

    place = opened(path, [*HEAD, NEXT], clock)

    assert place.migrated == 1
    backups = list_backups(place.folder)
    assert len(backups) == 1
    assert verify_backup(backups[0], key=None, migrations=HEAD) == len(before["memories"])
    place.close()
    assert rows_of(path, columns)[0] == before
    assert version_of(path) == [*VERSIONS, len(HEAD) + 1]
    again = opened(path, [*HEAD, NEXT], clock)
    assert again.migrated == 0
    again.close()


@pytest.mark.failure("F20", "F21")
def test_a_failing_migration_leaves_the_old_version_and_a_backup(tmp_path, clock):
    path = tmp_path / "store"
    build_today(path, clock)
    before, columns = rows_of(path)

    with pytest.raises(MigrationFailed):
        opened(path, [*HEAD, BROKEN], clock)

    assert version_of(path) == VERSIONS
    assert rows_of(path, columns)[0] == before
    assert len(list_backups(StoreFolder(path))) == 1
    with Engram.open(path, clock=clock) as engram:
        assert engram.doctor().is_fine
        engram.remember("Still works.")


@pytest.mark.failure("F19", "F20")
def test_a_newer_schema_is_refused_and_left_alone(tmp_path, clock):
    path = tmp_path / "store"
    build_today(path, clock)
    opened(path, [*HEAD, NEXT], clock).close()
    before = (path / "engram.db").read_bytes()

    with pytest.raises(SchemaTooNew) as caught:
        Engram.open(path, clock=clock)

    assert f"schema {len(HEAD) + 1}" in caught.value.hint
    assert (path / "engram.db").read_bytes() == before


def test_a_running_process_stops_writing_when_another_has_migrated(tmp_path, clock):
    path = tmp_path / "store"
    with Engram.open(path, clock=clock) as engram:
        engram.remember("one")
        raw = apsw.Connection(str(path / "engram.db"))
        raw.execute("INSERT INTO schema_migrations VALUES (99, 'more', 0)")

        with pytest.raises(SchemaTooNew):
            engram.remember("two")

        raw.execute("DELETE FROM schema_migrations WHERE version = 99")
        raw.close()
        assert [memory.content for memory in engram.list()] == ["one"]


@pytest.mark.parametrize(
    "names",
    [["0001_a.sql", "0003_b.sql"], ["0002_a.sql"], ["0001_a.sql", "0001_b.sql"], ["0000_a.sql"]],
)
def test_a_gap_in_the_numbers_is_refused(tmp_path, names):
    for name in names:
        (tmp_path / name).write_text("SELECT 1;\n")

    with pytest.raises(ValueError, match="gap"):
        load_migrations("sqlite", tmp_path)


def test_migrations_are_read_from_a_folder_in_order(tmp_path):
    (tmp_path / "0002_second.sql").write_text("SELECT 2;\n")
    (tmp_path / "0001_first.sql").write_text("-- a comment\nSELECT 1;\n")
    (tmp_path / "notes.txt").write_text("no migration")

    found = load_migrations("sqlite", tmp_path)

    assert [(m.version, m.name) for m in found] == [(1, "first"), (2, "second")]
    assert statements(found[0].sql) == ["SELECT 1"]
    assert [m.version for m in pending(found, 1)] == [2]


@pytest.mark.failure("F20")
@pytest.mark.parametrize("attempt", range(3))
def test_threads_that_start_at_once_migrate_once(tmp_path, clock, attempt):
    path = tmp_path / "store"
    build_today(path, clock)
    gate = threading.Barrier(4)
    places: list[EmbeddedStore] = []
    problems: list[BaseException] = []

    def start() -> None:
        gate.wait()
        try:
            places.append(opened(path, [*HEAD, NEXT], clock))
        except BaseException as error:  # noqa: BLE001  # collected for the assertion
            problems.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert problems == []
    assert sum(place.migrated for place in places) == 1
    for place in places:
        place.close()
    assert version_of(path) == [*VERSIONS, len(HEAD) + 1]


_START = textwrap.dedent("""
    import sys
    from datetime import datetime, UTC
    from pathlib import Path
    from engram.storage.migrate import load_migrations
    from engram.storage.options import StorageOptions
    from engram.storage.sqlite.embedded import EmbeddedStore
    from engram.storage.sqlite.folder import StoreFolder
    sys.stdin.readline()
    place = EmbeddedStore(
        StoreFolder(Path(sys.argv[1])), unlock=lambda _: None, options=StorageOptions,
        now=lambda: datetime.now(UTC), migrations=load_migrations("sqlite", Path(sys.argv[2])),
    )
    print(place.migrated)
    place.close()
""")


@pytest.mark.failure("F20")
@pytest.mark.parametrize("is_new", [True, False])
def test_processes_that_start_at_once_make_and_migrate_one_store(tmp_path, clock, is_new):
    path, folder = tmp_path / "store", tmp_path / "migrations"
    folder.mkdir()
    for migration in [*HEAD, NEXT]:
        (folder / f"{migration.version:04d}_{migration.name}.sql").write_text(migration.sql)
    if not is_new:
        build_today(path, clock)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _START, str(path), str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(4)
    ]  # fmt: skip

    for process in running:
        process.stdin.write("go\n")
        process.stdin.flush()
    results = [process.communicate(timeout=60) for process in running]

    assert [errors for _, errors in results if errors] == []
    assert sum(int(output) for output, _ in results) == (0 if is_new else 1)
    assert version_of(path) == [*VERSIONS, len(HEAD) + 1]


@pytest.mark.failure("F16")
def test_threads_that_make_a_store_at_once_make_one(tmp_path, clock):
    gate = threading.Barrier(6)
    opened_stores: list[Engram] = []
    problems: list[BaseException] = []

    def start(index: int) -> None:
        gate.wait()
        try:
            engram = Engram.open(tmp_path / "store", clock=clock)
            opened_stores.append(engram)
            engram.remember(f"fact {index}")
        except BaseException as error:  # noqa: BLE001  # collected for the assertion
            problems.append(error)

    threads = [threading.Thread(target=start, args=(index,)) for index in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert problems == []
    assert len(opened_stores[0].list()) == 6
    for engram in opened_stores:
        engram.close()
