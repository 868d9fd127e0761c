"""Why a memory was or was not recalled: the stages of recall, walked with one memory in hand."""

from engram.memory.lexicon import standing_terms
from engram.memory.record import Memory
from engram.memory.staleness import status_at
from engram.memory.status import RECALLABLE
from engram.memory.vocabulary import RetentionMode, Status
from engram.recall.options import RecallOptions
from engram.recall.question import Question
from engram.recall.recall import gather, rank, within_budget
from engram.recall.result import Explanation, Stage
from engram.storage.reader import Filters, Moments, StoreReader


def explain(
    memory: Memory,
    question: Question,
    see: StoreReader,
    options: RecallOptions,
    mode: RetentionMode,
) -> Explanation:
    """Walk the stages in order; the first that fails is where the memory was lost."""
    checks = (
        _asked(question),
        _status(memory, question.moments),
        _validity(memory, question.moments),
        _type(memory, question),
        _filters(memory, question.filters),
        _text(memory, question, see),
    )
    stages: list[Stage] = []
    for stage in checks:
        stages.append(stage)
        if not stage.passed:
            return Explanation(memory, tuple(stages))
    stages.extend(_standing(memory, question, see, options, mode))
    return Explanation(memory, tuple(stages))


def _asked(question: Question) -> Stage:
    words = ", ".join(term.text for term in question.terms)
    detail = f"looks for: {words}" if words else "the question has no word that can be looked for"
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
        found.append((f"metadata.{key}", memory.metadata.get(key) == value))
    return found


def _text(memory: Memory, question: Question, see: StoreReader) -> Stage:
    matched = see.match_rank(question.terms, memory.number, question.moments.known_at)
    if matched is None:
        return Stage("text", False, "none of these words stands in it")
    found = standing_terms(question.terms, memory.content)
    return Stage("text", True, f"found in it: {', '.join(term.text for term in found)}")


def _standing(
    memory: Memory,
    question: Question,
    see: StoreReader,
    options: RecallOptions,
    mode: RetentionMode,
) -> list[Stage]:
    matches = gather(question, see, options)
    ranked = rank(matches, question, options, mode)
    place = next(
        (index for index, each in enumerate(ranked, 1) if each.memory.number == memory.number), None
    )
    if place is None:
        return [Stage("candidates", False, f"{len(matches)} other memories match better")]
    detail = f"number {place} of {len(ranked)}, score {ranked[place - 1].score:.3f}"
    stages = [Stage("candidates", True, detail)]
    limited = ranked[: question.limit]
    is_within = place <= question.limit
    stages.append(Stage("limit", is_within, f"the best {question.limit} are given back"))
    if is_within and question.budget is not None:
        kept = within_budget(limited, question.budget)
        fits = any(each.memory.number == memory.number for each in kept)
        stages.append(Stage("budget", fits, f"{question.budget} tokens are to be filled"))
    return stages
