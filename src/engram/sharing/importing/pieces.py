"""Cuts a stream of bytes into items, bounded in length, depth and number before any is parsed."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engram.errors import ImportRefused
from engram.sharing.options import SharingOptions

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_BRACKET = re.compile(rb"[\[\]{}]")
_TOKEN = re.compile(rb'\\.|["\[\]{},]', re.DOTALL)  # what is escaped tells nothing
_SPACES = b" \t\r\n"
_MOST_BLANK = (
    10_000  # empty lines, and one more for some bytes: nothing else is not read to its end
)
_BYTES_PER_BLANK = 20


@dataclass(frozen=True, slots=True)
class Piece:
    """The bytes of one item, and where it stands: its line, or its place in a list."""

    place: int
    raw: bytes
    problem: str = ""


def lines(chunks: Iterable[bytes], options: SharingOptions) -> Iterator[Piece]:
    """The lines of a text that hold something; one that is too long is told and passed over."""
    number, rest, is_skipping = 0, b"", False
    blank, read = 0, 0
    for chunk in chunks:
        read += len(chunk)
        *whole, rest = (rest + chunk).split(b"\n")
        blank += sum(not each for each in whole)
        if blank > _MOST_BLANK + read // _BYTES_PER_BLANK:
            raise ImportRefused(hint="It is mostly empty lines.")
        for raw in whole:
            number += 1
            if is_skipping:
                is_skipping = False
            elif raw:
                yield from _line(number, raw, options)
        if len(rest) > options.import_max_line_bytes:
            if not is_skipping:
                yield _too_long(number + 1, options)
            rest, is_skipping = b"", True
    if rest and not is_skipping:
        yield from _line(number + 1, rest, options)


def _line(number: int, raw: bytes, options: SharingOptions) -> Iterator[Piece]:
    text = raw.strip(_SPACES)
    if len(text) > options.import_max_line_bytes:
        yield _too_long(number, options)
    elif text:
        yield Piece(number, text)


def _too_long(place: int, options: SharingOptions) -> Piece:
    return Piece(place, b"", f"longer than {options.import_max_line_bytes} bytes")


def listed(chunks: Iterable[bytes], options: SharingOptions) -> Iterator[Piece]:
    """The items of one JSON list; the list itself is never in memory as a whole."""
    cutter = _ListCutter(options)
    for chunk in chunks:
        yield from cutter.fed(chunk)
        if cutter.is_over:
            return
    yield cutter.cut_short()


class _ListCutter:
    """Follows brackets and strings, and cuts where the items of the outermost list end."""

    def __init__(self, options: SharingOptions) -> None:
        self._options = options
        self._depth = 0
        self._place = 0
        self._is_in_string = False
        self._item = bytearray()
        self._held_back = b""  # a stroke whose partner is in the next chunk
        self.is_over = False

    def fed(self, chunk: bytes) -> Iterator[Piece]:
        chunk = self._held_back + chunk
        start = end = 0  # what of the chunk belongs to the item that is not cut yet
        for token in _TOKEN.finditer(chunk):
            mark, end = token[0], token.end()
            if self._is_first(mark):
                start = end
            if self._ends_item(mark):
                self._item += chunk[start : token.start()]
                start = end
                yield from self._cut()
            if self.is_over:
                return
        is_split = chunk.endswith(b"\\") and end < len(chunk)
        self._held_back = chunk[-1:] if is_split else b""
        self._item += chunk[start : len(chunk) - len(self._held_back)]
        self._check_length()

    def _is_first(self, mark: bytes) -> bool:
        """Follow one mark; whether it begins the list."""
        if mark == b'"':
            self._is_in_string = not self._is_in_string
        elif self._is_in_string or mark[:1] not in b"[]{}":
            return False
        elif mark in b"[{":
            self._depth += 1
            self._check_depth()
            return self._depth == 1
        else:
            self._depth -= 1
            self.is_over = self._depth <= 0
        return False

    def _ends_item(self, mark: bytes) -> bool:
        is_between = mark == b"," and self._depth == 1 and not self._is_in_string
        return self.is_over or is_between

    def _cut(self) -> Iterator[Piece]:
        self._check_length()
        raw = bytes(self._item).strip(_SPACES)
        self._item.clear()
        if raw or not self.is_over:  # after the last comma, or in an empty list, is nothing
            self._place += 1
            yield Piece(self._place, raw)

    def cut_short(self) -> Piece:
        """What there is to say of a list without an end."""
        return Piece(self._place + 1, b"", "the list is cut short")

    def _check_length(self) -> None:
        if len(self._item) > self._options.import_max_line_bytes:
            # Unlike a line it has no end that could be looked for.
            raise ImportRefused(
                hint=f"Item {self._place + 1} is longer than "
                f"{self._options.import_max_line_bytes} bytes."
            )

    def _check_depth(self) -> None:
        if self._depth > self._options.import_max_depth + 1:
            raise ImportRefused(hint=f"Item {self._place + 1} is nested too deep.")


def parsed(raw: bytes, options: SharingOptions) -> object:
    """What an item says; a `ValueError` with the reason when it says nothing that can be read."""
    _check_depth(raw, options.import_max_depth)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    try:
        return json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("nested too deep") from None
    except _Reasoned:
        raise
    except ValueError:
        raise ValueError("not JSON") from None  # the cause would show what stood there


class _Reasoned(ValueError):
    """A refusal whose reason is ours."""


def _check_depth(raw: bytes, most: int) -> None:
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", raw)):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > most:
            raise _Reasoned("nested too deep")


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Reasoned("a name is given twice")
    return found


def _no_number(name: str) -> object:  # noqa: ARG001  # as json calls it
    raise _Reasoned("not a number")
