"""Opens a file that is to be imported: looked at before it is read, and read within bounds."""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from engram.errors import FileUnreadable, ImportRefused
from engram.sharing.age import CHUNK_BYTES, MAGIC, opened
from engram.sharing.importing.containers import Shape, shape_of
from engram.sharing.options import SharingOptions


class OpenedFile:
    """One file, held open, so that what was looked at is what is read."""

    def __init__(self, file: BinaryIO, options: SharingOptions) -> None:
        self._file = file
        self._most = options.import_max_bytes
        self.size = os.fstat(file.fileno()).st_size
        if self.size > self._most:
            raise ImportRefused(
                hint=f"It has {self.size} bytes; {self._most} are allowed, by the setting "
                "`sharing.import_max_bytes`."
            )
        self.is_sealed = file.read(len(MAGIC)) == MAGIC
        self.read_bytes = 0  # so far, for whoever wants to see it go on

    def digest(self) -> str:
        """By what the same file is known again."""
        made, place = hashlib.sha256(), 0
        # Beside the reading that is under way, which stays where it is.
        while chunk := os.pread(self._file.fileno(), CHUNK_BYTES, place):
            made.update(chunk)
            place += len(chunk)
            if place > self._most:
                raise ImportRefused(hint="It has more bytes than `sharing.import_max_bytes`.")
        return made.hexdigest()

    def plain(self, passphrase: str | None) -> tuple[Shape, Iterator[bytes]]:
        """How its items lie in it, and its text piece by piece, decrypted where it was sealed."""
        self._file.seek(0)
        if not self.is_sealed:
            chunks = self._raw()
        elif passphrase:
            chunks = opened(self._file, passphrase)
        else:
            raise FileUnreadable(
                hint="It is encrypted: give the passphrase it was made with, typed or, on the "
                "command line, as ENGRAM_EXPORT_PASSPHRASE."
            )
        first = next(chunks, b"")
        return shape_of(first), self._bounded(first, chunks)

    def _raw(self) -> Iterator[bytes]:
        while chunk := self._file.read(CHUNK_BYTES):
            yield chunk

    def _bounded(self, first: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The pieces, and no more of them than allowed: a file can grow while it is read."""
        self.read_bytes = len(first)
        yield first.removeprefix(b"\xef\xbb\xbf")
        for chunk in chunks:
            self.read_bytes += len(chunk)
            if self.read_bytes > self._most:
                raise ImportRefused(hint="It has more bytes than `sharing.import_max_bytes`.")
            yield chunk


@contextmanager
def opened_file(path: Path, options: SharingOptions) -> Iterator[OpenedFile]:
    """A file to import from; nothing else at that path is waited for."""
    try:
        file = _opened(path)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise ImportRefused(hint=f"The file cannot be read: {why}.") from error
    if file is None:
        raise ImportRefused(hint="It is no file.")
    with file:
        yield OpenedFile(file, options)


def is_sealed(path: Path) -> bool:
    """Whether a file begins like one in the age format; what cannot be read does not."""
    try:
        file = _opened(path)
    except OSError:
        return False
    if file is None:
        return False
    with file:
        return file.read(len(MAGIC)) == MAGIC


def _opened(path: Path) -> BinaryIO | None:
    """A file, opened; None when something else is there."""
    # What is no file must not keep us waiting for somebody to write into it.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    return None
