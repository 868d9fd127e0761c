"""What recall must reach on the development sets: as much as before, and what is current first."""

from collections.abc import Iterator, Sequence

from engram.evaluation.report import SetReport
from engram.evaluation.task_report import Bar, Verdict

# R@10 and NDCG@10 before reading by quotes, in shares; none may fall by more than 0.3 points.
BEFORE = {
    "locomo": (0.834, 0.679),
    "realtalk": (0.778, 0.640),
    "beam-100K": (0.694, 0.590),
    "beam-500K": (0.646, 0.556),
    "prefeval": (0.457, 0.252),
}
_MAY_FALL = 0.003
_LEAST_CURRENT = 24 / 25
_WITH_UPDATES = "beam"


def recall_verdicts(sets: Sequence[SetReport]) -> Iterator[tuple[str, Verdict]]:
    """The bars of the sets that were measured, each with the name of the set."""
    for each in sets:
        if each.methods and each.name in BEFORE:
            marks = each.methods[0].total.marks
            recall, ndcg = BEFORE[each.name]
            yield each.name, _held("R@10", marks.recall_at_10, recall - _MAY_FALL)
            yield each.name, _held("NDCG", marks.ndcg_at_10, ndcg - _MAY_FALL)
    current = [
        each.methods[0].current_before_stale
        for each in sets
        if each.methods and each.name.startswith(_WITH_UPDATES)
    ]
    told = [each for each in current if each is not None]
    if told:
        questions = sum(each.questions for each in told)
        right = sum(each.share * each.questions for each in told)
        name = f"BEAM, {questions} questions"
        yield name, _held("current before stale", right / questions, _LEAST_CURRENT)


def _held(figure: str, value: float, limit: float) -> Verdict:
    bar = Bar(figure, limit)
    return Verdict(bar, "all", value, bar.is_met(round(value, 6)))
