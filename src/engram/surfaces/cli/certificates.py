"""Where the certificate of an erasure is written: checked before anything is gone."""

import json
import os
from typing import TYPE_CHECKING

from engram.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from engram.memory.erasure import Erasure


def check_free(path: "Path") -> None:
    """Refuse a path where no new file can be made."""
    if os.path.lexists(path):
        problem = "there is a file of that name already, and nothing is replaced"
    elif not path.parent.is_dir():
        problem = "its folder is not there"
    elif not os.access(path.parent, os.W_OK | os.X_OK):
        problem = "its folder cannot be written to"
    else:
        return
    raise InvalidInput(hint=f"--certificate: {problem}. Name another file; nothing was erased.")


def chosen(found: "Sequence[Erasure]", erasure: str | None) -> "Erasure | None":
    """Whose certificate is meant: the one that was named, or the only one."""
    if erasure is not None:
        named = [each for each in found if each.id == erasure]
        if not named:
            raise InvalidInput(hint="There is no such erasure here: `engram erase --list`.")
        return named[0]
    if len(found) > 1:
        raise InvalidInput(
            hint="There are several: name one, as `engram erase ID --list --certificate FILE`."
        )
    return found[0] if found else None


def write(path: "Path", done: "Erasure") -> None:
    """A certificate holds no content, but it is the reader's own: never over another file."""
    try:
        with path.open("x", encoding="utf-8") as file:
            json.dump(done.certificate, file, indent=2, sort_keys=True)
            file.write("\n")
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise InvalidInput(
            hint=f"The certificate could not be written ({why}), but it was erased: {done.state}. "
            f"Write it with `engram erase {done.id} --list --certificate FILE`."
        ) from None
