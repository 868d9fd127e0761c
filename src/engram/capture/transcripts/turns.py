"""A turn as a transcript gives it, what a reader says beside it, and what an adapter must tell."""

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Protocol

USER, ASSISTANT, TOOL = "user", "assistant", "tool"
Record = Mapping[str, object]  # one line of a transcript, as it was parsed

_MANY_LINES = re.compile(r"\n{3,}")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_MILLISECONDS_FROM = 1e11  # as seconds that is the year 5138: what is larger counts milliseconds
_HASH_LENGTH = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptTurn:
    """One thing that was said, in which session of which project, and where that is written."""

    text: str
    role: str
    at: datetime | None
    session: str
    reference: str  # the same at every reading: session, then the turn's own id or its line
    project: str
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class TranscriptFile:
    """A transcript that was found."""

    path: Path
    harness: str
    size: int


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a transcript was read, and the digest of all that stands before."""

    bytes_read: int
    digest: str


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no turn and should be one; reading goes on behind it."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What was read before is no longer there as it was; the file is read from its beginning."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The file could not be opened or read; nothing of it is marked as read."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn as one line tells it, before the session and project of its file are known."""

    text: str
    role: str
    at: datetime | None = None
    identifier: str | None = None
    session: str | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What holds for a whole file; the first line that tells a part of it decides."""

    session: str | None = None
    folder: str | None = None
    project: str | None = None
    is_side: bool = False  # an agent that another agent started: its words are nobody's turn

    @property
    def is_complete(self) -> bool:
        """Whether later lines have nothing left to tell."""
        return self.session is not None and self.folder is not None


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a line that should be a turn is none."""

    reason: str


class Adapter(Protocol):
    """How the transcripts of one harness are found and read; each is a module."""

    PLACES: tuple[str, ...]

    def is_transcript(self, path: PurePath, /) -> bool:
        """Whether a file of this relative path is a transcript of a conversation."""

    def setting_of(self, record: Record, known: Setting, /) -> Setting:
        """What is known of the file after this line."""

    def turns_of(self, record: Record, /) -> tuple[Said, ...] | Unfit:
        """What was said in this line; most lines say nothing."""

    def project_of_path(self, path: Path, /) -> str:
        """The project by the file's place alone, when no line tells the folder."""


def text_in(record: Record, *names: str) -> str | None:
    """The first of these fields that is a text with something in it."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return None


def record_in(record: Record, name: str) -> Record:
    """A record inside a record, or an empty one."""
    value = record.get(name)
    return value if isinstance(value, dict) else {}


def parts_in(content: object) -> tuple[Record, ...]:
    """The parts of a content that may be a plain text, a list of parts or a list of texts."""
    if isinstance(content, str):
        return ({"type": "text", "text": content},)
    if not isinstance(content, list):
        return ()
    parts = ({"type": "text", "text": part} if isinstance(part, str) else part for part in content)
    return tuple(part for part in parts if isinstance(part, dict))


def time_in(record: Record, *names: str) -> datetime | None:
    """The first of these fields that is a time: ISO 8601, or seconds or milliseconds since 1970.

    A time without an offset is taken as UTC, which is what the harnesses mean.
    """
    for name in names:
        moment = _moment(record.get(name))
        if moment is not None:
            return moment
    return None


def _moment(value: object) -> datetime | None:
    try:
        if isinstance(value, str):
            read = datetime.fromisoformat(value)
            return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / (1000 if value > _MILLISECONDS_FROM else 1), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def clean_text(text: str) -> str:
    """The text as a store can keep it: half characters and NUL are shown as replaced."""
    if text.isascii() and "\x00" not in text:
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\x00", "\N{REPLACEMENT CHARACTER}")


def clean_name(text: str, longest: int) -> str:
    """A name on one line; one that is too long is cut and told apart by a hash of the whole."""
    name = _CONTROLS.sub(" ", clean_text(text)).strip()
    if len(name) <= longest:
        return name
    told_apart = hashlib.sha256(name.encode()).hexdigest()[:_HASH_LENGTH]
    return f"{name[: longest - _HASH_LENGTH - 1]}-{told_apart}"


def without_blocks(text: str, tags: Collection[str]) -> str:
    """The text without what a harness put between these tags.

    A block that opens the text and is never closed takes all of it; elsewhere an opening tag that
    is never closed is a word like any other.
    """
    opening = re.compile(rf"<({'|'.join(map(re.escape, tags))})(?:\s[^<>]{{0,200}})?>")
    kept, cursor, never_closed = [], 0, set[str]()
    for found in opening.finditer(text):
        tag = found[1]
        if found.start() < cursor or tag in never_closed:
            continue
        end = text.find(f"</{tag}>", found.end())
        if end < 0 and not text[: found.start()].strip():
            return ""
        if end < 0:
            never_closed.add(tag)
            continue
        kept.append(text[cursor : found.start()])
        cursor = end + len(tag) + 3
    kept.append(text[cursor:])
    return _MANY_LINES.sub("\n\n", "".join(kept)).strip()
