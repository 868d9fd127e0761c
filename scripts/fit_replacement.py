"""Fit how far what two statements share tells that the later one changes the earlier one.

    python scripts/fit_replacement.py data

Puts each store of `confidence/` in by itself and collects, for every statement, the older one that
the reader takes most for changed. A pair counts as a change where a question of the store calls the
first one stale and the second one its evidence; changes that no question is about count as none, so
the figures err on the safe side. Prints the weights for `capture/replacement.py`, the area under
the curve of five folds, and what the thresholds would retire or link wrongly.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fit_recall import logistic, parted

from engram.capture import replacement
from engram.capture.replacement import Candidate, ReplacementJudge, Verdict
from engram.engine import Engram
from engram.evaluation.conversations import Conversation
from engram.evaluation.corpus import CONFIDENCE, FIT, Corpus
from engram.evaluation.truth_stores import hear, replacements_in
from engram.memory.record import Memory

FOLDS = 5
THRESHOLDS = (0.12, 0.2, 0.3, 0.5, 0.6, 0.7)


@dataclass(frozen=True)
class Pair:
    old: str
    new: str
    figures: dict[str, float]


class Watch:
    """Collects the pair that each verdict would have been about."""

    def __init__(self) -> None:
        self.by_texts: dict[tuple[str, str], Pair] = {}

    def verdict(
        self, judge: ReplacementJudge, new: Memory, candidates: list[Candidate]
    ) -> Verdict | None:
        texts = [
            (replacement.as_read(each.memory), replacement.as_read(new)) for each in candidates
        ]
        found = [
            (chances["replaces"] + chances["ends"], each)
            for each, chances in zip(candidates, judge._reader.compare(texts), strict=True)
        ]
        change, old = max(found, key=lambda each: each[0], default=(0.0, None))
        if old is not None and change >= replacement.LEAST_CHANGE:
            figures = replacement.change_figures(old, new, change)
            pair = Pair(old.memory.content, new.content, figures)
            self.by_texts[pair.old, pair.new] = pair
        return None


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("corpus", type=Path)
    stores = Corpus(asked.parse_args().corpus).stores(FIT, CONFIDENCE)
    rows, truth, names, statements = [], [], [], 0
    for store in stores:
        pairs, count = pairs_of(store)
        statements += count
        rows += [list(each.figures.values()) for each in pairs]
        truth += [float(is_change(each, store)) for each in pairs]
        names = list(pairs[0].figures) if pairs else names
    show(np.array(rows), np.array(truth), names, statements)


def pairs_of(store: Conversation) -> tuple[list[Pair], int]:
    watch, plain = Watch(), ReplacementJudge._verdict
    ReplacementJudge._verdict = lambda judge, new, found: watch.verdict(judge, new, found)
    try:
        with Engram.open(":memory:") as engram:
            hear(engram, store.turns)
            return list(watch.by_texts.values()), replacements_in(engram).statements
    finally:
        ReplacementJudge._verdict = plain


def is_change(pair: Pair, store: Conversation) -> bool:
    text = {turn.id: turn.text for turn in store.turns}
    return any(
        any(pair.old in text[each] for each in asked.stale)
        and any(pair.new in text[each] for each in asked.evidence)
        for asked in store.questions
    )


def show(rows: np.ndarray, truth: np.ndarray, names: list[str], statements: int) -> None:
    worth, guess = np.ones(len(truth)), np.zeros(len(truth))
    fold = np.arange(len(truth)) % FOLDS
    for each in range(FOLDS):
        others = fold != each
        intercept, slope = logistic(rows[others], truth[others], worth[others], 1.0)
        guess[~others] = 1 / (1 + np.exp(-(intercept + rows[~others] @ slope)))
    intercept, slope = logistic(rows, truth, worth, 1.0)
    print(f"{len(truth)} pairs among {statements} statements, {int(truth.sum())} of them changes")
    print(f"intercept {intercept:.2f}", dict(zip(names, slope.round(2).tolist(), strict=True)))
    print(f"AUROC {parted(guess, truth):.3f}, by the reader alone {parted(rows[:, 0], truth):.3f}")
    for least in THRESHOLDS:
        fired = guess >= least
        wrong = int(fired.sum() - truth[fired].sum())
        print(f"from {least}: {int(truth[fired].sum())} right, {wrong / statements:.2%} wrong")


if __name__ == "__main__":
    main()
