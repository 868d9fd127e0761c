"""Figures on what the reader is not trained on: `confidence/` and `confidence-asked/`."""

import numpy as np
import torch
from model import MOST_FIRST, MOST_SECOND, token_ids

FACTS = 30


def figures(model, material) -> dict[str, float]:
    """What a reader is worth, in a minute."""
    return {**of_stores(model, material.stores), **of_facts(model, material.facts)}


def of_stores(model, stores) -> dict[str, float]:
    """Whether answers are told from what is no answer, and changes from what is none."""
    best, is_there, inside, right = [], [], [], []
    change, is_change = [], []
    for row in stores:
        texts = row["texts"]
        pairs = [(each["q"], text) for each in row["questions"] for text in texts]
        scores = answer_scores(model, pairs).reshape(len(row["questions"]), len(texts))
        for asked, told in zip(row["questions"], scores, strict=True):
            best.append(told.max())
            is_there.append(asked["answerable"])
            if asked["answerable"]:
                right.append(int(told.argmax()) in asked["evidence"])
            skipped = asked.get("stale") or ()
            for place, score in enumerate(told):
                if place not in skipped:
                    inside.append((score, asked["answerable"] and place in asked["evidence"]))
        changed = {(old, new) for each in row["questions"] for old in each.get("stale") or ()
                   for new in (*each["evidence"], *(each.get("stale") or ()))}  # fmt: skip
        both = [(i, j) for j in range(len(texts)) for i in range(j)]
        change += change_scores(model, [(texts[i], texts[j]) for i, j in both]).tolist()
        is_change += [pair in changed for pair in both]
    scores, truth = zip(*inside, strict=True)
    return {
        "answer AUC by store": auc(best, is_there), "answer AUC by turn": auc(scores, truth),
        "answer first": float(np.mean(right)), "change AUC": auc(change, is_change),
        **caught(np.array(change), np.array(is_change)),
    }  # fmt: skip


def caught(change: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Changes found where so many of other pairs are taken for changes."""
    others = np.sort(change[~truth])[::-1]
    return {
        f"changes at {share:.1%} false": float(
            (change[truth] > others[int(share * len(others))]).mean()
        )
        for share in (0.001, 0.005, 0.02, 0.05)
    }


def of_facts(model, facts) -> dict[str, float]:
    """Whether the fact asked for in other words is first of thirty."""
    first = []
    for start in range(0, len(facts), FACTS):
        batch = facts[start : start + FACTS]
        pairs = [(one["question"], other["fact"]) for one in batch for other in batch]
        scores = answer_scores(model, pairs).reshape(len(batch), len(batch))
        first += (scores.argmax(1) == np.arange(len(batch))).tolist()
    return {"fact first of 30": float(np.mean(first))}


@torch.no_grad()
def answer_scores(model, pairs) -> np.ndarray:
    """How far texts answer questions."""
    return scores_of(model, pairs, "answer")[:, 0]


@torch.no_grad()
def change_scores(model, pairs) -> np.ndarray:
    """How likely the later statement replaces or ends the earlier one."""
    if not pairs:
        return np.zeros(0)
    logits = scores_of(model, pairs, "relation")
    shares = np.exp(logits - logits.max(1, keepdims=True))
    return shares[:, 1:3].sum(1) / shares.sum(1)


def scores_of(model, pairs, head) -> np.ndarray:
    """What a head says of pairs, read in order of length."""
    from train import read_pairs  # it imports this module

    coded = [(token_ids(a)[:MOST_FIRST], token_ids(b)[:MOST_SECOND]) for a, b in pairs]
    order = sorted(range(len(coded)), key=lambda place: len(coded[place][0]) + len(coded[place][1]))
    found = None
    for start in range(0, len(order), 128):
        places = order[start : start + 128]
        said_of = read_pairs(model, [coded[place] for place in places], head).float().cpu().numpy()
        found = np.zeros((len(coded), said_of.shape[1])) if found is None else found
        found[places] = said_of
    return found


def auc(scores, truth) -> float:
    """The area under the curve."""
    truth = np.asarray(truth, dtype=bool)
    ranks = np.empty(len(truth))
    ranks[np.argsort(scores)] = np.arange(1, len(truth) + 1)
    n = truth.sum()
    return float((ranks[truth].sum() - n * (n + 1) / 2) / max(1, n * (~truth).sum()))
