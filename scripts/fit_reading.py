"""Fit what reading the first hits is worth, and write it into `src/engram/recall/weights.json`.

    python scripts/fit_reading.py data ../shared/data --write

The first folder is the corpus: the stores in `confidence/` are asked each alone, all in one, and
among turns of the training part; the facts in `confidence-asked/` thirty to a store, alone and
among 300 turns, with questions about other facts beside them. The second one has conversations in
the format of `docs/evaluation.md`, of which some questions are asked, and some of another
conversation, which have no answer there.

`answer_read` is the probability that there is an answer: a logistic regression in which all groups
count alike, and the three ways of asking the stores three times as much. What speaks for an answer
may not count against one (RISING). `hit_read` is the probability of one hit where there is an
answer, `change_read` that of two hits of the stores the later one is the current one. Prints
figures of five folds over stores.
"""

import argparse
import json
import pickle
import random
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fit_recall import WEIGHTS, logistic, parted

from engram.capture.replacement import ReplacementJudge
from engram.engine import Engram
from engram.evaluation.conversations import Asked, Conversation, Turn, load_sets
from engram.evaluation.corpus import (
    CONFIDENCE,
    CONFIDENCE_ASKED,
    CONFIDENCE_LANGUAGES,
    FIT,
    TRAIN,
    Corpus,
)
from engram.evaluation.truth_answers import keep_unread
from engram.evaluation.truth_stores import hear
from engram.recall.answers import (
    READ_AT_MOST,
    compared,
    hit_figures,
    read_figures,
    scaled,
    terms_of,
)
from engram.recall.confidence import CONFIDENT, UNKNOWN_BELOW, answer_figures
from engram.recall.ranking import rank
from engram.recall.trace import Trace
from engram.recall.weights import load_weights

RISING = (
    "speaker gap", "best coverage", "coverage of the first", "coverage of the first five",
    "nearest", "nearest ten", "lead", "read first", "read best", "read second",
)  # fmt: skip
FALLING = ("unknown terms", "partly covered", "partly covered by any", "another language")
STORES = ("alone", "together", "crowd")
STORE_WORTH = 3
FOREIGN_WORTH = 1.6  # of a question without an answer in a language that the models do not know
HIT_WORTH = {"asked": 3, "asked among turns": 3, "alone": 2, "together": 2, "crowd": 2}
CROWD, READ_OF_CROWD = 5_000, 400
FACTS, OTHER_TURNS, OTHER_FACTS = 30, 300, 15
FROM_EACH, STRANGE_FROM_EACH = 40, 10
RIDGE, STEPS, STEP, FOLDS = 2.0, 4_000, 0.02, 5


@dataclass
class Case:
    """One question: its group, its store, its figures, and the first hits with what they are."""

    groups: tuple[str, ...]
    store: str
    is_answerable: bool
    figures: dict[str, float]
    sums: np.ndarray
    told: np.ndarray
    nearness: np.ndarray
    is_evidence: np.ndarray
    changes: list[tuple[dict[str, float], bool]]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("corpus", type=Path)
    asked.add_argument("conversations", type=Path)
    asked.add_argument("--cases", type=Path, help="keeps what was asked, for another fit")
    asked.add_argument("--write", action="store_true", help="write weights.json")
    given = asked.parse_args()
    corpus = Corpus(given.corpus)
    if given.cases and given.cases.exists():
        cases = pickle.loads(given.cases.read_bytes())
    else:
        cases = [*own_cases(corpus), *fact_cases(corpus), *talk_cases(given.conversations)]
        if given.cases:
            given.cases.write_bytes(pickle.dumps(cases))
    print(f"{len(cases)} questions", file=sys.stderr)
    answer = fit_answer(cases)
    found = {
        "answer_read": answer,
        "hit_read": fit_hit(cases),
        "change_read": fit_change(cases),
    }
    print(json.dumps(found, indent=2))
    if given.write:
        document = {**json.loads(WEIGHTS.read_text("utf-8")), **found}
        WEIGHTS.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def own_cases(corpus: Corpus) -> Iterator[Case]:
    """The stores that were written for this."""
    stores = corpus.stores(FIT, CONFIDENCE)
    said = [turn for store in stores for turn in store.turns]
    for store in stores:
        with Engram.open(":memory:") as engram:
            hear(engram, store.turns)
            yield from ask(engram, store, store.questions, ("alone",))
    yield from language_cases(corpus)
    for group, others in (("together", []), ("crowd", fillers(corpus)[:CROWD])):
        with Engram.open(":memory:") as engram:
            hear(engram, [*said, *others[:READ_OF_CROWD]])
            for turn in others[READ_OF_CROWD:]:
                keep_unread(engram, turn)
            engram.settle()
            for store in stores:
                yield from ask(engram, store, store.questions, (group,))
        print(group, file=sys.stderr)


def language_cases(corpus: Corpus) -> Iterator[Case]:
    """Stores in other languages."""
    for store in corpus.stores(FIT, CONFIDENCE_LANGUAGES):
        with Engram.open(":memory:") as engram:
            hear(engram, store.turns)
            yield from ask(engram, store, store.questions, ("languages",))


def fillers(corpus: Corpus) -> list[Turn]:
    said = [each.turn for each in corpus.turns(TRAIN)]
    said += [turn for store in corpus.stores(TRAIN) for turn in store.turns]
    random.Random(3).shuffle(said)
    return said


def fact_cases(corpus: Corpus) -> Iterator[Case]:
    """Facts asked for in other words, and questions about facts of another store."""
    # All that was said stays a hit from here on, as in `fit_recall.py`.
    ReplacementJudge._verdict = lambda *_: None
    facts = corpus.asked(FIT, CONFIDENCE_ASKED)
    random.Random(3).shuffle(facts)
    for name, turns in (("asked", []), ("asked among turns", fillers(corpus)[:OTHER_TURNS])):
        for start in range(0, len(facts), FACTS):
            batch = facts[start : start + FACTS]
            beyond = [each for each in facts if each not in batch][:OTHER_FACTS]
            with Engram.open(":memory:") as engram:
                hear(engram, turns)
                engram.remember_many(
                    [{"text": each.fact, "reference": each.name} for each in batch], wait=True
                )
                store = Conversation(f"{name} {start}", (), ())
                right = [Asked(e.name, e.question, "en", {e.name}, set(), True) for e in batch]
                wrong = [Asked(e.name, e.question, "en", set(), set(), False) for e in beyond]
                yield from ask(engram, store, [*right, *wrong], (name,))


def talk_cases(folder: Path) -> Iterator[Case]:
    """Conversations, with questions of their own and of another one."""
    every = [(each.name, talk) for each in load_sets(folder) for talk in each.conversations]
    for index, (name, talk) in enumerate(every):
        with Engram.open(":memory:") as engram:
            engram.remember_many(
                [
                    {"text": turn.text, "at": turn.at, "speaker": turn.speaker,
                     "reference": turn.id, "session": turn.session,
                     "source": "agent" if turn.role == "assistant" else None}
                    for turn in talk.turns if turn.text.strip()
                ],
                wait=True,
            )  # fmt: skip
            own = some(talk.questions, FROM_EACH)
            _, other = every[(index + len(every) // 3) % len(every)]
            strange = [
                Asked(each.id, each.text, each.category, set(), set(), False)
                for each in some(other.questions, STRANGE_FROM_EACH)
            ]
            has_both = any(not each.is_answerable for each in talk.questions)
            groups = (f"{name} strange", name) if has_both else (f"{name} strange",)
            yield from ask(engram, talk, [q for q in own if q.is_answerable], groups)
            yield from ask(engram, talk, [q for q in own if not q.is_answerable], (name,))
            yield from ask(engram, talk, strange, (f"{name} strange",))
        print(name, talk.name, file=sys.stderr)


def some(questions: Iterable[Asked], count: int) -> list[Asked]:
    every = list(questions)
    return every[:: max(1, len(every) // count)]


def ask(
    engram: Engram, store: Conversation, questions: Iterable[Asked], groups: tuple[str, ...]
) -> Iterator[Case]:
    weights, parts = load_weights(), engram._recall_parts()
    now = store.turns[-1].at if store.turns else None
    for each in questions:
        asked = engram._question(each.text, limit=20, now=now)
        with engram._view(None) as see:
            ranking = rank(asked, see, parts, Trace())
            read = [hit for hit in ranking.ranked if hit.read is not None][:READ_AT_MOST]
            references = [set(see.references_of(hit.memory)) for hit in read]
        if not read:
            continue
        is_compared = each.stale or groups[0] in ("alone", "languages")
        terms = terms_of(ranking.scored)
        pairs = compared(read, parts.reader, terms, in_any_order=True) if is_compared else []
        told, sums = [scaled(hit.read) for hit in read], [hit.total for hit in read]
        plain = answer_figures(ranking.scored, weights.signals, each.text)
        yield Case(
            groups, store.name, each.is_answerable, read_figures(plain, told, sums),
            np.array(sums), np.array(told),
            np.array([ranking.scored.found.similarity[hit.place] for hit in read]),
            np.array([bool(names & each.evidence) for names in references]),
            list(changes_of(pairs, references, each)),
        )  # fmt: skip


def changes_of(
    pairs: list[tuple[int, int, dict[str, float]]], references: list[set[str]], asked: Asked
) -> Iterator[tuple[dict[str, float], bool]]:
    """The pairs of hits of which it is known which one should be first."""
    current = asked.evidence - asked.stale
    for earlier, later, figures in pairs:
        one, two = references[earlier], references[later]
        if one & asked.stale and two & current and not one & current:
            yield figures, True
        elif one & current and not two & asked.evidence:
            yield figures, False


def fit_answer(cases: list[Case]) -> dict:
    names = list(cases[0].figures)
    told = [(group, case) for case in cases for group in case.groups]
    groups = np.array([group for group, _ in told])
    rows = np.array([[case.figures[name] for name in names] for _, case in told])
    truth = np.array([float(case.is_answerable) for _, case in told])
    place = np.array([zlib.crc32(case.store.encode()) % FOLDS for _, case in told])
    worth = worths(groups, truth)
    guess = np.zeros(len(truth))
    for fold in range(FOLDS):
        others = place != fold
        intercept, slope = bounded(rows[others], truth[others], worth[others], names)
        guess[~others] = intercept + rows[~others] @ slope
    report(groups, truth, 1 / (1 + np.exp(-guess)))
    intercept, slope = bounded(rows, truth, worth, names)
    kept = {
        name: round(float(value), 3) for name, value in zip(names, slope, strict=True)
        if abs(value) > 0.0005
    }  # fmt: skip
    return {"intercept": round(intercept, 3), "weights": kept}


def worths(groups: np.ndarray, truth: np.ndarray) -> np.ndarray:
    worth = np.zeros(len(truth))
    for group in set(groups.tolist()):
        for value in (0, 1):
            mine = (groups == group) & (truth == value)
            worth[mine] = (STORE_WORTH if group in STORES else 1) / max(1, int(mine.sum()))
            if group == "languages" and not value:
                worth[mine] *= FOREIGN_WORTH
    return worth * len(truth) / worth.sum()


def bounded(
    rows: np.ndarray, truth: np.ndarray, worth: np.ndarray, names: list[str]
) -> tuple[float, np.ndarray]:
    """Logistic regression by Adam, each step brought back within the bounds."""
    low = np.array([0.0 if name in RISING else -np.inf for name in names])
    high = np.array([0.0 if name in FALLING else np.inf for name in names])
    design = np.column_stack([np.ones(len(rows)), rows])
    low, high = np.r_[-np.inf, low], np.r_[np.inf, high]
    weights, mean, spread = np.zeros((3, design.shape[1]))
    for step in range(1, STEPS + 1):
        share = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = (design.T @ (worth * (share - truth)) + RIDGE * np.r_[0, weights[1:]]) / len(truth)
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.999 * spread + 0.001 * slope**2
        change = (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-9)
        weights = np.clip(weights - STEP * change, low, high)
    return float(weights[0]), weights[1:]


def report(groups: np.ndarray, truth: np.ndarray, guess: np.ndarray) -> None:
    for group in sorted(set(groups.tolist())):
        known, others = (groups == group) & (truth == 1), (groups == group) & (truth == 0)
        both = known | others
        area = parted(guess[both], truth[both]) if others.any() and known.any() else float("nan")
        shares = [
            f"{float(np.mean(part)) if len(part) else float('nan'):.2f}"
            for mine in (known, others)
            for part in (guess[mine] >= CONFIDENT, guess[mine] < UNKNOWN_BELOW)
        ]
        print(
            f"{group:24s} n {int(both.sum()):4d} AUROC {area:.3f}; answerable confident, unknown "
            f"{shares[0]} {shares[1]}; unanswerable {shares[2]} {shares[3]}"
        )


def fit_hit(cases: list[Case]) -> dict:
    """Whether one of the hits that were read is evidence, where one of them is."""
    rows, truth, names = [], [], []
    for case in (case for case in cases if case.is_evidence.any()):
        behind = (each.max() - each for each in (case.sums, case.nearness, case.told))
        figures = [hit_figures(*each) for each in zip(*behind, strict=True)]
        rows += [list(each.values()) for each in figures]
        truth += case.is_evidence.astype(float).tolist()
        names += [case.groups[0]] * len(figures)
    counts = Counter(names)
    worth = np.array([HIT_WORTH.get(name, 1) / counts[name] for name in names])
    intercept, slope = logistic(
        np.array(rows), np.array(truth), worth * len(worth) / worth.sum(), 1e-4 * len(rows)
    )
    fitted = zip(figures[0], slope, strict=True)
    weights = {name: round(float(value), 3) for name, value in fitted}
    return {"intercept": round(intercept, 3), "weights": weights}


def fit_change(cases: list[Case]) -> dict:
    """Whether the later of two hits that answer is the current one."""
    told = [(case.store, *each) for case in cases for each in case.changes]
    names = list(told[0][1])
    rows = np.array([[figures[name] for name in names] for _, figures, _ in told])
    truth = np.array([float(is_change) for *_, is_change in told])
    place = np.array([zlib.crc32(store.encode()) % FOLDS for store, *_ in told])
    worth, guess = np.ones(len(truth)), np.zeros(len(truth))
    for fold in range(FOLDS):
        others = place != fold
        intercept, slope = logistic(rows[others], truth[others], worth[others], 1.0)
        guess[~others] = intercept + rows[~others] @ slope
    right = float(np.mean((guess >= 0) == (truth > 0)))
    print(
        f"changes: {len(truth)} pairs, {truth.mean():.2f} of them changes, "
        f"AUROC {parted(guess, truth):.3f}, right {right:.3f}, "
        f"found {float(np.mean(guess[truth > 0] >= 0)):.3f}"
    )
    intercept, slope = logistic(rows, truth, worth, 1.0)
    weights = {name: round(float(value), 3) for name, value in zip(names, slope, strict=True)}
    return {"intercept": round(intercept, 3), "weights": weights}


if __name__ == "__main__":
    main()
