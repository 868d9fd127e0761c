"""Embedding by a server: a real one, here, that answers well, badly, late or not at all."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from engram.errors import ConfigInvalid, EmbedderUnavailable
from engram.providers.hashing import HashingEmbedder
from engram.providers.openai_compatible import UrlEmbedder
from engram.providers.options import EmbedderOptions
from providers.contract import EmbedderContract

DIMENSION = 12
KEY = "sk-not-to-be-seen"


@dataclass
class Reply:
    """What the server says."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0


@dataclass
class Asked:
    """What the server was sent."""

    path: str
    model: str
    texts: list[str]
    authorization: str | None


@dataclass
class Server:
    """A model server whose answers a test decides on."""

    url: str = ""
    reply: Callable[[list[str]], Reply] = field(default=lambda texts: good(texts))
    asked: list[Asked] = field(default_factory=list)


def good(texts: list[str]) -> Reply:
    """The right answer, in an order of the server's own."""
    rows = HashingEmbedder(dimension=DIMENSION).embed(texts) * 3.0
    entries = [{"index": n, "embedding": row.tolist()} for n, row in enumerate(rows)]
    return Reply(body=json.dumps({"data": entries[::-1]}).encode())


def says(*embeddings: object, **extra: object) -> Callable[[list[str]], Reply]:
    entries = [{"index": n, "embedding": each, **extra} for n, each in enumerate(embeddings)]
    return lambda texts: Reply(body=json.dumps({"data": entries}).encode())


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    state = Server()

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            sent = json.loads(self.rfile.read(length))
            state.asked.append(
                Asked(self.path, sent["model"], sent["input"], self.headers["Authorization"])
            )
            reply = state.reply(sent["input"])
            time.sleep(reply.delay_seconds)
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
            except OSError:
                pass  # the client was right to hang up

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

    with Quiet(("127.0.0.1", 0), Answering) as listening:
        state.url = f"http://127.0.0.1:{listening.server_address[1]}/v1"
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield state
        listening.shutdown()
        thread.join()


@pytest.fixture
def server(running: Server) -> Server:
    running.reply = good
    running.asked.clear()
    return running


class Time:
    """A clock that sleeping moves on."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


@pytest.fixture
def at() -> Time:
    return Time()


@pytest.fixture
def connect(server: Server, at: Time) -> Callable[..., UrlEmbedder]:
    def connected(*, api_key: str | None = None, **values: object) -> UrlEmbedder:
        options = EmbedderOptions(**{"kind": "url", "url": server.url, **values})
        return UrlEmbedder(options, api_key=api_key, sleep=at.sleep, clock=at.clock)

    return connected


@pytest.fixture
def embedder(connect) -> UrlEmbedder:
    return connect()


class TestUrl(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _serve(self, connect) -> None:
        self.fresh = connect


def test_texts_go_out_in_batches_and_come_back_in_order(server, connect):
    texts = [f"text {n}" for n in range(10)]

    rows = connect(batch=4, model="a-model").embed(texts)

    assert [len(each.texts) for each in server.asked] == [4, 4, 2]
    assert {(each.path, each.model) for each in server.asked} == {("/v1/embeddings", "a-model")}
    assert np.allclose(rows, HashingEmbedder(dimension=DIMENSION).embed(texts), atol=1e-6)


def test_the_dimension_is_unknown_until_the_server_has_answered(embedder):
    assert embedder.dimension is None
    assert not embedder.is_loaded

    embedder.embed(["first"])

    assert embedder.dimension == DIMENSION
    assert embedder.is_loaded


def test_warming_asks_the_server_once_in_the_background(server, embedder):
    embedder.warm()
    deadline = time.monotonic() + 20
    while embedder.dimension is None and time.monotonic() < deadline:
        time.sleep(0.01)
    embedder.warm()

    assert embedder.dimension == DIMENSION
    assert len(server.asked) == 1


def test_an_empty_text_is_not_sent_empty(server, embedder):
    embedder.embed(["", " \n"])

    assert all(text.strip() for text in server.asked[0].texts)


def test_a_long_text_is_sent_shortened(server, connect):
    connect(max_characters=300).embed(["word " * 1_000])

    assert len(server.asked[0].texts[0]) <= 300


@pytest.mark.parametrize(
    "reply",
    [
        says([1.0, 2.0]),
        says([1.0, 2.0], [1.0, 2.0], [1.0, 2.0]),
        says([1.0, 2.0], [1.0]),
        says([1.0, float("nan")], [1.0, 2.0]),
        says([1.0, float("inf")], [1.0, 2.0]),
        says([1.0, 10**400], [1.0, 2.0]),
        says([], []),
        says("text", "text"),
        says(None, None),
        says([[1.0]], [[2.0]]),
        says([1.0], [2.0], index=0),
        says([1.0], [2.0], index="x"),
        lambda texts: Reply(
            body=b'{"data": [{"index": 0.5, "embedding": [1]}, {"index": 1.5, "embedding": [2]}]}'
        ),
        lambda texts: Reply(
            body=b'{"data": [{"index": false, "embedding": [1]}, '
            b'{"index": true, "embedding": [2]}]}'
        ),
        lambda texts: Reply(
            body=b'{"data": [{"index": "0", "embedding": [1]}, {"index": "1", "embedding": [2]}]}'
        ),
        lambda texts: Reply(
            body=b'{"data": [{"index": null, "embedding": [1]}, {"index": null, "embedding": [2]}]}'
        ),
        lambda texts: Reply(body=b""),
        lambda texts: Reply(body=b"not json"),
        lambda texts: Reply(body=b"\xff\xfe"),
        lambda texts: Reply(body=b"[]"),
        lambda texts: Reply(body=b'{"data": 3}'),
        lambda texts: Reply(body=b'{"data": [1, 2]}'),
        lambda texts: Reply(body=b"[" * 100_000),
    ],
)
def test_a_wrong_answer_is_refused(server, embedder, reply):
    server.reply = reply

    with pytest.raises(EmbedderUnavailable, match="not one finite vector"):
        embedder.embed(["one", "two"])

    assert embedder.dimension is None


def test_vectors_of_any_size_are_brought_to_length_one(server, embedder):
    server.reply = says([1e300, 0.0], [0.0, 0.0], [1e-300, 1e-300])

    rows = embedder.embed(["huge", "nothing", "tiny"])

    half = 0.5**0.5
    assert np.allclose(rows, [[1.0, 0.0], [half, half], [half, half]], atol=1e-6)


def test_another_dimension_than_before_is_refused(server, embedder):
    embedder.embed(["before"])
    server.reply = says([1.0, 2.0])

    with pytest.raises(EmbedderUnavailable, match="another length"):
        embedder.embed(["after"])

    assert embedder.dimension == DIMENSION


def test_an_answer_that_is_too_large_is_not_read_to_its_end(server, embedder):
    server.reply = lambda texts: Reply(body=b" " * 2_000_000)

    with pytest.raises(EmbedderUnavailable, match="larger than"):
        embedder.embed(["one"])


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(server, embedder, status):
    server.reply = lambda texts: Reply(status, headers={"Location": "http://127.0.0.1:9/v1"})

    with pytest.raises(EmbedderUnavailable, match="redirects"):
        embedder.embed(["one"])

    assert len(server.asked) == 1


def test_a_server_that_is_too_slow_is_not_waited_for(server):
    server.reply = lambda texts: Reply(delay_seconds=1.0)
    options = EmbedderOptions(kind="url", url=server.url, timeout_seconds=0.15)

    started = time.monotonic()
    with pytest.raises(EmbedderUnavailable, match="too long"):
        UrlEmbedder(options).embed(["one"])

    assert time.monotonic() - started < 0.9


def test_a_server_that_drips_is_not_waited_for():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        options = EmbedderOptions(kind="url", url=url, timeout_seconds=0.3)

        started = time.monotonic()
        with pytest.raises(EmbedderUnavailable, match="too long"):
            UrlEmbedder(options).embed(["one"])

        assert time.monotonic() - started < 1.5
        thread.join()


def drip(listening: socket.socket) -> None:
    connection, _ = listening.accept()
    with connection:
        connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        try:
            for _ in range(200):
                connection.sendall(b" ")
                time.sleep(0.02)
        except OSError:
            pass  # the client hung up, as it should


def test_a_server_that_is_not_there_is_unavailable_at_once(at):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    options = EmbedderOptions(kind="url", url=f"http://127.0.0.1:{port}")

    with pytest.raises(EmbedderUnavailable, match="is the server running"):
        UrlEmbedder(options, sleep=at.sleep, clock=at.clock).embed(["one"])

    assert at.slept == []


def test_a_server_that_hangs_up_is_unavailable():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=lambda: listening.accept()[0].close(), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"

        with pytest.raises(EmbedderUnavailable, match="no proper answer"):
            UrlEmbedder(EmbedderOptions(kind="url", url=url)).embed(["one"])

        thread.join()


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again_and_waits_grow(server, connect, at, status):
    server.reply = lambda texts: Reply(status) if len(server.asked) < 3 else good(texts)

    rows = connect(retries=2).embed(["one"])

    assert rows.shape == (1, DIMENSION)
    assert at.slept == [0.25, 0.5]


def test_tries_are_limited(server, connect):
    server.reply = lambda texts: Reply(503)

    with pytest.raises(EmbedderUnavailable, match="status 503"):
        connect(retries=1).embed(["one"])

    assert len(server.asked) == 2


@pytest.mark.parametrize(("asked", "slept"), [("2", 2.0), ("100", 4.0), ("soon", 0.25)])
def test_the_server_may_ask_for_a_longer_wait_within_reason(server, connect, at, asked, slept):
    busy = Reply(429, headers={"Retry-After": asked})
    server.reply = lambda texts: busy if len(server.asked) < 2 else good(texts)

    connect().embed(["one"])

    assert at.slept == [slept]


def test_no_wait_goes_past_the_time_allowed(server, connect, at):
    server.reply = lambda texts: Reply(429, headers={"Retry-After": "3"})

    with pytest.raises(EmbedderUnavailable, match="busy"):
        connect(timeout_seconds=2.0, retries=5).embed(["one"])

    assert at.slept == []


@pytest.mark.parametrize("status", [400, 413, 422])
def test_texts_that_are_too_long_for_the_server_are_halved(server, connect, status):
    server.reply = lambda texts: Reply(status) if len("".join(texts)) > 1_500 else good(texts)

    rows = connect().embed(["short", "x" * 5_000, "also short", "y" * 1_400])

    assert rows.shape == (4, DIMENSION)


@pytest.mark.parametrize(
    ("status", "hint"), [(401, "key"), (403, "key"), (404, "embedder.model"), (418, "418")]
)
def test_a_refusal_is_not_repeated_and_says_what_to_do(server, embedder, status, hint):
    server.reply = lambda texts: Reply(status, body=b"no, because of a secret thought")

    with pytest.raises(EmbedderUnavailable, match=hint) as raised:
        embedder.embed(["a secret thought"])

    assert len(server.asked) == 1
    assert "secret" not in str(raised.value)


def test_a_server_that_refuses_every_text_is_unavailable(server, embedder):
    server.reply = lambda texts: Reply(400)

    with pytest.raises(EmbedderUnavailable, match="refuses the texts"):
        embedder.embed(["one", "two"])


def test_after_three_failures_the_server_is_left_alone_for_a_while(server, connect, at):
    paused = connect(retries=0, pause_seconds=30.0)
    paused.embed(["well"])
    server.reply = lambda texts: Reply(500)
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable, match="status 500"):
            paused.embed(["one"])
    count = len(server.asked)

    at.now += 29.0
    with pytest.raises(EmbedderUnavailable, match="in a row"):
        paused.embed(["one"])
    assert len(server.asked) == count
    assert not paused.is_loaded

    at.now += 1.5
    with pytest.raises(EmbedderUnavailable, match="status 500"):
        paused.embed(["one"])
    with pytest.raises(EmbedderUnavailable, match="in a row"):
        paused.embed(["one"])

    at.now += 31.0
    server.reply = good
    assert paused.embed(["one"]).shape == (1, DIMENSION)
    assert paused.is_loaded


def test_two_failures_and_a_success_do_not_count_as_three_in_a_row(server, connect):
    steady = connect(retries=0)
    server.reply = lambda texts: good(texts) if texts == ["well"] else Reply(500)

    for text in ("ill", "ill", "well", "ill", "ill"):
        if text == "well":
            steady.embed([text])
        else:
            with pytest.raises(EmbedderUnavailable, match="status 500"):
                steady.embed([text])

    assert steady.embed(["well"]).shape == (1, DIMENSION)


def test_the_key_goes_to_the_server_and_nowhere_else(server, connect):
    keyed = connect(api_key=KEY)
    keyed.embed(["one"])
    server.reply = lambda texts: Reply(401, body=KEY.encode())

    with pytest.raises(EmbedderUnavailable) as raised:
        keyed.embed(["one"])

    assert server.asked[0].authorization == f"Bearer {KEY}"
    assert KEY not in f"{raised.value!r}{raised.value}{keyed.identity}{keyed!r}"


@pytest.mark.parametrize("key", ["two\nlines", "schlüssel", "a\x00b"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_shown(connect, key):
    with pytest.raises(ConfigInvalid) as raised:
        connect(api_key=key)

    assert key not in f"{raised.value}"


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost:11434", "ftp://localhost/v1", "http://", "http://name:word@localhost/v1",
        "http://localhost/v1?key=1", "http://localhost/v1#part", "http://localhost:99999/v1",
        "http://[::1/v1", "http://example.com/v1", "http://192.0.2.7:8000/v1",
        "http://localhost.example.com/v1",
    ],
)  # fmt: skip
def test_a_url_that_is_wrong_or_unsafe_is_refused_at_once(url):
    with pytest.raises(ConfigInvalid, match=r"embedder\.url"):
        UrlEmbedder(EmbedderOptions(kind="url", url=url))


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://localhost:11434", "http://localhost:11434/v1/embeddings"),
        ("http://LOCALHOST:11434/v1/", "http://localhost:11434/v1/embeddings"),
        ("http://localhost:11434/v1/embeddings", "http://localhost:11434/v1/embeddings"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1/embeddings"),
        ("https://example.com/api", "https://example.com:443/api/embeddings"),
    ],
)
def test_one_address_has_one_identity_however_it_is_written(url, address):
    assert f":{address}:" in UrlEmbedder(EmbedderOptions(kind="url", url=url)).identity


def test_plain_http_to_another_machine_needs_leave():
    options = EmbedderOptions(kind="url", url="http://example.com/v1", allow_plain_http=True)

    assert "example.com:80" in UrlEmbedder(options).identity


def test_a_model_must_be_named():
    with pytest.raises(ConfigInvalid, match=r"embedder\.model"):
        UrlEmbedder(EmbedderOptions(kind="url", model=" "))
