"""One project has one name, however its folder is reached and spelled."""

import pytest

from engram.capture.transcripts.project import normalised_project, project_name, remote_name


def clone(folder, url=None):
    """A repository as git lays it out, as far as names go."""
    git = folder / ".git"
    (git / "objects").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    remote = f'[remote "origin"]\n\turl = {url}\n\tfetch = +refs/heads/*:x\n' if url else ""
    (git / "config").write_text(f'[core]\n\tbare = false\n{remote}[branch "main"]\n\tremote = o\n')
    return folder


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/acme/Tide-Table.git",
        "https://example.org/acme/tide-table/",
        "https://ada:s3cr3t@example.org/acme/tide-table.git",
        "git@example.org:acme/tide-table.git",
        "example.org:tide-table",
        "ssh://git@example.org:2222/acme/tide-table.git",
        "file:///srv/git/tide-table.git",
        "/srv/git/tide-table.git",
        "C:\\\\repositories\\\\tide-table.git",
        "https://example.org/acme/team/_git/tide-table?version=GBmain",
        '"https://example.org/acme/tide-table.git" ; where it is',
    ],
)
def test_every_address_of_a_repository_gives_its_name(tmp_path, url):
    assert project_name(clone(tmp_path / "checkout-2", url)) == "tide-table"


def test_a_password_in_an_address_is_never_part_of_a_name():
    config = '[remote "origin"]\n url = https://token-abc@example.org\n'

    assert remote_name(config) is None
    assert remote_name(config.replace("https://", "")) is None


def test_a_config_is_read_as_git_reads_it():
    config = (
        '# url = no\n[Remote "fork"]\n  URL = a/fork.git\n'
        '[remote "origin"] url = one/\\\nwrapped.git\n  url = b/second.git\n'
        '[branch "origin"]\n  url = c/branch.git\n'
    )

    assert remote_name(config) == "wrapped"
    assert remote_name(config.replace('"origin"', '"other"')) == "fork"
    assert remote_name("[core]\n  bare = true\n") is None


def test_a_subfolder_has_the_name_of_its_repository(tmp_path):
    clone(tmp_path / "Tide Table")
    deep = tmp_path / "Tide Table" / "src" / "deep"
    deep.mkdir(parents=True)

    assert project_name(deep) == "tide-table"


def test_a_worktree_has_the_name_of_the_repository_it_belongs_to(tmp_path):
    main = clone(tmp_path / "tide-table")
    private = main / ".git" / "worktrees" / "fix-7"
    private.mkdir(parents=True)
    (private / "commondir").write_text("../..\n")
    worktree = tmp_path / "fix-7"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {private}\n")

    assert project_name(worktree) == "tide-table"

    (main / ".git" / "config").write_text('[remote "origin"]\nurl = https://example.org/a/tides\n')

    assert project_name(worktree) == "tides"


def test_a_submodule_has_a_name_of_its_own(tmp_path):
    main = clone(tmp_path / "tide-table", "https://example.org/acme/tide-table")
    private = main / ".git" / "modules" / "vendor" / "moon"
    private.mkdir(parents=True)
    (private / "config").write_text('[remote "origin"]\n\turl = ../moon-phase.git\n')
    submodule = main / "vendor" / "moon"
    submodule.mkdir(parents=True)
    (submodule / ".git").write_text("gitdir: ../../.git/modules/vendor/moon\n")

    assert project_name(submodule) == "moon-phase"

    (private / "config").write_text("[core]\n")

    assert project_name(submodule) == "moon"


def test_a_bare_repository_is_named_without_its_suffix(tmp_path):
    bare = tmp_path / "Tide-Table.git"
    (bare / "objects").mkdir(parents=True)
    (bare / "HEAD").write_text("ref: refs/heads/main\n")

    assert project_name(bare) == "tide-table"


def test_a_folder_without_git_is_named_by_itself_whether_or_not_it_exists(tmp_path):
    assert project_name(tmp_path / "Never  Was") == "never-was"


@pytest.mark.parametrize("path", ["C:\\Users\\ada\\Tide Table", "C:/Users/ada/Tide Table/"])
def test_a_folder_of_another_system_is_named_by_its_last_piece(tmp_path, path):
    assert project_name(type(tmp_path)(path)) == "tide-table"


def test_spellings_of_one_name_become_one():
    spellings = ["Café Séance", "cafe\u0301 se\u0301ance", "CAFÉ\tSÉANCE ", "café-séance"]

    assert {normalised_project(name) for name in spellings} == {"café-séance"}
    assert normalised_project(" .:/ ") == "unknown"
    assert len(normalised_project("x" * 500)) == 100


def test_git_files_that_cannot_be_read_leave_the_folders_name(tmp_path):
    folder = clone(tmp_path / "tide-table", "https://example.org/acme/other")
    (folder / ".git" / "config").unlink()
    (folder / ".git" / "config").mkdir()

    assert project_name(folder) == "tide-table"

    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / ".git").write_bytes(b"\xff\xfe\x00 nothing")

    assert project_name(broken) == "broken"
