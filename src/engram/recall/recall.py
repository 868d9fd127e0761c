"""From a question to ranked memories, by text: gather, rank, cut to the budget, assess, explain."""

import time
from dataclasses import dataclass

from engram.memory.lexicon import standing_terms
from engram.memory.record import Memory
from engram.memory.staleness import as_seen
from engram.memory.trust import TrustScore, trust_score
from engram.memory.vocabulary import RetentionMode
from engram.recall.options import RecallOptions
from engram.recall.question import Question
from engram.recall.result import Hit, Quality, RecallResult, Signal, Why
from engram.storage.reader import StoreReader, TextMatch

LEVEL = "text_only"
DEGRADED = ("vectors: this version has no embedder, so meaning without shared words is not found",)
_CONFIDENT = 0.6  # the share of the question's terms that the best hit holds
_WORDS_ONLY = 0.1  # "what is the" says nothing that could be known
_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class _Ranked:
    memory: Memory
    text_rank: int
    relevance: float
    coverage: float
    found: tuple[str, ...]
    trust: TrustScore
    score: float


def recall(
    question: Question, see: StoreReader, options: RecallOptions, mode: RetentionMode
) -> RecallResult:
    """Return the memories that best answer the question, best first."""
    started = time.perf_counter()
    matches = gather(question, see, options)
    ranked = rank(matches, question, options, mode)
    kept = within_budget(ranked[: question.limit], question.budget)
    hits = tuple(_hit(each, see) for each in kept)
    covered = max((each.coverage for each in kept), default=0.0)
    confidence = covered if question.has_content else min(covered, _WORDS_ONLY)
    quality = Quality(
        candidates=len(matches),
        returned=len(hits),
        average_relevance=sum(hit.score for hit in hits) / len(hits) if hits else 0.0,
        tokens=sum(tokens(hit.memory) for hit in hits),
        milliseconds=(time.perf_counter() - started) * 1000,
    )
    return RecallResult(hits, quality, confidence, assessment(hits, confidence), LEVEL, DEGRADED)


def gather(question: Question, see: StoreReader, options: RecallOptions) -> list[TextMatch]:
    """The candidates, filtered before they are cut."""
    return see.search_text(
        question.terms,
        question.moments,
        question.filters,
        types=question.types,
        limit=max(options.candidates, question.limit),
    )


def rank(
    matches: list[TextMatch], question: Question, options: RecallOptions, mode: RetentionMode
) -> list[_Ranked]:
    """Order by rarity and share of terms found, lifted or lowered a little by trust."""
    if not matches:
        return []
    best = min(match.rank for match in matches) or -1.0
    now = question.moments.now
    ranked = []
    for position, match in enumerate(matches, start=1):
        found = tuple(term.text for term in standing_terms(question.terms, match.memory.content))
        coverage = len(found) / len(question.terms)
        share = options.coverage_weight
        relevance = (1 - share) * (match.rank / best) + share * coverage
        trust = trust_score(match.memory, relevance, now, mode)
        # Not by use: what was asked for before would win over what is newer.
        score = relevance * (1 - options.trust_weight * (1 - trust.accuracy))
        memory = as_seen(match.memory, question.moments.instant)
        ranked.append(_Ranked(memory, position, relevance, coverage, found, trust, score))
    ranked.sort(key=lambda each: (-each.score, -each.memory.number))
    return ranked


def within_budget(ranked: list[_Ranked], budget: int | None) -> list[_Ranked]:
    """As many of the best as fit; one that does not fit leaves room for shorter ones."""
    if budget is None:
        return ranked
    kept, left = [], budget
    for each in ranked:
        cost = tokens(each.memory)
        if cost <= left:
            kept.append(each)
            left -= cost
    return kept


def tokens(memory: Memory) -> int:
    """An estimate of what a memory takes in a prompt."""
    return -(-len(memory.content) // _CHARACTERS_PER_TOKEN)


def assessment(hits: tuple[Hit, ...], confidence: float) -> str:
    """Whether the store seems to hold an answer."""
    if not hits:
        return "unknown"
    return "confident" if confidence >= _CONFIDENT else "uncertain"


def _hit(ranked: _Ranked, see: StoreReader) -> Hit:
    memory = ranked.memory
    own = (memory.reference,) if memory.reference else ()
    confirmed = see.references(memory.number) if memory.usage.confirmations else []
    signal = Signal("text", ranked.text_rank, ranked.relevance, ", ".join(ranked.found))
    return Hit(
        memory=memory,
        score=ranked.score,
        trust=ranked.trust,
        references=tuple(dict.fromkeys((*own, *confirmed))),
        why=Why((signal,)),
    )
