"""Trains the built-in embedder: a copy of all-MiniLM-L6-v2 that puts questions near their answers.

Needs torch, transformers and onnx in an environment of its own; neither Engram nor its tests need
it:

    PYTHONPATH=src:scripts python scripts/reader/train_embedder.py \\
        --lessons build/questions.pickle --teacher build/teacher.npz --out build/embedder

Each question stands beside a text that answers it and near texts that do not: of the same store, or
of the same topic where the reader finds no answer in them. A teacher five times as large learns
this first; the embedder learns it too, and which texts the teacher finds near. A penalty keeps the
vectors where they were, so that likeness of statements means what it meant. Prints how often the
answer is the first of all texts in sets that nothing is trained on.
"""

import argparse
import json
import pickle
import random
import time
from functools import cache
from pathlib import Path

import numpy as np
import torch
from held_out import answer_scores
from material import Example
from model import (
    CLS,
    DEVICE,
    MODELS,
    SEP,
    large_encoder,
    pad,
    reader,
    small_encoder,
    token_states,
    tokenizer,
    trained_weights,
)
from torch import nn
from torch.nn import functional
from train import rate_at

WRONG = 7  # texts that do not answer, beside each one that does
SCALE = 20.0
KEPT = 2.0  # what the distance from the earlier vectors costs
TAUGHT = 1.0  # what the distance from the teacher's order costs
SAMPLED = 256  # texts of a batch whose likeness is compared with what it was
MOST_TOKENS = 96
NO_ANSWER = -1.0  # of the reader


@cache
def coded(text: str) -> list[int]:
    """The ids of a text."""
    return [CLS, *tokenizer.encode(text, add_special_tokens=False).ids[:MOST_TOKENS], SEP]


class Embedder(nn.Module):
    """An encoder and the mean of its states."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        # The words keep what they meant before: most of them stand in no example.
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, texts: list[str]) -> torch.Tensor:
        """A row of length one for each text."""
        ids = pad([coded(text) for text in texts])
        mask = (ids != 0).long()
        states = token_states(self.encoder, ids, torch.zeros_like(ids)).float()
        mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return functional.normalize(mean, dim=-1)


@torch.no_grad()
def embedded(model: Embedder, texts: list[str]) -> torch.Tensor:
    """Many texts, in order of length."""
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    found = None
    for start in range(0, len(order), 512):
        places = order[start : start + 512]
        few = model([texts[at] for at in places])
        found = torch.zeros(len(texts), few.shape[1], device=DEVICE) if found is None else found
        found[places] = few
    return found


def with_wrong(every: list[Example], base: Embedder, judge: nn.Module) -> list[tuple]:
    """Each example with the nearest texts that do not answer."""
    texts = sorted({text for each in every for text in (*each.right, *each.others)})
    place_of = {text: at for at, text in enumerate(texts)}
    bank, asked = embedded(base, texts), embedded(base, [each.question for each in every])
    found, doubtful = [], []
    for at, each in enumerate(every):
        others = list(dict.fromkeys(each.others))
        if others:
            near = (bank[[place_of[text] for text in others]] @ asked[at]).argsort(descending=True)
            others = [others[i] for i in near[: 2 * WRONG].tolist()]
        doubtful += [] if each.is_labelled else [(at, text) for text in others]
        found.append(others)
    scores = answer_scores(judge, [(every[at].question, text) for at, text in doubtful])
    answering = {pair for pair, score in zip(doubtful, scores, strict=True) if score > NO_ANSWER}
    return [
        (each, [text for text in others if (at, text) not in answering][: 2 * WRONG])
        for at, (each, others) in enumerate(zip(every, found, strict=True))
    ]


def loss_of(model, batch, dice, *, base=None, teacher=None):
    """How far the answers stand behind the others, and how far the vectors have moved."""
    texts, owners = [], []
    for at, (each, wrong) in enumerate(batch):
        chosen = dice.sample(wrong, min(WRONG, len(wrong)))
        texts += [dice.choice(each.right), *chosen]
        owners += [at] * (1 + len(chosen))
    questions = [each.question for each, _ in batch]
    rows, asked = both(model, texts, questions)
    owner = torch.tensor(owners, device=DEVICE)
    first = torch.tensor([owners.index(at) for at in range(len(batch))], device=DEVICE)
    places = [each.place for each, _ in batch]
    same = torch.tensor([[a == b for b in places] for a in places], device=DEVICE)
    is_own = owner[None] == torch.arange(len(batch), device=DEVICE)[:, None]
    scores = SCALE * asked @ rows.T
    hidden = same[:, owner] & ~is_own
    loss = functional.cross_entropy(scores.masked_fill(hidden, -1e4), first)
    if teacher is None:
        return loss
    with torch.no_grad():
        wise_rows, wise = both(teacher, texts, questions)
    wanted = (SCALE * wise @ wise_rows.T).softmax(-1)
    loss = loss + TAUGHT * functional.cross_entropy(scores, wanted)
    some = dice.sample(range(len(texts)), min(SAMPLED, len(texts)))
    with torch.no_grad():
        before = torch.cat(both(base, [texts[at] for at in some], questions))
    now = torch.cat([rows[some], asked])
    moved = (
        10 * ((now @ now.T - before @ before.T) ** 2).mean() + (1 - (now * before).sum(-1)).mean()
    )
    return loss + KEPT * moved


def both(model, texts, questions):
    """The vectors of texts and of questions."""
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        return model(texts), model(questions)


def fit(model, material, *, seconds, rate, batch, dice, **given):
    """Train until time is over."""
    weights = [each for each in model.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=0.0, weight_decay=0.01, fused=True)
    began, done, work = time.time(), 0, []
    model.train()
    while (share := (time.time() - began) / seconds) < 1:
        if not work:
            dice.shuffle(material)
            work = [material[at : at + batch] for at in range(0, len(material) - batch + 1, batch)]
        for params in optimiser.param_groups:
            params["lr"] = rate * rate_at(share)
        loss = loss_of(model, work.pop(), dice, **given)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        done += 1
        if done % 100 == 0:
            print(f"{done} steps, {share:.2f} of the time, loss {loss.item():.3f}", flush=True)
    return model.eval()


def figures(model: Embedder, held_out) -> dict[str, float]:
    """How often the answer is first, in texts that nothing is trained on."""
    model.eval()
    facts, stores = held_out
    turns = [text for texts, _ in stores for text in texts][:300]
    others = embedded(model, turns)
    first, crowd = [], []
    for start in range(0, len(facts), 30):
        few = facts[start : start + 30]
        asked = embedded(model, [each["question"] for each in few])
        told = embedded(model, [each["fact"] for each in few])
        right = torch.arange(len(few))
        first += ((asked @ told.T).argmax(1).cpu() == right).tolist()
        crowd += ((asked @ torch.cat([told, others]).T).argmax(1).cpu() == right).tolist()
    bank = embedded(model, [text for texts, _ in stores for text in texts])
    at, inside, among = 0, [], []
    for texts, asked in stores:
        count = len(texts)
        for each in asked:
            near = bank @ embedded(model, [each.question])[0]
            right = {at + i for i, text in enumerate(texts) if text in each.right}
            inside.append(at + int(near[at : at + count].argmax()) in right)
            among.append(not right.isdisjoint(near.topk(10).indices.tolist()))
        at += count
    return {
        "fact first of 30": float(np.mean(first)),
        "fact first of 330": float(np.mean(crowd)),
        "turn first in its store": float(np.mean(inside)),
        "among the first ten of all turns": float(np.mean(among)),
    }


def main() -> None:
    """Train, print figures, and leave the weights in a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lessons", type=Path, required=True, help="what questions.py wrote")
    parser.add_argument("--teacher", type=Path, required=True, help="see weights.py")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--begin", type=Path, default=MODELS / "minilm/model.onnx")
    parser.add_argument("--reader", type=Path, default=MODELS / "reader")
    parser.add_argument("--seconds", type=float, nargs=2, default=(150, 260))
    parser.add_argument("--rates", type=float, nargs=2, default=(2e-5, 6e-5))
    parser.add_argument("--batches", type=int, nargs=2, default=(64, 128))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with given.lessons.open("rb") as file:
        every, held_out = pickle.load(file)  # our own file, see `questions.py`
    dice, began = random.Random(given.seed), time.time()
    torch.manual_seed(given.seed)
    base = Embedder(small_encoder(given.begin)).to(DEVICE).eval()
    material = with_wrong(every, base, reader(given.reader).to(DEVICE).eval())
    print("before", json.dumps(figures(base, held_out)), round(time.time() - began), flush=True)
    teacher = Embedder(large_encoder(given.teacher)).to(DEVICE)
    print("teacher before", json.dumps(figures(teacher, held_out)), flush=True)
    runs = list(zip(given.seconds, given.rates, given.batches, strict=True))
    seconds, rate, batch = runs[0]
    fit(teacher, material, seconds=seconds, rate=rate, batch=batch, dice=dice)
    print("teacher", json.dumps(figures(teacher, held_out)), flush=True)
    model = Embedder(small_encoder(given.begin)).to(DEVICE)
    seconds, rate, batch = runs[1]
    fit(model, material, seconds=seconds, rate=rate, batch=batch, dice=dice, base=base,
        teacher=teacher)  # fmt: skip
    print("embedder", json.dumps(figures(model, held_out)), flush=True)
    torch.save(trained_weights(model.encoder), given.out / "embedder.pt")


if __name__ == "__main__":
    main()
