"""Trains the reader: one fine-tuned copy of the encoder with heads for reading, pairs and answers.

Needs torch, transformers and onnx in an environment of its own; neither Engram nor its tests need
it. First a teacher five times as large is fitted to the corpus, then the reader to the corpus and
to what the teacher says, also of texts and pairs that nobody labelled.

    PYTHONPATH=src:scripts python scripts/reader/train.py --lessons build/lessons.pickle \\
        --teacher build/teacher.npz --begin src/engram/providers/models/reader --out build/reader

Fits on two thirds of the corpus and prints figures on `confidence/` and `confidence-asked/`, which
nothing is trained on. The last third is measured by `engram eval`.
"""

import argparse
import json
import pickle
import queue
import random
import threading
import time
from pathlib import Path

import torch
from held_out import figures
from material import NO_CHANGE
from model import DEVICE, Reader, encode_pairs, large_encoder, pad, reader, trained_weights
from torch import nn
from torch.nn import functional

# Of a batch. The teacher is larger, and its batches smaller.
TURNS, PAIRS, QUESTIONS = 64, 256, 64
RIGHT, OWN, NEAR, FAR, ANYWHERE = 1, 4, 3, 2, 1  # texts beside a question
ROUNDS = {"turn": 4, "relation": 3, "question": 2, "untold": 1}  # in an epoch
WARM = 0.08  # of the time, in which the learning rate rises
BOUNDARY_WORTH = 4.0  # most words begin no piece
GOLD, TAUGHT = 0.4, {"answer": 0.15, "boundary": 4.0}  # what labels and the teacher are worth
MOST = 8.0  # of what the teacher says of an answer
UNCHANGED = ("same", "adds", "unrelated")


def outputs(model, kind, batch):
    """What the heads that a batch is for say of it."""
    if kind in ("turn", "untold"):
        return read_turns(model, batch)
    if kind == "relation":
        return {"relation": read_pairs(model, [each[:2] for each in batch], "relation")}
    pairs = [(ids, text) for ids, texts in batch for text, _ in texts]
    return {"answer": read_pairs(model, pairs, "answer")}


def read_turns(model, batch):
    """What the heads say of every clause of some turns."""
    ids = pad([each.ids for each in batch])
    hidden, mask = model.states(ids, torch.zeros_like(ids))
    spans = [(row, a, b) for row, each in enumerate(batch) for a, b in each.places]
    row, a, b = torch.tensor(spans, device=DEVICE).T
    sums = functional.pad(hidden.cumsum(1), (0, 0, 1, 0))
    first, means = hidden[row, 0], (sums[row, b] - sums[row, a]) / (b - a)[:, None]
    heads = {k: model.head(k, first, means) for k in ("keep", "category", "modality")}
    whole = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    heads["addressee"] = model.head("addressee", hidden[:, 0], whole)
    begins = [(row, at) for row, each in enumerate(batch) for at, _ in each.starts]
    if begins:
        row, at = torch.tensor(begins, device=DEVICE).T
        heads["boundary"] = model.head("boundary", hidden[row, at - 1], hidden[row, at])
    return heads


def read_pairs(model, pairs, name):
    """What a head says of some pairs of texts, given as ids."""
    return model.head(name, *pair_vectors(model, pairs))


def pair_vectors(model, pairs):
    """What the heads for pairs see: the first vector, each side, and how these differ."""
    ids, types = encode_pairs(pairs)
    hidden, mask = model.states(ids, types)
    sides = []
    for side in (mask * (1 - types), mask * types):
        sides.append((hidden * side[..., None]).sum(1) / side.sum(1, keepdim=True))
    return hidden[:, 0], *sides, (sides[0] - sides[1]).abs()


def told_loss(model, kind, batch, out):
    """How far the heads are from what people said."""
    if kind == "turn":
        return turn_loss(batch, out)
    if kind == "relation":
        return relation_loss(model, batch, out["relation"])
    return question_loss(batch, out["answer"][:, 0])


def turn_loss(batch, out):
    """Of the five heads that read turns."""
    clauses = [clause for each in batch for clause in each.clauses]
    keep = torch.tensor([float(each.is_kept) for each in clauses], device=DEVICE)
    category = torch.tensor([each.category for each in clauses], device=DEVICE)
    modality = torch.tensor([each.modality for each in clauses], device=DEVICE)
    addressee = torch.tensor([each.addressee for each in batch], device=DEVICE)
    loss = functional.binary_cross_entropy_with_logits(out["keep"][:, 0], keep)
    loss = loss + functional.cross_entropy(out["modality"], modality)
    if "boundary" in out:
        begins = torch.tensor([float(begins) for each in batch for _, begins in each.starts])
        loss = loss + BOUNDARY_WORTH * functional.binary_cross_entropy_with_logits(
            out["boundary"][:, 0], begins.to(DEVICE)
        )
    loss = loss + 0.3 * functional.cross_entropy(out["addressee"], addressee)
    if (category >= 0).any():
        loss = loss + 0.7 * functional.cross_entropy(out["category"], category, ignore_index=-1)
    return loss


def relation_loss(model, batch, scores):
    """Of what the later statement does to the earlier one."""
    gold = torch.tensor([each[2] for each in batch], device=DEVICE)
    is_told = gold != NO_CHANGE
    shares = functional.log_softmax(scores, dim=-1)
    loss = functional.cross_entropy(
        scores[is_told], gold[is_told], label_smoothing=0.05, reduction="sum"
    )
    names = [model.labels["relation"].index(name) for name in UNCHANGED]
    unchanged = torch.logsumexp(shares[~is_told][:, names], dim=-1)
    return (loss - unchanged.sum()) / len(batch)


def question_loss(batch, scores):
    """Of whether each text answers its question, and of whether the one that does comes first."""
    gold = torch.tensor([is_right for _, texts in batch for _, is_right in texts], device=DEVICE)
    told = gold >= 0
    loss = functional.binary_cross_entropy_with_logits(scores[told], gold[told].float())
    ordered = []
    for each, right in zip(
        scores.split([len(texts) for _, texts in batch]),
        gold.split([len(texts) for _, texts in batch]),
        strict=True,
    ):
        if (right == 1).any():
            ordered.append(torch.logsumexp(each[right >= 0], 0) - each[right == 1].mean())
    return loss + torch.stack(ordered).sum() / len(batch) if ordered else loss


def taught_loss(out, wanted):
    """How far the heads are from what the teacher says."""
    loss = 0.0
    for name, said in wanted.items():
        if name == "answer":
            lost = functional.mse_loss(out[name], said.clamp(-MOST, MOST))
        elif said.shape[1] == 1:
            lost = functional.binary_cross_entropy_with_logits(out[name], said.sigmoid())
        else:
            lost = functional.cross_entropy(out[name], said.softmax(-1))
        loss = loss + TAUGHT.get(name, 1.0) * lost
    return loss


def group(material, each, dice, near):
    """A question with some texts, each with 1: it answers, 0: it does not, -1: nobody says."""
    chosen = [(at, 1) for at in dice.sample(each.right, min(RIGHT, len(each.right)))]
    chosen += [(at, 0) for at in dice.sample(each.wrong, min(OWN, len(each.wrong)))]
    chosen += [(at, -1) for at in dice.sample(each.near, min(near, len(each.near)))]
    chosen += [(at, 0) for at in dice.sample(each.far, min(FAR, len(each.far)))]
    chosen += [(dice.randrange(len(material.texts)), 0) for _ in range(ANYWHERE)]
    return each.ids, [(material.texts[at], right) for at, right in chosen]


def plan(material, dice, *, is_taught, times):
    """The batches of one epoch, in any order."""
    asked = [group(material, each, dice, NEAR if is_taught else 0) for each in material.asked]
    kinds = {
        "turn": (material.turns, TURNS * times),
        "relation": (material.relations.some(dice), PAIRS * times),
        "question": (asked, QUESTIONS * times),
    }
    if is_taught:
        kinds["untold"] = (material.untold, TURNS * times)
    work = [
        (kind, batch)
        for kind, (items, size) in kinds.items()
        for _ in range(ROUNDS[kind])
        for batch in batches(items, size, dice)
    ]
    dice.shuffle(work)
    return work


def batches(items, size, dice):
    """Items in batches of about one length, in any order."""
    order = list(range(len(items)))
    dice.shuffle(order)
    for start in range(0, len(order), 32 * size):
        near = sorted(order[start : start + 32 * size], key=lambda place: length(items[place]))
        yield from ([items[i] for i in near[at : at + size]] for at in range(0, len(near), size))


def length(item):
    """Of a turn, a pair, or a question with texts, in tokens."""
    if hasattr(item, "ids"):
        return len(item.ids)
    if len(item) == 2:
        return len(item[0]) + max(len(text) for text, _ in item[1])
    return len(item[0]) + len(item[1])


def epochs(material, dice, **given):
    """Batches without end, made ready in the background."""
    ready = queue.Queue(maxsize=2)

    def prepare():
        while True:
            ready.put(plan(material, dice, **given))

    threading.Thread(target=prepare, daemon=True).start()
    while True:
        yield from ready.get()


def rate_at(share):
    """The share of the highest learning rate when so much of the time has passed."""
    return share / WARM if share < WARM else max(0.0, 1 - share) / (1 - WARM)


def fit(model, material, *, seconds, rate, seed, teacher=None):
    """All tasks, their batches mixed, until time is over."""
    dice = random.Random(seed)
    torch.manual_seed(seed)
    body = [p for n, p in model.named_parameters() if n.startswith("encoder") and p.requires_grad]
    heads = [p for n, p in model.named_parameters() if not n.startswith("encoder")]
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": 0.0, "times": 1}, {"params": heads, "lr": 0.0, "times": 5}],
        weight_decay=0.01, fused=True,
    )  # fmt: skip
    model.train()
    work = epochs(material, dice, is_taught=teacher is not None, times=1 if teacher is None else 2)
    began, told = time.time(), {}
    for done, (kind, batch) in enumerate(work, start=1):
        share = (time.time() - began) / seconds
        if share >= 1:
            break
        for params in optimiser.param_groups:
            params["lr"] = params["times"] * rate * rate_at(share)
        with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            out = outputs(model, kind, batch)
            with torch.no_grad():
                wanted = outputs(teacher, kind, batch) if teacher else {}
        out = {name: each.float() for name, each in out.items()}
        loss = taught_loss(out, {name: each.float() for name, each in wanted.items()})
        if kind != "untold":
            worth = GOLD if teacher else 1.0
            loss = loss + worth * told_loss(model, kind, batch, out)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        told.setdefault(kind, []).append(loss.detach())
        if done % 200 == 0:
            means = {k: round(float(torch.stack(v[-50:]).mean()), 3) for k, v in told.items()}
            print(f"{done} steps, {share:.2f} of the time {means}", flush=True)
    return model.eval()


def main():
    """Fit the teacher and the reader, print figures, and leave the weights in a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--begin", type=Path, required=True, help="the folder of a reader")
    parser.add_argument("--teacher", type=Path, required=True, help="see weights.py")
    parser.add_argument("--lessons", type=Path, required=True, help="what lessons.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--seconds",
        type=float,
        nargs="+",
        default=(270, 640, 400),
        help="of the teacher, then of each round of the reader",
    )
    parser.add_argument("--rates", type=float, nargs="+", default=(4e-5, 2e-4, 1.5e-4))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with given.lessons.open("rb") as file:
        material = pickle.load(file)  # our own file, see `lessons.py`
    student = reader(given.begin).to(DEVICE)
    print("before", json.dumps(figures(student.eval(), material)), flush=True)
    teacher = Reader(large_encoder(given.teacher), student.labels).to(DEVICE)
    (first, *rounds) = zip(given.seconds, given.rates, strict=True)
    fit(teacher, material, seconds=first[0], rate=first[1], seed=given.seed)
    print("teacher", json.dumps(figures(teacher, material)), flush=True)
    for number, (seconds, rate) in enumerate(rounds):
        seed = given.seed + number
        fit(student, material, seconds=seconds, rate=rate, seed=seed, teacher=teacher)
        print("reader", json.dumps(figures(student, material)), flush=True)
    torch.save(trained_weights(student), given.out / "reader.pt")


if __name__ == "__main__":
    main()
