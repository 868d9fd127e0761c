"""Pictures of a store: in the terminal, and as a page that needs nothing else."""

import dataclasses
import re
import stat
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from clock import FakeClock

from engram import Engram, Scope
from engram.memory.dreams.domains import KnownDomain
from engram.memory.dreams.growth import BINS, DayCount, Fading, Growth, NightCount
from engram.memory.vocabulary import RetentionMode
from engram.surfaces.cli.plotting import area, lying
from engram.surfaces.report.charts import HEIGHT, WIDTH
from engram.surfaces.report.page import page

SVG = "{http://www.w3.org/2000/svg}"
AT = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@pytest.fixture
def grown(store: Path) -> Path:
    """A store with a hundred days behind it."""
    clock = FakeClock()
    settings = {"embedder": {"kind": "hashing"}, "daemon": {"start": "never"}}
    with Engram.open(store, clock=clock, settings=settings) as engram:
        for number in range(10):
            engram.remember(f"The kiln of room {number} was swept.", category="moment")
            engram.remember(f"Shelf {number} holds glaze.", scope=Scope(project="shop"))
            clock.advance(days=10)
        engram.forget("mem-0001")
        engram.dream()
    return store


def a_growth(days: int = 30, *, label: str = "kiln room") -> Growth:
    domain = KnownDomain(
        key="d", scope="/", label=label, memory_count=12, clusters=1, depth=0.8, uncertainty=0.1,
        gaps=1, challenged=0, latest=AT, freshness=1.0, confidence=0.72, assessment="confident",
    )  # fmt: skip
    counts = tuple(
        DayCount(AT + timedelta(days=each), 3, 3 * each + 3, each, each // 2, 1)
        for each in range(days)
    )
    nights = tuple(
        NightCount(
            f"drm-{each}", AT + timedelta(days=each), {"archive": each, "merge": 1, "infer": 2}
        )
        for each in range(days)
    )
    spread = (5, *[1] * (BINS - 1))
    return Growth(
        days=counts,
        nights=nights,
        fading=Fading(RetentionMode.HUBER, 4, spread, (1, 0, 0, 0, 0, 0, 0, 0, 2, 18)),
        domains=(domain,),
        statuses={"active": 90, "archived": 29},
    )


def drawings(text: str) -> list[ElementTree.Element]:
    """The charts of a page, each parsed as XML."""
    return [ElementTree.fromstring(each) for each in re.findall(r"<svg.*?</svg>", text, re.S)]


def a_page(growth: Growth, of: str = "this store") -> str:
    return page(growth, of=of, at=AT)


class TestInATerminal:
    def test_it_draws_growth_statuses_vividness_nights_and_domains(self, run, grown) -> None:
        shown = run("stats", "--plot").out

        assert "Memories in use by day, 2026-03-01 to" in shown
        assert re.search(r"learned [ ▁▂▃▄▅▆▇█]+ +20", shown)
        assert re.search(r"active █+ 19", shown)
        assert re.search(r"archived █*[▏▎▍▌▋▊▉]? 1", shown)
        assert "How vivid they are (curve: huber;" in shown
        assert "What dreams did" in shown or "No dream has changed" in shown

    def test_the_document_has_the_numbers(self, ask, grown) -> None:
        found = ask("stats", "--plot")

        assert found["statuses"] == {"active": 19, "archived": 1}
        assert found["days"][-1]["active"] == 19
        assert found["fading"]["mode"] == "huber"

    def test_a_part_is_drawn_as_that_part_sees_it(self, ask, grown) -> None:
        shop = {"active": 19, "archived": 1}  # its own ten, and what all see
        assert ask("stats", "--plot", "--within", "project=shop")["statuses"] == shop
        assert ask("stats", "--plot", "--within", "project=mill")["statuses"] == {
            "active": 9, "archived": 1,
        }  # fmt: skip

    def test_an_empty_store_says_so(self, run) -> None:
        assert "Nothing is remembered here yet." in run("stats", "--plot").out

    def test_a_time_to_come_has_no_growth_and_no_dreams(self, run, grown) -> None:
        shown = run("stats", "--plot", "--since", "2999-01-01").out

        assert "Nothing has happened since then." in shown
        assert "No dream has changed anything since then." in shown

    @pytest.mark.parametrize(
        "words", [["stats", "recall", "--plot"], ["stats", "--html", "x.html"]]
    )
    def test_options_that_do_not_go_together_are_refused(self, run, words) -> None:
        assert run(*words).code == 2

    def test_an_area_is_as_high_as_its_highest_number(self) -> None:
        assert area([0, 1, 2, 4], height=2) == ["   █", " ▄██"]
        assert area([0, 0], height=1) == ["  "]
        assert [len(line) for line in area(range(1000), height=3)] == [60, 60, 60]

    def test_a_bar_is_never_longer_than_its_room_and_shows_the_least(self) -> None:
        assert lying(0.5, width=4) == "██"
        assert lying(1e-9, width=4) == "▏"
        assert lying(7.0, width=4) == "████"
        assert lying(0.0, width=4) == ""


class TestThePage:
    def test_the_command_writes_it_for_its_owner_alone(
        self, run, grown: Path, tmp_path: Path
    ) -> None:
        place = tmp_path / "memories.html"
        place.write_text("an older one")

        answer = run("stats", "--plot", "--html", place)

        assert answer.code == 0
        assert "Drawn: " in answer.out
        text = place.read_text(encoding="utf-8")
        assert text.startswith("<!DOCTYPE html>")
        assert "What is remembered in this store" in text
        assert len(drawings(text)) >= 3
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []

    def test_a_folder_that_is_not_there_is_told(self, run, grown, tmp_path: Path) -> None:
        answer = run("stats", "--plot", "--html", tmp_path / "none" / "x.html", "--json")

        assert answer.code == 1
        assert answer.error_code == "E4005"

    def test_a_time_without_days_or_dreams_is_told_as_such(self) -> None:
        growth = dataclasses.replace(a_growth(), days=(), nights=())

        text = a_page(growth)

        assert "Nothing has happened since then." in text
        assert "No dream has changed anything since then." in text

    def test_one_is_told_as_one(self) -> None:
        growth = a_growth(1)
        (known,) = growth.domains
        alone = dataclasses.replace(known, memory_count=1)

        text = a_page(dataclasses.replace(growth, domains=(alone,)))

        assert "1 night, " in text
        assert "1 memory<" in text

    def test_it_has_every_chart_and_each_is_named(self) -> None:
        names = [each.get("aria-label") for each in drawings(a_page(a_growth()))]

        assert names == [
            "Memories by day", "Decisions by night", "Curves of fading", "Memories by vividness",
            "Domains by confidence",
        ]  # fmt: skip

    def test_the_areas_lie_upon_each_other_and_end_at_their_sum(self) -> None:
        areas = drawings(a_page(a_growth()))[0].findall(f"{SVG}polygon")
        tops = [_points(each)[29][1] for each in areas]

        assert len(areas) == 4
        assert tops == sorted(tops, reverse=True)

    def test_the_three_curves_are_drawn_and_memories_stand_on_the_one_in_force(self) -> None:
        chart = drawings(a_page(a_growth()))[2]
        lines = {each.get("class"): _points(each) for each in chart.findall(f"{SVG}polyline")}
        dots = chart.findall(f"{SVG}circle")

        assert set(lines) == {"c1 line", "c2 line", "c3 line"}
        assert len(dots) == BINS
        on_curve = lines["c1 line"][:: 64 // (BINS - 1)]
        found = [(float(each.get("cx", "")), float(each.get("cy", ""))) for each in dots]
        assert found == on_curve

    def test_every_shape_lies_within_its_chart(self) -> None:
        for chart in drawings(a_page(a_growth(400))):
            height = float(chart.get("viewBox", "").split()[3])
            for shape in chart.iter():
                for x, y in _places(shape):
                    assert 0 <= x <= WIDTH
                    assert 0 <= y <= height

    def test_one_day_is_seen_too(self) -> None:
        areas = drawings(a_page(a_growth(1)))[0].findall(f"{SVG}polygon")

        assert {x for x, _ in _points(areas[0])} == {56.0, WIDTH - 16}

    def test_what_stands_in_a_name_stays_text(self) -> None:
        hostile = "<script>alert(1)</script> & \"quotes\" 'too'"

        text = a_page(a_growth(label=hostile), of=hostile)

        assert "<script" not in text
        assert hostile in "".join(_Texts(text).told)

    def test_it_fetches_nothing_and_forbids_fetching(self) -> None:
        text = a_page(a_growth())

        assert "default-src 'none'" in text
        assert set(re.findall(r"https?://[^\s\"<]+", text)) == {"http://www.w3.org/2000/svg"}
        assert not re.search(r"\b(?:src|href|url|@import)\b\s*[=(]", text)
        assert "prefers-color-scheme: dark" in text

    def test_without_anything_it_says_what_is_missing(self) -> None:
        nothing = Growth((), (), Fading(RetentionMode.L2, 0, (0,) * BINS, (0,) * 10), (), {})

        text = a_page(nothing)

        assert "Nothing is remembered here yet." in text
        assert "none has done so yet" in text
        assert [each.get("aria-label") for each in drawings(text)] == [
            "Curves of fading", "Memories by vividness",
        ]  # fmt: skip

    def test_the_same_numbers_make_the_same_page(self) -> None:
        assert a_page(a_growth()) == a_page(a_growth())

    def test_nothing_of_another_scope_is_on_it(self, run, grown: Path, tmp_path: Path) -> None:
        place = tmp_path / "shop.html"

        run("stats", "--plot", "--html", place, "--scope", "project=elsewhere")

        assert "helf" not in place.read_text(encoding="utf-8")


class _Texts(HTMLParser):
    """The texts of a page as a reader sees them."""

    def __init__(self, page_text: str) -> None:
        super().__init__()
        self.told: list[str] = []
        self.feed(page_text)

    def handle_data(self, data: str) -> None:
        self.told.append(data)


def _points(shape: ElementTree.Element) -> list[tuple[float, float]]:
    pairs = (each.split(",") for each in shape.get("points", "").split())
    return [(float(x), float(y)) for x, y in pairs]


def _places(shape: ElementTree.Element) -> list[tuple[float, float]]:
    if shape.get("points"):
        return _points(shape)
    if shape.get("width") and shape.tag == f"{SVG}rect":
        x, y, wide, high = (float(shape.get(each, "0")) for each in ("x", "y", "width", "height"))
        return [(x, y), (x + wide, y + high)]
    if shape.get("cx"):
        return [(float(shape.get("cx", "0")), float(shape.get("cy", "0")))]
    return [(float(shape.get("x", "0")), float(shape.get("y", "0")))]


def test_a_page_is_as_high_as_its_parts_need() -> None:
    assert drawings(a_page(a_growth()))[0].get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
