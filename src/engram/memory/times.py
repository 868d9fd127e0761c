"""Times are aware UTC datetimes in values and whole microseconds in storage."""

import re
from datetime import UTC, datetime, timedelta

from engram.errors import InvalidInput

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
FOREVER = 2**62  # later than any time; still a 64-bit integer in both databases

_UNITS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}
_HORIZON = re.compile(r"([1-9][0-9]{0,4})([hdwmy])")


def to_micros(moment: datetime) -> int:
    """Whole microseconds since 1970, exact, unlike a float timestamp."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The aware UTC time of a stored integer."""
    return _EPOCH + timedelta(microseconds=micros)


def parse_time(value: object, *, name: str) -> datetime:
    """Read an aware datetime or an ISO string with an offset; refuse anything naive."""
    moment = value if isinstance(value, datetime) else _from_iso(value, name)
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidInput(hint=f"`{name}` needs a time zone, as in 2026-03-01T09:00:00+00:00.")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise InvalidInput(hint=f"`{name}` is outside the years 1 to 9999.") from error


def _from_iso(value: object, name: str) -> datetime:
    hint = f"`{name}` must be a datetime or an ISO 8601 string, as 2026-03-01T09:00:00Z."
    if not isinstance(value, str):
        raise InvalidInput(hint=hint)
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise InvalidInput(hint=hint) from None  # its text would repeat the value


def parse_horizon(text: str) -> timedelta:
    """Read a decay horizon such as `30d`, `12h`, `26w`, `6m` (30 days each) or `1y`."""
    match = _HORIZON.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise InvalidInput(hint="A decay horizon is a number and one of h d w m y, as in 180d.")
    return timedelta(days=int(match[1]) * _UNITS[match[2]])
