"""The two pipes to a client: lines in, lines out, and nothing else gets into either.

Whoever prints (a library that warns, a child process, C code) writes to file descriptor 1. So the
descriptors that the client holds are moved away before anything else happens: what is printed from
then on goes to stderr, and what reads from stdin finds it empty.
"""

import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MOST_LINE_BYTES = 4 * 2**20  # the limit of the protocol's own package for what comes over HTTP
_CHUNK = 2**16
_EDGE = 2**12  # of a line that is too long, so much is kept of its beginning and its end
_MOST_TOKENS = 200_000
_ID = rb'"id"\s*:\s*(-?(?:0|[1-9][0-9]{0,18})|"(?:[^"\\\x00-\x1f]|\\.){0,200}")\s*(?=[,}])'
_TOKEN = re.compile(_ID + rb'|"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL)
# The last member of all; only the request's own closing brace can follow at the end of a line.
_LAST_ID = re.compile(
    rb"[,{]\s*" + _ID + rb'(?:\s*,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"){0,2}\s*\}\s*\Z'
)


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line that was not read in full; its edges may still tell which request it was."""

    head: bytes
    tail: bytes


Line = bytes | TooLong


class Gone(Exception):
    """Nobody reads what is written any more."""


class Wire:
    """Lines from a client and to it."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        self._rest = bytearray()
        self._is_over = False
        self._turn = threading.Lock()

    def lines(self) -> Iterator[Line]:
        """Every line that comes in until the client closes its end."""
        while (line := self.read_line()) is not None:
            yield line

    def read_line(self) -> Line | None:
        """The next line; None at the end. However long it is, little of it is held in memory."""
        searched = 0
        while True:
            end = self._rest.find(b"\n", searched)
            if end >= 0:
                return self._take(end)
            if len(self._rest) > MOST_LINE_BYTES:
                return self._skip()
            searched = len(self._rest)
            if not self._fill():
                return self._take(len(self._rest)) if self._rest else None

    def _take(self, end: int) -> Line:
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        if len(line) > MOST_LINE_BYTES:
            return TooLong(line[:_EDGE], line[-_EDGE:])
        return line

    def _skip(self) -> TooLong:
        """Let the rest of a line go by, and keep its edges."""
        head, tail = bytes(self._rest[:_EDGE]), bytes(self._rest[-_EDGE:])
        self._rest.clear()
        while self._fill():
            end = self._rest.find(b"\n")
            if end >= 0:
                tail = (tail + bytes(self._rest[:end]))[-_EDGE:]
                del self._rest[: end + 1]
                break
            tail = (tail + bytes(self._rest))[-_EDGE:]
            self._rest.clear()
        return TooLong(head, tail)

    def _fill(self) -> bool:
        if not self._is_over:
            try:
                chunk = os.read(self._reading, _CHUNK)
            except OSError:  # the client's terminal is gone
                chunk = b""
            self._rest += chunk
            self._is_over = not chunk
        return not self._is_over

    def write(self, document: Mapping[str, object]) -> None:
        """Send one document on a line of its own; plain ASCII, whatever the locale."""
        line = json.dumps(document, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"
        with self._turn:
            view = memoryview(line)
            while view:
                try:
                    view = view[os.write(self._writing, view) :]
                except OSError as error:
                    raise Gone from error


def request_id(line: Line) -> int | str | None:
    """Which request a line is that cannot be parsed; None where that is not certain."""
    if isinstance(line, bytes):
        found = _own_id(line)
    else:
        last = _LAST_ID.search(line.tail)
        found = _own_id(line.head) or (last[1] if last else None)
    try:
        known = None if found is None else json.loads(found)
    except ValueError:
        return None
    return known if isinstance(known, int | str) else None


def _own_id(text: bytes) -> bytes | None:
    """The id among the members of the outermost object: what lies deeper is not the request's."""
    depth = 0
    for count, token in enumerate(_TOKEN.finditer(text)):
        if count > _MOST_TOKENS or (depth == 0 and token[0] != b"{"):
            return None
        if token[1] is not None and depth == 1:
            return token[1]
        depth += {b"{": 1, b"[": 1, b"}": -1, b"]": -1}.get(token[0], 0)
        if depth == 0:
            return None
    return None


_claimed: list[Wire] = []


def claim() -> Wire:
    """Take over stdin and stdout of this process; asked again, the same."""
    if not _claimed:
        reading, writing = _moved(0), _moved(1)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        try:
            os.dup2(2, 1)
        except OSError:  # there is no stderr either
            os.dup2(nothing, 1)
        os.close(nothing)
        _claimed.append(Wire(reading, writing))
    return _claimed[0]


def _moved(descriptor: int) -> int:
    """Another number for an open file, out of reach of the first three and of child processes."""
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
