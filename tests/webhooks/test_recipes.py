"""The recipes of docs/webhooks.md do what they say, and so does the command line."""

import hashlib
import hmac
import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from command_line import invoke

from engram import Engram, Scope
from engram.errors import NoStore
from webhooks.listener import Listener, serving

PAGE = Path(__file__).parent.parent.parent / "docs" / "webhooks.md"
ACME = Scope(project="acme")


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return found[0]


def run(store: Path, *words: object, code: int = 0) -> str:
    found = invoke(["webhooks", *map(str, words), "--store", str(store)])
    assert found.exit_code == code, found
    return found.stdout


def ask(store: Path, *words: object):
    return json.loads(run(store, *words, "--json"))


def form(text: str) -> str:
    """How a name is put together, whatever its parts are."""
    return re.sub(r"[\w…]+", "x", text)


@pytest.fixture
def store(store_path) -> Path:
    """A store that is there: a webhook makes none."""
    Engram.open(store_path).close()
    return store_path


@pytest.fixture
def news(store_path, receiver):
    """A signed message as it came over the wire, and its secret."""
    with Engram.open(store_path) as engram:  # the real clock: recipes look at theirs
        issued = engram.add_webhook("n8n", receiver.url)
        engram.remember("Ada's office is in Lyon.")
        engram.deliver_due()
    return receiver.got[0], issued.secret


def test_a_delivery_is_named_as_the_page_says(news):
    shown = re.findall(r"hook-\S+41[^`\"\s]*", PAGE.read_text())
    got, _ = news

    names = [json.loads(got.body)["id"], got.headers["Engram-Delivery"]]

    assert [form(each) for each in shown] == [form(each) for each in names]


def test_an_event_of_a_stream_is_named_as_the_page_says(store):
    [shown] = re.findall(r"^id: (.+)$", PAGE.read_text(), re.MULTILINE)
    with Engram.open(store) as engram, serving(engram) as running:
        stream = Listener(running.port, "changes", engram.issue_key("watcher").text)
        heard = stream.next()
        stream.close()

    assert form(heard.id) == form(shown)


def test_a_slip_in_the_path_makes_no_store(tmp_path):
    missing = tmp_path / "sotre"

    told = json.loads(run(missing, "add", "n8n", "--in", "--json", code=1))

    assert told["error"]["code"] == NoStore.code
    assert not missing.exists()


def test_the_check_in_python_knows_our_signature_and_no_other(news):
    got, secret = news
    names: dict = {}
    exec(block("python"), names)
    check, signature = names["is_from_engram"], got.headers["Engram-Signature"]

    assert check(secret, signature, got.body)
    assert not check(secret, signature, got.body + b" ")
    assert not check("another", signature, got.body)
    old = str(int(time.time()) - 301)
    code = hmac.new(secret.encode(), old.encode() + b"." + got.body, hashlib.sha256).hexdigest()
    assert not check(secret, f"t={old},v1={code}", got.body)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node, as n8n does")
def test_the_check_for_n8n_knows_our_signature_and_engram_knows_its_own(news, store_path):
    got, secret = news
    with Engram.open(store_path) as engram:
        issued = engram.add_webhook("in", None, secret=secret)
        body = json.dumps({"text": "Grüße: the nightly build of acme failed in the tests."})
        script = block("javascript") + (
            "const [secret, signature, got, body] = JSON.parse(process.argv[1]);"
            "console.log(JSON.stringify([isFromEngram(secret, signature, got),"
            " isFromEngram(secret, signature, got + ' '), isFromEngram('x', '', got),"
            " engramSignature(secret, body)]));"
        )
        told = json.dumps([secret, got.headers["Engram-Signature"], got.body.decode(), body])
        done = subprocess.run(
            ["node", "-e", script, told], capture_output=True, text=True, check=True, timeout=30
        )
        right, altered, without, signature = json.loads(done.stdout)
        taken = engram.take_message(issued.webhook.id, body.encode(), signature=signature)

    assert (right, altered, without) == (True, False, False)
    assert taken.kind == "kept"


@pytest.mark.skipif(
    not (shutil.which("curl") and shutil.which("openssl")), reason="needs curl and openssl"
)
def test_the_shell_recipe_reports_a_result(store_path):
    with Engram.open(store_path) as engram, serving(engram) as running:
        issued = engram.add_webhook("ci", None, scope=ACME)
        surroundings = {
            **os.environ,
            "ENGRAM_URL": f"http://127.0.0.1:{running.port}",
            "HOOK_ID": issued.webhook.id,
            "SECRET": issued.secret,
        }
        answers = [
            json.loads(
                subprocess.run(
                    ["sh", "-c", block("sh")],
                    env=surroundings, capture_output=True, check=True, timeout=30,
                ).stdout
            )
            for _ in range(2)
        ]  # fmt: skip
        [turn] = engram.list(category="turn", scope=ACME)

    assert [each["kind"] for each in answers] == ["kept", "repeated"]
    assert turn.id == answers[0]["memory"]["id"]
    assert turn.metadata["name"] == "nightly"


def test_a_webhook_is_added_listed_tested_and_ended(store, receiver):
    added = ask(store, "add", "n8n", "--url", receiver.url, "--event", "forget",
                "--for", "project=acme", "--below")  # fmt: skip
    hook = added["webhook"]["id"]
    tested = ask(store, "test", hook)
    listed = ask(store, "list")["webhooks"]
    shown = run(store, "list")
    ask(store, "end", hook)

    assert added["secret"].startswith("whsec_")
    assert "secret" not in added["webhook"]
    assert tested["has_arrived"]
    assert [each["action"] for each in receiver.documents] == ["webhook.test"]
    assert listed[0]["events"] == ["forget"]
    assert listed[0]["scope"] == "/project=acme/"
    assert hook in shown
    assert added["secret"] not in shown
    assert ask(store, "list")["webhooks"] == []
    assert len(ask(store, "list", "--all")["webhooks"]) == 1


def test_people_are_told_the_secret_once_and_that_words_leave_the_store(store):
    shown = run(store, "add", "n8n", "--url", "https://example.com/hook", "--with-content")

    assert "whsec_" in shown
    assert "cannot be shown again" in shown
    assert "words of memories leave" in shown
    assert "No webhooks" not in run(store, "list")


def test_a_webhook_that_takes_messages_in_shows_its_address(store):
    shown = run(store, "add", "ci", "--in", "--for", "project=acme")

    assert "POST /api/v1/hooks/hook-" in shown


def test_a_test_that_does_not_arrive_is_a_failure(store):
    added = ask(store, "add", "n8n", "--url", "http://127.0.0.1:9/nobody")

    shown = run(store, "test", added["webhook"]["id"], code=1)

    assert "did not arrive" in shown


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["add"], 2),
        (["add", "n8n"], 2),
        (["add", "n8n", "--url", "https://example.com/x", "--in"], 2),
        (["end"], 2),
        (["list", "something"], 2),
        (["list", "--below"], 2),
        (["end", "hook-1", "--all"], 2),
        (["end", "hook-1"], 1),
        (["test", "hook-1"], 1),
        (["add", "n8n", "--url", "http://example.com/x"], 1),
        (["add", "n8n", "--url", "https://example.com/x", "--event", "nonsense"], 1),
        (["add", "n8n", "--in", "--with-content"], 1),
    ],
)
def test_what_makes_no_sense_is_refused(store, words, code):
    run(store, *words, code=code)
