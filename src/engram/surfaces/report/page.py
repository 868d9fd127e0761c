"""The page: growth, what dreams did, how memories fade, and what is known well."""

from datetime import datetime
from html import escape
from typing import TYPE_CHECKING

from engram.memory.dreams.growth import BIN, BINS, SHARES, curve
from engram.memory.vocabulary import RetentionMode
from engram.surfaces.report.charts import (
    Bar,
    Series,
    curves,
    lying_bars,
    stacked_areas,
    stacked_bars,
)

if TYPE_CHECKING:
    from engram.memory.dreams.growth import Fading, Growth

MOST_NIGHTS = 90  # of a chart; more bars would be thinner than a line
MOST_DOMAINS = 25
_CURVE_STEPS = 64
_MODES = ((RetentionMode.HUBER, "c1"), (RetentionMode.L2, "c2"), (RetentionMode.ELASTIC, "c3"))
_ASSESSED = {"confident": "c3", "uncertain": "c2", "unknown": "c5"}
# What a night is told by; everything else it did counts as one.
TOLD_ACTIONS = (("archive", "archived"), ("merge", "merged"), ("expire", "expired"))

_STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #222222; --dim: #666666;
  --grid: #dddddd; --c1: #1b6ca8; --c2: #c0562f; --c3: #3f8f4f; --c4: #8a5aa8; --c5: #888888; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181c; --ink: #e6e6e6; --dim: #a0a0a0;
  --grid: #3a3d44; --c1: #6db3e8; --c2: #e8946f; --c3: #7fc98f; --c4: #c39be0; --c5: #9a9a9a; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  max-width: 780px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; }
p { color: var(--dim); margin: .2rem 0 .6rem; }
svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; }
svg text { fill: var(--ink); } .grid { stroke: var(--grid); } .key { font-weight: 600; }
.c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); }
.c4 { fill: var(--c4); } .c5 { fill: var(--c5); }
svg text.c1 { fill: var(--c1); } svg text.c2 { fill: var(--c2); } svg text.c3 { fill: var(--c3); }
svg text.c4 { fill: var(--c4); } svg text.c5 { fill: var(--c5); }
.area { opacity: .85; } .line { fill: none; stroke-width: 1.6; }
.line.c1 { stroke: var(--c1); } .line.c2 { stroke: var(--c2); } .line.c3 { stroke: var(--c3); }
.dot { fill: var(--c4); opacity: .75; }
"""


def page(growth: "Growth", *, of: str, at: datetime) -> str:
    """One HTML document: no script, nothing fetched, in the reader's light or dark."""
    sections = (_grown(growth), _dreamt(growth), _faded(growth.fading), _known(growth))
    body = "\n".join(sections)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Engram: {escape(of)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>What is remembered in {escape(of)}</h1>
<p>As of {at:%Y-%m-%d %H:%M} UTC, in the scopes that the caller sees.</p>
{body}
</body>
</html>
"""


def _grown(growth: "Growth") -> str:
    days = growth.days
    series = [
        Series("active", "c1", [each.active for each in days]),
        Series("archived", "c5", [each.archived for each in days]),
        Series("merged", "c3", [each.merged for each in days]),
        Series("superseded or refused", "c2", [each.retired for each in days]),
    ]
    chart = stacked_areas("Memories by day", [each.day for each in days], series)
    told = ", ".join(f"{count:,} {status}" for status, count in growth.statuses.items())
    told = told or "Nothing is remembered here yet"
    since = " Nothing has happened since then." if growth.statuses and not days else ""
    return _section("Growth", f"{told}.{since}", chart if days else "")


def _dreamt(growth: "Growth") -> str:
    nights = growth.nights[-MOST_NIGHTS:]
    named = {action for action, _ in TOLD_ACTIONS}
    series = [
        Series(name, colour, [each.actions.get(action, 0) for each in nights])
        for (action, name), colour in zip(TOLD_ACTIONS, ("c5", "c3", "c2"), strict=True)
    ]
    others = [
        sum(count for action, count in each.actions.items() if action not in named)
        for each in nights
    ]
    series.append(Series("made or moved", "c4", others))
    chart = stacked_bars("Decisions by night", [each.at for each in nights], series)
    number = _counted(len(growth.nights), "night", "nights")
    told = f"{number}, with what still stands of what was decided."
    if not nights:
        when = "in this time" if growth.days else "since then" if growth.statuses else "here yet"
        told = f"No dream has changed anything {when}."
    return _section("What dreams did", told, chart if nights else "")


def _faded(fading: "Fading") -> str:
    until = BIN * (BINS - 1)
    lines = []
    for mode, colour in _MODES:
        points = curve(mode, until=until, steps=_CURVE_STEPS)
        series = Series(mode.value, colour, [left for _, left in points])
        lines.append((series, [place for place, _ in points]))
    dots = [
        (place * BIN, left, count)
        for place, ((_, left), count) in enumerate(
            zip(curve(fading.mode, until=until, steps=BINS - 1), fading.by_half_lives, strict=True)
        )
        if count
    ]
    told = (
        f"What is left after so many half-lives without use. The dots are memories on the curve in "
        f"force, {fading.mode.value}; {fading.lasting:,} more are pinned or do not fade."
    )
    chart = curves("Curves of fading", lines, dots, until=until, unit="half-lives")
    most = max(fading.by_retention, default=0) or 1
    bars = [
        Bar(f"{share / SHARES:.1f} to {(share + 1) / SHARES:.1f}", count / most, f"{count:,}")
        for share, count in reversed(list(enumerate(fading.by_retention)))
    ]
    vivid = _section("How vivid memories are", "", lying_bars("Memories by vividness", bars))
    return f"{_section('How memories fade', told, chart)}\n{vivid}"


def _known(growth: "Growth") -> str:
    bars = [
        Bar(
            each.label,
            each.confidence,
            f"{each.confidence:.2f}, {_counted(each.memory_count, 'memory', 'memories')}",
            _ASSESSED.get(each.assessment, "c5"),
        )
        for each in growth.domains[:MOST_DOMAINS]
    ]
    left = len(growth.domains) - len(bars)
    told = f"{left:,} more left out." if left else "How well each domain is known, from 0 to 1."
    if not bars:
        told = "A dream draws this map; none has done so yet."
    return _section(
        "What is known", told, lying_bars("Domains by confidence", bars) if bars else ""
    )


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _section(title: str, told: str, chart: str) -> str:
    words = f"<p>{escape(told)}</p>" if told else ""
    return f"<h2>{escape(title)}</h2>\n{words}\n{chart}"
