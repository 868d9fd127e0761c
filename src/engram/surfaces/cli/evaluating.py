"""The command that measures recall and capture on a folder, or recall on a store of one's own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call, no_store
from engram.surfaces.cli.command import Panel, command

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine import Engram
    from engram.evaluation.known_items import KnownItemReport
    from engram.evaluation.report import Report
    from engram.evaluation.tables import Grid

_STAGES = {"put in": "Putting in", "read": "Reading", "ask": "Asking", "compare": "Comparing"}
_MOST_LABELS = 20

Advance = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, and where the report goes."""

    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME", help="Only this set; repeatable."),
    ] = None
    limit_files: Annotated[
        int | None, typer.Option(metavar="N", help="Only the first N files of each set.")
    ] = None
    through: Annotated[
        str, typer.Option(metavar="CALL", help="How turns go in: observe or remember.")
    ] = "observe"
    only: Annotated[
        str | None, typer.Option(metavar="PART", help="Only this part: recall or tasks.")
    ] = None
    tasks: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="NAME", help="Only this task, no recall; repeatable."),
    ] = None
    limit: Annotated[
        int | None, typer.Option(metavar="N", help="Of a corpus, only N rows of each kind.")
    ] = None
    full: Annotated[
        bool, typer.Option("--full", help="Of a corpus, also among 100,000 other turns.")
    ] = False
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the report is written.")] = (
        Path("engram-eval")
    )
    no_baselines: Annotated[
        bool, typer.Option("--no-baselines", help="Do not compare with BM25, MiniLM and RRF.")
    ] = False
    own: Annotated[
        bool,
        typer.Option("--own", help="Ask the store for its own memories; nothing is written to it."),
    ] = False
    questions: Annotated[
        int, typer.Option(metavar="N", help="With --own: how many memories are asked for.")
    ] = 200


@command("eval", panel=Panel.CARE, example="engram eval ./conversations --set locomo")
def evaluate(
    call: Call,
    measure: Measure,
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="Conversations with questions, as JSON files."),
    ] = None,
) -> None:
    """Measure what is kept and how well it is found, beside plain baselines."""
    if measure.own:
        _measure_own_store(call, measure, folder)
    elif folder is None:
        raise InvalidInput(hint="Name a folder of conversations, or give --own for your own store.")
    else:
        _measure_folder(call, measure, folder)


def _measure_folder(call: Call, measure: Measure, folder: Path) -> None:
    from engram.evaluation import EvaluationOptions
    from engram.evaluation import evaluate as run
    from engram.evaluation.files import document, write_report

    options = EvaluationOptions(
        sets=tuple(measure.sets or ()),
        limit_files=measure.limit_files,
        has_baselines=not measure.no_baselines,
        through=measure.through,
        only=measure.only,
        tasks=tuple(measure.tasks or ()),
        limit=measure.limit,
        is_full=measure.full,
    )
    with _progress() as progress:
        report = run(folder.expanduser(), options, progress=progress)
    files = write_report(report, measure.out.expanduser())
    call.show(document(report), lambda: _report_picture(report, files))


def _measure_own_store(call: Call, measure: Measure, folder: Path | None) -> None:
    from engram.evaluation import find_known_items
    from engram.evaluation.files import document, write_known_items

    chosen = (folder, measure.limit_files, measure.only, measure.sets, measure.tasks)
    if any(each is not None for each in chosen):
        raise InvalidInput(hint="--own asks the store itself: it takes no folder, sets or tasks.")
    with _read_only(call) as engram, _progress() as progress:
        report = find_known_items(engram, measure.questions, scope=call.part, progress=progress)
    files = write_known_items(report, measure.out.expanduser())
    call.show(document(report), lambda: _known_item_picture(report, files))


@contextmanager
def _read_only(call: Call) -> "Iterator[Engram]":
    """The caller's store, opened so that being asked leaves no trace in it, not even a use."""
    from engram.memory.scopes import Principal
    from engram.wiring import open_engram

    if call.is_folder and not call.folder.exists():
        raise no_store(call.folder)
    with open_engram(
        call.store,
        principal=Principal.of(call.caller),
        passphrase=call.passphrase,
        read_only=True,
    ) as engram:
        yield engram


@contextmanager
def _progress() -> Iterator[Advance]:
    """Bars on stderr while it runs, on a terminal only: stdout belongs to the answer."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    screen = terminal.console(stderr=True)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TimeRemainingColumn(),
        console=screen, disable=not screen.is_terminal,
    ) as bars:  # fmt: skip
        tasks = {}

        def advance(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(_STAGES.get(stage, f"Scoring {stage}"), total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield advance


def _report_picture(report: "Report", files: tuple[Path, ...]) -> "RenderableType":
    from engram.evaluation.chart import character_plot
    from engram.evaluation.tables import (
        LEGEND,
        TASK_LEGEND,
        must_hold_grid,
        task_grid,
        terminal_grids,
    )

    found: list[RenderableType] = []
    if report.sets:
        found.append(terminal.styled(f"Turns went in through {report.through}."))
    for each in report.sets:
        found += map(_table, terminal_grids(each))
        found += [terminal.styled(line) for line in character_plot(each).splitlines()]
        found.append(terminal.styled(""))
    if report.sets:
        found.append(terminal.styled(LEGEND, "dim"))
    found += [_table(task_grid(each)) for each in report.tasks]
    if report.tasks:
        found.append(terminal.styled(TASK_LEGEND, "dim"))
    bars = must_hold_grid(report.tasks, report.sets)
    if bars.rows:
        found.append(_table(bars))
    found += [terminal.styled(note, "yellow") for note in report.notes]
    return pictures.stack(*found, _written(files))


def _known_item_picture(report: "KnownItemReport", files: tuple[Path, ...]) -> "RenderableType":
    from engram.evaluation.tables import known_item_grid

    found: list[RenderableType] = [_table(known_item_grid(report))]
    for form in report.forms:
        if form.not_found:
            labels = ", ".join(form.not_found[:_MOST_LABELS])
            more = len(form.not_found) - _MOST_LABELS
            rest = f" and {more} more" if more > 0 else ""
            found.append(terminal.styled(f"Not found ({form.form}): {labels}{rest}", "yellow"))
    if report.too_short:
        drawn = pictures.counted(report.too_short, "memory was", "memories were")
        short = f"{drawn} drawn with too few words to ask by."
        found.append(terminal.styled(short, "dim"))
    return pictures.stack(*found, _written(files))


def _table(grid: "Grid") -> "RenderableType":
    made = pictures.table(*grid.columns, title=grid.title)
    made.padding = (0, 1, 0, 0)  # as narrow as it can be: there are many columns
    for column in made.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    for row in grid.rows:
        made.add_row(*(terminal.styled(cell) for cell in row))
    return made


def _written(files: tuple[Path, ...]) -> "RenderableType":
    return terminal.styled(f"Written: {', '.join(map(str, files))}", "dim")
