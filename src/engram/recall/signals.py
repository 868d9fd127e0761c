"""Everything that speaks for a candidate, as columns of numbers that one weighing adds up.

Each signal is a plain number from 0 to 1 with a name that `why` shows. The weights are in
`weights.json`, written by `scripts/fit_recall.py`; nothing here knows them. All are fitted but
those of quotations, identifiers and links, which the judged questions cannot teach.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engram.language.when.spans import TimeSpan
from engram.memory.times import to_micros
from engram.memory.traits import Mark
from engram.recall.dates import rows_counting_to, rows_naming
from engram.recall.lexical import TextMatches, TextScores, rows_with_phrase
from engram.recall.meaning import Nearness
from engram.recall.plan import Plan
from engram.recall.selection import Selection
from engram.recall.wordings import NOBODY
from engram.text.calendar import Grain

Floats = NDArray[np.float64]
_DAY = 86_400_000_000  # microseconds
_SESSION_BEST = 3
_DEVIATIONS = 4.0  # brings deviations from the mean to about 0 to 1
COARSE = 0.5
_DAY_AFTER = 0.75
_VAGUE_DAYS = {Grain.MONTH: 7, Grain.QUARTER: 15, Grain.YEAR: 30, Grain.DECADE: 300}
_LONG = 1000  # words: a message as long as any that a person writes
_OPEN = 0.15  # "since the move": half of all that was ever said may lie in it
_FINE_GRAINS = frozenset({Grain.MINUTE, Grain.HOUR, Grain.PART, Grain.DAY, Grain.WEEK})


@dataclass(frozen=True, slots=True)
class Candidates:
    """The rows that are ranked, and what was found out about them; all columns are parallel."""

    plan: Plan
    selection: Selection
    rows: NDArray[np.int64]
    matches: TextMatches
    text: TextScores
    nearness: Nearness | None  # None: nothing was compared by meaning
    similarity: Floats
    activation: Floats  # what links bring to a row from better ones
    problem: str = ""  # why some could not be compared by meaning

    def stating(self) -> "tuple[Candidates, NDArray[np.bool_]]":
        """The rows that state something, and which those are: what only asks answers nothing."""
        flags = self.selection.wordings.flags[self.rows]
        kept = (flags & Mark.ASKS) == 0
        if kept.all() or self.plan.looks_for_questions:
            return self, np.ones(len(self.rows), dtype=np.bool_)
        return replace(
            self,
            rows=self.rows[kept],
            text=self.text.only(kept),
            similarity=self.similarity[kept],
            activation=self.activation[kept],
        ), kept

    def has(self, mark: Mark) -> Floats:
        """Which rows are recognised as something."""
        flags = self.selection.wordings.flags[self.rows]
        return np.asarray((flags & mark) != 0, dtype=np.float64)

    @property
    def agents_speak(self) -> float:
        """1 where agents take part in what is remembered."""
        return float(self.selection.has_agents)

    @property
    def is_persons(self) -> Floats:
        """Which rows a person said."""
        return (~self.selection.wordings.is_impersonal[self.rows]).astype(np.float64)

    @property
    def spread(self) -> Floats:
        """How well the words match, from 0 to 1 over the candidates."""
        return _scaled(self.text.spread)

    @property
    def near(self) -> Floats:
        """How near the meaning is, from 0 to 1 over the selection."""
        if self.nearness is None or not len(self.similarity):
            return np.zeros(len(self.rows))
        highest = float(self.similarity.max())
        room = highest - self.nearness.lowest
        if room <= 0:
            return np.zeros(len(self.rows))
        return np.clip((self.similarity - self.nearness.lowest) / room, 0.0, 1.0)


def _scaled(values: Floats) -> Floats:
    highest = float(values.max(initial=0.0))
    return values / highest if highest > 0 else np.zeros(len(values))


def signal_matrix(found: Candidates) -> Floats:
    """One row per candidate, one column per signal, in the order of `SIGNALS`."""
    if not len(found.rows):
        return np.zeros((0, len(SIGNALS)))
    return np.stack([rule(found) for rule in SIGNALS.values()], axis=1)


def _session(found: Candidates) -> Floats:
    """How near the best of the same session are: a talk that was about this."""
    if found.nearness is None:
        return np.zeros(len(found.rows))
    spread = (found.similarity - found.nearness.mean) / found.nearness.deviation
    sessions = found.selection.wordings.sessions[found.rows]
    order = np.lexsort((-spread, sessions))
    ordered = sessions[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)]))
    is_best = (place < _SESSION_BEST) & (ordered != NOBODY)
    _, group = np.unique(sessions, return_inverse=True)
    sums = np.bincount(group[order[is_best]], spread[order[is_best]], minlength=group.max() + 1)
    counts = np.bincount(group[order[is_best]], minlength=group.max() + 1)
    means = sums / np.maximum(counts, 1)
    return np.asarray(np.where(sessions == NOBODY, spread, means[group]) / _DEVIATIONS)


def _speaker(found: Candidates) -> Floats:
    """Whether it is the one person asked about who speaks."""
    if len(found.plan.speakers) != 1:
        return np.zeros(len(found.rows))
    (speaker,) = found.plan.speakers
    spoken_by = found.selection.wordings.speaker_codes[found.rows]
    return np.asarray(spoken_by == speaker, dtype=np.float64)


def _answers_question(found: Candidates) -> Floats:
    """Whether what was said just before was a question, and near to this one."""
    wordings = found.selection.wordings
    before = wordings.before[found.rows]
    inside = (before != NOBODY) & (before < len(wordings))
    earlier = np.where(inside, before, 0)
    was_question = inside & ((wordings.flags[earlier] & Mark.QUESTION) != 0)
    places = np.minimum(np.searchsorted(found.rows, earlier), len(found.rows) - 1)
    known = was_question & (found.rows[places] == earlier)
    return np.where(known, found.near[places], 0.0) * (1 - found.agents_speak)


def _length(found: Candidates) -> Floats:
    """How long a person's message to an agent is: a long one touches on much and matches much."""
    words = found.selection.wordings.words[found.rows]
    scaled = np.minimum(np.log1p(words) / np.log1p(_LONG), 1.0)
    return np.asarray(scaled * found.is_persons * found.agents_speak)


def _begins_session(found: Candidates) -> Floats:
    wordings = found.selection.wordings
    is_first = (wordings.before[found.rows] == NOBODY) & (wordings.sessions[found.rows] != NOBODY)
    return np.asarray(is_first, dtype=np.float64)


def _time(found: Candidates) -> Floats:
    """Whether it was said at a time the question names, or names that time itself."""
    nearest = np.zeros(len(found.rows))
    at = found.selection.wordings.at[found.rows]
    for span in found.plan.spans:
        nearest = np.maximum(nearest, time_match(at, span))
        named = np.isin(found.rows, rows_naming(span, found.selection))
        if found.plan.asks_for_time:
            named |= np.isin(found.rows, rows_counting_to(span, found.selection))
        nearest = np.maximum(nearest, named * (1.0 if span.grain in _FINE_GRAINS else COARSE))
    if not (nearest == 1.0).any():  # then what was told the day after is all there is
        nearest[nearest == _DAY_AFTER] = 1.0
    return nearest


def time_match(at: NDArray[np.int64], span: TimeSpan) -> Floats:
    """1 in a short span, nearly so the day after, when things are told; less around or in a long
    one. Of a long unit told as one day ("a year ago") what is near counts, falling like a bell.
    """
    start, end = to_micros(span.start), to_micros(span.end)
    if span.grain in _FINE_GRAINS:
        inside = (at >= start) & (at < end)
        told = (at >= end) & (at < end + _DAY)
        around = (at >= start - _DAY) & (at < end + 7 * _DAY)
        return np.where(inside, 1.0, np.where(told, _DAY_AFTER, np.where(around, COARSE, 0.0)))
    if span.grain in _VAGUE_DAYS and end - start <= _DAY:
        away = np.maximum(np.maximum(start - at, at - end), 0) / (_VAGUE_DAYS[span.grain] * _DAY)
        return np.asarray(np.exp(-0.5 * away**2))
    return np.where((at >= start) & (at < end), _OPEN if span.is_open else COARSE, 0.0)


def _quoted(found: Candidates) -> Floats:
    """The share of the quoted phrases that stand in it word by word."""
    holding = np.zeros(len(found.rows))
    for phrase in found.plan.phrases:
        with_phrase = rows_with_phrase(found.selection.wordings, found.rows, phrase)
        holding += np.isin(found.rows, with_phrase)
    return holding / max(len(found.plan.phrases), 1)


def _identifier(found: Candidates) -> Floats:
    """The share of the question's identifiers that stand in it whole."""
    exact = [match for match in found.matches.terms if match.term.is_identifier]
    holding = np.zeros(len(found.rows))
    for match in exact:
        holding += np.isin(found.rows, match.rows)
    return holding / max(len(exact), 1)


SIGNALS: dict[str, Callable[[Candidates], Floats]] = {
    "text": lambda found: found.spread,
    "coverage": lambda found: found.text.coverage,
    "pairs": lambda found: found.text.pairs,
    "meaning": lambda found: found.near,
    "text and meaning": lambda found: found.spread * found.near,
    "session": _session,
    "speaker": _speaker,
    "person": lambda found: found.is_persons * found.agents_speak,
    "person in a summary": lambda found: (
        found.is_persons * found.agents_speak * found.plan.asks_for_summary
    ),
    "length": _length,
    "standing rule": lambda found: found.has(Mark.RULE) * found.is_persons,
    "preference": lambda found: (
        found.has(Mark.PREFERENCE) * found.plan.is_request * found.agents_speak
    ),
    "date": lambda found: found.has(Mark.DATE) * found.plan.asks_when * (1 - found.agents_speak),
    "number": lambda found: found.has(Mark.NUMBER) * found.plan.asks_how_many,
    "place": lambda found: found.has(Mark.PLACE) * found.plan.asks_where,
    "time": _time,
    "answer": _answers_question,
    "question": lambda found: found.has(Mark.QUESTION) * (1 - found.agents_speak),
    "opening": _begins_session,
    "quotation": _quoted,
    "identifier": _identifier,
    "links": lambda found: found.activation,
}
SPEAKER = list(SIGNALS).index("speaker")
TIME = list(SIGNALS).index("time")
