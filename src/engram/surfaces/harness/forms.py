"""What harnesses tell a hook, and in which form they want its answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from engram.surfaces.harness.known import KNOWN
from engram.text.injected import without_injected

EVENTS = ("session-start", "prompt", "stop", "session-end")
_Document = Mapping[str, object]

# By the names that harnesses use for it; the first that is there counts.
_SESSION = ("session_id", "sessionId", "conversation_id", "trajectory_id", "taskId")
_FOLDER = ("cwd", "workspace_roots.0", "workspaceRoots.0", "tool_info.cwd")
_PROMPT = (
    "prompt", "tool_info.user_prompt", "userPromptSubmit.prompt",
    "taskStart.taskMetadata.initialTask", "taskStart.task",
)  # fmt: skip
_RESPONSE = ("prompt_response", "tool_info.response", "text")
_TURN = ("generation_id", "execution_id", "turn_id", "prompt_id")
_TRANSCRIPT = ("transcript_path",)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a hook was told; what was not is empty."""

    folder: str = ""
    session: str = ""
    prompt: str = ""
    response: str = ""
    turn: str = ""
    transcript: str = ""


def heard(document: _Document) -> Heard:
    """What a harness told, whatever it calls things; our own block is no part of what was said."""
    return Heard(
        folder=_first(document, _FOLDER),
        session=_first(document, _SESSION),
        prompt=without_injected(_first(document, _PROMPT)).strip(),
        response=without_injected(_first(document, _RESPONSE)).strip(),
        turn=_first(document, _TURN),
        transcript=_first(document, _TRANSCRIPT),
    )


def answer(harness: str, event: str, context: str = "") -> str:
    """What to print: the context in the harness's form, or what changes nothing."""
    if harness == "windsurf":
        return ""  # it shows what is printed to the person
    if harness == "cline":
        return json.dumps({"cancel": False, **_named("contextModification", context)})
    if harness == "cursor":
        going_on = {"continue": True} if event == "prompt" else {}
        return json.dumps({**going_on, **_named("additional_context", context)})
    if not context:
        return "{}"
    named = {"hookEventName": _their_name(harness, event), "additionalContext": context}
    return json.dumps({"hookSpecificOutput": named})


def takes_context(harness: str, event: str) -> bool:
    """Whether what is answered can reach the model at all."""
    return event in ("session-start", "prompt") and harness != "windsurf"


def keeps_transcripts(harness: str) -> bool:
    """Whether its transcripts can be read; otherwise turns are taken from what hooks are told."""
    return harness in ("claude-code", "codex")


def _named(name: str, context: str) -> dict[str, str]:
    return {name: context} if context else {}


def _their_name(harness: str, event: str) -> str:
    for each in KNOWN:
        if each.name == harness and each.hooks is not None:
            return each.hooks.events.get(event, event)
    return event


def _first(document: _Document, places: tuple[str, ...]) -> str:
    for place in places:
        found: object = document
        for key in place.split("."):
            if isinstance(found, list):
                found = found[0] if found else None
            else:
                found = found.get(key) if isinstance(found, Mapping) else None
        if isinstance(found, str) and found:
            return found
    return ""
