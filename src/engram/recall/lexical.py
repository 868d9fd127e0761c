"""How well the words of rows match a question: their own, and those of their neighbours.

A turn is often understood only beside the ones around it, so what a neighbour says of a term counts
for a row too: less than its own words, and ever less the more there is of it.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engram.recall.plan import Plan, PlannedTerm
from engram.recall.postings import Found
from engram.recall.selection import Selection
from engram.recall.wordings import NOBODY, Wordings

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
_K1 = 1.2
_B = 0.9  # long turns say much that was not asked for
_NEIGHBOUR_SHARE = 0.35
_SATURATION = 2.2  # in units of a term's rarity: more than this much of a term says little more
_MOST_CHECKED = 4_000  # rows that are read for a phrase
_MOST_NOMINATED = 20_000


@dataclass(frozen=True, slots=True)
class TermMatch:
    """Where one term stands: rows ascending, how much it says there, and how rare it is."""

    term: PlannedTerm
    rows: Rows
    scores: NDArray[np.float32]
    rarity: float

    def at(self, rows: Rows) -> NDArray[np.float32]:
        """How much the term says in some rows: nothing where it does not stand."""
        places = np.minimum(self.rows.searchsorted(rows), len(self.rows) - 1)
        return np.where(self.rows[places] == rows, self.scores[places], np.float32(0.0))


@dataclass(frozen=True, slots=True)
class TextMatches:
    """Where the terms of a question stand among the selected rows."""

    terms: tuple[TermMatch, ...]
    missing: tuple[PlannedTerm, ...]  # terms that no selected row holds
    missing_rarity: float  # what each of those would have been worth

    @property
    def total_rarity(self) -> float:
        """What all terms of the question are worth together."""
        found = sum(match.rarity for match in self.terms)
        return found + len(self.missing) * self.missing_rarity


def match_terms(plan: Plan, selection: Selection) -> TextMatches:
    """Look up every term of a question among the selected rows."""
    count = len(selection)
    found, missing = [], []
    for term in plan.terms:
        hits = _find_written(term, selection)
        if not len(hits.rows):
            if term.is_asked:  # what was only said before is missed by nobody
                missing.append(term)
            continue
        rarity = term.share * _rarity(count, len(hits.rows))
        found.append(TermMatch(term, hits.rows, _saturated(hits, selection, rarity), rarity))
    return TextMatches(tuple(found), tuple(missing), math.log(1 + count))


def _saturated(hits: Found, selection: Selection, rarity: float) -> NDArray[np.float32]:
    """BM25 of one term; in single precision and in place, since a common term has many rows."""
    below = selection.wordings.words[hits.rows].astype(np.float32)
    below *= np.float32(_K1 * _B / max(selection.mean_words, 1.0))
    below += np.float32(_K1 * (1 - _B))
    below += hits.counts
    scores = hits.counts * np.float32(rarity * (_K1 + 1))
    scores /= below
    return scores


def _find_written(term: PlannedTerm, selection: Selection) -> Found:
    """The rows that hold a term, or another name of it; when there are none, in other ways."""
    found = _find(term.tokens, selection)
    if term.also:
        return _any([found, *(_find(tokens, selection) for tokens in term.also)])
    if len(found.rows) or not term.otherwise:
        return found
    return _any([_find(tokens, selection) for tokens in term.otherwise])


def _any(others: list[Found]) -> Found:
    rows, where = np.unique(np.concatenate([each.rows for each in others]), return_inverse=True)
    counts = np.bincount(where, np.concatenate([each.counts for each in others]), len(rows))
    return Found(rows, counts.astype(np.float32))


def _find(tokens: tuple[int, ...], selection: Selection) -> Found:
    """The selected rows that hold every one of some tokens."""
    postings = selection.wordings.postings
    rows, counts = _selected(postings.find(tokens[0]), selection)
    for token in tokens[1:]:
        other = _selected(postings.find(token), selection)
        rows, mine, theirs = np.intersect1d(
            rows, other.rows, assume_unique=True, return_indices=True
        )
        counts = np.minimum(counts[mine], other.counts[theirs])
    return Found(rows, counts)


def _selected(found: Found, selection: Selection) -> Found:
    rows = found.rows
    if len(rows) and rows[-1] >= len(selection.mask):  # added since this view was taken
        known = int(np.searchsorted(rows, len(selection.mask)))
        found = Found(rows[:known], found.counts[:known])
    if len(selection) == len(selection.mask):
        return found  # everything there is
    kept = selection.mask[found.rows]
    return Found(found.rows[kept], found.counts[kept])


def _rarity(count: int, holding: int) -> float:
    """Inverse document frequency that never falls to nothing."""
    return math.log(1 + (count - holding + 0.5) / (holding + 0.5))


def best_rows(matches: TextMatches, *most: int) -> list[Rows]:
    """The rows whose own words match best, for first cuts of several sizes."""
    if not matches.terms:
        return [np.empty(0, dtype=np.int64) for _ in most]
    rows = _nominated(matches, max(most))
    values = np.zeros(len(rows), dtype=np.float32)
    for match in matches.terms:
        _add_scores(values, rows, match)
    return [
        np.sort(rows[np.argpartition(-values, size - 1)[:size]]) if len(rows) > size else rows
        for size in most
    ]


def _add_scores(values: NDArray[np.float32], rows: Rows, match: TermMatch) -> None:
    """Add what a term says to the rows that hold it; the shorter list is looked up in the other."""
    if len(match.rows) > len(rows):
        values += match.at(rows)
        return
    places = np.minimum(rows.searchsorted(match.rows), len(rows) - 1)
    held = rows[places] == match.rows
    if held.all():  # as for every term that nominated
        values[places] += match.scores
    else:
        values[places[held]] += match.scores[held]


def _nominated(matches: TextMatches, least: int) -> Rows:
    """The rows that hold one of the rarer terms; common ones alone bring nobody forward.

    Without this a single word that half of a large store holds would cost more than all others.
    """
    chosen: list[Rows] = []
    total = 0
    for match in sorted(matches.terms, key=lambda each: len(each.rows)):
        if total >= least and total + len(match.rows) > _MOST_NOMINATED:
            break
        chosen.append(match.rows)
        total += len(match.rows)
    return chosen[0] if len(chosen) == 1 else _united(chosen)


def _united(lists: list[Rows]) -> Rows:
    """What stands in any of some ascending lists, ascending: ticked off, which beats sorting."""
    ticked = np.zeros(max(int(rows[-1]) for rows in lists) + 1, dtype=np.bool_)
    for rows in lists:
        ticked[rows] = True
    return np.flatnonzero(ticked)


def neighbours(wordings: Wordings, rows: Rows) -> Rows:
    """The two rows before and after each row in its session; NOBODY where there is none."""
    before, after = _step(wordings.before, rows), _step(wordings.after, rows)
    found = [before, after, _step(wordings.before, before), _step(wordings.after, after)]
    return np.where(np.stack(found) < len(wordings), np.stack(found), NOBODY)


def _step(chain: Rows, rows: Rows) -> Rows:
    inside = (rows != NOBODY) & (rows < len(chain))
    return np.where(inside, chain[np.where(inside, rows, 0)], NOBODY)


@dataclass(frozen=True, slots=True)
class TextScores:
    """How well the candidates' words match; all parallel to the candidates."""

    own: Floats  # by their own words
    spread: Floats  # with those of their neighbours
    coverage: Floats  # the share of the question's terms they hold, by rarity
    pairs: Floats  # the share of its side-by-side words that stand side by side in them too

    def only(self, kept: NDArray[np.bool_]) -> "TextScores":
        """Those of some candidates alone."""
        return TextScores(self.own[kept], self.spread[kept], self.coverage[kept], self.pairs[kept])


def score_text(plan: Plan, matches: TextMatches, selection: Selection, rows: Rows) -> TextScores:
    """Score the candidates by what of the question stands in and around them."""
    around = neighbours(selection.wordings, rows)
    total = max(matches.total_rarity, 1e-9)
    own, spread, coverage = (np.zeros(len(rows)) for _ in range(3))
    for match in matches.terms:
        mine = match.at(rows).astype(np.float64)
        near = mine + _NEIGHBOUR_SHARE * match.at(around).sum(axis=0)
        limit = _SATURATION * match.rarity
        spread += near * (match.rarity + limit) / (near + limit)
        own += mine
        coverage += match.rarity * (mine > 0)
    pairs = _pairs(plan, matches, selection, rows)
    return TextScores(own, spread, coverage / total, pairs)


def _pairs(plan: Plan, matches: TextMatches, selection: Selection, rows: Rows) -> Floats:
    """Words that stand side by side in the question and in a row."""
    found = np.zeros(len(rows))
    worth = sum(match.rarity for match in matches.terms)
    if not worth:
        return found
    held = {match.term.tokens[0]: match for match in matches.terms if len(match.term.tokens) == 1}
    for first, second in plan.pairs:
        if first not in held or second not in held:
            continue
        both = _last_in_both(held[first].rows, held[second].rows, _MOST_CHECKED)
        holding = rows_with_phrase(selection.wordings, both, (first, second))
        if len(holding):
            found += _rarity(len(selection), len(holding)) * np.isin(rows, holding)
    return np.minimum(found / worth, 1.0)


def _last_in_both(one: Rows, other: Rows, most: int) -> Rows:
    """The last rows that two ascending lists share; the shorter is looked up in the longer.

    From behind and ever further, since two common words share far more rows than are read.
    """
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    end, step, found = len(few), 2 * most, few[:0]
    while end and len(found) < most:
        start = max(0, end - step)
        asked = few[start:end]
        places = np.minimum(many.searchsorted(asked), len(many) - 1)
        found = np.concatenate([asked[many[places] == asked], found])
        end, step = start, 2 * step
    return np.asarray(found[-most:])


def rows_with_phrase(wordings: Wordings, rows: Rows, phrase: tuple[int, ...]) -> Rows:
    """Those of the rows in which tokens stand side by side in this order."""
    lengths = wordings.words[rows] - (len(phrase) - 1)  # where in a row it could begin
    rows, lengths = rows[lengths > 0], lengths[lengths > 0]
    if not len(rows):
        return rows
    ends = np.cumsum(lengths)
    begins = np.repeat(wordings.starts[rows] - (ends - lengths), lengths)
    begins += np.arange(len(begins))
    hits = np.flatnonzero(wordings.stream[begins] == phrase[0])
    for step, token in enumerate(phrase[1:], 1):
        hits = hits[wordings.stream[begins[hits] + step] == token]
    return rows[np.unique(np.searchsorted(ends, hits, side="right"))]
