"""What was put into which file: the record that makes taking it out exact."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from engram.errors import HarnessUnreadable
from engram.surfaces.harness import files
from engram.surfaces.harness.json_edits import JsonEdit
from engram.surfaces.harness.places import Places
from engram.surfaces.harness.plan import Edit
from engram.surfaces.harness.splices import Splice
from engram.surfaces.harness.toml_edits import TomlEdit

NAME = "installations.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Step:
    """One edit of a file: the value, the insertions that made it, the containers made for it."""

    edit: Edit
    splices: tuple[Splice, ...]
    made: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TouchedFile:
    """One file as it was before and after."""

    path: str
    before: str | None  # SHA-256; None: it was not there
    after: str
    steps: tuple[Step, ...] = ()  # none: the whole file is ours
    folders: tuple[str, ...] = ()  # made for it
    backup: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """One harness, for the person or for one project."""

    harness: str
    project: str | None
    version: str  # of the Engram that installed it
    at: str
    program: tuple[str, ...]
    server: tuple[str, ...]  # the whole line that starts the server
    hook: tuple[str, ...] = ()  # how its hooks are run; which one it is follows behind
    store: str | None = None
    files: tuple[TouchedFile, ...] = field(default_factory=tuple)

    @property
    def key(self) -> tuple[str, str | None]:
        """There is one per harness and level."""
        return self.harness, self.project


def load(places: Places) -> tuple[Installation, ...]:
    """All installations of this person."""
    content = files.read(places.own / NAME).content
    if content is None:
        return ()
    try:
        document = json.loads(content)
        _check_version(document["version"], places)
        return tuple(_installation(each) for each in document["installations"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        hint = f"{places.own / NAME} is damaged; `--print` tells what to take out by hand."
        raise HarnessUnreadable(hint=hint) from error


def _check_version(version: object, places: Places) -> None:
    if version != _VERSION:
        hint = f"{places.own / NAME} is of a newer Engram; use that one to change it."
        raise HarnessUnreadable(hint=hint)


def save(places: Places, installations: Sequence[Installation]) -> None:
    """Write the record anew."""
    document = {"version": _VERSION, "installations": [asdict(each) for each in installations]}
    files.write_private(places.own / NAME, json.dumps(document, indent=1).encode() + b"\n")


def find(
    installations: Sequence[Installation], harness: str, project: Path | None
) -> Installation | None:
    """The installation of one harness at one level."""
    key = (harness, None if project is None else str(project))
    return next((each for each in installations if each.key == key), None)


def without(
    installations: Sequence[Installation], gone: Installation | None
) -> tuple[Installation, ...]:
    """The others."""
    return tuple(each for each in installations if gone is None or each.key != gone.key)


def _installation(document: Mapping[str, object]) -> Installation:
    fields = dict(document)
    touched = fields.pop("files")
    for name in ("program", "server", "hook"):
        fields[name] = tuple(fields[name])  # type: ignore[arg-type]  # checked by tuple
    plain = Installation(**fields)  # type: ignore[arg-type]  # an unknown field is an error
    return replace(plain, files=tuple(_touched(each) for each in touched))  # type: ignore[attr-defined]  # a list, or an error


def _touched(document: Mapping[str, object]) -> TouchedFile:
    fields = dict(document)
    steps = tuple(_step(each) for each in fields.pop("steps"))  # type: ignore[attr-defined]  # a list
    fields["folders"] = tuple(fields["folders"])  # type: ignore[arg-type]  # checked by tuple
    return TouchedFile(steps=steps, **fields)  # type: ignore[arg-type]  # an unknown field is an error


def _step(document: Mapping[str, dict[str, object]]) -> Step:
    edit = dict(document["edit"])
    path: tuple[str, ...] = tuple(edit.pop("path"))  # type: ignore[arg-type]  # a list of names
    is_json = "is_element" in edit
    made_edit: Edit = JsonEdit(path, **edit) if is_json else TomlEdit(path, **edit)  # type: ignore[arg-type]  # an unknown field is an error
    splices = tuple(Splice(**each) for each in document["splices"])  # type: ignore[arg-type]  # a list
    return Step(made_edit, splices, tuple(tuple(each) for each in document["made"]))
