"""Renewing keys: the files come under others, no row is lost, and the old keys open nothing."""

import asyncio
import shutil
from pathlib import Path

import apsw
import pytest

from engram import AsyncEngram, Engram, failpoints
from engram.asynchronous_systems import AsyncUpkeep
from engram.errors import EncryptionFailed, EngramError, InvalidInput, StoreInUse, StoreLocked
from engram.security.keys import Credentials, Kind, parse_recovery_key, read_slot, store_keys
from engram.storage.alone import working_alone
from engram.storage.place import KEYS_LOCK
from engram.upkeep import Upkeep
from engram.wiring import restore_store

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
PLAIN = b"SQLite format 3\x00"
TEXTS = {
    "Ada drinks tea at five.": None,
    "Ada's codeword is wisteria.": "confidential",
    "Ben's plan is called marmalade.": "sensitive",
    "The kettle is blue.": None,
}
CANARIES = (b"wisteria", b"marmalade")


def fill(engram: Engram) -> None:
    for text, secrecy in TEXTS.items():
        subject = text.split("'")[0] if "'" in text else None
        given = {"secrecy": secrecy, "summary": "A secret."} if secrecy else {}
        engram.remember(text, subject=subject, **given)


def texts(engram: Engram) -> list[str]:
    return sorted(memory.content for memory in engram.list(limit=100))


@pytest.fixture
def locked(open_store) -> Engram:
    """An encrypted store with something sealed in it."""
    engram = open_store()
    fill(engram)
    engram.upkeep.encrypt(key=KEY)
    return engram


def keys_now(store: Path, key: bytes = KEY):
    return store_keys(read_slot(store / "keys.json"), Credentials(key=key))


def opens(path: Path, key: bytes | None) -> bool:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        if key is not None:
            connection.pragma("cipher", "aegis")
            connection.pragma("key", f"raw:{key.hex()}")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except apsw.NotADBError:
        return False
    finally:
        connection.close(True)
    return True


def test_encrypting_a_plain_store_encrypts_the_keys_of_persons_too(open_store, store_path):
    engram = open_store()
    fill(engram)
    assert (store_path / "vault.db").read_bytes().startswith(PLAIN)

    engram.upkeep.encrypt(key=KEY)

    assert texts(engram) == sorted(TEXTS)
    engram.close()
    for name in ("engram.db", "vault.db"):
        assert not (store_path / name).read_bytes().startswith(PLAIN)
    keys = keys_now(store_path)
    assert opens(store_path / "vault.db", keys.vault)
    assert not opens(store_path / "vault.db", keys.database)


@pytest.mark.parametrize("what", ["master", "database", "vault"])
def test_renewed_keys_lose_no_row_and_the_old_ones_open_nothing(
    locked, open_store, store_path, monkeypatch, what
):
    before = keys_now(store_path)

    renewal = locked.upkeep.renew_keys(what)

    assert renewal.lost == ()
    assert texts(locked) == sorted(TEXTS)
    locked.remember("Later.", subject="Ada", secrecy="confidential")
    locked.close()
    after = keys_now(store_path)
    assert (after.database != before.database) == (what in ("master", "database"))
    assert (after.vault != before.vault) == (what in ("master", "vault"))
    assert opens(store_path / "engram.db", before.database) == (what == "vault")
    assert opens(store_path / "vault.db", before.vault) == (what == "database")
    monkeypatch.setenv("ENGRAM_KEY", KEY.hex())
    again = open_store()
    assert texts(again) == sorted([*TEXTS, "Later."])
    assert [each for each in again.doctor().findings if not each.is_fine] == []
    assert again.verify_audit().is_intact
    left = {path.name for path in store_path.iterdir()}
    assert not {name for name in left if ".next" in name or name.startswith(".tmp-")}


def test_an_old_slot_and_its_passphrase_open_nothing_after_the_master_key_is_renewed(
    locked, store_path, tmp_path, clock, monkeypatch
):
    shutil.copy(store_path / "keys.json", tmp_path / "stolen.json")

    locked.upkeep.renew_keys("master")
    locked.close()
    shutil.copy(tmp_path / "stolen.json", store_path / "keys.json")

    monkeypatch.setenv("ENGRAM_KEY", KEY.hex())
    with pytest.raises(EngramError):
        Engram.open(store_path, clock=clock)


def test_a_fresh_master_key_says_which_ways_in_it_lost(locked):
    locked.upkeep.add_key(key=OTHER)
    locked.upkeep.recovery_key()

    renewal = locked.upkeep.renew_keys("master")

    assert sorted(renewal.lost) == ["key", "recovery"]
    assert [way.kind for way in locked.upkeep.ways_in()] == ["key"]


def test_subjects_get_fresh_keys_and_backups_from_before_can_still_be_read(locked, store_path):
    backup = locked.backup()
    vault = locked._parts.place.vault
    newest = set(vault._keys.newest.values())

    renewal = locked.upkeep.renew_keys("subjects")

    assert renewal.records >= 2
    assert not newest & set(vault._keys.newest.values())
    assert texts(locked) == sorted(TEXTS)
    assert _ids_in_records(locked) <= set(vault._keys.newest.values())
    locked.remember("Since then.")
    locked.restore(backup.path)
    assert texts(locked) == sorted(TEXTS)


def test_the_old_keys_of_subjects_end_when_it_is_said(locked):
    backup = locked.backup()
    vault = locked._parts.place.vault

    locked.upkeep.renew_keys("subjects", drop_old=True)

    assert set(vault._keys.by_id) == set(vault._keys.newest.values())
    assert texts(locked) == sorted(TEXTS)
    locked.restore(backup.path)
    assert texts(locked) == sorted(text for text, secrecy in TEXTS.items() if not secrecy)


def _ids_in_records(engram: Engram) -> set[bytes]:
    """The keys that sealed records name, wherever in the database they stand."""
    from engram.storage.record_cipher import header_of
    from engram.storage.vault import blob_in

    found: set[bytes] = set()

    def look(connection: apsw.Connection) -> None:
        tables = [
            row[1] for row in connection.execute("PRAGMA main.table_list") if row[2] == "table"
        ]
        for table in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                for blob in filter(None, map(blob_in, row)):
                    found.update(header_of(blob).ids)

    engram._parts.place.database.run_exclusively(look)
    assert found
    return found


def test_a_plain_store_renews_its_subjects_but_has_no_other_keys_to_renew(open_store):
    engram = open_store()
    fill(engram)

    assert engram.upkeep.renew_keys("subjects").records >= 2
    assert texts(engram) == sorted(TEXTS)
    for what in ("master", "database", "vault"):
        with pytest.raises(EncryptionFailed):
            engram.upkeep.renew_keys(what)
    with pytest.raises(InvalidInput):
        engram.upkeep.renew_keys("everything")


def test_decrypting_has_to_be_confirmed_and_keeps_everything(locked, open_store, store_path, clock):
    with pytest.raises(InvalidInput):
        locked.upkeep.decrypt()

    locked.upkeep.decrypt(confirmed=True)

    assert texts(locked) == sorted(TEXTS)
    locked.close()
    assert not (store_path / "keys.json").exists()
    assert (store_path / "engram.db").read_bytes().startswith(PLAIN)
    again = open_store()
    assert texts(again) == sorted(TEXTS)
    # What is sealed stays sealed in the database itself.
    assert not any(canary in (store_path / "engram.db").read_bytes() for canary in CANARIES)
    again.upkeep.encrypt(key=OTHER)
    assert texts(again) == sorted(TEXTS)


def test_nothing_is_renewed_while_others_have_the_store_open(locked, open_store, monkeypatch):
    monkeypatch.setenv("ENGRAM_KEY", KEY.hex())
    company = open_store()

    for what in ("master", "database", "vault"):
        with pytest.raises(StoreInUse):
            locked.upkeep.renew_keys(what)
    with pytest.raises(StoreInUse):
        locked.upkeep.decrypt(confirmed=True)

    assert texts(company) == texts(locked) == sorted(TEXTS)
    assert locked.upkeep.renew_keys("subjects").records >= 2
    assert texts(company) == sorted(TEXTS)


def test_a_backup_under_older_keys_is_brought_under_those_of_today(locked, store_path, tmp_path):
    backup = locked.backup(tmp_path / "kept.db")
    for what in ("database", "vault", "master"):
        locked.upkeep.renew_keys(what)
    slot = (store_path / "keys.json").read_bytes()
    locked.remember("Since then.")

    locked.restore(backup.path)

    assert (store_path / "keys.json").read_bytes() == slot
    assert texts(locked) == sorted(TEXTS)
    assert opens(store_path / "engram.db", keys_now(store_path).database)


def test_a_backup_under_another_key_altogether_is_brought_under_the_stores_own(
    locked, store_path, tmp_path, monkeypatch, clock
):
    with Engram.open(tmp_path / "other", clock=clock) as other:
        other.remember("From elsewhere.")
        other.upkeep.encrypt(key=KEY)  # the same thing opens it, another master key is in it
        backup = other.backup()

    locked.restore(backup.path)

    assert texts(locked) == ["From elsewhere."]
    assert opens(store_path / "engram.db", keys_now(store_path).database)


def test_into_an_empty_folder_a_backup_brings_its_own_slot(locked, tmp_path, monkeypatch):
    backup = locked.backup()
    monkeypatch.setenv("ENGRAM_KEY", KEY.hex())

    restore_store(tmp_path / "elsewhere", backup.path)

    with Engram.open(tmp_path / "elsewhere") as engram:
        found = texts(engram)
    assert "The kettle is blue." in found
    # The keys of persons are in no backup.
    assert not any(text.encode().find(canary) >= 0 for text in found for canary in CANARIES)


def test_an_encrypted_backup_in_a_plain_stores_place_takes_the_keys_of_persons_along(
    open_store, store_path, tmp_path, monkeypatch, clock
):
    engram = open_store()
    fill(engram)
    engram.close()
    shutil.copytree(store_path, tmp_path / "twin")
    with Engram.open(tmp_path / "twin", clock=clock) as twin:
        twin.upkeep.encrypt(key=KEY)
        backup = twin.backup()
    monkeypatch.setenv("ENGRAM_KEY", KEY.hex())

    restore_store(store_path, backup.path, clock=clock)

    assert texts(open_store()) == sorted(TEXTS)
    assert not (store_path / "vault.db").read_bytes().startswith(PLAIN)


def test_a_changed_key_opens_own_backups_of_every_master_key(locked, store_path, monkeypatch):
    first = locked.backup()
    locked.upkeep.renew_keys("master")
    second = locked.backup()

    locked.upkeep.change_key(key=OTHER)

    for backup in (first, second):
        locked.restore(backup.path)
        assert texts(locked) == sorted(TEXTS)


def test_ways_in_are_added_and_removed_for_the_store_and_its_backups(
    locked, open_store, store_path, monkeypatch
):
    backup = locked.backup()
    locked.upkeep.add_key(key=OTHER)
    paper = locked.upkeep.recovery_key()
    locked.upkeep.add_key(key=bytes(32))
    first, _, _, last = locked.upkeep.ways_in()
    locked.upkeep.remove_key(last.id)
    locked.upkeep.remove_key(first.id)
    locked.close()

    monkeypatch.setenv("ENGRAM_KEY", KEY.hex())
    with pytest.raises(StoreLocked):
        open_store()
    monkeypatch.setenv("ENGRAM_KEY", OTHER.hex())
    with open_store() as engram:
        engram.restore(backup.path)
        assert texts(engram) == sorted(TEXTS)
    monkeypatch.delenv("ENGRAM_KEY")
    monkeypatch.setenv("ENGRAM_RECOVERY_KEY", paper.lower())
    with open_store() as engram:
        assert texts(engram) == sorted(TEXTS)
    slot = read_slot(Path(f"{backup.path}.keys.json"))
    for gone in (KEY, bytes(32)):
        with pytest.raises(StoreLocked):
            store_keys(slot, Credentials(key=gone))
    assert parse_recovery_key(paper).kind is Kind.RECOVERY
    assert store_keys(slot, parse_recovery_key(paper)).database


@pytest.mark.failure("F36")
def test_no_error_of_the_database_that_shows_a_key_is_kept_at_hand(
    store_path, tmp_path, monkeypatch
):
    """SQLite names the file it could not write, and the key stands in that name."""
    from engram.storage.sqlite import backup

    with Engram.open(store_path) as engram:
        engram.remember("Hello.")
    monkeypatch.setattr(backup, "make_private", lambda path: None)

    with pytest.raises(EncryptionFailed) as caught:
        backup.copy_under(store_path / "engram.db", tmp_path / "nowhere", None, KEY)

    error: BaseException | None = caught.value
    while error is not None:
        assert KEY.hex() not in str(error)
        error = error.__cause__ or error.__context__


def test_a_restore_over_a_change_of_keys_that_was_interrupted_brings_it_to_its_end_first(
    locked, store_path, monkeypatch, clock
):
    backup = locked.backup()
    failpoints.arm("rekey_database_placed", _stop)
    with pytest.raises(Stopped):
        locked.upkeep.renew_keys("master")
    failpoints.disarm()
    locked._parts.place._lock.leave(is_in_order=False)  # as if the process had been killed there
    monkeypatch.setenv("ENGRAM_KEY", KEY.hex())

    restore_store(store_path, backup.path, clock=clock)

    with Engram.open(store_path, clock=clock) as engram:
        assert texts(engram) == sorted(TEXTS)
    assert not list(store_path.glob("*.next"))
    assert not list(store_path.glob("damaged-*"))


def test_two_who_change_what_opens_a_store_do_not_undo_each_other(locked, store_path):
    with working_alone(store_path, KEYS_LOCK), pytest.raises(StoreInUse):
        locked.upkeep.add_key(key=OTHER)

    locked.upkeep.add_key(key=OTHER)
    assert len(locked.upkeep.ways_in()) == 2


def test_keys_can_be_cared_for_by_asynchronous_programs(store_path, clock):
    async def care() -> list[str]:
        async with await AsyncEngram.open(store_path, clock=clock) as engram:
            await engram.remember("Hello.")
            await engram.upkeep.encrypt(key=KEY)
            await engram.upkeep.renew_keys("master")
            return [way.kind for way in await engram.upkeep.ways_in()]

    assert asyncio.run(care()) == ["key"]


def test_everything_an_owner_cares_for_can_be_awaited():
    public = {name for name in vars(Upkeep) if not name.startswith("_")}

    assert public == {name for name in vars(AsyncUpkeep) if not name.startswith("_")}


class Stopped(Exception):
    """The process would have been killed here."""


def _stop() -> None:
    raise Stopped


@pytest.mark.parametrize(
    ("act", "action"),
    [
        (lambda care: care.change_key(key=OTHER), "encrypt"),
        (lambda care: care.add_key(key=OTHER), "renew_keys"),
        (lambda care: care.recovery_key(), "renew_keys"),
        (lambda care: (care.recovery_key(), care.remove_key("recovery")), "renew_keys"),
        (lambda care: care.renew_keys("master"), "renew_keys"),
        (lambda care: care.renew_keys("subjects"), "renew_keys"),
        (lambda care: care.decrypt(confirmed=True), "encrypt"),
    ],
)  # fmt: skip
def test_whatever_is_done_with_keys_is_in_the_audit(locked, act, action):
    before = len(locked.audit(action=action, limit=100))

    act(locked.upkeep)

    assert len(locked.audit(action=action, limit=100)) > before
