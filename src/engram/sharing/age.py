"""Files in the age format, sealed with a passphrase; written and read piece by piece.

The format is age-encryption.org/v1 with one scrypt recipient: whatever reads age files reads ours.
Every piece is authenticated and the last one is marked, so that a file which was cut short or
altered is noticed before what it says is believed.
"""

import base64
import binascii
import re
import secrets
from collections.abc import Iterator
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.constant_time import bytes_eq
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from engram.errors import ExportRefused, FileUnreadable
from engram.sharing.options import LEAST_WORK, MOST_WORK

MAGIC = b"age-encryption.org/v1\n"
CHUNK_BYTES = 65_536

_TAG_BYTES = 16
_SALT_BYTES = 16
_FILE_KEY_BYTES = 16
_NONCE_BYTES = 16
_NO_NONCE = bytes(12)  # each of these keys is used once
_MOST_HEADER_LINE = 200  # bytes; ours has at most 64
_STANZA = re.compile(rb"-> scrypt ([A-Za-z0-9+/]{22}) ([1-9][0-9]?)")
_MAC_LINE = re.compile(rb"--- ([A-Za-z0-9+/]{43})")


class AgeWriter:
    """Seals what is written to it; only after `finish` is the file whole."""

    def __init__(self, file: BinaryIO, passphrase: str, *, work: int = MOST_WORK) -> None:
        if not passphrase:
            raise ExportRefused(hint="An encrypted export needs a passphrase.")
        if not LEAST_WORK <= work <= MOST_WORK:
            raise ValueError("work factor")
        self._file = file
        file_key, nonce = secrets.token_bytes(_FILE_KEY_BYTES), secrets.token_bytes(_NONCE_BYTES)
        file.write(_header(file_key, passphrase, work) + nonce)
        self._pieces = _Pieces(file_key, nonce)
        self._waiting = bytearray()

    def write(self, plain: bytes) -> None:
        """Seal some more; whole pieces go to the file at once."""
        self._waiting += plain
        # The last piece is marked as such, so a full one waits until something follows it.
        while len(self._waiting) > CHUNK_BYTES:
            self._file.write(self._pieces.sealed(bytes(self._waiting[:CHUNK_BYTES])))
            del self._waiting[:CHUNK_BYTES]

    def finish(self) -> None:
        """Seal the rest as the last piece."""
        self._file.write(self._pieces.sealed(bytes(self._waiting), is_last=True))
        self._waiting.clear()


def opened(file: BinaryIO, passphrase: str) -> Iterator[bytes]:
    """The plain pieces of a sealed file, each given out only when it is authentic.

    The header is read and the passphrase tried when the first piece is asked for.
    """
    file_key = _unwrapped(file, passphrase)
    nonce = file.read(_NONCE_BYTES)
    if len(nonce) != _NONCE_BYTES:
        raise _cut_short()
    pieces = _Pieces(file_key, nonce)
    sealed = file.read(CHUNK_BYTES + _TAG_BYTES)
    is_first = True
    while True:
        following = file.read(CHUNK_BYTES + _TAG_BYTES) if sealed else b""
        plain = pieces.opened(sealed, is_last=not following)
        if not plain and not is_first:
            raise FileUnreadable(hint="Its last piece is empty: it is damaged.")
        yield plain
        if not following:
            return
        sealed, is_first = following, False


class _Pieces:
    """The cipher of the payload: every piece has a number, and the last one a mark."""

    def __init__(self, file_key: bytes, nonce: bytes) -> None:
        self._cipher = ChaCha20Poly1305(_derived(file_key, salt=nonce, label=b"payload"))
        self._count = 0

    def sealed(self, plain: bytes, *, is_last: bool = False) -> bytes:
        return self._cipher.encrypt(self._nonce(is_last=is_last), plain, None)

    def opened(self, sealed: bytes, *, is_last: bool) -> bytes:
        if len(sealed) < _TAG_BYTES:
            raise _cut_short()
        try:
            return self._cipher.decrypt(self._nonce(is_last=is_last), sealed, None)
        except InvalidTag:
            raise FileUnreadable(hint="It is damaged or cut short.") from None

    def _nonce(self, *, is_last: bool) -> bytes:
        number = self._count.to_bytes(11, "big")
        self._count += 1
        return number + bytes([is_last])


def _header(file_key: bytes, passphrase: str, work: int) -> bytes:
    salt = secrets.token_bytes(_SALT_BYTES)
    wrapped = ChaCha20Poly1305(_stretched(passphrase, salt, work)).encrypt(
        _NO_NONCE, file_key, None
    )
    head = b"%s-> scrypt %s %d\n%s\n---" % (MAGIC, _text(salt), work, _text(wrapped))
    return b"%s %s\n" % (head, _text(_mac(file_key, head)))


def _unwrapped(file: BinaryIO, passphrase: str) -> bytes:
    """The key of a file, by its header and a passphrase; refused before any work is done for it."""
    first, stanza, body, last = (_line(file) for _ in range(4))
    found, mac = _STANZA.fullmatch(stanza), _MAC_LINE.fullmatch(last)
    if first + b"\n" != MAGIC or found is None or mac is None:
        raise FileUnreadable(hint="It is no age file that was sealed with a passphrase alone.")
    work = int(found[2])
    if work > MOST_WORK:
        raise FileUnreadable(hint=f"It asks for more work than allowed: {work}, not {MOST_WORK}.")
    wrapped = _bytes(body, length=_FILE_KEY_BYTES + _TAG_BYTES)
    key = _stretched(passphrase, _bytes(found[1], length=_SALT_BYTES), work)
    try:
        file_key = ChaCha20Poly1305(key).decrypt(_NO_NONCE, wrapped, None)
    except InvalidTag:
        raise FileUnreadable(hint="The passphrase is wrong, or the file is damaged.") from None
    head = b"%s\n%s\n%s\n---" % (first, stanza, body)
    if not bytes_eq(_mac(file_key, head), _bytes(mac[1], length=32)):
        raise FileUnreadable(hint="Its header was altered.")
    return file_key


def _line(file: BinaryIO) -> bytes:
    line = file.readline(_MOST_HEADER_LINE)
    if not line.endswith(b"\n"):
        raise FileUnreadable(hint="Its header is damaged or cut short.")
    return line[:-1]


def _cut_short() -> FileUnreadable:
    return FileUnreadable(hint="It is cut short.")


def _stretched(passphrase: str, salt: bytes, work: int) -> bytes:
    label = b"age-encryption.org/v1/scrypt"
    return Scrypt(salt=label + salt, length=32, n=1 << work, r=8, p=1).derive(
        passphrase.encode("utf-8", "surrogatepass")
    )


def _derived(key: bytes, *, salt: bytes, label: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=label).derive(key)


def _mac(file_key: bytes, head: bytes) -> bytes:
    made = HMAC(_derived(file_key, salt=b"", label=b"header"), SHA256())
    made.update(head)
    return made.finalize()


def _text(value: bytes) -> bytes:
    return base64.b64encode(value).rstrip(b"=")


def _bytes(text: bytes, *, length: int) -> bytes:
    """What unpadded base64 stands for; only the one way to write it is right."""
    try:
        value = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        value = b""
    if len(value) != length or _text(value) != text:
        raise FileUnreadable(hint="Its header is damaged.")
    return value
