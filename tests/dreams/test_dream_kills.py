"""A dream that is really killed, and two processes that would dream at once."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from clock import FakeClock
from dump import logical_dump
from lively import SETTINGS, fill

from engram import Engram
from engram.errors import DreamRunning

_DREAM = """
import json, sys
from datetime import datetime
from engram import Engram
moment = datetime.fromisoformat(sys.argv[2])
with Engram.open(sys.argv[1], clock=lambda: moment, settings=json.loads(sys.argv[3])) as engram:
    engram.dream()
"""


def begun(store: Path, moment, failpoint: str) -> "subprocess.Popen[bytes]":
    """A process that dreams until it comes to a failpoint."""
    marker = store.parent / f"marker-{time.monotonic_ns()}"
    place, _, skip = failpoint.partition(":")
    child = subprocess.Popen(
        [sys.executable, "-c", _DREAM, str(store), moment.isoformat(), json.dumps(SETTINGS)],
        env={**os.environ, "ENGRAM_FAILPOINT": f"{place},{marker},{skip}"},
    )
    until = time.monotonic() + 60
    while not marker.exists() and child.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert marker.exists(), "it never came there"
    return child


@pytest.mark.failure("F09")
def test_a_killed_dream_lets_go_and_goes_on_and_loses_nothing(tmp_path):
    clock = FakeClock()
    store = tmp_path / "store"
    with Engram.open(store, clock=clock, settings=SETTINGS) as engram:
        fill(engram, clock)
        before = {each.id for each in engram.list(limit=1_000, status="any")}
        untouched = logical_dump(engram)

    for failpoint in ("dream_before_commit:3", "dream_after_decision:1", "dream_before_mark:6"):
        child = begun(store, clock.time, failpoint)
        with (
            Engram.open(store, clock=clock, settings=SETTINGS) as engram,
            pytest.raises(DreamRunning),
        ):
            engram.dream()
        child.send_signal(signal.SIGKILL)
        child.wait(30)

    with Engram.open(store, clock=clock, settings=SETTINGS) as engram:
        report = engram.dream()
        assert report.is_resumed
        assert engram.dream().decisions == 0
        assert before <= {each.id for each in engram.list(limit=1_000, status="any")}
        assert engram.verify_audit().is_intact
        assert engram.doctor().is_fine
        engram.undo(report.id)
        assert logical_dump(engram) == untouched
