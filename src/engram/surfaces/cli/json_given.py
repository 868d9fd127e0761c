"""JSON that is handed to a command: as an argument, in a file, or by a pipe (`-`)."""

import json
from pathlib import Path

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli.piping import piped

_PIPE = "-"


def read_json(text: str | None, file: Path | None, *, name: str) -> object:
    """One JSON document; of a text and a file exactly one is given, and `-` means the pipe."""
    return _parsed(_text(text, file, name), name)


def read_json_list(text: str | None, file: Path | None, *, name: str) -> list[object]:
    """Many documents: a JSON list, one document alone, or one on each line."""
    whole = _text(text, file, name)
    try:
        found = _parsed(whole, name)
    except InvalidInput:
        lines = [line for line in whole.splitlines() if line.strip()]
        if len(lines) <= 1:
            raise
        return [_parsed(line, f"{name}, line {place}") for place, line in enumerate(lines, start=1)]
    return list(found) if isinstance(found, list) else [found]


def _text(text: str | None, file: Path | None, name: str) -> str:
    if (text is None) == (file is None):
        raise typer.BadParameter("Give JSON, `-` for a pipe, or --file.", param_hint=name)
    if file is None:
        return piped() if text == _PIPE else text or ""
    if str(file) == _PIPE:
        return piped()
    try:
        return file.expanduser().read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(hint=f"The file is not UTF-8 at byte {error.start}.") from None
    except OSError as error:
        raise InvalidInput(hint=f"The file cannot be read: {error.strerror}.") from None


def _parsed(text: str, name: str) -> object:
    try:
        found: object = json.loads(text)
    except RecursionError:
        raise InvalidInput(hint=f"`{name}` lies too deep for JSON.") from None
    except ValueError as error:
        # Where it breaks, and not what stands there: that may be a secret.
        place = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(hint=f"`{name}` is no JSON{place}.") from None
    return found
