"""Lines: how they are read whatever their length, and which request a broken one was."""

import json
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.surfaces.mcp import wire as wires
from engram.surfaces.mcp.wire import MOST_LINE_BYTES, Gone, TooLong, Wire, request_id


def lines_of(data: bytes) -> list:
    """What is read from a pipe into which somebody writes that."""
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        return list(Wire(reading, -1).lines())
    finally:
        writer.join()
        os.close(reading)


@given(st.lists(st.binary(max_size=300).map(lambda line: line.replace(b"\n", b" ")), max_size=20))
def test_lines_come_out_as_they_went_in(lines):
    assert lines_of(b"".join(line + b"\n" for line in lines)) == lines


def test_the_last_line_needs_no_end():
    assert lines_of(b"a\nb") == [b"a", b"b"]


def test_a_line_at_the_limit_is_read_and_one_above_is_not():
    longest = b"x" * MOST_LINE_BYTES

    first, second, third = lines_of(longest + b"\n" + longest + b"y\nafter\n")

    assert first == longest
    assert isinstance(second, TooLong)
    assert third == b"after"


@pytest.mark.parametrize("ending", [b"\n", b""])
def test_a_line_far_too_long_is_let_by_and_the_next_is_read(ending):
    head, tail = b'{"jsonrpc":"2.0","id":7,"params":"', b'"}'
    found = lines_of(head + b"x" * 20_000_000 + tail + ending)

    assert [type(line) for line in found] == [TooLong]
    assert found[0].head.startswith(head)
    assert found[0].tail.endswith(tail)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":{"broken', 7),
        (b'{"id": "a-1", "params": [', "a-1"),
        (b'{"method":"x","jsonrpc":"2.0","id":-3,]', -3),
        (b'[{"id":5},', None),
        (b'{"method":"x","params":{"n": NaN},"jsonrpc":"2.0","id":9}', 9),
        (b'{"params":{"text":"\xff\xfe"},"id":9,"jsonrpc":"2.0"}', 9),
        (b'{"params":{"id":5, broken', None),
        (b'{"params":"\\"id\\":5"', None),
        (b'{"params":{"id":5}', None),
        (b'{"params":{"a":[{"id":5}]},"id":6,"more":', 6),
        (b'{"a":1} {"id":6}', None),
        (b'"id":6}', None),
        (b'{"id":1.5,"x":', None),
        (b'{"id":null,"x":', None),
        (b'{"id":' + b"9" * 400 + b',"x":', None),
        (b'{"id":"' + b"a" * 5_000 + b'","x":', None),
        (b"", None),
        (b"nonsense", None),
    ],
)
def test_a_request_is_recognised_where_its_id_is_certain(line, expected):
    assert request_id(line) == expected


@given(st.text(max_size=100), st.integers(-(10**18), 10**18))
def test_an_id_inside_what_was_said_is_not_taken_for_the_requests_own(text, known):
    nested = {"jsonrpc": "2.0", "params": {"id": known, "text": text}, "more": [{"id": known}, 1]}

    assert request_id(json.dumps(nested).encode()) is None


@given(st.text(max_size=100), st.integers(-(10**18), 10**18) | st.text("ab-é", max_size=20))
def test_an_id_at_either_end_is_found(text, known):
    params = {"id": 0, "text": text}
    first = {"jsonrpc": "2.0", "id": known, "params": params}
    last = {"method": "x", "params": params, "jsonrpc": "2.0", "id": known}

    assert request_id(json.dumps(first).encode()) == known
    assert request_id(json.dumps(last).encode()) == known
    assert request_id(TooLong(json.dumps(first).encode(), b"")) == known
    assert request_id(TooLong(b"", json.dumps(last).encode())) == known


def test_what_is_written_is_plain_ascii_on_one_line():
    reading, writing = os.pipe()

    Wire(-1, writing).write({"text": "Việt 日本 🙂 \ud800 \n"})

    line = os.read(reading, 4096)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"text": "Việt 日本 🙂 \ud800 \n"}
    os.close(reading)
    os.close(writing)


def test_writing_to_nobody_is_noticed():
    reading, writing = os.pipe()
    os.close(reading)

    with pytest.raises(Gone):
        Wire(-1, writing).write({"a": 1})
    os.close(writing)


def test_the_limit_leaves_room_for_the_longest_statement():
    assert wires.MOST_LINE_BYTES >= 4 * 262_144
