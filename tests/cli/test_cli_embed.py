"""`engram embed`: embeds what waits, says what came of it, and exits accordingly."""

import json
import os
import subprocess
import sys


def run(store_path, *words, **environment):
    return subprocess.run(
        [sys.executable, "-m", "engram", *words, "--store", str(store_path)],
        env={**os.environ, "NO_COLOR": "1", **environment},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


HASHING = {"ENGRAM_EMBEDDER__KIND": "hashing", "ENGRAM_EMBEDDER__HASHING_DIMENSION": "64"}


def test_what_waits_is_embedded_and_counted(store_path):
    run(store_path, "remember", "Herons fish at dawn.", ENGRAM_EMBEDDER__KIND="none")

    done = run(store_path, "embed", "--json", **HASHING)

    document = json.loads(done.stdout)
    assert done.returncode == 0
    assert (document["embedded"], document["waiting"], document["failed"]) == (1, 0, 0)
    (space,) = document["spaces"]
    assert (space["state"], space["dimension"], space["vectors"]) == ("active", 64, 1)
    again = run(store_path, "embed", **HASHING)
    assert "Embedded 0 memories." in again.stdout


def test_without_an_embedder_it_says_so_and_fails(store_path):
    run(store_path, "remember", "Herons fish at dawn.", ENGRAM_EMBEDDER__KIND="none")

    done = run(store_path, "embed", "--json", ENGRAM_EMBEDDER__KIND="none")

    assert done.returncode == 1
    assert "E3001" in done.stdout


def test_a_server_that_is_away_leaves_it_waiting(store_path):
    away = {
        "ENGRAM_EMBEDDER__KIND": "url",
        "ENGRAM_EMBEDDER__URL": "http://127.0.0.1:9/v1",
        "ENGRAM_EMBEDDER__RETRIES": "0",
    }
    run(store_path, "remember", "Herons fish at dawn.", **away)

    done = run(store_path, "embed", "--json", **away)

    document = json.loads(done.stdout)
    assert (done.returncode, document["waiting"], bool(document["problem"])) == (1, 1, True)
