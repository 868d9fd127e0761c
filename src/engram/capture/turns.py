"""One turn of a conversation: who said what to whom, and when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from engram.errors import InvalidInput
from engram.text.strings import checked_name

USER, ASSISTANT, TOOL, SYSTEM = "user", "assistant", "tool", "system"
_ROLES = (USER, ASSISTANT, TOOL, SYSTEM, "result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one speaker said at one time; relative dates count from `at`."""

    text: str
    role: str = USER
    speaker: str | None = None
    listener: str | None = None
    at: datetime
    session: str | None = None


def checked_role(role: object) -> str:
    """A role that a turn can have, or a refusal that lists them."""
    if not isinstance(role, str) or role not in _ROLES:
        raise InvalidInput(hint=f"`role` is one of: {', '.join(_ROLES)}.")
    return role


def speakers_of(turns: object) -> tuple[str, ...]:
    """Who speaks in some turns; a turn is a string, or a dictionary with `text` and `speaker`."""
    if isinstance(turns, str | bytes | Mapping) or not isinstance(turns, Iterable):
        raise InvalidInput(hint="`before` is a list of strings or of dictionaries with `text`.")
    found: dict[str, None] = {}
    for turn in turns:
        if isinstance(turn, Mapping) and isinstance(turn.get("text"), str):
            if turn.get("speaker") is not None:
                found[checked_name(turn["speaker"], name="speaker")] = None
        elif not isinstance(turn, str):
            raise InvalidInput(hint="A turn is a string, or a dictionary with `text`.")
    return tuple(found)
