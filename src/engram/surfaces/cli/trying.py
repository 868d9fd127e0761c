"""Commands that only look, where there is no store to look at yet."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from engram.surfaces.cli.call import Call


def on_any_store(call: Call) -> Call:
    """The call on a store in memory where none is there: what changes nothing needs none."""
    from engram.storage.place import is_store

    if not call.is_folder or is_store(call.folder):
        return call
    if call.folder.exists() and (not call.folder.is_dir() or any(call.folder.iterdir())):
        return call  # something else, which opening will complain about
    return Call(store=":memory:", scope=call.scope, within=call.within, json=call.json)


def read_zone(text: str | None) -> tzinfo | None:
    """A zone as people type it: UTC, +01:00, or a name such as Europe/Lisbon."""
    if text is None:
        return None
    if text.upper() in ("UTC", "Z"):
        return UTC
    try:
        if text[:1] in ("+", "-"):
            return datetime.fromisoformat(f"2000-01-01T00:00{text}").tzinfo
        return ZoneInfo(text)
    except (ValueError, ZoneInfoNotFoundError, OSError):
        raise typer.BadParameter(
            "A zone is written as UTC, +01:00 or Europe/Lisbon.", param_hint="--zone"
        ) from None


def with_zone(at: object, zone: tzinfo | None) -> object:
    """A time with the zone that was named, where it has none of its own."""
    if zone is None or not isinstance(at, str):
        return at
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return at  # refused further in, with the reason
    return at if moment.tzinfo else moment.replace(tzinfo=zone).isoformat()


def is_without_zone(at: object) -> bool:
    """Whether a time says nothing about whose clock it was."""
    if not isinstance(at, str):
        return False
    try:
        return datetime.fromisoformat(at).tzinfo is None
    except ValueError:
        return False
