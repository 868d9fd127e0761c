"""One project has one name, from wherever it is looked at."""

from pathlib import Path

from engram import Scope
from engram.surfaces.harness.project import project_here, scope_here


def repository(folder: Path, url: str | None = None) -> Path:
    (folder / ".git").mkdir(parents=True)
    remote = f'[remote "origin"]\n\turl = {url}\n' if url else ""
    (folder / ".git" / "config").write_text(remote)
    return folder


def test_a_subfolder_and_a_worktree_are_the_project(tmp_path):
    top = repository(tmp_path / "checkout", "https://ada:secret@example.org/Team/Acme-API.git")
    (top / "src" / "deep").mkdir(parents=True)
    private = top / ".git" / "worktrees" / "fix"
    private.mkdir(parents=True)
    (private / "commondir").write_text("../..\n")
    tree = tmp_path / "fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {private}\n")

    names = {project_here(folder) for folder in (top, top / "src" / "deep", tree)}

    assert names == {"acme-api"}


def test_a_home_and_a_root_are_no_project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))

    assert project_here(tmp_path) is None
    assert project_here(Path("/")) is None
    assert project_here(tmp_path / "work") == "work"


def test_a_dot_stands_for_the_project_of_the_folder(tmp_path):
    top = repository(tmp_path / "Acme")

    assert scope_here("project=.", top) == Scope(project="acme")
    assert scope_here("project=.,agent=coder", top) == Scope(project="acme", agent="coder")
    assert scope_here("project=other", top) == Scope(project="other")
    assert scope_here(None, top) == Scope()
