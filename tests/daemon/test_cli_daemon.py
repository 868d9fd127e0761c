"""`engram daemon`: start, status, stop, run."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from harness_waiting import wait_until

from engram import Engram
from engram.engine.background import seated

PROGRAM = [sys.executable, "-m", "engram", "daemon"]


def daemon(store: Path, action: str, *, code: int = 0) -> dict:
    done = subprocess.run(
        [*PROGRAM, action, "--store", str(store), "--json"],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done
    return json.loads(done.stdout)


def test_it_is_started_seen_and_stopped(store, end_what_was_started):
    with Engram.open(store, settings={"embedder": {"kind": "none"}}) as engram:
        engram.remember("Ada likes tea.")

    started = daemon(store, "start")
    again = daemon(store, "start")
    seen = daemon(store, "status")
    stopped = daemon(store, "stop")

    assert started["running"]
    assert started["started"]
    assert not again["started"]
    assert again["process"] == started["process"] == seen["process"]
    assert set(seen["waiting"]) == {"texts", "turns", "webhooks"}
    assert stopped == {"stopped": True}
    assert seated(store) is None


def test_looking_starts_nothing(store, monkeypatch):
    monkeypatch.setenv("ENGRAM_DAEMON__START", "auto")
    with Engram.open(store, settings={"embedder": {"kind": "none"}}) as engram:
        engram.remember("Ada likes tea.")

    seen = daemon(store, "status")

    assert not seen["running"]
    assert seen["waiting"]["texts"] == 1
    assert seated(store) is None
    assert daemon(store, "stop") == {"stopped": False}


def test_it_runs_in_the_foreground_until_interrupted(store):
    with subprocess.Popen(
        [*PROGRAM, "run", "--store", str(store), "--json"], stdout=subprocess.PIPE
    ) as running:
        wait_until(lambda: seated(store) is not None)
        second = daemon(store, "run", code=1)
        running.send_signal(signal.SIGINT)
        told = json.loads(running.stdout.read())

        assert running.wait(10) == 0
    assert told == {"left": "told"}
    assert "Another one" in second["error"]["hint"]


@pytest.mark.parametrize("action", ["start", "status", "stop", "run"])
def test_where_no_store_is_none_is_made(tmp_path, action):
    refused = daemon(tmp_path / "nothing", action, code=1)

    assert refused["error"]["code"].startswith("E")
    assert not (tmp_path / "nothing").exists()
