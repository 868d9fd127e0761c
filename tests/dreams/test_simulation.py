"""Days that are lived through: what matters is still known, and what was measured left no trace."""

from dataclasses import replace

import pytest

from benchmarks.ninety_days.__main__ import main
from benchmarks.ninety_days.bars import bars
from benchmarks.ninety_days.figures import StaleFigures
from benchmarks.ninety_days.generator import Generator
from benchmarks.ninety_days.merging import Merges, dreamt
from benchmarks.ninety_days.near_misses import near_misses
from benchmarks.ninety_days.run import Lived, live, world
from engram import Engram

_HASHING = {"embedder": {"kind": "hashing"}}
_DAYS, _TURNS, _FACTS = 6, 15, 12


@pytest.fixture(scope="module")
def short(tmp_path_factory) -> tuple[Lived, list[str]]:
    """A few short days with dreams, and the memories that were used in them."""
    generator = Generator(_DAYS, _TURNS, facts=_FACTS)
    path = tmp_path_factory.mktemp("days") / "store"
    with world(path, _HASHING) as there:
        lived = live(generator, there, dreams=True)
        there.engram.settle()
        used = [
            memory.label
            for memory in there.onlooker.list(limit=1_000, status="any")
            if memory.usage.accesses
        ]
    return lived, used


def test_planted_facts_are_found_after_short_days_of_dreams(short):
    lived, _ = short

    assert lived.days[-1].asked == _FACTS
    assert lived.days[-1].found == _FACTS


def test_what_is_asked_during_the_day_counts_as_used(short):
    _, used = short

    assert used


def test_every_night_has_its_dream(short):
    lived, _ = short

    assert len(lived.days) == _DAYS
    assert all(each.dream_seconds > 0 for each in lived.days)


def test_figures_add_up(short):
    lived, _ = short

    for each in lived.days:
        parts = each.active + each.archived + each.merged + each.superseded + each.stale
        assert each.turns <= each.active <= each.stored
        assert parts <= each.stored
        assert each.kilobytes > 0


def test_who_measures_leaves_no_trace(tmp_path):
    generator = Generator(1, _TURNS, facts=3)

    with world(tmp_path / "store", _HASHING) as there:
        live(generator, there, dreams=False)
        there.engram.settle()
        memories = there.onlooker.list(limit=1_000, status="any")

    assert memories
    assert [memory for memory in memories if memory.usage.accesses] == []


def test_a_dream_keeps_near_misses_apart_and_merges_what_is_the_same(tmp_path):
    merges = dreamt(near_misses(60), tmp_path / "pairs", _HASHING)

    assert merges.wrong == 0
    assert merges.merged > 0


def test_the_bars_fail_when_something_is_wrong(short):
    lived, _ = short
    days = [replace(each, found=0) for each in lived.days]
    stale = StaleFigures(4, 3, ("Where?",), ("Where?",))
    pair = near_misses(1)[0]
    bad = Lived(days, stale)

    failing = {bar.name for bar in bars(bad, Merges(1, (pair,), (), (), 0)) if not bar.holds}

    assert len(failing) >= 6


def test_the_command_shows_and_writes_what_it_found(tmp_path, capsys):
    figures = tmp_path / "days.json"
    code = main([
        "--days", "2", "--turns", "10", "--facts", "4", "--pairs", "0", "--no-dreams",
        "--embedder", "hashing", "--folder", str(tmp_path), "--json", str(figures),
    ])  # fmt: skip

    assert code in (0, 1)
    assert "recall@5 of the 4 planted facts" in capsys.readouterr().out
    assert figures.exists()


@pytest.mark.soak
def test_twenty_days_keep_what_matters_and_let_go_of_the_rest(tmp_path):
    generator = Generator(20, 60, facts=80)

    with world(tmp_path / "store", _HASHING) as there:
        lived = live(generator, there, dreams=True)
    merges = dreamt(near_misses(), tmp_path / "pairs", _HASHING)

    assert lived.days[-1].retention is not None
    assert lived.days[-1].retention >= 0.95
    assert merges.wrong == 0


def test_the_store_is_left_in_order(tmp_path):
    generator = Generator(2, _TURNS, facts=4)
    with world(tmp_path / "store", _HASHING) as there:
        live(generator, there, dreams=True)

    with Engram.open(tmp_path / "store", settings=_HASHING) as engram:
        assert engram.doctor().is_fine
