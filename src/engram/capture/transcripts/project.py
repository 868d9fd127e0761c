"""What a project is called: by its git remote, else by its folder, always spelled one way.

A memory that is kept under two names of one project is half forgotten, so worktrees, subfolders,
clones by other addresses and other spellings must all come to one name. Git's files are read
directly; no program is started.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engram.capture.transcripts.turns import clean_name

NAME_LENGTH = 100
UNNAMED = "unknown"

_MOST_BYTES = 1_000_000  # git's own files are small; what is larger is none
_POINTER = "gitdir:"
_SECTION = re.compile(r'\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_ENTRY = re.compile(r"([A-Za-z][\w-]*)\s*=\s*(.*)")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_SEPARATORS = re.compile(r"[\s/\\:]+")
_HIDDEN_FOLDERS = frozenset({".git", ".bare"})


@dataclass(frozen=True, slots=True)
class Repository:
    """Where git keeps what: the folder that is checked out, and what all worktrees share."""

    top: Path
    shared: Path
    is_submodule: bool = False


def project_name(folder: Path) -> str:
    """The name of the project a folder belongs to, the same from each of its folders and copies."""
    if not folder.is_absolute():
        # A path of another system, or of another machine: there is nothing here to look at.
        return normalised_project(_last_piece(str(folder)))
    repository = find_repository(folder)
    if repository is None:
        return normalised_project(folder.name)
    remote = remote_name(_read(repository.shared / "config") or "")
    return normalised_project(remote or _folder_name(repository))


def normalised_project(name: str) -> str:
    """One spelling of a name: compatibility forms, case and spaces make no difference."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    joined = _SEPARATORS.sub("-", clean_name(folded, NAME_LENGTH)).strip("-. ")
    return joined or UNNAMED


def find_repository(folder: Path) -> Repository | None:
    """The repository that a folder lies in, whether clone, worktree, submodule or bare."""
    for place in (folder, *folder.parents):
        entry = place / ".git"
        if _is_folder(entry):
            return Repository(place, entry)
        if _is_file(entry):
            return _pointed(place, _read(entry) or "")
        if place == folder and _is_file(place / "HEAD") and _is_folder(place / "objects"):
            return Repository(place, place)
    return None


def remote_name(config: str) -> str | None:
    """The last piece of the address of `origin`, or of the first remote when there is none."""
    addresses = dict(_remotes(config))
    chosen = addresses.get("origin") or next(iter(addresses.values()), None)
    return _name_in_address(chosen) if chosen else None


def _pointed(place: Path, text: str) -> Repository:
    """A worktree or a submodule: its `.git` is a file that says where the rest is."""
    target = text.strip().removeprefix(_POINTER).strip()
    private = place / target  # an absolute target replaces the place
    common = _read(private / "commondir")
    if common is not None:
        return Repository(place, private / common.strip())
    return Repository(place, private, is_submodule=True)


def _folder_name(repository: Repository) -> str:
    """Worktrees carry the name of the folder they were made from, so that they agree."""
    if repository.is_submodule:
        return repository.top.name
    shared = Path(_without_dots(repository.shared))
    owner = shared.parent if shared.name in _HIDDEN_FOLDERS else shared
    return owner.name.removesuffix(".git")


def _without_dots(path: Path) -> str:
    """`/a/b/../c` as `/a/c`, without asking the disk."""
    kept: list[str] = []
    for part in path.parts:
        if part == ".." and kept:
            kept.pop()
        elif part != "..":
            kept.append(part)
    return str(Path(*kept)) if kept else str(path)


def _remotes(config: str) -> Iterator[tuple[str, str]]:
    """Each remote and its first address, as git would read them."""
    remote, seen = None, set[str]()
    for line in config.replace("\\\n", "").splitlines():
        text = line.strip()
        section = _SECTION.match(text)
        if section:
            is_remote = section[1].lower() == "remote" and section[2] is not None
            remote = section[2] if is_remote else None
            text = text[section.end() :].strip()
        entry = _ENTRY.match(text)
        if entry and remote and entry[1].lower() == "url" and remote not in seen:
            seen.add(remote)
            yield remote, _value(entry[2])


def _value(text: str) -> str:
    """A value without its quotes and the comment behind it."""
    value, is_quoted, is_escaped = "", False, False
    for character in text:
        if is_escaped:
            value, is_escaped = value + character, False
        elif character == "\\":
            is_escaped = True
        elif character == '"':
            is_quoted = not is_quoted
        elif character in "#;" and not is_quoted:
            break
        else:
            value += character
    return value.strip()


def _name_in_address(address: str) -> str | None:
    """The repository's name; never the host, nor the user and password that may stand before it."""
    _, scheme, rest = address.rpartition("://")
    plain = re.split(r"[?#]", rest, maxsplit=1)[0].replace("\\", "/").rstrip("/")
    path = plain.partition("/")[2] if scheme else plain.rpartition(":")[2]
    name = path.rstrip("/").rpartition("/")[2].removesuffix(".git")
    if not scheme and "@" in name:
        return None  # a host and nothing behind it
    return name or None


def _last_piece(path: str) -> str:
    pieces = re.split(r"[\\/]", path) if _DRIVE.match(path) or "\\" in path else path.split("/")
    return next((piece for piece in reversed(pieces) if piece), "")


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _read(path: Path) -> str | None:
    """A small text file, or nothing where there is none that can be read."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return None
        return path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return None
