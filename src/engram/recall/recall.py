"""From a question to ranked, explained memories: rank, floor, budget, assess, explain."""

from engram.recall.budget import quality_of, tokens, within_budget
from engram.recall.confidence import assessment
from engram.recall.meaning import LEAST_ALONE, LEAST_SIMILARITY
from engram.recall.question import Question
from engram.recall.ranking import Ranked, Ranking, RecallParts, rank
from engram.recall.reasons import reasons
from engram.recall.reduced import reduced_recall
from engram.recall.result import Hit, RecallResult
from engram.recall.signals import TIME
from engram.recall.trace import Trace
from engram.storage.reader import StoreReader

FULL, TEXT_ONLY = "full", "text_only"
_WORDS_ONLY = 0.1  # "what is the" says nothing that could be known


def recall(question: Question, see: StoreReader, parts: RecallParts) -> RecallResult:
    """Return the memories that best answer the question, best first."""
    trace = Trace()
    if not parts.options.in_memory:
        return reduced_recall(question, see, parts.options, parts.mode, trace)
    ranking = rank(question, see, parts, trace)
    with trace.stage("floor") as notes:
        worth = above_floor(ranking)
        notes.count = len(worth)
    with trace.stage("budget") as notes:
        kept = fitting(worth, question)
        notes.count = len(kept)
    with trace.stage("explain"):
        hits = tuple(_hit(each, ranking, see) for each in kept)
    confidence = ranking.probability if hits else 0.0
    if not ranking.plan.has_content:
        confidence = min(confidence, _WORDS_ONLY)
    return RecallResult(
        hits=hits,
        quality=quality_of(hits, len(ranking.scored.order), trace.milliseconds),
        confidence=confidence,
        assessment=assessment(confidence, has_hits=bool(hits)),
        level=TEXT_ONLY if ranking.asked.nearness is None else FULL,
        degraded=tuple(trace.degraded),
        trace=tuple(trace.stages),
    )


def above_floor(ranking: Ranking) -> list[Ranked]:
    """What has any claim to be an answer: when nothing has, nothing is given back."""
    if not ranking.plan.terms:
        return []  # signs alone ask for nothing
    found = ranking.scored.found
    coverage, similarity = found.text.coverage, found.similarity
    names_something = bool(ranking.plan.speakers or ranking.plan.spans)
    is_grounded = names_something or bool(len(coverage) and coverage.max() > 0)
    enough = LEAST_SIMILARITY if is_grounded else LEAST_ALONE
    is_of_time = (ranking.scored.signals[:, TIME] > 0) & found.plan.asks_for_time
    return [
        each
        for each in ranking.ranked
        if found.text.spread[each.place] > 0
        or similarity[each.place] >= enough
        or found.activation[each.place] > 0
        or is_of_time[each.place]
    ]


def fitting(worth: list[Ranked], question: Question) -> list[Ranked]:
    """As many of the best as were asked for and fit the budget."""
    limited = worth[: question.limit]
    return within_budget(limited, question.budget, lambda each: tokens(each.memory))


def _hit(ranked: Ranked, ranking: Ranking, see: StoreReader) -> Hit:
    memory = ranked.memory
    return Hit(
        memory=memory,
        score=ranked.score,
        trust=ranked.adjusted.trust,
        references=see.references_of(memory),
        why=reasons(ranked, ranking),
        probability=ranked.probability,
    )
