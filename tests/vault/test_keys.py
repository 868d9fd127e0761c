"""Where keys come from, what `engram keys` does with them, and that they get nowhere else."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import invoke

from engram import Engram
from engram.errors import AccessDenied, InvalidInput, KeyringUnavailable, StoreLocked
from engram.memory.scopes import Scope
from engram.security.keys import Credentials, Kind, read_slot, store_keys
from engram.settings import credentials
from engram.surfaces.handing_over import read, written

HERE = Path(__file__).parent
KEY, OTHER = "ab" * 32, "cd" * 32
PHRASE = "correct horse battery staple"


@pytest.fixture
def store(store_path, clock) -> Path:
    """A plain store with one memory."""
    with Engram.open(store_path, clock=clock) as engram:
        engram.remember("The kettle is blue.")
    return store_path


@pytest.fixture
def keys(store):
    """Run `engram keys …` on the store and give back its document."""

    def run(*words: str, typed: str | None = None, code: int = 0, **environment: str):
        asked = ["keys", *words, "--store", str(store), "--json"]
        found = invoke(asked, typed=typed, env=environment)
        assert found.exit_code == code, found
        return json.loads(found.stdout)

    return run


def child(store: Path, *words: str, keyring: Path | None = None, **environment: str):
    """Run a command in a process of its own, with a keyring that is a file."""
    surroundings = {
        **os.environ,
        "PYTHONPATH": str(HERE),
        "PYTHON_KEYRING_BACKEND": "file_keyring.FileKeyring"
        if keyring
        else "keyring.backends.fail.Keyring",
        "TEST_KEYRING_FILE": str(keyring),
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-m", "engram", *words, "--store", str(store), "--json"],
        env=surroundings, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip


# Where keys come from


def test_of_several_things_in_the_environment_the_first_counts(monkeypatch, tmp_path):
    (tmp_path / "key").write_text(OTHER)
    paper = "0000-0000"  # not even looked at
    monkeypatch.setenv("ENGRAM_RECOVERY_KEY", paper)
    monkeypatch.setenv("ENGRAM_KEY", KEY)
    assert credentials().key == bytes.fromhex(KEY)
    monkeypatch.setenv("ENGRAM_KEY_FILE", str(tmp_path / "key"))
    assert credentials().key == bytes.fromhex(OTHER)
    monkeypatch.setenv("ENGRAM_PASSPHRASE", PHRASE)
    assert credentials().passphrase == PHRASE
    assert credentials("said").passphrase == "said"


def test_what_is_wrong_is_refused_though_something_behind_it_would_open(
    store, keys, monkeypatch, clock
):
    keys("encrypt", ENGRAM_KEY=KEY)
    monkeypatch.setenv("ENGRAM_KEY", KEY)
    monkeypatch.setenv("ENGRAM_PASSPHRASE", "something else")

    with pytest.raises(StoreLocked):
        Engram.open(store, clock=clock)


def test_a_key_file_that_is_a_pipe_keeps_nobody_waiting(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setenv("ENGRAM_KEY_FILE", str(tmp_path / "pipe"))

    with pytest.raises(StoreLocked):
        credentials()


def test_a_store_locked_by_the_keyring_opens_by_itself(store, tmp_path):
    keyring = tmp_path / "keyring.json"

    done = child(store, "keys", "encrypt", "--keyring", "home", keyring=keyring)
    assert done.returncode == 0, done.stderr
    found = child(store, "list", keyring=keyring)

    assert "The kettle is blue." in found.stdout
    (key,) = json.loads(keyring.read_text()).values()
    slot = read_slot(store / "keys.json")
    assert store_keys(slot, Credentials(key=bytes.fromhex(key), source=Kind.KEYRING)).database
    assert key not in (store / "keys.json").read_text() + done.stdout + done.stderr


def test_a_keyring_that_is_locked_or_has_lost_the_key_opens_nothing_and_harms_nothing(
    store, tmp_path
):
    keyring = tmp_path / "keyring.json"
    child(store, "keys", "encrypt", "--keyring", "home", keyring=keyring)
    before = (store / "engram.db").read_bytes(), (store / "keys.json").read_bytes()

    shut = child(store, "list")
    lost = child(store, "list", keyring=tmp_path / "another.json")

    assert json.loads(shut.stdout)["error"]["code"] == "E4012"
    assert json.loads(lost.stdout)["error"]["code"] == "E1001"
    assert ((store / "engram.db").read_bytes(), (store / "keys.json").read_bytes()) == before
    assert "The kettle is blue." in child(store, "list", keyring=keyring).stdout


def test_a_fresh_store_is_locked_by_what_the_keyring_holds_by_a_name(tmp_path):
    keyring, fresh = tmp_path / "keyring.json", tmp_path / "fresh"

    made = child(fresh, "keys", "generate", "--keyring", "work", keyring=keyring)
    (key,) = json.loads(keyring.read_text()).values()
    assert key not in made.stdout
    child(fresh, "remember", "Hello.", keyring=keyring, ENGRAM_KEYRING="work")

    assert [each["kind"] for each in read_slot(fresh / "keys.json")["wrappings"]] == ["keyring"]
    assert "Hello." in child(fresh, "list", keyring=keyring).stdout


def test_without_the_package_the_keyring_is_said_to_be_missing(monkeypatch, store, clock):
    monkeypatch.setitem(sys.modules, "keyring", None)
    monkeypatch.setenv("ENGRAM_KEYRING", "home")

    with pytest.raises(KeyringUnavailable) as caught:
        Engram.open(store, clock=clock)

    assert "engram-memory[keyring]" in caught.value.hint


@pytest.mark.parametrize("kind", Kind)
def test_what_unlocks_a_store_is_handed_over_as_what_it_is(kind):
    given = (
        Credentials(passphrase=PHRASE)
        if kind is Kind.PASSPHRASE
        else Credentials(key=bytes.fromhex(KEY), source=kind)
    )

    assert read(written(given)) == given


# The command


def test_status_tells_the_ways_in_and_no_secret(store, keys):
    assert keys()["encrypted"] is False
    keys("encrypt", ENGRAM_KEY=KEY)
    keys("add", typed=f"{PHRASE}\n", ENGRAM_KEY=KEY)

    told = keys(ENGRAM_KEY=KEY)

    assert [each["kind"] for each in told["ways_in"]] == ["key", "passphrase"]
    assert told["versions"] == {"database": 1, "vault": 1}
    assert told["credentials_in_environment"] is True
    assert set(told) == {"encrypted", "ways_in", "versions", "credentials_in_environment"}


def test_the_recovery_key_opens_the_store_and_sets_another_passphrase(store, keys):
    keys("encrypt", ENGRAM_KEY=KEY)
    paper = keys("recovery", ENGRAM_KEY=KEY)["recovery_key"]

    assert "recovery" in [each["kind"] for each in keys()["ways_in"]]
    keys("change", typed=f"{PHRASE}\n", ENGRAM_RECOVERY_KEY=paper)

    with Engram.open(store, passphrase=PHRASE) as engram:
        assert len(engram.list()) == 1
    with Engram.open(store, passphrase=paper.lower()) as engram:  # typed where one is asked for
        assert len(engram.list()) == 1


def test_a_recovery_key_is_made_only_on_request(store, keys):
    keys("encrypt", ENGRAM_KEY=KEY)

    assert [each["kind"] for each in keys()["ways_in"]] == ["key"]


def test_the_last_way_in_stays(store, keys):
    keys("encrypt", ENGRAM_KEY=KEY)
    keys("recovery", ENGRAM_KEY=KEY)

    refused = keys("remove", "key", ENGRAM_KEY=KEY, code=1)

    assert refused["error"]["code"] == "E4013"
    keys("remove", "recovery", ENGRAM_KEY=KEY)
    assert [each["kind"] for each in keys()["ways_in"]] == ["key"]


@pytest.mark.parametrize("what", ["master", "database", "vault", "subjects"])
def test_each_key_can_be_renewed(store, keys, what):
    keys("encrypt", ENGRAM_KEY=KEY)

    assert keys("renew", what, ENGRAM_KEY=KEY)["renewed"] == what

    raised = {"database": 1, "vault": 1, **({what: 2} if what in ("database", "vault") else {})}
    assert keys()["versions"] == raised


def test_what_cannot_be_renewed_is_refused(keys):
    keys("encrypt", ENGRAM_KEY=KEY)

    assert keys("renew", "the world", ENGRAM_KEY=KEY, code=1)["error"]["code"] == "E4005"


def test_decrypting_needs_a_word(store, keys):
    keys("encrypt", ENGRAM_KEY=KEY)

    assert keys("decrypt", ENGRAM_KEY=KEY, code=1)["error"]["code"] == "E4005"
    assert keys()["encrypted"] is True
    keys("decrypt", "--yes", ENGRAM_KEY=KEY)

    assert keys()["encrypted"] is False


def test_a_command_names_one_source_for_a_key(keys, tmp_path):
    (tmp_path / "key").write_text(KEY)

    refused = keys("encrypt", "--key-file", str(tmp_path / "key"), "--keyring", "home", code=1)

    assert refused["error"]["code"] == "E4005"


@pytest.mark.parametrize(
    ("act", "given"),
    [
        ("encrypt", {"key": bytes(32)}),
        ("decrypt", {"confirmed": True}),
        ("change_key", {"key": bytes(32)}),
        ("add_key", {"key": bytes(32)}),
        ("remove_key", {"way": "key"}),
        ("recovery_key", {}),
        ("ways_in", {}),
        ("renew_keys", {"what": "master"}),
    ],
)
def test_only_the_owner_has_to_do_with_keys(store, clock, act, given):
    opened = Engram.open(store, scope=Scope(project="acme"), clock=clock)
    with opened as engram, pytest.raises(AccessDenied):
        getattr(engram.upkeep, act)(**given)


@pytest.mark.parametrize(
    "given",
    [{}, {"passphrase": ""}, {"passphrase": "x", "key": bytes(32)}, {"keyring": ""}, {"key": b"x"}],
)
def test_one_thing_is_given_to_lock_a_store_by(store, clock, given):
    with Engram.open(store, clock=clock) as engram, pytest.raises(InvalidInput):
        engram.upkeep.encrypt(**given)


# Where keys do not get to


@pytest.mark.failure("F36", "F37")
def test_no_key_is_in_the_arguments_of_any_process_nor_in_any_file_or_answer(store, tmp_path):
    """While the key is changed the process is halted, and everything around it is looked at."""
    with Engram.open(store) as engram:
        engram.upkeep.encrypt(passphrase=PHRASE)
    marker = tmp_path / "marker"
    running = subprocess.Popen(
        [sys.executable, "-m", "engram", "keys", "renew", "master", "--store", str(store)],
        env={
            **os.environ,
            "ENGRAM_PASSPHRASE": PHRASE,
            "ENGRAM_FAILPOINT": f"before_encrypted_rename,{marker}",
        },
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 60
        while not marker.exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        found = [store_keys(read_slot(path), Credentials(passphrase=PHRASE)) for path in
                 (store / "keys.json", store / "keys.json.next")]  # fmt: skip
        secrets = {key for each in found for key in (each.database, each.vault)}
        listed = subprocess.run(["ps", "axww", "-o", "args"], capture_output=True).stdout
        listed += b"".join(_arguments())
    finally:
        running.kill()
        told, _ = running.communicate(timeout=60)

    assert str(running.args[-1]).encode() in listed  # it was there to be seen
    written_down = {path: path.read_bytes() for path in store.rglob("*") if path.is_file()}
    assert len(secrets) == 4
    for form in [PHRASE.encode(), *secrets, *(key.hex().encode() for key in secrets)]:
        assert form not in listed
        assert form not in told
        assert [path for path, content in written_down.items() if form in content] == []


def _arguments():
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes()
        except OSError:
            continue  # it has ended


@pytest.mark.failure("F36", "F37")
def test_no_key_is_in_logs_audit_or_errors(store, keys):
    paper_seen = []
    keys("encrypt", ENGRAM_KEY=KEY)
    paper_seen.append(keys("recovery", ENGRAM_KEY=KEY)["recovery_key"])
    keys("change", typed=f"{PHRASE}\n", ENGRAM_KEY=KEY)
    told = [
        keys("renew", "database", ENGRAM_PASSPHRASE=PHRASE),
        keys("renew", "vault", ENGRAM_KEY=OTHER, code=1),
        keys("add", typed="another phrase\n", ENGRAM_PASSPHRASE=PHRASE),
        keys("remove", "nothing", ENGRAM_PASSPHRASE=PHRASE, code=1),
        keys(ENGRAM_PASSPHRASE=PHRASE),
    ]
    with Engram.open(store, passphrase=PHRASE) as engram:
        told.append([str(each) for each in engram.audit(limit=100)])
    files = [path.read_text() for path in (store / "logs").rglob("*") if path.is_file()]

    everything = json.dumps(told) + "".join(files)
    for secret in (KEY, OTHER, PHRASE, "another phrase", *paper_seen):
        assert secret not in everything
    assert '"renew_keys"' in "".join(files)
