"""Sealed files: read by others, readable from others, and refused when anything is wrong."""

import io
import time

import pyrage
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.errors import ExportRefused, FileUnreadable
from engram.sharing import age
from engram.sharing.age import CHUNK_BYTES, MAGIC, AgeWriter, opened

WORK = 10
WORDS = "correct horse"
SIZES = (0, 1, 1_000, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES)


def sealed(plain: bytes, passphrase: str = WORDS, *, step: int = 10_000) -> bytes:
    file = io.BytesIO()
    writer = AgeWriter(file, passphrase, work=WORK)
    for start in range(0, len(plain), step):
        writer.write(plain[start : start + step])
    writer.finish()
    return file.getvalue()


def read(file: bytes, passphrase: str = WORDS) -> bytes:
    return b"".join(opened(io.BytesIO(file), passphrase))


@pytest.mark.parametrize("size", SIZES)
def test_another_implementation_reads_what_we_seal(size):
    plain = bytes(range(251)) * (size // 251 + 1)

    assert pyrage.passphrase.decrypt(sealed(plain[:size]), WORDS) == plain[:size]


@pytest.mark.parametrize("size", SIZES)
def test_what_is_sealed_comes_back(size):
    plain = b"x" * size

    assert read(sealed(plain)) == plain


@pytest.mark.soak  # it measures the machine and makes the passphrase as slow as it can bear
def test_we_read_what_another_implementation_seals(monkeypatch):
    plain = b"from elsewhere " * 9_000
    foreign = pyrage.passphrase.encrypt(plain, WORDS)

    # It may ask for somewhat more work than we grant.
    monkeypatch.setattr(age, "MOST_WORK", 21)
    assert read(foreign) == plain


def test_a_wrong_passphrase_is_refused():
    with pytest.raises(FileUnreadable, match="passphrase"):
        read(sealed(b"secret"), "wrong horse")


def test_an_empty_passphrase_seals_nothing():
    with pytest.raises(ExportRefused):
        AgeWriter(io.BytesIO(), "", work=WORK)


def test_nothing_of_the_text_stands_in_the_file():
    assert b"canary" not in sealed(b"canary " * 100)


@pytest.mark.parametrize("size", [5_000, 2 * CHUNK_BYTES])
def test_a_file_that_is_cut_anywhere_is_refused(size):
    file = sealed(b"x" * size)

    for length in {*range(0, 260, 7), len(file) - 1, len(file) - 16, len(file) // 2,
                   len(file) - size, CHUNK_BYTES + 200}:  # fmt: skip
        if length < len(file):
            with pytest.raises(FileUnreadable):
                read(file[:length])


def test_a_file_without_its_last_piece_is_refused():
    file = sealed(b"x" * (2 * CHUNK_BYTES + 10))

    with pytest.raises(FileUnreadable):
        read(file[: -(10 + 16)])


def test_something_behind_the_last_piece_is_refused():
    with pytest.raises(FileUnreadable):
        read(sealed(b"x" * 100) + b"more")


@given(st.data())
def test_no_bit_can_be_flipped(data):
    file = bytearray(_FILE)
    place = data.draw(st.integers(0, len(file) - 1))
    file[place] ^= 1 << data.draw(st.integers(0, 7))

    with pytest.raises(FileUnreadable):
        read(bytes(file))


_FILE = sealed(b"x" * 300)


def test_a_file_that_asks_for_too_much_work_is_refused_at_once():
    begun = time.monotonic()

    for work in (b"19", b"30", b"99", b"255", b"018", b"0", b"-1", b"1e9"):
        stanza = b"-> scrypt " + b"A" * 22 + b" " + work + b"\n"
        with pytest.raises(FileUnreadable):
            read(MAGIC + stanza + b"A" * 43 + b"\n--- " + b"A" * 43 + b"\n" + b"x" * 100)

    assert time.monotonic() - begun < 1.0


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"age-encryption.org/v2\n",
        MAGIC,
        MAGIC + b"-> X25519 " + b"A" * 43 + b"\n" + b"A" * 43 + b"\n--- " + b"A" * 43 + b"\n",
        MAGIC + b"-> scrypt " + b"A" * 5_000_000,
        MAGIC + b"\n" * 1_000,
        MAGIC + b"-> scrypt " + b"=" * 22 + b" 10\n" + b"A" * 43 + b"\n--- " + b"A" * 43 + b"\n",
        # Two recipients: a passphrase must be the only one.
        MAGIC + 2 * (b"-> scrypt " + b"A" * 22 + b" 10\n" + b"A" * 43 + b"\n") + b"--- "
        + b"A" * 43 + b"\n",
    ],
)  # fmt: skip
def test_an_absurd_header_is_refused(head):
    with pytest.raises(FileUnreadable):
        read(head + b"x" * 64)


def test_pieces_come_one_by_one():
    pieces = opened(io.BytesIO(sealed(b"x" * (5 * CHUNK_BYTES))), WORDS)

    assert [len(each) for each in pieces] == [CHUNK_BYTES] * 5
