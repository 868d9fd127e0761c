"""The candidates of a question: by words, by meaning, by links, by what it names."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engram.errors import StoreCorrupt, VectorRefused
from engram.memory.activation import CAUSAL_HOPS, Activated, spread
from engram.memory.times import to_micros
from engram.recall.dates import rows_counting_to, rows_naming
from engram.recall.embed_question import Embeds, QuestionVector, WantedVector
from engram.recall.foreseen import nearest_foreseen
from engram.recall.lexical import (
    TextMatches,
    TextScores,
    best_rows,
    match_terms,
    neighbours,
    score_text,
)
from engram.recall.meaning import (
    LEAST_ALONE,
    Nearness,
    Placement,
    Placements,
    compared_too,
    nearest,
)
from engram.recall.plan import Plan, meaning_of
from engram.recall.selection import Selection
from engram.recall.signals import Candidates, signal_matrix
from engram.recall.weights import Weights
from engram.recall.wordings import NOBODY
from engram.storage.reader import StoreReader
from engram.storage.vectors.loaded import LoadedVectors
from engram.storage.vectors.spaces import Space

EXHAUSTIVE = 4_000  # up to so many rows all are ranked; above, the best of each kind of search
PER_SEARCH = 250
_COMPARED = 128  # of those that words found; measured, see docs/momentum.md
_RULES = 100
_SEEDS = 8
_TOLD_LATER = 2 * 86_400_000_000  # microseconds


@dataclass(frozen=True, slots=True)
class Meaning:
    """The means of search by meaning: the vectors, and who embeds for a space."""

    vectors: LoadedVectors
    embedder_for: Callable[[Space], Embeds | None]
    placements: Placements = field(default_factory=Placements)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the search by meaning came to: how near rows are, or why that is not known."""

    nearness: Nearness | None = None
    space: Space | None = None
    problem: str = ""
    is_foreseen: bool = False  # compared with what was fetched before the question came
    further: Callable[[NDArray[np.int64]], Nearness] | None = None  # with these rows, too


def wanted_vector(
    text: str, selection: Selection, see: StoreReader, means: Meaning | None
) -> WantedVector:
    """What of a question is to be embedded, by whom; asked in a view of its own, since it is let
    go of while the embedder works."""
    if means is None:
        return WantedVector(problem="no embedder is configured")
    try:
        neighbourhood = means.vectors.refresh(see.derived)
        if neighbourhood is None or not len(neighbourhood):
            problem = "nothing is embedded yet" if len(selection) else ""
            return WantedVector(problem=problem, waiting=len(selection))
        embedded = means.placements.of(selection, neighbourhood, see.derived).embedded
    except (VectorRefused, StoreCorrupt) as error:
        return WantedVector(problem=f"{error.code}: {error.hint}")
    embedder = means.embedder_for(neighbourhood.space)
    if embedder is None:
        return WantedVector(problem="the embedder that made this store's vectors is not configured")
    words = meaning_of(text, selection.people)
    return WantedVector(words, neighbourhood.space, embedder, waiting=len(selection) - embedded)


def by_meaning(
    query: QuestionVector, selection: Selection, see: StoreReader, means: Meaning | None
) -> Asked:
    """Compare a question's meaning with the selected rows; a failure is named, not raised."""
    if means is None or query.vector is None:
        return Asked(problem=query.problem)
    try:
        neighbourhood = means.vectors.refresh(see.derived)
        if neighbourhood is None or neighbourhood.space.space != _space_of(query):
            return Asked(problem="another embedder has taken over meanwhile")
        most = None if len(selection) <= EXHAUSTIVE else PER_SEARCH
        placement = means.placements.of(selection, neighbourhood, see.derived)
        ready = None if most is None else _from_foreseen(query, placement)
        found = ready or nearest(placement, see.derived, query.vector, most=most)
    except (VectorRefused, StoreCorrupt) as error:  # of what is derived: words are there still
        return Asked(problem=f"{error.code}: {error.hint}")
    waiting = len(selection) - found.embedded
    problem = f"{waiting} of {len(selection)} memories wait for their vectors" if waiting else ""
    if not found.embedded:
        return Asked(None, neighbourhood.space, problem)
    further = partial(compared_too, found, placement, see.derived, query.vector)
    return Asked(
        found, neighbourhood.space, problem, ready is not None, None if most is None else further
    )


def _from_foreseen(query: QuestionVector, placement: Placement) -> Nearness | None:
    """The answer out of what was fetched ahead: if nothing has changed since, and it is sure."""
    foreseen = query.foreseen
    if foreseen is None or query.vector is None or foreseen.placement is not placement:
        return None
    return nearest_foreseen(foreseen, query.vector, PER_SEARCH)


def _space_of(query: QuestionVector) -> int | None:
    return None if query.space is None else query.space.space


def candidates(plan: Plan, selection: Selection, asked: Asked) -> Candidates:
    """The rows worth ranking, with what their words and meaning say."""
    matches = match_terms(plan, selection)
    rows = _rows_of_time(plan, selection)
    if not plan.spans:  # an event that nothing tells of: then it is a question like others
        plan = replace(plan, asks_for_time=False) if plan.asks_for_time else plan
    if not plan.asks_for_time or not len(rows):
        # Not every way to name a time is looked up: where nothing was found, what is shown is
        # still only what lies in the time.
        rows = _rows(plan, selection, matches, asked.nearness)
    text = score_text(plan, matches, selection, rows)
    nearness, problem = _compared(asked, rows, text)
    return Candidates(
        plan=plan,
        selection=selection,
        rows=rows,
        matches=matches,
        text=text,
        nearness=nearness,
        similarity=_similarity(nearness, rows, text),
        activation=np.zeros(len(rows)),
        problem=problem,
    )


def _rows_of_time(plan: Plan, selection: Selection) -> NDArray[np.int64]:
    """What happened at the time named, when nothing else is asked for; the latest of very much."""
    if not plan.asks_for_time or not plan.spans:
        return selection.rows[:0]
    at = selection.wordings.at[selection.rows]
    bounds = [(to_micros(span.start), to_micros(span.end)) for span in plan.spans]
    inside = np.any([(at >= start) & (at < end) for start, end in bounds], axis=0)
    for span, (_, end) in zip(plan.spans, bounds, strict=True):
        inside |= np.isin(selection.rows, rows_naming(span, selection))
        inside |= np.isin(selection.rows, rows_counting_to(span, selection))
        inside |= (at >= end) & (at < end + _TOLD_LATER)  # "yesterday", told the day after
    return np.asarray(selection.rows[inside][-EXHAUSTIVE:])


def _rows(
    plan: Plan, selection: Selection, matches: TextMatches, nearness: Nearness | None
) -> NDArray[np.int64]:
    if len(selection) <= EXHAUSTIVE:
        return selection.rows
    worded, best = best_rows(matches, PER_SEARCH, PER_SEARCH // 4)
    beside = neighbours(selection.wordings, best).ravel()
    near = nearness.rows if nearness is not None else worded[:0]
    wished = selection.rules[-_RULES:] if plan.is_request else worded[:0]
    rows = np.unique(np.concatenate([worded, beside, near, wished]))
    rows = rows[rows != NOBODY]
    return np.asarray(rows[selection.mask[rows]])


def _compared(
    asked: Asked, rows: NDArray[np.int64], text: TextScores
) -> tuple[Nearness | None, str]:
    """How near the candidates are: of those found by their words, the best are compared as well.

    In a large store only the nearest are known at first. To take the others for the farthest would
    hold it against a row that its words brought it in.
    """
    nearness = asked.nearness
    if nearness is None or asked.further is None:
        return nearness, ""
    unknown = np.flatnonzero(~np.isin(rows, nearness.rows) & (text.spread > 0))
    best = unknown[np.argsort(-text.spread[unknown], kind="stable")[:_COMPARED]]
    try:
        return asked.further(rows[best]), ""
    except (VectorRefused, StoreCorrupt) as error:
        return nearness, f"{error.code}: {error.hint}"


def _similarity(
    nearness: Nearness | None, rows: NDArray[np.int64], text: TextScores
) -> NDArray[np.float64]:
    return np.zeros(len(rows)) if nearness is None else nearness.of(rows, like=text.coverage)


def with_links(
    found: Candidates, see: StoreReader, weights: Weights
) -> tuple[Candidates, NDArray[np.float64], dict[int, Activated]]:
    """Let the best candidates lift what is linked to them, and bring in what was not found."""
    signals = signal_matrix(found)
    if not len(found.rows):
        return found, signals, {}
    wordings = found.selection.wordings
    seeds = _seeds(found, signals @ weights.signals, weights)
    hops = found.plan.search.hops
    links = see.links.neighbourhood(seeds, hops=max(hops, CAUSAL_HOPS))
    # Beliefs that share a node are neighbours too, those that links lead to among them.
    linked = {number for start, end, _ in links for number in (start, end)}
    links += see.links.ties(linked | set(seeds), hops=hops)
    if not links:
        return found, signals, {}
    reached = spread(seeds, links, hops=hops)
    active = {number: each for number, each in reached.items() if each.hops}
    rows = _rows_of(found.selection, list(active))
    every = np.union1d(found.rows, rows)
    activation = np.zeros(len(every))
    for row in rows.tolist():
        place = int(np.searchsorted(every, row))
        activation[place] = active[int(wordings.numbers[row])].score
    text = score_text(found.plan, found.matches, found.selection, every)
    widened = replace(
        found,
        rows=every,
        text=text,
        similarity=_similarity(found.nearness, every, text),
        activation=activation,
    )
    return widened, signal_matrix(widened), active


def _seeds(found: Candidates, sums: NDArray[np.float64], weights: Weights) -> dict[int, float]:
    """The best candidates by number, each with how surely it answers."""
    best = np.argsort(-sums, kind="stable")[:_SEEDS]
    sure = np.exp(np.maximum(weights.hit.weights["behind"] * (sums.max() - sums[best]), -30.0))
    is_found = (found.text.own[best] > 0) | (found.similarity[best] >= LEAST_ALONE)
    sure = np.where(is_found, sure, 0.0)
    numbers = found.selection.wordings.numbers[found.rows[best]]
    return dict(zip(numbers.tolist(), sure.tolist(), strict=True))


def _rows_of(selection: Selection, numbers: list[int]) -> NDArray[np.int64]:
    """The selected rows of some memories."""
    known = np.array([each for each in numbers if each < len(selection.wordings.row_of_number)])
    if not len(known):
        return np.empty(0, dtype=np.int64)
    rows = selection.wordings.row_of_number[known]
    rows = np.unique(rows[(rows != NOBODY) & (rows < len(selection.mask))])
    return np.asarray(rows[selection.mask[rows]])
