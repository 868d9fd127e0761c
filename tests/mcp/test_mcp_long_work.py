"""Long work: the client hears how far it is, can call it off, and is answered meanwhile."""

import threading
import time

import pytest
from talking import Talk, call, request

from engram.errors import Cancelled, EngramError, RequestTimeout
from engram.surfaces.mcp.work import attempted
from engram.surfaces.work import Errand, Workshop


def items(count: int) -> list[dict]:
    return [{"text": f"Fact number {n} of many."} for n in range(count)]


def with_token(message: dict, token: object) -> dict:
    message["params"]["_meta"] = {"progressToken": token}
    return message


def cancelled(known: object) -> dict:
    return {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": known, "reason": "enough"},
    }


@pytest.fixture
def talk(store_path):
    with Talk(store_path, "--tools", "full", ENGRAM_STORAGE__ROWS_PER_COMMIT="20") as talk:
        talk.begin()
        talk.tool("first", "memory_list")
        yield talk


def test_long_work_tells_how_far_it_is_to_who_asked_for_that(talk):
    talk.send(with_token(call(1, "remember_many", items=items(400)), "here"))
    found = []
    while "result" not in (found[-1] if found else {}):
        found.append(talk.answer())
    silent = talk.tool(2, "remember_many", items=items(3))

    told = [each["params"] for each in found if each.get("method") == "notifications/progress"]
    assert len(told) >= 1
    assert {each["progressToken"] for each in told} == {"here"}
    assert [each["progress"] for each in told] == sorted({each["progress"] for each in told})
    assert {each["total"] for each in told} == {400}
    assert found[-1]["id"] == 1
    assert not silent.get("isError")


def test_work_that_is_called_off_stops_at_the_next_batch_and_is_not_answered(talk):
    talk.send(with_token(call(1, "remember_many", items=items(1_000)), 7))
    told = talk.answer()
    talk.send(cancelled(1), request(2, "ping"))
    later = [talk.answer() for _ in range(1)]
    while later[-1].get("id") != 2:
        later.append(talk.answer())
    stopped = _settled_count(talk)

    assert told["method"] == "notifications/progress"
    assert not any("id" in each and each["id"] == 1 for each in later)
    assert 0 < stopped < 1_000
    assert talk.is_quiet()


def _settled_count(talk: Talk) -> int:
    """How many memories there are once nothing is added any more."""
    count, before = -1, -2
    number = 100
    while count != before:
        time.sleep(0.3)
        number += 1
        before, count = count, talk.tool(number, "stats")["structuredContent"]["memories"]
    return count


def test_a_question_is_answered_while_long_work_goes_on(talk):
    talk.tool(1, "memory_store", content="Ada lives in Porto.")
    talk.send(with_token(call(2, "remember_many", items=items(1_000)), 7))
    assert talk.answer()["method"] == "notifications/progress"

    talk.send(call(3, "memory_search", query="Where does Ada live?"))
    order = []
    while len(order) < 2:
        found = talk.answer()
        order += [found["id"]] if "id" in found else []

    assert order == [3, 2]


def test_it_ends_soon_although_long_work_goes_on(talk):
    talk.send(with_token(call(2, "remember_many", items=items(1_000)), 7))
    assert talk.answer()["method"] == "notifications/progress"

    assert talk.end() < 2


# The threads by themselves


def test_an_errand_that_was_called_off_raises_where_it_tells_how_far_it_is():
    errand = Errand()
    errand.progress(1, 10)
    errand.call_off()

    with pytest.raises(Cancelled):
        errand.progress(2, 10)


def test_an_errand_tells_seldom_and_always_of_its_end():
    told = []
    errand = Errand(lambda done, total: told.append((done, total)))

    for done in range(1, 1_001):
        errand.progress(done, 1_000)

    assert told[0] == (1, 1_000)
    assert told[-1] == (1_000, 1_000)
    assert len(told) < 20


def test_whoever_stops_waiting_calls_the_work_off():
    import asyncio

    begun, errand = threading.Event(), Errand()

    def work():
        begun.set()
        while True:
            errand.progress(0, 1)
            time.sleep(0.01)

    async def run():
        shop = Workshop(1)
        task = asyncio.create_task(shop.do(work, errand))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        after = await shop.do(lambda: "free again", Errand())
        shop.close()
        return after

    assert asyncio.run(run()) == "free again"


def test_an_unexpected_error_is_noted_and_keeps_its_words_to_itself(caplog):
    import asyncio

    def work():
        raise KeyError("canary")

    with pytest.raises(EngramError) as raised:
        asyncio.run(Workshop(1).do(lambda: attempted(work)))

    assert "KeyError" in str(raised.value)
    assert "KeyError at test_mcp_long_work.py:" in caplog.text
    assert "canary" not in str(raised.value) + caplog.text


def test_who_is_answered_too_late_is_told_so_and_the_work_called_off():
    import asyncio

    errand, ended = Errand(), threading.Event()

    def work():
        try:
            while True:
                errand.progress(0, 1)
                time.sleep(0.01)
        finally:
            ended.set()

    with pytest.raises(RequestTimeout):
        asyncio.run(Workshop(1, most_seconds=lambda: 0.05).do(work, errand))

    assert ended.wait(5)


def test_closing_waits_for_what_runs_and_calls_it_off():
    import asyncio

    errand, begun, ended = Errand(), threading.Event(), threading.Event()
    shop = Workshop(1)

    def work():
        begun.set()
        try:
            while True:
                errand.progress(0, 1)
                time.sleep(0.01)
        finally:
            time.sleep(0.05)
            ended.set()

    async def run():
        task = asyncio.create_task(shop.do(work, errand))
        await asyncio.to_thread(begun.wait)
        await asyncio.to_thread(shop.close)
        is_over = ended.is_set()
        with pytest.raises(Cancelled):
            await task
        return is_over

    assert asyncio.run(run())
