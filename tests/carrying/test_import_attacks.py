"""Files made to do harm: refused quickly, with little memory, and with nothing unpacked or run."""

import bz2
import gzip
import io
import json
import lzma
import os
import pickle
import struct
import tarfile
import time
import tracemalloc
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.errors import ImportRefused
from engram.sharing.age import AgeWriter
from engram.sharing.importing.pieces import lines, listed, parsed
from engram.sharing.options import SharingOptions

MEGABYTE = 1_048_576
OPTIONS = SharingOptions()


class Runs:
    """Whoever unpickles this runs something."""

    def __reduce__(self):
        return os.mkdir, ("unpickled",)


def zipped(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def tarred(*members: tarfile.TarInfo, form: int = tarfile.GNU_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        for member in members:
            archive.addfile(member)
    return file.getvalue()


def member(name: str, *, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    if link:
        made.type, made.linkname = tarfile.SYMTYPE, link
    return made


def lying_zip(entries: int) -> bytes:
    """A zip that claims a size and a number of entries that it does not have."""
    head = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, 10, 2**32 - 1, 1, 0) + b"a"
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, min(entries, 65_535), 65_535, 46, 31, 0)
    return head + end


CONTAINERS = {
    "a bomb in a zip": zipped("memories.jsonl", bytes(10 * MEGABYTE)),
    "a zip within a zip": zipped("a.zip", zipped("a.zip", bytes(MEGABYTE))),
    "a zip that slips": zipped("../../outside.jsonl", b'{"text": "x"}'),
    "a zip with lying headers": lying_zip(1_000_000),
    "an empty zip": b"PK\x05\x06" + bytes(18),
    "a bomb in gzip": gzip.compress(bytes(10 * MEGABYTE)),
    "a bomb in bzip2": bz2.compress(bytes(10 * MEGABYTE)),
    "a bomb in xz": lzma.compress(bytes(10 * MEGABYTE)),
    "a tar that slips": tarred(member("../../outside")),
    "a tar with an absolute path": tarred(member("/tmp/outside"), form=tarfile.PAX_FORMAT),
    "a tar with a link": tarred(member("link", link="/etc/passwd")),
    "a NumPy file": b"\x93NUMPY\x01\x00" + b"x" * 100,
    "a database": b"SQLite format 3\x00" + bytes(100),
    "an image": b"\x89PNG\r\n\x1a\n\x00" + bytes(50),
    "a program": b"\x7fELF\x02\x01\x01\x00" + bytes(50),
    "UTF-16": '{"text": "x"}'.encode("utf-16"),
    "words": b"just some words\nand more of them\n",
    "nothing": b"",
    **{f"a pickle of protocol {n}": pickle.dumps(Runs(), protocol=n) for n in range(6)},
}


def everything_below(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


@pytest.mark.failure("F33", "F34", "F35")
@pytest.mark.parametrize("name", CONTAINERS)
def test_nothing_is_unpacked_or_run(store, bring, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    path = bring(CONTAINERS[name], "memories.jsonl")
    before = everything_below(tmp_path)
    begun = time.monotonic()

    with pytest.raises(ImportRefused):
        store.import_(path)

    assert time.monotonic() - begun < 2.0
    assert {each for each in everything_below(tmp_path) - before if "store" not in each.parts} == (
        set()
    )
    assert store.list() == []


@pytest.mark.failure("F34")
@pytest.mark.parametrize("name", ["a bomb in a zip", "a pickle of protocol 4", "a tar that slips"])
def test_a_container_inside_an_encrypted_file_is_refused_too(store, bring, name):
    file = io.BytesIO()
    writer = AgeWriter(file, "p", work=10)
    writer.write(CONTAINERS[name])
    writer.finish()

    with pytest.raises(ImportRefused):
        store.import_(bring(file.getvalue()), passphrase="p")


@pytest.mark.failure("F34")
def test_a_zip_behind_good_lines_is_a_bad_line(store, bring):
    report = store.import_(bring(b'{"text": "One."}\n' + zipped("a", bytes(MEGABYTE))))

    assert [each.content for each in store.list()] == ["One."]
    assert report.outcomes["stored"] == 1
    assert report.bad >= 1


BOMBS = {
    "one endless line": b'{"text": "' + b"a" * (30 * MEGABYTE),
    "deep lists": b'{"text": ' + b"[" * 500_000 + b"]" * 500_000 + b"}",
    "deep objects": b'{"a":' * 200_000 + b"1" + b"}" * 200_000,
    "a deep list of lists": b"[" * MEGABYTE,
    "an endless item of a list": b'["' + b"a" * (10 * MEGABYTE),
    "nothing but ends of lines": b'{"text": "One."}\n' + b"\n" * (5 * MEGABYTE),
    "a number without end": b'{"text": "One.", "at": ' + b"9" * 900_000 + b"}",
    "strokes without end": b'["' + b"\\" * (5 * MEGABYTE),
    "a million names": b"{" + b",".join(b'"k%d":1' % n for n in range(80_000)) + b"}",
}


@pytest.mark.failure("F34")
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_of_text_takes_little_time_and_memory(store, bring, name):
    path = bring(BOMBS[name])
    store.import_(bring([{"text": "Warm."}], "warm"))  # what is loaded once is no matter here
    begun = time.process_time()

    with suppress(ImportRefused):
        report = store.import_(path, dry_run=True)
        assert report.bad or report.taken_in <= 1
    taken = time.process_time() - begun
    tracemalloc.start()
    with suppress(ImportRefused):
        store.import_(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert taken < 2.0
    assert peak < 40 * MEGABYTE
    assert len(store.list()) <= 2


@pytest.mark.failure("F34")
def test_a_file_of_commas_is_given_up(quick_store, bring):
    store = quick_store(settings={"sharing": {"import_max_items": 100}})

    report = store.import_(bring(b"[" + b"," * 10_000))

    assert not report.is_whole
    assert report.bad == 100


def test_bounds_can_be_set(quick_store, bring):
    bounds = {"items": 3, "line_bytes": 1_024, "bytes": 9_000, "depth": 2}
    sharing = {f"import_max_{name}": most for name, most in bounds.items()}
    store = quick_store(settings={"sharing": sharing})
    long, deep = {"text": "x" * 2_000}, {"text": "y", "metadata": {"a": ["b", ["c"]]}}

    report = store.import_(bring([long, deep, {"text": "One."}, {"text": "Two."}]))

    assert [each.content for each in store.list()] == ["One."]
    assert not report.is_whole
    assert [each.reason for each in report.places] == ["longer than 1024 bytes", "nested too deep"]
    with pytest.raises(ImportRefused, match="9000"):
        store.import_(bring(b" " * 9_001))


def test_a_file_that_grows_while_it_is_read_is_given_up(quick_store, bring):
    store = quick_store(settings={"sharing": {"import_max_bytes": 200_000}})
    path = bring([{"text": f"{n} " + "x" * 2_000} for n in range(60)])

    def grow(done: int, total: int) -> None:
        with path.open("a") as file:
            file.write(f'{{"text": "{"y" * 5_000}"}}\n')

    report = store.import_(path, progress=grow)

    assert not report.is_whole
    assert "import_max_bytes" in report.problem


ITEMS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(ITEMS, max_size=6), st.integers(1, 50), st.booleans())
def test_a_list_is_cut_where_its_items_end(items, size, is_ascii):
    text = json.dumps(items, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")
    chunks = [text[start : start + size] for start in range(0, len(text), size)]

    found = [parsed(piece.raw, OPTIONS) for piece in listed(chunks, OPTIONS)]

    assert found == items


@given(st.lists(ITEMS, max_size=6), st.integers(1, 50))
def test_lines_are_cut_where_they_end(items, size):
    text = b"".join(json.dumps(each).encode() + b"\r\n" for each in items)
    chunks = [text[start : start + size] for start in range(0, len(text), size)]

    found = [parsed(piece.raw, OPTIONS) for piece in lines(chunks, OPTIONS)]

    assert found == items


@given(st.binary(max_size=300), st.integers(1, 40))
def test_whatever_bytes_there_are_the_cutting_ends(content, size):
    chunks = [content[start : start + size] for start in range(0, len(content), size)]
    for cut in (lines, listed):
        try:
            pieces = list(cut(iter(chunks), OPTIONS))
        except ImportRefused:
            continue
        assert all(reason_of(piece.raw) in REASONS for piece in pieces)


REASONS = {"", "not UTF-8", "not JSON", "nested too deep", "a name is given twice", "not a number"}


def reason_of(raw: bytes) -> str:
    try:
        parsed(raw, OPTIONS)
    except ValueError as error:
        return str(error)
    return ""
