"""Whatever goes wrong unforeseen, no value of it is shown: kinds and places, module and line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engram import Engram

CANARY = "zebrafinch-7731"

# An error of somebody else's, with words of a memory in its text, its arguments and its locals.
_BROKEN = f"""
import threading
from engram.engine import Engram
class Foreign(Exception):
    pass
def broken(self, *given, **named):
    held = "{CANARY} in a local"
    try:
        raise KeyError("{CANARY} in a cause")
    except KeyError as error:
        raise Foreign("{CANARY} in a text", held) from error
"""
_INTO = {
    "a call": "Engram.stats = broken\n",
    "a thread": (
        "def stats(self, **named):\n"
        "    thread = threading.Thread(target=broken, args=(self,))\n"
        "    thread.start(); thread.join()\n"
        "    raise SystemExit(1)\n"
        "Engram.stats = stats\n"
    ),
    "a destructor": (
        "class Held:\n"
        "    def __del__(self):\n"
        "        broken(None)\n"
        "def stats(self, **named):\n"
        "    Held()\n"
        "    raise SystemExit(1)\n"
        "Engram.stats = stats\n"
    ),
    "opening": (
        "import engram.wiring\nengram.wiring.LiveSettings.__init__ = broken\n"
    ),
}  # fmt: skip


def run(tmp_path: Path, into: str, *words: str, **environment: str) -> str:
    """Everything a command prints when something of it breaks."""
    (tmp_path / "sitecustomize.py").write_text(_BROKEN + _INTO[into])
    store = tmp_path / "store"
    if not store.exists():
        with Engram.open(store) as engram:
            engram.remember(f"A fact of {CANARY}.")
    ended = subprocess.run(
        [sys.executable, "-m", "engram", *words, "--store", str(store)],
        env={**os.environ, "PYTHONPATH": str(tmp_path), **environment},
        text=True,
        capture_output=True,
    )
    assert ended.returncode == 1, ended.stderr
    return ended.stdout + ended.stderr


@pytest.mark.parametrize("into", _INTO)
def test_a_command_that_breaks_shows_no_value(tmp_path, into):
    told = run(tmp_path, into, "stats")

    assert CANARY not in told
    assert "Foreign" in told


def test_neither_in_json_nor_for_developers(tmp_path):
    as_json = run(tmp_path, "a call", "stats", "--json")
    developing = run(tmp_path, "a call", "stats", PYTHONDEVMODE="1", PYTHONFAULTHANDLER="1")

    assert CANARY not in as_json + developing


def test_who_debugs_is_told_the_places_and_no_value(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(_BROKEN + _INTO["a call"])
    Engram.open(tmp_path / "store").close()
    ended = subprocess.run(
        [sys.executable, "-m", "engram", "--debug", "stats", "--store", str(tmp_path / "store")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        text=True,
        capture_output=True,
    )

    assert "Foreign at sitecustomize.py:" in ended.stderr
    assert "KeyError at sitecustomize.py:" in ended.stderr
    assert CANARY not in ended.stdout + ended.stderr


_LOGGING = f"""
import asyncio, logging, sys
from engram.surfaces.unexpected import quieten_loggers, unexpected
quieten_loggers()
quieten_loggers()
try:
    raise ValueError("{CANARY}")
except ValueError as error:
    logging.getLogger("third.party").error("{CANARY} %s", "{CANARY}", exc_info=True)
    unexpected(error)
async def forgotten():
    async def fails():
        raise ValueError("{CANARY}")
    task = asyncio.ensure_future(fails())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task
    import gc; gc.collect()
asyncio.run(forgotten())
logging.getLogger("third.party").debug("{CANARY}")
"""


def test_what_libraries_log_in_a_server_is_a_place_and_never_a_word():
    ended = subprocess.run(
        [sys.executable, "-c", _LOGGING], env=dict(os.environ), text=True, capture_output=True
    )

    assert ended.returncode == 0, ended.stderr
    assert CANARY not in ended.stdout + ended.stderr
    assert ended.stderr.count("third.party at <string>:") == 1
    assert "error: asyncio at" in ended.stderr
    assert "error: unexpected ValueError at <string>:" in ended.stderr


def test_the_process_in_the_background_says_nothing_at_all(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(_BROKEN + _INTO["opening"])
    Engram.open(tmp_path / "store").close()
    ended = subprocess.run(
        [sys.executable, "-m", "engram.surfaces.daemon", str(tmp_path / "store")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        input="{}",
        text=True,
        capture_output=True,
    )

    assert ended.returncode == 1
    assert CANARY not in ended.stdout + ended.stderr
