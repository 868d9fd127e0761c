"""Keys for callers from outside, from the shell: issued once, listed, replaced, revoked."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from command_line import invoke

from engram import Engram
from engram.errors import KeyNotFound, NoStore
from engram.security.access_keys import read_key


@pytest.fixture
def recognise(store):
    """Whom a store takes the holder of a key for."""

    def look(text: str):
        with Engram.open(store) as engram:
            return engram.recognise(text)

    return look


def test_a_key_that_was_issued_opens_the_store_for_its_holder(ask, recognise):
    made = ask("keys", "issue", "coder", "--role", "writer", "--for", "project=acme,agent=coder")

    found = recognise(made["text"])

    assert (found.name, found.role) == ("coder", "writer")
    assert found.principal.scope.path == "/project=acme/agent=coder/"
    assert made["key"]["scope"] == "/project=acme/agent=coder/"
    assert made["key"]["state"] == "active"


def test_without_more_a_key_is_an_agents_and_reads(ask):
    key = ask("keys", "issue", "somebody")["key"]

    assert (key["kind"], key["role"], key["scope"]) == ("agent", "reader", "/")
    assert (key["expires_at"], key["per_minute"]) == (None, None)


def test_a_secret_is_shown_once(ask, run):
    answer = run("keys", "issue", "coder")
    [text] = [line.strip() for line in answer.out.splitlines() if read_key(line.strip())]
    secret = read_key(text).secret

    assert "cannot be shown again" in answer.out
    for words in (("keys", "list"), ("keys", "list", "--all"), ("audit",)):
        assert secret not in run(*words).out
        assert secret not in run(*words, "--json").out


@pytest.mark.parametrize(("text", "days"), [("90d", 90), ("26w", 182), ("12h", 0.5), ("1y", 365)])
def test_a_key_can_be_given_so_long_to_live(ask, text, days):
    before = datetime.now(UTC)

    expires_at = ask("keys", "issue", "coder", "--expires", text)["key"]["expires_at"]

    life = datetime.fromisoformat(expires_at) - before
    assert timedelta(days=days) <= life < timedelta(days=days, minutes=5)


def test_a_key_can_be_given_a_last_moment(ask):
    key = ask("keys", "issue", "coder", "--expires", "2999-01-01")["key"]

    assert key["expires_at"] == "2999-01-01T00:00:00+00:00"


def test_keys_are_listed_until_they_end(ask, run):
    kept = ask("keys", "issue", "kept", "--per-minute", "30")["key"]
    gone = ask("keys", "issue", "gone")["key"]

    ended = ask("keys", "revoke", gone["id"], "--reason", "left in a log")

    assert (ended["state"], ended["revoked_for"]) == ("revoked", "left in a log")
    assert [each["id"] for each in ask("keys", "list")["keys"]] == [kept["id"]]
    states = {each["name"]: each["state"] for each in ask("keys", "list", "--all")["keys"]}
    assert states == {"kept": "active", "gone": "revoked"}
    assert "gone" not in run("keys", "list").out
    assert "revoked" in run("keys", "list", "--all").out


def test_a_rotated_key_gives_way_to_another(ask, recognise):
    old = ask("keys", "issue", "coder", "--role", "curator")

    fresh = ask("keys", "rotate", old["key"]["id"])

    assert fresh["key"]["replaces"] == old["key"]["id"]
    assert recognise(old["text"]) is None
    assert recognise(fresh["text"]).role == "curator"


def test_a_rotated_key_can_be_given_a_grace(ask, recognise):
    old = ask("keys", "issue", "coder")

    fresh = ask("keys", "rotate", old["key"]["id"], "--grace", "3600")

    assert recognise(old["text"]) is not None
    assert recognise(fresh["text"]) is not None


def test_there_is_nothing_to_list_at_first(ask, run):
    assert ask("keys", "list") == {"keys": []}
    assert "keys issue" in run("keys", "list").out


@pytest.mark.parametrize(
    "words",
    [("issue",), ("rotate",), ("revoke",), ("list", "somebody"), ("status", "somebody"),
     ("rotate", "0" * 10, "--role", "admin"), ("list", "--grace", "5"),
     ("issue", "a", "--all"), ("issue", "a", "--reason", "why"), ("list", "--expires", "1d")],
)  # fmt: skip
def test_what_would_go_unheard_is_refused(run, words):
    assert run("keys", *words).code == 2


@pytest.mark.parametrize(
    "words",
    [("issue", "a", "--kind", "robot"), ("issue", "a", "--role", "king"),
     ("issue", "a", "--expires", "soon"), ("issue", "a", "--expires", "2001-01-01"),
     ("issue", "a", "--per-minute", "0"), ("issue", "a", "--for", "acme"),
     ("revoke", "nope"), ("issue", " ")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(run, ask, words):
    assert run("keys", *words, "--json").error_code == "E4005"
    assert ask("keys", "list", "--all") == {"keys": []}


@pytest.mark.parametrize("action", ["rotate", "revoke"])
def test_a_key_that_nobody_has_is_not_found(run, action):
    assert run("keys", action, "0" * 10, "--json").error_code == KeyNotFound.code


@pytest.mark.parametrize("words", [("issue", "a"), ("list",)])
def test_a_slip_in_the_path_makes_no_store(tmp_path, words):
    missing = tmp_path / "sotre"

    answer = invoke(["keys", *words, "--store", str(missing), "--json"])

    assert answer.exit_code == 1
    assert json.loads(answer.stdout)["error"]["code"] == NoStore.code
    assert not missing.exists()


@pytest.mark.parametrize("words", [("list",), ("issue", "a"), ("revoke", "0" * 10)])
def test_only_the_owner_has_to_do_with_keys(run, words):
    answer = run("keys", *words, "--scope", "project=acme", "--json")

    assert (answer.code, answer.error_code) == (1, "E4001")


def test_no_line_is_wider_than_the_terminal(ask, run):
    scope = "project=a-rather-long-project,squad=payments,agent=the-reviewer-of-payments"
    ask("keys", "issue", "the one who reviews", "--for", scope, "--expires", "90d")

    for words in (("list",), ("issue", "short")):
        lines = run("keys", *words, COLUMNS="80").out.splitlines()
        assert max(len(line.rstrip()) for line in lines) <= 80


def test_a_key_is_never_broken_by_a_narrow_terminal(run):
    lines = run("keys", "issue", "coder", COLUMNS="40").out.splitlines()

    assert [line for line in lines if read_key(line.strip())] != []
