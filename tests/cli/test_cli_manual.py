"""The manual: every command has a page that tells the truth, in the terminal and for man."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from command_line import invoke

from engram.surfaces.cli import app
from engram.surfaces.cli.command import commands
from engram.surfaces.cli.manual import entries

GROUP = typer.main.get_command(app)
NAMES = [name for name, _, _ in commands()]
PAGES = Path(__file__).parent / "pages"
PUBLISHED = sorted(PAGES.glob("*.txt"))
SHOWN = sorted(set(NAMES) - {"hook"})  # run by harnesses, not by people


def _page(name: str, **environment: str) -> str:
    found = invoke([name, "--help"], env={"COLUMNS": "80", **environment})
    assert found.exit_code == 0
    return found.stdout


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_a_page_in_the_manual(name):
    assert entries()[name].paragraphs


@pytest.mark.parametrize("name", SHOWN)
def test_every_page_has_examples_and_names_commands_that_are_there(name):
    entry = entries()[name]

    assert len(entry.examples) >= 2
    assert entry.related
    assert set(entry.related) <= set(NAMES)


@pytest.mark.parametrize(
    "example",
    [example for name in SHOWN for example in entries()[name].examples],
)
def test_every_example_can_be_typed(example):
    program, name, *words = shlex.split(example)
    command = GROUP.commands[name]

    context = command.make_context(name, words)

    assert program == "engram"
    assert context.params


def test_no_page_is_of_a_command_that_is_gone():
    assert set(entries()) == {"engram", *NAMES}


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_fits_eighty_columns_apart_from_examples(name):
    lines = [line for line in _page(name).splitlines() if "$ engram" not in line]

    assert max(map(len, lines)) <= 80


def test_a_page_tells_usage_options_examples_exits_environment_and_what_is_related():
    page = _page("recall")

    assert page.startswith("Usage: engram recall [OPTIONS] QUERY\n")
    for told in (
        "  -n, --limit LIMIT ", "Only memories", "--pinned / --not-pinned", "--since TIME",
        "  $ engram recall ", "  1  It was refused or failed", "  ENGRAM_STORE  ",
        "engram why", "Every command",
    ):  # fmt: skip
        assert told in page


def test_options_that_are_hidden_stay_so():
    assert "--worker " not in _page("serve")


def test_another_word_for_a_command_shows_its_page_and_is_not_listed():
    assert "is another word for it" in " ".join(_page("search").split())
    assert "search" not in NAMES


def test_help_shows_the_same_page_as_the_option(run):
    asked, opted = (
        invoke(words, env={"COLUMNS": "80"}).stdout
        for words in (["help", "forget"], ["forget", "--help"])
    )

    assert asked == opted
    assert run("help", "nonsense").code == 2


def test_help_alone_is_the_overview_and_can_be_a_document(ask):
    assert ask("help")["text"].startswith("Usage: engram COMMAND")


def test_the_man_page_is_clean_roff_with_every_command():
    page = invoke(["help", "--man"]).stdout

    assert page.startswith(".TH ENGRAM 1 ")
    requests = {line.split()[0] for line in page.splitlines() if line.startswith(".")}
    assert requests <= {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".nf", ".fi"}
    assert [line for line in page.splitlines() if line.startswith("'")] == []
    assert page.isascii()
    for name in NAMES:
        written = name.replace("-", r"\-")
        assert f'.SS "engram {written} ' in page
    # Every backslash begins one of the few escapes that are meant.
    assert re.findall(r"\\(?![-e&]|f[BIR]|\[u[0-9A-F]{4,5}\])", page) == []


@pytest.mark.parametrize("name", [path.stem for path in PUBLISHED])
def test_the_pages_of_the_main_commands_are_as_published(name):
    """Change both on purpose: COLUMNS=80 engram NAME --help > tests/cli/pages/NAME.txt."""
    assert _page(name) == (PAGES / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [["--help"], ["recall", "--help"], []])
def test_a_help_waits_for_nothing_heavy(words):
    """What makes it slow is what it imports: the time itself depends on the machine."""
    program = (
        "import sys; from engram.surfaces.cli import main\n"
        f"sys.argv = ['engram', *{words!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = 'rich pydantic numpy apsw mcp starlette uvicorn anyio onnxruntime cryptography'\n"
        "found = sorted(set(heavy.split()) & set(sys.modules))\n"
        "engine = [name for name in sys.modules if name.startswith('engram.engine')]\n"
        "print(found + engine, file=sys.stderr)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stderr == "[]\n"
    assert done.stdout.startswith("Usage: engram")


def test_there_are_published_pages():
    assert len(PUBLISHED) >= 21
