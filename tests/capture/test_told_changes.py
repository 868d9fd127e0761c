"""Something has one value after the other, as a person tells it among other things."""

import pytest
from clock import FakeClock

from engram import Engram

_PLAIN = {"embedder": {"kind": "none"}}
_TALK = 30  # turns between two values, with some of their words


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def engram(clock):
    with Engram.open(":memory:", settings=_PLAIN, clock=clock) as opened:
        yield opened


def _says(engram: Engram, clock: FakeClock, *texts: str) -> None:
    for text in texts:
        clock.advance(minutes=1)
        engram.observe(text, role="user", speaker="Mara", at=clock())
    engram.flush()


def _current(engram: Engram, word: str) -> list[str]:
    return [
        each.content
        for each in engram.list(limit=500, status="active")
        if each.category != "turn" and word in each.content
    ]


@pytest.mark.parametrize(
    ("told", "word", "left"),
    [
        (
            ["The retro is at 8:50.", "We moved the retro to 9:35.", "The retro is at 10:05 now."],
            "retro",
            "The retro is at 10:05 now.",
        ),
        (
            ["The retro is at 8:50.", "The retro is at 9:35 now.", "We moved the retro to 10:05."],
            "retro",
            "Mara and others moved the retro to 10:05.",
        ),
        (
            ["The fire warden is Ottilie.", "The fire warden is Bo now.",
             "Our fire warden is now Samira."],
            "warden",
            "Mara's fire warden is now Samira.",
        ),
        (
            ["The quarterly call is on Tuesday.", "We moved the quarterly call to Thursday.",
             "The quarterly call is on Monday now."],
            "quarterly",
            None,
        ),
        (
            ["The cap is 45.", "We changed the cap from 45 to 60.", "The cap is now 90."],
            "cap",
            "The cap is now 90.",
        ),
        (
            ["Gunnar leads the night shift.", "Philippa leads the night shift now.",
             "Marcel leads the night shift now."],
            "night shift",
            "Marcel leads the night shift now.",
        ),
    ],
)  # fmt: skip
def test_one_value_is_left_however_much_was_said_in_between(engram, clock, told, word, left):
    for text in told:
        _says(engram, clock, text)
        talk = (
            f"I moved box {n} to the cellar, and I will call Bo about shift {n} on my own."
            for n in range(_TALK)
        )
        clock.advance(days=7)
        _says(engram, clock, *talk)

    found = _current(engram, word)

    assert len(found) == 1
    assert left is None or found == [left]


def test_a_lead_in_does_not_hide_a_change(engram, clock):
    _says(engram, clock, "The cap is 45.")
    clock.advance(days=2)
    _says(engram, clock, "Sorry for the digression. Before I forget: we changed the cap to 60.")

    assert _current(engram, "the cap") == ["Mara and others changed the cap to 60."]
    assert _current(engram, "The cap") == []
