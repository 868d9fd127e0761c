"""Why a memory is among the hits, in words: each signal with its rank and what it saw."""

import numpy as np

from engram.memory.ids import label_of
from engram.recall.ranking import Ranked, Ranking
from engram.recall.result import Signal, Why
from engram.recall.signals import SIGNALS
from engram.recall.weights import load_weights

_LEAST_PART = 0.02  # of the weighed sum: less is not worth telling


def reasons(ranked: Ranked, ranking: Ranking) -> Why:
    """The signals behind one hit, the weightiest first, and the way along links, if any."""
    scored = ranking.scored
    weighed = scored.signals[ranked.place] * load_weights().signals
    least = _LEAST_PART * float(np.abs(weighed).sum())
    names = list(SIGNALS)
    signals = [
        Signal(
            names[column],
            _rank(scored.signals[:, column], ranked.place),
            float(scored.signals[ranked.place, column]),
            _detail(names[column], ranked, ranking),
        )
        for column in np.argsort(-np.abs(weighed), kind="stable").tolist()
        if abs(weighed[column]) > least
    ]
    return Why((*signals, *_afterwards(ranked)), _path(ranked, ranking))


def _rank(values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]", place: int) -> int:
    return int(np.count_nonzero(values > values[place])) + 1


def _detail(name: str, ranked: Ranked, ranking: Ranking) -> str:
    found = ranking.scored.found
    match name:
        case "text" | "coverage":
            return ", ".join(_words_found(ranked, ranking))
        case "meaning":
            return f"similarity {found.similarity[ranked.place]:.2f}"
        case "speaker":
            return f"said by {ranked.memory.speaker}"
        case "time":
            return "; ".join(span.text for span in found.plan.spans)
        case _:
            return ""


def _words_found(ranked: Ranked, ranking: Ranking) -> list[str]:
    found = ranking.scored.found
    row = found.rows[ranked.place : ranked.place + 1]
    return [match.term.text for match in found.matches.terms if match.at(row)[0] > 0]


def _afterwards(ranked: Ranked) -> list[Signal]:
    """What later stages did to the hit."""
    told = [Signal(name, 1, factor, "") for name, factor in ranked.adjusted.reasons.items()]
    if ranked.goes_before is not None:
        label = ranked.goes_before.label
        told.append(Signal("current", 1, 1.0, f"seems to replace {label}, said earlier"))
    return told


def _path(ranked: Ranked, ranking: Ranking) -> tuple[str, ...]:
    active = ranking.active.get(ranked.memory.number)
    return () if active is None else tuple(label_of(number) for number in active.path)
