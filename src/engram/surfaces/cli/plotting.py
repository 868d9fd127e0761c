"""Pictures of a store in a terminal, drawn with block characters; and the page for a browser."""

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from engram.errors import InvalidInput
from engram.surfaces.cli import pictures
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from engram.engine.picturing import Growth

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_LYING = " ▏▎▍▌▋▊▉█"
_WIDTH, _HEIGHT = 60, 8
_BAR_WIDTH = 40
_MOST_NIGHTS = 12
_MOST_DOMAINS = 12
_ASSESSED = {"confident": "green", "uncertain": "yellow"}


def plotted(found: "Growth") -> "RenderableType":
    """Growth, statuses, vividness, nights and domains, one below the other."""
    if not found.statuses:
        return styled("Nothing is remembered here yet.", "dim")
    parts = (_grown(found), _statuses(found), _vividness(found), _nights(found), _domains(found))
    return pictures.stack(*(line for part in parts for line in (*part, styled(""))))


def write_page(text: str, path: Path) -> None:
    """Write the page whole or not at all, for its owner alone: it tells what is remembered."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise InvalidInput(hint=f"The page cannot be written: {error.strerror}.") from None


def _grown(found: "Growth") -> list["Text"]:
    days = found.days
    if not days:
        return [styled("Nothing has happened since then.", "dim")]
    first, last = days[0].day, days[-1].day
    title = f"Memories in use by day, {first:%Y-%m-%d} to {last:%Y-%m-%d}"
    lines = [styled(title, "bold")]
    active = [each.active for each in days]
    for number, line in enumerate(drawn := area(active, height=_HEIGHT)):
        is_edge = number in (0, len(drawn) - 1)
        label = f"{0 if number else max(active):,}" if is_edge else ""
        lines.append(styled(f"{label:>9} {line}", "cyan"))
    learned = [each.learned for each in days]
    lines.append(_row("learned", area(learned, height=1, is_mean=True), sum(learned)))
    for name in ("archived", "merged", "retired"):
        values = [getattr(each, name) for each in days]
        lines.append(_row(name, area(values, height=1), values[-1]))
    return lines


def _row(name: str, drawn: Sequence[str], total: float) -> "Text":
    return styled(f"{name:>9} {drawn[0]}  {total:,.0f}", "dim")


def _statuses(found: "Growth") -> list["Text"]:
    most = max(found.statuses.values(), default=1)
    lines = [styled("Memories by status", "bold")]
    for status, count in found.statuses.items():
        lines.append(styled(f"{status:>12} {lying(count / most)} {count:,}"))
    return lines


def _vividness(found: "Growth") -> list["Text"]:
    fading = found.fading
    counts = fading.by_retention
    most = max(counts, default=0) or 1
    size = len(counts)
    title = f"How vivid they are (curve: {fading.mode.value}; {fading.lasting:,} do not fade)"
    lines = [styled(title, "bold")]
    for place in reversed(range(size)):
        span = f"{place / size:.1f} to {(place + 1) / size:.1f}"
        lines.append(styled(f"{span:>12} {lying(counts[place] / most)} {counts[place]:,}"))
    return lines


def _nights(found: "Growth") -> list["RenderableType"]:
    if not found.nights:
        when = "in this time" if found.days else "since then"
        return [styled(f"No dream has changed anything {when}.", "dim")]
    made = pictures.table("night", "archived", "merged", "expired", "else", title="What dreams did")
    for each in found.nights[-_MOST_NIGHTS:]:
        told = [each.actions.get(name, 0) for name in ("archive", "merge", "expire")]
        rest = sum(each.actions.values()) - sum(told)
        cells = (styled(f"{count:,}" if count else "·") for count in (*told, rest))
        made.add_row(styled(f"{each.at:%Y-%m-%d}", "dim"), *cells)
    return [made]


def _domains(found: "Growth") -> list["Text"]:
    if not found.domains:
        return [styled("What is known well is found out by a dream: engram dream", "dim")]
    shown = found.domains[:_MOST_DOMAINS]
    wide = max(len(_clipped(each.label)) for each in shown)
    lines = [styled("What is known, and how well", "bold")]
    for each in shown:
        row = f"{_clipped(each.label):>{wide}} {lying(each.confidence, width=20)}"
        told = f"{each.confidence:.2f}  {pictures.counted(each.memory_count, 'memory', 'memories')}"
        lines.append(styled(f"{row} {told}", _ASSESSED.get(each.assessment, "dim")))
    left = len(found.domains) - len(shown)
    return [*lines, styled(f"and {left:,} more", "dim")] if left else lines


def _clipped(name: str, most: int = 30) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def area(values: Sequence[float], *, height: int, is_mean: bool = False) -> list[str]:
    """Numbers as an area of block characters, from above; of several in a column mean or last."""
    columns = _narrowed(values, _WIDTH, is_mean=is_mean)
    highest = max(columns, default=0.0)
    levels = [round(value / highest * height * 8) if highest else 0 for value in columns]
    return [
        "".join(_EIGHTHS[max(0, min(8, level - 8 * row))] for level in levels)
        for row in reversed(range(height))
    ]


def lying(share: float, *, width: int = _BAR_WIDTH) -> str:
    """A share from 0 to 1 as a bar that lies; something above nothing is always seen."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    if share > 0.0:
        eighths = max(1, eighths)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (_LYING[rest] if rest else "")


def _narrowed(values: Sequence[float], width: int, *, is_mean: bool) -> list[float]:
    """As many numbers as there are columns; of several in one the last, or their mean."""
    if len(values) <= width:
        return list(values)
    edges = [place * len(values) // width for place in range(width + 1)]
    spans = [values[low:high] for low, high in pairwise(edges)]
    return [sum(span) / len(span) if is_mean else span[-1] for span in spans]
