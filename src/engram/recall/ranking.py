"""From a question to an order: select, plan, gather, fuse, confirm, adjust, rerank, diversify.

`recall` cuts what comes out of here to what is asked for; `explain` looks one memory up in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engram.errors import RerankerUnavailable
from engram.memory.activation import Activated
from engram.memory.feedback import by_memory, word_similarity
from engram.memory.record import Memory
from engram.memory.staleness import as_seen
from engram.memory.vocabulary import MemoryType, RetentionMode
from engram.recall.adjust import adjust
from engram.recall.answers import AnswerReader, Read, read_answers
from engram.recall.confidence import WORDS_ONLY, Scored, answer_figures, settled
from engram.recall.current import Readings
from engram.recall.embed_question import QuestionVector, WantedVector, embed_question
from engram.recall.foreseen import FORESEEN, Foreseen, foresee
from engram.recall.gather import (
    EXHAUSTIVE,
    Asked,
    Meaning,
    by_meaning,
    candidates,
    wanted_vector,
    with_links,
)
from engram.recall.heading import leaning_plan, leaning_told
from engram.recall.options import RecallOptions, Rerank
from engram.recall.plan import Plan, plan_question, with_other_names
from engram.recall.presentation import (
    Ranked,
    Shown,
    Vectors,
    put_current_first,
    show_once,
    without_replaced_turns,
)
from engram.recall.question import Question
from engram.recall.rerank import Reranker, diverse_order, fuse_ranks, likeness
from engram.recall.selection import Selection, Selections, select, visible
from engram.recall.signals import SPEAKER, TIME, Candidates
from engram.recall.time_range import is_of_other_day, lies_in, with_event
from engram.recall.trace import Trace
from engram.recall.weights import Weights, load_weights
from engram.recall.wordings import WordingTable
from engram.storage.conditions import Filters
from engram.storage.reader import StoreReader

_SPARE = 10  # more than asked for, since some may not be shown and some change places
_READ_BY_RERANKER = 30
_NAME_WEIGHT = 0.15  # of a speaker that is named, among fused ranks


@dataclass(frozen=True, slots=True)
class RecallParts:
    """What recall works with."""

    table: WordingTable
    selections: Selections
    meaning: Meaning | None
    options: RecallOptions
    mode: RetentionMode
    reranker: Reranker | None = None
    readings: Readings = field(default_factory=Readings)
    reader: AnswerReader | None = None  # reads the first hits beside the question


@dataclass(frozen=True, slots=True)
class Ranking:
    """The order in which memories answer a question."""

    plan: Plan
    scored: Scored
    asked: Asked
    ranked: tuple[Ranked, ...]
    active: dict[int, Activated]
    vectors: Vectors  # of those ranked, where they were needed
    probability: float  # that there is an answer among them
    leaning: str = ""  # how far the question leans on the turns before it, in words


def what_to_embed(question: Question, see: StoreReader, parts: RecallParts) -> WantedVector:
    """What an embedder has to be asked before `rank` is."""
    return wanted_vector(question.text, _selection(question, see, parts), see, parts.meaning)


def expected_near(
    question: Question, see: StoreReader, parts: RecallParts, expected: QuestionVector
) -> Foreseen | None:
    """Fetch what lies where a question is expected, and make ready what any question needs.

    None where every memory is compared anyway, which takes no time worth saving.
    """
    means = parts.meaning
    selection = _selection(question, see, parts)
    if means is None or expected.vector is None or expected.space is None:
        return None
    neighbourhood = means.vectors.refresh(see.derived)
    if neighbourhood is None or neighbourhood.space.space != expected.space.space:
        return None
    placement = means.placements.of(selection, neighbourhood, see.derived)
    if len(selection) <= EXHAUSTIVE or not placement.count:
        return None
    return foresee(placement, see.derived, expected.vector)


def rank(
    question: Question,
    see: StoreReader,
    parts: RecallParts,
    trace: Trace,
    query: QuestionVector | None = None,
) -> Ranking:
    """Put the memories a caller may see in the order in which they answer a question.

    Without the question's vector it is embedded here, while the view is open.
    """
    weights = load_weights()
    if query is None:
        query = embed_question(what_to_embed(question, see, parts), parts.options.timeout_seconds)
    selection, plan, leaning = _planned(question, see, parts, query, trace)
    with trace.stage("meaning") as notes:
        asked = by_meaning(query, selection, see, parts.meaning)
        notes.earlier = query.milliseconds
        notes.count = 0 if asked.nearness is None else len(asked.nearness.rows)
        notes.detail = "; ".join(filter(None, (asked.problem, FORESEEN * asked.is_foreseen)))
    if asked.problem:
        trace.fail("meaning", asked.problem)
    with trace.stage("gather") as notes:
        plan = with_event(plan, selection, question, see)
        found, signals, active = with_links(candidates(plan, selection, asked), see, weights)
        found, kept = found.stating()
        signals = signals[kept]
        notes.count = len(found.rows)
    if found.problem:
        trace.fail("meaning", found.problem)
    with trace.stage("fuse") as notes:
        scored = _score(found, signals, weights, parts.options, question)
        notes.count = len(scored.order)
    with trace.stage("confirm") as notes:
        confirmed = _confirm(scored, question, see)
        notes.count = len(confirmed)
    with trace.stage("adjust") as notes:
        ranked = _adjusted(confirmed, scored, question, see, parts)
        notes.count = len(ranked)
    with trace.stage("rerank"):
        vectors = _vectors(ranked, asked, see, plan, parts.options)
        ranked = _reranked(ranked, question, parts, vectors, trace)
    with trace.stage("diversify") as notes:
        if _is_plain(question) and not plan.asks_about_past:
            ranked = without_replaced_turns(ranked, see)
        shown = show_once(ranked, see)
        notes.count = len(shown.ranked)
    read = _read(shown, scored, question, parts, weights, trace)
    if read is not None:
        shown = shown.in_order(read.ranked)
    probability = scored.answer if read is None else _asked_for(read.probability, scored, question)
    with trace.stage("current"):
        changes = () if read is None else read.changes
        ranked = put_current_first(shown, see, scored, vectors, parts.readings, changes)
    return Ranking(plan, scored, asked, tuple(ranked), active, vectors, probability, leaning)


def _planned(
    question: Question,
    see: StoreReader,
    parts: RecallParts,
    query: QuestionVector,
    trace: Trace,
) -> tuple[Selection, Plan, str]:
    """What may be looked at, what is looked for, and how far the turns before take part in it."""
    with trace.stage("select") as notes:
        selection = _selection(question, see, parts)
        notes.count = len(selection)
    _tell_lacking(selection, trace)
    with trace.stage("plan") as notes:
        plan = plan_question(question.text, selection.people, question.moments.instant)
        plan = with_other_names(plan, see.entities.aliases())
        plan = leaning_plan(plan, question.heading, question.telling)
        leaning = leaning_told(query, question.heading, plan)
        notes.detail = "; ".join(filter(None, (plan.intent.value, leaning)))
    return selection, plan, leaning


def _read(
    shown: Shown,
    scored: Scored,
    question: Question,
    parts: RecallParts,
    weights: Weights,
    trace: Trace,
) -> Read | None:
    """Let the reader look at the first hits, where the order is the fitted one."""
    if parts.reader is None or Rerank(parts.options.rerank) is not Rerank.NONE:
        return None
    with trace.stage("read") as notes:
        read = read_answers(shown.ranked, scored, question.text, parts.reader, weights, trace)
        notes.count = 0 if read is None else sum(each.read is not None for each in read.ranked)
    return read


def _tell_lacking(selection: Selection, trace: Trace) -> None:
    if lacking := int(np.count_nonzero(selection.wordings.is_lacking[selection.rows])):
        trace.fail(
            "words", f"those of {lacking} memories are missing: run `engram doctor --repair`"
        )


def _selection(question: Question, see: StoreReader, parts: RecallParts) -> Selection:
    """What may be looked at: conditions come before anything is compared."""
    wordings = parts.table.refresh(see.derived)
    if _is_plain(question):
        return parts.selections.of(wordings, see.reach)
    states = np.array(
        see.selectable_states(question.moments, question.filters, question.types), dtype=np.int64
    )
    mask = np.zeros(len(wordings), dtype=np.bool_)
    mask[wordings.rows_of_states(states)] = True
    return select(wordings, mask & visible(wordings, see.reach))


def _is_plain(question: Question) -> bool:
    moments = question.moments
    return (
        question.filters == Filters()
        and len(question.types) == len(MemoryType)
        and moments.as_of is None
        and moments.known_at is None
    )


def _score(
    found: Candidates,
    signals: NDArray[np.float64],
    weights: Weights,
    options: RecallOptions,
    question: Question,
) -> Scored:
    """The weighed sums, the probability of an answer, and from both how relevant each one is."""
    sums = signals @ weights.signals
    numbers = found.selection.wordings.numbers[found.rows]
    plain = Scored(found, signals, sums, sums, np.lexsort((-numbers, -sums)))
    answer = _probability(plain, weights, question)
    chances = relevance_of(sums, answer, weights)
    is_fused = options.rerank in (Rerank.RRF, Rerank.RRF_THEN_MMR)
    relevance = _fused(found, signals) if is_fused else chances
    order = np.lexsort((-numbers, -sums, -relevance))
    return Scored(found, signals, sums, relevance, order, answer, chances)


def relevance_of(sums: NDArray[np.float64], answer: float, weights: Weights) -> NDArray[np.float64]:
    """How likely each candidate answers: by what it lacks to the best, and what that is worth."""
    return weights.hit.of_each({"behind": sums.max(initial=-np.inf) - sums, "answer": answer})


def _fused(found: Candidates, signals: NDArray[np.float64]) -> NDArray[np.float64]:
    share = found.plan.text_share
    rankings = [found.spread, found.near, signals[:, TIME], signals[:, SPEAKER]]
    return fuse_ranks(rankings, [share, 1 - share, found.plan.search.time_weight, _NAME_WEIGHT])


def _confirm(scored: Scored, question: Question, see: StoreReader) -> list[tuple[int, Memory]]:
    """The best candidates as the store itself shows them; more are tried until there are enough."""
    wordings, rows = scored.found.selection.wordings, scored.found.rows
    wanted = question.limit + _SPARE
    confirmed: list[tuple[int, Memory]] = []
    tried = 0
    while tried < len(scored.order) and len(confirmed) < wanted:
        places = scored.order[tried : tried + max(wanted - len(confirmed), _SPARE)]
        tried += len(places)
        states = wordings.states[rows[places]].tolist()
        memories = see.confirmed(states, question.moments, question.filters, question.types)
        confirmed += [
            (int(place), memories[state])
            for place, state in zip(places, states, strict=True)
            if state in memories and _may_answer(memories[state], scored, question)
        ]
        if any(memory.is_drawn for _, memory in confirmed):
            wanted = 2 * question.limit + _SPARE  # a turn will tell several of them
    return confirmed


def _may_answer(memory: Memory, scored: Scored, question: Question) -> bool:
    """Whether a memory may be shown; whoever asks for a time alone gets what lies in it.

    An appointment of an earlier "tomorrow" is no answer about the next one.
    """
    plan = scored.found.plan
    if plan.asks_for_time:
        return lies_in(memory, plan.spans) and question.may_show(memory)
    return question.may_show(memory) and not is_of_other_day(memory, plan.spans)


def _adjusted(
    confirmed: Sequence[tuple[int, Memory]],
    scored: Scored,
    question: Question,
    see: StoreReader,
    parts: RecallParts,
) -> list[Ranked]:
    """Bounded corrections for trust, freshness, importance, affect and feedback."""
    given = by_memory(see.feedback_for([memory.number for _, memory in confirmed]))
    alike = word_similarity(question.text)
    ranked = []
    for place, memory in confirmed:
        relevance = float(scored.relevance[place])
        change = adjust(
            memory, relevance, given.get(memory.number, ()), alike, question.moments.now,
            options=parts.options, mode=parts.mode,
        )  # fmt: skip
        seen = as_seen(memory, question.moments.instant)
        score = min(1.0, relevance * change.factor)
        chance = relevance if scored.chances is None else float(scored.chances[place])
        ranked.append(Ranked(seen, place, float(scored.sums[place]), chance, change, score))
    ranked.sort(key=lambda each: (-each.score, -each.total, -each.memory.number))
    return ranked


def _vectors(
    ranked: Sequence[Ranked], asked: Asked, see: StoreReader, plan: Plan, options: RecallOptions
) -> Vectors:
    """The vectors of the best, where a later stage compares them with each other."""
    compares = options.rerank in (Rerank.MMR, Rerank.RRF_THEN_MMR) or plan.asks_current_value
    if asked.space is None or not compares:
        return {}
    wordings = {each.memory.number: each.memory.version for each in ranked}
    return see.derived.first_vectors(asked.space, wordings)


def _reranked(
    ranked: list[Ranked],
    question: Question,
    parts: RecallParts,
    vectors: Vectors,
    trace: Trace,
) -> list[Ranked]:
    strategy = parts.options.rerank
    if strategy in (Rerank.MMR, Rerank.RRF_THEN_MMR):
        scores = np.array([each.score for each in ranked])
        alike = likeness([vectors.get(each.memory.number) for each in ranked])
        return [ranked[place] for place in diverse_order(scores, alike, question.limit)]
    if strategy == Rerank.CROSS_ENCODER:
        return _read_again(ranked, question, parts.reranker, trace)
    return ranked


def _read_again(
    ranked: list[Ranked], question: Question, reranker: Reranker | None, trace: Trace
) -> list[Ranked]:
    """Let a cross-encoder read the best beside the question; without one the order stays."""
    head, tail = ranked[:_READ_BY_RERANKER], ranked[_READ_BY_RERANKER:]
    if reranker is None:
        trace.fail("rerank", "no cross-encoder is configured: set recall.reranker_folder")
        return ranked
    try:
        scores = reranker.score(question.text, [each.memory.content for each in head])
    except RerankerUnavailable as error:
        trace.fail("rerank", f"{error.code}: {error.hint}")
        return ranked
    order = np.argsort(-scores, kind="stable").tolist()
    highest = sorted((each.score for each in head), reverse=True)
    read = [replace(head[place], score=score) for place, score in zip(order, highest, strict=True)]
    return [*read, *tail]


def _probability(scored: Scored, weights: Weights, question: Question) -> float:
    if not len(scored.order):
        return 0.0
    model = weights.answer_by_words if scored.found.nearness is None else weights.answer
    guess = model(answer_figures(scored, weights.signals, question.text))
    return _asked_for(settled(guess, scored), scored, question)


def _asked_for(probability: float, scored: Scored, question: Question) -> float:
    """The probability of an answer; low where nothing is asked for."""
    is_of_time = scored.found.plan.asks_for_time
    is_asking = question.has_content or question.is_carried or is_of_time
    return probability if is_asking else min(probability, WORDS_ONLY)
