"""The head of the audit is kept outside the database: an older copy of it is told apart."""

import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from clock import FakeClock
from command_line import invoke

from engram import Engram
from engram.errors import EngramError, InvalidInput
from engram.memory.changes import AuditHead, parse_head
from engram.security.kept_heads import HEAD, begin_restore
from engram.storage.sqlite.backup import audit_in
from engram.wiring import restore_store


def filled(path: Path, clock: FakeClock, *texts: str, **options: object) -> None:
    with Engram.open(path, clock=clock, **options) as engram:
        for text in texts or ("Ada lives in Porto.",):
            engram.remember(text)


def test_an_older_copy_of_the_database_is_told(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    shutil.copy(path / "engram.db", tmp_path / "older.db")
    filled(path, clock, "Ada moved to Lyon.", "Ada is back.")
    shutil.copy(tmp_path / "older.db", path / "engram.db")

    with Engram.open(path, clock=clock) as engram:
        verdict = engram.verify_audit()
        health = {each.name: each.detail for each in engram.health().checks}
        events = [each.kind.value for each in engram.security_events()]

    assert not verdict.is_intact
    assert verdict.problem == "The audit ends before what was kept: 1 entries, 3 then."
    assert "ends before" in health["audit head"]
    assert "audit_broken" in events


def test_it_is_still_told_after_the_older_copy_has_grown_past_what_was_kept(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    shutil.copy(path / "engram.db", tmp_path / "older.db")
    filled(path, clock, "Ada moved to Lyon.")
    shutil.copy(tmp_path / "older.db", path / "engram.db")
    filled(path, clock, *(f"Another fact, number {number}." for number in range(20)))

    with Engram.open(path, clock=clock) as engram:
        verdict = engram.verify_audit()

    assert not verdict.is_intact
    assert "another than the one that was kept" in verdict.problem


def test_what_was_written_since_it_was_kept_is_no_problem(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    kept = (path / HEAD).read_bytes()
    filled(path, clock, "Ada moved to Lyon.")
    (path / HEAD).write_bytes(kept)

    with Engram.open(path, clock=clock) as engram:
        verdict = engram.verify_audit()

    assert verdict.is_intact
    assert (verdict.entries, verdict.kept) == (2, 1)


def test_after_a_restore_the_verdict_says_that_there_was_one(tmp_path, clock):
    with Engram.open(tmp_path / "s", clock=clock) as engram:
        engram.remember("Ada lives in Porto.")
        engram.backup()
        engram.remember("Ada moved to Lyon.")
        clock.advance(hours=1)
        engram.restore()
        verdict = engram.verify_audit()

    assert verdict.is_intact
    assert verdict.restored_at == clock()


def test_so_it_does_when_the_store_was_brought_back_from_outside(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    with Engram.open(path, clock=clock) as engram:
        backup = engram.backup()
        engram.remember("Ada moved to Lyon.")
    (path / "engram.db").write_bytes(b"damaged beyond reading" * 1_000)

    restore_store(path, backup.path, clock=clock)

    with Engram.open(path, clock=clock) as engram:
        verdict = engram.verify_audit()
    assert verdict.is_intact
    assert verdict.restored_at is not None


_RESTORING = """
import sys
from engram import Engram
engram = Engram.open(sys.argv[1])
engram.restore()
"""


def test_a_restore_that_was_killed_half_way_is_no_forgery(tmp_path, clock):
    path = tmp_path / "s"
    with Engram.open(path, clock=clock) as engram:
        engram.remember("Ada lives in Porto.")
        engram.backup()
        engram.remember("Ada moved to Lyon.")
    marker = tmp_path / "marker"
    child = subprocess.Popen(
        [sys.executable, "-c", _RESTORING, str(path)],
        env={"ENGRAM_FAILPOINT": f"head_before_restore,{marker}", "ENGRAM_EMBEDDER__KIND": "none"},
    )
    try:
        while not marker.exists():
            assert child.poll() is None
    finally:
        child.kill()
        child.wait()

    with Engram.open(path, clock=clock) as engram:
        verdict = engram.verify_audit()
        engram.remember("It goes on.")
    with Engram.open(path, clock=clock) as engram:
        later = engram.verify_audit()

    # It came to nothing: the database is the one that was kept, and no restore is claimed.
    assert verdict.is_intact
    assert verdict.restored_at is None
    assert (later.is_intact, later.restored_at) == (True, None)


def test_a_file_elsewhere_tells_what_a_whole_older_folder_cannot(tmp_path, clock):
    path, elsewhere = tmp_path / "s", tmp_path / "stick" / "head"
    elsewhere.parent.mkdir()
    options = {"settings": {"security": {"audit_head_file": str(elsewhere)}}}
    filled(path, clock, **options)
    shutil.copytree(path, tmp_path / "older")
    filled(path, clock, "Ada moved to Lyon.", **options)
    shutil.rmtree(path)
    (tmp_path / "older").rename(path)

    with Engram.open(path, clock=clock) as engram:
        unaware = engram.verify_audit()
    with Engram.open(path, clock=clock, **options) as engram:
        aware = engram.verify_audit()

    assert unaware.is_intact  # the folder is whole, only older: nothing in it can tell
    assert not aware.is_intact
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o600


def test_a_file_elsewhere_that_cannot_be_written_is_told_by_health(tmp_path, clock):
    options = {"settings": {"security": {"audit_head_file": str(tmp_path / "none" / "head")}}}
    with Engram.open(tmp_path / "s", clock=clock, **options) as engram:
        engram.remember("Ada lives in Porto.")
        engram._parts.heads.keep()

        told = {each.name: each.detail for each in engram.health().checks}
        verdict = engram.verify_audit()

    assert "cannot be kept" in told["audit head"]
    assert verdict.is_intact


def test_a_head_of_another_store_is_not_written_over(tmp_path, clock):
    elsewhere = tmp_path / "head"
    options = {"settings": {"security": {"audit_head_file": str(elsewhere)}}}
    filled(tmp_path / "one", clock, **options)
    before = elsewhere.read_bytes()
    filled(tmp_path / "two", clock, **options)

    with Engram.open(tmp_path / "two", clock=clock, **options) as engram:
        verdict = engram.verify_audit()

    assert elsewhere.read_bytes() == before
    assert verdict.problem == "What was kept of the audit is of another store."


def test_a_kept_head_that_somebody_altered_is_told(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock, "one thing", "another thing")
    told = json.loads((path / HEAD).read_text())
    (path / HEAD).write_text(json.dumps({**told, "entries": 1}))

    with Engram.open(path, clock=clock) as engram:
        assert engram.verify_audit().problem == "What was kept of the audit was altered."


@pytest.mark.parametrize(
    "nonsense", [b"", b"{", b"[]", b"\xff" * 99, b'{"store": 1}', b"[" * 9_999]
)
def test_nonsense_in_its_place_is_told_and_not_written_over(tmp_path, clock, nonsense):
    path = tmp_path / "s"
    filled(path, clock)
    (path / HEAD).write_bytes(nonsense)

    with Engram.open(path, clock=clock) as engram:
        verdict = engram.verify_audit()
        engram.remember("It goes on.")

    assert (verdict.is_intact, verdict.kept) == (False, 0)
    assert verdict.problem == "What was kept of the audit is missing or cannot be read: audit.head."
    assert (path / HEAD).read_bytes() == nonsense


def rolled_back(path: Path, clock: FakeClock, **options: object) -> None:
    """Put back an older copy of the database, made when a head had been kept."""
    filled(path, clock, **options)
    shutil.copy(path / "engram.db", path.with_suffix(".older"))
    filled(path, clock, "Ada moved to Lyon.", "Ada is back.", **options)
    shutil.copy(path.with_suffix(".older"), path / "engram.db")


def gone(head: Path) -> None:
    head.unlink()


def garbled(head: Path) -> None:
    head.write_text("{")


def claims_a_restore(head: Path) -> None:
    head.write_text(json.dumps({**json.loads(head.read_text()), "restoring_at": 1_794_800_000_000}))


def says_it_was_restored(head: Path) -> None:
    head.write_text(json.dumps({**json.loads(head.read_text()), "restored_at": 1_794_800_000_000}))


ATTACKS = [gone, garbled, claims_a_restore, says_it_was_restored]


@pytest.mark.parametrize("attack", ATTACKS)
def test_who_also_spoils_what_was_kept_is_told_of(tmp_path, clock, attack):
    path = tmp_path / "s"
    rolled_back(path, clock)
    attack(path / HEAD)

    with Engram.open(path, clock=clock) as engram:
        health = {each.name: each.state for each in engram.health().checks}
        engram.remember("It goes on.")
        verdict = engram.verify_audit()
        events = [each.kind.value for each in engram.security_events()]
    answer = invoke(["audit", "--verify", "--store", str(path)])

    assert not verdict.is_intact
    assert (verdict.kept, verdict.restored_at) == (0, None)
    assert health["audit head"] != "ok"
    assert "audit_broken" in events
    assert answer.exit_code == 1
    assert "The audit is not whole" in answer.stdout
    assert "it holds" not in answer.stdout


@pytest.mark.parametrize("attack", ATTACKS)
def test_so_is_who_spoils_the_file_elsewhere(tmp_path, clock, attack):
    path, elsewhere = tmp_path / "s", tmp_path / "head"
    options = {"settings": {"security": {"audit_head_file": str(elsewhere)}}}
    rolled_back(path, clock, **options)
    (path / HEAD).write_text(elsewhere.read_text())
    attack(path / HEAD)
    attack(elsewhere)

    with Engram.open(path, clock=clock, **options) as engram:
        verdict = engram.verify_audit()
    assert not verdict.is_intact


def test_a_file_elsewhere_that_is_gone_is_told_though_the_one_beside_is_there(tmp_path, clock):
    path, elsewhere = tmp_path / "s", tmp_path / "head"
    options = {"settings": {"security": {"audit_head_file": str(elsewhere)}}}
    filled(path, clock, **options)
    elsewhere.unlink()

    with Engram.open(path, clock=clock, **options) as engram:
        assert "security.audit_head_file names" in engram.verify_audit().problem
    with Engram.open(path, clock=clock) as engram:
        assert engram.verify_audit().is_intact  # nobody asks for that file any more


def test_a_store_of_which_nothing_was_ever_kept_is_whole(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    (path / HEAD).unlink()
    connection = apsw.Connection(str(path / "engram.db"))
    connection.execute("DELETE FROM meta WHERE key = 'audit_heads_kept'")
    connection.close()

    with Engram.open(path, clock=clock) as engram:
        verdict = engram.verify_audit()
        engram.remember("It goes on.")
    with Engram.open(path, clock=clock) as engram:
        later = engram.verify_audit()

    assert (verdict.is_intact, verdict.kept) == (True, 0)
    assert (later.is_intact, later.kept) == (True, 2)


def test_a_file_elsewhere_that_is_newly_named_is_no_missing_one(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    options = {"settings": {"security": {"audit_head_file": str(tmp_path / "head")}}}

    with Engram.open(path, clock=clock, **options) as engram:
        assert engram.verify_audit().is_intact
        engram.remember("It goes on.")

    assert (tmp_path / "head").exists()


def test_a_backup_and_a_restore_are_the_way_out_and_are_told(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    (path / HEAD).unlink()

    with Engram.open(path, clock=clock) as engram:
        engram.backup()
        engram.restore()
        verdict = engram.verify_audit()

    assert verdict.is_intact
    assert verdict.restored_at == clock()


def test_a_backup_brought_into_an_empty_folder_is_restored_and_not_forged(tmp_path, clock):
    filled(tmp_path / "s", clock)
    with Engram.open(tmp_path / "s", clock=clock) as engram:
        backup = engram.backup(tmp_path / "copy.db")

    restore_store(tmp_path / "new", backup.path, clock=clock)

    with Engram.open(tmp_path / "new", clock=clock) as engram:
        verdict = engram.verify_audit()
        events = [each.kind.value for each in engram.security_events()]
    assert verdict.is_intact
    assert verdict.restored_at == clock()
    assert "audit_broken" not in events


def test_a_restore_that_was_killed_after_the_database_was_replaced_is_told_as_one(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    shutil.copy(path / "engram.db", tmp_path / "older.db")
    filled(path, clock, "Ada moved to Lyon.")
    begin_restore([path / HEAD], audit_in(tmp_path / "older.db", key=None), clock())
    shutil.copy(tmp_path / "older.db", path / "engram.db")

    with Engram.open(path, clock=clock) as engram:
        verdict = engram.verify_audit()
        engram.remember("It goes on.")
    with Engram.open(path, clock=clock) as engram:
        later = engram.verify_audit()

    assert (verdict.is_intact, verdict.kept, verdict.restored_at) == (True, 0, clock())
    assert (later.is_intact, later.kept, later.restored_at) == (True, 2, clock())


def test_what_is_kept_says_nothing_but_counts_and_hashes(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock, "zebrafinch-7731")

    told = json.loads((path / HEAD).read_text())

    assert set(told) == {"store", "entries", "head", "restored_at", "seal"} | {
        "restoring_at", "restoring_seal"
    }  # fmt: skip
    assert stat.S_IMODE((path / HEAD).stat().st_mode) == 0o600


def test_reading_only_keeps_nothing_and_still_compares(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    before = (path / HEAD).stat().st_mtime_ns

    with Engram.open(path, clock=clock, read_only=True) as engram:
        assert engram.verify_audit().kept == 1

    assert (path / HEAD).stat().st_mtime_ns == before


def test_lines_that_retention_let_go_are_no_problem(tmp_path, clock):
    path = tmp_path / "s"
    options = {"settings": {"dreams": {"keep_audit_days": 30}}}
    with Engram.open(path, clock=clock, **options) as engram:
        engram.remember("one thing")
        head = engram.audit_head()
        clock.advance(days=100)
        engram.remember("another thing")
        newer = engram.audit_head()
        engram.dream(steps=["prune"])
        verdict = engram.verify_audit(against=newer.text)
        older = engram.verify_audit(against=head.text)
    with Engram.open(path, clock=clock, **options) as engram:
        again = engram.verify_audit()

    assert verdict.is_intact
    assert verdict.pruned
    assert older.is_intact  # its line is the one that the sealed checkpoint stands for
    assert again.is_intact


def test_a_head_that_was_written_down_is_held_against_the_audit(tmp_path, clock):
    with Engram.open(tmp_path / "s", clock=clock) as engram:
        engram.remember("one thing")
        noted = engram.audit_head()
        engram.remember("another thing")

        assert engram.verify_audit(against=noted.text).is_intact
        for wrong in (f"99:{noted.head}", f"2:{noted.head}", f"{noted.entries}:{'0' * 64}"):
            assert not engram.verify_audit(against=wrong).is_intact
        for unreadable in ("", "1", "1:", "x:y", f"0:{noted.head}", f"1:{noted.head}0"):
            with pytest.raises(InvalidInput):
                engram.verify_audit(against=unreadable)


def test_an_empty_audit_has_a_head_too(tmp_path, clock):
    with Engram.open(tmp_path / "s", clock=clock) as engram:
        assert engram.audit_head().text == "0:"
        assert engram.verify_audit(against="0:").is_intact
    assert parse_head(" 12:" + "a" * 64 + "\n") == AuditHead(12, "a" * 64)


def test_a_store_in_memory_has_no_outside():
    with Engram.open(":memory:") as engram:
        engram.remember("one thing")
        assert engram.verify_audit().kept == 0


def test_many_writes_are_kept_on_the_way_and_never_in_the_write_itself(tmp_path, clock):
    with Engram.open(tmp_path / "s", clock=clock) as engram:
        keeper = engram._parts.heads
        engram.remember("one thing")
        assert not (tmp_path / "s" / HEAD).exists()
        engram.remember_many([f"fact number {number}" for number in range(600)])
        keeper.keep_when_due()
        kept = json.loads((tmp_path / "s" / HEAD).read_text())["entries"]

    assert kept == 601


def test_two_processes_keep_one_head_without_getting_in_each_others_way(tmp_path, clock):
    path = tmp_path / "s"
    with Engram.open(path, clock=clock) as one, Engram.open(path, clock=clock) as other:
        one.remember("one thing")
        other.remember("another thing")
        other._parts.heads.keep()
        one._parts.heads.keep()
        one.remember("a third")
    with Engram.open(path, clock=clock) as engram:
        verdict = engram.verify_audit()

    assert (verdict.is_intact, verdict.kept) == (True, 3)


def test_the_command_line_prints_it_and_takes_it_back(tmp_path):
    store = str(tmp_path / "s")
    invoke(["remember", "Ada lives in Porto.", "--store", store])

    head = invoke(["audit", "--head", "--store", store]).stdout.strip()
    told = json.loads(invoke(["audit", "--head", "--json", "--store", store]).stdout)
    good = invoke(["audit", "--verify", "--against", head, "--store", store])
    bad = invoke(["audit", "--verify", "--against", f"9{head}", "--json", "--store", store])

    assert told["text"] == head
    assert good.exit_code == 0
    assert bad.exit_code == 1
    assert "ends before" in json.loads(bad.stdout)["problem"]
    assert invoke(["audit", "--verify", "--head", "--store", store]).exit_code == 1
    assert invoke(["audit", "--against", head, "--store", store]).exit_code == 1


def test_a_store_that_cannot_be_read_is_no_reason_for_closing_to_fail(tmp_path, clock):
    engram = Engram.open(tmp_path / "s", clock=clock)
    engram.remember("one thing")
    engram._parts.store.database.close()

    engram.close()

    with pytest.raises(EngramError):
        engram.remember("nothing more")


_WRITING = """
import sys
from engram import Engram
with Engram.open(sys.argv[1]) as engram:
    for number in range(25):
        engram.remember(f"{sys.argv[2]} says {number}.")
        engram.recall("says")
        if number == 3:
            print("at work", flush=True)
        if sys.argv[2] == "killed" and number == 10:
            sys.stdin.read()
"""


def test_four_processes_of_which_one_is_killed_leave_a_whole_audit(tmp_path):
    path = tmp_path / "s"
    Engram.open(path).close()
    running = {
        name: subprocess.Popen(
            [sys.executable, "-c", _WRITING, str(path), name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for name in ("one", "two", "three", "killed")
    }  # fmt: skip
    assert [each.stdout.readline() for each in running.values()] == ["at work\n"] * 4
    running["killed"].kill()
    codes = {name: each.wait(60) for name, each in running.items()}
    for each in running.values():
        each.stdin.close()
        each.stdout.close()

    with Engram.open(path) as engram:
        verdict = engram.verify_audit()

    assert [codes[name] for name in ("one", "two", "three")] == [0, 0, 0]
    assert verdict.is_intact
    assert 75 * 2 <= verdict.kept <= verdict.entries


def test_an_erase_leaves_the_chain_and_what_was_kept_of_it_whole(tmp_path, clock):
    path = tmp_path / "s"
    with Engram.open(path, clock=clock) as engram:
        memory = engram.remember("Ada lives in Porto.").memory
        head = engram.audit_head()
    with Engram.open(path, clock=clock) as engram:
        engram.erase(memory.id)
        verdict = engram.verify_audit(against=head.text)

    assert verdict.is_intact
    assert verdict.kept == head.entries


def test_an_encrypted_store_whose_keys_were_renewed_holds_what_was_kept(tmp_path, clock):
    path = tmp_path / "s"
    filled(path, clock)
    with Engram.open(path, clock=clock) as engram:
        engram.upkeep.encrypt(passphrase="one")
    with Engram.open(path, clock=clock, passphrase="one") as engram:
        verdict = engram.verify_audit()

    assert verdict.is_intact
    assert verdict.kept >= 1
