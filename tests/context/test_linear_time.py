"""Whoever sends a long message does not stop everybody else: the work grows as the text does."""

import time
from collections.abc import Callable

import pytest

from engram.context.compress import tell
from engram.context.exchanges import Exchange
from engram.context.message import message_of
from engram.context.modes import mode_for
from engram.context.notes import _ASKS, _TASK
from engram.memory.fencing import harmless, spelled_out, without_blocks, without_leading_blocks

SIZES = (1_000, 4_000)  # characters; what is squared takes sixteen times as long for the second
UNITS = (
    "\u200d", "\u200c\u200d", "e\u0301\u200d", "?", "\uff1f", "? ", "\n", "\n ", " ", "-", "- ",
    "#", "`", "~", "[", "[A", "A_", "[end of ", "<", "\uff1c", "<\u200b", "<engram-", "a", "a1",
    "a-", "a.", "a/", "a_", "1.", "and ", "so, ", "User*", "*", "_", ":", "User:", "1+", "how has ",
    '<engram-memories about="', '<engram-memories about="x">\n', "</engram-memories>\n",
)  # fmt: skip


def _telling(text: str) -> object:
    return tell(Exchange((message_of("user", text),)))


READERS: dict[str, Callable[[str], object]] = {
    "the fence": harmless,
    "tags": spelled_out,
    "blocks": without_blocks,
    "blocks in front": without_leading_blocks,
    "telling": _telling,
    "modes": lambda text: mode_for(text, "automatic"),
    "questions": _ASKS.search,
    "tasks": _TASK.search,
}


def _seconds(read: Callable[[str], object], text: str) -> float:
    """Of this thread alone, at best: others are at work beside it."""
    spent = []
    for number in range(3):
        began = time.thread_time()
        read(f"{text}\u00e9{number}")  # a letter of no alphabet of ours ends it; never remembered
        spent.append(time.thread_time() - began)
        if spent[-1] < 0.005:
            break
    return min(spent)


@pytest.mark.parametrize("name", READERS)
def test_four_times_the_text_is_no_sixteen_times_the_work(name: str):
    slow = {}
    for unit in UNITS:
        short, long = (
            _seconds(READERS[name], "\u00e9" + unit * (size // len(unit))) for size in SIZES
        )
        if long > 8 * short + 0.005:
            slow[unit] = (short, long)

    assert slow == {}
