"""What tools answered a moment ago, kept for one session and one agent."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from engram.context.tool_cache import (
    CacheLimits,
    SessionTools,
    ToolCaches,
    WholeLimits,
    size_of,
    tool_key,
)
from engram.errors import InvalidInput


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 16, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def limits() -> CacheLimits:
    return CacheLimits(timedelta(minutes=5), 3)


def tools_of(clock: Clock) -> SessionTools:
    return ToolCaches().of(("me", "here", "s"), clock, limits)


def counted(calls: list[int], answer: str = "sunny"):
    def make() -> str:
        calls.append(1)
        return answer

    return make


def test_a_tool_is_asked_once_in_five_minutes():
    clock, calls = Clock(), []
    tools = tools_of(clock)

    tools.get("weather", counted(calls))
    clock.now += timedelta(minutes=4, seconds=59)
    tools.get("weather", counted(calls))
    before = len(calls)
    clock.now += timedelta(minutes=5)
    tools.get("weather", counted(calls))

    assert (before, len(calls)) == (1, 2)


def test_a_clock_that_was_set_back_makes_nothing_last_for_ever():
    clock, calls = Clock(), []
    tools = tools_of(clock)

    tools.get("weather", counted(calls))
    clock.now -= timedelta(days=1)
    tools.get("weather", counted(calls))

    assert len(calls) == 2


def test_what_was_used_longest_ago_makes_room():
    tools, calls = tools_of(Clock()), []

    for key in ("a", "b", "c", "a", "d"):
        tools.get(key, counted(calls))
    made = len(calls)
    tools.get("a", counted(calls))
    tools.get("b", counted(calls))

    assert len(tools) == 3
    assert (made, len(calls)) == (4, 5)


def test_an_answer_of_none_is_an_answer():
    tools, calls = tools_of(Clock()), []

    for _ in range(2):
        tools.get("nothing", lambda: calls.append(1))

    assert len(calls) == 1


def test_a_tool_that_failed_is_asked_again():
    tools, calls = tools_of(Clock()), []

    def fails() -> str:
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        tools.get("weather", fails)
    tools.get("weather", counted(calls))

    assert len(calls) == 1


def test_a_tool_may_use_another_one():
    tools = tools_of(Clock())

    answer = tools.get("trip", lambda: "take " + tools.get("weather", lambda: "an umbrella"))

    assert answer == "take an umbrella"
    assert len(tools) == 2


def test_another_agent_in_the_session_finds_nothing_of_the_first():
    caches, clock, calls = ToolCaches(), Clock(), []

    for agent in ("coder", "coder", "reviewer", "coder"):
        caches.of(("me", agent, "s"), clock, limits).get("weather", counted(calls))

    assert len(calls) == 2


def test_callers_scopes_and_sessions_share_nothing():
    caches, clock, calls = ToolCaches(), Clock(), []
    keys = (("me", "a", "s"), ("you", "a", "s"), ("me", "b", "s"), ("me", "a", "t"))

    for key in keys * 2:
        caches.of(key, clock, limits).get("weather", counted(calls))
    caches.of(keys[0], clock, limits).clear()

    assert len(calls) == 4
    assert [len(caches.of(key, clock, limits)) for key in keys] == [0, 1, 1, 1]


def test_the_number_of_sessions_is_bounded():
    caches, clock = ToolCaches(WholeLimits(sessions=3)), Clock()

    for number in (1, 2, 3, 1, 4):
        caches.of(("me", "here", str(number)), clock, limits).get("weather", lambda: "sunny")

    assert len(caches) == 3
    left = [number for number in range(1, 5) if caches.held_in(("me", "here", str(number)))]
    assert left == [1, 3, 4]


def test_the_bytes_of_a_session_are_bounded_and_the_oldest_make_room():
    caches, clock, calls = ToolCaches(), Clock(), []
    tools = caches.of(
        ("me", "here", "s"), clock, lambda: CacheLimits(timedelta(minutes=5), 99, size=10_000)
    )

    for key in ("a", "b", "c"):
        tools.get(key, lambda: ["x" * 4_000])
    tools.get("c", counted(calls))
    tools.get("b", counted(calls))
    tools.get("a", counted(calls))

    assert len(calls) == 1
    assert 4_000 < caches.size <= 10_000


def test_the_bytes_of_all_sessions_together_are_bounded_whoever_still_holds_one():
    caches, clock = ToolCaches(WholeLimits(size=50_000)), Clock()
    held = [caches.of(("me", "here", str(number)), clock, limits) for number in range(20)]

    for tools in held + held:
        tools.get("page", lambda: "x" * 9_000)
        assert caches.size <= 50_000

    assert len(caches) == 5


def test_what_is_too_large_to_keep_is_given_and_puts_nothing_out():
    caches, clock, calls = ToolCaches(WholeLimits(size=10_000)), Clock(), []
    tools = caches.of(("me", "here", "s"), clock, limits)

    tools.get("small", lambda: "sunny")
    answers = [tools.get("large", counted(calls, "x" * 20_000)) for _ in range(2)]

    assert [len(each) for each in answers] == [20_000, 20_000]
    assert (len(calls), len(tools)) == (2, 1)


class Page:
    def __init__(self, text: str) -> None:
        self.text = text


@dataclass(slots=True)
class Slotted:
    text: str


@pytest.mark.parametrize(
    "wrapped",
    [str, str.encode, lambda text: [text], lambda text: {text: 1}, lambda text: {"a": ({text},)},
     Page, Slotted],
)  # fmt: skip
def test_the_size_of_an_answer_is_that_of_all_that_lies_in_it(wrapped):
    assert 100_000 <= size_of(wrapped("x" * 100_000)) < 102_000


def test_an_answer_without_end_or_with_too_many_pieces_is_measured_in_no_time():
    circle: list[object] = []
    circle.append(circle)

    assert size_of(circle) < 1_000
    assert size_of([[number] for number in range(30_000)]) > 1 << 40


def test_arguments_make_one_key_in_any_order():
    assert tool_key("look", {"a": 1, "b": "é"}) == tool_key("look", {"b": "é", "a": 1})
    assert tool_key("look", {"a": 1}) != tool_key("seek", {"a": 1})


def test_a_key_that_is_none_is_refused():
    with pytest.raises(InvalidInput):
        tools_of(Clock()).get("", lambda: 1)
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
