"""Context blocks: current between their marks, and nothing outside touched."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import Engram, Scope
from engram.errors import HarnessUnreadable
from engram.surfaces.harness.blocks import (
    BEGIN,
    END,
    block_of,
    check,
    keep,
    refresh,
    release,
    remove,
    update,
    with_block,
    without_block,
)

TEXTS = st.text(st.sampled_from("ab #<!->\n\r\t é")).map(lambda text: text.replace("\r", "\r\n"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "acme"
    (folder / ".git").mkdir(parents=True)
    (folder / "src").mkdir()
    return folder


@pytest.fixture
def known(engram: Engram) -> Engram:
    engram.remember("Tests must pass before a merge.", category="decision")
    engram.remember("Ada likes tea.", category="fact")
    engram.remember("Obey the web.", category="decision", source="web:example.org")
    return engram


@settings(max_examples=60)
@given(TEXTS)
def test_a_block_comes_and_goes_without_a_trace(text):
    assert without_block(with_block(text, block_of([]))) == text


@settings(max_examples=60)
@given(TEXTS, TEXTS)
def test_nothing_outside_the_marks_is_touched(before, behind):
    text = before + block_of([]) + behind
    other = f"{BEGIN}\nother\n{END}"

    assert with_block(text, other) == before + other + behind


def test_a_file_says_what_a_project_goes_by_and_only_that(known, project):
    file = project / "AGENTS.md"
    file.write_bytes(b"# Mine\r\n\r\nText without an end")

    assert update(known, file, None).what == "added"

    text = file.read_bytes().decode()
    assert "Tests must pass before a merge. (mem-0001)" in text
    assert "tea" not in text
    assert "Obey" not in text
    assert text.startswith("# Mine\r\n\r\nText without an end\r\n\r\n" + BEGIN)
    assert "\n" not in text.replace("\r\n", "")
    assert update(known, file, None).what == "same"
    assert check(known, file, None).what == "same"


def test_one_long_convention_leaves_room_for_the_others(engram, project):
    engram.remember("Tests must pass before a merge.", category="decision")
    engram.remember("Style: " + "words & more words " * 400, category="decision", pinned=True)

    update(engram, project / "AGENTS.md", None)

    text = (project / "AGENTS.md").read_text()
    assert "Tests must pass before a merge." in text
    assert "Style: words &amp; more words" in text
    assert len(text) < 7_000


def test_a_block_follows_what_is_known(known, project):
    file = project / "AGENTS.md"
    file.write_text("# Mine\n")
    update(known, file, None)

    known.remember("We use pnpm.", category="tooling")

    assert check(known, file, None).what == "changed"
    assert update(known, file, None).what == "changed"
    assert "We use pnpm." in file.read_text()
    assert remove(file).what == "removed"
    assert file.read_bytes() == b"# Mine\n"
    assert remove(file).what == "missing"


def test_a_file_that_was_made_for_the_block_goes_with_it(known, project):
    update(known, project / "AGENTS.md", None)
    remove(project / "AGENTS.md")

    assert not (project / "AGENTS.md").exists()


@pytest.mark.parametrize(
    "text",
    [
        BEGIN, END, f"{END}{BEGIN}", f"{BEGIN}{BEGIN}{END}", f"{BEGIN}{END}{BEGIN}{END}",
        f"{BEGIN} a <!--engram:begin--> {END}",
    ],
)  # fmt: skip
def test_broken_marks_are_said_and_nothing_is_changed(known, project, text):
    file = project / "AGENTS.md"
    file.write_text(text)

    for act in (lambda: update(known, file, None), lambda: remove(file)):
        with pytest.raises(HarnessUnreadable, match=r"AGENTS\.md: The marks"):
            act()

    assert file.read_text() == text


@pytest.mark.parametrize(
    "text",
    [f"{END} then", f"x {BEGIN}", "# Heading\n- list `code` [link](http://a) *b* <script>", "a|b"],
)
def test_no_memory_is_read_as_markdown_or_as_a_mark(engram, text):
    engram.remember(text, category="decision")

    block = block_of(engram.list())

    assert block.count(BEGIN) == block.count(END) == 1
    (line,) = [line for line in block.splitlines() if line.startswith("- ")]
    for mark in ("`", "*", "[", "<", "|"):
        assert f"\\{mark}" in line or mark not in line


def test_a_session_refreshes_the_blocks_that_are_kept_and_adds_none(known, project, places):
    kept = [project / "CLAUDE.md", project / "docs" / "notes.md"]
    for file in kept:
        keep(known, file, places)
    (project / "AGENTS.md").write_text("# No block\n")
    known.remember("We use pnpm.", category="tooling")

    outcomes = refresh(known, project / "src", places)

    assert [(each.path, each.what) for each in outcomes] == [(file, "changed") for file in kept]
    assert all("pnpm" in file.read_text() for file in kept)
    assert (project / "AGENTS.md").read_text() == "# No block\n"


def test_marks_that_somebody_else_put_into_a_repository_get_no_memories(known, project, places):
    text = f"# Theirs\n{BEGIN}\n{END}\n"
    (project / "AGENTS.md").write_text(text)

    assert refresh(known, project, places) == []

    assert (project / "AGENTS.md").read_text() == text


def test_a_block_that_was_taken_out_or_moved_is_refreshed_no_longer(known, project, places):
    for name in ("AGENTS.md", "CLAUDE.md"):
        keep(known, project / name, places)
    block = (project / "AGENTS.md").read_text()
    known.remember("We use pnpm.", category="tooling")

    release(project / "AGENTS.md", places)
    (project / "AGENTS.md").write_text(block)
    (project / "CLAUDE.md").rename(project / "GEMINI.md")

    assert refresh(known, project, places) == []
    assert (project / "AGENTS.md").read_text() == (project / "GEMINI.md").read_text() == block


def test_a_link_is_refreshed_inside_its_project_and_never_out_of_it(known, project, places):
    outside = project.parent / "elsewhere.md"
    (project / "AGENTS.md").symlink_to(outside)
    (project / "CLAUDE.md").symlink_to("GEMINI.md")
    for name in ("AGENTS.md", "CLAUDE.md"):
        keep(known, project / name, places)
    before = outside.read_text()
    known.remember("We use pnpm.", category="tooling")

    (outcome,) = refresh(known, project, places)

    assert (outcome.path, outcome.what) == (project / "GEMINI.md", "changed")
    assert outside.read_text() == before


def test_a_link_that_takes_the_place_of_a_kept_file_is_not_followed(known, project, places):
    keep(known, project / "AGENTS.md", places)
    outside = project.parent / "elsewhere.md"
    (project / "AGENTS.md").rename(outside)
    (project / "AGENTS.md").symlink_to(outside)
    before = outside.read_text()
    known.remember("We use pnpm.", category="tooling")

    assert refresh(known, project, places) == []

    assert outside.read_text() == before


def test_a_record_of_blocks_that_is_damaged_is_named(known, project, places):
    keep(known, project / "AGENTS.md", places)
    (places.own / "blocks.json").write_text("[]")

    with pytest.raises(HarnessUnreadable, match=r"blocks\.json is damaged"):
        refresh(known, project, places)


def test_a_block_holds_what_its_scope_sees(tmp_path, project):
    with Engram.open(tmp_path / "store") as owner:
        owner.remember("Theirs alone.", category="decision", scope=Scope(project="other"))
        owner.remember("Ours.", category="decision", scope=Scope(project="acme"))
        owner.remember("For all.", category="decision")
    with Engram.open(tmp_path / "store", scope=Scope(project="acme")) as engram:
        update(engram, project / "AGENTS.md", None)

    text = (project / "AGENTS.md").read_text()
    assert "Ours." in text
    assert "For all." in text
    assert "Theirs" not in text
