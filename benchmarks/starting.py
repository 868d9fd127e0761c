"""How soon a fresh process can answer, and how much memory it takes: each in its own process."""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.conversations import questions
from benchmarks.figures import Figure, middle, named_size, timed
from benchmarks.stores import Kept
from engram import Engram

_RUNS = 7
_WITHIN_BARS = 100_000  # memories: beyond, nothing is promised of the size of a process
_QUESTION = "which version of postgres does billing run on?"
_ANSWERING = """
import json, sys, time
started = time.perf_counter()
from engram import Engram, Scope
from engram.errors import SearchTimeout
from engram.memory.scopes import Principal
imported = time.perf_counter()
path, task, *questions = sys.argv[1:]

def megabytes(name):
    status = open("/proc/self/status").read()  # getrusage would count the parent's memory too
    return int(status.split(name + ":")[1].split()[0]) / 1024

settings = {} if task == "first" else {"recall": {"timeout_seconds": 600.0}}
engram = Engram.open(path, principal=Principal.orchestrator(Scope()), settings=settings)
opened = time.perf_counter()
hits, refused = (), 0
while not hits and refused < 5:
    try:
        hits = engram.recall(questions[0])
    except SearchTimeout:  # a caller would ask again
        refused += 1
answered = time.perf_counter()
for question in questions[1:]:
    engram.recall(question)
told = {"import": imported - started, "open": opened - imported, "first": answered - opened,
        "hits": len(hits), "refused": refused, "rss": megabytes("VmRSS")}
if task == "fifty":
    from engram.providers.minilm import MiniLmEmbedder
    embedder = MiniLmEmbedder()
    embedder.embed(questions[:1])
    told |= {"rss with model": megabytes("VmRSS"), "peak with model": megabytes("VmHWM")}
engram.close()
print(json.dumps(told))
"""


def measure(kept: Kept) -> list[Figure]:
    """The first answer, and what the process has grown to after fifty."""
    size, most = named_size(kept.count), 350 if kept.count <= _WITHIN_BARS else 0
    asked = questions(50, among=kept.count, seed=9)
    runs = [_answer(kept.path, "first", asked[:1]) for _ in range(_RUNS)]
    answered = middle([run["open"] + run["first"] for run in runs]) * 1000
    refused = max(run["refused"] for run in runs)
    later = _answer(kept.path, "fifty", asked)
    loaded, peak = later["rss with model"], later["peak with model"]
    return [
        _barred(f"open + first recall at {size}", answered, "ms", 1_000 * (kept.count <= 10_000)),
        Figure(f"refused before that at {size}", refused, "times", None, "", "= 0", not refused),
        _barred(f"memory at {size} after 50 recalls", later["rss"], "MB", most),
        _barred(f"memory at {size} with the built-in model", loaded, "MB", most),
        _barred(f"peak at {size}, while the model loads", peak, "MB", 0),
    ]


def _barred(name: str, value: float, unit: str, most: int) -> Figure:
    """A figure that must not be above something; 0: it need not keep below anything."""
    bar = f"≤ {most:,} {unit}" if most else ""
    return Figure(name, value, unit, None, "", bar, value <= most or not most)


def measure_commands(folder: Path) -> list[Figure]:
    """The command line, with the built-in model and without."""
    place = folder / "start"
    with Engram.open(place) as engram:
        engram.remember_many([f"Service {each} runs on postgres {each}.4" for each in range(200)])
        engram.upkeep.embed()
    asked = ("recall", _QUESTION, "--store", str(place))
    python = middle([timed(lambda: _run("-c", "pass")) for _ in range(_RUNS)]) * 1000
    help_ = middle([timed(lambda: _run("-m", "engram", "--help")) for _ in range(_RUNS)]) * 1000
    recall = middle([timed(lambda: _run("-m", "engram", *asked)) for _ in range(_RUNS)]) * 1000
    with Engram.open(place) as engram:
        engram.upkeep.configure("embedder.kind", "none")
    words = middle([timed(lambda: _run("-m", "engram", *asked)) for _ in range(_RUNS)]) * 1000
    name = "python -c pass"
    return [
        Figure("engram --help", help_, "ms", python, name, "< 300 ms", help_ < 300),
        Figure("engram recall, the built-in model loaded for it", recall, "ms", python, name, "",
               True),
        Figure("engram recall, no embedder", words, "ms", python, name, "", True),
    ]  # fmt: skip


def _answer(store: Path, task: str, asked: list[str]) -> dict[str, float]:
    found: dict[str, float] = json.loads(_run("-c", _ANSWERING, str(store), task, *asked))
    assert found["hits"] or found["refused"], "the recall found nothing, so its time says nothing"
    return found


def _run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True)
    return done.stdout
