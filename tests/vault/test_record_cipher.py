"""The form of a sealed record: what it takes to read one, and what nobody can do to one."""

import secrets

import pytest

from engram.storage.record_cipher import (
    BYTES,
    ID_BYTES,
    KEY_BYTES,
    MAGIC,
    TEXT,
    header_of,
    is_sealed,
    rewrapped,
    sealed,
    unsealed,
    wrapping_cipher,
)

SECRET = b"the door code is 4711"


def keys(count):
    return [secrets.token_bytes(KEY_BYTES) for _ in range(count)]


def ids(count):
    return tuple(sorted(secrets.token_bytes(ID_BYTES) for _ in range(count)))


def opened(blob, cipher):
    header = header_of(blob)
    return None if header is None else unsealed(blob, header, cipher)


@pytest.mark.parametrize("count", [1, 2, 7, 300])
def test_all_keys_together_read_a_record(count):
    cipher = wrapping_cipher(keys(count))
    blob = sealed(SECRET, TEXT, ids(count), cipher)

    assert is_sealed(blob)
    assert SECRET not in blob
    assert opened(blob, cipher) == SECRET


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_without_one_of_its_keys_nobody_reads_it(lost):
    three = keys(3)
    blob = sealed(SECRET, TEXT, ids(3), wrapping_cipher(three))

    two = wrapping_cipher([*three[:lost], *three[lost + 1 :]])
    other = wrapping_cipher([*three[:lost], *keys(1), *three[lost + 1 :]])

    assert opened(blob, two) is None
    assert opened(blob, other) is None


def test_every_byte_of_a_record_is_protected():
    cipher = wrapping_cipher(keys(2))
    blob = sealed(SECRET, TEXT, ids(2), cipher)

    for place in range(len(blob)):
        altered = bytearray(blob)
        altered[place] ^= 1
        assert opened(bytes(altered), cipher) is None, place


def test_a_record_that_is_cut_short_is_refused_and_does_no_harm():
    cipher = wrapping_cipher(keys(1))
    blob = sealed(SECRET, TEXT, ids(1), cipher)

    assert [opened(blob[:length], cipher) for length in range(len(blob))] == [None] * len(blob)


def test_a_body_cannot_be_put_under_the_head_of_another_record():
    cipher = wrapping_cipher(keys(1))
    one, other = (sealed(text, TEXT, ids(1), cipher) for text in (SECRET, b"something else"))
    end = header_of(one).end + 12 + 48

    assert opened(one[:end] + other[end:], cipher) is None


def test_equal_texts_make_different_records():
    cipher = wrapping_cipher(keys(1))
    mine = ids(1)
    blobs = {sealed(SECRET, TEXT, mine, cipher) for _ in range(50)}
    bodies = {blob[-len(SECRET) - 16 :] for blob in blobs}

    assert len(blobs) == len(bodies) == 50


def test_bytes_and_texts_are_told_apart():
    cipher = wrapping_cipher(keys(1))

    assert header_of(sealed(b"\x00\xff", BYTES, ids(1), cipher)).kind == BYTES
    assert header_of(sealed(b"x", TEXT, ids(1), cipher)).kind == TEXT


def test_a_record_moves_to_new_keys_without_being_encrypted_anew():
    old, new = keys(2), keys(2)
    blob = sealed(SECRET, TEXT, ids(2), wrapping_cipher(old))
    again_ids = ids(2)
    again = rewrapped(blob, header_of(blob), wrapping_cipher(old), again_ids, wrapping_cipher(new))

    assert header_of(again).ids == again_ids
    assert again[-len(SECRET) :] == blob[-len(SECRET) :]
    assert opened(again, wrapping_cipher(new)) == SECRET
    assert opened(again, wrapping_cipher(old)) is None
    assert rewrapped(blob, header_of(blob), wrapping_cipher(new), ids(2), wrapping_cipher(old)) is (
        None
    )


@pytest.mark.parametrize(
    "stray",
    [b"", b"E", MAGIC, MAGIC + b"\x01", MAGIC + b"\x01\x00", MAGIC + b"\x09\x01", b"\x00" * 99],
)
def test_what_is_no_record_has_no_header(stray):
    assert header_of(stray) is None
