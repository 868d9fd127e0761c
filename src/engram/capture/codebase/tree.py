"""Walks a repository: every file that belongs to it, in order, none that is only there by chance.

Left out are what ignore files name, what tools put there, links, and what is too large. A link
inside the root is met under its own name; one that leaves it would take in what nobody pointed to.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engram.capture.codebase.ignore import Rule, is_ignored, parse_rules
from engram.capture.transcripts.project import find_repository
from engram.capture.transcripts.turns import clean_name
from engram.errors import InvalidInput

MOST_FILE_BYTES = 1_000_000
MOST_FILES = 100_000
NEVER = frozenset({
    ".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", ".venv", "__pycache__",
    ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".gradle",
    ".terraform", ".next", ".idea", ".DS_Store",
})  # fmt: skip

_ENVIRONMENT_MARK = "pyvenv.cfg"  # a Python environment, whatever its folder is called
_LONGEST_PATH = 4096
_SHORT_HASH = 8


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file of the repository: its path from the root as it is shown, and where it lies."""

    path: str
    location: Path
    size: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A file or folder that is there and could not be read; a folder's path ends in a slash."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Rules:
    """What git's ignore files and our own say; ours decide where both speak."""

    git: tuple[Rule, ...] = ()
    own: tuple[Rule, ...] = ()

    def leave_out(self, path: str, *, is_folder: bool) -> bool:
        verdict = is_ignored(self.own, path, is_folder=is_folder)
        if verdict is None:
            verdict = is_ignored(self.git, path, is_folder=is_folder)
        return bool(verdict)

    def inside(self, folder: Path, prefix: str) -> "_Rules":
        """These rules and those of one more folder."""
        git = parse_rules(_read(folder / ".gitignore"), prefix)
        own = parse_rules(_read(folder / ".engramignore"), prefix)
        return _Rules(self.git + git, self.own + own) if git or own else self


def walk(root: Path) -> Iterator[FoundFile | Unread]:
    """Every file of a repository, folder by folder."""
    root = _checked(root)
    rules, prefix = _rules_above(root)
    waiting = [(root, prefix, rules)]
    files = 0
    while waiting:
        folder, prefix, rules = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Unread(_shown(folder, root) + "/", error.strerror or "unreadable")
            continue
        if folder != root and any(entry.name == _ENVIRONMENT_MARK for entry in entries):
            continue
        inner = rules.inside(folder, prefix)
        kept = [entry for entry in entries if _belongs(entry, prefix, inner)]
        for found in _files(kept, root):
            files += 1
            yield found
        if files > MOST_FILES:
            raise InvalidInput(
                hint=f"More than {MOST_FILES} files: name a project's own folder, or leave out "
                "what is not part of it in a file .engramignore."
            )
        folders = (entry for entry in reversed(kept) if entry.is_dir(follow_symlinks=False))
        waiting += [(Path(entry.path), f"{prefix}{entry.name}/", inner) for entry in folders]


def _checked(root: Path) -> Path:
    """The folder itself; a missing one is refused, for else all that was known would be gone."""
    try:
        resolved = root.resolve(strict=True)
        os.scandir(resolved).close()
    except (OSError, RuntimeError) as error:
        raise InvalidInput(hint="The folder to scan is missing or cannot be read.") from error
    return resolved


def _rules_above(root: Path) -> tuple[_Rules, str]:
    """The rules that hold at the root, and its own path from the top of its repository."""
    repository = find_repository(root)
    if repository is None:
        return _Rules(), ""
    rules = _Rules(parse_rules(_read(repository.shared / "info" / "exclude")))
    below = root.relative_to(repository.top).parts
    folder, prefix = repository.top, ""
    for name in below:
        rules = rules.inside(folder, prefix)
        folder, prefix = folder / name, f"{prefix}{name}/"
    return rules, prefix


def _belongs(entry: "os.DirEntry[str]", prefix: str, rules: _Rules) -> bool:
    if entry.name in NEVER or entry.is_symlink():
        return False
    is_folder = entry.is_dir(follow_symlinks=False)
    return not rules.leave_out(prefix + entry.name, is_folder=is_folder)


def _files(entries: "list[os.DirEntry[str]]", root: Path) -> Iterator[FoundFile | Unread]:
    for entry in entries:
        if not entry.is_file(follow_symlinks=False):
            continue  # a folder, or a pipe that would wait for ever
        location = Path(entry.path)
        try:
            size = entry.stat(follow_symlinks=False).st_size
        except OSError as error:
            yield Unread(_shown(location, root), error.strerror or "unreadable")
            continue
        if size <= MOST_FILE_BYTES:
            yield FoundFile(_shown(location, root), location, size)


def _shown(location: Path, root: Path) -> str:
    """A path as text on one line; what cannot be shown is told apart by a hash."""
    raw = location.relative_to(root).as_posix()
    # A name that is no UTF-8 comes as half characters, which cleaning shows as replaced.
    shown = clean_name(raw, _LONGEST_PATH)
    if shown == raw:
        return raw
    told_apart = hashlib.sha256(os.fsencode(raw)).hexdigest()[:_SHORT_HASH]
    return f"{shown}~{told_apart}"


def _read(path: Path) -> str:
    """An ignore file, or nothing where there is none that can be read."""
    try:
        if not path.is_file() or path.stat().st_size > MOST_FILE_BYTES:
            return ""
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
