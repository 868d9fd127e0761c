"""Finds transcripts and reads their turns, each file from where it was left the last time."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from engram.capture.transcripts import claude_code, codex, generic
from engram.capture.transcripts.project import normalised_project, project_name
from engram.capture.transcripts.turns import (
    Adapter,
    BadLine,
    Mark,
    Record,
    Rewritten,
    Said,
    Setting,
    TranscriptFile,
    TranscriptTurn,
    Unfit,
    Unreadable,
    clean_name,
    clean_text,
)
from engram.errors import InvalidInput

ADAPTERS: dict[str, Adapter] = {"claude-code": claude_code, "codex": codex, "generic": generic}
TURNS_PER_MARK = 256
MOST_LINE_BYTES = 64 * 1024 * 1024  # more than any harness writes; what is longer is not held

_CHUNK_BYTES = 1024 * 1024
_UNNAMED_SESSION = "unnamed"
# Together below what a reference may have: session, colon, identifier.
_SESSION_LENGTH = 100
_IDENTIFIER_LENGTH = 90

Found = TranscriptTurn | BadLine | Rewritten | Unreadable | Mark


def source_of(harness: str, project: str) -> str:
    """The source under which what was harvested is kept."""
    return f"harness:{harness}:{project}"


def usual_places(harness: str, *, home: Path) -> list[Path]:
    """Where a harness keeps its transcripts when nobody says otherwise; generic ones nowhere."""
    return [home / place for place in _adapter(harness).PLACES]


def find_transcripts(
    harness: str, *, home: Path, root: Path | None = None
) -> Iterator[TranscriptFile]:
    """The harness's transcripts in their usual place, or in a folder or file that was named."""
    adapter = _adapter(harness)
    usual = usual_places(harness, home=home)
    if root is None and not usual:
        raise InvalidInput(hint=f"`{harness}` has no usual place; name a file or a folder.")
    for place in [root] if root is not None else usual:
        yield from _found(place, harness, adapter)


def read_transcript(file: TranscriptFile, *, after: Mark | None = None) -> Iterator[Found]:
    """The turns behind a mark, oldest first, with a fresh mark now and then and at the end.

    What comes before a mark is safe to forget once it is kept. A file that is no longer what the
    mark was made of says `Rewritten` and is read anew; the half of a line that is still being
    written waits for the next time.
    """
    adapter = _adapter(file.harness)
    try:
        if not file.path.is_file():
            yield Unreadable("not a file")
            return
        with file.path.open("rb") as handle:
            yield from _Reading(handle, file, adapter).turns(after)
    except OSError as error:
        yield Unreadable(error.strerror or type(error).__name__)


def _adapter(harness: str) -> Adapter:
    adapter = ADAPTERS.get(harness)
    if adapter is None:
        raise InvalidInput(hint=f"`harness` is one of: {', '.join(ADAPTERS)}.")
    return adapter


def _found(place: Path, harness: str, adapter: Adapter) -> Iterator[TranscriptFile]:
    """Regular files only, in order: a pipe would wait for ever, a link may lead in circles."""
    if place.is_file():
        yield TranscriptFile(place, harness, place.stat().st_size)
        return
    for folder, folders, names in os.walk(place):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if not adapter.is_transcript(path.relative_to(place)) or path.is_symlink():
                continue
            try:
                if path.is_file():
                    yield TranscriptFile(path, harness, path.stat().st_size)
            except OSError:
                continue  # gone since it was listed


class _Cursor:
    """A place in a file, always between two lines, that knows the digest of all before it."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self._digest = hashlib.sha256()
        self.offset = 0
        self.line = 1

    @property
    def mark(self) -> Mark:
        """Where this is."""
        return Mark(self.offset, self._digest.hexdigest())

    def retrace(self, end: int) -> bytes:
        """Go on towards a place that was reached before, by a line or a part of one."""
        return self._take(self._handle.readline(min(MOST_LINE_BYTES, end - self.offset)))

    def advance(self) -> bytes | BadLine | None:
        """The next line that is whole; nothing at the end and at what is being written."""
        content = self._handle.readline(MOST_LINE_BYTES)
        if content.endswith(b"\n"):
            return self._take(content)
        if len(content) == MOST_LINE_BYTES:
            return self._pass_over(content)
        # An object that is closed is whole, whether or not a line break was written behind it.
        return self._take(content) if isinstance(_parsed(content), dict) else None

    def _take(self, content: bytes) -> bytes:
        self._digest.update(content)
        self.offset += len(content)
        self.line += content.endswith(b"\n")
        return content

    def _pass_over(self, content: bytes) -> BadLine | None:
        """Skip a line that is too long to be held, unless its end is not written yet."""
        digest, length, line = self._digest.copy(), 0, self.line
        while content:
            digest.update(content)
            length += len(content)
            if content.endswith(b"\n"):
                self._digest, self.offset, self.line = digest, self.offset + length, line + 1
                return BadLine(line, "too long")
            content = self._handle.readline(_CHUNK_BYTES)
        return None


class _Reading:
    """One reading of one file: where it is, and what its lines have told of the whole."""

    def __init__(self, handle: BinaryIO, file: TranscriptFile, adapter: Adapter) -> None:
        self._handle = handle
        self._file = file
        self._adapter = adapter
        self._projects: dict[Setting, str] = {}
        self._restart()

    def turns(self, after: Mark | None) -> Iterator[Found]:
        """All that is behind the mark, or all there is when the mark no longer fits."""
        marked, turns = after.bytes_read if after else 0, 0
        if after is not None and not self._is_back_at(after):
            self._restart()
            yield Rewritten()
            marked = -1  # a mark of the file as it is now is due, even when it is empty
        while True:
            line = self._cursor.line
            content = self._cursor.advance()
            if content is None:
                break
            for found in self._items(content, line):
                yield found
                turns += isinstance(found, TranscriptTurn)
            if turns >= TURNS_PER_MARK:
                yield self._cursor.mark
                marked, turns = self._cursor.offset, 0
        if self._cursor.offset > marked:
            yield self._cursor.mark

    def _restart(self) -> None:
        self._handle.seek(0)
        self._cursor = _Cursor(self._handle)
        self._setting = Setting()

    def _is_back_at(self, after: Mark) -> bool:
        while self._cursor.offset < after.bytes_read:
            content = self._cursor.retrace(after.bytes_read)
            if not content:
                return False
            if not self._setting.is_complete:
                record = _parsed(content)
                if isinstance(record, dict):
                    self._setting = self._adapter.setting_of(record, self._setting)
        return self._cursor.mark == after

    def _items(self, content: bytes | BadLine, line: int) -> Iterator[Found]:
        if isinstance(content, BadLine):
            yield content
            return
        if not content.strip():
            return
        record = _parsed(content)
        if not isinstance(record, dict):
            yield BadLine(line, "not JSON" if record is None else "not an object")
            return
        self._setting = self._adapter.setting_of(record, self._setting)
        if self._setting.is_side:
            return
        said = self._adapter.turns_of(record)
        if isinstance(said, Unfit):
            yield BadLine(line, said.reason)
            return
        for count, turn in enumerate(said, start=1):
            yield self._turn(turn, str(line) if count == 1 else f"{line}.{count}")

    def _turn(self, said: Said, place: str) -> TranscriptTurn:
        told = said.session or self._setting.session or self._file.path.stem
        session = clean_name(told, _SESSION_LENGTH) or _UNNAMED_SESSION
        own = clean_name(said.identifier or "", _IDENTIFIER_LENGTH) or place
        speaker = clean_name(said.speaker or "", _SESSION_LENGTH) or None
        return TranscriptTurn(
            text=clean_text(said.text),
            role=said.role,
            at=said.at,
            session=session,
            reference=f"{session}:{own}",
            project=self._project(),
            speaker=speaker,
        )

    def _project(self) -> str:
        known = self._projects.get(self._setting)
        if known is None:
            known = self._projects[self._setting] = self._named_project()
        return known

    def _named_project(self) -> str:
        if self._setting.project is not None:
            return normalised_project(self._setting.project)
        if self._setting.folder is not None:
            return project_name(Path(clean_text(self._setting.folder)))
        return self._adapter.project_of_path(self._file.path)


def _parsed(content: bytes) -> Record | list[object] | None:
    """What a line holds; bytes that are no UTF-8 are shown as replaced, not thrown away."""
    try:
        value: object = json.loads(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else [value]
