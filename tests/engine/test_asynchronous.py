"""The same calls, awaited."""

import asyncio
import inspect

from engram import AsyncEngram, Engram

_OTHERWISE = {"principal", "settings", "upkeep"}  # reached through `.engram`; nothing to wait for


def test_every_method_can_be_awaited():
    methods = {name for name in dir(Engram) if not name.startswith("_")} - _OTHERWISE

    assert methods <= set(dir(AsyncEngram))


def test_a_memory_is_kept_recalled_and_taken_back(clock, tmp_path):
    async def use() -> list[int]:
        async with await AsyncEngram.open(tmp_path / "store", clock=clock) as engram:
            made = await engram.remember("A zebra.")
            found = await engram.recall("zebra")
            listed = await engram.list()
            await engram.undo(made.change_id)
            return [len(found), len(listed), len(await engram.list())]

    assert asyncio.run(use()) == [1, 1, 0]


def test_fifty_at_once_are_fifty(clock, tmp_path):
    async def use() -> int:
        async with await AsyncEngram.open(tmp_path / "store", clock=clock) as engram:
            await asyncio.gather(*(engram.remember(f"fact {i}") for i in range(50)))
            return len(await engram.list())

    assert asyncio.run(use()) == 50


def test_the_event_loop_does_not_wait(clock, tmp_path):
    async def use() -> int:
        ticks = 0
        async with await AsyncEngram.open(tmp_path / "store", clock=clock) as engram:
            task = asyncio.ensure_future(engram.remember_many([f"fact {i}" for i in range(500)]))
            while not task.done():
                ticks += 1
                await asyncio.sleep(0.001)
        return ticks

    assert asyncio.run(use()) > 3


def test_signatures_are_those_of_engram():
    assert AsyncEngram.__dict__["recall"]._method is Engram.recall
    assert inspect.signature(AsyncEngram.__dict__["recall"]._method) == inspect.signature(
        Engram.recall
    )
