"""Operations on files of this machine; nobody from a network may ask for them."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.memory.roles import Need
from engram.surfaces.documents import Document, harvest_document, scan_document
from engram.surfaces.operations.fields import Name, described, matching
from engram.surfaces.operations.operation import (
    Effect,
    Kind,
    Progress,
    ScopedArguments,
    long_operation,
)

_TAKING_IN = Kind(Need.WRITE, Effect.ADDS, is_repeatable=True, is_local=True)
_ON_ONE_LINE = r"[^\x00-\x1f\x7f]+"
FilePath = Annotated[
    str,
    Field(min_length=1, max_length=4_000),
    matching(_ON_ONE_LINE, "is the path of a file or folder of this machine"),
    described(_ON_ONE_LINE, "A file or folder of this machine."),
]


class Harness(StrEnum):
    """Whose transcripts can be harvested."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GENERIC = "generic"


class Harvest(ScopedArguments):
    """What `harvest` takes."""

    harness: Annotated[Harness, Field(strict=False)]
    folder: FilePath | None = None
    project: Name | None = None
    dry_run: bool = False


@long_operation("harvest", Harvest, kind=_TAKING_IN, route="POST /harvest", gives="Harvest")
def harvest(engram: Engram, given: Harvest, progress: Progress) -> Document:
    """Take in what is new in the transcripts of a coding agent on this machine."""
    report = engram.harvest(
        given.harness,
        folder=given.folder,
        project=given.project,
        dry_run=given.dry_run,
        progress=progress,
        scope=given.part,
    )
    return harvest_document(report)


class ScanFolder(ScopedArguments):
    """What `scan` takes."""

    folder: FilePath
    dry_run: bool = False


@long_operation("scan", ScanFolder, kind=_TAKING_IN, route="POST /scan", gives="Scan")
def scan(engram: Engram, given: ScanFolder, progress: Progress) -> Document:
    """Keep what a repository on this machine holds: files, declarations, commands."""
    report = engram.scan(given.folder, dry_run=given.dry_run, progress=progress, scope=given.part)
    return scan_document(report)
