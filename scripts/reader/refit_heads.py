"""Fits four heads of a trained reader once more; the encoder and the other heads stay as they are.

    PYTHONPATH=src:scripts python scripts/reader/refit_heads.py src/engram/providers/models/reader
    … --only category

Keep and modality: the labelled turns are conversation; a note such as "Request timeout for billing
is 30 s" is rare in them, and a head fitted to them alone takes it for small talk. What diaries and
facts of the training part state is kept; what is asked about them and the lines of `small-talk/`
are not. Relation: hardly one pair in twenty says the same thing again, so a head that has seen all
pairs alike, or a teacher who has, is never sure of it. Category: a head that has seen every piece
alike calls most of what it does not know a commitment, the most frequent one; here rare ones count
for more, and the turns of `confidence-turns/` for five times as much as others.
"""

import argparse
import json
import random
from pathlib import Path

import lessons
import torch
from corpus import DATA, MODALITIES, rows
from lessons import in_training
from material import NO_CHANGE
from model import encode_turn, pad, reader
from torch.nn import functional
from train import UNCHANGED, pair_vectors

from engram.evaluation.corpus import CONFIDENCE_TURNS

ASSERTED, ASKED = MODALITIES.index("asserted"), MODALITIES.index("asked")
FACT_WORTH, TALK_WORTH, NEAR = 0.1, 1.0, 1e-3  # beside a labelled clause; how far heads may move
STEPS, RATE, QUESTIONS = 300, 2e-3, 2_000
NEAR_RELATION, RELATION_STEPS, RELATION_RATE, NEAR_PAIRS = 3e-2, 400, 1e-3, 9_000
CATEGORY_STEPS, CATEGORY_RATE, CATEGORY_RIDGE, LATER_WORTH = 600, 5e-3, 2e-3, 5.0
REFITTED = ("keep", "modality", "relation", "category")
MESSAGES = "aj"  # these facts are messages with small talk in them


def main() -> None:
    """Fit the heads, print what they say before and after, write heads.json."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("folder", type=Path)
    asked.add_argument("--only", choices=["category"], help="leave the other heads as they are")
    given = asked.parse_args()
    model = reader(given.folder).eval()
    if given.only is None:
        fit_keep_and_modality(model)
        fit_relation(model)
    fit_category(model)
    write(model, given.folder / "heads.json")


def fit_keep_and_modality(model):
    """Teach both what diaries state, what questions ask, and what small talk is."""
    seen, keep, modality = labelled(model)
    plain, is_fact = unlabelled(model)
    lines = (DATA / "small-talk/lines.txt").read_text("utf-8").splitlines()
    talk = read(model, [("user", line) for line in lines])
    held = read(model, [("user", turn["text"]) for _, row in rows("confidence-diaries")
                        for turn in row["turns"]])  # fmt: skip
    features = torch.cat([seen, plain])
    worth = torch.cat([torch.ones(len(seen)), torch.full((len(plain),), FACT_WORTH)])
    kinds = torch.where(is_fact > 0, ASSERTED, ASKED)
    show(model, held, seen, keep)
    fit(
        model.heads["keep"],
        torch.cat([features, talk]),
        torch.cat([worth, torch.full((len(talk),), TALK_WORTH)]),
        torch.cat([keep, is_fact, torch.zeros(len(talk))]),
    )
    # A fact may be negated or planned as well: only what it is not is told.
    fit(model.heads["modality"], features, worth, torch.cat([modality, kinds]))
    show(model, held, seen, keep)


def fit_category(model):
    """Fit the head from nothing; each half of the later turns is measured by the other half."""
    first, gold = categories(model, lessons.turns())
    later = [row for _, row in rows(CONFIDENCE_TURNS)]
    writers = sorted({row["writer"] for row in later})
    parts = [
        categories(model, lessons.encoded_turns([row for row in later if row["writer"] == writer]))
        for writer in writers
    ]
    for place, (held, right) in enumerate(parts):
        before = float((model.heads["category"](held).argmax(1) == right).float().mean())
        others = [part for at, part in enumerate(parts) if at != place]
        head = category_head(model, (first, gold), others)
        after = float((head(held).argmax(1) == right).float().mean())
        print(f"categories of {writers[place]}: {before:.3f} before, {after:.3f} after")
    model.heads["category"] = category_head(model, (first, gold), parts)


def category_head(model, first, later):
    """A head in which every category counts alike."""
    features = torch.cat([first[0], *(part[0] for part in later)])
    gold = torch.cat([first[1], *(part[1] for part in later)])
    worth = torch.ones(len(gold))
    worth[len(first[1]) :] = LATER_WORTH
    worth = worth / torch.bincount(gold).float()[gold]
    head = torch.nn.Linear(features.shape[1], len(model.labels["category"]))
    optimiser = torch.optim.Adam(head.parameters(), lr=CATEGORY_RATE)
    for _ in range(CATEGORY_STEPS):
        told = functional.cross_entropy(head(features), gold, reduction="none")
        loss = (worth * told).sum() / worth.sum() + CATEGORY_RIDGE * (head.weight**2).sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return head


def categories(model, turns):
    """The features and the category of every kept clause of some turns."""
    found, gold = [], []
    for turn, each in zip(turns, states_of(model, turns), strict=True):
        for (a, b), clause in zip(turn.places, turn.clauses, strict=True):
            if clause.category >= 0:
                found.append(torch.cat([each[0], each[a:b].mean(0)]))
                gold.append(clause.category)
    return torch.stack(found), torch.tensor(gold)


def states_of(model, turns):
    """A vector for every token of each turn."""
    order = sorted(range(len(turns)), key=lambda at: len(turns[at].ids))
    found = [None] * len(turns)
    for start in range(0, len(order), 32):
        places = order[start : start + 32]
        hidden = states(model, [turns[at].ids for at in places])
        for at, each in zip(places, hidden, strict=True):
            found[at] = each
    return found


def fit_relation(model):
    """Make each relation count by the square root of how rare it is."""
    found = lessons.relations()
    pairs = found.told + random.Random(3).sample(found.near, NEAR_PAIRS)
    features, gold = pair_features(model, pairs), torch.tensor([each[2] for each in pairs])
    is_told, head = gold != NO_CHANGE, model.heads["relation"]
    unchanged = [model.labels["relation"].index(name) for name in UNCHANGED]
    counts = torch.bincount(gold[is_told]).float()
    worth, before = (counts.max() / counts) ** 0.5, head.weight.detach().clone()
    optimiser = torch.optim.Adam(head.parameters(), lr=RELATION_RATE)
    for _ in range(RELATION_STEPS):
        shares = functional.log_softmax(head(features), -1)
        loss = functional.nll_loss(shares[is_told], gold[is_told], weight=worth)
        loss = loss - torch.logsumexp(shares[~is_told][:, unchanged], -1).mean()
        loss = loss + NEAR_RELATION * ((head.weight - before) ** 2).sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


@torch.no_grad()
def pair_features(model, pairs):
    """What the heads for pairs see of some pairs."""
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]) + len(pairs[at][1]))
    found = [None] * len(pairs)
    for start in range(0, len(order), 128):
        places = order[start : start + 128]
        read = torch.cat(pair_vectors(model, [pairs[at][:2] for at in places]), -1)
        for at, each in zip(places, read, strict=True):
            found[at] = each
    return torch.stack(found)


def labelled(model):
    """The features and labels of every clause of the labelled turns."""
    found, keep, modality = [], [], []
    turns = lessons.turns()
    for turn, each in zip(turns, states_of(model, turns), strict=True):
        for (a, b), clause in zip(turn.places, turn.clauses, strict=True):
            found.append(torch.cat([each[0], each[a:b].mean(0)]))
            keep.append(float(clause.is_kept))
            modality.append(clause.modality)
    return torch.stack(found), torch.tensor(keep), torch.tensor(modality)


def unlabelled(model):
    """Facts of the training part, and questions about them."""
    facts = [turn["text"] for row in in_training("diaries") for turn in row["turns"]]
    asked = []
    for row in in_training("answers-trained"):
        facts += [row["fact"]] if row["writer"] != MESSAGES else []
        asked += [*row["yes"], *row["no"]]
    asked = random.Random(5).sample(asked, QUESTIONS)
    texts = [("user", text) for text in (*facts, *asked)]
    return read(model, texts), torch.tensor([1.0] * len(facts) + [0.0] * len(asked))


def read(model, texts):
    """The features of whole texts."""
    coded = [encode_turn(role, text, [(0, len(text))]) for role, text in texts]
    order = sorted(range(len(coded)), key=lambda at: len(coded[at][0]))
    found = [None] * len(coded)
    for start in range(0, len(order), 64):
        places = order[start : start + 64]
        hidden = states(model, [coded[at][0] for at in places])
        for at, each in zip(places, hidden, strict=True):
            ((begin, end),) = coded[at][1]
            found[at] = torch.cat([each[0], each[begin:end].mean(0)])
    return torch.stack(found)


@torch.no_grad()
def states(model, ids):
    """A vector for every token."""
    rows_ = pad(ids)
    return model.states(rows_, torch.zeros_like(rows_))[0]


def fit(head, features, worth, gold):
    """Move a head to what it should say, and not far."""
    before = head.weight.detach().clone()
    optimiser = torch.optim.Adam(head.parameters(), lr=RATE)
    for _ in range(STEPS):
        scores = head(features)
        told = (
            functional.binary_cross_entropy_with_logits(scores[:, 0], gold, reduction="none")
            if scores.shape[1] == 1
            else functional.cross_entropy(scores, gold, reduction="none")
        )
        loss = (worth * told).sum() / worth.sum() + NEAR * ((head.weight - before) ** 2).sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


@torch.no_grad()
def show(model, held, seen, keep):
    """How many plain facts nobody trained on would be kept, and of the labelled clauses."""
    kept = torch.sigmoid(model.heads["keep"](held)[:, 0]) >= 0.4
    kinds = model.heads["modality"](held).argmax(1)
    stated = sum(int((kinds == MODALITIES.index(name)).sum())
                 for name in ("asserted", "negated", "planned", "reported"))  # fmt: skip
    chosen = torch.sigmoid(model.heads["keep"](seen)[:, 0]) >= 0.4
    right = float((chosen == (keep > 0)).float().mean())
    shares = (float(kept.float().mean()), stated / len(held), right)
    print("plain facts kept {:.3f}, taken for stated {:.3f}; clauses right {:.3f}".format(*shares))


def write(model, file):
    """Put the heads into the file."""
    stored = json.loads(file.read_text("utf-8"))
    for name in REFITTED:
        head = model.heads[name]
        stored[name]["weights"] = head.weight.detach().double().numpy().round(5).tolist()
        stored[name]["bias"] = head.bias.detach().double().numpy().round(5).tolist()
    file.write_text(json.dumps(stored) + "\n", "utf-8")


if __name__ == "__main__":
    main()
