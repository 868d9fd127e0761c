"""Puts a table into TOML text behind everything else, and takes it out again."""

import json
import re
import tomllib
from dataclasses import dataclass

from engram.errors import HarnessUnreadable
from engram.surfaces.harness.jsonc import BYTE_ORDER_MARK
from engram.surfaces.harness.splices import Splice, newline_of, spliced

TomlValue = str | int | bool | list[str]
_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_QUIET = re.compile(r"^[ \t]*(?:#|\[|\r?$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TomlEdit:
    """A table of that name (`outer.inner`) with plain values."""

    path: tuple[str, ...]
    value: dict[str, TomlValue]


def put(text: str, edit: TomlEdit) -> list[Splice]:
    """What to insert; nothing when it is there already."""
    before = _read(text)
    found = _at(before, edit.path)
    if found is not None:
        if isinstance(found, dict) and edit.value.items() <= found.items():
            return []
        name = ".".join(edit.path)
        raise HarnessUnreadable(
            hint=f"There is another `{name}` already; remove it, or use --print."
        )
    newline = newline_of(text)
    gap = "" if not text.strip(BYTE_ORDER_MARK + " \t\r\n") else newline
    if text.strip(BYTE_ORDER_MARK) and not text.endswith("\n"):
        gap += newline
    splices = [Splice(len(text), gap + _table(edit, newline))]
    if _read(spliced(text, splices)) != _with(before, edit.path, edit.value):
        raise HarnessUnreadable(hint="It is laid out in a way that cannot be added to safely.")
    return splices


def take(text: str, edit: TomlEdit) -> str | None:
    """The text without the table, whoever changed what since; None when it is not there."""
    before = _read(text)
    found = _at(before, edit.path)
    if found is None:
        return None
    if not isinstance(found, dict) or not edit.value.items() <= found.items():
        name = ".".join(edit.path)
        raise HarnessUnreadable(hint=f"`{name}` was changed by hand since; take it out by hand.")
    if text.startswith(BYTE_ORDER_MARK):
        rest = take(text.removeprefix(BYTE_ORDER_MARK), edit)
        return None if rest is None else BYTE_ORDER_MARK + rest
    # What looks like the table's heading may stand inside a text: the reading decides.
    name = re.escape(".".join(edit.path))
    for header in re.finditer(rf"^[ \t]*\[{name}\][^\n]*\n?", text, re.MULTILINE):
        start = _before_blank_line(text, header.start())
        for end in _ends(text, header.end()):
            result = text[:start] + text[end:]
            if _is_read_as(result, before, edit.path):
                return result
    raise HarnessUnreadable(hint="The table cannot be cut out safely; take it out by hand.")


def holds(text: str, edit: TomlEdit) -> bool:
    """Whether the table is there, with whatever its owner has added to it."""
    found = _at(_read(text), edit.path)
    return isinstance(found, dict) and edit.value.items() <= found.items()


def rendered(edit: TomlEdit) -> str:
    """The table as it stands in a file of its own."""
    return _table(edit, "\n")


def _read(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        where = re.search(r"at line \d+", str(error))
        hint = f"It is not TOML{' ' + where[0] if where else ''}; nothing was changed."
        raise HarnessUnreadable(hint=hint) from error


def _at(value: object, path: tuple[str, ...]) -> object:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _table(edit: TomlEdit, newline: str) -> str:
    lines = [f"[{'.'.join(edit.path)}]"]
    lines += [f"{key} = {_value(value)}" for key, value in edit.value.items()]
    return newline.join([*lines, ""])


def _value(value: TomlValue) -> str:
    """JSON's text, numbers and lists are TOML's too; only DEL needs another spelling."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _before_blank_line(text: str, place: int) -> int:
    """One empty line before a table belongs to it."""
    for newline in ("\r\n", "\n"):
        if text[:place].endswith(newline * 2) or text[:place] == newline:
            return place - len(newline)
    return place


def _with(value: object, path: tuple[str, ...], addition: object) -> dict[str, object]:
    result = dict(value) if isinstance(value, dict) else {}
    key, rest = path[0], path[1:]
    result[key] = _with(result.get(key, {}), rest, addition) if rest else addition
    return result


def _ends(text: str, place: int) -> list[int]:
    """Where the table may end: before the first line that says nothing, or the next table."""
    quiet = _QUIET.search(text, place)
    following = _HEADER.search(text, place)
    return [found.start() if found else len(text) for found in (quiet, following)]


def _is_read_as(text: str, before: dict[str, object], path: tuple[str, ...]) -> bool:
    """Whether a text says what was there without the table, and nothing else."""
    try:
        found = _read(text)
    except HarnessUnreadable:
        return False
    return found in (_without(before, path), _without(before, path, keeps_outer=True))


def _without(
    value: dict[str, object], path: tuple[str, ...], *, keeps_outer: bool = False
) -> dict[str, object]:
    """The values without those at the path; a table that only led there may stay empty."""
    key, rest = path[0], path[1:]
    inner = value.get(key)
    kept = {name: each for name, each in value.items() if name != key}
    if rest and isinstance(inner, dict):
        remaining = _without(inner, rest, keeps_outer=keeps_outer)
        return {**value, key: remaining} if remaining or keeps_outer else kept
    return kept
