"""A repository's files as texts that fit: one for the root, and one for each folder too large.

A folder's text lists all that lies below it when that fits. Else its small folders are listed in
full as long as there is room, and the others are named with their number of files. Of those, the
large ones get a text of their own; the files of a small one that found no room are told by what
is said of each, not here once more.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

_ROOT = "./"
_ROOM_FOR_REST = 300  # bytes kept free for the line that counts what is left out
_WORTH_A_TEXT = 2_000  # bytes of a listing below which a memory of its own would be noise


@dataclass(slots=True)
class _Folder:
    path: str  # ends in a slash
    files: list[str] = field(default_factory=list)
    folders: dict[str, "_Folder"] = field(default_factory=dict)
    count: int = 0
    size: int = 0  # bytes of the full listing

    @property
    def own_line(self) -> list[str]:
        """Its own files on one line, if it has any."""
        return [f"{self.path} {', '.join(self.files)}"] if self.files else []

    @property
    def name_line(self) -> str:
        """The folder without what is in it."""
        return f"{self.path} ({self.count} file{'s' if self.count != 1 else ''})"


def list_files(paths: Iterable[str], project: str, most_bytes: int) -> Iterator[tuple[str, str]]:
    """Folders with their texts, the root first."""
    root = _grown(paths)
    waiting = [root]
    while waiting:
        folder = waiting.pop(0)
        where = f" in {folder.path}" if folder is not root else ""
        title = f"Files of the project {project}{where}: {folder.count} in all."
        lines, named_only = _listed(folder, most_bytes - _size([title]))
        yield folder.path, "\n".join([title, *lines])
        waiting += [inner for inner in named_only if inner.size >= _WORTH_A_TEXT]


def _grown(paths: Iterable[str]) -> _Folder:
    root = _Folder(_ROOT)
    for path in sorted(paths):
        *parents, name = path.split("/")
        lineage = [root]
        for position, parent in enumerate(parents):
            inner = "/".join(parents[: position + 1]) + "/"
            lineage.append(lineage[-1].folders.setdefault(parent, _Folder(inner)))
        folder = lineage[-1]
        added = len(name.encode()) + 2 + (0 if folder.files else len(folder.path.encode()) + 1)
        folder.files.append(name)
        for each in lineage:
            each.count += 1
            each.size += added
    return root


def _listed(folder: _Folder, most_bytes: int) -> tuple[list[str], list[_Folder]]:
    """What is told of a folder, and the folders inside that are only named."""
    if folder.size <= most_bytes:
        return list(_lines_below(folder)), []
    children = list(folder.folders.values())
    room = most_bytes - _size([*folder.own_line, *(child.name_line for child in children)])
    in_full = set[str]()
    for child in sorted(children, key=lambda child: (child.size, child.path)):
        if child.size > room:
            break
        in_full.add(child.path)
        room -= child.size
    lines = list(folder.own_line)
    for child in children:
        lines += _lines_below(child) if child.path in in_full else [child.name_line]
    named_only = [child for child in children if child.path not in in_full]
    if _size(lines) > most_bytes:
        lines = _shortened(folder, lines, most_bytes)
    return lines, named_only


def _lines_below(folder: _Folder) -> Iterator[str]:
    waiting = [folder]
    while waiting:
        inner = waiting.pop()
        yield from inner.own_line
        waiting += reversed(inner.folders.values())


def _shortened(folder: _Folder, lines: list[str], most_bytes: int) -> list[str]:
    """As many names as fit, and how many of each kind there are in all."""
    kept = "\n".join(lines).encode()[: most_bytes - _ROOM_FOR_REST].decode("utf-8", "ignore")
    kept = kept[: max(kept.rfind(", "), kept.rfind("\n"), 0)]
    kinds = Counter(PurePosixPath(name).suffix or "without suffix" for name in folder.files)
    told = ", ".join(f"{count} {kind[:20]}" for kind, count in kinds.most_common(5))
    rest = f"… and more: {len(folder.files)} files here ({told}), {len(folder.folders)} folders."
    return [kept, rest]


def _size(lines: list[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)
