"""Transcripts of anything that writes one JSON object a line with a role and a text."""

import dataclasses
from pathlib import Path, PurePath

from engram.capture.transcripts.project import project_name
from engram.capture.transcripts.turns import (
    ASSISTANT,
    TOOL,
    USER,
    Record,
    Said,
    Setting,
    Unfit,
    parts_in,
    record_in,
    text_in,
    time_in,
)

PLACES: tuple[str, ...] = ()  # nobody's format has no usual place

_ROLES = {
    "user": USER, "human": USER,
    "assistant": ASSISTANT, "ai": ASSISTANT, "model": ASSISTANT, "bot": ASSISTANT,
    "tool": TOOL, "function": TOOL,
}  # fmt: skip
_UNSPOKEN = frozenset({"system", "developer"})
_TEXTS = ("text", "input_text", "output_text")  # no set: a part may hold a list in its place


def is_transcript(path: PurePath) -> bool:
    """Any file of JSON lines."""
    return path.suffix in {".jsonl", ".ndjson"}


def setting_of(record: Record, known: Setting) -> Setting:
    """A project is told by its name or by its folder; a session is told by each line."""
    return dataclasses.replace(
        known,
        folder=known.folder or text_in(record, "cwd", "folder"),
        project=known.project or text_in(record, "project"),
    )


def turns_of(record: Record) -> tuple[Said, ...] | Unfit:
    """`{role, content or text}`, with `timestamp` or `at`, `session`, `speaker`, `id` if known."""
    message = record_in(record, "message") or record
    named = text_in(message, "role") or text_in(record, "role")
    role = named.strip().lower() if named else None
    if role is None:
        return Unfit("no role")
    if role in _UNSPOKEN:
        return ()
    if role not in _ROLES:
        return Unfit("an unknown role")
    content = message.get("content", message.get("text"))
    if content is None:
        return Unfit("no text")
    parts = (part for part in parts_in(content) if part.get("type", "text") in _TEXTS)
    text = "\n\n".join(filter(None, (text_in(part, "text") for part in parts))).strip()
    said = Said(
        text=text,
        role=_ROLES[role],
        at=time_in(record, "timestamp", "at", "time"),
        identifier=_identifier(record),
        session=text_in(record, "session", "session_id", "sessionId"),
        speaker=text_in(record, "speaker", "name"),
    )
    return (said,) if text else ()


def project_of_path(path: Path) -> str:
    """The project whose folder the file lies in."""
    return project_name(path.absolute().parent)


def _identifier(record: Record) -> str | None:
    value = record.get("id", record.get("uuid"))
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_number else text_in(record, "id", "uuid")
