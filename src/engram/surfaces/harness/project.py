"""Which project a folder belongs to, and the scope that follows from it.

The name is the one that transcripts and scans are kept under, so that what a hook hears in a
worktree and what a server recalls in a sub-folder meet.
"""

from pathlib import Path

from engram.capture.transcripts.project import find_repository, project_name
from engram.memory.scopes import Scope
from engram.surfaces.harness.files import real_path

_HERE = "."
_FOLDERS_OF_OTHERS = (".github", ".cursor", ".claude", ".gemini")  # in a project, never one


def project_here(folder: Path) -> str | None:
    """The project of a folder; none for a home or a root, where nobody keeps a project."""
    if find_repository(folder) is None and folder in (Path.home(), Path(folder.anchor)):
        return None
    return project_name(folder)


def top_of(folder: Path) -> Path:
    """The folder in which a project's own files lie."""
    repository = find_repository(folder)
    return folder if repository is None else repository.top


def folder_of(path: Path) -> Path:
    """The folder of a project's file, as its hooks are told it."""
    folder = real_path(path.parent)
    return folder.parent if folder.name in _FOLDERS_OF_OTHERS else folder


def scope_here(text: str | None, folder: Path) -> Scope:
    """A scope as it was written; `project=.` is the project of the folder."""
    scope = Scope.parse(text) if text else Scope()
    if scope.project != _HERE:
        return scope
    return Scope(
        project=project_here(folder),
        squad=scope.squad,
        agent=scope.agent,
        channel=scope.channel,
        user=scope.user,
    )
