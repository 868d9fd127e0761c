"""The rows of the truth table, each a task that can be run alone, and what each needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engram.evaluation import truth_answers as answers
from engram.evaluation import truth_cost as cost
from engram.evaluation import truth_reading as reading
from engram.evaluation import truth_times as times
from engram.evaluation import truth_updates as updates
from engram.evaluation.corpus import LANGUAGES
from engram.evaluation.task_report import TaskReport
from engram.evaluation.truth_stores import Tick, Truth


@dataclass(frozen=True, slots=True)
class TruthTask:
    """How a row is measured, and which kinds of rows of the corpus it needs."""

    measure: Callable[[Truth, Tick], TaskReport]
    kinds: tuple[str, ...] = ()


TRUTH_TASKS: Mapping[str, TruthTask] = {
    "quotes": TruthTask(reading.measure_quotes, ("turns",)),
    "keep": TruthTask(reading.measure_keep, ("turns",)),
    "updates": TruthTask(updates.measure_updates, ("pairs",)),
    "retired": TruthTask(updates.measure_retired, ("stores",)),
    "past-events": TruthTask(updates.measure_past_events),
    "current": TruthTask(answers.measure_current, ("stores",)),
    "confidence": TruthTask(answers.measure_confidence, ("stores",)),
    "crowd": TruthTask(answers.measure_crowd, ("stores", "turns")),
    "asked": TruthTask(answers.measure_asked, ("asked",)),
    "time-questions": TruthTask(times.measure_time_questions),
    "times": TruthTask(reading.measure_times, ("times",)),
    "names": TruthTask(reading.measure_names, ("names",)),
    "languages": TruthTask(answers.measure_languages, (LANGUAGES,)),
    "reading": TruthTask(cost.measure_reading, ("turns",)),
    "rules": TruthTask(cost.measure_rules),
}


def can_measure(task: str, truth: Truth) -> bool:
    """Whether the corpus has what a row needs."""
    return all(map(truth.corpus.has, TRUTH_TASKS[task].kinds))
