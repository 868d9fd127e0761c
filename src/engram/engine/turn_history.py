"""What was said in a session before a turn: brought along by the caller, or read back."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engram.context.truncation import Message
from engram.engine.turn_setting import ASKED_BY, SPOKEN, TurnSetting
from engram.errors import InvalidInput
from engram.memory.changes import Action
from engram.memory.fencing import spelled_out
from engram.memory.record import Memory
from engram.memory.staleness import status_at
from engram.memory.trust import is_flagged, may_enter_unasked, provenance
from engram.memory.vocabulary import SourceClass, Status

if TYPE_CHECKING:
    from engram.engine.facade import Engram

_MOST_TURNS = 200  # of a session that are read back; what is older is recalled


def brought_along(history: object) -> list[Message]:
    """The conversation as the caller has it."""
    if isinstance(history, str | Mapping) or not isinstance(history, Iterable):
        raise InvalidInput(hint="`history` is a list of messages.")
    return list(history)


def said_before(engram: "Engram", setting: TurnSetting, asked: str) -> list[Message]:
    """What is kept of the session so far, oldest first.

    Only what this caller handed in: others who write into a session of the same name, in the same
    scope, would speak in this one's place. What they said is recalled, within the fence.
    """
    if not setting.runner.reads_history:
        return []
    principal = engram.principal
    with engram._view(setting.scope) as see:
        found = see.turns.handed_in_by(
            principal.actor, setting.session, setting.place, limit=_MOST_TURNS
        )
    engram._note(Action.LIST, count=len(found), shown=found, scope=setting.scope)
    now = engram._clock()
    asking = provenance(principal, setting.runner.asked_source or "user").source_class
    standing = [each for each in found if status_at(each, now) is Status.ACTIVE]
    usable = [each for each in standing if _may_be_told(each, setting)]
    ordered = sorted(usable, key=lambda each: (each.at, each.number))
    told = [message for each in ordered if (message := _message(each, asking)) is not None]
    return _without_this(_once_in_a_row(told), asked)


def _may_be_told(turn: Memory, setting: TurnSetting) -> bool:
    """What a runner itself was asked is the matter of its session, whoever wrote the order."""
    is_own_order = ASKED_BY in turn.metadata and turn.source == setting.runner.asked_source
    return may_enter_unasked(turn) or (is_own_order and not is_flagged(turn))


def _once_in_a_row(said: list[Message]) -> list[Message]:
    """Less what was asked again because nothing answered it."""
    return [each for place, each in enumerate(said) if not place or each != said[place - 1]]


def _without_this(before: list[Message], asked: str) -> list[Message]:
    """What was said before, less what is asked again now because nothing answered it."""
    again = {"role": "user", "content": spelled_out(asked)}
    return before[:-1] if before and before[-1] == again else before


def _message(turn: Memory, asking: SourceClass) -> Message | None:
    """A turn as a model is told of it; nothing where it only says of itself who is asking."""
    role = SPOKEN.get(str(turn.metadata.get("role")))
    role = "user" if ASKED_BY in turn.metadata else role
    if role is None or (role == "user" and turn.source_class is not asking):
        return None
    # A block in what was kept is one that somebody pasted: it is shown, and opens nothing.
    return {"role": role, "content": spelled_out(turn.content)}
