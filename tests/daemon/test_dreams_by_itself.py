"""The process in the background dreams when there is rest, and wakes for who needs the store."""

from datetime import UTC, datetime, timedelta

from harness_waiting import wait_until

from engram import Engram
from engram.engine.background import BackgroundWork, leaves_work, seat_kept_free
from engram.surfaces.daemon.dream_starter import DreamStarter, start_for_dream

NONE = {"embedder": {"kind": "none"}}
DUE = {
    "ENGRAM_EMBEDDER__KIND": "none",
    "ENGRAM_DREAMS__EVERY_HOURS": "24",
    "ENGRAM_DREAMS__REST_MINUTES": "0",
}


def yesterday_s_memory(store) -> None:
    """Something that was kept two days ago, so that a dream is due."""
    then = datetime.now(UTC) - timedelta(days=2)
    with Engram.open(store, settings=NONE, clock=lambda: then) as engram:
        engram.remember("Ada keeps bees on the roof.")


def test_a_dream_that_is_due_is_dreamt_and_noted(store, run_daemon):
    yesterday_s_memory(store)

    run_daemon(**DUE)

    with Engram.open(store, settings=NONE) as engram:
        wait_until(lambda: any(each.finished_at for each in engram.dreams()))
        assert BackgroundWork.of(engram).steps_due() == ()  # nothing is new


def test_a_young_store_has_no_dream_to_come(store):
    with Engram.open(store, settings=NONE) as engram:
        engram.remember("Ada keeps bees on the roof.")

        assert not BackgroundWork.of(engram).waiting().dreams
        assert not leaves_work(engram)


def test_a_dream_to_come_is_work_left_behind_unless_it_is_switched_off(store):
    yesterday_s_memory(store)

    with Engram.open(store, settings=NONE) as engram:
        assert leaves_work(engram)
    with Engram.open(store, settings={**NONE, "dreams": {"start": "never"}}) as engram:
        assert not leaves_work(engram)
        assert BackgroundWork.of(engram).steps_due() == ()


def test_whoever_needs_the_store_alone_wakes_the_dreamer(store, run_daemon, tmp_path):
    yesterday_s_memory(store)
    marker = tmp_path / "marker"
    child = run_daemon(**DUE, ENGRAM_FAILPOINT=f"dream_before_mark,{marker}")
    wait_until(marker.exists)  # it sleeps soundly in the middle of a dream
    child.kill()
    child.wait()

    with seat_kept_free(store) as is_free:
        assert is_free
    with Engram.open(store, settings=NONE) as engram:
        report = engram.dream()

    assert report.is_resumed  # what the killed one had begun


def test_a_server_starts_the_dreamer_and_does_not_dream_itself(store, monkeypatch):
    yesterday_s_memory(store)
    monkeypatch.setenv("ENGRAM_DAEMON__START", "auto")
    for name, value in DUE.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("ENGRAM_DAEMON__IDLE_SECONDS", "1")

    with Engram.open(store) as engram:
        looking = DreamStarter(engram, every_seconds=1.5)
        looking.start()
        wait_until(lambda: any(each.finished_at for each in engram.dreams()))
        looking.close()
        with seat_kept_free(store):  # it leaves when it is asked to
            assert not start_for_dream(engram)  # and nothing is due any more


def test_nothing_is_started_where_no_process_may_be(store):
    yesterday_s_memory(store)

    with Engram.open(store, settings=NONE) as engram:  # ENGRAM_DAEMON__START is never here
        assert not start_for_dream(engram)
    with Engram.open(":memory:", settings=NONE) as engram:
        assert not start_for_dream(engram)
