"""Charts as SVG: plain shapes in the colours of the page, every text escaped, nothing fetched."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from itertools import accumulate

WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 16, 44
_WIDEST = 48.0  # a bar that fills the page looks like a ground
_ROW = 24  # of a bar that lies
_NAME_WIDTH = 220
_LONGEST_NAME = 34  # characters that fit beside a bar
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers over the same places, with the name and the colour they go by."""

    name: str
    colour: str  # a class of the page's style: c1, c2 …
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar that lies: its name, how long it is from 0 to 1, and what stands behind it."""

    name: str
    share: float
    note: str
    colour: str = "c1"


def stacked_areas(title: str, days: Sequence[datetime], series: Sequence[Series]) -> str:
    """Numbers over days, one area upon the other; a single day is as wide as any other chart."""
    if len(days) == 1:
        widened = [Series(each.name, each.colour, [*each.values] * 2) for each in series]
        return stacked_areas(title, [*days] * 2, widened)
    highest = _round_up(max((sum(values) for values in _columns(series)), default=0.0))
    bottom = [0.0] * len(days)
    shapes = []
    for each in series:
        top = [low + value for low, value in zip(bottom, each.values, strict=True)]
        edge = [_point(place, len(days), value / highest) for place, value in enumerate(top)]
        back = [_point(place, len(days), value / highest) for place, value in enumerate(bottom)]
        points = " ".join(f"{x},{y}" for x, y in (*edge, *reversed(back)))
        told = _told(
            f"{each.name}: {_number(each.values[-1] if each.values else 0)} on the last day"
        )
        shapes.append(f'<polygon class="{each.colour} area" points="{points}">{told}</polygon>')
        bottom = top
    return _chart(title, [*_axes(highest), *shapes, *_dates(days), *_legend(series)])


def stacked_bars(title: str, days: Sequence[datetime], series: Sequence[Series]) -> str:
    """Numbers of single nights, one bar upon the other."""
    highest = _round_up(max((sum(values) for values in _columns(series)), default=0.0))
    step = min(_WIDEST, (WIDTH - _LEFT - _RIGHT) / max(1, len(days)))
    shapes = []
    for place, day in enumerate(days):
        edges = list(accumulate((each.values[place] / highest for each in series), initial=0.0))
        for each, low, high in zip(series, edges, edges[1:], strict=False):
            if high > low:
                x = round(_LEFT + place * step, 1)
                told = _told(f"{day:%Y-%m-%d}: {_number(each.values[place])} {each.name}")
                shapes.append(
                    f'<rect class="{each.colour}" x="{x}" y="{_y(high)}" '
                    f'width="{max(1.0, round(step - 1, 1))}" '
                    f'height="{round(_y(low) - _y(high), 1)}">{told}</rect>'
                )
    return _chart(title, [*_axes(highest), *shapes, *_dates(days), *_legend(series)])


def curves(
    title: str,
    lines: Sequence[tuple[Series, Sequence[float]]],
    dots: Sequence[tuple[float, float, int]],
    *,
    until: float,
    unit: str,
) -> str:
    """Curves from 0 to 1 over a length, and how many stand where as dots of their size."""
    shapes = []
    for each, places in lines:
        points = " ".join(
            f"{_x(place / until)},{_y(value)}"
            for place, value in zip(places, each.values, strict=True)
        )
        shapes.append(f'<polyline class="{each.colour} line" points="{points}"/>')
    most = max((count for _, _, count in dots), default=1)
    for place, value, count in dots:
        radius = round(2 + 9 * (count / most) ** 0.5, 1)
        told = _told(f"{count:,} at {place:.2f} {unit}, {value:.2f} left")
        where = f'cx="{_x(place / until)}" cy="{_y(value)}"'
        shapes.append(f'<circle class="dot" {where} r="{radius}">{told}</circle>')
    scale = [
        f'<text x="{_x(step / until)}" y="{HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
        f"{step}</text>"
        for step in range(int(until) + 1)
    ]
    name = f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 8}" text-anchor="end">{escape(unit)}</text>'
    return _chart(
        title, [*_axes(1.0), *shapes, *scale, name, *_legend([each for each, _ in lines])]
    )


def lying_bars(title: str, bars: Sequence[Bar]) -> str:
    """One bar below the other, each with its name before and a note behind it."""
    room = WIDTH - _NAME_WIDTH - 150
    shapes = []
    for number, bar in enumerate(bars):
        y = _TOP + number * _ROW
        length = round(max(0.0, min(1.0, bar.share)) * room, 1)
        name = escape(_clipped(bar.name))
        shapes += [
            f'<text x="{_NAME_WIDTH - 8}" y="{y + 14}" text-anchor="end">{name}'
            f"{_told(bar.name)}</text>",
            f'<rect class="{bar.colour}" x="{_NAME_WIDTH}" y="{y + 2}" width="{length}" '
            f'height="{_ROW - 8}"/>',
            f'<text x="{_NAME_WIDTH + length + 6}" y="{y + 14}">{escape(bar.note)}</text>',
        ]
    return _chart(title, shapes, height=2 * _TOP + max(1, len(bars)) * _ROW)


def _chart(title: str, shapes: Sequence[str], *, height: int = HEIGHT) -> str:
    name = escape(title, quote=True)
    body = "\n".join(shapes)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{name}" '
        f'xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>'
    )


def _columns(series: Sequence[Series]) -> list[tuple[float, ...]]:
    return list(zip(*(each.values for each in series), strict=True))


def _axes(highest: float) -> list[str]:
    shapes = []
    for tick in range(_TICKS + 1):
        share = tick / _TICKS
        y = _y(share)
        shapes.append(f'<line class="grid" x1="{_LEFT}" y1="{y}" x2="{WIDTH - _RIGHT}" y2="{y}"/>')
        label = _number(share * highest)
        shapes.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{label}</text>')
    return shapes


def _dates(days: Sequence[datetime]) -> list[str]:
    if not days:
        return []
    y = HEIGHT - _BOTTOM + 16
    last = f'<text x="{WIDTH - _RIGHT}" y="{y}" text-anchor="end">{days[-1]:%Y-%m-%d}</text>'
    return [f'<text x="{_LEFT}" y="{y}">{days[0]:%Y-%m-%d}</text>', last]


def _legend(series: Sequence[Series]) -> list[str]:
    y = HEIGHT - 8
    room = (WIDTH - _LEFT - _RIGHT - 90) / max(1, len(series))
    return [
        f'<text class="{each.colour} key" x="{round(_LEFT + number * room)}" y="{y}">'
        f"■ {escape(each.name)}</text>"
        for number, each in enumerate(series)
    ]


def _told(text: str) -> str:
    return f"<title>{escape(text)}</title>"


def _clipped(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _point(place: int, count: int, share: float) -> tuple[float, float]:
    return _x(place / max(1, count - 1)), _y(share)


def _x(share: float) -> float:
    return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)


def _y(share: float) -> float:
    return round(_TOP + (1 - share) * (HEIGHT - _TOP - _BOTTOM), 1)


def _round_up(value: float) -> float:
    """A number at least as high that divides well into an axis."""
    size = 1.0
    while True:
        for step in (4.0, 8.0, 10.0, 20.0):
            if value <= step * size:
                return step * size
        size *= 10.0


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:.2f}".rstrip("0")
