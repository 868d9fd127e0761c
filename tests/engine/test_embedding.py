"""Embedding: never in the way of a memory, never lost, never in a hurry when nobody answers."""

import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram import Engram
from engram.capture.embedding import parts_of_text, passages, retry_after
from engram.capture.embedding_worker import EmbeddingWorker
from engram.errors import AccessDenied, EmbedderUnavailable
from engram.memory.scopes import Scope
from engram.providers.hashing import HashingEmbedder
from engram.storage.vectors.spaces import WantedSpace

HASHING = {"embedder": {"kind": "hashing", "hashing_dimension": 64}}


class Moody(HashingEmbedder):
    """A real embedder that can be told to go away, or to choke on a word."""

    def __init__(self):
        super().__init__(dimension=64)
        self.is_away = False
        self.poison = "\x00never"
        self.calls = 0
        self.entered = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def embed(self, texts):
        self.calls += 1
        self.entered.set()
        self.may_go_on.wait(20)
        if self.is_away or any(self.poison in text for text in texts):
            raise EmbedderUnavailable(hint="It is away.")
        return super().embed(texts)


@pytest.fixture
def moody():
    return Moody()


@pytest.fixture
def store(open_store, moody, clock):
    """A store whose worker has the moody embedder."""
    engram = open_store(settings={"embedder": {"kind": "none"}})
    wanted = WantedSpace("moody", 64, "f16", "{}")
    worker = EmbeddingWorker(
        engram._parts.store, moody, wanted, clock=clock, former=lambda space: None
    )
    worker.arrange()
    engram._parts.embedding = worker
    return engram


def waiting(engram):
    return engram._parts.embedding.fills()[0].waiting


def vectors(engram):
    return engram._parts.embedding.fills()[0].space.vectors


def until(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


# The cutting rule


def test_a_short_text_is_one_part():
    assert parts_of_text("Ada lives in Lyon.", is_agent=False) == ["Ada lives in Lyon."]


def test_a_long_text_is_its_beginning_and_its_passages():
    sentence = "This sentence has exactly eight words in it. "
    text = sentence * 40

    whole, *passages = parts_of_text(text, is_agent=False)

    assert whole == text[:1_100]
    assert len(passages) == 10
    assert all(len(each.split()) <= 32 for each in passages)


def test_what_an_agent_says_is_one_part_however_long():
    text = "So here is what I would suggest that we do next. " * 60

    assert parts_of_text(text, is_agent=True) == [text[:600]]


def test_passages_are_cut_at_sentence_ends():
    text = "One two three. Four five six! Seven eight?\nNine."

    assert passages(text, words=6) == ["One two three. Four five six!", "Seven eight? Nine."]


def test_a_sentence_that_is_too_long_is_cut_between_words():
    assert passages("a b c d e f g", words=3) == ["a b c", "d e f", "g"]


def test_no_more_passages_are_made_than_asked_for():
    assert passages("A. B. C. D.", words=1, most=2) == ["A.", "B."]


def test_nothing_has_no_passages():
    assert passages("  \n ", words=5) == []


@given(st.text(max_size=400), st.integers(1, 30))
def test_passages_lose_no_word_and_none_is_too_long(text, words):
    found = passages(text, words=words)

    assert " ".join(found).split() == text.split()
    assert all(len(each.split()) <= words for each in found)


@given(st.text(max_size=3_000), st.booleans())
def test_any_text_has_between_one_and_seventeen_parts(text, is_agent):
    parts = parts_of_text(text, is_agent=is_agent)

    assert 1 <= len(parts) <= 17
    assert parts[0] == text[: len(parts[0])]
    assert parts == parts_of_text(text, is_agent=is_agent)


@given(st.integers(min_value=0, max_value=10_000))
def test_a_text_that_fails_is_tried_less_and_less_often(attempts):
    assert retry_after(attempts) <= retry_after(attempts + 1)
    assert retry_after(attempts).total_seconds() <= 86_400


# Waiting


def test_remember_does_not_wait_for_the_embedder(store, moody):
    moody.may_go_on.clear()

    store.remember("One.")
    until(moody.entered.is_set)  # it is at work in the background, and takes its time
    outcome = store.remember("Two.")

    assert outcome.kind == "stored"
    assert store.recall("two")[0].memory.content == "Two."
    assert vectors(store) == 0
    moody.may_go_on.set()
    until(lambda: vectors(store) == 2)
    assert waiting(store) == 0


def test_remember_waits_when_asked_to(store):
    store.remember("One.", wait=True)
    store.remember_many(["Two.", "Three."] * 2, wait=True)

    assert (vectors(store), waiting(store)) == (3, 0)


def test_waiting_for_one_memory_is_not_waiting_for_a_backlog(store, moody):
    moody.is_away = True
    store.remember_many([f"Fact {number}." for number in range(500)])
    moody.is_away = False
    before = moody.calls

    store._parts.embedding.wait_for({500})

    assert moody.calls - before <= 2
    assert waiting(store) >= 400


def test_an_embedder_that_is_away_loses_nothing_and_raises_nothing(store, moody):
    moody.is_away = True

    outcome = store.remember("One.", wait=True)
    many = store.remember_many(["Two.", "Three."], wait=True)

    assert outcome.kind == "stored"
    assert [each.kind for each in many] == ["stored", "stored"]
    assert waiting(store) == 3
    assert store.settle() is False
    assert store._parts.embedding.problem == "It is away."
    checks = {each.name: each for each in store.health().checks}
    assert checks["embedder"].detail == "It is away."
    moody.is_away = False
    assert store.settle() is True
    assert (vectors(store), waiting(store)) == (3, 0)
    assert store._parts.embedding.problem == ""


def test_nobody_asks_an_embedder_that_is_away_again_and_again(store, moody):
    moody.is_away = True
    store.remember("One.")
    until(lambda: store._parts.embedding.problem)
    before = moody.calls

    for number in range(20):
        store.remember(f"Fact {number}.")
    time.sleep(0.3)

    assert moody.calls - before <= 4  # the background waits longer each time, writes or not


def test_one_text_that_cannot_be_embedded_does_not_hold_up_the_others(store, moody, clock):
    moody.poison = "poison"
    store.remember_many(["Good one.", "A poison one.", "Another good one."])

    store.settle()

    assert (vectors(store), waiting(store)) == (2, 1)
    calls = moody.calls
    store.settle()
    assert moody.calls == calls  # it is left alone for a while
    clock.advance(hours=1)
    moody.poison = "\x00never"
    assert store.settle()
    assert (vectors(store), waiting(store)) == (3, 0)


def test_a_text_that_failed_for_good_does_not_keep_a_space_from_answering(store, moody, clock):
    moody.poison = "poison"
    store.remember("A poison one.")
    for _ in range(3):
        store.settle()
        clock.advance(days=1)

    report = store._parts.embedding.fills()[0]
    assert (report.waiting, report.failed) == (1, 1)
    checks = {each.name: each for each in store.health().checks}
    assert (checks["vectors"].state, "1 failed" in checks["vectors"].detail) == ("warning", True)
    moody.poison = "\x00never"
    assert store.upkeep.embed().embedded == 1  # asked outright, it is tried at once


def test_a_server_that_changes_its_dimension_is_not_believed(store, moody):
    store.remember("One.", wait=True)
    moody._dimension = 32

    store.remember("Two.", wait=True)

    assert (vectors(store), waiting(store)) == (1, 1)
    assert "32" in store._parts.embedding.problem


def test_settling_stops_when_time_is_up(store, moody):
    moody.is_away = True
    store.remember_many([f"Fact {number}." for number in range(400)])
    moody.is_away = False

    assert store.settle(timeout=0) is False
    assert waiting(store) > 0
    assert store.settle() is True


def test_a_memory_taken_away_while_it_is_embedded_gets_no_vector(store, moody):
    moody.may_go_on.clear()
    made = store.remember("One.")
    settling = threading.Thread(target=store.settle)
    settling.start()
    until(moody.entered.is_set)
    with store._parts.store.derive() as transaction:  # as an erasure would
        key = {"space": 1, "number": made.memory.number, "version": 1}
        transaction.run("settle_wording", key)
    moody.may_go_on.set()
    settling.join()

    assert (vectors(store), waiting(store)) == (0, 0)


# Processes


def test_closing_does_not_wait_for_a_slow_embedder(open_store, moody, store):
    moody.may_go_on.clear()
    store.remember("One.")
    until(moody.entered.is_set)

    started = time.monotonic()
    store.close()

    assert time.monotonic() - started < 4
    moody.may_go_on.set()


def test_what_one_process_left_waiting_the_next_one_embeds(open_store):
    first = open_store(settings={"embedder": {"kind": "none"}})
    first.remember_many([f"Fact {number}." for number in range(5)])
    first.close()

    second = open_store(settings=HASHING)
    second._parts.wake_embedding()

    until(lambda: vectors(second) == 5)
    assert second.recall("Fact 3.").degraded == ()


_FORK = """
import os, sys
from engram import Engram
engram = Engram.open(sys.argv[1], settings={"embedder": {"kind": "hashing"}})
engram.remember("Said by the parent.", wait=True)
engram.remember("Said before the fork.")
child = os.fork()
if child == 0:
    engram.remember("Said by the child.", wait=True)
    is_settled = engram.settle()
    os._exit(0 if is_settled else 1)
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0
engram.remember("Said after the fork.", wait=True)
assert engram.settle()
print(engram._parts.embedding.fills()[0].space.vectors)
engram.close()
"""


def test_a_forked_child_embeds_by_itself(store_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _FORK, str(store_path)],
        capture_output=True, text=True, timeout=60, env=dict(os.environ),
    )  # fmt: skip

    assert (done.returncode, done.stdout.strip()) == (0, "4"), done.stderr


_LEAVE = """
import sys
from engram import Engram
engram = Engram.open(sys.argv[1], settings={"embedder": {"kind": "hashing"}})
engram.remember_many([f"Fact {number}." for number in range(3000)])
"""


def test_a_program_that_ends_is_not_kept_alive_by_what_waits(store_path):
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _LEAVE, str(store_path)],
        capture_output=True, text=True, timeout=60, env=dict(os.environ),
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - started < 20
    with Engram.open(store_path, settings=HASHING) as engram:
        assert len(engram.list(limit=5_000)) == 3_000


# A server


class _Server(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers["Content-Length"])
        texts = json.loads(self.rfile.read(size))["input"]
        rows = HashingEmbedder(dimension=16).embed(texts).tolist()
        body = json.dumps(
            {"data": [{"index": place, "embedding": row} for place, row in enumerate(rows)]}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def test_a_server_that_is_down_is_caught_up_with_when_it_is_back(open_store):
    probe = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    port = probe.server_address[1]
    probe.server_close()
    settings = {
        "embedder": {
            "kind": "url", "url": f"http://127.0.0.1:{port}/v1", "retries": 0, "pause_seconds": 0,
            "timeout_seconds": 2,
        }
    }  # fmt: skip
    engram = open_store(settings=settings)
    engram.remember_many(["One.", "Two."], wait=True)
    assert engram.settle() is False
    assert waiting(engram) == 2

    server = ThreadingHTTPServer(("127.0.0.1", port), _Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        assert engram.settle() is True
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

    fill = engram._parts.embedding.fills()[0]
    assert (fill.space.dimension, fill.space.vectors, fill.waiting) == (16, 2, 0)


# Who may


def test_only_the_owner_embeds_the_whole_store_outright(open_store):
    engram = open_store(settings=HASHING, scope=Scope(project="acme"))

    with pytest.raises(AccessDenied):
        engram.upkeep.embed()


def test_embedding_says_how_far_it_is_and_what_came_of_it(open_store):
    first = open_store(settings={"embedder": {"kind": "none"}})
    first.remember_many([f"Fact {number}." for number in range(150)])
    engram = open_store(settings=HASHING)
    heard = []

    report = engram.upkeep.embed(lambda done, total: heard.append((done, total)))

    assert heard[-1] == (150, 150)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert (report.embedded, report.waiting, report.failed, report.problem) == (150, 0, 0, "")
    assert engram.upkeep.embed().embedded == 0


def test_without_an_embedder_there_is_nothing_to_embed_with(open_store):
    engram = open_store(settings={"embedder": {"kind": "none"}})

    with pytest.raises(EmbedderUnavailable):
        engram.upkeep.embed()
    assert engram.settle() is True
