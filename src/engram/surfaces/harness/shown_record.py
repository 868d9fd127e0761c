"""Which memories a session has been shown by hooks: none is put before a model twice.

Each hook is a process of its own, so this is a small file: numbers of memories, no words. Who
cannot read or write it shows a memory again, and nothing else is lost.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from engram.errors import EngramError
from engram.surfaces.harness import files
from engram.surfaces.harness.places import Places

NAME = "shown.json"
_VERSION = 1
_MOST_SESSIONS = 40
_MOST_NUMBERS = 400


def load(places: Places, store: Path, session: str) -> frozenset[int]:
    """The numbers of the memories that a session has been shown since it began."""
    return frozenset(_sessions(places).get(_key(store, session), ())) if session else frozenset()


def note(
    places: Places, store: Path, session: str, numbers: Iterable[int], *, begins: bool
) -> None:
    """Take down what a session is shown; where it begins, what was shown before is out of sight."""
    if not session:
        return
    try:
        with files.one_at_a_time(places.own):
            sessions = _sessions(places)
            key = _key(store, session)
            before = [] if begins else sessions.pop(key, [])
            sessions.pop(key, None)
            sessions[key] = list(dict.fromkeys([*before, *numbers]))[-_MOST_NUMBERS:]
            kept = dict(list(sessions.items())[-_MOST_SESSIONS:])
            document = {"version": _VERSION, "sessions": kept}
            files.write_private(places.own / NAME, json.dumps(document).encode())
    except (OSError, EngramError):
        return


def _sessions(places: Places) -> dict[str, list[int]]:
    try:
        content = (places.own / NAME).read_bytes()
        document = json.loads(content)
        if document["version"] != _VERSION:
            return {}
        return {str(key): [int(each) for each in numbers]
                for key, numbers in document["sessions"].items()}  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _key(store: Path, session: str) -> str:
    return hashlib.sha256(f"{store}\0{session}".encode(errors="replace")).hexdigest()[:32]
