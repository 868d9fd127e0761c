"""The same calls, awaited."""

import asyncio
import inspect

import pytest

from engram import AsyncEngram, Engram
from engram.asynchronous_systems import (
    AsyncEpisodes,
    AsyncKnowledge,
    AsyncPath,
    AsyncSkills,
    AsyncTurn,
    AsyncWorking,
)
from engram.engine.episodes import Episodes
from engram.engine.knowing import Path
from engram.engine.knowledge import Knowledge
from engram.engine.skills import Skills
from engram.engine.turns import Turn
from engram.engine.working import Working

_OTHERWISE = {"principal", "settings", "upkeep"}  # reached through `.engram`; nothing to wait for


def test_every_method_can_be_awaited():
    methods = {name for name in dir(Engram) if not name.startswith("_")} - _OTHERWISE

    assert methods <= set(dir(AsyncEngram))


@pytest.mark.parametrize(
    ("system", "awaited"),
    [
        (Episodes, AsyncEpisodes),
        (Knowledge, AsyncKnowledge),
        (Path, AsyncPath),
        (Skills, AsyncSkills),
        (Turn, AsyncTurn),
        (Working, AsyncWorking),
    ],
)
def test_every_method_of_a_system_can_be_awaited(system, awaited):
    methods = {name for name in dir(system) if not name.startswith("_")}
    made_at_once = {"register_check", "register_extractor"}  # nothing to wait for

    assert methods - made_at_once <= set(dir(awaited))


def test_the_systems_are_reached_and_awaited(clock, tmp_path):
    async def use() -> list[object]:
        async with AsyncEngram.open(tmp_path / "store", clock=clock) as engram:
            await engram.knowledge.learn("Ada", "uses", "vim")
            await engram.knowledge.learn("vim", "created_by", "Bram")
            path = engram.knowledge.path("Ada").follow("uses").follow("created_by")
            found = await path.where(label="Bram").find()
            begun = await engram.episodes.begin("a walk")
            await engram.episodes.end(begun.id, "success")
            ongoing = await engram.episodes.ongoing()
            engram.skills.register_check("awake", lambda situation: True)
            skills = await engram.skills.list()
            items = await engram.working.gather("Which editor does Ada use?")
            return [[each.node.label for each in found], ongoing, skills, len(items) > 0]

    assert asyncio.run(use()) == [["Bram"], [], [], True]


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
