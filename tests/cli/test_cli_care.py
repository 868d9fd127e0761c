"""The care of a store as a whole: health, doctor, backups, audit, settings and keys."""

import shutil
from pathlib import Path

import apsw
import pytest

from engram.errors import StoreInUse


@pytest.fixture
def label(ask):
    return ask("remember", "I prefer pnpm over npm")["memory"]["label"]


def test_stats_count_what_is_there(ask, run, label):
    assert ask("stats")["memories"] == 1
    assert ask("stats", "--scope", "project=x")["by_status"] == {"active": 1}
    assert "1 memory" in run("stats").out


def test_a_healthy_store_says_so(ask, run):
    assert ask("health")["status"] == "ok"
    assert "a row was written" in run("health").out


def test_a_failing_store_exits_1(run, label, monkeypatch):
    from engram.engine import Engram
    from engram.storage.upkeep import Check, Health

    monkeypatch.setattr(Engram, "health", lambda self: Health((Check("read", "failing", "E1"),)))

    assert run("health", "--json").code == 1


def test_a_doctor_finds_nothing_wrong_with_a_sound_store(ask, run, label):
    assert ask("doctor")["is_fine"] is True
    assert "All is fine" in run("doctor").out


def test_a_doctor_mends_only_when_told(ask, run, store, label):
    (store / "engram.db").chmod(0o644)

    sick = run("doctor", "--json")
    mended = run("doctor", "--repair", "--json")

    assert (sick.code, sick.document["is_fine"]) == (1, False)
    assert (mended.code, mended.document["is_fine"]) == (0, True)
    assert mended.document["repairs"]
    assert "engram doctor --repair" not in run("doctor").out


def test_a_person_is_asked_before_a_repair(store, label, terminal):
    (store / "engram.db").chmod(0o644)

    hesitant = terminal("doctor", "--repair")
    hesitant.answer("[y/N] ", "n")
    willing = terminal("doctor", "--repair", "--yes")

    assert hesitant.leave() == 1
    assert "Nothing was changed" in hesitant.seen
    assert willing.leave() == 0
    assert "made private" in willing.seen


def test_a_backup_is_made_and_restored(ask, run, label, tmp_path):
    made = ask("backup", tmp_path / "copy.db")
    ask("forget", label)

    refused = run("restore", tmp_path / "copy.db")
    restored = ask("restore", tmp_path / "copy.db", "--yes")

    assert made["states"] == 1
    assert refused.code == 2
    assert restored == {"restored": 1}
    assert ask("show", label)["memory"]["status"] == "active"


def test_the_newest_own_backup_is_restored_after_a_person_agrees(ask, run, label, terminal):
    assert "Backed up" in run("backup").out
    ask("forget", label)

    session = terminal("restore")
    session.answer("[y/N] ", "y")

    assert session.leave() == 0
    assert ask("show", label)["memory"]["status"] == "active"


def test_a_restore_is_refused_while_others_are_in(run, ask, store, label):
    from engram import Engram

    ask("backup")
    with Engram.open(store):
        answer = run("restore", "--yes", "--json")

    assert (answer.code, answer.error_code) == (1, StoreInUse.code)


def test_the_audit_tells_what_happened_and_never_text(ask, run, label):
    ask("pin", label)

    entries = ask("audit", "--memory", label, "--action", "pin", "--limit", "5")["entries"]

    assert [each["action"] for each in entries] == ["pin"]
    assert "pnpm" not in run("audit").out
    assert ask("audit", "--since", "2999-01-01T00:00:00+00:00")["entries"] == []


def test_a_whole_audit_is_verified(ask, run, label):
    assert ask("audit", "--verify")["is_intact"] is True
    assert "The audit is whole" in run("audit", "--verify").out


def test_an_altered_audit_exits_1(run, store, label):
    connection = apsw.Connection(str(store / "engram.db"))
    triggers = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    for (name,) in triggers:
        if "audit" in name:
            connection.execute(f'DROP TRIGGER "{name}"')
    connection.execute("UPDATE audit SET action = 'pin' WHERE sequence = 1")
    connection.close()

    answer = run("audit", "--verify", "--json")

    assert answer.code == 1
    assert answer.document["is_intact"] is False
    assert "not whole" in run("audit", "--verify").out


def test_settings_are_shown_set_explained_and_unset(ask, run, store):
    before = {each["key"]: each for each in ask("config")["settings"]}
    ask("config", "set", "recall.limit", "3")

    assert before["recall.limit"]["origin"] == "default"
    assert before["recall.limit"]["meaning"]
    assert ask("config", "get", "recall.limit")["value"] == 3
    assert run("config", "get", "recall.limit").out.strip() == "3"
    explained = ask("config", "explain", "recall.limit")
    assert (explained["origin"], explained["low"], explained["default"]) == ("file", 1, 10)
    assert ask("config", "unset", "recall.limit")["origin"] == "default"
    assert ask("config", "path")["path"] == str(store / "config.toml")
    assert "recall.limit" in run("config").out
    assert "meaning" in run("config", "explain", "recall.limit").out


def test_the_environment_wins_over_the_file(ask):
    ask("config", "set", "recall.limit", "3")

    found = ask("config", "get", "recall.limit", ENGRAM_RECALL__LIMIT="4")

    assert (found["value"], found["origin"]) == (4, "environment")


def test_a_setting_that_is_set_takes_effect(ask):
    for number in range(3):
        ask("remember", f"lamp number {number}")
    ask("config", "set", "recall.limit", "2")

    assert len(ask("recall", "lamp")["hits"]) == 2


@pytest.mark.parametrize(
    "words", [("get", "no.such"), ("set", "no.such", "1"), ("set", "recall.limit", "many")]
)
def test_a_bad_setting_is_an_error_that_names_it(run, words):
    answer = run("config", *words, "--json")

    assert (answer.code, answer.error_code) == (1, "E5003")
    assert words[1] in answer.document["error"]["hint"]


@pytest.mark.parametrize("words", [("get",), ("set", "recall.limit"), ("paint",)])
def test_half_a_config_command_is_wrong_usage(run, words):
    assert run("config", *words).code == 2


def test_a_fresh_key_is_64_hexadecimal_digits(ask, run):
    assert len(bytes.fromhex(ask("keys", "generate")["key"])) == 32
    assert len(run("keys", "generate").out.strip()) == 64


def test_a_store_is_encrypted_with_a_key_file(ask, run, label, tmp_path):
    key_file = tmp_path / "key"
    key_file.write_text(ask("keys", "generate")["key"])
    ask("backup")
    before = ask("keys", "status")

    done = ask("keys", "encrypt", "--key-file", key_file)

    assert before["encrypted"] is False
    assert done["plain_backups"]
    assert [each["kind"] for each in ask("keys", "status")["ways_in"]] == ["key"]
    assert "Encrypted" in run("keys", "status").out
    assert run("list", "--json").error_code == "E1001"
    assert len(ask("list", ENGRAM_KEY_FILE=str(key_file))["memories"]) == 1


def test_plain_backups_are_removed_when_told(ask, store, label, tmp_path):
    key_file = tmp_path / "key"
    key_file.write_text(ask("keys", "generate")["key"])
    kept = ask("backup")["path"]

    done = ask("keys", "encrypt", "--key-file", key_file, "--remove-plain-backups")

    assert done["plain_backups"] == []
    assert done["removed"] >= 1
    assert not Path(kept).exists()


def test_plain_backups_are_removed_later_by_who_has_the_key(ask, run, label, tmp_path):
    key_file = tmp_path / "key"
    key_file.write_text(ask("keys", "generate")["key"])
    kept = Path(ask("backup")["path"])
    ask("keys", "encrypt", "--key-file", key_file)
    encrypted = Path(ask("backup", ENGRAM_KEY_FILE=str(key_file))["path"])
    words = ("keys", "encrypt", "--remove-plain-backups")

    again = run("keys", "encrypt", "--json", ENGRAM_KEY_FILE=str(key_file))
    stranger = run(*words, "--json")

    assert again.error_code == "E4002"
    assert "encrypted already" in again.document["error"]["hint"]
    assert stranger.error_code == "E1001"
    assert kept.exists()
    assert ask(*words, ENGRAM_KEY_FILE=str(key_file))["removed"] >= 1
    assert (kept.exists(), encrypted.exists()) == (False, True)
    assert ask(*words, ENGRAM_KEY_FILE=str(key_file))["removed"] == 0


def test_without_a_terminal_and_a_key_the_error_names_where_one_is_given(run, label):
    hint = run("keys", "encrypt", "--json").document["error"]["hint"]

    assert "ENGRAM_PASSPHRASE" in hint
    assert "--key-file" in hint


def test_a_passphrase_is_typed_twice_and_asked_for_from_then_on(run, ask, label, terminal):
    careless = terminal("keys", "encrypt")
    careless.answer("New passphrase: ", "open sesame")
    careless.answer("Once more: ", "open sesamy")
    careful = terminal("keys", "encrypt")
    careful.answer("New passphrase: ", "open sesame")
    careful.answer("Once more: ", "open sesame")
    codes = (careless.leave(), careful.leave())

    reader = terminal("list")
    reader.answer("Passphrase: ", "open sesame")
    stranger = terminal("list")
    stranger.answer("Passphrase: ", "guess")

    assert codes == (1, 0)
    assert (reader.leave(), stranger.leave()) == (0, 1)
    assert "pnpm" in reader.seen
    assert "open sesame" not in reader.seen + careful.seen
    assert "E1001" in stranger.seen


def test_what_opens_a_store_can_be_changed(ask, run, label, tmp_path):
    key_file = tmp_path / "key"
    key_file.write_text(ask("keys", "generate")["key"])
    ask("keys", "encrypt", "--key-file", key_file)

    ask("keys", "change", typed="open sesame\n", ENGRAM_KEY_FILE=str(key_file))

    assert run("list", "--json", ENGRAM_KEY_FILE=str(key_file)).error_code == "E1001"
    assert len(ask("list", ENGRAM_PASSPHRASE="open sesame")["memories"]) == 1


def test_an_empty_passphrase_is_refused(run, label):
    assert run("keys", "encrypt", "--json", typed="\n").error_code == "E4005"


def test_a_passphrase_cannot_be_given_as_an_argument(run):
    assert run("list", "--passphrase", "x").code == 2


@pytest.mark.parametrize(
    "words",
    [("config", "--store", ":memory:"), ("keys", "--store", ":memory:"),
     ("list", "--store", "postgresql://host/db")],
)  # fmt: skip
def test_what_is_no_folder_never_becomes_one(spawn, monkeypatch, tmp_path, words):
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)

    answer = spawn(*words, "--json")

    assert (answer.code, answer.error_code) == (1, "E1007")
    assert list(empty.iterdir()) == []


def test_a_place_that_is_no_store_is_refused(run, store):
    shutil.rmtree(store)
    store.write_text("not a folder")

    assert run("list", "--json").error_code == "E1007"
