"""Streams of events over a real server: nothing twice, nothing lost, nothing of others."""

import http.client
import threading
import time

import pytest

from engram import Engram, Scope
from engram.surfaces.http import streams as module
from webhooks.listener import Listener, serving

ACME = Scope(project="acme")
QUICK = {"network": {"heartbeat_seconds": 0.2, "streams_per_key": 2, "max_streams": 3}}


@pytest.fixture
def owner(store_path):
    with Engram.open(store_path, settings=QUICK) as opened:
        yield opened


@pytest.fixture
def server(owner):
    with serving(owner) as running:
        yield running


@pytest.fixture
def listen(owner, server):
    """Opens streams; all are closed in the end."""
    listeners: list[Listener] = []
    keys: dict[tuple, str] = {}

    def open_one(path="changes", key=None, scope=None, role="reader", **headers) -> Listener:
        if key is None:
            if (scope, role) not in keys:
                keys[scope, role] = owner.issue_key("test", role=role, scope=scope).text
            key = keys[scope, role]
        listeners.append(Listener(server.port, path, key, **headers))
        return listeners[-1]

    yield open_one
    for each in listeners:
        each.close()


def test_a_change_is_heard_with_ids_and_without_words(owner, listen):
    stream = listen()
    ready = stream.next()
    stored = owner.remember("Ada's office is in Lyon.")

    heard = stream.next()

    assert stream.status == 200
    assert stream.headers["content-type"] == "text/event-stream"
    assert stream.headers["cache-control"] == "no-store"
    assert ready.name == "ready"
    assert heard.name == "change"
    assert heard.document["action"] == "remember"
    assert heard.document["memory_ids"] == [stored.memory.id]
    assert heard.document["change_id"] == stored.change_id
    assert heard.document["scope"] == "/"
    assert heard.id.split("-")[0] == str(heard.document["sequence"])
    assert "Lyon" not in str(heard)


def test_a_change_of_another_process_is_heard_too(owner, store_path, listen):
    stream = listen()
    stream.next()
    with Engram.open(store_path) as other:
        stored = other.remember("Ada's office is in Lyon.")

    assert stream.next().document["memory_ids"] == [stored.memory.id]


def test_a_stream_that_was_cut_off_goes_on_with_each_event_exactly_once(owner, listen):
    stream = listen()
    heard = [stream.next()]
    made = []
    done = threading.Event()

    def write() -> None:
        for n in range(60):
            made.append(owner.remember(f"Fact number {n} is known.").memory.id)
            time.sleep(0.005)
        done.set()

    writing = threading.Thread(target=write)
    writing.start()
    for cut_after in (4, 9, 1, 15):
        heard += stream.take(cut_after)
        stream.close()
        stream = listen(Last_Event_ID=heard[-1].id)
        assert stream.next().name == "ready"
    done.wait()
    changes = [each for each in heard if each.name == "change"]
    changes += stream.take(60 - len(changes))
    writing.join()

    assert [each.document["memory_ids"][0] for each in changes] == made


def test_a_stream_without_a_change_can_be_resumed_from_where_it_began(owner, listen):
    first = listen()
    ready = first.next()
    first.close()
    stored = owner.remember("Said while nobody listened.")

    again = listen(Last_Event_ID=ready.id)

    assert again.next().name == "ready"
    assert again.next().document["memory_ids"] == [stored.memory.id]


def test_a_foreign_scopes_changes_never_show(owner, listen):
    acme = listen(scope=ACME)
    everybodys = listen()
    acme.next(), everybodys.next()
    owner.remember("Theirs.", scope=Scope(project="other"))
    owner.remember("A channel's.", scope=Scope(project="acme", channel="chat", user="ada"))
    ours = owner.remember("Ours.", scope=ACME).memory.id
    last = owner.remember("Everybody's.").memory.id

    assert [each.document["memory_ids"][0] for each in acme.take(2)] == [ours, last]
    assert everybodys.next().document["memory_ids"] == [last]


def test_an_orchestrator_hears_what_lies_below_and_may_narrow_it(owner, listen):
    stream = listen(scope=ACME, role="orchestrator")
    part = listen("changes?scope=project%3Dacme,agent%3Dcoder", scope=ACME, role="orchestrator")
    stream.next(), part.next()
    tester = owner.remember("A tester's.", scope=Scope(project="acme", agent="tester")).memory.id
    coder = owner.remember("A coder's.", scope=Scope(project="acme", agent="coder")).memory.id

    assert [each.document["memory_ids"][0] for each in stream.take(2)] == [tester, coder]
    assert part.next().document["memory_ids"] == [coder]


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("changes?scope=project%3Dother", {}, 403),
        ("changes?scope=nonsense", {}, 422),
        ("changes?other=1", {}, 422),
        ("changes", {"Last_Event_ID": "abc"}, 422),
        ("changes", {"Last_Event_ID": "9" * 40}, 422),
        ("nothing", {}, 404),
        ("", {}, 404),
    ],
)
def test_what_cannot_be_streamed_is_refused_with_a_problem(listen, path, headers, status):
    stream = listen(path, scope=ACME, **headers)

    assert stream.status == status
    assert stream.headers["content-type"] == "application/problem+json"


def test_a_stream_is_read_and_nothing_else(server, owner):
    key = owner.issue_key("test", role="reader").text
    headers = {"Authorization": f"Bearer {key}"}
    statuses = {}
    for method in ("HEAD", "POST", "DELETE"):
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        line.request(method, "/api/v1/streams/changes", headers=headers)
        answer = line.getresponse()
        statuses[method] = answer.status, answer.getheader("content-type")
        line.close()

    assert statuses["HEAD"] == (200, "text/event-stream")
    assert statuses["POST"] == statuses["DELETE"] == (405, "application/problem+json")


def test_without_a_good_key_there_is_no_stream(listen):
    assert listen(key="nonsense").status == 401
    assert listen(key="").status == 401


def test_a_stream_ends_when_its_key_is_revoked(owner, listen):
    issued = owner.issue_key("short", role="reader")
    stream = listen(key=issued.text)
    stream.next()
    owner.revoke_key(issued.key.id)

    ended = stream.next()

    assert ended.name == "end"
    assert ended.document["reason"] == "key"
    assert stream.next() is None
    assert listen(key=issued.text).status == 401


def test_a_quiet_stream_shows_that_it_lives(listen):
    stream = listen("progress")
    stream.take(3)  # told anew with every heartbeat

    assert ": alive" in stream.comments


def test_one_key_may_hold_so_many_streams_and_all_together_so_many(listen):
    streams = [listen(), listen()]
    one_too_many = listen()
    other = listen(scope=ACME)
    beyond_all = listen(scope=Scope(project="more"))

    assert [each.status for each in (*streams, one_too_many, other, beyond_all)] == [
        200, 200, 429, 200, 429,
    ]  # fmt: skip
    assert one_too_many.body()["code"] == "E4007"


def test_a_seat_is_free_again_when_a_listener_is_gone(listen, server):
    listen(), listen().close()
    deadline = time.monotonic() + 5
    while len(server.streams._open) > 1 and time.monotonic() < deadline:
        time.sleep(0.01)

    assert listen().status == 200


def test_health_is_told_at_once_and_again(listen):
    stream = listen("health")

    first, second = stream.take(2)

    assert first.name == second.name == "health"
    assert first.document["status"] in ("ok", "warning")
    assert {each["name"] for each in first.document["checks"]} >= {"write", "embedder"}


def test_progress_tells_what_waits_and_the_long_work_of_ones_own_key(owner, server, listen):
    issued = owner.issue_key("mine", role="curator")
    mine, others = listen("progress", key=issued.text), listen("progress")
    others.next()
    with server.streams.long_work("flush", issued.key.id, lambda done, total: None) as progress:
        progress(3, 10)
        heard = mine.next()
        while not heard.document["work"]:
            heard = mine.next()
        foreign = others.next()

    assert heard.name == "progress"
    assert heard.document["work"] == [{"operation": "flush", "done": 3, "total": 10}]
    assert set(heard.document) == {"unembedded", "unread", "work"}
    assert foreign.document["work"] == []


def test_when_the_server_stops_every_stream_is_told_to_come_back(owner, server, listen):
    stream = listen()
    stream.next()

    server.streams.close()

    assert stream.next().document["reason"] == "closing"
    assert stream.next() is None


def test_many_who_hear_the_same_cost_one_read(owner, listen, monkeypatch):
    reads = []
    news_page = Engram.news_page

    def counted(self, sequence, **options):
        reads.append(options["limit"])
        return news_page(self, sequence, **options)

    first, second = listen(), listen()
    first.next(), second.next()
    monkeypatch.setattr(Engram, "news_page", counted)
    owner.remember("Ada's office is in Lyon.")
    first.next(), second.next()

    assert len([limit for limit in reads if limit == module._PAGE]) <= 2


def test_a_number_that_is_yet_to_come_is_told_to_begin_anew(owner, listen):
    owner.remember("Ada's office is in Lyon.")

    stream = listen(Last_Event_ID="100000")

    assert stream.next().name == "reset"
    assert stream.status == 200


def test_after_a_restore_a_listener_is_told_to_begin_anew(store_path):
    with Engram.open(store_path) as owner:
        key = owner.issue_key("test", role="reader").text
        backup = owner.backup()
        owner.remember("Ada's office is in Lyon.")
        heard = f"{owner.last_sequence()}-{owner.mark_at(owner.last_sequence())}"
        owner.restore(backup.path)
        owner.remember_many([f"Fact number {n} is known." for n in range(10)])
        with serving(owner) as running:
            stale = Listener(running.port, "changes", key, Last_Event_ID=heard)
            fresh = stale.next()
            good = Listener(running.port, "changes", key, Last_Event_ID=fresh.id)
            again = good.next()
            stale.close()
            good.close()

    assert int(heard.split("-")[0]) < fresh.document["sequence"]  # another line has its number
    assert fresh.name == "reset"
    assert (again.name, again.id) == ("ready", fresh.id)


def test_a_listener_that_reads_nothing_holds_no_memory_and_is_given_up(store_path, monkeypatch):
    monkeypatch.setattr(module, "_ROOM", 300)
    settings = {"network": {"request_seconds": 0.5, "heartbeat_seconds": 0.2}}
    with Engram.open(store_path, settings=settings) as owner, serving(owner) as running:
        facts = [f"Fact number {n} is known." for n in range(1_500)]
        owner.remember_many(facts)
        key = owner.issue_key("slow", role="reader").text
        silent = Listener(running.port, "changes", key, Last_Event_ID="0")
        deadline = time.monotonic() + 20
        most = 0
        while running.streams._open and time.monotonic() < deadline:
            most = max(most, *(len(each.waiting) for each in running.streams._open), 0)
            owner.remember(f"More at {time.monotonic()}.")
            time.sleep(0.02)
        is_gone = not running.streams._open
        silent.close()

    assert is_gone
    assert 0 < most <= 300
