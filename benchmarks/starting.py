"""How soon a fresh process can answer, and how much memory it takes: each in its own process."""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.figures import Figure, middle, timed
from benchmarks.material import memories
from engram import Engram

_RUNS = 7
_FIRST_RECALL = """
import json, sys, time
started = time.perf_counter()
from engram import Engram
imported = time.perf_counter()
engram = Engram.open(sys.argv[1])
hits = engram.recall("which version of postgres does billing run on?")
answered = time.perf_counter()
status = open("/proc/self/status").read()  # getrusage would count the parent's memory too
peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
engram.close()
print(json.dumps({"open": answered - imported, "import": imported - started, "rss": peak,
                  "hits": len(hits)}))
"""


def measure(folder: Path) -> list[Figure]:
    store = folder / "start"
    with Engram.open(store) as engram:
        engram.remember_many(memories(10_000))
        engram.backup()
    runs = [_first_recall(store) for _ in range(_RUNS)]
    opened = middle([run["open"] for run in runs]) * 1000
    peak = max(run["rss"] for run in runs)
    python = middle([timed(lambda: _run("-c", "pass")) for _ in range(_RUNS)]) * 1000
    help_ = middle([timed(lambda: _run("-m", "engram", "--help")) for _ in range(_RUNS)]) * 1000
    return [
        Figure("open + first recall at 10K", opened, "ms", None, "", "< 150 ms", opened < 150),
        Figure("memory of that process", peak, "MB", None, "", "≤ 80 MB", peak <= 80),
        Figure("engram --help", help_, "ms", python, "python -c pass", "< 300 ms", help_ < 300),
    ]


def _first_recall(store: Path) -> dict[str, float]:
    found = json.loads(_run("-c", _FIRST_RECALL, str(store)))
    assert found["hits"], "the recall found nothing, so its time says nothing"
    return found


def _run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True)
    return done.stdout
