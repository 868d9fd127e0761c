"""Why a memory was or was not recalled: the stages of recall, walked with one memory in hand."""

import numpy as np

from engram.memory.record import Memory, has_metadata
from engram.memory.staleness import status_at
from engram.memory.status import RECALLABLE
from engram.memory.vocabulary import Status
from engram.recall.embed_question import QuestionVector
from engram.recall.presentation import Ranked, said_by
from engram.recall.question import Question
from engram.recall.ranking import Ranking, RecallParts, rank
from engram.recall.reasons import factors_told, words_in
from engram.recall.recall import above_floor, fitting, floor_told
from engram.recall.reduced import reduced_stages
from engram.recall.result import Explanation, Stage
from engram.recall.trace import Trace
from engram.storage.conditions import Filters, Moments
from engram.storage.reader import StoreReader


def explain(
    memory: Memory,
    question: Question,
    see: StoreReader,
    parts: RecallParts,
    query: QuestionVector | None = None,
) -> Explanation:
    """Walk the stages in order; the first that fails is where the memory was lost."""
    checks = (
        _asked(question),
        _status(memory, question.moments),
        _validity(memory, question.moments),
        _type(memory, question),
        _filters(memory, question.filters),
    )
    stages: list[Stage] = []
    for stage in checks:
        stages.append(stage)
        if not stage.passed:
            return Explanation(memory, tuple(stages))
    stages.extend(_ranked(memory, question, see, parts, query))
    return Explanation(memory, tuple(stages))


def _asked(question: Question) -> Stage:
    words = ", ".join(term.text for term in question.terms)
    detail = f"looks for: {words}" if words else "it has no word that can be looked for"
    return Stage("question", bool(words), detail)


def _status(memory: Memory, moments: Moments) -> Stage:
    status = status_at(memory, moments.instant)
    allowed = set(RECALLABLE) | ({Status.SUPERSEDED} if moments.as_of else set())
    return Stage("status", status in allowed, f"it is {status}")


def _validity(memory: Memory, moments: Moments) -> Stage:
    instant = moments.instant
    if memory.valid_until is not None and memory.valid_until <= instant:
        return Stage("time", False, f"it held until {memory.valid_until:%Y-%m-%d %H:%M}")
    if moments.as_of and memory.valid_from is not None and memory.valid_from > moments.as_of:
        return Stage("time", False, f"it holds only from {memory.valid_from:%Y-%m-%d %H:%M}")
    return Stage("time", True, "it holds at the time asked about")


def _type(memory: Memory, question: Question) -> Stage:
    return Stage("mode", memory.memory_type in question.types, f"its type is {memory.memory_type}")


def _filters(memory: Memory, filters: Filters) -> Stage:
    failed = [name for name, holds in _conditions(memory, filters) if not holds]
    return Stage("filters", not failed, f"fails: {', '.join(failed)}" if failed else "all met")


def _conditions(memory: Memory, filters: Filters) -> list[tuple[str, bool]]:
    equal = ("category", "layer", "memory_type", "kind", "subject", "speaker", "session",
             "reference", "source", "is_pinned")  # fmt: skip
    found = [
        (name, getattr(memory, name) == getattr(filters, name))
        for name in equal
        if getattr(filters, name) is not None
    ]
    if filters.since:
        found.append(("since", memory.at >= filters.since))
    if filters.until:
        found.append(("until", memory.at < filters.until))
    for key, value in (filters.metadata or {}).items():
        found.append((f"metadata.{key}", has_metadata(memory.metadata.get(key), value)))
    return found


def _ranked(
    memory: Memory,
    question: Question,
    see: StoreReader,
    parts: RecallParts,
    query: QuestionVector | None,
) -> list[Stage]:
    """The stages in which memories compete: walked with the ranking that recall itself makes."""
    if not parts.options.in_memory:
        return reduced_stages(memory.number, question, see, parts.options, parts.mode)
    ranking = rank(question, see, parts, Trace(), query)
    wordings, rows = ranking.scored.found.selection.wordings, ranking.scored.found.rows
    mine = np.flatnonzero(wordings.numbers[rows] == memory.number)
    if not len(mine):
        return [Stage("gather", False, _why_not_gathered(ranking))]
    place = int(mine[0])
    stages = [Stage("momentum", True, ranking.leaning)] if ranking.leaning else []
    stages.append(_gathered(ranking, place))
    order = [each.memory.number for each in ranking.ranked]
    if memory.number not in order:
        return [*stages, *_outranked(memory, ranking, place)]
    at = order.index(memory.number)
    standing = ranking.ranked[at]
    told = [f"number {at + 1}, score {standing.score:.3f}", *factors_told(standing.adjusted)]
    stages.append(Stage("fuse", True, ", ".join(told)))
    worth = above_floor(ranking, question)
    is_worth = any(each.memory.number == memory.number for each in worth)
    stages.append(Stage("floor", is_worth, "met" if is_worth else floor_told(ranking, place)))
    return [*stages, *_cut(memory, question, worth)] if is_worth else stages


def _why_not_gathered(ranking: Ranking) -> str:
    count = len(ranking.scored.found.rows)
    if ranking.scored.found.plan.asks_for_time:
        return f"not of the time asked about, as {count} others are"
    return f"{count} other memories match better"


def _outranked(memory: Memory, ranking: Ranking, place: int) -> list[Stage]:
    """Where a candidate that is not among the best was lost: it may only repeat one of them."""
    standing = int(np.flatnonzero(ranking.scored.order == place)[0]) + 1
    told = f"number {standing} of {len(ranking.scored.order)} candidates"
    said = said_by(memory)
    for each in ranking.ranked:
        if said_by(each.memory) == said:
            repeats = f"the same words stand in {each.memory.label}, which comes first"
            return [Stage("fuse", True, told), Stage("diversify", False, repeats)]
    return [Stage("fuse", False, told)]


def _gathered(ranking: Ranking, place: int) -> Stage:
    found = ranking.scored.found
    words = words_in(found, place)
    told = [f"found in it: {', '.join(words)}"] if words else ["none of these words stands in it"]
    if found.nearness is not None:
        told.append(f"similarity {found.similarity[place]:.2f}")
    return Stage("gather", True, "; ".join(told))


def _cut(memory: Memory, question: Question, worth: list[Ranked]) -> list[Stage]:
    numbers = [each.memory.number for each in worth[: question.limit]]
    is_within = memory.number in numbers
    stages = [Stage("limit", is_within, f"the best {question.limit} are given back")]
    if is_within and question.budget is not None:
        kept = {each.memory.number for each in fitting(worth, question)}
        fits = memory.number in kept
        stages.append(Stage("budget", fits, f"{question.budget} tokens are to be filled"))
    return stages
