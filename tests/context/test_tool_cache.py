"""What tools answered a moment ago, kept for one session and one agent."""

from datetime import UTC, datetime, timedelta

import pytest

from engram.context.tool_cache import CacheLimits, SessionTools, ToolCaches, tool_key
from engram.errors import InvalidInput


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 16, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def limits() -> CacheLimits:
    return CacheLimits(timedelta(minutes=5), 3)


def counted(calls: list[int], answer: str = "sunny"):
    def make() -> str:
        calls.append(1)
        return answer

    return make


def test_a_tool_is_asked_once_in_five_minutes():
    clock, calls = Clock(), []
    tools = SessionTools(clock, limits)

    tools.get("weather", counted(calls))
    clock.now += timedelta(minutes=4, seconds=59)
    tools.get("weather", counted(calls))
    before = len(calls)
    clock.now += timedelta(minutes=5)
    tools.get("weather", counted(calls))

    assert (before, len(calls)) == (1, 2)


def test_a_clock_that_was_set_back_makes_nothing_last_for_ever():
    clock, calls = Clock(), []
    tools = SessionTools(clock, limits)

    tools.get("weather", counted(calls))
    clock.now -= timedelta(days=1)
    tools.get("weather", counted(calls))

    assert len(calls) == 2


def test_what_was_used_longest_ago_makes_room():
    tools, calls = SessionTools(Clock(), limits), []

    for key in ("a", "b", "c", "a", "d"):
        tools.get(key, counted(calls))
    made = len(calls)
    tools.get("a", counted(calls))
    tools.get("b", counted(calls))

    assert len(tools) == 3
    assert (made, len(calls)) == (4, 5)


def test_an_answer_of_none_is_an_answer():
    tools, calls = SessionTools(Clock(), limits), []

    for _ in range(2):
        tools.get("nothing", lambda: calls.append(1))

    assert len(calls) == 1


def test_a_tool_that_failed_is_asked_again():
    tools, calls = SessionTools(Clock(), limits), []

    def fails() -> str:
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        tools.get("weather", fails)
    tools.get("weather", counted(calls))

    assert len(calls) == 1


def test_a_tool_may_use_another_one():
    tools = SessionTools(Clock(), limits)

    answer = tools.get("trip", lambda: "take " + tools.get("weather", lambda: "an umbrella"))

    assert answer == "take an umbrella"
    assert len(tools) == 2


def test_another_agent_in_the_session_finds_nothing_of_the_first():
    caches, clock, calls = ToolCaches(), Clock(), []

    for agent in ("coder", "coder", "reviewer", "coder"):
        caches.of(("me", "s"), agent, clock, limits).get("weather", counted(calls))

    assert len(calls) == 3


def test_callers_and_sessions_share_nothing():
    caches, clock, calls = ToolCaches(), Clock(), []

    for caller in (("me", "s"), ("you", "s"), ("me", "t"), ("me", "s")):
        caches.of(caller, "coder", clock, limits).get("weather", counted(calls))

    assert len(calls) == 3


def test_the_number_of_sessions_is_bounded():
    caches, clock = ToolCaches(), Clock()

    for number in range(300):
        caches.of(("me", str(number)), "coder", clock, limits)

    assert len(caches) == 256


def test_arguments_make_one_key_in_any_order():
    assert tool_key("look", {"a": 1, "b": "é"}) == tool_key("look", {"b": "é", "a": 1})
    assert tool_key("look", {"a": 1}) != tool_key("seek", {"a": 1})


def test_a_key_that_is_none_is_refused():
    with pytest.raises(InvalidInput):
        SessionTools(Clock(), limits).get("", lambda: 1)
    deep: dict[str, object] = {}
    for _ in range(50_000):
        deep = {"a": deep}
    endless: dict[str, object] = {}
    endless["a"] = endless
    for arguments in ({"a": object()}, deep, endless):
        with pytest.raises(InvalidInput):
            tool_key("look", arguments)
    with pytest.raises(InvalidInput):
        tool_key(5, {})  # type: ignore[arg-type]
