"""A repository as texts to be remembered: one for each source file, manifest and part of the tree.

Each text stands alone, names its path, and comes with a digest, so that a later scan tells what is
the same, what is different and what is gone.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engram.capture.codebase.commands import Malformed, is_manifest, read_manifest
from engram.capture.codebase.languages import Language, language_of
from engram.capture.codebase.light_outline import outline_lightly
from engram.capture.codebase.listing import list_files
from engram.capture.codebase.python_outline import outline_python
from engram.capture.codebase.sketch import Declaration, Sketch
from engram.capture.codebase.tree import MOST_FILE_BYTES, FoundFile, Unread, walk
from engram.capture.transcripts.project import project_name

TREE, MODULE, ENTRY_POINTS, COMMANDS = "tree", "module", "entry_points", "commands"
MOST_BYTES = 8_000  # within what one memory holds

_FORM = b"1"  # raise it when texts are made otherwise, so that the next scan makes them anew
_SNIFFED_BYTES = 8_192
_WHOLE = "./"
_ROOM_FOR_REST = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlined:
    """Something that is to be remembered anew: a path in one respect, with its text."""

    path: str
    kind: str
    digest: str
    text: str
    symbols: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What tells this from all other texts of the repository: a manifest has two."""
        return f"{self.kind}:{self.path}"


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Something that is as it was at the last scan."""

    key: str
    digest: str


@dataclass(frozen=True, slots=True)
class Gone:
    """Something the last scan knew that is no longer there."""

    key: str


Scanned = Outlined | Unchanged | Gone | Unread
Progress = Callable[[int, int], None]


def outline_repository(
    root: Path, *, known: Mapping[str, str], progress: Progress | None = None
) -> Iterator[Scanned]:
    """What a repository holds, compared with the digests of the last scan, by their keys.

    `progress` is told how many files are done, of how many. What could not be read is `Unread` and
    never `Gone`: a lost permission is no reason to forget.
    """
    entries = list(walk(root))
    scan = _Scan(known)
    for done, entry in enumerate(entries, start=1):
        yield from scan.entry(entry)
        if progress is not None:
            progress(done, len(entries))
    yield from scan.whole(project_name(root.resolve()))
    yield from scan.gone()


@dataclass(slots=True)
class _Scan:
    """One pass over a repository: what it has met so far."""

    known: Mapping[str, str]
    paths: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    met: set[str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)

    def entry(self, entry: FoundFile | Unread) -> Iterator[Scanned]:
        """All texts of one file."""
        if isinstance(entry, Unread):
            yield self._missed(entry)
            return
        try:
            content = _content(entry)
        except OSError as error:
            yield self._missed(Unread(entry.path, error.strerror or "unreadable"))
            return
        if b"\0" in content[:_SNIFFED_BYTES]:
            return
        self.paths.append(entry.path)
        if is_manifest(entry.path):
            yield from self._manifest(entry.path, content)
            return
        language = language_of(entry.path, content)
        if language is not None:
            yield from self._module(entry.path, language, content)

    def whole(self, project: str) -> Iterator[Scanned]:
        """What is told of the repository as one: what can be started, and its files."""
        if self.programs:
            title = f"Files of the project {project} that can be started:"
            yield self._told(_WHOLE, ENTRY_POINTS, fitting([title, *sorted(self.programs)]))
        if self.paths:
            for folder, text in list_files(self.paths, project, MOST_BYTES):
                yield self._told(folder, TREE, text)

    def gone(self) -> Iterator[Gone]:
        """What was known and was not met, unless it may lie in what could not be read."""
        for key in sorted(set(self.known) - self.met):
            path = key.partition(":")[2]
            hidden = any(
                path == missed or (missed.endswith("/") and path.startswith(missed))
                for missed in self.unread
            )
            # A listing is made of what was met, so a part of it that is left over is gone.
            if not hidden or key.startswith(f"{TREE}:"):
                yield Gone(key)

    def _missed(self, unread: Unread) -> Unread:
        self.unread.append(unread.path)
        return unread

    def _module(self, path: str, language: Language, content: bytes) -> Iterator[Scanned]:
        source = content.decode("utf-8", "replace")
        if language.program is not None and language.program.search(source):
            self.programs.append(f"{path} ({language.name})")
        digest = _digest(content)
        key = f"{MODULE}:{path}"
        if self.known.get(key) == digest:
            self.met.add(key)
            yield Unchanged(key, digest)
            return
        sketch = outline_python(content) if language.name == "Python" else None
        sketch = sketch or outline_lightly(source, language)
        if sketch.is_empty:
            return
        self.met.add(key)
        text = module_text(path, language.name, source.count("\n") + 1, sketch)
        names = tuple(declaration.name for declaration in sketch.declarations)
        yield Outlined(
            path=path, kind=MODULE, digest=digest, text=text, symbols=names + sketch.inner_names
        )

    def _manifest(self, path: str, content: bytes) -> Iterator[Scanned]:
        manifest = read_manifest(path, content.decode("utf-8", "replace"))
        if isinstance(manifest, Malformed):
            yield self._missed(Unread(path, manifest.reason))
            return
        if manifest.entry_points:
            lines = [f"Entry points by {path}:", *manifest.entry_points]
            yield self._told(path, ENTRY_POINTS, fitting(lines))
        if manifest.commands:
            lines = [f"Commands by {path}:", *manifest.commands]
            yield self._told(path, COMMANDS, fitting(lines))

    def _told(self, path: str, kind: str, text: str) -> Outlined | Unchanged:
        outlined = Outlined(path=path, kind=kind, digest=_digest(text.encode()), text=text)
        self.met.add(outlined.key)
        if self.known.get(outlined.key) == outlined.digest:
            return Unchanged(outlined.key, outlined.digest)
        return outlined


def module_text(path: str, language: str, lines: int, sketch: Sketch) -> str:
    """A source file in words: with its authors' remarks if they fit, else without."""
    purpose = f": {sketch.purpose}" if sketch.purpose else "."
    title = f"{path} ({language}, {lines} lines){purpose}"
    inner = [f"Inside the file: {', '.join(sketch.inner_names)}"] if sketch.inner_names else []
    told = [title, *(_line(each, each.remark) for each in sketch.declarations), *inner]
    if _size(told) <= MOST_BYTES:
        return "\n".join(told)
    return fitting([title, *(_line(each, "") for each in sketch.declarations), *inner])


def fitting(lines: list[str]) -> str:
    """The lines that fit into one memory, and how many there are besides."""
    if _size(lines) <= MOST_BYTES:
        return "\n".join(lines)
    kept, size = list[str](), 0
    for line in lines:
        size += len(line.encode()) + 1
        if size > MOST_BYTES - _ROOM_FOR_REST:
            break
        kept.append(line)
    return "\n".join([*kept, f"… and {len(lines) - len(kept)} more."])


def _line(declaration: Declaration, remark: str) -> str:
    behind = f" — {remark}" if remark else ""
    return f"{'  ' * declaration.depth}{declaration.signature}{behind}"


def _size(lines: list[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _content(file: FoundFile) -> bytes:
    """A file that is read for what it declares in full, any other as far as tells text from not."""
    is_source = is_manifest(file.path) or language_of(file.path, b"") is not None
    with file.location.open("rb") as handle:
        opening = handle.read(_SNIFFED_BYTES)
        if is_source or (opening.startswith(b"#!") and language_of(file.path, opening)):
            return opening + handle.read(MOST_FILE_BYTES)
        return opening


def _digest(content: bytes) -> str:
    return hashlib.sha256(_FORM + content).hexdigest()
