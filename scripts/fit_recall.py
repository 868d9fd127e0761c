"""Fit the weights of recall on judged questions, and write `src/engram/recall/weights.json`.

    python scripts/fit_recall.py ../shared/data --stores build/fit

The folder has the format of `docs/evaluation.md`. Every conversation is put into a store of its own
through the public API (kept in --stores, since embedding takes minutes), every question is ranked
by the pipeline itself, and four small models are fitted to what that saw:

- the weights of the signals: softmax over all candidates of a question against its evidence,
- the probability of one hit, by its weighed sum,
- the probability that there is an answer at all,
- the probability that a later statement replaces an earlier one.

All sets count alike. Every preference of a set in which nobody talks with anybody is taken as a
session of its own, because such a file may be sorted by topic. Signals that the questions cannot
teach (HAND) keep the weight given here. Prints cross-validated figures: three folds over
conversations, so that no weight has seen the conversation it is scored on.
"""

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from engram.capture.replacement import ReplacementJudge
from engram.engine import Engram
from engram.evaluation.conversations import Asked, Conversation, load_sets
from engram.evaluation.metrics import auroc, ndcg_at, recall_at
from engram.recall.confidence import Scored, answer_figures
from engram.recall.current import rival_pairs
from engram.recall.presentation import statement
from engram.recall.ranking import Ranking, rank
from engram.recall.signals import SIGNALS
from engram.recall.trace import Trace
from engram.recall.weights import Logistic

WEIGHTS = Path(__file__).parent.parent / "src" / "engram" / "recall" / "weights.json"
HAND = {"quotation": 3.0, "identifier": 1.0, "links": 3.0}
FITTED = [name for name in SIGNALS if name not in HAND]
COLUMNS = [list(SIGNALS).index(name) for name in FITTED]
RIDGE = 5e-4
ANSWER_RIDGE = 1.0
ANSWER_FOLDS = 5
MEANING_FIGURES = frozenset(
    {"speaker gap", "speaker nearness gap", "nearest", "nearest ten", "lead"}
)
FOLDS = 3
LOOKED_AT = 20  # candidates per question that teach what one hit is worth
STRANGE_QUESTIONS = 20  # of another conversation, put to each store


@dataclass
class Case:
    """One question as the pipeline saw it."""

    set_name: str
    conversation: str
    question: Asked
    ranking: Ranking
    signals: np.ndarray
    gold: np.ndarray  # places among the candidates
    turns: list[frozenset[str]]  # the turns each candidate came from
    is_strange: bool = False  # asked about another conversation

    @cached_property
    def fitted(self) -> np.ndarray:
        return self.signals[:, COLUMNS].astype(np.float64)

    @property
    def is_answerable(self) -> bool:
        return self.question.is_answerable

    @property
    def is_judged(self) -> bool:
        return self.is_answerable and len(self.gold) > 0


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reading.add_argument("data", type=Path)
    reading.add_argument("--stores", type=Path, default=Path("build/fit"))
    reading.add_argument("--write", action="store_true", help="write weights.json")
    given = reading.parse_args()
    # All that was said stays a candidate; comparing long turns would take an hour.
    ReplacementJudge._verdict = lambda *_: None
    cases = collect(given.data, given.stores)
    judged = [case for case in cases if case.is_judged]
    print(f"{len(cases)} questions, {len(judged)} with evidence", file=sys.stderr)
    report_folds(judged)
    weights = fit_signals(judged)
    answer = fit_answer(cases, full(weights))
    document = {
        "signals": {**dict(zip(FITTED, weights.round(3).tolist(), strict=True)), **HAND},
        "hit": fit_hit(cases, full(weights), answer),
        "answer": answer,
        "answer_by_words": fit_answer(cases, full(weights), without=MEANING_FIGURES),
        "replacement": fit_replacement(judged, full(weights)),
    }
    # `scripts/fit_reading.py` fits the other models of the file.
    text = json.dumps({**json.loads(WEIGHTS.read_text("utf-8")), **document}, indent=2) + "\n"
    if given.write:
        WEIGHTS.write_text(text, encoding="utf-8")
    print(text)


def collect(folder: Path, stores: Path) -> list[Case]:
    every = [(each.name, talk) for each in load_sets(folder) for talk in each.conversations]
    cases = []
    for index, (set_name, conversation) in enumerate(every):
        print(set_name, conversation.name, file=sys.stderr, flush=True)
        # What was asked about another conversation has no answer in this one.
        _, other = every[(index + len(every) // 3) % len(every)]
        step = max(1, len(other.questions) // STRANGE_QUESTIONS)
        strange = [replace(each, is_answerable=False) for each in other.questions[::step]]
        cases += ask_all(set_name, conversation, conversation.questions, stores)
        for case in ask_all(set_name, conversation, strange, stores):
            cases.append(replace(case, is_strange=True, gold=case.gold[:0]))
    return cases


def ask_all(
    set_name: str, conversation: Conversation, questions: Iterable[Asked], stores: Path
) -> list[Case]:
    place = stores / set_name / conversation.name
    # Reading the first hits comes after what is fitted here, and takes most of the time.
    with Engram.open(place, settings={"recall": {"read_answers": False}}) as engram:
        if not engram.list(limit=1):
            put_in(engram, set_name, conversation)
        engram.settle()
        return [ask(set_name, conversation, question, engram) for question in questions]


def put_in(engram: Engram, set_name: str, conversation: Conversation) -> None:
    is_sorted_by_topic = set_name == "prefeval"
    engram.remember_many(
        [
            {
                "text": turn.text, "at": turn.at, "speaker": turn.speaker, "reference": turn.id,
                "session": turn.id if is_sorted_by_topic else turn.session,
                "source": "agent" if turn.role == "assistant" else None,
            }
            for turn in conversation.turns
            if turn.text.strip()
        ],
        wait=True,
    )  # fmt: skip


def ask(set_name: str, conversation: Conversation, question: Asked, engram: Engram) -> Case:
    now = conversation.turns[-1].at
    asked = engram._question(question.text, limit=20, now=now)
    with engram._view(None) as see:
        ranking = rank(asked, see, engram._recall_parts(), Trace())
        found = ranking.scored.found
        turns = turns_of(see, found)
    evidence = set(question.evidence)
    gold = [place for place, names in enumerate(turns) if names & evidence]
    return Case(
        set_name, conversation.name, question, ranking,
        ranking.scored.signals.astype(np.float32), np.array(gold, dtype=np.int64), turns,
    )  # fmt: skip


_REFERENCES: dict[int, dict[int, frozenset[str]]] = {}


def turns_of(see, found) -> list[frozenset[str]]:
    wordings = found.selection.wordings
    known = _REFERENCES.setdefault(id(wordings), {})
    for number in wordings.numbers[found.rows].tolist():
        if number not in known:
            known[number] = frozenset(see.references_of(see.current(number)))
    return [known[number] for number in wordings.numbers[found.rows].tolist()]


def full(weights: np.ndarray) -> np.ndarray:
    by_name = {**dict(zip(FITTED, weights, strict=True)), **HAND}
    return np.array([by_name[name] for name in SIGNALS])


def fit_signals(cases: list[Case]) -> np.ndarray:
    """Softmax over the candidates, fitted by Newton's method; all sets count alike."""
    counts = defaultdict(int)
    for case in cases:
        counts[case.set_name] += 1
    weights = np.zeros(len(FITTED))
    for _ in range(40):
        slope, bend = 2 * RIDGE * weights, 2 * RIDGE * np.eye(len(FITTED))
        for case in cases:
            rows = case.fitted
            share = softmax(rows @ weights)
            mean = share @ rows
            worth = 1 / counts[case.set_name]
            slope += worth * (mean - rows[case.gold].mean(axis=0))
            bend += worth * ((rows * share[:, None]).T @ rows - np.outer(mean, mean))
        step = np.linalg.solve(bend, slope)
        now = loss_of(cases, weights, counts)
        while loss_of(cases, weights - step, counts) > now and np.abs(step).max() > 1e-6:
            step /= 2
        weights -= step
        if np.abs(step).max() < 1e-4:
            break
    return weights


def loss_of(cases: list[Case], weights: np.ndarray, counts: dict[str, int]) -> float:
    total = RIDGE * float(weights @ weights)
    for case in cases:
        sums = case.fitted @ weights
        highest = sums.max()
        spread = highest + math.log(np.exp(sums - highest).sum())
        total += (spread - sums[case.gold].mean()) / counts[case.set_name]
    return total


def softmax(values: np.ndarray) -> np.ndarray:
    raised = np.exp(values - values.max())
    return raised / raised.sum()


def report_folds(cases: list[Case]) -> None:
    folds: dict[tuple[str, str], int] = {}
    places: list[int] = []
    for index, case in enumerate(cases):
        names = sorted({each.conversation for each in cases if each.set_name == case.set_name})
        key = (case.set_name, case.conversation)
        folds[key] = names.index(case.conversation) % FOLDS
        places.append(index % FOLDS if len(names) == 1 else folds[key])
    seen, unseen = defaultdict(list), defaultdict(list)
    everything = fit_signals(cases)
    for fold in range(FOLDS):
        weights = fit_signals([c for c, f in zip(cases, places, strict=True) if f != fold])
        for case, place in zip(cases, places, strict=True):
            if place == fold:
                unseen[case.set_name].append(measure(case, weights))
            if fold == 0:
                seen[case.set_name].append(measure(case, everything))
    for name in unseen:
        print(
            f"{name:12s} n={len(unseen[name]):4d}  R@5/R@10/NDCG@10 "
            f"unseen {np.mean(unseen[name], axis=0).round(3)} "
            f"seen {np.mean(seen[name], axis=0).round(3)}"
        )


def measure(case: Case, weights: np.ndarray) -> tuple[float, float, float]:
    order = np.argsort(-(case.signals @ full(weights)), kind="stable").tolist()
    named = (name for place in order for name in sorted(case.turns[place]))
    ranked, evidence = list(dict.fromkeys(named)), case.question.evidence
    return (
        recall_at(ranked, evidence, 5),
        recall_at(ranked, evidence, 10),
        ndcg_at(ranked, evidence, 10),
    )


def logistic(
    rows: np.ndarray, truth: np.ndarray, worth: np.ndarray, ridge: float
) -> tuple[float, np.ndarray]:
    """Weighted logistic regression with a ridge on all but the intercept."""
    design = np.column_stack([np.ones(len(rows)), rows])
    penalty = ridge * np.eye(design.shape[1])
    penalty[0, 0] = 1e-9
    weights = np.zeros(design.shape[1])
    for _ in range(50):
        share = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (worth * (share - truth)) + penalty @ weights
        bend = (design * (worth * share * (1 - share))[:, None]).T @ design + penalty
        step = np.linalg.solve(bend + 1e-9 * np.eye(len(bend)), slope)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return float(weights[0]), weights[1:]


def balanced(groups: list[str], truth: np.ndarray) -> np.ndarray:
    """Every set counts alike, and in it both answers."""
    worth = np.zeros(len(truth))
    for name in sorted(set(groups)):
        for value in (0, 1):
            mine = np.array([group == name for group in groups]) & (truth == value)
            worth[mine] = 1 / max(int(mine.sum()), 1)
    return worth * len(truth) / worth.sum()


def fit_hit(cases: list[Case], weights: np.ndarray, answer: dict) -> dict:
    """Whether one of the first candidates is evidence; questions without an answer count too."""
    model = Logistic(answer["intercept"], answer["weights"])
    rows, truth, groups = [], [], []
    for case in cases:
        if not len(case.signals):
            continue
        scored = rescored(case, weights)
        figures = answer_figures(scored, weights, case.question.text)
        first = scored.order[:LOOKED_AT]
        rows.append(
            np.column_stack(
                [scored.sums.max() - scored.sums[first], np.full(len(first), model(figures))]
            )
        )
        truth.append(np.isin(first, case.gold).astype(float))
        groups += [case.set_name] * len(first)
    worth = np.array([1 / groups.count(name) for name in sorted(set(groups))])
    shares = dict(zip(sorted(set(groups)), worth, strict=True))
    weight = np.array([shares[group] for group in groups])
    intercept, slope = logistic(
        np.concatenate(rows), np.concatenate(truth), weight * len(weight) / weight.sum(), 1e-6
    )
    return {
        "intercept": round(intercept, 3),
        "weights": {"behind": round(float(slope[0]), 3), "answer": round(float(slope[1]), 3)},
    }


def rescored(case: Case, weights: np.ndarray) -> Scored:
    sums = case.signals.astype(np.float64) @ weights
    order = np.argsort(-sums, kind="stable")
    return Scored(case.ranking.scored.found, case.signals, sums, sums, order)


def fit_answer(
    cases: list[Case], weights: np.ndarray, without: frozenset[str] = frozenset()
) -> dict:
    """Answerable against not, in two ways: as the sets judge it, and against strange questions."""
    judging = {case.set_name for case in cases if not case.is_answerable and not case.is_strange}
    used = [case for case in cases if len(case.signals)]
    figures = {
        id(case): answer_figures(rescored(case, weights), weights, case.question.text)
        for case in used
    }
    names = [name for name in figures[id(used[0])] if name not in without]
    rows, truth, groups, talks = [], [], [], []
    for case in used:
        kinds = [] if case.is_strange or case.set_name not in judging else [case.set_name]
        kinds += [f"{case.set_name} strange"] if case.is_strange or case.is_answerable else []
        for kind in kinds:
            rows.append([figures[id(case)][name] for name in names])
            truth.append(float(case.is_answerable))
            groups.append(kind)
            talks.append(case.conversation)
    return _report_answer(np.array(rows), np.array(truth), groups, talks, names)


def _report_answer(
    rows: np.ndarray, truth: np.ndarray, groups: list[str], talks: list[str], names: list[str]
) -> dict:
    order = sorted(set(talks))
    place = np.array([order.index(talk) % ANSWER_FOLDS for talk in talks])
    guess = np.zeros(len(truth))
    for fold in range(ANSWER_FOLDS):
        others = place != fold
        kept = [group for group, is_kept in zip(groups, others, strict=True) if is_kept]
        intercept, slope = logistic(
            rows[others], truth[others], balanced(kept, truth[others]), ANSWER_RIDGE
        )
        guess[~others] = intercept + rows[~others] @ slope
    intercept, slope = logistic(rows, truth, balanced(groups, truth), ANSWER_RIDGE)
    for name in sorted(set(groups)):
        mine = np.array([group == name for group in groups])
        print(
            f"{name:18s} abstention AUROC unseen {parted(guess[mine], truth[mine]):.3f} "
            f"seen {parted((rows @ slope)[mine], truth[mine]):.3f}"
        )
    return {
        "intercept": round(intercept, 3),
        "weights": dict(zip(names, slope.round(3).tolist(), strict=True)),
    }


def parted(guess: np.ndarray, truth: np.ndarray) -> float:
    return auroc(guess[truth == 1].tolist(), guess[truth == 0].tolist()) or 0.0


def fit_replacement(cases: list[Case], weights: np.ndarray) -> dict:
    rows, truth = [], []
    for case in cases:
        if not case.ranking.plan.asks_current_value:
            continue
        stale = set(case.question.stale)
        current = set(case.question.evidence) - stale
        for earlier, later, figures in pairs_of(case, weights):
            rows.append(figures)
            truth.append(float(bool(earlier & stale) and bool(later & current)))
    names = list(rows[0])
    design = np.array([[row[name] for name in names] for row in rows])
    answers = np.array(truth)
    intercept, slope = logistic(design, answers, balanced(["all"] * len(rows), answers), 3.0)
    print(f"replacement: {len(rows)} pairs, {int(answers.sum())} of them replaced")
    return {
        "intercept": round(intercept, 3),
        "weights": dict(zip(names, slope.round(3).tolist(), strict=True)),
    }


def pairs_of(case: Case, weights: np.ndarray) -> list:
    scored = rescored(case, weights)
    found = scored.found
    shown = {each.place: each.memory for each in case.ranking.ranked}
    places = [place for place in scored.order[:10].tolist() if place in shown]
    statements = [
        statement(shown[place], float(scored.sums[place]), found, place) for place in places
    ]
    rarity = [match.rarity for match in found.matches.terms]
    vectors = case.ranking.vectors

    def nearness(one, other) -> float:
        first, second = vectors.get(one.number), vectors.get(other.number)
        return 0.0 if first is None or second is None else float(first @ second)

    return [
        (case.turns[places[pair.earlier]], case.turns[places[pair.later]], pair.figures)
        for pair in rival_pairs(statements, rarity, nearness)
    ]


if __name__ == "__main__":
    main()
