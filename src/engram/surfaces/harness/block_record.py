"""Which files this person keeps a block in: only those are refreshed without being asked.

Marks alone prove nothing: whoever writes a repository can write them into its files, and would be
handed memories in a file that is committed next.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from engram.errors import HarnessUnreadable
from engram.surfaces.harness import files
from engram.surfaces.harness.places import Places

NAME = "blocks.json"
_VERSION = 1


def load(places: Places) -> dict[Path, str]:
    """Each file by its real path, and the path of the scope that its block is made from."""
    content = files.read(places.own / NAME).content
    if content is None:
        return {}
    try:
        document = json.loads(content)
        _check_version(document["version"], places)
        return {Path(path): str(scope) for path, scope in document["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        hint = f"{places.own / NAME} is damaged; remove it, and run `engram block` for each file."
        raise HarnessUnreadable(hint=hint) from error


def note(places: Places, path: Path, scope: str) -> None:
    """Remember that a file is to be refreshed, and from which scope."""
    with files.one_at_a_time(places.own):
        known = load(places)
        if known.get(path) != scope:
            _save(places, {**known, path: scope})


def forget(places: Places, path: Path) -> None:
    """Refresh a file no longer."""
    if path not in load(places):
        return
    with files.one_at_a_time(places.own):
        _save(places, {each: scope for each, scope in load(places).items() if each != path})


def _check_version(version: object, places: Places) -> None:
    if version != _VERSION:
        hint = f"{places.own / NAME} is of a newer Engram; use that one to change it."
        raise HarnessUnreadable(hint=hint)


def _save(places: Places, known: Mapping[Path, str]) -> None:
    named = {str(path): scope for path, scope in sorted(known.items())}
    document = {"version": _VERSION, "files": named}
    files.write_private(places.own / NAME, json.dumps(document, indent=1).encode() + b"\n")
