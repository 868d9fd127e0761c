"""Recall against tokens, drawn twice: in characters for a terminal, as SVG for a page."""

from collections.abc import Iterable, Sequence
from html import escape

from engram.evaluation.report import CurvePoint, MethodReport, SetReport

_MARKS = "●○△□◇"
_COLOURS = ("#1b6ca8", "#c0562f", "#3f8f4f", "#8a5aa8", "#666666")
_WIDTH, _HEIGHT = 56, 12
_PANEL_WIDTH, _PANEL_HEIGHT = 460, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 34, 62


def character_plot(report: SetReport, width: int = _WIDTH, height: int = _HEIGHT) -> str:
    """A small plot in characters: tokens to the right, recall upward, one mark per method."""
    curves = _curves(report)
    if not curves:
        return ""
    most_tokens, most_recall = _largest(curves)
    cells = [[" "] * width for _ in range(height)]
    for mark, curve in reversed(list(zip(_MARKS, curves, strict=False))):  # the first stays on top
        for point in curve.curve:
            column = round(point.tokens / most_tokens * (width - 1))
            row = round(point.recall / most_recall * (height - 1))
            cells[height - 1 - row][column] = mark
    scale = [f"{100 * most_recall:4.0f} %", *[" " * 6] * (height - 2), "   0 %"]
    lines = [f"{label} │{''.join(row).rstrip()}" for label, row in zip(scale, cells, strict=True)]
    legend = "   ".join(f"{mark} {each.method}" for mark, each in zip(_MARKS, curves, strict=False))
    axis = f"{' ' * 7}└{'─' * width}"
    foot = f"{' ' * 8}0{f'{most_tokens:,.0f} tokens':>{width - 1}}"
    title = f"{report.name}: recall against tokens of the first 1, 2, 3, 5, 10, 15, 20 hits"
    return "\n".join([title, *lines, axis, foot, f"{' ' * 8}{legend}"])


def svg_plot(reports: Sequence[SetReport]) -> str:
    """One panel per set, below each other; readable without any other file."""
    shown = [report for report in reports if _curves(report)]
    height = max(1, len(shown)) * _PANEL_HEIGHT
    panels = [
        f'<g transform="translate(0 {number * _PANEL_HEIGHT})">{"".join(_panel(report))}</g>'
        for number, report in enumerate(shown)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_PANEL_WIDTH} {height}" '
            f'width="{_PANEL_WIDTH}" height="{height}" font-family="sans-serif" font-size="11">',
            "<title>Recall against tokens</title>",
            f'<rect width="{_PANEL_WIDTH}" height="{height}" fill="#ffffff"/>',
            *panels,
            "</svg>",
            "",
        ]
    )


def _curves(report: SetReport) -> list[MethodReport]:
    return [each for each in report.methods if each.curve]


def _largest(curves: Iterable[MethodReport]) -> tuple[float, float]:
    points = [point for each in curves for point in each.curve]
    return (
        max(max(point.tokens for point in points), 1.0),
        max(max(point.recall for point in points), 0.01),
    )


def _panel(report: SetReport) -> list[str]:
    curves = _curves(report)
    most_tokens, _ = _largest(curves)
    found = [
        f'<text x="{_LEFT}" y="20" font-size="13" font-weight="bold">{escape(report.name)}</text>'
    ]
    found += _recall_axis() + _token_axis(most_tokens)
    for colour, each in zip(_COLOURS, curves, strict=False):
        found += _line(each, most_tokens, colour)
    return found + _legend(curves)


def _recall_axis() -> list[str]:
    found = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        found.append(
            f'<line x1="{_LEFT}" y1="{y}" x2="{_PANEL_WIDTH - _RIGHT}" y2="{y}" stroke="#dddddd"/>'
        )
        label = f"{100 * share:.0f} %"
        found.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{label}</text>')
    return found


def _token_axis(most_tokens: float) -> list[str]:
    y = _PANEL_HEIGHT - _BOTTOM + 16
    right = _PANEL_WIDTH - _RIGHT
    return [
        f'<text x="{_LEFT}" y="{y}">0</text>',
        f'<text x="{(_LEFT + right) // 2}" y="{y}" text-anchor="middle">tokens</text>',
        f'<text x="{right}" y="{y}" text-anchor="end">{most_tokens:,.0f}</text>',
    ]


def _line(report: MethodReport, most_tokens: float, colour: str) -> list[str]:
    places = [(_x(point.tokens, most_tokens), _y(point.recall), point) for point in report.curve]
    path = " ".join(f"{x},{y}" for x, y, _ in places)
    dots = [
        f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"><title>{_told(report.method, point)}'
        "</title></circle>"
        for x, y, point in places
    ]
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>', *dots]


def _told(method: str, point: CurvePoint) -> str:
    told = f"{method}: {point.hits} hits, {point.tokens:.0f} tokens, {100 * point.recall:.1f} %"
    return escape(told)


def _legend(curves: Sequence[MethodReport]) -> list[str]:
    y = _PANEL_HEIGHT - 22
    return [
        f'<text x="{_LEFT + 90 * number}" y="{y}" fill="{colour}">● {escape(each.method)}</text>'
        for number, (colour, each) in enumerate(zip(_COLOURS, curves, strict=False))
    ]


def _x(tokens: float, most_tokens: float) -> float:
    return round(_LEFT + tokens / most_tokens * (_PANEL_WIDTH - _LEFT - _RIGHT), 1)


def _y(recall: float) -> float:
    return round(_TOP + (1 - recall) * (_PANEL_HEIGHT - _TOP - _BOTTOM), 1)
