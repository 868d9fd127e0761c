"""Searches the files beside the databases, and keeps what was found where until it is gone.

An erasure that is resumed no longer knows what to look for. So the first search notes, outside the
database, which files it went through and what kind of thing it found in each: never a word of it.
"""

import json
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engram.errors import StoreCorrupt
from engram.memory.erasure import Remains
from engram.storage.byte_search import TEXT, Needles, find
from engram.storage.place import Scrubber
from engram.storage.vault import Vault

NOT_SEARCHED = "not searched"
UNREADABLE = "could not be read"
_KIND = "searched"
_OVERLAP = 64  # bytes: more than any short text has
_PIECE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SearchedFile:
    """A file as a search met it, and the kinds of things that it found in there."""

    size: int
    changed_at: int
    kinds: tuple[str, ...]

    def is_as(self, path: Path) -> bool:
        """Whether the file is as it was when it was searched."""
        try:
            now = path.stat()
        except OSError:
            return False
        return (now.st_size, now.st_mtime_ns) == (self.size, self.changed_at)


Searched = Mapping[str, SearchedFile]


def search_files(
    scrubber: Scrubber, needles: Needles, short: re.Pattern[bytes] | None
) -> dict[str, SearchedFile]:
    """Go through every file beside the databases, by name.

    Short texts are looked for in foreign files: Engram's own are made of digits and settings.
    """
    found = {
        scrubber.name_of(path): _searched(path, needles, None if scrubber.is_ours(path) else short)
        for path in scrubber.other_files()
    }
    return {name: each for name, each in found.items() if each is not None}


def _searched(path: Path, needles: Needles, short: re.Pattern[bytes] | None) -> SearchedFile | None:
    """One file; None when it is gone meanwhile, or is no file but a socket or the like."""
    try:
        met = path.stat()
        if not stat.S_ISREG(met.st_mode) and not stat.S_ISDIR(met.st_mode):
            return None
        kinds = set(find(_pieces(path), needles).told())
        if not kinds and short is not None and _has(path, short):
            kinds = {TEXT}
    except FileNotFoundError:
        return None
    except OSError:
        return SearchedFile(-1, -1, (UNREADABLE,))
    return SearchedFile(met.st_size, met.st_mtime_ns, tuple(sorted(kinds)))


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _has(path: Path, short: re.Pattern[bytes]) -> bool:
    rest = b""
    for piece in _pieces(path):
        window = rest + piece
        if short.search(window):
            return True
        rest = window[-_OVERLAP:]
    return False


def what_was_found(searched: Searched) -> list[Remains]:
    """The files in which something was found, or which could not be read."""
    return [
        Remains(Path(name).name, kind) for name, each in searched.items() for kind in each.kinds
    ]


def what_is_still_there(scrubber: Scrubber, before: Searched | None) -> list[Remains]:
    """What an earlier search found and is there yet, and what nobody has searched.

    Without an earlier search (it was killed before) no foreign file was searched at all. A file
    that was changed since cannot be searched again: nobody knows any more what for.
    """
    remains: list[Remains] = []
    for path in scrubber.other_files():
        met = (before or {}).get(scrubber.name_of(path))
        is_same = met is not None and met.is_as(path)
        if met is not None and met.kinds and (is_same or scrubber.is_ours(path)):
            remains += [Remains(path.name, kind) for kind in met.kinds]
        elif not is_same and not scrubber.is_ours(path) and _is_a_file(path):
            remains.append(Remains(path.name, NOT_SEARCHED))
    return remains


def _is_a_file(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def keep_searched(vault: Vault, erasure: str, searched: Searched) -> None:
    """Note what was found where, as long as an erasure is pending."""
    body = {name: [each.size, each.changed_at, each.kinds] for name, each in searched.items()}
    vault.note(_KIND, erasure, json.dumps(body, sort_keys=True).encode())


def searched_before(vault: Vault, erasure: str) -> dict[str, SearchedFile] | None:
    """What an earlier search noted; None when there was none."""
    found = vault.noted(_KIND).get(erasure)
    if found is None:
        return None
    try:
        rows = json.loads(found)
        return {
            name: SearchedFile(size, changed_at, tuple(kinds))
            for name, (size, changed_at, kinds) in rows.items()
        }
    except (ValueError, TypeError, AttributeError):
        raise StoreCorrupt(hint="What a search found cannot be read in the vault.") from None


def forget_searched(vault: Vault, erasure: str) -> None:
    """It is proven: nothing needs to be known of other files any more."""
    if erasure in vault.noted(_KIND):
        vault.forget_note(_KIND, erasure)
