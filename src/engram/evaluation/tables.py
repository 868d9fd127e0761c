"""The tables of a report as plain cells, so that the terminal and the page show the same ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from engram.evaluation.known_items import KnownItemReport
from engram.evaluation.report import MethodReport, Row, SetReport

_FIGURES = {
    "R@5": "recall_at_5", "R@10": "recall_at_10", "R@20": "recall_at_20",
    "hit@5": "hit_at_5", "hit@10": "hit_at_10", "hit@20": "hit_at_20",
    "all@5": "all_at_5", "all@10": "all_at_10", "all@20": "all_at_20",
    "NDCG": "ndcg_at_10", "MRR": "reciprocal_rank", "session@10": "session_hit_at_10",
}  # fmt: skip
_MAIN_FIGURES = ("R@5", "R@10", "R@20", "hit@10", "all@10", "NDCG", "MRR")

LEGEND = (
    "R: share of the evidence found; hit: any of it; all: every piece; session: one of the ten "
    "best sessions has evidence; abstain: AUROC of the confidence, answerable against not (how "
    "many are not); current: what holds now shown before what it replaced (of how many "
    "questions); tokens: mean length of the first ten hits; NDCG is at 10, MRR of the first 20. "
    "Per cent but for abstain, tokens, ms."
)


@dataclass(frozen=True, slots=True)
class Grid:
    """One table: a title, the names of its columns, its rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def terminal_grids(report: SetReport) -> list[Grid]:
    """The tables of one set, none wider than a terminal."""
    return _grids(report, _MAIN_FIGURES)


def page_grids(report: SetReport) -> list[Grid]:
    """The tables of one set with every figure."""
    return _grids(report, tuple(_FIGURES))


def _grids(report: SetReport, figures: tuple[str, ...]) -> list[Grid]:
    found = [finding_grid(report), cost_grid(report)]
    if report.methods:  # nothing was asked without them
        found += [category_grid(report, figures), comparison_grid(report)]
    return found


def finding_grid(report: SetReport) -> Grid:
    """What each method finds."""
    title = (
        f"{report.name}: {report.files} files, {report.turns:,} turns, {report.questions:,} "
        f"questions ({report.scored:,} scored)"
    )
    rows = [
        (
            each.method,
            str(each.total.questions),
            *(_figure(each.total, name) for name in _MAIN_FIGURES),
            "-" if each.recall_interval is None else _range(*each.recall_interval),
        )
        for each in report.methods
    ]
    return Grid(title, ("method", "n", *_MAIN_FIGURES, "R@10 95 %"), tuple(rows))


def cost_grid(report: SetReport) -> Grid:
    """What each method knows about its answers, and what they cost."""
    title = f"{report.name}: sessions, judgement, cost; put in within {report.put_in_seconds:.1f} s"
    columns = ("method", "session@10", "abstain", "current", "tokens", "p50 ms", "p95 ms")
    return Grid(title, columns, tuple(map(_cost_row, report.methods)))


def _cost_row(report: MethodReport) -> tuple[str, ...]:
    current, area = report.current_before_stale, report.abstention_auroc
    return (
        report.method,
        _figure(report.total, "session@10"),
        "-" if area is None else f"{area:.3f} ({report.unanswerable})",
        f"{percent(current.share)} ({current.questions})" if current else "-",
        f"{report.total.tokens:,.0f}",
        f"{report.latency_p50:.1f}",
        f"{report.latency_p95:.1f}",
    )


def category_grid(report: SetReport, figures: Sequence[str]) -> Grid:
    """The first method on every category."""
    first = report.methods[0]
    rows = [
        (row.category, str(row.questions), *(_figure(row, name) for name in figures))
        for row in (*first.categories, first.total)
    ]
    title = f"{report.name} by category: {first.method}"
    return Grid(title, ("category", "n", *figures), tuple(rows))


def comparison_grid(report: SetReport) -> Grid:
    """Recall at 10 of every method on every category, and the tokens of the first method."""
    first = report.methods[0]
    rows = [
        (
            row.category,
            str(row.questions),
            *(_figure(_same(each, row), "R@10") for each in report.methods),
            f"{row.tokens:,.0f}",
        )
        for row in (*first.categories, first.total)
    ]
    names = (each.method for each in report.methods)
    columns = ("category", "n", *names, f"{first.method} tokens")
    return Grid(f"{report.name} by category: R@10 of all methods", columns, tuple(rows))


def _same(report: MethodReport, row: Row) -> Row:
    """The same category by another method: all methods answered the same questions."""
    rows = (*report.categories, report.total)
    return next(each for each in rows if each.category == row.category)


def _figure(row: Row, name: str) -> str:
    return percent(getattr(row.marks, _FIGURES[name]))


def _range(low: float, high: float) -> str:
    return f"{percent(low)}-{percent(high)}"


def known_item_grid(report: KnownItemReport) -> Grid:
    """How well a store's own memories are found again."""
    columns = ("form", "n", "hit@1", "hit@5", "hit@10", "MRR", "p50 ms", "p95 ms", "not found")
    rows = tuple(
        (
            each.form, str(each.questions), percent(each.hit_at_1), percent(each.hit_at_5),
            percent(each.hit_at_10), percent(each.reciprocal_rank),
            f"{each.latency_p50:.1f}", f"{each.latency_p95:.1f}", str(len(each.not_found)),
        )
        for each in report.forms
    )  # fmt: skip
    title = f"{report.asked_for} of {report.memories:,} memories, asked for by their own words"
    return Grid(title, columns, rows)


def percent(share: float) -> str:
    """A share in per cent with one digit."""
    return f"{100 * share:.1f}"
