"""What a file is, told by its first bytes and never by its name; most things are refused unread."""

from enum import StrEnum

from engram.errors import ImportRefused

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SPACES = b" \t\r\n"
_TAR_AT = 257

# What would have to be unpacked or run to be read; nothing here ever does that.
_REFUSED: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"PK\x07\x08", "a zip archive"),
    (b"\x1f\x8b", "compressed with gzip"),
    (b"\x1f\x9d", "compressed"),
    (b"BZh", "compressed with bzip2"),
    (b"\xfd7zXZ\x00", "compressed with xz"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd"),
    (b"\x04\x22\x4d\x18", "compressed with lz4"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a rar archive"),
    (b"\x93NUMPY", "a NumPy file"),
    (b"SQLite format 3\x00", "a database; `engram restore` takes backups"),
    (b"-----BEGIN AGE", "an age file in text form; take the armor off first"),
    (b"%PDF", "a PDF"),
    *((b"\x80" + bytes([version]), "a Python pickle") for version in range(1, 6)),
)


class Shape(StrEnum):
    """How the items of a text lie in it."""

    LINES = "lines"
    LIST = "list"


def shape_of(head: bytes) -> Shape:
    """How a plain file is to be read, by its first bytes; refused when it is nothing we read."""
    for magic, what in _REFUSED:
        if head.startswith(magic):
            raise ImportRefused(hint=f"It is {what}. Nothing is ever unpacked here.")
    if head[_TAR_AT : _TAR_AT + 5] == b"ustar":
        raise ImportRefused(hint="It is a tar archive. Nothing is ever unpacked here.")
    if b"\x00" in head.partition(b"\n")[0]:
        raise ImportRefused(hint="It is no text.")
    text = head.removeprefix(_BYTE_ORDER_MARK).lstrip(_SPACES)
    if text.startswith(b"["):
        return Shape.LIST
    # A first line that was damaged does not make the others worthless.
    if text.startswith((b"{", b'"')) or b"\n{" in text:
        return Shape.LINES
    raise ImportRefused
