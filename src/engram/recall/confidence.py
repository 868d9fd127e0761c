"""Whether the memories hold an answer at all: several figures, one calibrated probability.

No single score can tell: the best of many wrong memories looks much like the best of a few right
ones. What tells most is whether the person asked about said it, or only somebody else did.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engram.language.when.lexicons import lexicon, lexicon_of
from engram.recall.meaning import LEAST_ALONE, Nearness
from engram.recall.signals import SPEAKER, TIME, Candidates

Floats = NDArray[np.float64]
CONFIDENT = 0.6
UNKNOWN_BELOW = 0.25
WORDS_ONLY = 0.1  # "what is the" says nothing that could be known
_GROUNDLESS = 0.2  # nothing near and no word in common: whatever else speaks for it, unknown
_UNSETTLED = 0.55  # too little is compared by meaning yet to be sure
_MUCH_WAITING = 0.1
_DAYS_HOLD = 0.75  # the days asked about hold something, and whatever they hold answers
_EXACT = 0.75  # a name of one thing stands in one memory, letter by letter
_FEW_HOLD_IT = 3
_LEAST_EXACT = 4  # letters: shorter ones stand in many texts by chance
_NEARLY_ALL = 0.8  # of what the question asks for, by rarity
_ENOUGH_TURNS = 20  # of each side, before who said it can tell much
_WIDEST_GAP = 1.2  # in units of _SCALE: beyond, one odd turn would decide alone
_MOST_TERMS = 10
_LONG_QUESTION = 40
_PER_AVERAGED = 30
_LAST_LATIN = "\u024f"
_SCALE = 5.0  # brings weighed sums to the size of the other figures


@dataclass(frozen=True, slots=True)
class Scored:
    """Candidates with their signals and the weighed sum of those."""

    found: Candidates
    signals: Floats
    sums: Floats
    relevance: Floats  # from 0 to 1, by the way of ranking that is in force
    order: NDArray[np.int64]  # places among the candidates, best first
    answer: float = 0.0  # the probability that there is an answer among them,
    chances: Floats | None = None  # and that each of them is one, in whatever order


def answer_figures(scored: Scored, weights: Floats, question: str) -> dict[str, float]:
    """What tells whether an answer is there; every figure is about 0 to 1."""
    found, order = scored.found, scored.order
    coverage, similarity = found.text.coverage, found.similarity
    terms = len(found.matches.terms) + len(found.matches.missing)
    best, tenth = order[0], order[min(9, len(order) - 1)]
    nearest = np.sort(similarity)[-_some(len(order), 10) :]
    first = order[: _some(len(order), 5)]
    sums_gap, near_gap = _other_person(scored, weights)
    return {
        "speaker gap": sums_gap,
        "speaker nearness gap": near_gap,
        "one person named": float(len(found.plan.speakers) == 1),
        "best coverage": float(coverage.max()),
        "coverage of the first": float(coverage[best]),
        "coverage of the first five": float(coverage[first].mean()),
        "nearest": float(nearest[-1]),
        "nearest ten": float(nearest.mean()),
        "unknown terms": len(found.matches.missing) / max(terms, 1),
        "lead": float(scored.sums[best] - scored.sums[tenth]) / _SCALE,
        "terms": min(terms, _MOST_TERMS) / _MOST_TERMS,
        "length": min(len(question.split()), _LONG_QUESTION) / _LONG_QUESTION,
        "another language": float(not _may_be_english(question)),
    }


def _may_be_english(question: str) -> bool:
    """Whether nothing shows that the models in the package do not know the language."""
    letters = [letter for letter in question if letter.isalpha()]
    foreign = sum(letter > _LAST_LATIN for letter in letters)
    return 2 * foreign < max(1, len(letters)) and lexicon_of(question) is lexicon("en")


def _some(count: int, most: int) -> int:
    """How many of the best to average: few where there are few, so that small stores count too."""
    return max(1, min(most, count // _PER_AVERAGED))


def _other_person(scored: Scored, weights: Floats) -> tuple[float, float]:
    """How much better the person named matches than everybody else, their name aside.

    Where one of the two sides has said little, its best turn is no measure of anything.
    """
    found = scored.found
    if len(found.plan.speakers) != 1:
        return 0.0, 0.0
    theirs = scored.signals[:, SPEAKER] > 0
    if theirs.all() or not theirs.any():
        return 0.0, 0.0
    plain = scored.sums - scored.signals[:, SPEAKER] * weights[SPEAKER]
    near = found.similarity
    fewer = min(np.count_nonzero(theirs), np.count_nonzero(~theirs))
    share = min(1.0, fewer / _ENOUGH_TURNS)
    gap = float(plain[theirs].max() - plain[~theirs].max()) / _SCALE
    return (
        share * min(max(gap, -_WIDEST_GAP), _WIDEST_GAP),
        share * float(near[theirs].max() - near[~theirs].max()),
    )


def settled(probability: float, scored: Scored, *, is_read: bool = False) -> float:
    """The probability within the bounds that a few plain facts set, whatever the model says.

    A hit that was read and answers needs neither nearness nor a word in common.
    """
    found, best = scored.found, scored.order[0]
    if found.plan.asks_for_time:
        return max(probability, _DAYS_HOLD)
    nearness = found.nearness
    is_near = bool(found.similarity.max(initial=0.0) >= LEAST_ALONE)
    is_of_time = bool(scored.signals[best, TIME])
    is_grounded = is_near or is_of_time or is_read or found.text.coverage.max() > 0
    if nearness is not None and not is_grounded:
        return min(probability, _GROUNDLESS)
    if _is_named_exactly(found, int(best)):
        probability = max(probability, _EXACT)
    if nearness is not None and _much_waits(found, nearness, int(best)):
        return min(probability, _UNSETTLED)
    return probability


def _much_waits(found: Candidates, nearness: Nearness, best: int) -> bool:
    waiting = len(found.selection) - nearness.embedded
    is_first = bool(nearness.waiting(found.rows[best : best + 1])[0])
    return is_first or waiting > _MUCH_WAITING * len(found.selection)


def _is_named_exactly(found: Candidates, best: int) -> bool:
    """Whether the question names one thing, and few memories beside the first one hold it."""
    if found.text.coverage[best] < _NEARLY_ALL:
        return False
    row = found.rows[best : best + 1]
    return any(
        match.term.is_identifier
        and len(match.term.text) >= _LEAST_EXACT
        and len(match.rows) <= _FEW_HOLD_IT
        and bool(match.at(row)[0] > 0)
        for match in found.matches.terms
    )


def assessment(probability: float, *, has_hits: bool) -> str:
    """The probability in one word."""
    if not has_hits or probability < UNKNOWN_BELOW:
        return "unknown"
    return "confident" if probability >= CONFIDENT else "uncertain"
