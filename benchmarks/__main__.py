"""Runs every benchmark and prints the figures: `python -m benchmarks [--write] [--large]`."""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import apsw
from rich.console import Console
from rich.table import Table

from benchmarks import reading, starting, writing
from benchmarks.figures import Figure

_REPORT = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="engram-bench-", dir=options.folder) as name:
        folder = Path(name)
        figures = writing.measure(folder)
        figures += reading.measure(folder, count=10_000)
        if options.large:
            figures += reading.measure(folder, count=100_000)
        figures += starting.measure(folder)
    _show(figures)
    if options.write:
        _REPORT.write_text(_report(figures), encoding="utf-8")
    return 0 if all(figure.holds for figure in figures) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--large", action="store_true", help="also 100,000 memories")
    parser.add_argument("--folder", default=None, help="where to measure (a disk, not a RAM disk)")
    return parser.parse_args()


def _show(figures: list[Figure]) -> None:
    table = Table(title="Engram beside bare baselines, same run")
    for heading in ("what", "value", "baseline", "ratio", "bar", "holds"):
        table.add_column(heading)
    for row in _rows(figures):
        table.add_row(*row)
    Console().print(table)


def _rows(figures: list[Figure]) -> list[tuple[str, ...]]:
    rows = []
    for each in figures:
        baseline = (
            f"{each.baseline:,.2f} {each.unit} ({each.baseline_name})" if each.baseline else "–"
        )
        ratio = f"{each.ratio:.2f}×" if each.ratio else "–"
        holds = "yes" if each.holds else "NO"
        rows.append(
            (each.name, f"{each.value:,.2f} {each.unit}", baseline, ratio, each.bar or "–", holds)
        )
    return rows


def _report(figures: list[Figure]) -> str:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    lines = [
        "# Benchmarks",
        "",
        "Written by `python -m benchmarks --write --large`; `make bench` prints the same table.",
        "Timings are medians or percentiles beside a bare baseline measured in turns in the same",
        "run; absolute values belong to the machine they were taken on.",
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
