"""What an evaluation found: plain values made from the answers; their look is for others."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engram.evaluation.conversations import ConversationSet, LostEvidence
from engram.evaluation.metrics import (
    Marks,
    auroc,
    interval,
    is_current_first,
    marks,
    mean,
    mean_marks,
    recall_at,
)
from engram.evaluation.put_in import PutIn
from engram.evaluation.rankings import Found
from engram.evaluation.task_report import TaskReport
from engram.evaluation.trial import Answer, Trial
from engram.memory.figures import percentile

EVERYTHING = "all"
CURVE_AT = (1, 2, 3, 5, 10, 15, 20)
_FEWEST_FOR_INTERVAL = 10  # drawn from fewer, a bootstrap promises more than it knows


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one category, or of all, over the questions that have an answer."""

    category: str
    questions: int
    marks: Marks
    tokens: float  # mean length of the first ten hits


@dataclass(frozen=True, slots=True)
class Share:
    """A share with the number it is of."""

    share: float
    questions: int


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What the first k hits cost and bring."""

    hits: int
    tokens: float
    recall: float


@dataclass(frozen=True, slots=True)
class MethodReport:
    """One way to search, on one set."""

    method: str
    total: Row
    categories: tuple[Row, ...]
    # Of recall at 10: 95 %, bootstrapped; none from fewer than ten questions.
    recall_interval: tuple[float, float] | None
    abstention_auroc: float | None  # confidence of answerable questions against the others
    unanswerable: int
    current_before_stale: Share | None
    latency_p50: float  # milliseconds
    latency_p95: float
    curve: tuple[CurvePoint, ...]


@dataclass(frozen=True, slots=True)
class SetReport:
    """One set: how much went in, how long it took, and what each method found."""

    name: str
    files: int
    turns: int
    questions: int
    scored: int
    put_in: PutIn
    levels: Mapping[str, int]
    degraded: Mapping[str, int]
    lost_evidence: tuple[LostEvidence, ...]
    methods: tuple[MethodReport, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """Where it ran, as far as figures depend on it; nothing that tells one machine from another."""

    system: str
    processor: str
    cores: int
    python: str


@dataclass(frozen=True, slots=True)
class Report:
    """One evaluation."""

    version: str
    at: datetime
    machine: Machine
    changed_settings: Mapping[str, object]
    through: str  # by which call turns went in
    sets: tuple[SetReport, ...]
    tasks: tuple[TaskReport, ...]
    notes: tuple[str, ...]


def report_set(group: ConversationSet, trials: Sequence[Trial]) -> SetReport:
    """The figures of one set from all that was measured on it."""
    answers = [answer for trial in trials for answer in trial.answers]
    # Only what answered every question: an embedder that broke half-way compares with nothing.
    first = answers[0].found if answers else ()
    methods = [name for name in first if all(name in answer.found for answer in answers)]
    return SetReport(
        name=group.name,
        files=len(group.conversations),
        turns=group.turns,
        questions=group.questions,
        scored=sum(answer.asked.is_scored for answer in answers),
        put_in=_put_in([trial.put_in for trial in trials]),
        levels=_summed([trial.levels for trial in trials]),
        degraded=_summed([trial.degraded for trial in trials]),
        lost_evidence=tuple(lost for each in group.conversations for lost in each.lost_evidence),
        methods=tuple(report_method(name, answers) for name in methods),
    )


def _put_in(many: Sequence[PutIn]) -> PutIn:
    return PutIn(
        turns=_summed([each.turns for each in many]),
        statements=_summed([each.statements for each in many]),
        keep_seconds=sum(each.keep_seconds for each in many),
        read_seconds=sum(each.read_seconds for each in many),
        embed_seconds=sum(each.embed_seconds for each in many),
    )


def _summed(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(sorted(total.items()))


def report_method(method: str, answers: Sequence[Answer]) -> MethodReport:
    """The figures of one method over all answers of a set."""
    scored = [answer for answer in answers if answer.asked.is_scored]
    everything = _row(EVERYTHING, method, scored)
    names = sorted({answer.asked.category for answer in scored})
    known, unknown = _confidences(method, answers)
    latencies = [answer.found[method].milliseconds for answer in answers]
    return MethodReport(
        method=method,
        total=everything,
        categories=tuple(
            _row(name, method, [each for each in scored if each.asked.category == name])
            for name in names
        ),
        recall_interval=_interval([_marks(method, each).recall_at_10 for each in scored]),
        abstention_auroc=auroc(known, unknown),
        unanswerable=len(unknown),
        current_before_stale=_current_before_stale(method, scored),
        latency_p50=percentile(latencies, 0.5),
        latency_p95=percentile(latencies, 0.95),
        curve=tuple(_point(k, method, scored) for k in CURVE_AT) if scored else (),
    )


def _interval(values: Sequence[float]) -> tuple[float, float] | None:
    return interval(values) if len(values) >= _FEWEST_FOR_INTERVAL else None


def _row(category: str, method: str, answers: Sequence[Answer]) -> Row:
    return Row(
        category=category,
        questions=len(answers),
        marks=mean_marks([_marks(method, answer) for answer in answers]),
        tokens=mean([sum(answer.found[method].tokens[:10]) for answer in answers]),
    )


def _marks(method: str, answer: Answer) -> Marks:
    session_of = {turn.id: turn.session for turn in answer.conversation.turns}
    return marks(answer.found[method].turns, answer.asked.evidence, session_of)


def _confidences(method: str, answers: Sequence[Answer]) -> tuple[list[float], list[float]]:
    known: list[float] = []
    unknown: list[float] = []
    for answer in answers:
        side = known if answer.asked.is_answerable else unknown
        side.append(answer.found[method].confidence)
    return known, unknown


def _current_before_stale(method: str, answers: Sequence[Answer]) -> Share | None:
    verdicts = [
        is_current_first(answer.found[method].turns, answer.asked.evidence, answer.asked.stale)
        for answer in answers
    ]
    told = [verdict for verdict in verdicts if verdict is not None]
    return Share(mean([float(verdict) for verdict in told]), len(told)) if told else None


def _point(k: int, method: str, answers: Sequence[Answer]) -> CurvePoint:
    return CurvePoint(
        hits=k,
        tokens=mean([sum(answer.found[method].tokens[:k]) for answer in answers]),
        recall=mean([_recall_within(answer.found[method], answer, k) for answer in answers]),
    )


def _recall_within(found: Found, answer: Answer, k: int) -> float:
    turns = found.turns_within(k)
    return recall_at(turns, answer.asked.evidence, len(turns))
