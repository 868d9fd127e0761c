"""Reading a transcript goes on where it stopped, and no line can stop it."""

import json
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.capture.transcripts import read as reading
from engram.capture.transcripts.read import TURNS_PER_MARK, find_transcripts, read_transcript
from engram.capture.transcripts.turns import (
    BadLine,
    Mark,
    Rewritten,
    TranscriptFile,
    TranscriptTurn,
    Unreadable,
)
from engram.text.strings import checked_name, checked_text


def line(text, **more):
    return json.dumps({"role": "user", "text": text, **more}).encode() + b"\n"


class Transcript:
    """A file that is written to between readings."""

    def __init__(self, path, harness="generic"):
        self.path = path
        self.file = TranscriptFile(path, harness, 0)
        self.mark: Mark | None = None

    def write(self, content):
        self.path.write_bytes(content)
        return self

    def append(self, content):
        with self.path.open("ab") as handle:
            handle.write(content)
        return self

    def read(self):
        """Everything since the last time; the mark moves on."""
        found = list(read_transcript(self.file, after=self.mark))
        self.mark = next((each for each in reversed(found) if isinstance(each, Mark)), self.mark)
        return [each for each in found if not isinstance(each, Mark)]

    def texts(self):
        return [each.text if isinstance(each, TranscriptTurn) else each for each in self.read()]


@pytest.fixture
def transcript(tmp_path):
    return Transcript(tmp_path / "talk.jsonl")


def test_what_is_appended_is_read_once(transcript):
    transcript.write(line("one") + line("two"))

    assert transcript.texts() == ["one", "two"]
    assert transcript.texts() == []
    transcript.append(line("three"))
    assert transcript.texts() == ["three"]


def test_a_half_written_line_waits_until_it_is_whole(transcript):
    whole = line("two — ü")
    transcript.write(line("one") + whole[:20])

    assert transcript.texts() == ["one"]
    transcript.append(whole[20:])
    assert transcript.texts() == ["two — ü"]


def test_an_object_that_is_closed_needs_no_line_break(transcript):
    transcript.write(line("one") + line("two").rstrip())

    first = transcript.read()
    transcript.append(b"\n" + line("three"))
    later = transcript.read()

    assert [turn.reference for turn in first + later] == ["talk:1", "talk:2", "talk:3"]


def test_references_do_not_depend_on_where_reading_stopped(tmp_path):
    content = b"".join(line(f"turn {number}") for number in range(6)) + b"\n[1]\n" + line("last")
    at_once = Transcript(tmp_path / "talk.jsonl").write(content).read()
    piecewise = Transcript(tmp_path / "talk.jsonl").write(b"")

    found = []
    for start in range(0, len(content), 17):
        piecewise.append(content[start : start + 17])
        found += piecewise.read()

    assert found == at_once


@pytest.mark.parametrize(
    "rewritten",
    [
        line("other") + line("two"),  # same size
        line("one"),  # cut off
        b"",
        line("zero") + line("one") + line("two"),  # rotated or sorted anew
        line("one")[:-1],
    ],
)
def test_a_file_that_was_rewritten_is_noticed_and_read_anew(transcript, rewritten):
    transcript.write(line("onery") + line("two")).read()

    transcript.write(rewritten)

    found = transcript.texts()
    assert found[0] == Rewritten()
    assert len(found) == 1 + len([each for each in rewritten.split(b"\n") if each])
    assert transcript.texts() == []


def test_broken_lines_are_named_and_reading_goes_on(transcript):
    transcript.write(
        b'{"role": \n' + b"[1, 2]\n" + b"\n" + b"\x00\x01\n" + b"[" * 200_000 + b"\n" + line("one")
    )

    assert transcript.texts() == [
        BadLine(1, "not JSON"),
        BadLine(2, "not an object"),
        BadLine(4, "not JSON"),
        BadLine(5, "not JSON"),
        "one",
    ]


def test_bytes_that_are_no_text_are_shown_as_replaced(transcript):
    transcript.write(
        b"\xef\xbb\xbf" + line("one").replace(b"one", b"o\xff\xfee")
        + b'{"role": "user", "text": "half \\ud83d and \\u0000", "session": "a\\nb\\ud800"}\n'
    )  # fmt: skip

    first, second = transcript.read()

    assert first.text == "o\ufffd\ufffde"
    assert second.text == "half \ufffd and \ufffd"
    assert checked_text(second.text, name="text", max_bytes=100)
    assert checked_name(second.session, name="session") == "a b\ufffd"


def test_a_line_of_ten_megabytes_is_read_whole(transcript):
    transcript.write(line("x" * 10_000_000) + line("after"))

    assert [len(text) for text in transcript.texts()] == [10_000_000, 5]


def test_a_line_too_long_to_be_held_is_passed_over_once_it_has_ended(transcript, monkeypatch):
    monkeypatch.setattr(reading, "MOST_LINE_BYTES", 100)
    monkeypatch.setattr(reading, "_CHUNK_BYTES", 64)
    long = line("x" * 1_000)
    transcript.write(line("one") + long[:700])

    assert transcript.texts() == ["one"]
    transcript.append(long[700:] + line("two"))
    assert transcript.texts() == [BadLine(2, "too long"), "two"]
    transcript.append(line("three"))
    assert [turn.reference for turn in transcript.read()] == ["talk:4"]


def test_marks_come_on_the_way_so_that_little_is_read_twice_after_a_crash(transcript):
    count = 3 * TURNS_PER_MARK + 1
    transcript.write(b"".join(line(f"turn {number}") for number in range(count)))

    found = list(read_transcript(transcript.file))
    marks = [each for each in found if isinstance(each, Mark)]
    resumed = list(read_transcript(transcript.file, after=marks[1]))

    assert len(marks) == 4
    assert [each for each in resumed if isinstance(each, TranscriptTurn)] == [
        each for each in found if isinstance(each, TranscriptTurn)
    ][2 * TURNS_PER_MARK :]


def test_what_the_first_lines_told_still_holds_after_a_mark(tmp_path):
    meta = {"type": "session_meta", "payload": {"id": "c1", "cwd": "/nowhere/tides"}}
    parts = [{"type": "input_text", "text": "Hi."}]
    said = {
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": parts},
    }
    transcript = Transcript(tmp_path / "rollout-1.jsonl", "codex")
    transcript.write(json.dumps(meta).encode() + b"\n").read()

    (turn,) = transcript.append(json.dumps(said).encode() + b"\n").read()

    assert (turn.session, turn.project, turn.reference) == ("c1", "tides", "c1:2")


def test_long_and_strange_names_become_names_that_can_be_kept(transcript):
    transcript.write(line("one", session="s" * 5_000, id="i" * 5_000, speaker="Ada\nLovelace"))

    (turn,) = transcript.read()

    for name in (turn.session, turn.reference, turn.speaker, turn.project):
        assert checked_name(name, name="name") == name
    assert turn.speaker == "Ada Lovelace"


def test_a_file_that_cannot_be_read_says_so(transcript, tmp_path):
    assert transcript.read() == [Unreadable("not a file")]

    os.mkfifo(transcript.path)
    assert transcript.read() == [Unreadable("not a file")]
    assert list(find_transcripts("generic", home=tmp_path, root=tmp_path)) == []

    loop = tmp_path / "loop.jsonl"
    loop.symlink_to(loop)
    assert Transcript(loop).read() == [Unreadable("not a file")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_says_so(transcript):
    transcript.write(line("one"))
    transcript.path.chmod(0)

    assert transcript.read() == [Unreadable("Permission denied")]
    transcript.path.chmod(stat.S_IRUSR)
    assert transcript.texts() == ["one"]


@given(st.binary(max_size=300), st.integers(0, 300))
def test_no_bytes_whatever_stop_the_reading(tmp_path_factory, content, cut):
    transcript = Transcript(tmp_path_factory.mktemp("t") / "talk.jsonl")
    transcript.write(content[:cut]).read()

    rest = transcript.append(content[cut:] + b"\n" + line("last")).texts()

    assert rest[-1] == "last"


FIELDS = st.sampled_from(["type", "payload", "message", "content", "role", "text", "id", "cwd"])
WORDS = st.sampled_from(["user", "message", "response_item", "tool_result", "session_meta"])
RECORDS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=5),
    max_leaves=12,
)


@given(RECORDS)
def test_no_shape_of_a_record_stops_an_adapter(tmp_path_factory, record):
    folder = tmp_path_factory.mktemp("t")
    for harness in ("claude-code", "codex", "generic"):
        transcript = Transcript(folder / f"{harness}.jsonl", harness)
        transcript.write(json.dumps(record).encode() + b"\n")

        found = transcript.read()

        assert all(isinstance(each, TranscriptTurn | BadLine) for each in found)
