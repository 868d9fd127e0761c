"""Runs every benchmark and prints the figures: `python -m benchmarks [--write] [--large]`."""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import apsw
from rich.console import Console
from rich.table import Table

from benchmarks import (
    abstraction,
    capturing,
    dreaming,
    knowing,
    mcp_start,
    minding,
    quantised,
    recalling,
    sealing,
    searching,
    serving,
    starting,
    writing,
)
from benchmarks.context import building
from benchmarks.figures import Figure
from benchmarks.stores import kept_store
from benchmarks.tokens import measure as tokens

_REPORT = Path(__file__).parent.parent / "docs" / "benchmarks.md"
_SMALL, _LARGE, _HUGE = 10_000, 100_000, 1_000_000
PARTS = (
    "writing", "capturing", "recalling", "searching", "scopes", "starting", "commands", "mcp",
    "serving", "knowing", "dreaming", "quantised", "abstraction", "tokens", "minding",
    "context", "vault",
)  # fmt: skip


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="engram-bench-", dir=options.folder) as name:
        figures = _measure(options, Path(name))
    _show(figures)
    if options.write:
        _REPORT.write_text(_report(figures), encoding="utf-8")
    return 0 if all(figure.holds for figure in figures) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--large", action="store_true", help="also 100,000 memories")
    parser.add_argument("--huge", action="store_true", help="also 1,000,000 memories")
    parser.add_argument("--folder", default=None, help="where to measure (a disk, not a RAM disk)")
    parser.add_argument("--keep", type=Path, help="keep the large stores here for the next run")
    parser.add_argument("--only", choices=PARTS, action="append", help="just this; repeatable")
    return parser.parse_args()


def _measure(options: argparse.Namespace, folder: Path) -> list[Figure]:
    """Every part that is wanted, each for every size that is wanted."""
    sizes = [_SMALL, *[_LARGE] * (options.large or options.huge), *[_HUGE] * options.huge]
    parts: dict[str, Callable[[], list[Figure]]] = {
        "writing": lambda: writing.measure(folder),
        "capturing": lambda: capturing.measure(folder),
        "recalling": lambda: _recalling(options.keep or folder, sizes),
        "searching": lambda: _searching(options.keep or folder, sizes),
        "scopes": lambda: _scopes(options.keep or folder, sizes, folder),
        "starting": lambda: _starting(options.keep or folder, sizes),
        "commands": lambda: starting.measure_commands(folder),
        "mcp": lambda: mcp_start.measure(folder),
        "serving": lambda: serving.measure(options.keep or folder),
        "knowing": lambda: knowing.measure(folder),
        "dreaming": lambda: dreaming.measure(folder),
        "quantised": lambda: quantised.measure(folder),
        "abstraction": lambda: abstraction.measure(folder),
        "tokens": tokens.measure,
        "context": lambda: building.measure(options.keep or folder),
        "minding": lambda: minding.measure(folder),
        "vault": lambda: sealing.measure(folder),
    }
    figures: list[Figure] = []
    for part in options.only or PARTS:
        print(f"measuring: {part}", file=sys.stderr)
        figures += parts[part]()
    return figures


def _recalling(stores: Path, sizes: list[int]) -> list[Figure]:
    figures, measured = [], []
    for size in sizes:
        kept = kept_store(stores, size)
        measured.append(recalling.measure(kept))
        figures += [*kept.figures(), *recalling.figures(measured[-1])]
    for smaller, larger in pairwise(measured):
        figures += recalling.growth(smaller, larger)
    return figures


def _searching(stores: Path, sizes: list[int]) -> list[Figure]:
    """Kinds of index; a graph of a million vectors would take an hour to build."""
    return searching.measure(kept_store(stores, max(size for size in sizes if size < _HUGE)))


def _scopes(stores: Path, sizes: list[int], folder: Path) -> list[Figure]:
    return searching.measure_scope(kept_store(stores, max(sizes)), folder)


def _starting(stores: Path, sizes: list[int]) -> list[Figure]:
    return [figure for size in sizes for figure in starting.measure(kept_store(stores, size))]


def _show(figures: list[Figure]) -> None:
    table = Table(title="Engram beside bare baselines, same run")
    for heading in ("what", "value", "baseline", "ratio", "bar", "holds"):
        table.add_column(heading)
    for row in _rows(figures):
        table.add_row(*row)
    Console().print(table)


def _rows(figures: list[Figure]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for each in figures:
        baseline = (
            f"{each.baseline:,.2f} {each.unit} ({each.baseline_name})" if each.baseline else "–"
        )
        ratio = f"{each.ratio:.2f}×" if each.ratio else "–"
        holds = "yes" if each.holds else "NO"
        value = f"{each.value:,.3f}" if each.unit.startswith("of ") else f"{each.value:,.2f}"
        rows.append((each.name, f"{value} {each.unit}", baseline, ratio, each.bar or "–", holds))
    return rows


def _report(figures: list[Figure]) -> str:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    lines = [
        "# Benchmarks",
        "",
        "Written by `python -m benchmarks --write --large`, with `--huge` also for a million",
        "memories; `make bench ARGS='--large --keep build/bench'` prints the same table and keeps",
        "the stores. Timings are medians or percentiles beside a bare baseline measured in turns",
        "in the same run; absolute values belong to the machine they were taken on. A recall is",
        "one whole call of the library with ten hits, audit and reasons, less the embedding of",
        "the question; whoever asks sees all memories, which are made-up conversations in 100",
        "scopes, embedded by hashing.",
        "",
        f"- date: {datetime.now(UTC):%Y-%m-%d}, commit {commit or 'unknown'}",
        f"- machine: {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()} "
        f"{platform.machine()}, Python {platform.python_version()}, "
        f"SQLite {apsw.sqlite_lib_version()}",
        "",
        "| what | value | baseline | ratio | bar | holds |",
        "|---|---|---|---|---|---|",
    ]
    lines += ["| " + " | ".join(row) + " |" for row in _rows(figures)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
