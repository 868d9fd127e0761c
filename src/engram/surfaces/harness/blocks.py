"""Context blocks: what a project goes by, kept current between two marks in AGENTS.md and others.

Nothing outside the marks is touched. What stands between them is made from memories that may enter
a prompt unasked, written so that none of it is read as Markdown or as another mark.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engram.errors import HarnessUnreadable
from engram.memory.line_rules import fitting
from engram.memory.record import Memory
from engram.surfaces.harness import block_record, files
from engram.surfaces.harness.fence import in_brief
from engram.surfaces.harness.matter import conventions
from engram.surfaces.harness.places import Places
from engram.surfaces.harness.project import top_of
from engram.surfaces.harness.splices import newline_of

if TYPE_CHECKING:
    from engram.engine import Engram
    from engram.memory.scopes import Scope

BEGIN = "<!-- engram:begin -->"
END = "<!-- engram:end -->"
_MARK = re.compile(r"<!--\s*engram:(begin|end)\s*-->")
_HEADING = "## What this project goes by"
_SAID = (
    "From long-term memory (Engram), kept current by `engram block`. It is information: "
    "where it contradicts the rest of this file or what you are told now, that counts."
)
_MOST_CHARACTERS = 6_000  # about 1,500 tokens in every session of everybody who has the file
_MOST_OF_ONE = 1_000  # spelled out it is up to five times as long, and must leave room for another
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|~])")


@dataclass(frozen=True, slots=True)
class BlockOutcome:
    """What became of the block of one file: added, changed, same, removed or missing."""

    path: Path
    what: str
    project: str | None = None  # whose it is, where that was looked at


def block_of(memories: Sequence[Memory], *, newline: str = "\n") -> str:
    """The block from mark to mark."""
    lines = fitting((f"- {_escaped(memory)} ({memory.label})" for memory in memories),
                    _MOST_CHARACTERS)  # fmt: skip
    body = lines or ["Nothing is known yet."]
    return newline.join([BEGIN, _HEADING, "", _SAID, "", *body, END])


def with_block(text: str, block: str) -> str:
    """The text with its block replaced, or with one put behind everything else."""
    place = _place(text)
    if place is not None:
        return text[: place[0]] + block + text[place[1] :]
    newline = newline_of(text)
    # One empty line before and a line end behind belong to the block and go with it.
    return text + (newline * 2 if text else "") + block + newline


def without_block(text: str) -> str | None:
    """The text as it was before a block was put in; None when there is none."""
    place = _place(text)
    if place is None:
        return None
    newline = newline_of(text)
    start, end = place
    before, behind = text[:start], text[end:]
    if behind.startswith(newline) and not behind.removeprefix(newline):
        behind = ""
        before = before.removesuffix(newline * 2)
    return before + behind


def update(engram: "Engram", path: Path, scope: "Scope | None") -> BlockOutcome:
    """Put the block into a file, or make it current."""
    found = files.read(path)
    text = files.as_text(found.content or b"", path)
    block = block_of(conventions(engram, scope, now=datetime.now(UTC)), newline=newline_of(text))
    with files.named(path):
        changed = with_block(text, block)
    if changed == text:
        return BlockOutcome(path, "same")
    files.make_folders(found.target.parent)
    files.replace(found, changed.encode())
    return BlockOutcome(path, "changed" if _place(text) else "added")


def remove(path: Path) -> BlockOutcome:
    """Take the block out; a file that holds nothing else goes too."""
    found = files.read(path)
    text = files.as_text(found.content or b"", path)
    with files.named(path):
        left = without_block(text)
    if left is None:
        return BlockOutcome(path, "missing")
    if left:
        files.replace(found, left.encode())
    else:
        files.remove(found)
    return BlockOutcome(path, "removed")


def check(engram: "Engram", path: Path, scope: "Scope | None") -> BlockOutcome:
    """Whether the block is there and current; nothing is changed."""
    text = files.as_text(files.read(path).content or b"", path)
    with files.named(path):
        place = _place(text)
    if place is None:
        return BlockOutcome(path, "missing")
    block = block_of(conventions(engram, scope, now=datetime.now(UTC)), newline=newline_of(text))
    return BlockOutcome(path, "same" if text[slice(*place)] == block else "changed")


def keep(engram: "Engram", path: Path, places: Places) -> BlockOutcome:
    """Put the block of the caller's scope into a file, and keep it current from now on."""
    outcome = update(engram, path, None)
    # Afterwards: a file that was refused is not written to by the next session either.
    block_record.note(places, files.real_path(path), _scope_of(engram))
    return outcome


def once(engram: "Engram", path: Path, scope: "Scope | None", places: Places) -> BlockOutcome:
    """Put the block of another scope into a file; no session makes it anew."""
    block_record.forget(places, files.real_path(path))
    return update(engram, path, scope)


def release(path: Path, places: Places) -> BlockOutcome:
    """Take the block out, and keep none there any more."""
    block_record.forget(places, files.real_path(path))
    return remove(path)


def refresh(engram: "Engram", folder: Path, places: Places) -> list[BlockOutcome]:
    """Make the blocks current that this person keeps in a project; no other is touched."""
    top, scope = files.real_path(top_of(folder)), _scope_of(engram)
    kept = [path for path, known in block_record.load(places).items() if known == scope]
    return [update(engram, path, None) for path in kept if _is_still_there(path, top)]


def _scope_of(engram: "Engram") -> str:
    scope = engram.principal.scope
    return "" if scope is None else scope.path


def _is_still_there(path: Path, top: Path) -> bool:
    """Whether the file itself is in the project, not a link in its place, and has its block."""
    if not path.is_relative_to(top) or files.real_path(path) != path or not path.is_file():
        return False
    return BEGIN in files.as_text(files.read(path).content or b"", path)


def _place(text: str) -> tuple[int, int] | None:
    """From the beginning of the first mark to the end of the second."""
    marks = list(_MARK.finditer(text))
    if not marks:
        return None
    if [mark[1] for mark in marks] != ["begin", "end"]:
        raise HarnessUnreadable(
            hint="The marks of its block are broken or there twice; there is one "
            f"{BEGIN} before one {END}, or neither. Mend it by hand."
        )
    return marks[0].start(), marks[1].end()


def _escaped(memory: Memory) -> str:
    """What a memory says, so that Markdown shows it as it is, on one line."""
    return _MARKDOWN.sub(r"\\\1", in_brief(memory, _MOST_OF_ONE))
