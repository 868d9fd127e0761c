"""Recall by the database's own text index alone: what is left when nothing is held in memory."""

from engram.memory.staleness import as_seen
from engram.memory.trust import trust_score
from engram.memory.vocabulary import RetentionMode
from engram.recall.budget import quality_of, tokens, within_budget
from engram.recall.confidence import WORDS_ONLY, assessment
from engram.recall.options import RecallOptions
from engram.recall.question import Question
from engram.recall.result import Hit, RecallResult, Signal, Stage, Why
from engram.recall.trace import Trace
from engram.storage.reader import StoreReader, TextMatch
from engram.text.terms import standing_terms

REDUCED = "reduced"
_REASON = "memory: ranking in memory is switched off, so words alone decide"
_COVERAGE_SHARE = 0.5  # how much the share of terms found counts against their rarity


def reduced_recall(
    question: Question,
    see: StoreReader,
    options: RecallOptions,
    mode: RetentionMode,
    trace: Trace,
) -> RecallResult:
    """The memories whose words match best; every filter comes before the cut."""
    trace.degraded.append(_REASON)
    if question.is_cut:
        trace.fail("question", f"only its first {options.max_query_bytes} bytes were read")
    with trace.stage("text") as notes:
        hits = ordered_hits(question, see, options, mode)
        notes.count = len(hits)
    kept = tuple(_fitting(hits, question))
    covered = max((hit.probability for hit in kept), default=0.0)
    confidence = covered if question.has_content else min(covered, WORDS_ONLY)
    known = assessment(confidence, has_hits=bool(kept))
    quality = quality_of(kept, len(hits), trace.milliseconds)
    return RecallResult(
        kept, quality, confidence, known, REDUCED,
        tuple(trace.degraded), tuple(trace.stages),
    )  # fmt: skip


def ordered_hits(
    question: Question, see: StoreReader, options: RecallOptions, mode: RetentionMode
) -> list[Hit]:
    """Everything the text index finds, best first, before limit and budget."""
    matches = see.search_text(
        question.terms, question.moments, question.filters, types=question.types,
        limit=max(options.candidates, question.limit),
    )  # fmt: skip
    best = min((match.rank for match in matches), default=-1.0) or -1.0
    hits = [
        _hit(match, place, best, question, see, options, mode)
        for place, match in enumerate(matches, start=1)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, -hit.memory.number))


def _fitting(hits: list[Hit], question: Question) -> list[Hit]:
    return within_budget(hits[: question.limit], question.budget, lambda hit: tokens(hit.memory))


def reduced_stages(
    number: int,
    question: Question,
    see: StoreReader,
    options: RecallOptions,
    mode: RetentionMode,
) -> list[Stage]:
    """The same stages with one memory in hand."""
    hits = ordered_hits(question, see, options, mode)
    found = next((hit for hit in hits if hit.memory.number == number), None)
    if found is None:
        return [Stage("text", False, f"not among the {len(hits)} that the text index finds")]
    is_within = found in hits[: question.limit]
    stages = [
        Stage("text", True, str(found.why)),
        Stage("limit", is_within, f"the best {question.limit} are given back"),
    ]
    if is_within and question.budget is not None:
        fits = found in _fitting(hits, question)
        stages.append(Stage("budget", fits, f"{question.budget} tokens are to be filled"))
    return stages


def _hit(
    match: TextMatch,
    place: int,
    best: float,
    question: Question,
    see: StoreReader,
    options: RecallOptions,
    mode: RetentionMode,
) -> Hit:
    found = standing_terms(question.terms, match.memory.content)
    coverage = len(found) / len(question.terms)
    relevance = (1 - _COVERAGE_SHARE) * (match.rank / best) + _COVERAGE_SHARE * coverage
    trust = trust_score(match.memory, relevance, question.moments.now, mode)
    score = relevance * (1 - options.trust_weight * (1 - trust.accuracy))
    memory = as_seen(match.memory, question.moments.instant)
    signal = Signal("text", place, relevance, ", ".join(term.text for term in found))
    return Hit(memory, score, trust, see.references_of(memory), Why((signal,)), coverage)
