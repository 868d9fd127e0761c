"""Whatever a memory, a tag, a scope or an id says, it is text on every page that is made of it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest

from engram import Engram, Scope
from engram.errors import InvalidInput
from engram.surfaces.report.page import page

CORPUS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "'><iframe src=javascript:alert(1)>",
    "</style><script>alert(1)</script>",
    "</title><body onload=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<!--<script>-->alert(1)",
    "<![CDATA[<script>alert(1)</script>]]>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    "{{constructor.constructor('alert(1)')()}}",
    "<style>@import'http://evil.example'</style>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "\u2028<script>alert(1)</script>",
    "<scr\x00ipt>alert(1)</scr\x00ipt>",
]  # fmt: skip
# All that the page is made of; none of it runs or fetches anything.
TAGS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "svg", "g", "text", "rect",
    "line", "path", "polygon", "polyline", "circle",
}  # fmt: skip
_FETCHES = ("href", "src", "action", "data", "xlink:href", "style", "srcdoc", "formaction")


class _Reader(HTMLParser):
    """Reads a page as a browser would, and notes what would run."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.found.append(tag)
        for name, value in attrs:
            is_sound = not name.startswith("on") and name not in _FETCHES
            if not is_sound or "javascript:" in (value or "") or value == "refresh":
                self.found.append(f"{tag} {name}")

    def handle_comment(self, data: str) -> None:
        self.found.append(f"comment {data}")

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.failure("F62")
@pytest.mark.parametrize("hostile", CORPUS)
def test_a_page_shows_hostile_words_and_runs_none(tmp_path, clock, hostile):
    with Engram.open(tmp_path / "s", clock=clock) as engram:
        for number in range(6):
            engram.remember(f"The harbour of Porto has pier {number}.", subject="Porto")
        engram.dream(steps=["topics", "map"])
        growth = engram.growth()
    assert growth.domains
    worst = replace(
        growth,
        domains=tuple(replace(each, label=hostile, assessment=hostile) for each in growth.domains),
        statuses={hostile: 1},
    )

    made = page(worst, of=hostile, at=datetime(2026, 11, 16, tzinfo=UTC))

    reader = _Reader()
    reader.feed(made)
    reader.close()
    assert reader.found == []
    assert "alert" in reader.text or "evil" in reader.text  # it is shown, as text
    assert "default-src 'none'" in made


def refused_by(act: Callable[[], object]) -> tuple[object, str]:
    """What an act gave, or what its refusal said."""
    try:
        return act(), ""
    except InvalidInput as error:
        return None, str(error)


@pytest.mark.failure("F62")
@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_words_come_back_as_they_were_or_are_refused(tmp_path, clock, hostile):
    named = dict.fromkeys(("subject", "speaker", "session", "reference"), hostile)
    with Engram.open(tmp_path / "s", clock=clock) as engram:
        outcome, refusal = refused_by(
            lambda: engram.remember(f"A fact: {hostile}", metadata={"tag": hostile}, **named)
        )
        found = engram.get(outcome.memory.id) if outcome else None

    assert hostile not in refusal
    if found is not None:
        assert found.content == f"A fact: {hostile}"
        assert (found.subject, found.metadata["tag"]) == (hostile, hostile)


@pytest.mark.failure("F62")
@pytest.mark.parametrize("hostile", CORPUS)
def test_a_scope_is_refused_without_its_words_or_stays_on_its_line(hostile):
    path, refusal = refused_by(lambda: Scope(hostile).path)

    assert hostile not in refusal
    assert "\n" not in str(path)
