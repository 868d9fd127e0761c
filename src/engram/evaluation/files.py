"""A report as files: JSON for programs, Markdown for people, SVG for the eye."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from engram.errors import InvalidInput
from engram.evaluation.chart import svg_plot
from engram.evaluation.known_items import KnownItemReport
from engram.evaluation.report import Report
from engram.evaluation.tables import (
    LEGEND,
    TASK_LEGEND,
    Grid,
    known_item_grid,
    must_hold_grid,
    page_grids,
    task_grid,
)

PLOT = "recall-tokens.svg"


def write_report(report: Report, folder: Path) -> tuple[Path, ...]:
    """Write report.json, report.md and, of recall, the plot; a folder that is missing is made."""
    pages = {"report.json": json_of(report), "report.md": report_page(report)}
    if report.sets:
        pages[PLOT] = svg_plot(report.sets)
    return _write(folder, pages)


def write_known_items(report: KnownItemReport, folder: Path) -> tuple[Path, ...]:
    """Write own-store.json and own-store.md."""
    pages = {"own-store.json": json_of(report), "own-store.md": known_item_page(report)}
    return _write(folder, pages)


def _write(folder: Path, pages: Mapping[str, str]) -> tuple[Path, ...]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(hint=f"The report cannot be written into {folder}.") from error
    return tuple(folder / name for name in pages)


def json_of(report: Report | KnownItemReport) -> str:
    """The whole report as one JSON document."""
    return json.dumps(document(report), indent=2, ensure_ascii=True) + "\n"


def document(report: Report | KnownItemReport) -> dict[str, object]:
    """The whole report in the terms of JSON."""
    fields = dataclasses.fields(report)
    return {each.name: _plain(getattr(report, each.name)) for each in fields}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value


def report_page(report: Report) -> str:
    """The report as a Markdown page."""
    machine = report.machine
    changed = ", ".join(f"`{key}` = {value}" for key, value in report.changed_settings.items())
    lines = [
        "# Evaluation",
        "",
        f"Engram {report.version}, {report.at:%Y-%m-%d %H:%M} UTC; {machine.system} on "
        f"{machine.processor}, {machine.cores} cores, Python {machine.python}.",
        f"Settings that are not the defaults: {changed or 'none'}.",
    ]
    if report.sets:
        grids = (grid for each in report.sets for grid in page_grids(each))
        lines += ["", f"Turns went in through `{report.through}`. {LEGEND}"]
        lines += [line for grid in grids for line in ("", *_markdown(grid))]
        lines += ["", "## Recall against tokens", "", f"![Recall against tokens]({PLOT})"]
    if report.tasks:
        lines += ["", "# Tasks", "", TASK_LEGEND]
        lines += [line for each in report.tasks for line in ("", *_markdown(task_grid(each)))]
    bars = must_hold_grid(report.tasks, report.sets)
    if bars.rows:
        lines += ["", *_markdown(bars)]
    if report.notes:
        lines += ["", "## Notes", "", *(f"- {note}" for note in report.notes)]
    return "\n".join([*lines, ""])


def known_item_page(report: KnownItemReport) -> str:
    """The known-item test as a Markdown page: labels, never words."""
    lines = [
        "# Known-item test",
        "",
        f"Engram {report.version}, {report.at:%Y-%m-%d %H:%M} UTC. {report.too_short} memories "
        "were drawn but have too few words to ask by.",
        "",
        *_markdown(known_item_grid(report)),
    ]
    for form in report.forms:
        if form.not_found:
            lines += ["", f"Not found ({form.form}): {', '.join(form.not_found)}"]
    return "\n".join([*lines, ""])


def _markdown(grid: Grid) -> list[str]:
    columns = [column.replace("|", "/") for column in grid.columns]
    ruler = "|".join([" --- ", *[" ---: "] * (len(columns) - 1)])
    rows = [" | ".join(cell.replace("|", "/") for cell in row) for row in grid.rows]
    return [f"## {grid.title}", "", f"| {' | '.join(columns)} |", f"|{ruler}|",
            *(f"| {row} |" for row in rows)]  # fmt: skip
