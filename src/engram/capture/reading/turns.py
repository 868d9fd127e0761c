"""One turn of a conversation, as reading needs it: who said what to whom, and when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

USER, ASSISTANT, TOOL, SYSTEM = "user", "assistant", "tool", "system"
_UNNAMED = {USER: "the user", ASSISTANT: "the assistant", TOOL: "the tool", SYSTEM: "the system"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one speaker said at one time; relative dates count from `at`."""

    text: str
    role: str = USER
    speaker: str | None = None
    listener: str | None = None
    at: datetime
    session: str | None = None


@dataclass(frozen=True, slots=True)
class People:
    """Who "I" and "you" are in one turn; the listener may be unknown."""

    speaker: str
    listener: str | None
    known: tuple[str, ...]  # every speaker's name seen: these can be called out to


def people_of(turn: Turn, before: Sequence[Turn]) -> People:
    """Who speaks and who listens: the other speaker of a talk between two, else the other role."""
    speaker = turn.speaker or _UNNAMED.get(turn.role, _UNNAMED[USER])
    others = {name for name in map(_name_of, before) if name and name != turn.speaker}
    known = tuple(name for name in (turn.speaker, turn.listener, *sorted(others)) if name)
    listener = turn.listener
    if listener is None and len(others) == 1:
        listener = next(iter(others))
    if listener is None and not others:
        listener = _unnamed_listener(turn)
    return People(speaker, listener, known)


def _name_of(turn: Turn) -> str | None:
    return turn.speaker


def _unnamed_listener(turn: Turn) -> str | None:
    """The other side of a talk with an assistant; between named people nobody is guessed."""
    if turn.role == ASSISTANT:
        return _UNNAMED[USER]
    return _UNNAMED[ASSISTANT] if turn.role == USER and turn.speaker is None else None
