"""What the HTTP API bears on this machine: a steady stream of writes and recalls, and their times.

The schedule is open: a request is due at its moment whether or not the one before is answered, and
its time counts from that moment, so that a server that stalls cannot hide behind its callers. The
callers share the cores with the server, and are therefore a few threads that write bytes.
"""

import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.figures import Figure, named_size
from benchmarks.material import memories
from engram import Engram
from engram.memory.figures import percentile

_COUNT = 10_000
_CLIENTS = 8
_SECONDS = 20.0
_WARM_SECONDS = 4.0
_BAR_MILLISECONDS = 250.0
_HITS = 10


@dataclass(frozen=True, slots=True)
class Rates:
    """How many of each kind are due every second."""

    recalls: int
    writes: int


WANTED = Rates(200, 50)  # what a team's server has to bear
_BORNE = Rates(80, 20)  # what two cores do bear that the callers share


@dataclass(frozen=True, slots=True)
class Request:
    """One request, and when it is due."""

    due: float
    kind: str
    sent: bytes


@dataclass
class Tally:
    """What came of the requests of a kind."""

    milliseconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def measure(stores: Path) -> list[Figure]:
    """The rates that are wanted, and those that are borne."""
    return [*measure_at(stores, WANTED), *measure_at(stores, _BORNE)]


def measure_at(
    stores: Path, rates: Rates, *, workers: int = 2, embedder: str = "builtin"
) -> list[Figure]:
    """Serve a store of 10,000 memories while it is embedded anew, and load it."""
    store = kept_store(stores, _COUNT, embedder)
    key = _key(store)
    _embed_anew(store)
    with _served(store, workers) as (address, server):
        load(address, key, rates, seconds=_WARM_SECONDS, seed=1)
        spent, began = _processor_seconds(server), time.perf_counter()
        tallies = load(address, key, rates, seconds=_SECONDS, seed=2)
        spent, took = _processor_seconds(server) - spent, time.perf_counter() - began
        waiting = _waiting(store)
    return figures(tallies, rates, spent, took, waiting)


def kept_store(stores: Path, count: int, embedder: str) -> Path:
    """A store of that many memories, all embedded, built when it is not there."""
    store = stores / f"serving-{count}-{embedder}"
    if not store.exists():
        making = stores / f"{store.name}.making"
        with Engram.open(making, settings={"embedder": {"kind": "none"}}) as engram:
            engram.remember_many(memories(count))
            engram.upkeep.configure("embedder.kind", embedder)
        with Engram.open(making) as engram:
            engram.upkeep.embed()
        making.rename(store)
    return store


def _key(store: Path) -> str:
    with Engram.open(store) as engram:
        return str(engram.issue_key("bench", kind="person", role="writer").text)


def _embed_anew(store: Path) -> None:
    """Every vector is to be made once more, by the server and in the background."""
    with Engram.open(store) as engram:
        precision = engram.settings.embedder.precision
        other = "f16" if precision == "f32" else "f32"
        engram.upkeep.configure("embedder.precision", other)


def _waiting(store: Path) -> int:
    with Engram.open(store) as engram:
        return sum(each.waiting for each in engram._parts.embedding.fills())


@contextmanager
def _served(store: Path, workers: int) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-m", "engram", "serve", "--store", str(store), "--port", "0"]
    command += ["--workers", str(workers), "--json"]
    settings = {"ENGRAM_DAEMON__START": "never"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **settings})
    try:
        yield _announced(server), server.pid
    finally:
        server.terminate()
        server.wait(15)
        server.stdout.close()


def _announced(server: subprocess.Popen[bytes]) -> str:
    text = b""
    while not text.rstrip().endswith(b"}"):
        line = server.stdout.readline()
        if not line:
            raise SystemExit("the server has not begun")
        text += line
    return str(json.loads(text)["url"])


def load(address: str, key: str, rates: Rates, *, seconds: float, seed: int) -> dict[str, Tally]:
    """Send the whole schedule by eight callers; what came of it, by kind."""
    place = urlsplit(address)
    host, port = place.hostname or "127.0.0.1", place.port or 80
    requests = schedule(f"{host}:{port}", key, rates, seconds, seed)
    tallies = {kind: Tally() for kind in ("remember", "recall")}
    lock, began = threading.Lock(), time.perf_counter() + 0.5

    def call() -> None:
        with socket.create_connection((host, port), timeout=30) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while True:
                with lock:
                    request = next(requests, None)
                if request is None:
                    return
                _answer(connection, request, began, tallies[request.kind])

    threads = [threading.Thread(target=call) for _ in range(_CLIENTS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return tallies


def schedule(host: str, key: str, rates: Rates, seconds: float, seed: int) -> Iterator[Request]:
    """Requests at even distances, the two kinds mixed; no question and no memory comes twice."""
    chance = random.Random(seed)
    each_second = rates.writes + rates.recalls
    total = int(seconds * each_second)
    kinds = ["remember"] * int(seconds * rates.writes)
    kinds += ["recall"] * (total - len(kinds))
    chance.shuffle(kinds)
    told = iter(memories(total, seed=1_000 + seed))
    asked = iter(questions(total, seed=2_000 + seed))
    for number, kind in enumerate(kinds):
        if kind == "remember":
            text = f"{next(told)}, told at {time.time_ns()}"
            sent = _request(host, key, "/api/v1/memories", {"text": text})
        else:
            sent = _request(host, key, "/api/v1/recall", {"query": next(asked), "limit": _HITS})
        yield Request(number / each_second, kind, sent)


def questions(count: int, *, seed: int) -> list[str]:
    """Questions about such memories, each another one: half a sentence and a number."""
    said = [each.split() for each in memories(count, seed=seed)]
    return [
        f"What do we know about {' '.join(words[:5])} in case {number}?"
        for number, words in enumerate(said)
    ]


def _request(host: str, key: str, path: str, document: dict[str, object]) -> bytes:
    body = json.dumps(document).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _answer(connection: socket.socket, request: Request, began: float, tally: Tally) -> None:
    due = began + request.due
    if (early := due - time.perf_counter()) > 0:
        time.sleep(early)
    connection.sendall(request.sent)
    status = _read_answer(connection)
    tally.milliseconds.append((time.perf_counter() - due) * 1000)
    if not 200 <= status < 300:
        tally.failures.append(str(status))


def _read_answer(connection: socket.socket) -> int:
    read = b""
    while (end := read.find(b"\r\n\r\n")) < 0:
        read += _some(connection)
    head = read[:end].lower()
    start = head.index(b"content-length:") + len(b"content-length:")
    left = int(head[start:].split(b"\r\n", 1)[0]) - (len(read) - end - 4)
    while left > 0:
        left -= len(_some(connection))
    return int(head.split(b" ", 2)[1])


def _some(connection: socket.socket) -> bytes:
    found = connection.recv(262_144)
    if not found:
        raise SystemExit("the server has closed a connection")
    return found


def _processor_seconds(parent: int) -> float:
    """What a process and its children have used of the processor so far."""
    family, ticks = {parent}, 0
    for entry in sorted(Path("/proc").glob("[0-9]*"), key=lambda each: int(each.name)):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) in family or int(entry.name) == parent:
            family.add(int(entry.name))
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def figures(
    tallies: dict[str, Tally], rates: Rates, processor_seconds: float, seconds: float, waiting: int
) -> list[Figure]:
    """As rows: how long each kind took, what failed, and what it took of the machine."""
    size = named_size(_COUNT)
    made = []
    for kind, rate in (("recall", rates.recalls), ("remember", rates.writes)):
        times = tallies[kind].milliseconds
        last = percentile(times, 0.99)
        name = f"{kind} over HTTP at {size}, {rate}/s, 8 callers"
        bar = f"< {_BAR_MILLISECONDS:.0f} ms"
        made += [
            Figure(f"{name}, p50", percentile(times, 0.5), "ms", None, "", "", True),
            Figure(f"{name}, p99", last, "ms", None, "", bar, last < _BAR_MILLISECONDS),
        ]
    failed = sum(len(each.failures) for each in tallies.values())
    count = sum(len(each.milliseconds) for each in tallies.values())
    each_took = processor_seconds / count * 1000
    return [
        *made,
        Figure("requests that failed", failed, "", None, "", "= 0", failed == 0),
        Figure("requests answered over HTTP", count / seconds, "/s", None, "", "", True),
        Figure("processor time of the server per request", each_took, "ms", None, "", "", True),
        Figure("texts still to be embedded anew", waiting, "", None, "", "", True),
    ]


if __name__ == "__main__":
    place = Path(sys.argv[1])
    place.mkdir(parents=True, exist_ok=True)
    of = {name: value for name, _, value in (each.partition("=") for each in sys.argv[2:])}
    for figure in measure_at(
        place,
        Rates(int(of.get("recalls", WANTED.recalls)), int(of.get("writes", WANTED.writes))),
        workers=int(of.get("workers", "2")),
        embedder=of.get("embedder", "builtin"),
    ):
        print(f"{figure.name}: {figure.value:.1f} {figure.unit} {figure.bar}")
