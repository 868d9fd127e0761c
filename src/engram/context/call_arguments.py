"""What a tool was asked, in fewer tokens and still JSON: servers refuse a call that is not."""

import json
from collections.abc import Callable, Sequence
from functools import partial

from engram.memory.tokens.counter import TokenCounter

Shorten = Callable[[str, int, TokenCounter], str]

_NOTHING = "{}"


def shortened_arguments(text: str, most: int, counter: TokenCounter, shorten: Shorten) -> str:
    """The arguments in at most so many tokens: long texts in them by their beginning and end.

    Where that does not do, a note stands for all of them, or nothing at all.
    """
    if counter.count(text) <= most:
        return text
    sizes: list[int] = []

    def emptied(said: str) -> str:
        sizes.append(counter.count(said))
        return ""

    bare = _told(text, emptied)
    each = 0 if bare is None else level(sizes, most - counter.count(bare))
    while each > 0:
        told = _told(text, partial(_kept, shorten, each, counter))
        if told is not None and counter.count(told) <= most:
            return told
        each = each * 9 // 10  # what JSON has to escape takes more
    note = as_json({"left_out": f"{len(text)} characters"})
    return note if len(note) < len(text) and counter.count(note) <= most else _NOTHING


def as_json(value: object) -> str:
    """A value as JSON, whatever it holds."""
    return json.dumps(value, ensure_ascii=False, default=str, skipkeys=True)


def level(sizes: Sequence[int], room: int) -> int:
    """The most that each may keep for all to have room, where the short ones keep all of it."""
    left = room
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return max(0, share)
        left -= size
    return max(sizes, default=0)


def _kept(shorten: Shorten, most: int, counter: TokenCounter, said: str) -> str:
    return shorten(said, most, counter)


def _told(text: str, change: Callable[[str], str]) -> str | None:
    try:
        found = json.loads(text, parse_constant=str)  # NaN is no JSON
        return as_json(_changed(found, change)) if isinstance(found, dict) else None
    except (ValueError, RecursionError):  # no JSON, or so deep that nobody reads it
        return None


def _changed(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: _changed(each, change) for name, each in value.items()}
    if isinstance(value, list):
        return [_changed(each, change) for each in value]
    return value
