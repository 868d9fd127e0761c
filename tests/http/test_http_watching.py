"""Health, readiness and figures: what those who watch a server are told."""

import time

import apsw
import pytest
from client import Client

from engram import Engram
from engram.surfaces.http.app import Service
from engram.surfaces.http.gate import Names

PROBED_AGAIN = 1.1  # seconds: who has no key cannot have it probed more often


@pytest.fixture
def stored(tmp_path):
    """A service over a store on disk, whose writers do not wait long."""
    settings = {"storage": {"busy_timeout_seconds": 0.1}}
    with Engram.open(tmp_path / "store", settings=settings) as engram:
        service = Service(engram, Names.of(8377))
        yield Client(service.app(), engram.issue_key("a", role="writer").text), tmp_path / "store"
        service.close()


def test_liveness_and_readiness_need_no_key_and_tell_a_word(stranger):
    assert stranger.ask("GET", "/livez").json() == {"status": "alive"}
    assert stranger.ask("GET", "/readyz").json() == {"status": "ready"}


def test_a_server_that_stops_is_not_ready(service, stranger):
    service.stop()

    reply = stranger.ask("GET", "/readyz")

    assert (reply.status, reply.json()) == (503, {"status": "not ready"})
    assert stranger.ask("GET", "/livez").status == 200


@pytest.mark.failure("F45", "F44")
def test_health_tells_within_one_probe_that_nothing_can_be_written(stored):
    client, path = stored
    assert client.ask("GET", "/api/v1/health").json()["status"] == "ok"
    blocker = apsw.Connection(str(path / "engram.db"))
    blocker.execute("BEGIN IMMEDIATE")
    try:
        refused = client.ask("POST", "/api/v1/memories", {"text": "The build is red."})
        health = client.ask("GET", "/api/v1/health")
        ready = client.ask("GET", "/readyz", headers={"authorization": None})
    finally:
        blocker.execute("ROLLBACK")
        blocker.close()

    assert refused.status == 503
    assert health.status == 503
    assert {check["name"]: check["state"] for check in health.json()["checks"]}[
        "write"
    ] == "failing"
    assert ready.json() == {"status": "not ready"}
    assert client.ask("GET", "/api/v1/health").status == 200
    assert client.ask("GET", "/api/v1/memories").json()["memories"] == []


def test_who_has_no_key_cannot_make_the_store_work(stranger, engram, monkeypatch):
    probes = []
    health = Engram.health
    monkeypatch.setattr(Engram, "health", lambda self: (probes.append(1), health(self))[1])

    for _ in range(20):
        stranger.ask("GET", "/readyz")
    assert len(probes) == 1
    time.sleep(PROBED_AGAIN)
    stranger.ask("GET", "/readyz")

    assert len(probes) == 2


def test_figures_are_counted_by_template_and_status(writer, engram):
    engram.remember("The build is red.")
    writer.ask("GET", "/api/v1/memories/mem-0001")
    writer.ask("GET", "/api/v1/memories/mem-0002")
    writer.ask("GET", "/nope")

    reply = writer.ask("GET", "/metrics")

    assert reply.header("content-type").startswith("text/plain; version=0.0.4")
    lines = reply.body.decode().splitlines()
    template = 'route="/api/v1/memories/{memory_id}",method="GET"'
    assert f'engram_http_requests_total{{{template},status="200"}} 1' in lines
    assert f'engram_http_requests_total{{{template},status="404"}} 1' in lines
    assert "engram_memories 1" in lines
    assert "engram_http_rate_limited_total 0" in lines
    assert any(line.startswith("engram_pending_embeddings ") for line in lines)


def test_the_metrics_tell_how_many_questions_were_answered_ahead(writer):
    writer.ask("POST", "/api/v1/recall", {"query": "Where is the office?", "session": "s"})

    lines = writer.ask("GET", "/metrics").body.decode().splitlines()

    assert "# TYPE engram_session_questions_total counter" in lines
    assert "engram_session_questions_total 1" in lines
    assert "engram_anticipated_questions_total 0" in lines
    assert "engram_served_ahead_total 0" in lines


def test_the_histogram_adds_up(writer):
    for _ in range(5):
        writer.ask("GET", "/api/v1/stats")

    lines = writer.ask("GET", "/metrics").body.decode().splitlines()
    own = [line for line in lines if 'route="/api/v1/stats"' in line]
    buckets = [int(line.rpartition(" ")[2]) for line in own if "_bucket" in line]

    assert buckets == sorted(buckets)
    assert buckets[-1] == 5
    assert any("_count" in line and line.endswith(" 5") for line in own)


def test_figures_hold_no_names(engram, caller):
    secret = "canary-project"
    agent = caller("writer", f"project={secret}", kind="agent")
    agent.ask("POST", "/api/v1/memories", {"text": secret, "session": secret})
    agent.ask("GET", f"/api/v1/entities/{secret}")
    agent.ask("GET", f"/{secret}")
    agent.ask(secret.upper(), "/livez")

    told = caller("reader").ask("GET", "/metrics").body.decode()

    assert secret not in told.lower()
    assert engram.keys()[0].id not in told


def test_figures_of_the_whole_store_are_not_for_a_key_of_a_part_of_it(caller):
    assert caller("writer", "project=acme").ask("GET", "/metrics").status == 403
    assert caller("reader").ask("GET", "/metrics").status == 200


def test_refused_requests_are_counted_too(caller, stranger):
    hasty = caller("writer", per_minute=1)
    hasty.ask("GET", "/api/v1/stats")
    hasty.ask("GET", "/api/v1/stats")
    stranger.ask("GET", "/api/v1/stats")

    told = caller("writer").ask("GET", "/metrics").body.decode()

    assert "engram_http_rate_limited_total 1" in told
    assert 'engram_http_requests_total{route="(refused)",method="GET",status="401"} 1' in told


def test_details_of_the_health_of_the_whole_store_are_its_owners(caller):
    for path in ("/api/v1/health", "/api/v1/store/health"):
        owned = caller("admin").ask("GET", path).json()["checks"]
        for role in ("reader", "writer", "curator"):
            told = caller(role).ask("GET", path).json()["checks"]

            assert {each["detail"] for each in told} == {""}
            assert [(each["name"], each["state"]) for each in told] == [
                (each["name"], each["state"]) for each in owned
            ]
        assert all(each["detail"] for each in owned)
