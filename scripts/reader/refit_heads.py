"""Fits three heads of a trained reader once more; the encoder and the other heads stay as they are.

    PYTHONPATH=src:scripts python scripts/reader/refit_heads.py src/engram/providers/models/reader

Keep and modality: the labelled turns are conversation; a note such as "Request timeout for billing
is 30 s" is rare in them, and a head fitted to them alone takes it for small talk. What diaries and
facts of the training part state is kept; what is asked about them and the lines of `small-talk/`
are not. Relation: hardly one pair in twenty says the same thing again, so a head that has seen all
pairs alike, or a teacher who has, is never sure of it.
"""

import json
import random
import sys
from pathlib import Path

import lessons
import torch
from corpus import DATA, MODALITIES, rows
from lessons import in_training
from material import NO_CHANGE
from model import encode_turn, pad, reader
from torch.nn import functional
from train import UNCHANGED, pair_vectors

ASSERTED, ASKED = MODALITIES.index("asserted"), MODALITIES.index("asked")
FACT_WORTH, TALK_WORTH, NEAR = 0.1, 1.0, 1e-3  # beside a labelled clause; how far heads may move
STEPS, RATE, QUESTIONS = 300, 2e-3, 2_000
NEAR_RELATION, RELATION_STEPS, RELATION_RATE, NEAR_PAIRS = 3e-2, 400, 1e-3, 9_000
MESSAGES = "aj"  # these facts are messages with small talk in them


def main() -> None:
    """Fit the heads, print what is kept before and after, write heads.json."""
    folder = Path(sys.argv[1])
    model = reader(folder).eval()
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
    fit_relation(model)
    write(model, folder / "heads.json")


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
    turns = sorted(lessons.turns(), key=lambda turn: len(turn.ids))
    for start in range(0, len(turns), 32):
        batch = turns[start : start + 32]
        hidden = states(model, [turn.ids for turn in batch])
        for each, turn in zip(hidden, batch, strict=True):
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
    """Put the three heads into the file."""
    stored = json.loads(file.read_text("utf-8"))
    for name in ("keep", "modality", "relation"):
        head = model.heads[name]
        stored[name]["weights"] = head.weight.detach().double().numpy().round(5).tolist()
        stored[name]["bias"] = head.bias.detach().double().numpy().round(5).tolist()
    file.write_text(json.dumps(stored) + "\n", "utf-8")


if __name__ == "__main__":
    main()
