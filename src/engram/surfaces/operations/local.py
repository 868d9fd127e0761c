"""Operations on files of this machine; nobody from a network may ask for them."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.memory.roles import Need
from engram.surfaces.documents import Document, harvest_document, scan_document
from engram.surfaces.operations.fields import Name, formed
from engram.surfaces.operations.operation import (
    Effect,
    Kind,
    Progress,
    ScopedArguments,
    long_operation,
)

_TAKING_IN = Kind(Need.WRITE, Effect.ADDS, is_repeatable=True, is_local=True)
FilePath = Annotated[
    str,
    *formed(
        r"[^\x00-\x1f\x7f]+",
        "is the path of a file or folder of this machine",
        "A file or folder of this machine.",
        least=1,
        most=4_000,
    ),
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
