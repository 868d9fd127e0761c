"""Draws what the days came to as SVG: growth, what a dream takes, and what is still known."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.ninety_days.figures import DayFigures, dream_fit

_WIDTH, _HEIGHT = 620, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 18, 40, 64
_COLOURS = ("#1b6ca8", "#c0562f", "#3f8f4f", "#8a5aa8")
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MARKS = 5

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """One curve with its name."""

    name: str
    points: Sequence[Point]
    is_dotted: bool = False  # drawn as single points


@dataclass(frozen=True, slots=True)
class Plot:
    """Some curves over one ground."""

    title: str
    across: str
    upward: str
    lines: Sequence[Line]
    lowest: float = 0.0


def pictures(days: Sequence[DayFigures]) -> dict[str, str]:
    """Every picture by its file name."""
    return {
        "ninety-days-growth.svg": drawn(_growth(days)),
        "ninety-days-dreams.svg": drawn(_dreams(days)),
        "ninety-days-retention.svg": drawn(_retention(days)),
    }


def _growth(days: Sequence[DayFigures]) -> Plot:
    curves: list[tuple[str, Callable[[DayFigures], float]]] = [
        ("ever stored", lambda each: each.stored),
        ("active", lambda each: each.active),
        ("archived", lambda each: each.archived),
    ]
    lines = [Line(name, [(each.day + 1, of(each)) for each in days]) for name, of in curves]
    return Plot("Memories after each night", "day", "memories", lines)


def _dreams(days: Sequence[DayFigures]) -> Plot:
    measured = [(float(each.stored), each.dream_seconds) for each in days]
    fixed, factor = dream_fit(days)
    fit = [(x, max(0.0, fixed + factor * x * math.log(max(x, 2.0)))) for x, _ in measured]
    lines = [Line("a dream", measured, is_dotted=True), Line("n log n, fitted", fit)]
    return Plot("What a dream takes", "memories ever stored", "seconds", lines)


def _retention(days: Sequence[DayFigures]) -> Plot:
    known = [(each.day + 1.0, 100 * each.retention) for each in days if each.retention is not None]
    return Plot(
        "Planted facts among the first five hits", "day", "percent", [Line("recall@5", known)],
        lowest=80.0,
    )  # fmt: skip


def drawn(plot: Plot) -> str:
    """A plot as SVG that needs no other file."""
    points = [point for line in plot.lines for point in line.points] or [(1.0, 1.0)]
    ground = _Ground(max(1.0, *(x for x, _ in points)), plot.lowest, _ceiling(points, plot.lowest))
    body = [
        f'<text x="{_LEFT}" y="22" font-size="14" font-weight="bold">{escape(plot.title)}</text>',
        *_axes(plot, ground),
    ]
    for place, line in enumerate(plot.lines):
        body += _curve(line, ground, _COLOURS[place % len(_COLOURS)])
        body.append(_legend(line.name, place))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
            f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="11">',
            f"<title>{escape(plot.title)}</title>",
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
            *body,
            "</svg>",
            "",
        ]
    )


@dataclass(frozen=True, slots=True)
class _Ground:
    most_x: float
    lowest: float
    highest: float

    def x(self, value: float) -> float:
        return round(_LEFT + value / self.most_x * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        share = (value - self.lowest) / (self.highest - self.lowest)
        return round(_TOP + (1 - max(0.0, share)) * (_HEIGHT - _TOP - _BOTTOM), 1)


def _ceiling(points: Sequence[Point], lowest: float) -> float:
    """A round number above everything; a share has its own."""
    most = max(y for _, y in points)
    if lowest and most <= 100:
        return 100.0
    power = 10.0 ** (len(str(int(max(most, 1.0)))) - 1)
    return next((step * power for step in _STEPS if step * power >= most), most)


def _axes(plot: Plot, ground: _Ground) -> list[str]:
    found = []
    for mark in range(_MARKS + 1):
        value = ground.lowest + (ground.highest - ground.lowest) * mark / _MARKS
        y = ground.y(value)
        found.append(
            f'<line x1="{_LEFT}" y1="{y}" x2="{_WIDTH - _RIGHT}" y2="{y}" stroke="#dddddd"/>'
        )
        found.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{_told(value)}</text>')
    step = _step(ground.most_x)
    for along in (step * mark for mark in range(int(ground.most_x / step) + 1)):
        found.append(
            f'<text x="{ground.x(along)}" y="{_HEIGHT - _BOTTOM + 16}" '
            f'text-anchor="middle">{_told(along)}</text>'
        )
    middle = (_LEFT + _WIDTH - _RIGHT) // 2
    found.append(
        f'<text x="{middle}" y="{_HEIGHT - 30}" text-anchor="middle">{escape(plot.across)}</text>'
    )
    found.append(f'<text x="8" y="{_TOP - 8}">{escape(plot.upward)}</text>')
    return found


def _step(most: float) -> float:
    """A round number of which a few make the whole."""
    power = 10.0 ** math.floor(math.log10(most / _MARKS))
    return next(step * power for step in _STEPS if step * power >= most / _MARKS)


def _told(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}".rstrip("0")


def _curve(line: Line, ground: _Ground, colour: str) -> list[str]:
    places = [(ground.x(x), ground.y(y)) for x, y in line.points]
    if line.is_dotted:
        return [f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>' for x, y in places]
    path = " ".join(f"{x},{y}" for x, y in places)
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>']


def _legend(name: str, place: int) -> str:
    x, y = _LEFT + 150 * place, _HEIGHT - 10
    return f'<text x="{x}" y="{y}" fill="{_COLOURS[place % len(_COLOURS)]}">● {escape(name)}</text>'
