"""A repository becomes texts, and a later scan tells what is the same, different and gone."""

import os

import pytest

from engram.capture.codebase import tree
from engram.capture.codebase.outline import (
    MOST_BYTES,
    Gone,
    Outlined,
    Unchanged,
    outline_repository,
)
from engram.capture.codebase.tree import FoundFile, Unread, walk
from engram.errors import InvalidInput


def plant(root, files):
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def found(root):
    return [each.path for each in walk(root) if isinstance(each, FoundFile)]


def scan(root, known=None):
    return list(outline_repository(root, known=known or {}))


def digests(items):
    return {each.key: each.digest for each in items if isinstance(each, Outlined | Unchanged)}


@pytest.fixture
def repository(tmp_path):
    return plant(
        tmp_path / "tides",
        {
            ".git/config": "[core]\n",
            "pyproject.toml": '[project]\nname = "tides"\n[tool.poe.tasks]\nlint = "ruff"\n',
            "src/tides/gauge.py": '"""Reads the sea."""\ndef level(at: int) -> float: ...\n',
            "src/tides/__init__.py": "",
            "run.py": 'def go(): ...\nif __name__ == "__main__":\n    go()\n',
            "README.md": "# Tides\n",
            "sea.bin": b"\x00\x01",
        },
    )


def test_a_repository_becomes_texts_that_stand_alone(repository):
    items = scan(repository)

    assert {each.key: each.text for each in items if isinstance(each, Outlined)} == {
        "entry_points:pyproject.toml": "Entry points by pyproject.toml:\nPython package tides",
        "commands:pyproject.toml": "Commands by pyproject.toml:\npoe lint: ruff",
        "module:run.py": "run.py (Python, 4 lines).\ndef go()",
        "module:src/tides/gauge.py": (
            "src/tides/gauge.py (Python, 3 lines): Reads the sea.\ndef level(at: int) -> float"
        ),
        "entry_points:./": "Files of the project tides that can be started:\nrun.py (Python)",
        "tree:./": (
            "Files of the project tides: 5 in all.\n"
            "./ README.md, pyproject.toml, run.py\n"
            "src/tides/ __init__.py, gauge.py"
        ),
    }
    assert items == scan(repository)
    (gauge,) = [each for each in items if getattr(each, "path", "") == "src/tides/gauge.py"]
    assert gauge.symbols == ("level",)


def test_a_second_scan_finds_nothing_to_do(repository):
    first = digests(scan(repository))

    again = scan(repository, first)

    assert all(isinstance(each, Unchanged) for each in again)
    assert digests(again) == first


def test_a_change_is_seen_alone_and_what_went_is_gone(repository):
    known = digests(scan(repository))
    plant(repository, {"src/tides/gauge.py": "def depth(): ...\n"})
    (repository / "run.py").unlink()

    items = scan(repository, known)

    changed = {each.key for each in items if isinstance(each, Outlined)}
    gone = [each.key for each in items if isinstance(each, Gone)]
    assert changed == {"module:src/tides/gauge.py", "tree:./"}
    assert gone == ["entry_points:./", "module:run.py"]


def test_progress_is_told_file_by_file(repository):
    told = []

    list(outline_repository(repository, known={}, progress=lambda *step: told.append(step)))

    assert told == [(done, 6) for done in range(1, 7)]


def test_ignore_files_of_every_kind_and_place_are_heard(tmp_path):
    root = plant(
        tmp_path / "r",
        {
            ".git/info/exclude": "excluded.py\n",
            ".gitignore": "*.log\n/build/\nkept/*\n!kept/this.py\n",
            ".engramignore": "secret/\n!wanted.log\n",
            "excluded.py": "",
            "a.log": "",
            "wanted.log": "",
            "build/a.py": "",
            "sub/build/a.py": "",
            "kept/this.py": "",
            "kept/that.py": "",
            "secret/a.py": "",
            "sub/.gitignore": "/own.py\n!b.log\n",
            "sub/own.py": "",
            "sub/b.log": "",
            "sub/deep/own.py": "",
        },
    )

    names = [path for path in found(root) if "ignore" not in path]

    assert names == [
        "wanted.log", "kept/this.py", "sub/b.log", "sub/build/a.py", "sub/deep/own.py",
    ]  # fmt: skip
    assert "own.py" not in found(root / "sub")
    assert found(root / "sub" / "deep") == ["own.py"]


def test_rules_above_the_scanned_folder_hold_in_it(tmp_path):
    root = plant(
        tmp_path / "r",
        {".git/HEAD": "", ".gitignore": "/sub/x.py\n*.log\n", "sub/x.py": "", "sub/y.py": "",
         "sub/z.log": "", "x.py": ""},
    )  # fmt: skip

    assert found(root / "sub") == ["y.py"]


def test_what_tools_put_there_is_never_scanned(tmp_path):
    root = plant(
        tmp_path,
        {
            ".engramignore": "!node_modules/\n!.git/\n",
            "node_modules/x/index.js": "",
            ".git/hooks/a.py": "",
            ".venv/lib/a.py": "",
            "myenv/pyvenv.cfg": "",
            "myenv/lib/a.py": "",
            "large.py": "#" * 1_000_001,
            "a.py": "",
        },
    )

    assert found(root) == [".engramignore", "a.py"]


def test_links_are_not_followed(tmp_path):
    outside = plant(tmp_path / "outside", {"secret.py": "KEY = 1\n"})
    root = plant(tmp_path / "root", {"a.py": "A = 1\n"})
    (root / "leaving").symlink_to(outside)
    (root / "leaving.py").symlink_to(outside / "secret.py")
    (root / "loop").symlink_to(root)
    (root / "itself").symlink_to(root / "itself")
    os.mkfifo(root / "pipe.py")

    assert found(root) == ["a.py"]


def test_strange_names_are_told_apart_and_can_be_kept(tmp_path):
    for name in (b"a\nb.py", b"a b.py", b"\xff.py", b"\xfe.py", "ü – 猫.py".encode(), b"-rf *.py"):
        (tmp_path / os.fsdecode(name)).write_text("def f(): ...\n")

    paths = found(tmp_path)

    assert len(set(paths)) == 6
    assert {"ü – 猫.py", "-rf *.py", "a b.py"} < set(paths)
    for each in scan(tmp_path):
        assert each.text.encode()
        assert "\n" not in each.key


def test_what_cannot_be_read_is_named_and_never_gone(repository, monkeypatch):
    known = digests(scan(repository))
    real = os.scandir

    def refused(path):
        if str(path).endswith("src"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(tree.os, "scandir", refused)
    plant(repository, {"pyproject.toml": "[project"})
    items = scan(repository, known)

    assert [each for each in items if isinstance(each, Unread)] == [
        Unread("pyproject.toml", "malformed"),
        Unread("src/", "Permission denied"),
    ]
    assert not [each for each in items if isinstance(each, Gone)]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(repository):
    known = digests(scan(repository))
    (repository / "run.py").chmod(0)

    items = scan(repository, known)

    assert Unread("run.py", "Permission denied") in items
    assert Gone("module:run.py") not in items


def test_a_folder_that_is_not_there_is_refused_and_nothing_is_gone(tmp_path):
    with pytest.raises(InvalidInput):
        scan(tmp_path / "missing", {"module:a.py": "0"})
    plant(tmp_path, {"file": ""})
    with pytest.raises(InvalidInput):
        scan(tmp_path / "file", {"module:a.py": "0"})


def test_too_many_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tree, "MOST_FILES", 3)
    plant(tmp_path, {f"{number}.py": "" for number in range(4)})

    with pytest.raises(InvalidInput):
        scan(tmp_path)


def test_large_trees_are_told_in_texts_that_fit(tmp_path):
    files = {f"big/part{n:03}/file_{m:02}_{'x' * 30}.txt": "" for n in range(5) for m in range(60)}
    files |= {f"many/d{n:04}/a.txt": "" for n in range(700)}
    files |= {f"flat/{'y' * 40}{n:04}.json": "" for n in range(300)}
    files |= {"small/a.txt": ""}
    plant(tmp_path, files)

    texts = {each.path: each.text for each in scan(tmp_path)}

    large = {"big/part002/", "big/part003/", "big/part004/"}
    assert set(texts) == {"./", "big/", "many/", "flat/"} | large
    assert all(len(text.encode()) <= MOST_BYTES for text in texts.values())
    assert "small/ a.txt" in texts["./"]
    assert "flat/ (300 files)" in texts["./"]
    assert "300 .json" in texts["flat/"]
    assert "700 folders" in texts["many/"]
    whole = "\n".join(texts.values())
    assert all(f"file_{m:02}_" in whole for m in range(60))
