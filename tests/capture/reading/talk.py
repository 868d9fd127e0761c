"""A turn said by Ann to Bob on a Thursday afternoon, and what is read in it."""

from datetime import UTC, datetime

from engram.capture.reading.propositions import Proposition, Reading, read_turn
from engram.capture.reading.turns import Turn

AT = datetime(2023, 5, 25, 14, 0, tzinfo=UTC)  # a Thursday


def said(text: str, *, before: str | None = None, recalled: tuple[str, ...] = ()) -> Reading:
    """What is read when Ann says it to Bob."""
    earlier = Turn(text=before or "Hm.", speaker="Bob", at=AT)
    return read_turn(Turn(text=text, speaker="Ann", at=AT), [earlier], recalled=recalled)


def texts(text: str, *, before: str | None = None) -> list[str]:
    """The statements alone."""
    return [each.text for each in said(text, before=before).propositions]


def only(text: str) -> Proposition:
    """The one statement that a text makes."""
    (found,) = said(text).propositions
    return found


def reasons(text: str) -> list[str]:
    """Why what was skipped was skipped."""
    return [each.reason for each in said(text).skipped]


def from_assistant(text: str) -> Reading:
    """What is read when an assistant says it to its user."""
    return read_turn(Turn(text=text, role="assistant", at=AT))


def from_user(text: str) -> Reading:
    """What is read when a user without a name says it to an assistant."""
    return read_turn(Turn(text=text, at=AT))
