"""Lives through ninety days and checks what must hold: `python -m benchmarks.ninety_days`."""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.ninety_days.bars import Bar, bars
from benchmarks.ninety_days.figures import DayFigures, dream_fit
from benchmarks.ninety_days.generator import Generator
from benchmarks.ninety_days.merging import Merges, dreamt
from benchmarks.ninety_days.near_misses import near_misses
from benchmarks.ninety_days.page import write_page
from benchmarks.ninety_days.planted import COUNT
from benchmarks.ninety_days.run import Lived, live, world

_PAGE = Path(__file__).parents[2] / "docs" / "ninety-days.md"
_EVERY = 5  # days between the lines of the table


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it, show it, and say by the exit code whether everything holds."""
    options = _options(arguments)
    settings: dict[str, object] = {"embedder": {"kind": options.embedder}}
    console = Console(width=120)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="engram-days-", dir=options.folder) as name:
        place = Path(name)
        generator = Generator(options.days, options.turns, facts=options.facts)
        with world(place / "store", settings, is_split=options.split) as there:
            lived = live(generator, there, dreams=not options.no_dreams, told=_progress)
        merges = _merges(place / "pairs", settings, options)
    found = bars(lived, merges)
    _show(console, lived, found)
    console.print(f"{time.perf_counter() - started:,.0f} seconds in all")
    if options.json is not None:
        told = [asdict(each) for each in lived.days]
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    if options.write:
        write_page(_PAGE, lived.days, found)
    return 0 if all(bar.holds for bar in found) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--turns", type=int, default=200, help="things said on one day")
    parser.add_argument("--facts", type=int, default=COUNT, help="facts that matter")
    parser.add_argument("--pairs", type=int, default=1_000, help="near misses; 0: none")
    parser.add_argument("--embedder", default="builtin", choices=("builtin", "hashing", "none"))
    parser.add_argument("--split", action="store_true", help="each project in its own scope")
    parser.add_argument("--no-dreams", action="store_true", help="the same days without dreams")
    parser.add_argument("--folder", default=None, help="where to keep the store meanwhile")
    parser.add_argument("--write", action="store_true", help="write docs/ninety-days.md")
    parser.add_argument("--json", type=Path, help="write the figures of each day here")
    return parser.parse_args(arguments)


def _progress(day: DayFigures) -> None:
    print(
        f"day {day.day + 1}: {day.stored:,} stored, {day.active:,} active, "
        f"dream {day.dream_seconds:.1f} s, {day.found}/{day.asked} found",
        file=sys.stderr,
        flush=True,
    )


def _merges(path: Path, settings: dict[str, object], options: argparse.Namespace) -> Merges | None:
    if options.no_dreams or not options.pairs:
        return None
    return dreamt(near_misses(options.pairs), path, settings)


def _show(console: Console, lived: Lived, found: Sequence[Bar]) -> None:
    shown = [each for each in lived.days if each.day % _EVERY == _EVERY - 1]
    console.print(_days_table(shown or lived.days))
    fixed, factor = dream_fit(lived.days)
    console.print(f"a dream of n memories takes {fixed:.2f} s + {factor * 1e6:.3f} µs · n ln n")
    slowest = sorted(lived.passes.items(), key=lambda each: -each[1])[:8]
    console.print(
        "slowest passes: " + ", ".join(f"{step} {spent:.1f} s" for step, spent in slowest)
    )
    for step, why in sorted(lived.skipped.items()):
        console.print(f"skipped at least once: {step}: {why}", markup=False)
    for question in lived.lost:
        console.print(f"not found: {question}", markup=False)
    if lived.stale is not None:
        for question in lived.stale.stale_first:
            console.print(f"stale first: {question}", markup=False)
        for question in lived.stale.stale_as_current:
            console.print(f"stale as current: {question}", markup=False)
    console.print(_bars_table(found))


def _days_table(days: Sequence[DayFigures]) -> Table:
    table = Table(title="After each night")
    headings = (
        "day", "stored", "active", "turns", "archived", "merged", "superseded", "stale",
        "decisions", "dream s", "day s", "MB", "recall@5",
    )  # fmt: skip
    for heading in headings:
        table.add_column(heading, justify="right")
    for each in days:
        known = "–" if each.retention is None else f"{each.retention:.3f}"
        table.add_row(
            str(each.day + 1), f"{each.stored:,}", f"{each.active:,}", f"{each.turns:,}",
            f"{each.archived:,}", f"{each.merged:,}", f"{each.superseded:,}", f"{each.stale:,}",
            f"{each.decisions:,}", f"{each.dream_seconds:.1f}", f"{each.day_seconds:.1f}",
            f"{each.kilobytes / 1024:.1f}", known,
        )  # fmt: skip
    return table


def _bars_table(found: Sequence[Bar]) -> Table:
    table = Table(title="What must hold")
    for heading in ("what", "value", "bar", "holds"):
        table.add_column(heading)
    for bar in found:
        table.add_row(bar.name, bar.value, bar.wanted, "yes" if bar.holds else "NO")
    return table


if __name__ == "__main__":
    sys.exit(main())
