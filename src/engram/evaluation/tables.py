"""The tables of a report as plain cells, so that the terminal and the page show the same ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engram.evaluation.known_items import FormReport, KnownItemReport
from engram.evaluation.recall_bars import recall_verdicts
from engram.evaluation.report import MethodReport, Row, SetReport
from engram.evaluation.task_report import Figure, TaskLine, TaskReport, Unit, Verdict, counted

_FIGURES = {
    "R@5": "recall_at_5", "R@10": "recall_at_10", "R@20": "recall_at_20",
    "hit@5": "hit_at_5", "hit@10": "hit_at_10", "hit@20": "hit_at_20",
    "all@5": "all_at_5", "all@10": "all_at_10", "all@20": "all_at_20",
    "NDCG": "ndcg_at_10", "MRR": "reciprocal_rank", "session@10": "session_hit_at_10",
}  # fmt: skip
_MAIN_FIGURES = ("R@5", "R@10", "R@20", "hit@10", "all@10", "NDCG", "MRR")

_NONE = "-"
# The outcomes of turns and of statements under one name each: by `remember` and by `observe`.
_OUTCOMES = {
    "kept": ("stored", "kept"),
    "known": ("confirmed", "known", "echo"),
    "held": ("held",),
    "refused": ("refused",),
}

LEGEND = (
    "R: share of the evidence found; hit: any of it; all: every piece; session: one of the ten "
    "best sessions has evidence; abstain: AUROC of the confidence, answerable against not (how "
    "many are not); current: what holds now shown before what it replaced (of how many "
    "questions); tokens: mean length of the first ten hits; NDCG is at 10, MRR of the first 20. "
    "Per cent but for abstain, tokens, ms."
)
TASK_LEGEND = (
    "Shares in per cent; n: what there is to find, or how many were judged. "
    "docs/evaluation.md says by which rule each task is scored."
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
    found = [finding_grid(report), cost_grid(report), put_in_grid(report)]
    if report.methods:  # nothing was asked without them
        found += [category_grid(report, figures), comparison_grid(report)]
    return found


def finding_grid(report: SetReport) -> Grid:
    """What each method finds."""
    title = (
        f"{report.name}: {counted(report.files, 'file')}, {counted(report.turns, 'turn')}, "
        f"{counted(report.questions, 'question')} ({report.scored:,} scored)"
    )
    rows = [
        (
            each.method,
            str(each.total.questions),
            *(_figure(each.total, name) for name in _MAIN_FIGURES),
            _NONE if each.recall_interval is None else _range(*each.recall_interval),
        )
        for each in report.methods
    ]
    return Grid(title, ("method", "n", *_MAIN_FIGURES, "R@10 95 %"), tuple(rows))


def cost_grid(report: SetReport) -> Grid:
    """What each method knows about its answers, and what they cost."""
    title = f"{report.name}: sessions, judgement, cost"
    columns = ("method", "session@10", "abstain", "current", "tokens", "p50 ms", "p95 ms")
    return Grid(title, columns, tuple(map(_cost_row, report.methods)))


def _cost_row(report: MethodReport) -> tuple[str, ...]:
    current, area = report.current_before_stale, report.abstention_auroc
    return (
        report.method,
        _figure(report.total, "session@10"),
        _NONE if area is None else f"{area:.3f} ({report.unanswerable})",
        f"{percent(current.share)} ({current.questions})" if current else _NONE,
        _tokens(report.total),
        f"{report.latency_p50:.1f}",
        f"{report.latency_p95:.1f}",
    )


def put_in_grid(report: SetReport) -> Grid:
    """What became of the turns and of what they state, and how long that took."""
    done = report.put_in
    title = f"{report.name}: put in within {done.seconds:.1f} s"
    columns = ("what", *_OUTCOMES, "seconds", "turns/s")
    rows = [("turns", done.turns, done.keep_seconds)]
    if done.read_seconds:
        rows.append(("statements", done.statements, done.read_seconds))
    shown = [
        (what, *(_tally(kinds, names) for names in _OUTCOMES.values()), *_rate(report.turns, took))
        for what, kinds, took in rows
    ]
    rest = ("vectors still to make", *[_NONE] * len(_OUTCOMES), f"{done.embed_seconds:.1f}", _NONE)
    return Grid(title, columns, (*shown, rest))


def _tally(kinds: Mapping[str, int], names: Sequence[str]) -> str:
    return f"{sum(kinds.get(name, 0) for name in names):,}"


def _rate(turns: int, seconds: float) -> tuple[str, str]:
    return f"{seconds:.1f}", f"{turns / seconds:,.0f}" if seconds else _NONE


def task_grid(report: TaskReport) -> Grid:
    """One task: every reader, and under them what has to be reached."""
    names = [figure.name for figure in report.lines[0].figures] if report.lines else []
    rows = [
        (line.reader, line.part, f"{line.cases:,}", *map(_told, line.figures))
        for line in report.lines
    ]
    parts = dict.fromkeys(verdict.part for verdict in report.verdicts)
    bars = [_bar_row(part, names, report) for part in parts]
    title = f"{report.task}: {report.material}; {report.seconds:.1f} s"
    return Grid(title, ("reader", "of", "n", *names), (*rows, *bars))


def must_hold_grid(tasks: Sequence[TaskReport], sets: Sequence[SetReport]) -> Grid:
    """Every figure that has a bar, one row each: today's value, the bar, and whether it is met."""
    rows = [
        (each.task, _on(verdict), verdict.bar.figure, *_against(verdict, _unit(each, verdict)))
        for each in tasks
        for verdict in each.verdicts
    ]
    rows += [
        ("recall", name, verdict.bar.figure, *_against(verdict, Unit.SHARE))
        for name, verdict in recall_verdicts(sets)
    ]
    return Grid("Must hold", ("what", "on", "figure", "today", "bar", ""), tuple(rows))


def _on(verdict: Verdict) -> str:
    return "" if verdict.part == "all" else verdict.part


def _unit(report: TaskReport, verdict: Verdict) -> Unit:
    figures = (figure for line in report.lines for figure in line.figures)
    return next(each.unit for each in figures if each.name == verdict.bar.figure)


def _against(verdict: Verdict, unit: Unit) -> tuple[str, str, str]:
    sign = "≥" if verdict.bar.is_least else "≤"
    value, limit = (_told(Figure("", each, unit)) for each in (verdict.value, verdict.bar.limit))
    return value, f"{sign} {limit}", "met" if verdict.is_met else "MISSED"


def _bar_row(part: str, names: Sequence[str], report: TaskReport) -> tuple[str, ...]:
    found = {each.bar.figure: each for each in report.verdicts if each.part == part}
    cells = (_held(found[name], report.lines[0]) if name in found else "" for name in names)
    return ("bar", part, "", *cells)


def _held(verdict: Verdict, line: TaskLine) -> str:
    unit = next(each.unit for each in line.figures if each.name == verdict.bar.figure)
    sign = "≥" if verdict.bar.is_least else "≤"
    limit = _told(Figure("", verdict.bar.limit, unit))
    return f"{sign} {limit} {'met' if verdict.is_met else 'MISSED'}"


def _told(figure: Figure) -> str:
    if figure.unit is Unit.SHARE:
        return percent(figure.value)
    if figure.unit is Unit.COUNT:
        return f"{figure.value:,.0f}"
    return f"{figure.value:,.1f} {figure.unit}"


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
            _tokens(row),
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
    """A figure in per cent; of no questions there is none, and zero would be one."""
    return percent(getattr(row.marks, _FIGURES[name])) if row.questions else _NONE


def _tokens(row: Row) -> str:
    return f"{row.tokens:,.0f}" if row.questions else _NONE


def _range(low: float, high: float) -> str:
    return f"{percent(low)}-{percent(high)}"


def known_item_grid(report: KnownItemReport) -> Grid:
    """How well a store's own memories are found again."""
    columns = ("form", "n", "hit@1", "hit@5", "hit@10", "MRR", "p50 ms", "p95 ms", "not found")
    rows = tuple(
        (
            each.form, str(each.questions), *_known_item_figures(each), str(len(each.not_found)),
        )
        for each in report.forms
    )  # fmt: skip
    found = "1 memory" if report.memories == 1 else f"{report.memories:,} memories"
    title = f"{report.asked_for} of {found}, asked for by their own words"
    return Grid(title, columns, rows)


def _known_item_figures(report: FormReport) -> tuple[str, ...]:
    if not report.questions:
        return (_NONE,) * 6
    shares = (report.hit_at_1, report.hit_at_5, report.hit_at_10, report.reciprocal_rank)
    times = (report.latency_p50, report.latency_p95)
    return (*map(percent, shares), *(f"{each:.1f}" for each in times))


def percent(share: float) -> str:
    """A share in per cent with one digit."""
    return f"{100 * share:.1f}"
