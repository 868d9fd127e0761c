"""Writes what a run came to into the page of the documentation, below its mark."""

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.ninety_days.bars import Bar
from benchmarks.ninety_days.figures import DayFigures, dream_fit
from benchmarks.ninety_days.plot import pictures

MARK = "<!-- figures -->"
_EVERY = 10  # days between the lines of the table


def write_page(page: Path, days: Sequence[DayFigures], found: Sequence[Bar]) -> None:
    """Put the figures below the mark, and the pictures beside the page."""
    folder = page.parent / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    drawn = pictures(days)
    for name, picture in drawn.items():
        (folder / name).write_text(picture, encoding="utf-8")
    above = page.read_text(encoding="utf-8").partition(MARK)[0]
    below = [MARK, "", "## What it came to", "", _circumstances(days), ""]
    below += [*_bars(found), "", *_days(days), ""]
    below += [f"![{_told(name)}](pictures/{name})" for name in drawn]
    page.write_text(above + "\n".join(below) + "\n", encoding="utf-8")


def _told(name: str) -> str:
    return name.removesuffix(".svg").replace("-", " ").capitalize()


def _circumstances(days: Sequence[DayFigures]) -> str:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    fixed, factor = dream_fit(days)
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit or 'unknown'}, {os.cpu_count()} cores, "
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}. A dream "
        f"over n memories took {fixed:.2f} s + {factor * 1e6:.2f} µs · n ln n."
    )


def _bars(found: Sequence[Bar]) -> list[str]:
    rows = [
        f"| {bar.name} | {bar.value} | {bar.wanted} | {'yes' if bar.holds else 'no'} |"
        for bar in found
    ]
    return ["| what | value | bar | holds |", "| --- | --- | --- | --- |", *rows]


def _days(days: Sequence[DayFigures]) -> list[str]:
    shown = [each for each in days if each.day % _EVERY == _EVERY - 1 or each is days[-1]]
    rows = [
        f"| {each.day + 1} | {each.stored:,} | {each.active:,} | {each.archived:,} "
        f"| {each.merged:,} | {each.superseded:,} | {each.dream_seconds:.1f} "
        f"| {each.kilobytes / 1024:.0f} | {_share(each)} |"
        for each in shown
    ]
    heading = (
        "| night | stored | active | archived | merged | superseded | dream s | MB | recall@5 |"
    )
    return [heading, "| " + " | ".join(["---"] * 9) + " |", *rows]


def _share(day: DayFigures) -> str:
    return "–" if day.retention is None else f"{day.retention:.3f}"
