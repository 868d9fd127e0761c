"""Trains the reader: one fine-tuned copy of the encoder with heads for reading, pairs and answers.

Needs torch, transformers, tokenizers, onnx, onnxruntime and sympy in an environment of its own,
best with a GPU; neither Engram nor its tests need it. `--weights` is the file of `weights.py`.

    PYTHONPATH=src:scripts python scripts/reader/train.py --weights w8.npz --out build/reader

Tunes by crossing two thirds of the corpus, fits on both, and prints the figures of the tuning runs.
The last third is measured by `engram eval`, not here.
"""

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
from corpus import ADDRESSEES, CATEGORIES, MODALITIES, RELATIONS, labelled_clauses, rows, spoken
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional
from transformers import BertConfig, BertModel

ROOT = Path(__file__).parents[2]
MOST_TOKENS = 256
WIDTH = 384
HEADS = {"keep": 1, "category": len(CATEGORIES), "modality": len(MODALITIES),
         "addressee": len(ADDRESSEES), "relation": len(RELATIONS), "answer": 1}  # fmt: skip
PAIRED = ("relation", "answer")  # these read the first token, both sides and their difference
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
tokenizer = Tokenizer.from_file(str(ROOT / "src/engram/providers/models/minilm/tokenizer.json"))
tokenizer.no_padding()
tokenizer.no_truncation()
CLS, SEP = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")


class Reader(nn.Module):
    """The encoder; every head reads the first token beside the mean of its own span."""

    def __init__(self, weights: Path) -> None:
        super().__init__()
        config = BertConfig(
            vocab_size=30522, hidden_size=WIDTH, num_hidden_layers=6, num_attention_heads=12,
            intermediate_size=1536, max_position_embeddings=512, layer_norm_eps=1e-12,
        )  # fmt: skip
        config._attn_implementation = "eager"
        self.encoder = BertModel(config, add_pooling_layer=False)
        stored = np.load(weights)
        state = {
            name: torch.from_numpy(
                stored[name].astype(np.float32)
                * (stored[f"{name}::s"] if f"{name}::s" in stored.files else 1)
            )
            for name in stored.files
            if not name.endswith("::s")
        }
        missing = self.encoder.load_state_dict(state, strict=False).missing_keys
        assert not [name for name in missing if "position_ids" not in name], missing
        self.heads = nn.ModuleDict(
            {k: nn.Linear((4 if k in PAIRED else 2) * WIDTH, n) for k, n in HEADS.items()}
        )
        self.drop = nn.Dropout(0.1)

    def states(self, ids, types):
        mask = (ids != 0).long()
        out = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types)
        return out.last_hidden_state, mask

    def head(self, name, *parts):
        return self.heads[name](self.drop(torch.cat(parts, -1)))


def cut(ids, most):
    return ids[:most]


def encode_turn(role, text, spans):
    """The ids of a turn and, for each span, the places of its tokens."""
    prefix = [CLS, *tokenizer.encode(f"{role}:", add_special_tokens=False).ids]
    found = tokenizer.encode(text, add_special_tokens=False)
    ids = [*prefix, *cut(found.ids, MOST_TOKENS - len(prefix) - 1), SEP]
    places = []
    for start, end in spans:
        inside = [
            i + len(prefix) for i, (a, b) in enumerate(found.offsets)
            if a < end and b > start and i + len(prefix) < len(ids) - 1
        ]  # fmt: skip
        places.append((inside[0], inside[-1] + 1) if inside else None)
    return ids, places


def encode_pair(first, second):
    a = cut(tokenizer.encode(first, add_special_tokens=False).ids, 110)
    b = cut(tokenizer.encode(second, add_special_tokens=False).ids, 140)
    return [CLS, *a, SEP, *b, SEP], [0] * (len(a) + 2) + [1] * (len(b) + 1)


def pad(batch, fill=0):
    width = max(map(len, batch))
    return torch.tensor([[*each, *[fill] * (width - len(each))] for each in batch], device=DEVICE)


def later_text(row):
    said = spoken(row.get("later_speaker") or row["speaker"], row["later"])
    return f"{row['before']} / {said}" if row.get("before") else said


def load_turns():
    """Encoded turns with their labelled clauses."""
    found = []
    for part, row in rows("turns"):
        text, clauses = labelled_clauses(row)
        if not clauses:
            continue
        ids, places = encode_turn(row["role"], text, [(c.start, c.end) for c in clauses])
        kept = [(c, p) for c, p in zip(clauses, places, strict=True) if p]
        if kept:
            spans, labels = [p for _, p in kept], [c for c, _ in kept]
            found.append((part, ids, spans, labels, ADDRESSEES.index(row["to"])))
    return found


def load_pairs():
    """The pairs as written, and those that the stores hold: a stale turn and what replaced it."""
    found = list(rows("pairs"))
    for part, row in rows("stores"):
        said = row["turns"]
        for question in row["questions"]:
            for old in question.get("stale", ()):
                for new in question["evidence"]:
                    if old < new:
                        found.append((part, {
                            "topic": row["topic"], "speaker": said[old]["speaker"],
                            "first": said[old]["text"], "later": said[new]["text"],
                            "later_speaker": said[new]["speaker"], "relation": "replaces",
                            "writer": row["writer"],
                        }))  # fmt: skip
    return found


def load_answers():
    """Questions with texts that answer them and, more often, texts that do not, by writer."""
    found = []
    for part, row in rows("stores"):
        for question in row["questions"]:
            good = set(question["evidence"]) if question["answerable"] else set()
            stale = set(question.get("stale", ())) - good
            found.append((part, row["writer"], question["q"], question["q"], False))
            for place, turn in enumerate(row["turns"]):
                if place not in stale:
                    said = spoken(turn["speaker"], turn["text"])
                    found.append((part, row["writer"], question["q"], said, place in good))
    for part, row in rows("asked"):
        found.append((part, row["writer"], row["question"], row["fact"], True))
    for part, row in rows("answers"):
        said = spoken(row["speaker"], row["fact"])
        for name, is_good in (("yes", True), ("no", False)):
            found += [(part, row["writer"], question, said, is_good) for question in row[name]]
    return found


def answer_examples(answers, base, part, strangers=2):
    """Encoded answers of a part, with near texts of other writers, which answer nothing."""
    own = [each[1:] for each in answers if each[0] == part]
    questions = {q: writer for writer, q, _, _ in own}
    texts = {t: writer for writer, _, t, _ in own}
    asked, said = list(questions), list(texts)
    near = (vectors(base, asked) @ vectors(base, said).T).argsort(1, descending=True)[:, :60]
    found = [(*encode_pair(q, t), int(g)) for _, q, t, g in own]
    for place, question in enumerate(asked):
        others = [said[i] for i in near[place].tolist() if texts[said[i]] != questions[question]]
        found += [(*encode_pair(question, text), 0) for text in others[:strangers]]
    return found


def load_extra(path):
    """Questions and lines of public dialogues under a permissive licence, to begin with."""
    if path is None:
        return []
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [(*encode_pair(each["q"], each["text"]), int(each["good"])) for each in found]


@torch.no_grad()
def vectors(model, texts):
    """Plain mean-pooled vectors of the encoder as published, to find near statements."""
    model.eval()
    found = []
    for start in range(0, len(texts), 256):
        ids = pad([[CLS, *cut(tokenizer.encode(t, add_special_tokens=False).ids, 120), SEP]
                   for t in texts[start : start + 256]])  # fmt: skip
        hidden, mask = model.states(ids, torch.zeros_like(ids))
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        found.append(functional.normalize(mean, dim=-1))
    return torch.cat(found)


def pair_examples(pairs, base, part, mined):
    """Encoded pairs of a part: those written, and near statements about other things.

    Near statements are taken from other writers, whose people and things are others; what one
    writer told twice in a topic may well be the same fact.
    """
    own = [row for p, row in pairs if p == part]
    found = [
        (*encode_pair(spoken(r["speaker"], r["first"]), later_text(r)),
         RELATIONS.index(r["relation"]), True)
        for r in own
    ]  # fmt: skip
    firsts = [spoken(r["speaker"], r["first"]) for r in own]
    laters = [later_text(r) for r in own]
    writers = [r["writer"] for r in own]
    near = vectors(base, laters) @ vectors(base, firsts).T
    dice = random.Random(7)
    for i in range(len(own)):
        others = [j for j in near[i].argsort(descending=True)[:60].tolist()
                  if writers[j] != writers[i]][:8]  # fmt: skip
        for j in dice.sample(others, min(mined, len(others))):
            found.append((*encode_pair(firsts[j], laters[i]), RELATIONS.index("unrelated"), False))
    return found + [
        (*encode_pair(one, other), RELATIONS.index("unrelated"), False)
        for one, other in store_negatives(part, dice)
    ]


def store_negatives(part, dice, most=4):
    """Statements of one store of which the later one changes nothing about the earlier one."""
    found = []
    for p, row in rows("stores"):
        if p != part:
            continue
        said = row["turns"]
        changed = {
            (old, new) for q in row["questions"]
            for old in q.get("stale", ()) for new in (*q["evidence"], *q.get("stale", ()))
        }  # fmt: skip
        touched = {place for pair in changed for place in pair}
        free = [
            (i, j) for i in range(len(said)) for j in range(i + 1, len(said))
            if (i, j) not in changed and not (i in touched and j in touched)
        ]  # fmt: skip
        for i, j in dice.sample(free, min(most, len(free))):
            found.append(tuple(spoken(said[k]["speaker"], said[k]["text"]) for k in (i, j)))
    return found


def run_turns(model, batch):
    ids = pad([each[1] for each in batch])
    hidden, _ = model.states(ids, torch.zeros_like(ids))
    first, means, whole = [], [], []
    for i, each in enumerate(batch):
        whole.append(hidden[i, : len(each[1])].mean(0))
        for a, b in each[2]:
            first.append(hidden[i, 0])
            means.append(hidden[i, a:b].mean(0))
    first, means = torch.stack(first), torch.stack(means)
    heads = {k: model.head(k, first, means) for k in ("keep", "category", "modality")}
    heads["addressee"] = model.head("addressee", hidden[:, 0], torch.stack(whole))
    return heads


def run_pairs(model, batch, name):
    ids, types = pad([each[0] for each in batch]), pad([each[1] for each in batch])
    hidden, mask = model.states(ids, types)
    sides = []
    for side in (mask * (1 - types), mask * types):
        sides.append((hidden * side[..., None]).sum(1) / side.sum(1, keepdim=True))
    return model.head(name, hidden[:, 0], *sides, (sides[0] - sides[1]).abs())


def turn_loss(model, batch):
    out = run_turns(model, batch)
    clauses = [c for each in batch for c in each[3]]
    keep = torch.tensor([float(c.is_kept) for c in clauses], device=DEVICE)
    category = torch.tensor([c.category for c in clauses], device=DEVICE)
    modality = torch.tensor([c.modality for c in clauses], device=DEVICE)
    addressee = torch.tensor([each[4] for each in batch], device=DEVICE)
    loss = functional.binary_cross_entropy_with_logits(out["keep"][:, 0], keep)
    loss = loss + functional.cross_entropy(out["modality"], modality)
    loss = loss + 0.3 * functional.cross_entropy(out["addressee"], addressee)
    if (category >= 0).any():
        loss = loss + 0.7 * functional.cross_entropy(out["category"], category, ignore_index=-1)
    return loss


def batches(items, size, dice):
    order = list(range(len(items)))
    dice.shuffle(order)
    for start in range(0, len(order), size):
        yield [items[i] for i in order[start : start + size]]


def fit(weights, turns, pairs, answers, *, extra=(), epochs, rate, seed):
    """One model over all three tasks, their batches mixed; the first epoch has `extra` answers."""
    torch.manual_seed(seed)
    dice = random.Random(seed)
    model = Reader(weights).to(DEVICE)
    body = [p for n, p in model.named_parameters() if n.startswith("encoder")]
    heads = [p for n, p in model.named_parameters() if not n.startswith("encoder")]
    steps = epochs * (len(turns) // 16 + len(pairs) // 48 + len(answers) // 48 + 3)
    steps += len(extra) // 48 + 1
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": rate}, {"params": heads, "lr": 10 * rate}], weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=[rate, 10 * rate], total_steps=steps + 1, pct_start=0.1
    )
    for epoch in range(epochs):
        work = [("turn", b) for b in batches(turns, 16, dice)]
        work += [("relation", b) for b in batches(pairs, 48, dice)]
        work += [("answer", b) for b in batches(answers, 48, dice)]
        if epoch == 0:
            work += [("answer", b) for b in batches(list(extra), 48, dice)]
        dice.shuffle(work)
        model.train()
        for kind, batch in work:
            if kind == "turn":
                loss = turn_loss(model, batch)
            else:
                logits = run_pairs(model, batch, kind)
                gold = torch.tensor([each[2] for each in batch], device=DEVICE)
                loss = (
                    functional.cross_entropy(logits, gold, label_smoothing=0.05)
                    if kind == "relation"
                    else functional.binary_cross_entropy_with_logits(logits[:, 0], gold.float())
                )
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            if schedule.last_epoch < steps:
                schedule.step()
    return model.eval()


@torch.no_grad()
def predict_turns(model, turns):
    found = []
    for start in range(0, len(turns), 64):
        batch = turns[start : start + 64]
        out = run_turns(model, batch)
        clauses = [c for each in batch for c in each[3]]
        keep = torch.sigmoid(out["keep"][:, 0]).tolist()
        found += list(zip(clauses, keep, out["category"].argmax(-1).tolist(),
                          out["modality"].argmax(-1).tolist(), strict=True))  # fmt: skip
    return found


@torch.no_grad()
def predict_pairs(model, items, name):
    found = []
    for start in range(0, len(items), 128):
        logits = run_pairs(model, items[start : start + 128], name)
        found.append(logits.softmax(-1) if name == "relation" else torch.sigmoid(logits))
    return torch.cat(found).cpu().numpy()


def auc(scores, gold):
    order = np.argsort(scores)
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    gold = np.asarray(gold, dtype=bool)
    n = gold.sum()
    return float((ranks[gold].sum() - n * (n + 1) / 2) / max(1, n * (~gold).sum()))


def report(reading, relations, answers):
    """Figures of predictions on parts that were not trained on."""
    keep = np.array([k for _, k, _, _ in reading])
    gold = np.array([c.is_kept for c, _, _, _ in reading])
    figures = {"keep auc": auc(keep, gold)}
    for at in (0.3, 0.4, 0.5, 0.6):
        chosen = keep >= at
        figures[f"keep precision/recall at {at}"] = (
            round(float(gold[chosen].mean()), 3), round(float(chosen[gold].mean()), 3)
        )  # fmt: skip
    kept = [(c.category, g) for c, _, g, _ in reading if c.is_kept]
    figures["category"] = float(np.mean([a == b for a, b in kept]))
    figures["modality"] = float(np.mean([c.modality == m for c, _, _, m in reading]))
    probabilities, labels, written = relations
    change = probabilities[:, 1] + probabilities[:, 2]
    is_change = np.isin(labels, (1, 2))
    figures["relation accuracy (written)"] = float(
        (probabilities.argmax(1) == labels)[written].mean()
    )
    figures["change auc written / all"] = (
        auc(change[written], is_change[written]), auc(change, is_change)
    )  # fmt: skip
    for at in (0.5, 0.7, 0.8, 0.9, 0.95, 0.97):
        fired = change >= at
        figures[f"change at {at}: caught / false of written others / false of mined"] = tuple(
            round(float(x), 4) for x in (
                fired[is_change].mean(), fired[written & ~is_change].mean(),
                fired[~written].mean() if (~written).any() else 0.0,
            )
        )  # fmt: skip
    figures["answer auc"] = auc(*answers)
    scores, right = answers
    for at in (0.3, 0.5, 0.7, 0.9):
        chosen = scores >= at
        figures[f"answer precision/recall at {at}"] = (
            round(float(right[chosen].mean()), 3), round(float(chosen[right == 1].mean()), 3)
        )  # fmt: skip
    return figures


def cross(asked, of_part, coded, coded_answers, extra):
    """Fit on each part and look at the other."""
    reading, relation, labels, written, scores, golds = [], [], [], [], [], []
    for here, there in (("train", "tune"), ("tune", "train")):
        began = time.time()
        model = fit(asked.weights, of_part[here], coded[here], coded_answers[here],
                    extra=extra, epochs=asked.epochs, rate=asked.rate, seed=1)  # fmt: skip
        reading += predict_turns(model, of_part[there])
        relation.append(predict_pairs(model, coded[there], "relation"))
        labels += [each[2] for each in coded[there]]
        written += [each[3] for each in coded[there]]
        scores.append(predict_pairs(model, coded_answers[there], "answer")[:, 0])
        golds += [each[2] for each in coded_answers[there]]
        print(f"{here} to {there}: {time.time() - began:.0f} s", flush=True)
    relations = (np.concatenate(relation), np.array(labels), np.array(written))
    return report(reading, relations, (np.concatenate(scores), np.array(golds)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--mined", type=int, default=2)
    parser.add_argument("--extra", type=Path, help="answers in public dialogues, as JSON lines")
    parser.add_argument("--final", action="store_true", help="only fit on both parts and export")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    turns, pairs, answers = load_turns(), load_pairs(), load_answers()
    print(len(turns), "turns", len(pairs), "pairs", len(answers), "answers", flush=True)
    base = Reader(asked.weights).to(DEVICE).eval()
    parts = ("train", "tune")
    coded = {part: pair_examples(pairs, base, part, asked.mined) for part in parts}
    coded_answers = {part: answer_examples(answers, base, part) for part in parts}
    extra = load_extra(asked.extra)
    of_part = {part: [each for each in turns if each[0] == part] for part in parts}
    if asked.final:
        from export import export

        model = fit(asked.weights, of_part["train"] + of_part["tune"],
                    coded["train"] + coded["tune"], coded_answers["train"] + coded_answers["tune"],
                    extra=extra, epochs=asked.epochs, rate=asked.rate, seed=1)  # fmt: skip
        export(model.cpu(), asked.out)
        return
    figures = cross(asked, of_part, coded, coded_answers, extra)
    print(json.dumps(figures, indent=1), flush=True)
    (asked.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
