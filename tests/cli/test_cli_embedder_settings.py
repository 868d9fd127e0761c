"""An embedder that is set wrongly or is away: refused when set, told everywhere, fatal nowhere."""

import socket
import time

import pytest

from engram.surfaces.cli import recalling

AWAY = {
    "ENGRAM_EMBEDDER__KIND": "url",
    "ENGRAM_EMBEDDER__URL": "http://127.0.0.1:9/v1",
    "ENGRAM_EMBEDDER__RETRIES": "0",
}
UNREADABLE = [
    "http://myhost.lan:8080/v1",
    "ftp://x/v1",
    "localhost:18433",
    "not a url",
    "https://user:pw@host/v1",
]


@pytest.fixture
def set_wrongly(store):
    """A file edited by hand, past the check of `config set`."""
    (store / "config.toml").write_text(
        '[embedder]\nkind = "url"\nurl = "https://user:pw@host/v1"\n', encoding="utf-8"
    )
    return store


@pytest.mark.parametrize("url", UNREADABLE)
def test_an_address_that_could_never_be_asked_is_refused_when_it_is_set(run, store, url):
    answer = run("config", "set", "embedder.url", url, "--json")

    assert (answer.code, answer.error_code) == (1, "E5003")
    assert "embedder.url" in answer.document["error"]["hint"]
    assert "pw" not in answer.out
    assert not (store / "config.toml").exists()


def test_an_address_on_another_machine_is_taken_with_leave(ask):
    ask("config", "set", "embedder.allow_plain_http", "true")

    assert ask("config", "set", "embedder.url", "http://myhost.lan:8080/v1")["origin"] == "file"
    assert ask("config", "set", "embedder.kind", "url")["value"] == "url"


def test_leave_cannot_be_taken_from_an_address_that_is_in_use(ask, run):
    ask("config", "set", "embedder.allow_plain_http", "true")
    ask("config", "set", "embedder.url", "http://myhost.lan:8080/v1")
    ask("config", "set", "embedder.kind", "url")

    assert run("config", "set", "embedder.allow_plain_http", "false").code == 1
    assert run("config", "set", "embedder.model", " ").code == 1


def test_settings_can_be_put_right_whatever_is_wrong_with_the_embedder(ask, run, set_wrongly):
    assert ask("config", "get", "embedder.kind")["value"] == "url"
    assert run("config", "path").code == 0
    assert ask("config", "set", "recall.limit", "7")["value"] == 7
    assert ask("config", "unset", "embedder.url")["origin"] == "default"
    assert ask("config", "unset", "embedder.kind")["value"] == "builtin"


def test_a_store_with_a_wrong_embedder_keeps_and_finds_by_text(ask, run, set_wrongly):
    ask("remember", "The heron fishes at dawn.")

    found = ask("recall", "heron")

    assert [hit["label"] for hit in found["hits"]] == ["mem-0001"]
    assert found["level"] == "text_only"
    assert any("must hold no name, password" in each for each in found["degraded"])
    assert "must hold no name, password" in run("recall", "heron").out
    checks = {each["name"]: each for each in ask("health")["checks"]}
    assert checks["embedder"]["state"] == "warning"
    assert "must hold no name, password" in checks["embedder"]["detail"]
    doctor = run("doctor", "--json")
    assert doctor.code == 1
    assert any("password" in each["detail"] for each in doctor.document["findings"])


def test_the_address_that_was_refused_is_written_nowhere(ask, set_wrongly):
    ask("remember", "The heron fishes at dawn.")
    (set_wrongly / "config.toml").unlink()

    files = [path for path in set_wrongly.rglob("*") if path.is_file()]

    assert [path for path in files if b"user:pw" in path.read_bytes()] == []


def test_what_waited_is_embedded_once_the_settings_are_right(ask, set_wrongly):
    ask("remember", "The heron fishes at dawn.")
    ask("config", "unset", "embedder.url")
    ask("config", "set", "embedder.kind", "hashing")

    assert ask("embed")["waiting"] == 0
    assert ask("recall", "heron")["level"] == "full"


def test_a_wrong_embedder_leaves_the_earlier_one_answering(ask, run, store):
    hashing = {"ENGRAM_EMBEDDER__KIND": "hashing"}
    ask("remember", "The heron fishes at dawn.", **hashing)
    ask("embed", **hashing)

    wrong = {"ENGRAM_EMBEDDER__KIND": "url", "ENGRAM_EMBEDDER__URL": "ftp://x/v1"}

    assert ask("recall", "heron", **wrong)["level"] == "full"
    assert run("embed", **wrong).code == 1


def test_health_and_doctor_tell_of_a_server_that_is_away(ask, run):
    ask("remember", "The heron fishes at dawn.", **AWAY)

    checks = {each["name"]: each for each in ask("health", **AWAY)["checks"]}
    doctor = run("doctor", **AWAY)

    assert checks["embedder"]["state"] == "warning"
    assert "127.0.0.1:9" in checks["embedder"]["detail"]
    assert doctor.code == 1
    assert "127.0.0.1:9" in doctor.out.replace("\n", "")
    assert "--repair" not in doctor.out  # there is nothing that a repair could mend


def test_health_says_that_the_embedder_works(ask):
    checks = {each["name"]: each for each in ask("health")["checks"]}

    assert (checks["embedder"]["state"], checks["embedder"]["detail"]) == (
        "ok",
        "a text was embedded",
    )


def test_without_an_embedder_there_is_nothing_wrong_with_it(ask):
    none = {"ENGRAM_EMBEDDER__KIND": "none"}

    assert ask("health", **none)["status"] == "ok"
    assert ask("doctor", **none)["is_fine"]


def test_a_server_that_hangs_holds_health_up_for_two_seconds_at_most(ask):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        hanging = {**AWAY, "ENGRAM_EMBEDDER__URL": f"http://127.0.0.1:{listening.getsockname()[1]}"}
        started = time.monotonic()

        checks = {each["name"]: each for each in ask("health", **hanging)["checks"]}

    assert time.monotonic() - started < 4
    assert checks["embedder"]["state"] == "warning"
    assert "2 seconds" in checks["embedder"]["detail"]


def test_the_model_is_loaded_before_the_clock_of_a_recall_starts(ask, store):
    from engram import Engram

    with Engram.open(store, settings={"embedder": {"kind": "builtin"}}) as engram:
        engram.remember("The heron fishes at dawn.", wait=True)

    with Engram.open(store, settings={"embedder": {"kind": "builtin"}}) as engram:
        assert not engram._parts.embedding.embedder.is_loaded
        assert recalling.made_ready(engram) == ""
        assert engram._parts.embedding.embedder.is_loaded


def test_a_program_may_load_the_model_in_the_background(store):
    from engram import Engram

    with Engram.open(store, settings={"embedder": {"kind": "builtin"}}) as engram:
        embedder = engram._parts.embedding.embedder
        started = time.monotonic()
        assert engram.upkeep.warm(0) == ""
        took = time.monotonic() - started

        while not embedder.is_loaded:
            assert time.monotonic() - started < 30
            time.sleep(0.01)

    assert took < 0.2


def test_a_person_at_a_terminal_sees_what_is_waited_for(terminal):
    shown = terminal("recall", "heron", ENGRAM_EMBEDDER__KIND="hashing")

    assert shown.leave() == 0
    assert "embedding…" in shown.seen
    assert "Nothing found." in shown.seen


def test_a_pipe_gets_the_answer_alone(spawn):
    answer = spawn("recall", "heron", ENGRAM_EMBEDDER__KIND="hashing")

    assert answer.err == ""
    assert "embedding" not in answer.out
