"""Reads JSON with comments and trailing commas, and remembers where in the text everything stands.

The files of other programs are changed by putting text in and taking it out again, so what is
wanted of a parser here is places, not only values.
"""

import json
import re
from dataclasses import dataclass, field

from engram.errors import HarnessUnreadable

BYTE_ORDER_MARK = "\ufeff"
_MOST_DEEP = 200
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\.)*+"')
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_GAP = re.compile(r"(?:[ \t\r\n]++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_CLOSERS = {"{": "}", "[": "]"}


@dataclass(slots=True)
class Child:
    """A member of an object or an element of a list: from `start` (of its key) to `end`."""

    key: str  # empty in a list
    start: int
    value: "Node"
    comma: int | None = None  # where the comma behind it stands

    @property
    def end(self) -> int:
        """Just behind its value."""
        return self.value.end


@dataclass(slots=True)
class Node:
    """One value and its place in the text."""

    start: int
    end: int
    value: object  # of a container: its children's values
    opener: str = ""  # { or [; empty for what holds nothing
    children: list[Child] = field(default_factory=list)

    def child(self, key: str) -> Child | None:
        """The member of that name; what is there twice is not touched."""
        found = [child for child in self.children if child.key == key]
        if len(found) > 1:
            raise HarnessUnreadable(hint=f"The name `{key}` stands in it twice.")
        return found[0] if found else None


def parse(text: str) -> Node | None:
    """The value of a whole text with all places; None when there is nothing but space."""
    reader = _Reader(text)
    place = reader.gap(1 if text.startswith(BYTE_ORDER_MARK) else 0)
    if place == len(text):
        return None
    node = reader.value(place, 0)
    if reader.gap(node.end) != len(text):
        raise _unreadable(text, node.end)
    return node


def comments(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where comments stand in a gap between two tokens."""
    return [found.span() for found in _COMMENT.finditer(text, start, end)]


class _Reader:
    """One reading of one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def gap(self, place: int) -> int:
        """The next place behind spaces and comments."""
        found = _GAP.match(self._text, place)
        end = found.end() if found else place
        if self._text.startswith("/*", end):
            raise _unreadable(self._text, end)
        return end

    def value(self, place: int, depth: int) -> Node:
        opener = self._text[place : place + 1]
        if depth > _MOST_DEEP:
            raise _unreadable(self._text, place)
        if opener in _CLOSERS:
            return self._container(place, opener, depth)
        found = (_STRING if opener == '"' else _SCALAR).match(self._text, place)
        if found is None:
            raise _unreadable(self._text, place)
        return Node(place, found.end(), self._loaded(found[0], place))

    def _loaded(self, text: str, place: int) -> object:
        try:
            return json.loads(text)
        except ValueError:
            raise _unreadable(self._text, place) from None

    def _container(self, start: int, opener: str, depth: int) -> Node:
        children: list[Child] = []
        place = self.gap(start + 1)
        while self._text[place : place + 1] != _CLOSERS[opener]:
            child = self._child(place, opener, depth)
            children.append(child)
            place = self.gap(child.end)
            if self._text[place : place + 1] == ",":
                child.comma = place
                place = self.gap(place + 1)
            elif self._text[place : place + 1] != _CLOSERS[opener]:
                raise _unreadable(self._text, place)
        value: object = [child.value.value for child in children]
        if opener == "{":
            value = {child.key: child.value.value for child in children}
        return Node(start, place + 1, value, opener, children)

    def _child(self, place: int, opener: str, depth: int) -> Child:
        if opener == "[":
            return Child("", place, self.value(place, depth + 1))
        key = self.value(place, depth + 1)
        colon = self.gap(key.end)
        if not isinstance(key.value, str) or self._text[colon : colon + 1] != ":":
            raise _unreadable(self._text, place)
        return Child(key.value, place, self.value(self.gap(colon + 1), depth + 1))


def _unreadable(text: str, place: int) -> HarnessUnreadable:
    line = text.count("\n", 0, place) + 1
    return HarnessUnreadable(hint=f"It is not JSON from line {line} on; nothing was changed.")
