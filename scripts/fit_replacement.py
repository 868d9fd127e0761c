"""Fit how far what two statements share tells that the later one changes the earlier one.

    python scripts/fit_replacement.py data

Puts each diary of `confidence-diaries/` and each store of `confidence/` in by itself and collects,
for every statement, the older ones that the reader takes for changed. The diaries say which
statement changes which; the changes of the stores are in `changes/`. Prints the weights for
`capture/replacement.py`, the area under the curve of five folds over stores, and what the
thresholds would retire or link.
"""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from fit_recall import logistic, parted

from engram.capture import replacement
from engram.capture.replacement import Candidate, ReplacementJudge, Verdict
from engram.engine import Engram
from engram.evaluation.conversations import Turn
from engram.evaluation.corpus import CONFIDENCE, CONFIDENCE_DIARIES, FIT, Corpus
from engram.evaluation.truth_stores import hear, replacements_in
from engram.memory.record import Memory

FOLDS = 5
THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8)
FIRST_AT = datetime(2026, 2, 2, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Told:
    """What was said in one store, and which turn changes which."""

    turns: tuple[Turn, ...]
    changes: frozenset[tuple[str, str]]
    quotes: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)


@dataclass
class Count:
    """Of statements, and of those that change another."""

    statements: int = 0
    changes: int = 0


@dataclass(frozen=True)
class Pair:
    """A statement and an older one."""

    old: str
    new: str
    figures: dict[str, float]


class Watch:
    """Collects the pairs that verdicts would have been about."""

    def __init__(self) -> None:
        self.pairs: dict[tuple[str, str], Pair] = {}

    def verdict(
        self, judge: ReplacementJudge, new: Memory, candidates: list[Candidate]
    ) -> Verdict | None:
        texts = [
            (replacement.as_read(each.memory), replacement.as_read(new)) for each in candidates
        ]
        read = judge._reader.compare(texts)
        figures = replacement.change_figures(candidates, new, read)
        for each, chances, of_pair in zip(candidates, read, figures, strict=True):
            if chances["replaces"] + chances["ends"] >= replacement.LEAST_CHANGE:
                pair = Pair(each.memory.content, new.content, of_pair)
                self.pairs[pair.old, pair.new] = pair
        return None


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("corpus", type=Path)
    corpus = Corpus(asked.parse_args().corpus)
    rows, truth, names, news, place, kinds = [], [], [], [], [], []
    told = [("diaries", store) for store in diaries(corpus)]
    told += [("stores", store) for store in stores(corpus)]
    counts = {"diaries": Count(), "stores": Count()}
    for number, (kind, store) in enumerate(told):
        pairs, count = pairs_of(store)
        counts[kind].statements += count
        counts[kind].changes += len({new for _, new in store.changes})
        kinds += [kind] * len(pairs)
        rows += [list(each.figures.values()) for each in pairs]
        truth += [float(is_change(each, store)) for each in pairs]
        news += [f"{number} {each.new}" for each in pairs]
        place += [number % FOLDS] * len(pairs)
        names = list(pairs[0].figures) if pairs else names
    guess = fitted(np.array(rows), np.array(truth), names, np.array(place))
    for kind, count in counts.items():
        mine = np.array(kinds) == kind
        print(f"{kind}: {count.statements} statements, {count.changes} of which change another")
        show(guess[mine], np.array(truth)[mine], np.array(news)[mine], count)


def diaries(corpus: Corpus) -> Iterator[Told]:
    for _, row in corpus.rows(CONFIDENCE_DIARIES):
        name = row["name"]
        turns = tuple(
            Turn(f"{name}:{at}", f"{name} {at}", FIRST_AT + timedelta(days=3 * at),
                 each["speaker"], "user", each["text"])
            for at, each in enumerate(row["turns"])
        )  # fmt: skip
        changes = [(f"{name}:{old}", f"{name}:{new}") for old, new, _ in row["changes"]]
        quotes = [(old, new) for old, new in row.get("quotes", ())]
        yield Told(turns, frozenset(changes), dict(zip(changes, quotes, strict=False)))


def stores(corpus: Corpus) -> Iterator[Told]:
    labelled = corpus.changes(CONFIDENCE)
    for store in corpus.stores(FIT, CONFIDENCE):
        ids = {turn.id for turn in store.turns}
        changes = {
            (old, new) for asked in store.questions for old in asked.stale for new in asked.evidence
        }
        yield Told(store.turns, frozenset(changes | {each for each in labelled if each[0] in ids}))


def pairs_of(store: Told) -> tuple[list[Pair], int]:
    watch, plain = Watch(), ReplacementJudge._verdict
    ReplacementJudge._verdict = lambda judge, new, found: watch.verdict(judge, new, found)
    try:
        with Engram.open(":memory:") as engram:
            hear(engram, store.turns)
            return list(watch.pairs.values()), replacements_in(engram).statements
    finally:
        ReplacementJudge._verdict = plain


def is_change(pair: Pair, store: Told) -> bool:
    text = {turn.id: turn.text for turn in store.turns}
    return any(
        pair.old in text[old] and pair.new in text[new] and is_quoted(pair, store.quotes.get(each))
        for each in store.changes
        for old, new in [each]
    )


def is_quoted(pair: Pair, quotes: tuple[str, str] | None) -> bool:
    """Whether both statements are the parts of their turns that the change is about."""
    if quotes is None:
        return True
    sides = zip((pair.old, pair.new), quotes, strict=True)
    return all(said in quote or quote.strip() in said for said, quote in sides)


def fitted(rows, truth, names, place) -> np.ndarray:
    """Print the weights; return what those of the other folds say of each pair."""
    worth, guess = np.ones(len(truth)), np.zeros(len(truth))
    for fold in range(FOLDS):
        others = place != fold
        intercept, slope = logistic(rows[others], truth[others], worth[others], 1.0)
        guess[~others] = 1 / (1 + np.exp(-(intercept + rows[~others] @ slope)))
    intercept, slope = logistic(rows, truth, worth, 1.0)
    print(f"intercept {intercept:.2f}", dict(zip(names, slope.round(2).tolist(), strict=True)))
    print(f"AUROC {parted(guess, truth):.3f}, by the reader alone {parted(rows[:, 0], truth):.3f}")
    return guess


def show(guess, truth, news, count) -> None:
    best = {}
    for at in np.argsort(guess):
        best[news[at]] = at
    chosen = np.array(list(best.values()))  # of each statement the older one most likely changed
    for least in THRESHOLDS:
        fired = chosen[guess[chosen] >= least]
        right = int(truth[fired].sum())
        print(
            f"from {least}: {right} right ({right / count.changes:.0%} of what changes another), "
            f"{(len(fired) - right) / count.statements:.2%} of all statements wrong"
        )


if __name__ == "__main__":
    main()
