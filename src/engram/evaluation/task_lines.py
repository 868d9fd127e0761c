"""Scores of the tasks as lines of a report, with the bars they are held against."""

from collections.abc import Sequence

from engram.evaluation.gold_facts import FactScore, TypeScore
from engram.evaluation.task_capture import CaptureSpeed
from engram.evaluation.task_contradiction import ContradictionScore
from engram.evaluation.task_dates import DateScore
from engram.evaluation.task_entities import EntityScore
from engram.evaluation.task_report import Bar, Figure, TaskLine, Unit
from engram.evaluation.task_screening import CLAIMED, ScreeningScore

FACT_BARS = (
    Bar("recall", 0.65),
    Bar("precision", 0.70),
    Bar("kept words", 0.45, is_least=False),
)
DATE_BARS = (Bar("exact", 0.85), Bar("false alarms", 0.05, is_least=False))
PERSONAL_BARS = (Bar("F2", 0.85),)
INJECTION_BARS = (Bar("F1", 0.75), Bar("false alarms", 0.02, is_least=False))
ENTITY_BARS = (Bar("F1", 0.70),)
CONTRADICTION_BARS = (Bar("precision", 0.90),)
CAPTURE_BARS = (Bar("observe p95", 10.0, is_least=False), Bar("read", 300.0))

_NOT_CLAIMED = "not claimed: "


def fact_line(reader: str, score: FactScore, kept_words: float) -> TaskLine:
    """What a reader kept of the facts that people wrote down, and of the words that were said."""
    return TaskLine(
        reader,
        "all",
        score.gold,
        (
            Figure("recall", score.recall),
            Figure("precision", score.precision),
            Figure("kept", score.kept, Unit.COUNT),
            Figure("kept words", kept_words),
            Figure("strict R", score.strict_recall),
            Figure("ceiling", score.ceiling),
            Figure("strict P", score.strict_precision),
            Figure("useful", score.useful_precision),
        ),
    )


def typed_line(reader: str, part: str, score: TypeScore) -> TaskLine:
    """What a reader kept of typed memories."""
    return TaskLine(
        reader,
        part,
        score.gold,
        (
            Figure("recall", score.recall),
            Figure("right type", score.accuracy),
            Figure("precision", score.precision),
            Figure("kept", score.kept, Unit.COUNT),
        ),
    )


def date_line(reader: str, score: DateScore) -> TaskLine:
    """How a reader understands times."""
    return TaskLine(
        reader,
        "all",
        score.expected,
        (
            Figure("exact", score.exact_share),
            Figure("ends as labelled", score.exact_ends_share),
            Figure("precision", score.precision),
            Figure("false alarms", score.false_alarm_share),
        ),
    )


def personal_line(reader: str, part: str, score: ScreeningScore) -> TaskLine:
    """How a reader finds one kind of personal thing, or all claimed ones together."""
    kind = part if part in ("claimed", *CLAIMED) else f"{_NOT_CLAIMED}{part}"
    return TaskLine(
        reader,
        kind,
        score.right + score.missed,
        (
            Figure("F2", score.f(2)),
            Figure("precision", score.precision),
            Figure("recall", score.recall),
        ),
    )


def injection_line(reader: str, score: ScreeningScore) -> TaskLine:
    """How a reader labels commands to the model."""
    return TaskLine(
        reader,
        "all",
        score.right + score.missed + score.clean,
        (
            Figure("F1", score.f(1)),
            Figure("precision", score.precision),
            Figure("recall", score.recall),
            Figure("false alarms", score.false_alarms),
        ),
    )


def entity_line(reader: str, score: EntityScore) -> TaskLine:
    """How a reader finds names in one language."""
    return TaskLine(
        reader,
        score.language,
        score.name_and_type.expected,
        (
            Figure("F1", score.name_and_type.f1),
            Figure("precision", score.name_and_type.precision),
            Figure("recall", score.name_and_type.recall),
            Figure("F1 of names", score.name_alone.f1),
        ),
    )


def contradiction_line(reader: str, score: ContradictionScore) -> TaskLine:
    """How a reader tells contradictions."""
    return TaskLine(
        reader,
        "all",
        score.pairs,
        (
            Figure("precision", score.precision),
            Figure("recall", score.recall),
            Figure("called", score.called, Unit.COUNT),
        ),
    )


def capture_line(reader: str, speed: CaptureSpeed) -> TaskLine:
    """How fast turns are taken in and read."""
    return TaskLine(
        reader,
        "all",
        speed.turns,
        (
            Figure("observe p50", speed.observe_p50, Unit.MILLISECONDS),
            Figure("observe p95", speed.observe_p95, Unit.MILLISECONDS),
            Figure("read", speed.read_per_second, Unit.PER_SECOND),
            Figure("read, processor", speed.read_per_processor_second, Unit.PER_SECOND),
        ),
    )


def first_of(lines: Sequence[TaskLine], reader: str, part: str) -> TaskLine:
    """The line of a reader on a part."""
    return next(line for line in lines if (line.reader, line.part) == (reader, part))
