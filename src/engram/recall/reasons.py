"""Why a memory is among the hits, in words: each signal with its rank and what it saw."""

from datetime import timedelta

import numpy as np

from engram.language.when.spans import TimeSpan
from engram.memory.ids import label_of
from engram.memory.vocabulary import Secrecy
from engram.recall.adjust import Adjusted
from engram.recall.dates import is_naming
from engram.recall.presentation import Ranked, terms_in
from engram.recall.ranking import Ranking
from engram.recall.result import Signal, Why
from engram.recall.signals import SIGNALS, Candidates
from engram.recall.weights import load_weights

_LEAST_PART = 0.02  # of the weighed sum: less is not worth telling
_LEAST_FACTOR = 0.02  # a correction that is smaller changes no order worth telling
_OF_WORDS = frozenset({"text", "coverage"})  # what they saw are the question's words


def reasons(ranked: Ranked, ranking: Ranking) -> Why:
    """The signals behind one hit, the weightiest first, and the way along links, if any."""
    scored = ranking.scored
    weighed = scored.signals[ranked.place] * load_weights().signals
    least = _LEAST_PART * float(np.abs(weighed).sum())
    names, words = list(SIGNALS), ", ".join(words_in(scored.found, ranked.place))
    values = scored.signals[ranked.place].tolist()
    signals = [
        Signal(
            names[column],
            _rank(scored.signals[:, column], values[column]),
            values[column],
            words if names[column] in _OF_WORDS else _detail(names[column], ranked, ranking),
        )
        for column in np.argsort(-np.abs(weighed), kind="stable").tolist()
        if abs(weighed[column]) > least and not _is_idle(names[column], ranked)
    ]
    return Why((*signals, *_leaning(ranking), *_afterwards(ranked)), _path(ranked, ranking))


def _leaning(ranking: Ranking) -> list[Signal]:
    """That the turns before took part in the question; it ranks nothing by itself."""
    return [Signal("momentum", 0, 1.0, ranking.leaning)] if ranking.leaning else []


def _rank(values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]", value: float) -> int:
    return int(np.count_nonzero(values > value)) + 1


def _is_idle(name: str, ranked: Ranked) -> bool:
    """Whether a signal says nothing of this one: without a session it repeats the meaning."""
    return name == "session" and ranked.memory.session is None


def _time_told(span: TimeSpan, ranked: Ranked, found: Candidates) -> str:
    if span.start <= ranked.memory.at < span.end:
        return span.text
    if is_naming(int(found.rows[ranked.place]), span, found.selection):
        return f"it names {span.text}"
    is_next = span.end <= ranked.memory.at < span.end + timedelta(days=1)
    return f"said the day after {span.text}" if is_next else f"near {span.text}"


def _detail(name: str, ranked: Ranked, ranking: Ranking) -> str:
    found = ranking.scored.found
    match name:
        case "meaning":
            return f"similarity {found.similarity[ranked.place]:.2f}"
        case "speaker":
            return f"said by {ranked.memory.speaker}"
        case "time":
            return "; ".join(_time_told(span, ranked, found) for span in found.plan.spans)
        case _:
            return ""


def words_in(found: Candidates, place: int) -> list[str]:
    """The question's words that stand in a candidate."""
    held = terms_in(found, place)
    texts = [match.term.text for index, match in enumerate(found.matches.terms) if index in held]
    return list(dict.fromkeys(texts))


def factors_told(adjusted: Adjusted) -> list[str]:
    """By how much each later correction lifts or lowers a score."""
    return [f"{name} ×{factor:.2f}" for name, factor in _notable(adjusted)]


def _notable(adjusted: Adjusted) -> list[tuple[str, float]]:
    factors = adjusted.reasons.items()
    return [(name, factor) for name, factor in factors if abs(factor - 1.0) >= _LEAST_FACTOR]


def _afterwards(ranked: Ranked) -> list[Signal]:
    """What later stages did to the hit; these are no rankings, so they have no rank."""
    told = [Signal(name, 0, factor, f"×{factor:.2f}") for name, factor in _notable(ranked.adjusted)]
    if ranked.goes_before is not None:
        label = ranked.goes_before.label
        told.append(Signal("current", 0, 1.0, f"seems to replace {label}, said earlier"))
    if not ranked.memory.is_indexable:
        told.append(Signal("protected", 0, 1.0, _how_found(ranked.memory.secrecy)))
    return told


def _how_found(secrecy: Secrecy) -> str:
    """By what a protected memory can be found at all."""
    if secrecy is Secrecy.CONFIDENTIAL:
        return "confidential: found by its meaning, never by its words"
    return "sensitive: found by its summary and its meaning, never by its words"


def _path(ranked: Ranked, ranking: Ranking) -> tuple[str, ...]:
    active = ranking.active.get(ranked.memory.number)
    return () if active is None else tuple(label_of(number) for number in active.path)
