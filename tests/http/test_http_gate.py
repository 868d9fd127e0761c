"""Who is let in: names, pages, keys, rates and sizes, all before a byte of the body is read."""

import asyncio
import re
from pathlib import Path

import pytest
from client import HOST, Client

import engram as engram_package
from engram import Engram
from engram.errors import KeyUnknown, SignatureInvalid
from engram.memory.scopes import Scope
from engram.security.access_keys import fresh_key
from engram.surfaces.http.app import Service
from engram.surfaces.http.gate import Names
from engram.surfaces.http.routing import Asked
from engram.surfaces.operations import OPERATIONS

MEMORY = {"text": "Ada's office is in Porto."}


def paths(service: Service) -> list[tuple[str, str]]:
    """Every path and method that the router knows, with something in place of the names."""
    return [
        (method, re.sub(r"\{\w+\}", "x", route.template))
        for route in service.routes().all
        for method in [*route.methods, "HEAD", "OPTIONS", "PUT", "TRACE"]
    ]


OPEN = {"/livez", "/readyz"}


@pytest.mark.failure("F29")
def test_every_path_without_a_key_is_401(service, stranger):
    others = [("GET", path) for path in ("/", "/nope", "/mcp", "/api", "/api/v1/streams/changes")]
    asked = [each for each in paths(service) + others if each[1] not in OPEN]
    hooks = {each for each in asked if each[0] == "POST" and each[1].startswith("/api/v1/hooks/")}

    answers = {each: stranger.ask(*each) for each in asked if each not in hooks}

    assert len(answers) > 200
    assert {reply.status for reply in answers.values()} == {401}
    assert {reply.header("www-authenticate") for reply in answers.values()} == {
        'Bearer realm="engram"'
    }
    assert {stranger.ask(*each, {}).status for each in hooks} == {401}


@pytest.mark.failure("F29")
@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer "},
        {"authorization": "Bearer engram_0000000000_" + "0" * 58},
        {"authorization": "Basic dXNlcjpwYXNz"},
        {"authorization": "Bearer \x00\xff"},
        {"authorization": "Bearer " + "x" * 5_000},
        {"cookie": "key=KEY"},
        {"x-engram-key": "nobody"},
    ],
)
def test_what_is_no_key_opens_nothing(stranger, headers):
    assert stranger.ask("GET", "/api/v1/memories", headers=headers).status == 401


def test_who_mistypes_a_key_is_told_so_and_nothing_else(stranger, writer):
    last = "0" if writer.key[-1] != "0" else "1"
    slipped, unknown = writer.key[:-1] + last, fresh_key().text

    hints = {
        key: stranger.ask("GET", "/api/v1/stats", headers={"x-engram-key": key}).json()["detail"]
        for key in (slipped, writer.key[:-1], unknown)
    }

    assert "slip" in hints[slipped]
    assert "not written like a key" in hints[writer.key[:-1]]
    assert hints[unknown] == stranger.ask("GET", "/api/v1/stats").json()["detail"]
    assert "Authorization" in hints[unknown]
    assert not [hint for key, hint in hints.items() if key[7:] in hint]


def test_a_key_is_taken_from_a_header_and_from_nowhere_else(writer, app):
    without = Client(app)

    assert without.ask("GET", f"/api/v1/stats?key={writer.key}").status == 401
    assert (
        without.ask("GET", "/api/v1/stats", headers={"cookie": f"key={writer.key}"}).status == 401
    )
    assert without.ask("GET", "/api/v1/stats", headers={"x-engram-key": writer.key}).status == 200
    spelled = {"authorization": f"bearer {writer.key}"}
    assert without.ask("GET", "/api/v1/stats", headers=spelled).status == 200
    assert writer.ask("GET", "/api/v1/stats", headers={"x-engram-key": writer.key}).status == 401


def test_a_key_that_was_revoked_opens_nothing_from_then_on(engram, caller):
    agent = caller("writer")
    assert agent.ask("GET", "/api/v1/stats").status == 200

    engram.revoke_key(engram.keys()[0].id)

    assert agent.ask("GET", "/api/v1/stats").status == 401


NAMES = [
    ("127.0.0.1:8377", True),
    ("localhost:8377", True),
    ("[::1]:8377", True),
    ("LOCALHOST:8377", True),
    ("memory.example.org", True),
    ("memory.example.org:8377", True),
    ("memory.example.org:80", False),
    ("evil.com", False),
    ("evil.com:8377", False),
    ("localhost.evil.com:8377", False),
    ("127.0.0.1:9999", False),
    ("localhost", False),
    ("127.0.0.1", False),
    ("0.0.0.0:8377", False),
    ("127.0.0.1:8377.evil.com", False),
    ("null", False),
    ("", False),
    (None, False),
]
ORIGINS = [
    (None, True),
    ("http://127.0.0.1:8377", True),
    ("http://localhost:8377", True),
    ("http://[::1]:8377", True),
    ("https://memory.example.org", True),
    ("https://localhost:8377", False),
    ("http://localhost:9999", False),
    ("http://localhost", False),
    ("http://evil.com", False),
    ("http://localhost.evil.com:8377", False),
    ("http://127.0.0.1:8377.evil.com", False),
    ("file://", False),
    ("null", False),
    ("", False),
]


@pytest.fixture
def named(engram: Engram):
    service = Service(engram, Names.of(8377, ["memory.example.org"]))
    yield service.app()
    service.close()


@pytest.mark.failure("F30")
@pytest.mark.parametrize(("host", "is_served"), NAMES)
def test_the_server_answers_to_its_own_names_only(named, host, is_served):
    reply = Client(named).ask("GET", "/livez", headers={"host": host})

    assert reply.status == (200 if is_served else 421)


@pytest.mark.failure("F30")
@pytest.mark.parametrize(("origin", "is_served"), ORIGINS)
def test_pages_of_other_sites_may_not_call(named, origin, is_served):
    reply = Client(named).ask("GET", "/livez", headers={"origin": origin})

    assert reply.status == (200 if is_served else 403)
    assert not [name for name in reply.names if name.startswith("access-control")]


@pytest.mark.failure("F30")
def test_a_preflight_of_another_site_gets_nothing(named, writer):
    asked = {"origin": "http://evil.com", "access-control-request-method": "POST"}

    reply = writer.ask("OPTIONS", "/api/v1/memories", headers=asked)

    assert reply.status == 403
    assert not [name for name in reply.names if name.startswith("access-control")]


@pytest.mark.failure("F32")
@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": None},
        {"authorization": "Bearer nobody"},
        {"host": "evil.com"},
        {"origin": "http://evil.com"},
        {"x-filler": "a" * 20_000},
    ],
)
def test_nothing_of_the_body_is_read_before_all_of_it_is_in_order(writer, headers):
    reply = writer.ask("POST", "/api/v1/memories", MEMORY, headers=headers)

    assert reply.status in (401, 403, 421, 431)
    assert writer.received == 0


def test_a_key_that_comes_too_often_is_told_when_to_come_again(caller):
    hasty = caller("writer", per_minute=3)

    replies = [hasty.ask("POST", "/api/v1/memories", MEMORY) for _ in range(5)]

    assert [reply.status for reply in replies] == [200, 200, 200, 429, 429]
    assert 1 <= int(replies[3].header("retry-after")) <= 61
    assert replies[3].json()["code"] == "E4007"
    assert hasty.received == 0


def test_readers_are_held_to_their_own_limits(engram, app):
    reader = Client(app, engram.issue_key("reader").text)
    most = engram.settings.network.untrusted_per_minute

    statuses = [reader.ask("GET", "/api/v1/stats").status for _ in range(most + 1)]

    assert statuses == [200] * most + [429]


def test_several_processes_share_what_a_key_may_ask_for(engram):
    service = Service(engram, Names.of(8377), share=4)
    key = engram.issue_key("shared", role="writer", per_minute=8).text

    statuses = [Client(service.app(), key).ask("GET", "/api/v1/stats").status for _ in range(3)]
    service.close()

    assert statuses == [200, 200, 429]


def test_a_body_that_is_too_large_is_refused_unread(writer):
    reply = writer.ask(
        "POST", "/api/v1/memories", body=b"{}", headers={"content-length": str(1 << 30)}
    )

    assert (reply.status, reply.json()["code"]) == (413, "E4004")
    assert reply.header("connection") == "close"
    assert writer.received == 0


def test_a_body_that_comes_in_pieces_is_read_no_further_than_allowed(writer, engram):
    most = engram.settings.network.max_body_bytes
    pieces = [b" " * 100_000] * 1_000

    reply = writer.ask("POST", "/api/v1/memories", body=pieces)

    assert reply.status == 413
    assert writer.received == most // 100_000 + 1


def test_an_address_or_headers_that_are_too_large_are_refused(writer):
    assert writer.ask("GET", "/api/v1/memories?session=" + "a" * 9_000).status == 414
    assert writer.ask("GET", "/api/v1/memories", headers={"x-filler": "a" * 20_000}).status == 431
    many = {f"x-{number}": "a" for number in range(200)}
    assert writer.ask("GET", "/api/v1/memories", headers=many).status == 431


def test_every_answer_says_that_it_is_not_to_be_kept_guessed_at_or_framed(writer, stranger):
    replies = [
        stranger.ask("GET", "/livez"),
        stranger.ask("GET", "/nope"),
        writer.ask("GET", "/api/v1/stats"),
        writer.ask("POST", "/api/v1/memories", body=b"{"),
        writer.ask("GET", "/nope"),
    ]

    for reply in replies:
        assert reply.header("x-content-type-options") == "nosniff"
        assert reply.header("cache-control") == "no-store"
        assert reply.header("referrer-policy") == "no-referrer"
        assert "default-src 'self'" in reply.header("content-security-policy")
        assert "server" not in reply.names


def test_websockets_are_not_served(app):
    sent = []

    async def send(message) -> None:
        sent.append(message)

    async def receive():
        return {"type": "websocket.connect"}

    asyncio.run(app({"type": "websocket", "path": "/", "headers": []}, receive, send))

    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_what_came_through_without_a_key_gets_no_further_than_its_own_door(service, app, stranger):
    # The gate lets webhooks in without a key; nothing else may be reached that way.
    for path in ("/api/v1/hooks/../memories", "/api/v1/hooks/", "/api/v1/hooks/a/b"):
        assert stranger.ask("POST", path, MEMORY).status == 401


def test_a_webhook_that_is_not_there_is_refused_unread_and_all_look_the_same(engram, stranger):
    sending = engram.add_webhook("out", "https://example.org/")
    ended = engram.end_webhook(engram.add_webhook("in", None).webhook.id)
    names = ("hook-0", "", "a/b", "%ff", "%00", sending.webhook.id, ended.id)

    answers = []
    for name in names:
        answers.append(stranger.ask("POST", f"/api/v1/hooks/{name}", MEMORY))
        assert stranger.received == 0

    assert len({(each.status, each.headers, each.body) for each in answers}) == 1
    assert (answers[0].status, answers[0].json()["code"]) == (401, SignatureInvalid.code)


def test_a_webhook_takes_no_more_than_a_message_needs(engram, stranger):
    path = f"/api/v1/hooks/{engram.add_webhook('in', None).webhook.id}"

    announced = stranger.ask("POST", path, body=b"x" * 262_145)
    assert stranger.received == 0
    in_pieces = stranger.ask("POST", path, body=[b"x" * 100_000] * 9)
    assert stranger.received == 3
    fitting = stranger.ask("POST", path, body=b"x" * 262_144)

    assert (announced.status, in_pieces.status, fitting.status) == (413, 413, 401)


@pytest.mark.parametrize("path", sorted(OPEN))
def test_who_only_asks_whether_it_lives_has_nothing_read(stranger, path):
    sent = stranger.ask("GET", path, body=[b"x" * 100_000] * 9)

    assert (sent.status, sent.header("connection"), stranger.received) == (200, "close", 0)
    assert stranger.ask("GET", path).header("connection") is None


@pytest.mark.parametrize(
    ("coding", "status"),
    [("identity", 200), ("Identity", 200), ("gzip", 415), ("identity, br", 415), ("x", 415)],
)
def test_a_body_that_is_packed_is_refused_unread(writer, coding, status):
    headers = {"content-encoding": coding}

    reply = writer.ask("POST", "/api/v1/memories", MEMORY, headers=headers)

    assert reply.status == status
    assert writer.received == (1 if status == 200 else 0)


@pytest.mark.failure("F29")
def test_an_operation_behind_a_gate_that_failed_still_asks_who_is_calling(service):
    found = service.routes().find(b"/api/v1/stats")
    endpoint = found[0].methods["GET"]

    with pytest.raises(KeyUnknown):
        asyncio.run(endpoint(Asked("GET", "/api/v1/stats", b"", {}, b"", None)))


@pytest.mark.failure("F32", "F31")
def test_nothing_that_can_be_sent_names_a_model_a_file_or_an_address():
    named = {
        (operation.name, field)
        for operation in OPERATIONS.values()
        if not operation.is_local
        for field in operation.takes.model_fields
        if re.search(r"model|embedder|url|path|folder|file|module|plugin", field)
    }

    # How large a window is, is looked up by a name, and nobody called; `use_model` is yes or no.
    assert named == {("context", "model"), ("count_tokens", "model"), ("reason", "use_model")}


@pytest.mark.failure("F33")
def test_nothing_is_unpickled_whatever_lies_in_the_store(tmp_path):
    trap, store = tmp_path / "sprung", tmp_path / "store"
    with Engram.open(store) as engram:
        engram.remember("Ada's office is in Porto.", wait=True)
    for name in ("vectors.cache", "vectors.npy", "index.pkl"):
        (store / name).write_bytes(f"cos\nsystem\n(S'touch {trap}'\ntR.".encode())

    with Engram.open(store) as engram:
        found = engram.recall("Where is Ada's office?")

    assert found[0].memory.content == "Ada's office is in Porto."
    assert not trap.exists()
    sources = Path(engram_package.__file__).parent.rglob("*.py")
    banned = re.compile(
        r"^\s*(import|from) (pickle|joblib|dill|shelve|marshal)|allow_pickle=True", re.M
    )
    assert not [path for path in sources if banned.search(path.read_text(encoding="utf-8"))]


@pytest.mark.failure("F39")
def test_a_key_reads_and_does_nothing_else_until_more_is_granted(caller):
    reader = caller("reader")

    reply = reader.ask("POST", "/api/v1/memories", MEMORY)

    assert (reply.status, reply.json()["code"]) == (403, "E4001")
    assert reader.ask("GET", "/api/v1/memories").json()["memories"] == []


@pytest.mark.failure("F39")
def test_what_a_key_writes_stays_in_its_own_scope(engram, caller):
    agent = caller("writer", "project=acme,agent=coder", kind="agent")

    outside = agent.ask("POST", "/api/v1/memories", {**MEMORY, "scope": "project=other"})
    inside = agent.ask("POST", "/api/v1/memories", MEMORY)

    assert outside.status == 403
    assert inside.json()["memory"]["scope"] == "/project=acme/agent=coder/"
    assert engram.list() == []
    assert len(engram.list(scope=Scope(project="acme", agent="coder"))) == 1


def test_the_host_of_the_tests_is_one_of_the_names():
    assert HOST in Names.of(8377).hosts
