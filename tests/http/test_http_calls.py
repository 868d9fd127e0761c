"""Operations over HTTP: what is sent, what comes back, and what nobody is told."""

import json
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from client import Client

from engram import Engram
from engram.errors import EngramError, IdempotencyConflict, StoreBusy
from engram.memory.scopes import Scope
from engram.surfaces.http.app import Service
from engram.surfaces.http.bodies import is_deeper
from engram.surfaces.http.gate import Names
from engram.surfaces.http.problems import status_of
from engram.surfaces.operations import OPERATIONS
from engram.surfaces.operations.shapes import components

MEMORIES = "/api/v1/memories"
CANARY = "canary-7f3a-secret"
JSON = {"content-type": "application/json"}


def every_error(kind: type[EngramError] = EngramError) -> list[type[EngramError]]:
    """The tree of errors that Engram has; other tests may have made some of their own."""
    own = [sub for sub in kind.__subclasses__() if sub.__module__.startswith("engram.")]
    return [kind, *(each for sub in own for each in every_error(sub))]


# Problems


# The whole tree, so that an error that is added has to be thought about here.
STATUSES = {
    401: {"KeyUnknown", "SignatureInvalid"},
    403: {"SecurityError", "AccessDenied", "RequestRefused"},
    404: {"MemoryNotFound", "ChangeNotFound", "KeyNotFound", "WebhookNotFound", "SlotNotFound"},
    409: {
        "RecallError", "IllegalTransition", "UndoConflict", "IdempotencyConflict", "StatementTaken",
        "VectorRefused", "StorePathInvalid", "StoreInUse", "LastWayIn", "DreamRunning",
        "TurnRunning",
        "ExportRefused",
    },
    410: {"MemoryErased"},
    412: {"MemoryChanged"},
    413: {"ContentTooLarge"},
    422: {
        "InvalidInput", "InvalidQuery", "ConfigInvalid", "BudgetTooSmall", "ImportRefused",
        "FileUnreadable", "CertificateInvalid",
    },
    429: {"TooManyRequests"},
    500: {"EngramError", "ProcessError", "HarnessUnreadable"},
    503: {
        "StoreError", "StoreLocked", "StoreCorrupt", "MigrationFailed", "WriteFailed", "StoreBusy",
        "SchemaTooNew", "StoreReadOnly", "NetworkFilesystem", "BackupFailed", "UnsafeLibrary",
        "StoreClosed", "StoreMissing", "NoStore", "ProviderError", "EmbedderUnavailable",
        "RerankerUnavailable", "ReaderUnavailable", "ModelUnavailable", "EncryptionFailed",
        "Cancelled", "KeyringUnavailable", "VaultUnreadable",
    },
    504: {"SearchTimeout", "RequestTimeout"},
    507: {"DiskFull"},
}  # fmt: skip


def test_every_error_has_its_status():
    found: dict[int, set[str]] = {}
    for kind in every_error():
        found.setdefault(status_of(kind()), set()).add(kind.__name__)

    assert found == STATUSES


def test_a_refusal_is_a_problem_document_with_our_code(writer):
    reply = writer.ask("GET", f"{MEMORIES}/mem-0001")

    assert reply.status == 404
    assert reply.header("content-type") == "application/problem+json"
    assert reply.json() == {
        "type": "urn:engram:error:E2005",
        "title": "There is no such memory that you may see.",
        "status": 404,
        "detail": reply.json()["detail"],
        "code": "E2005",
    }


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("GET", "/nope", {}, 404),
        ("GET", f"{MEMORIES}/", {}, 404),
        ("POST", f"{MEMORIES}/mem-0001", {"document": {}}, 405),
        ("TRACE", MEMORIES, {}, 405),
        ("POST", MEMORIES, {"body": b"{"}, 400),
        ("POST", MEMORIES, {"body": b"\xff\xfe"}, 400),
        ("POST", MEMORIES, {"body": b'{"text": "a", "text": "b"}'}, 400),
        ("POST", MEMORIES, {"body": b'{"text": "a", "importance": NaN}'}, 400),
        ("POST", MEMORIES, {"body": b'{"text": "a", "importance": 1e999}'}, 400),
        ("POST", MEMORIES, {"body": b"1" * 5_000}, 400),
        ("POST", MEMORIES, {"body": b"[" * 100_000}, 400),
        ("POST", MEMORIES, {"body": b"[]"}, 422),
        ("POST", MEMORIES, {"body": b'"text"'}, 422),
        ("POST", MEMORIES, {"document": {"text": 5}}, 422),
        ("POST", MEMORIES, {"document": {"text": "a", "unknown": 1}}, 422),
        ("POST", MEMORIES, {"document": {"text": "\ud800"}}, 422),
        ("POST", f"{MEMORIES}?wait=true", {"document": {"text": "a"}}, 422),
        ("GET", f"{MEMORIES}?limit=0", {}, 422),
        ("GET", f"{MEMORIES}?limit=5&limit=6", {}, 422),
        ("GET", f"{MEMORIES}?limit", {}, 400),
        ("GET", f"{MEMORIES}?session=%ff", {}, 400),
        ("GET", f"{MEMORIES}/%ff", {}, 400),
    ],
)
def test_what_cannot_be_done_is_told_by_its_status(writer, method, path, sent, status):
    sent = {**sent, "headers": JSON} if "body" in sent else sent

    reply = writer.ask(method, path, **sent)

    assert reply.status == status
    assert reply.json()["status"] == status


def test_a_method_that_is_not_there_is_told_which_are(writer):
    assert writer.ask("PUT", MEMORIES, {}).header("allow") == "GET, HEAD, OPTIONS, POST"


def test_a_body_must_say_that_it_is_json(writer):
    body = b'{"text": "a"}'

    for media in ("text/plain", "application/x-www-form-urlencoded", "application/json; charset=x"):
        reply = writer.ask("POST", MEMORIES, body=body, headers={"content-type": media})
        assert reply.status == 415
    for media in ("application/json", 'application/json; charset="UTF-8"'):
        reply = writer.ask("POST", MEMORIES, body=body, headers={"content-type": media})
        assert reply.status == 200


def test_who_cannot_read_json_is_told_so(writer):
    assert writer.ask("GET", MEMORIES, headers={"accept": "text/html"}).status == 406
    for accept in ("*/*", "application/*", "text/html, application/json;q=0.5"):
        assert writer.ask("GET", MEMORIES, headers={"accept": accept}).status == 200


def test_head_says_all_but_the_body(writer):
    whole, head = (writer.ask(method, MEMORIES) for method in ("GET", "HEAD"))

    assert head.status == 200
    assert head.body == b""
    assert head.header("content-length") == whole.header("content-length")


def test_options_tells_the_methods_and_nothing_about_other_sites(writer):
    reply = writer.ask("OPTIONS", f"{MEMORIES}/mem-0001")

    assert reply.status == 204
    assert reply.header("allow") == "DELETE, GET, HEAD, OPTIONS, PATCH"
    assert not [name for name in reply.names if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        (b"[[]]", 2, False),
        (b"[[[]]]", 2, True),
        (b"[],[],[],[]", 2, False),
        (b'{"a": "[[[[[["}', 2, False),
        (b'{"a": "\\"[[[[[["}', 2, False),
        (b'{"a": "\\\\", "b": [[1]]}', 2, True),
        (b'["[[[[[[', 2, False),
        (b"]]]][[[", 3, False),
    ],
)
def test_depth_is_seen_without_parsing(text, limit, expected):
    assert is_deeper(text, limit) is expected


@pytest.mark.failure("F63")
@pytest.mark.parametrize(
    "body",
    [
        b'"' + b"\\" * 256_000,
        b'"' * 256_000,
        b"[]" * 128_000,
        b'{"text": "' + b" " * 256_000 + b'"}',
        b'{"text": "' + b"\\u0020" * 40_000 + b'!"}',
        b'{"text": "a", "scope": "' + b"project=a," * 20_000 + b'"}',
        b'{"text": "a", "source": "' + b"tool:" * 50_000 + b'"}',
        b'{"text": "a", "at": "' + b"2026-" * 50_000 + b'"}',
    ],
    ids=["backslashes", "quotes", "brackets", "spaces", "escapes", "scopes", "sources", "times"],
)
def test_no_text_takes_long_to_be_looked_through(writer, body):
    began = time.perf_counter()

    reply = writer.ask("POST", MEMORIES, body=body, headers=JSON)

    assert reply.status in (200, 400, 413, 422)
    assert time.perf_counter() - began < 1.0


# What nobody is told


@pytest.mark.failure("F37")
def test_nothing_that_was_sent_comes_back_in_a_refusal_or_a_log(caller, engram, capfd, caplog):
    caplog.set_level(0)
    agent = caller("curator", "project=acme")
    asked = [
        agent.ask("GET", f"/{CANARY}"),
        agent.ask("GET", f"{MEMORIES}/{CANARY}"),
        agent.ask("GET", f"{MEMORIES}?{CANARY}=1"),
        agent.ask("GET", f"{MEMORIES}?limit={CANARY}"),
        agent.ask("GET", f"{MEMORIES}?scope=project={CANARY}"),
        agent.ask("GET", f"{MEMORIES}?category={CANARY.replace('-', '_')}"),
        agent.ask("POST", MEMORIES, {"text": 5, CANARY: 1}),
        agent.ask("POST", MEMORIES, {"text": "a", "scope": f"project={CANARY}"}),
        agent.ask("POST", MEMORIES, {"text": "a", "metadata": {CANARY: {CANARY: 1}}}),
        agent.ask("POST", MEMORIES, body=f'{{"{CANARY}'.encode(), headers=JSON),
        agent.ask("POST", MEMORIES, {"text": "a"}, headers={"idempotency-key": f"{CANARY} x"}),
        agent.ask("POST", MEMORIES, {"text": "a"}, headers={"content-type": CANARY}),
        agent.ask("GET", MEMORIES, headers={"accept": CANARY}),
        agent.ask("GET", MEMORIES, headers={"origin": f"http://{CANARY}"}),
        agent.ask("GET", MEMORIES, headers={"host": CANARY}),
        agent.ask("GET", MEMORIES, headers={"authorization": f"Bearer {CANARY}"}),
        agent.ask(CANARY.upper(), MEMORIES),
        agent.ask("POST", f"/api/v1/changes/{CANARY}/undo", {}),
        agent.ask("POST", f"{MEMORIES}/{CANARY}/pin", {"reason": CANARY}),
    ]  # fmt: skip

    printed = capfd.readouterr()
    told = [reply.body.decode() + str(reply.headers) for reply in asked]
    figures = caller("writer").ask("GET", "/metrics").body.decode()

    assert {reply.status // 100 for reply in asked} == {4}
    heard = [*told, printed.out, printed.err, caplog.text, figures]
    assert not [each for each in heard if CANARY in each.lower() or "canary_7f3a" in each]


@pytest.mark.failure("F37")
def test_what_nobody_foresaw_is_told_by_its_kind_alone(writer, engram, monkeypatch, capfd, caplog):
    caplog.set_level(0)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(CANARY)

    monkeypatch.setattr(Engram, "stats", fail)
    reply = writer.ask("GET", "/api/v1/stats")

    assert (reply.status, reply.json()["code"]) == (500, "E0000")
    assert "RuntimeError at test_http_calls.py:" in caplog.text
    printed = capfd.readouterr()
    assert CANARY not in caplog.text + printed.out + printed.err + reply.body.decode()


@pytest.mark.failure("F31")
def test_no_answer_holds_a_secret(caller, engram):
    admin = caller("admin")

    told = [
        admin.ask("GET", path).body.decode()
        for path in ("/api/v1/settings", "/api/v1/keys", "/api/v1/store/health", "/metrics")
    ]

    assert all(told)
    assert not [each for each in told if admin.key in each or admin.key.split("_")[2] in each]


@pytest.mark.failure("F31")
def test_where_models_are_asked_is_not_set_from_a_network(tmp_path):
    with Engram.open(tmp_path / "store") as engram:
        service = Service(engram, Names.of(8377))
        admin = Client(service.app(), engram.issue_key("a", role="admin").text)
        replies = {
            key: admin.ask("PUT", f"/api/v1/settings/{key}", {"value": "http://10.0.0.1/"})
            for key in ("embedder.url", "model.url", "recall.rerank_model")
        }
        service.close()

        assert {reply.status // 100 for reply in replies.values()} == {4}
        assert engram.settings.embedder.url != "http://10.0.0.1/"


def test_a_foreign_memory_looks_exactly_like_an_unknown_one(engram, caller):
    foreign = engram.remember("Ada's office is in Porto.", scope=Scope(project="other")).memory
    agent = caller("curator", "project=acme")
    asked = [("GET", ""), ("DELETE", ""), ("GET", "/history"), ("PUT", "/pin")]

    for method, suffix in asked:
        body = {} if method != "GET" else None
        known = agent.ask(method, f"{MEMORIES}/{foreign.id}{suffix}", body)
        unknown = agent.ask(method, f"{MEMORIES}/{foreign.id[:-4]}zzzz{suffix}", body)

        assert (known.status, known.body) == (404, unknown.body)
        assert known.headers == unknown.headers


def test_time_does_not_tell_a_foreign_memory_from_an_unknown_one(engram, caller):
    foreign = engram.remember("Ada's office is in Porto.", scope=Scope(project="other")).memory
    agent = caller("writer", "project=acme")
    paths = (f"{MEMORIES}/{foreign.id}", f"{MEMORIES}/{foreign.id[:-4]}zzzz")
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(150):
        for path, kept in zip(paths, times, strict=True):
            began = time.perf_counter()
            agent.ask("GET", path)
            kept.append(time.perf_counter() - began)

    known, unknown = (statistics.median(each) for each in times)

    # Half of what the request takes anyway: less than what one hop to a thread varies by.
    assert abs(known - unknown) < 0.5 * min(known, unknown)


@pytest.mark.failure("F62")
@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "</title><svg/onload=alert(1)>",
        "\u2028alert(1)\u2029",
        "{{constructor.constructor('alert(1)')()}}",
    ],
)
def test_markup_in_a_memory_is_text_for_everybody(writer, text):
    fields = {"text": text, "speaker": text, "session": text, "metadata": {"note": text}}

    kept = writer.ask("POST", MEMORIES, fields)
    reply = writer.ask("GET", MEMORIES)

    assert kept.status == 200
    assert reply.header("content-type") == "application/json"
    assert reply.header("x-content-type-options") == "nosniff"
    assert "default-src 'self'" in reply.header("content-security-policy")
    assert reply.body.isascii()
    assert reply.json()["memories"][0]["content"] == text


# Writing


def test_a_statement_is_kept_and_found(writer):
    kept = writer.ask("POST", MEMORIES, {"text": "Ada's office is in Porto."})
    found = writer.ask("POST", "/api/v1/recall", {"query": "Where is Ada's office?"})

    assert (kept.status, kept.json()["kind"]) == (200, "stored")
    assert found.json()["hits"][0]["content"] == "Ada's office is in Porto."


def test_a_whole_number_may_have_a_point(writer):
    reply = writer.ask("POST", "/api/v1/recall", body=b'{"query": "a", "limit": 5.0}', headers=JSON)

    assert reply.status == 200


def test_the_same_key_does_a_write_once_and_refuses_another_body(writer, engram):
    once = {"idempotency-key": "k-1"}

    first = writer.ask("POST", MEMORIES, {"text": "The build is red."}, headers=once)
    again = writer.ask("POST", MEMORIES, {"text": "The build is red."}, headers=once)
    other = writer.ask("POST", MEMORIES, {"text": "The build is green."}, headers=once)

    assert first.json()["memory"]["id"] == again.json()["memory"]["id"]
    assert (other.status, other.json()["code"]) == (409, IdempotencyConflict.code)
    assert len(engram.list()) == 1


def test_the_items_of_many_have_a_key_each(writer, engram):
    items = {"items": [{"text": "The build is red."}, {"text": "The tests are slow."}]}
    once = {"idempotency-key": "k-2"}

    first = writer.ask("POST", f"{MEMORIES}/bulk", items, headers=once).json()["outcomes"]
    again = writer.ask("POST", f"{MEMORIES}/bulk", items, headers=once).json()["outcomes"]

    ids = [outcome["memory"]["id"] for outcome in first]
    assert ids == [outcome["memory"]["id"] for outcome in again]
    assert len(set(ids)) == len(engram.list()) == 2


def test_a_key_that_would_change_nothing_is_refused(writer):
    kept = writer.ask("POST", MEMORIES, {"text": "The build is red."}).json()["memory"]["id"]
    given = {"headers": {"idempotency-key": "k-3"}}

    assert (
        writer.ask("POST", f"{MEMORIES}/{kept}/feedback", {"helpful": True}, **given).status == 422
    )
    assert (
        writer.ask("POST", MEMORIES, {"text": "x", "idempotency_key": "k"}, **given).status == 422
    )
    assert writer.ask("DELETE", f"{MEMORIES}/{kept}", {}, **given).status == 200


def test_many_are_answered_item_by_item(writer):
    reply = writer.ask(
        "POST", "/api/v1/turns/bulk", {"turns": [{"text": "One thing."}, {"text": "One thing."}]}
    )

    assert len(reply.json()["turns"]) == 2


@pytest.mark.failure("F44")
def test_what_was_not_written_is_never_called_a_success(writer, engram, monkeypatch):
    def busy(*_: object, **__: object) -> None:
        raise StoreBusy

    monkeypatch.setattr(type(engram._store), "write", busy)

    reply = writer.ask("POST", MEMORIES, {"text": "Ada's office is in Porto."})

    assert (reply.status, reply.json()["code"]) == (503, "E1006")
    assert reply.header("retry-after") == "1"


def test_work_that_takes_too_long_is_given_up(tmp_path, monkeypatch):
    settings = {"network": {"request_seconds": 0.2}}
    with Engram.open(tmp_path / "store", settings=settings) as engram:
        service = Service(engram, Names.of(8377))
        monkeypatch.setattr(Engram, "stats", lambda *_, **__: time.sleep(0.6))
        slow = Client(service.app(), engram.issue_key("a", role="writer").text)

        reply = slow.ask("GET", "/api/v1/stats")
        service.close()

    assert (reply.status, reply.json()["code"]) == (504, "E5006")


def test_long_work_that_nobody_waits_for_stops_between_its_batches(tmp_path, monkeypatch):
    seen = []

    def slow_many(self, items, *, wait=False, progress=None):
        for number in range(50):
            seen.append(number)
            time.sleep(0.05)
            progress(number, 50)

    monkeypatch.setattr(Engram, "remember_many", slow_many)
    with Engram.open(tmp_path / "store", settings={"network": {"request_seconds": 0.2}}) as engram:
        service = Service(engram, Names.of(8377))
        client = Client(service.app(), engram.issue_key("a", role="writer").text)

        reply = client.ask("POST", f"{MEMORIES}/bulk", {"items": [{"text": "a"}]})
        service.close()

    assert reply.status == 504
    assert len(seen) < 20


@pytest.fixture
def with_settings(tmp_path):
    """Makes callers of a server with settings of its own."""
    opened = []

    def make(role: str = "writer", **network: float) -> Client:
        engram = Engram.open(tmp_path / "store", settings={"network": network})
        service = Service(engram, Names.of(8377))
        opened.extend((service, engram))
        return Client(service.app(), engram.issue_key("a", role=role, kind="person").text)

    yield make
    for each in opened:
        each.close()


def test_the_limits_are_those_of_the_settings(with_settings):
    client = with_settings(max_body_bytes=1_000, max_depth=2, per_minute=4)

    statuses = [
        client.ask("POST", MEMORIES, {"text": "a" * 1_000}).status,
        client.ask("POST", MEMORIES, {"text": "a", "metadata": {"a": ["b"]}}).status,
        client.ask("POST", MEMORIES, {"text": "a", "metadata": {"a": "b"}}).status,
        client.ask("GET", MEMORIES).status,
        client.ask("GET", MEMORIES).status,
    ]

    assert statuses == [413, 400, 200, 200, 429]


def test_a_reader_rests_after_a_session(with_settings):
    client = with_settings("reader", untrusted_per_minute=100, untrusted_per_session=3)

    replies = [client.ask("GET", MEMORIES) for _ in range(4)]

    assert [reply.status for reply in replies] == [200, 200, 200, 429]
    assert int(replies[3].header("retry-after")) > 1_700


@pytest.mark.parametrize(("threads", "at_once"), [(1, 1), (4, 3)])
def test_no_more_requests_are_worked_on_at_once_than_there_are_threads(
    with_settings, monkeypatch, threads, at_once
):
    client, running, most = with_settings(threads=threads), [], []

    def slow(*_: object, **__: object) -> None:
        running.append(1)
        most.append(len(running))
        time.sleep(0.2)
        running.pop()

    monkeypatch.setattr(Engram, "stats", slow)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: Client(client.app, client.key).ask("GET", "/api/v1/stats"), "123"))

    assert max(most) == at_once


def test_a_question_is_answered_while_long_work_takes_every_thread_it_may(
    with_settings, monkeypatch
):
    client, is_asked, begun = with_settings(threads=1), threading.Event(), threading.Event()

    def long(*_: object, **__: object) -> list[object]:
        begun.set()
        is_asked.wait(10)
        return []

    monkeypatch.setattr(Engram, "remember_many", long)
    with ThreadPoolExecutor(1) as pool:
        many = pool.submit(
            client.ask, "POST", f"{MEMORIES}/bulk", {"items": [{"text": "Ada is away."}]}
        )
        begun.wait(10)
        reply = Client(client.app, client.key).ask("GET", "/api/v1/stats")
        is_working = not many.done()
        is_asked.set()

    assert reply.status == 200
    assert is_working
    assert many.result().status == 200


# States and pages


def test_a_memory_is_not_sent_again_while_it_is_the_same(writer):
    kept = writer.ask("POST", MEMORIES, {"text": "The build is red."}).json()["memory"]["id"]
    tag = writer.ask("GET", f"{MEMORIES}/{kept}").header("etag")

    again = writer.ask("GET", f"{MEMORIES}/{kept}", headers={"if-none-match": f'W/"x", {tag}'})
    writer.ask("PATCH", f"{MEMORIES}/{kept}", {"text": "The build is green."})
    after = writer.ask("GET", f"{MEMORIES}/{kept}", headers={"if-none-match": tag})

    assert (again.status, again.body, again.header("etag")) == (304, b"", tag)
    assert after.status == 200
    assert after.header("etag") != tag


def test_a_memory_is_changed_only_in_the_state_that_was_read(writer, engram):
    kept = writer.ask("POST", MEMORIES, {"text": "The build is red."}).json()["memory"]["id"]
    path, tag = f"{MEMORIES}/{kept}", writer.ask("GET", f"{MEMORIES}/{kept}").header("etag")

    first = writer.ask("PATCH", path, {"text": "The build is green."}, headers={"if-match": tag})
    second = writer.ask("PATCH", path, {"text": "The build is blue."}, headers={"if-match": tag})
    weak = writer.ask("DELETE", path, {}, headers={"if-match": f"W/{first.header('etag')}"})
    third = writer.ask("DELETE", path, {}, headers={"if-match": first.header("etag")})

    assert [each.status for each in (first, second, weak, third)] == [200, 412, 412, 200]
    assert engram.get(kept).content == "The build is green."
    assert first.header("etag") != tag


def test_of_many_changes_to_one_state_one_is_made(tmp_path):
    with Engram.open(tmp_path / "store") as engram:
        service = Service(engram, Names.of(8377))
        app, key = service.app(), engram.issue_key("a", role="writer", kind="person").text
        kept = engram.remember("The build is red.").memory.id
        tag = Client(app, key).ask("GET", f"{MEMORIES}/{kept}").header("etag")

        def change(number: int) -> int:
            body = {"text": f"The build has number {number}."}
            headers = {"if-match": tag}
            return Client(app, key).ask("PATCH", f"{MEMORIES}/{kept}", body, headers=headers).status

        with ThreadPoolExecutor(8) as threads:
            statuses = sorted(threads.map(change, range(8)))
        service.close()

    assert statuses == [200] + [412] * 7


def test_if_match_says_nothing_about_a_memory_of_others(engram, caller):
    foreign = engram.remember("The build is red.", scope=Scope(project="other")).memory
    agent = caller("writer", "project=acme")

    for tag in ("*", '"x"'):
        reply = agent.ask("DELETE", f"{MEMORIES}/{foreign.id}", {}, headers={"if-match": tag})
        assert reply.status == 404


def test_pages_follow_each_other_to_the_end(writer, engram):
    for number in range(7):
        engram.remember(f"Room {number} is free.")
    path, seen = f"{MEMORIES}?limit=3", []

    while path:
        reply = writer.ask("GET", path)
        seen += [memory["label"] for memory in reply.json()["memories"]]
        link = reply.header("link")
        path = link[1 : link.index(">")] if link else None

    assert seen == [f"mem-{number:04}" for number in range(7, 0, -1)]


PAGED = [each for each in OPERATIONS.values() if each.cursor]


def test_whatever_is_read_page_by_page_says_by_which_argument():
    reads = [each for each in OPERATIONS.values() if each.method == "GET"]
    shapes = components()

    having_next = [each for each in reads if "next" in shapes[each.gives].get("properties", {})]
    assert having_next == PAGED
    assert all(each.cursor in each.takes.model_fields for each in PAGED)


@pytest.mark.parametrize("operation", PAGED, ids=lambda each: each.name)
def test_the_links_of_every_paged_operation_lead_through_all_of_it(caller, engram, operation):
    admin = caller("admin")
    for number in range(7):
        engram.remember(f"Room {number} is free.")
    said = [{"type": "user_message", "content": f"Room {number}?"} for number in range(7)]
    told = engram.episodes.record("The rooms are counted.", said, "success").episode
    page = f"/api/v1{operation.path}".replace("{episode_id}", told.id)

    def read(path: str) -> tuple[list[object], str | None]:
        reply = admin.ask("GET", path)
        (entries,) = (each for name, each in reply.json().items() if name != "next")
        link = reply.header("link")
        known = [each["sequence"] if "sequence" in each else each["label"] for each in entries]
        return known, link[1 : link.index(">")] if link else None

    everything, _ = read(f"{page}?limit=1000")
    path, seen, pages = f"{page}?limit=3", [], 0
    while path and pages < 10:
        entries, path = read(path)
        seen, pages = [*seen, *entries], pages + 1

    assert len(everything) >= 7
    assert set(everything) <= set(seen)  # reading the audit adds to it
    assert len(seen) == len(set(seen))
    assert path is None


def test_a_name_with_a_slash_is_one_name(writer, engram):
    writer.ask("POST", MEMORIES, {"text": "Acme/Porto has an office in Lisbon."})

    reply = writer.ask("GET", "/api/v1/entities/Acme%2FPorto")

    assert reply.json()["code" if reply.status == 404 else "entity"]
    assert reply.json().get("detail") != "/api/v1/openapi.json tells which paths there are."


def test_readers_get_coarse_figures_and_others_exact_ones(engram, caller):
    engram.remember("Ada's office is in Porto.")
    asked = {"query": "Where is Ada's office?"}

    rough = caller("reader").ask("POST", "/api/v1/recall", asked).json()
    exact = caller("writer").ask("POST", "/api/v1/recall", asked).json()

    assert rough["hits"][0]["score"] == round(exact["hits"][0]["score"], 1)
    assert rough["trace"] == []
    assert exact["trace"] != []


def test_no_answer_holds_a_vector(writer, engram):
    engram.remember("Ada's office is in Porto.", wait=True)

    reply = writer.ask("POST", "/api/v1/recall", {"query": "Where is Ada's office?"})

    def longest(value: object) -> int:
        if isinstance(value, dict):
            return max(map(longest, value.values()), default=0)
        if isinstance(value, list):
            inner = max(map(longest, value), default=0)
            return max(inner, sum(isinstance(each, float) for each in value))
        return 0

    assert longest(json.loads(reply.body)) <= 8


@pytest.mark.parametrize(
    ("path", "name"), [("memories?", "memories"), ("audit?action=remember&", "entries")]
)
def test_a_last_page_that_is_full_has_no_next_one(writer, path, name):
    for number in range(4):
        writer.ask("POST", "/api/v1/memories", {"text": f"Fact number {number}."})

    def page(query: str):
        return writer.ask("GET", f"/api/v1/{path}{query}")

    every = page("limit=1000").json()[name]
    size = len(every) // 2
    first = page(f"limit={size}")
    last = page(f"limit={len(every) - size}&before={first.json()['next']}")

    assert len(every) >= 4
    assert first.json()[name] + last.json()[name] == every
    assert last.json()["next"] is None
    assert last.header("link") is None


def test_an_admin_reaches_a_memory_of_any_scope_by_its_id(engram, caller):
    engram.remember("Acme plans a launch.", scope=Scope(project="acme"))
    admin, path = caller("admin"), "/api/v1/memories/mem-0001"

    assert admin.ask("GET", path).json()["content"] == "Acme plans a launch."
    assert admin.ask("PUT", f"{path}/pin", {}).status == 200
    assert admin.ask("GET", f"{path}?scope=project%3Dzenith").status == 404
    assert caller("curator").ask("GET", path).status == 404


def test_a_memory_that_was_stored_tells_where_it_is_and_its_state(writer):
    said = {"text": "Deployments happen on Tuesdays."}
    made = writer.ask("POST", "/api/v1/memories", said)
    read = writer.ask("GET", made.header("location"))
    again = writer.ask("POST", "/api/v1/memories", said)

    assert made.header("location") == f"/api/v1/memories/{made.json()['memory']['id']}"
    assert read.header("etag") == made.header("etag")
    assert again.json()["kind"] == "confirmed"
    assert again.header("location") is None
