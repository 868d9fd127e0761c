"""Transcripts of Codex CLI: `.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, in both its formats.

The present one wraps each item as `{timestamp, type, payload}`; the older one writes the items
bare, after a first line with the session's id. Events repeat what the items say and are left out.
"""

import dataclasses
import json
import re
from datetime import datetime
from pathlib import Path, PurePath

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
    without_blocks,
)

PLACES: tuple[str, ...] = (".codex/sessions", ".codex/archived_sessions")

# Tuples, not sets: what stands in a file in their place may be a list, which no set can look up.
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
_TEXTS = ("input_text", "output_text", "text")
_INSERTED = (
    "environment_context", "user_instructions", "INSTRUCTIONS", "turn_aborted", "skill",
    "user_shell_command", "permissions", "collaboration_mode", "subagent_notification",
    "recommended_plugins", "system-reminder",
)  # fmt: skip
_HOUSE_RULES = "# AGENTS.md instructions"
# An editor writes what is open in it before what the person asks.
_REQUEST = re.compile(r"^#+ My request for Codex:?[ \t]*$", re.M)
_FOLDER = re.compile(r"<cwd>([^<\n]{1,4096})</cwd>|Current working directory: ([^\n]{1,4096})")


def is_transcript(path: PurePath) -> bool:
    """Rollouts only: the history beside them repeats what they hold."""
    return path.name.startswith("rollout-") and path.suffix == ".jsonl"


def setting_of(record: Record, known: Setting) -> Setting:
    """The first line names the session and, since late 2025, its folder."""
    payload = record_in(record, "payload")
    if record.get("type") == "session_meta":
        return _opened(payload, known)
    if record.get("type") == "turn_context":
        return dataclasses.replace(known, folder=known.folder or text_in(payload, "cwd"))
    if "type" not in record and "id" in record and known.session is None:
        return dataclasses.replace(known, session=text_in(record, "id"))
    if known.folder is None:
        return dataclasses.replace(known, folder=_told_folder(_item(record)))
    return known


def turns_of(record: Record) -> tuple[Said, ...] | Unfit:
    """Messages of the person and the model, and what tools gave back."""
    item = _item(record)
    at = time_in(record, "timestamp")
    kind = item.get("type")
    if kind == "message":
        return _message(item, at)
    if kind not in _OUTPUTS:
        return ()
    text = _output(item.get("output"))
    own = text_in(item, "call_id", "id")
    return (Said(text=text, role=TOOL, at=at, identifier=own),) if text else ()


def project_of_path(_path: Path) -> str:
    """The place of a rollout tells its date and nothing of its project."""
    return "unknown"


def _item(record: Record) -> Record:
    is_wrapped = record.get("type") == "response_item"
    return record_in(record, "payload") if is_wrapped else record


def _opened(payload: Record, known: Setting) -> Setting:
    """A session that goes on from another holds its opening too: the first is its own."""
    source = payload.get("source")
    is_side = payload.get("thread_source") == "subagent" or (
        isinstance(source, dict) and "subagent" in source
    )
    return Setting(
        known.session or text_in(payload, "id", "session_id"),
        known.folder or text_in(payload, "cwd"),
        is_side=known.is_side or (is_side and known.session is None),
    )


def _told_folder(item: Record) -> str | None:
    if item.get("role") != USER:
        return None
    for part in parts_in(item.get("content")):
        found = _FOLDER.search(text_in(part, "text") or "")
        if found:
            return (found[1] or found[2]).strip()
    return None


def _message(item: Record, at: datetime | None) -> tuple[Said, ...] | Unfit:
    role = item.get("role")
    if role not in (USER, ASSISTANT):
        return ()  # the house's own words: `developer` and `system`
    if "content" not in item:
        return Unfit("a message without its content")
    parts = [part for part in parts_in(item["content"]) if part.get("type") in _TEXTS]
    texts = [text_in(part, "text") or "" for part in parts]
    spoken = [text.strip() if role == ASSISTANT else _typed(text) for text in texts]
    said = Said(
        text="\n\n".join(text for text in spoken if text),
        role=str(role),
        at=at,
        identifier=text_in(item, "id"),
    )
    return (said,) if said.text else ()


def _typed(text: str) -> str:
    """What a person typed, without what the harness or the editor put around it."""
    request = _REQUEST.search(text)
    typed = without_blocks(text[request.end() :] if request else text, _INSERTED)
    return "" if typed.startswith(_HOUSE_RULES) else typed


def _output(output: object) -> str:
    """What a tool printed; older versions wrap it in JSON within the text."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            output = json.loads(output)
        except (ValueError, RecursionError):
            return str(output).strip()
    if isinstance(output, dict):
        output = output.get("output", output.get("content"))
    texts = (text_in(part, "text") for part in parts_in(output))
    return "\n\n".join(text for text in texts if text).strip()
