"""From a question to ranked, explained memories: rank, floor, budget, assess, explain."""

import numpy as np
from numpy.typing import NDArray

from engram.recall.budget import quality_of, tokens, within_budget
from engram.recall.confidence import assessment
from engram.recall.embed_question import QuestionVector
from engram.recall.meaning import LEAST_ALONE, LEAST_AT_ALL, LEAST_SIMILARITY
from engram.recall.presentation import Ranked
from engram.recall.question import Question
from engram.recall.ranking import Ranking, RecallParts, rank
from engram.recall.reasons import reasons
from engram.recall.reduced import reduced_recall
from engram.recall.result import Hit, RecallResult
from engram.recall.trace import Trace
from engram.storage.reader import StoreReader

FULL, TEXT_ONLY = "full", "text_only"
_ALWAYS_SHOWN = 3
_TAIL = 0.03  # of the first hit's score: what is further behind is not worth reading


def recall(
    question: Question,
    see: StoreReader,
    parts: RecallParts,
    query: QuestionVector | None = None,
) -> RecallResult:
    """Return the memories that best answer the question, best first."""
    trace = Trace(earlier=query.milliseconds if query else 0.0)
    if not parts.options.in_memory:
        return reduced_recall(question, see, parts.options, parts.mode, trace)
    if question.is_cut:
        trace.fail("question", f"only its first {parts.options.max_query_bytes} bytes were read")
    ranking = rank(question, see, parts, trace, query)
    with trace.stage("floor") as notes:
        worth = above_floor(ranking, question)
        notes.count = len(worth)
    with trace.stage("budget") as notes:
        kept = fitting(worth, question)
        notes.count = len(kept)
    with trace.stage("explain"):
        hits = tuple(_hit(each, ranking, see) for each in kept)
    confidence = ranking.probability if hits else 0.0
    return RecallResult(
        hits=hits,
        quality=quality_of(hits, len(ranking.scored.order), trace.milliseconds),
        confidence=confidence,
        assessment=assessment(confidence, has_hits=bool(hits)),
        level=TEXT_ONLY if ranking.asked.nearness is None else FULL,
        degraded=tuple(trace.degraded),
        trace=tuple(trace.stages),
    )


def above_floor(ranking: Ranking, question: Question) -> list[Ranked]:
    """What has any claim to be an answer: when nothing has, nothing is given back.

    Whoever names a limit or a budget gets what is far behind the first hit too.
    """
    if not ranking.plan.terms:
        return []  # signs alone ask for nothing
    similarity, enough = _seen_similarity(ranking), _nearness_needed(ranking)
    claims = _claims(ranking)
    worth = [
        each
        for each in ranking.ranked
        if claims[each.place] or similarity[each.place] >= enough or _answers(each)
    ]
    if question.wants_all and worth:
        return worth
    least = _TAIL * worth[0].score if worth else 0.0
    told = {each.place for each in worth if each.score > least}
    # Of the nearest few also what is near at all; the assessment says how much that is worth.
    told |= {
        each.place
        for each in ranking.ranked[:_ALWAYS_SHOWN]
        if claims[each.place] or similarity[each.place] >= LEAST_AT_ALL
    }
    return [each for each in ranking.ranked if each.place in told]


def _answers(hit: Ranked) -> bool:
    """Whether it was read beside the question and is more likely an answer than not."""
    return hit.read is not None and hit.read > 0


def _seen_similarity(ranking: Ranking) -> NDArray[np.float64]:
    """How near each candidate is; one without a vector yet has nothing but its words to show."""
    found = ranking.scored.found
    if found.nearness is None:
        return found.similarity
    return np.where(found.nearness.waiting(found.rows), -1.0, found.similarity)


def _nearness_needed(ranking: Ranking) -> float:
    """How near a hit without any word of the question must be; less where there are such words."""
    coverage = ranking.scored.found.text.coverage
    names_something = bool(ranking.plan.speakers or ranking.plan.spans)
    is_grounded = names_something or bool(len(coverage) and coverage.max() > 0)
    return LEAST_SIMILARITY if is_grounded else LEAST_ALONE


def _claims(ranking: Ranking) -> NDArray[np.bool_]:
    """What is found by more than its nearness: by words, links or time."""
    found = ranking.scored.found
    is_of_time = found.plan.asks_for_time  # what is not was left out before
    return np.asarray((found.text.spread > 0) | (found.activation > 0) | is_of_time)


def floor_told(ranking: Ranking, place: int) -> str:
    """How near a candidate is, and how near it would have had to be."""
    found, needed = ranking.scored.found, _nearness_needed(ranking)
    is_answer = any(_answers(each) for each in ranking.ranked if each.place == place)
    if is_answer or _claims(ranking)[place] or found.similarity[place] >= needed:
        return "too far behind the first hit; name a limit to see it"
    if found.nearness is None:
        return "none of the question's words stands in it, and nothing was compared by meaning"
    return f"similarity {found.similarity[place]:.2f}, where {needed:.2f} is needed"


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
        references=tuple(
            dict.fromkeys(
                reference
                for each in (memory, *ranked.repeats)
                for reference in see.references_of(each)
            )
        ),
        why=reasons(ranked, ranking),
        probability=ranked.probability,
    )
