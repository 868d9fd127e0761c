"""A server in a process of its own: what it answers, what it never writes, and how it ends."""

import os
import resource
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import pytest
from talking import HANDSHAKE, INITIALIZE, INITIALIZED, Talk, call, request

from engram import Engram, Scope

_LOOK = [sys.executable, "-c", "import sys; print(sys.stdin.read())"]


def test_the_handshake_and_the_tools_need_no_store(tmp_path):
    path = tmp_path / "a-file"
    path.write_text("not a store")

    with Talk(path) as talk:
        hello = talk.begin()
        listed = talk.ask(request(1, "tools/list"))
        refused = talk.tool(2, "memory_list")

    assert hello["result"]["serverInfo"]["name"] == "engram"
    assert len(listed["result"]["tools"]) == 8
    assert refused["isError"]
    assert refused["structuredContent"]["error"]["code"] == "E1007"


def test_a_store_that_could_not_be_opened_is_opened_once_it_can_be(tmp_path):
    path = tmp_path / "store"
    path.write_text("in the way")

    with Talk(path) as talk:
        talk.begin()
        before = talk.tool(1, "memory_store", content="Ada lives in Porto.")
        path.unlink()
        after = talk.tool(2, "memory_store", content="Ada lives in Porto.")

    assert before["isError"]
    assert after["structuredContent"]["kind"] == "stored"


def test_listing_tools_makes_no_store(tmp_path):
    with Talk(tmp_path / "store") as talk:
        talk.begin()
        talk.ask(request(1, "tools/list"))
        talk.end()

    assert not (tmp_path / "store").exists()


def test_what_is_stored_is_there_for_the_next_session(store_path):
    with Talk(store_path) as talk:
        talk.begin()
        stored = talk.tool(1, "memory_store", content="Ada lives in Porto.", importance=0.9)
        talk.end()
    with Talk(store_path) as talk:
        talk.begin()
        found = talk.tool(1, "memory_search", query="Where does Ada live?")

    best = found["structuredContent"]["hits"][0]
    assert best["content"] == "Ada lives in Porto."
    assert best["id"] == stored["structuredContent"]["memory"]["id"]
    assert "Ada lives in Porto." in found["content"][0]["text"]


def test_calls_come_from_an_agent_unless_a_person_says_otherwise(store_path):
    with Talk(store_path, "--scope", "project=acme") as talk:
        talk.begin()
        talk.tool(1, "memory_store", content="The billing service runs on Postgres.")
        talk.end()
    with Talk(store_path, "--scope", "project=acme", "--as", "person") as talk:
        talk.begin()
        talk.tool(1, "memory_store", content="We deploy on Fridays.")
        talk.end()

    with Engram.open(store_path) as engram:
        found = engram.list(scope=Scope(project="acme"))
    assert [(memory.scope.path, memory.source_class.value) for memory in found] == [
        ("/project=acme/", "person"),
        ("/project=acme/", "agent"),
    ]


def test_the_modern_era_is_served_too(store_path):
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    with Talk(store_path) as talk:
        discovered = talk.ask(request(1, "server/discover", _meta=meta))
        stored = talk.ask(
            request(
                2, "tools/call", name="memory_store", arguments={"content": "A fact."}, _meta=meta
            )
        )
        refused = talk.ask(request(3, "initialize", **HANDSHAKE))

    assert discovered["result"]["supportedVersions"] == ["2026-07-28"]
    assert stored["result"]["structuredContent"]["kind"] == "stored"
    assert refused["error"]["code"] == -32022


def test_a_handshake_that_is_not_plain_is_answered_by_the_sdk(store_path):
    with Talk(store_path) as talk:
        odd = request(7, "initialize", **HANDSHAKE, _meta={"progressToken": 1})
        answer = talk.ask(odd)
        again = talk.ask(request(8, "ping"))

    assert answer["result"]["serverInfo"]["name"] == "engram"
    assert again["result"] == {}


def test_the_handshake_is_answered_once(store_path):
    with Talk(store_path) as talk:
        talk.send(INITIALIZE, INITIALIZED, request(1, "ping"), request(2, "ping"))
        found = [talk.answer()["id"] for _ in range(3)]

        assert sorted(found) == [0, 1, 2]
        assert talk.is_quiet()


def test_every_kind_of_id_comes_back_as_it_was(store_path):
    with Talk(store_path) as talk:
        talk.send(request("é-1", "initialize", **HANDSHAKE))
        hello = talk.answer()
        talk.send(INITIALIZED)
        known = [0, 1, "1", "one", -1, 2**53, 10**30, ""]
        found = [talk.ask(request(each, "ping"))["id"] for each in known]

    assert hello["id"] == "é-1"
    assert [(type(each), each) for each in found] == [(type(each), each) for each in known]


@pytest.mark.failure("F18")
def test_fifty_calls_at_once_are_fifty_memories(store_path):
    with Talk(store_path) as talk:
        talk.begin()
        talk.send(*[call(n, "memory_store", content=f"Fact number {n}.") for n in range(1, 51)])
        answers = talk.answers(50)
        listed = talk.tool(99, "memory_list", limit=100)

    assert sorted(answer["id"] for answer in answers) == list(range(1, 51))
    assert {a["result"]["structuredContent"]["kind"] for a in answers} == {"stored"}
    assert len(listed["structuredContent"]["memories"]) == 50


_NOISE = """
import ctypes, os, sys, threading
_libc = ctypes.CDLL(None)
_noisy = {"mcp", "mcp_types", "anyio", "pydantic", "starlette", "apsw", "numpy", "engram.wiring"}

def _shout():
    sys.__stdout__.write("noise from print\\n")
    sys.__stdout__.flush()
    os.write(1, b"noise from a descriptor\\n")
    _libc.puts(b"noise from C")
    _libc.fflush(None)

def _always():
    while True:
        _shout()
        threading.Event().wait(0.005)

def _hook(event, arguments):
    if event == "import" and arguments[0] in _noisy:
        _noisy.discard(arguments[0])
        _shout()
        if arguments[0] == "anyio":
            threading.Thread(target=_always, daemon=True).start()

sys.addaudithook(_hook)
"""


@pytest.mark.failure("F40")
def test_nothing_that_prints_gets_into_the_protocol(store_path, tmp_path):
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_NOISE)
    options = {"PYTHONPATH": str(folder), "PYTHONWARNINGS": "always", "PYTHONUNBUFFERED": "1"}

    with Talk(store_path, **options) as talk:
        talk.begin()  # every line that comes is parsed
        talk.tool(1, "memory_store", content="Ada lives in Porto.")
        found = talk.tool(2, "memory_search", query="Where does Ada live?")
        talk.end()
        rest = talk.rest()
        talk.process.wait()

    assert found["structuredContent"]["hits"]
    assert rest == []
    assert all(word in talk.stderr for word in (b"from print", b"descriptor", b"from C"))


@pytest.mark.failure("F41")
def test_every_script_survives_any_locale(store_path):
    texts = [
        "Tôi thích cà phê sữa đá.",
        "私は日本語を話します。",
        "我喜欢用中文写作。",
        "Emoji 👩‍👩‍👧 and 🏳️‍🌈 stay whole.",
        "Ελληνικά, русский, العربية",
    ]
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    with Talk(store_path, **environment) as talk:
        talk.begin()
        for number, text in enumerate(texts, 1):
            stored = talk.tool(number, "memory_store", content=text)["structuredContent"]
            assert stored["memory"]["content"] == text
        raw = b'{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"memory_store",'
        talk.raw(raw + '"arguments":{"content":"Thẳng bằng UTF-8 日本"}}}\n'.encode())
        direct = talk.answer()
        talk.raw(raw.replace(b"50", b"51") + b'"arguments":{"content":"half \\ud83d pair"}}}\n')
        half = talk.answer()
        talk.raw(raw.replace(b"50", b'"\\udc00"') + b'"arguments":{"content":"x"}}}\n')
        odd = talk.answer()
        listed = talk.tool(60, "memory_list")["structuredContent"]["memories"]

    assert direct["result"]["structuredContent"]["memory"]["content"] == "Thẳng bằng UTF-8 日本"
    assert half["id"] == 51
    assert half["result"]["isError"]
    assert odd["id"] in ("\udc00", None)
    assert {memory["content"] for memory in listed} >= set(texts)


@pytest.mark.failure("F42")
def test_an_embedder_that_hangs_delays_nothing(store_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"  # it is listened to, never answered
        environment = {
            "ENGRAM_EMBEDDER__KIND": "url",
            "ENGRAM_EMBEDDER__URL": url,
            "ENGRAM_EMBEDDER__MODEL": "slow",
            "ENGRAM_EMBEDDER__TIMEOUT_SECONDS": "60",
        }
        Engram.open(store_path).close()
        with Talk(store_path, **environment) as talk:
            started = time.perf_counter()
            talk.begin()
            greeted = time.perf_counter() - started
            stored = talk.tool(1, "memory_store", content="Ada lives in Porto.")
            done = time.perf_counter() - started

    assert greeted < 1
    assert stored["structuredContent"]["kind"] == "stored"
    assert done < 10


@pytest.mark.failure("F44")
def test_a_write_that_fails_is_told_as_an_error_and_one_that_is_told_is_there(store_path):
    with Talk(store_path) as talk:
        talk.begin()
        good = talk.tool(1, "memory_store", content="Kept before.")
        size = (store_path / "engram.db-wal").stat().st_size
        limits = resource.prlimit(talk.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(talk.process.pid, resource.RLIMIT_FSIZE, (size, limits[1]))
        bad = talk.tool(2, "memory_store", content="Never kept.")

    assert good["structuredContent"]["kind"] == "stored"
    assert bad["isError"]
    assert bad["structuredContent"]["error"]["code"] == "E1005"
    with Engram.open(store_path) as engram:
        assert [memory.content for memory in engram.list()] == ["Kept before."]


def test_it_ends_soon_after_the_client_closed_its_end_and_left_the_store_in_order(store_path):
    with Talk(store_path) as talk:
        talk.begin()
        talk.tool(1, "memory_store", content="Ada lives in Porto.")
        took = talk.end()

    assert took < 1
    with Engram.open(store_path) as engram:
        assert [memory.content for memory in engram.list()] == ["Ada lives in Porto."]
        assert engram.doctor().is_fine
    assert "recovered" not in _last_opening(store_path)


def _last_opening(store: Path) -> str:
    lines = [line for log in store.glob("logs/*.log") for line in log.read_text().splitlines()]
    opened = [line for line in lines if "open" in line]
    return "recovered" if any('"recovered": 1' in line for line in opened) else ""


def test_what_was_asked_before_the_end_is_still_answered(store_path):
    Engram.open(store_path).close()
    with Talk(store_path) as talk:
        talk.send(INITIALIZE, INITIALIZED, call(1, "memory_store", content="A last word."))
        talk.process.stdin.close()
        answers = talk.rest()

    assert [answer["id"] for answer in answers] == [0, 1]
    assert answers[1]["result"]["structuredContent"]["kind"] == "stored"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(store_path, number):
    with Talk(store_path) as talk:
        talk.begin()
        talk.tool(1, "memory_store", content="Ada lives in Porto.")
        started = time.perf_counter()
        talk.process.send_signal(number)
        code = talk.process.wait(10)
        took = time.perf_counter() - started

    assert code == 0
    assert took < 1
    assert "recovered" not in _last_opening(store_path)


def test_it_ends_when_nobody_reads_what_it_says(store_path):
    with Talk(store_path) as talk:
        talk.begin()
        talk.tool(1, "memory_list")
        _stop_reading(talk)
        started = time.perf_counter()
        while talk.process.poll() is None and time.perf_counter() - started < 10:
            try:
                talk.send(request(2, "ping"))
            except BrokenPipeError:
                break
            time.sleep(0.02)
        code = talk.process.wait(10)

    assert code == 0


def _stop_reading(talk: Talk) -> None:
    """Close the client's end although a thread is reading from it."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, talk.process.stdout.fileno())
    os.close(nothing)
    talk.send(request(1_000, "ping"))  # wakes the reader, which then reads of nothing


def test_a_child_process_finds_nothing_on_its_stdin(tmp_path, store_path):
    """What a tool starts could otherwise swallow the client's next request."""
    script = (
        "import os, subprocess, sys; from engram.surfaces.mcp.wire import claim; wire = claim();"
        f"found = subprocess.run({_LOOK!r}, capture_output=True).stdout.strip();"
        "wire.write({'child': found.decode(), 'line': wire.read_line().decode()})"
    )
    with Talk(store_path, command=[sys.executable, "-c", script]) as talk:
        talk.raw(b"for the server\n")
        answer = talk.answer()

    assert answer == {"child": "", "line": "for the server"}


def test_a_client_that_does_not_read_is_waited_for_and_not_stored_up(store_path):
    messages = [INITIALIZE, INITIALIZED, *[request(n, "tools/list") for n in range(1, 3_001)]]
    with Talk(store_path, is_deaf=True) as talk:
        sending = threading.Thread(target=talk.send, args=messages, daemon=True)
        sending.start()
        sending.join(4)
        was_waiting = sending.is_alive()
        talk.listen()
        answers = talk.answers(3_001)
        sending.join(10)

    assert was_waiting  # else all three thousand would lie in its memory
    assert sorted(answer["id"] for answer in answers) == list(range(3_001))


@pytest.mark.parametrize(
    "words",
    [("--tools", "most"), ("--policy", "none"), ("--as", "nobody"), ("--within", "agent=a")],
)
def test_a_word_that_is_none_is_refused_before_anything_is_served(tmp_path, words):
    command = [sys.executable, "-c", "from engram.surfaces.cli import mcp, main; main()", "mcp"]
    with Talk(tmp_path / "store", *words, command=command) as talk:
        assert talk.process.wait(30) == 2
        assert talk.rest() == []
    assert words[0].encode() in talk.stderr
