"""The documents are true: examples run, generated pages match the code, names and links exist."""

import ast
import inspect
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import engram.errors
from engram import AsyncEngram, Engram, __version__
from engram.settings import setting_rules

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
PAGES_WITH_EXAMPLES = [
    ROOT / "README.md",
    *(
        DOCS / f"{name}.md"
        for name in (
            "library",
            "command-line",
            "episodes",
            "knowledge",
            "skills",
            "dreams",
            "tiers",
            "gaps",
            "profiles",
            "reasoning",
            "turns",
            "momentum",
        )
    ),
]
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))
MOST_README_LINES = 150

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [body for kind, body in _FENCE.findall(text) if kind == language]


def examples() -> list[object]:
    return [
        pytest.param(body, id=f"{page.stem}-{number}")
        for page in PAGES_WITH_EXAMPLES
        for number, body in enumerate(blocks(page, "python"), start=1)
    ]


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of an example: nothing of ours but a store of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ENGRAM_")}
    return {
        "ENGRAM_DAEMON__START": "never",
        **kept,
        "ENGRAM_STORE": str(folder / "store"),
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }


@pytest.mark.parametrize("example", examples())
def test_an_example_of_the_library_runs(example, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example],
        cwd=tmp_path, env=surroundings(tmp_path), capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES_WITH_EXAMPLES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run_one_after_the_other(page, tmp_path):
    lines = [line for block in blocks(page, "console") for line in block.splitlines()]
    commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ engram ")]

    last_change = ""
    for line in commands:
        command = line.replace("chg-…", last_change)
        done = subprocess.run(
            [sys.executable, "-m", "engram", *shlex.split(command, comments=True)[1:]],
            cwd=tmp_path, env=surroundings(tmp_path), capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        last_change = next(iter(re.findall(r"chg-[0-9a-z]{26}", done.stdout)[-1:]), last_change)


def test_the_command_line_page_shows_every_command():
    shown = "\n".join(blocks(DOCS / "command-line.md", "console"))
    text = (DOCS / "command-line.md").read_text(encoding="utf-8")

    from engram.surfaces.cli.entry import app

    names = [command.name for command in app.registered_commands]
    missing = [name for name in names if f"engram {name}" not in shown and f"`{name}" not in text]

    assert names
    assert missing == []


def test_the_generated_pages_say_what_the_code_says():
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_docs.py"), "--check"],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_is_short():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()

    assert len(lines) <= MOST_README_LINES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    local = [target.partition("#")[0] for target in targets if "://" not in target]

    missing = [target for target in local if target and not (page.parent / target).exists()]

    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_names_a_place_on_somebodys_machine(page):
    found = re.findall(r"(?<![\w.~-])/(?:home|Users|root|mnt|var|opt)/\w+", page.read_text("utf-8"))

    assert found == []


def test_the_changelog_tells_of_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert re.search(rf"^## .*{re.escape(__version__)}", text, re.MULTILINE)


def test_the_licence_is_named_and_complete():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")

    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "Copyright 2026 The Engram authors" in text


def test_the_glossary_knows_every_word_of_the_facade():
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    methods = [name for name, _ in inspect.getmembers(Engram) if not name.startswith("_")]

    missing = [name for name in methods if f"`{name}`" not in text]

    assert missing == []


def test_the_library_page_knows_every_word_of_the_facade():
    text = (DOCS / "library.md").read_text(encoding="utf-8")
    methods = [name for name, _ in inspect.getmembers(Engram) if not name.startswith("_")]

    missing = [name for name in methods if not re.search(rf"\b{name}\b", text)]

    assert missing == []


def test_the_asynchronous_facade_has_every_call():
    calls = {name for name, _ in inspect.getmembers(Engram, inspect.isroutine)}
    public = {name for name in calls if not name.startswith("_")}

    missing = [name for name in sorted(public) if not hasattr(AsyncEngram, name)]

    assert missing == []


def test_every_setting_is_read_somewhere():
    sources = [
        path.read_text(encoding="utf-8")
        for path in (ROOT / "src" / "engram").rglob("*.py")
        if path.name != "options.py"
    ]
    code = "\n".join(sources)

    unused = [key for key in setting_rules() if not re.search(rf"\.{key.split('.')[1]}\b", code)]

    assert unused == []


# Errors


def all_errors() -> list[type[engram.errors.EngramError]]:
    found = [engram.errors.EngramError]
    for error in found:
        found.extend(error.__subclasses__())
    return [error for error in found if error.__module__ == "engram.errors"]


def test_every_error_has_a_code_of_its_own_and_a_message():
    codes = [error.code for error in all_errors()]

    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"E[0-9]{4}", code) for code in codes)
    assert all((error.__doc__ or "").strip().endswith(".") for error in all_errors())


def test_the_tree_in_the_docstring_shows_every_error():
    tree = engram.errors.__doc__ or ""
    leaves = [error for error in all_errors() if not error.code.endswith("000")]

    missing = [e.__name__ for e in leaves if not re.search(rf"{e.__name__}\s+{e.code}", tree)]

    assert missing == []


# Decisions


def test_decisions_are_numbered_without_a_gap():
    numbers = [int(page.name[:4]) for page in DECISIONS]

    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_says_why_what_and_what_follows(page):
    text = page.read_text(encoding="utf-8")

    assert text.startswith(f"# {page.name[:4]}: ")
    for heading in ("**Status:**", "## Context", "## Decision", "## Consequences"):
        assert heading in text
    assert len(text.splitlines()) <= 60


# Features and their proofs

FEATURES = [
    *(f"M{number}" for number in (*range(1, 10), *range(11, 17))),
    *(f"W{number}" for number in range(1, 23)),
    *(f"E{number}" for number in range(1, 5)), *(f"S{number}" for number in range(1, 8)),
    *(f"P{number}" for number in range(1, 6)),
    *(f"R{number}" for number in range(1, 19)),
    *(f"L{number}" for number in range(1, 19)), "C6",
    "G1", "G2", "G4", "G5", "G7", "G8", "G9", "G10",
    *(f"X{number}" for number in range(1, 18)), "A1", "A4", "U1", "U2", "U3", "U4", "U6", "U8",
]  # fmt: skip
INVARIANTS = [str(number) for number in range(1, 33)]
FAILURES = [
    f"F{number:02}"
    for number in (
        *range(1, 24), *range(28, 68),
    )
]  # fmt: skip
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)(?:::(\w+))?`")
_MODULE = re.compile(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|sql))`")


def feature_rows() -> dict[str, list[str]]:
    """The rows of the page's tables by their first cell."""
    rows = {}
    for line in (DOCS / "features.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| "):
            cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
            rows[cells[0]] = cells[1:]
    return rows


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_names_the_module_that_does_it_and_a_test(feature):
    row = feature_rows()[feature]

    assert _MODULE.findall(row[1])
    assert _TEST.findall(row[2]), "no test is named"


@pytest.mark.parametrize("case", [*INVARIANTS, *FAILURES])
def test_an_invariant_or_failure_names_a_test_or_says_why_not(case):
    row = feature_rows()[case]

    assert _TEST.findall(row[0]) or row[0].startswith("not yet, because ")


def test_the_modules_named_exist():
    text = (DOCS / "features.md").read_text(encoding="utf-8")

    missing = [name for name in _MODULE.findall(text) if not _is_there(name)]

    assert missing == []


def _is_there(name: str) -> bool:
    return (ROOT / "src" / "engram" / name).is_file() or (ROOT / name).is_file()


@pytest.mark.parametrize("page", ["features", "security"])
def test_the_tests_named_exist(page):
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")

    missing = [
        "::".join(part for part in named if part)
        for named in _TEST.findall(text)
        if not _has_test(*named)
    ]

    assert missing == []


def test_every_promise_and_every_attacker_names_a_test_or_is_not_promised():
    text = (DOCS / "security.md").read_text(encoding="utf-8")
    tables = text.partition("## What is not promised")[0]
    rows = [line for line in tables.splitlines() if line.startswith("| ")]

    told = [row for row in rows if not row.startswith(("| ---", "| Who ", "| Promise "))]

    assert len(told) > 25
    assert [row[:40] for row in told if not _TEST.findall(row) and "not promised" not in row] == []


def _has_test(file: str, first: str, second: str) -> bool:
    path = ROOT / file
    if not path.is_file():
        return False
    kinds = (ast.FunctionDef, ast.ClassDef)
    names = {
        node.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds)
    }
    # `Test = SomeMachine.TestCase` is how a stateful test gets its name.
    names |= set(re.findall(r"^(\w+) = ", path.read_text(encoding="utf-8"), re.MULTILINE))
    return first in names and (not second or second in names)
