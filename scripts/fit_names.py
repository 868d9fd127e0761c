"""Fits the two models that names are read with, from hand-written words and sentences.

    python scripts/fit_names.py words      # language/en/word_kinds.json
    python scripts/fit_names.py mentions   # language/en/mention_types.json

`words` needs `onnx`: a linear model over the encoder's word vectors learns from the words in
data/names/words.txt of what kind every word of the vocabulary is. `mentions` learns from
data/names/sentences.txt, from the talks of the parts train and tune and from those of
data/names-trained whether a row of capitals is a name and what bears it.
"""

import argparse
import base64
import json
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engram.evaluation.corpus import TRAIN, TUNE, Corpus
from engram.language.names.features import CLASSES, SCALE, features_of
from engram.language.names.keys import key_of
from engram.language.names.mentions import find_terms
from engram.language.names.runs import Run, place_of, runs_of, setting_of
from engram.language.names.tokens import Token, tokens_of
from engram.language.word_kinds import (
    SPELLING_SCALE,
    SPELT_KINDS,
    WORD_KINDS,
    pieces_of,
    plain_letters,
    word_hash,
)

ROOT = Path(__file__).parent.parent
WORDS = ROOT / "data" / "names" / "words.txt"
EXPECTED = ROOT / "data" / "names" / "expected.txt"
SENTENCES = ROOT / "data" / "names" / "sentences.txt"
TRAINED = ROOT / "data" / "names-trained"
ENGLISH = ROOT / "src" / "engram" / "language" / "en"
ENCODER = ROOT / "src" / "engram" / "providers" / "models" / "minilm"
FOLDS, SPELLINGS, SPELLING_DECAY = 5, 4096, 3e-4
DECAY, HIDDEN_DECAY = 2e-3, 1e-3
HIDDEN, DROPPED, STEPS, NETS = 16, 0.4, 150, 5
PRIOR_PART = re.compile(r"([npoljtx])(-?[\d.]+)")

Matrix = NDArray[np.float32]


def shares_of(scores: Matrix) -> Matrix:
    """The softmax of each row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


class Adam:
    """The usual steps, for one array."""

    def __init__(self, shape: tuple[int, ...], rate: float) -> None:
        self.value = np.zeros(shape, dtype=np.float32)
        self._first, self._second = np.zeros_like(self.value), np.zeros_like(self.value)
        self._rate, self._steps = rate, 0

    def step(self, slope: Matrix) -> None:
        """Go one step down."""
        self._steps += 1
        self._first = 0.9 * self._first + 0.1 * slope
        self._second = 0.99 * self._second + 0.01 * slope * slope
        first = self._first / (1 - 0.9**self._steps)
        second = self._second / (1 - 0.99**self._steps)
        self.value -= self._rate * first / (np.sqrt(second) + 1e-8)


def fit_dense(
    inputs: Matrix,
    wanted: Matrix,
    *,
    decay: float,
    steps: int = 400,
    expected: Matrix | float = 0.0,
) -> Matrix:
    """Weights of a softmax regression that stay near the expected ones; last row: the constant."""
    full = np.hstack([inputs, np.ones((len(inputs), 1), dtype=np.float32)])
    weights = Adam((full.shape[1], wanted.shape[1]), rate=0.05)
    for _ in range(steps):
        wrong = (shares_of(full @ weights.value) - wanted) / len(full)
        weights.step(full.T @ wrong + decay * (weights.value - expected))
    return weights.value


# Words


def listed_words() -> dict[str, list[str]]:
    """The words of each section of the file."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif not line.startswith("#"):
            found.setdefault(section, []).extend(line.split())
    return found


def word_vectors() -> tuple[dict[str, int], Matrix]:
    """The encoder's whole words, and the vector of each piece, of length one."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(ENCODER / "model.onnx"))
    arrays = {
        each.name[-8:]: numpy_helper.to_array(each)
        for each in model.graph.initializer
        if "word_embeddings" in each.name
    }
    vectors = arrays["weight_q"].astype(np.float32) * arrays["weight_s"]
    vectors -= vectors.mean(axis=0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vocabulary = json.loads((ENCODER / "tokenizer.json").read_text())["model"]["vocab"]
    words = {word: row for word, row in vocabulary.items() if re.fullmatch(r"[a-z]{3,}", word)}
    return words, vectors


def fit_words() -> None:
    """Write the word table and print how well each step does on words that it has not seen."""
    listed = listed_words()
    words, vectors = word_vectors()
    labels = {word: WORD_KINDS.index(kind) for kind in WORD_KINDS for word in listed[kind]}
    known = [word for word in labels if word in words]
    inputs = vectors[[words[word] for word in known]]
    one_hot = np.eye(len(WORD_KINDS), dtype=np.float32)
    wanted = one_hot[[labels[word] for word in known]]
    guesses = _guess_folds(inputs, wanted)
    print(f"vectors, {len(known)} words, {FOLDS} folds: {_share_right(guesses, wanted):.3f}")
    teacher = fit_dense(inputs, wanted, decay=1e-4)
    every = sorted(words)
    taught = shares_of(vectors[[words[word] for word in every]] @ teacher[:-1] + teacher[-1])
    targets = dict(zip(every, taught, strict=True))
    targets |= {word: one_hot[kind] * 0.98 + 0.004 for word, kind in labels.items()}
    for section, share in (("ambiguous", 0.5), ("rather a name", 0.4)):
        both = np.array([share, 1 - share, *[0] * (len(WORD_KINDS) - 2)], dtype=np.float32)
        targets |= dict.fromkeys(listed[section], both)
    _write_words(targets, fit_spelling(listed))


def fit_spelling(listed: dict[str, list[str]]) -> Matrix:
    """The weights of rows of letters; what is listed but once counts as often as the rest."""
    labels = {word: kind for kind in SPELT_KINDS for word in listed[kind]}
    for kind in ("organization", "product"):
        labels |= dict.fromkeys(listed[f"invented {kind}"], kind)
    words = sorted(labels)
    inputs = np.zeros((len(words), SPELLINGS), dtype=np.float32)
    for row, word in enumerate(words):
        inputs[row, pieces_of(plain_letters(word), SPELLINGS)] = 1
    wanted = np.eye(len(SPELT_KINDS), dtype=np.float32)
    wanted = wanted[[SPELT_KINDS.index(labels[word]) for word in words]]
    out = np.arange(len(words)) % FOLDS == 0
    weights = fit_dense(inputs[~out], wanted[~out], decay=SPELLING_DECAY, steps=150)
    right = _share_right(inputs[out] @ weights[:-1] + weights[-1], wanted[out])
    print(f"spellings, {out.sum()} of {len(words)} words: {right:.3f}")
    return fit_dense(inputs, wanted, decay=SPELLING_DECAY, steps=150)


def _guess_folds(inputs: Matrix, wanted: Matrix) -> Matrix:
    guesses = np.zeros_like(wanted)
    for fold in range(FOLDS):
        out = np.arange(len(inputs)) % FOLDS == fold
        weights = fit_dense(inputs[~out], wanted[~out], decay=1e-4)
        guesses[out] = inputs[out] @ weights[:-1] + weights[-1]
    return guesses


def _share_right(guesses: Matrix, wanted: Matrix) -> float:
    return float((guesses.argmax(axis=1) == wanted.argmax(axis=1)).mean())


def _packed(numbers: bytes) -> str:
    return base64.b64encode(zlib.compress(numbers, 9)).decode()


def _write_words(targets: dict[str, Matrix], spelling: Matrix) -> None:
    rows = {
        word_hash(word): np.round(np.clip(target, 0, 1) * 255).astype(np.uint8).tobytes()
        for word, target in targets.items()
    }
    packed = b"".join(number.to_bytes(4, "little") + rows[number] for number in sorted(rows))
    steps = np.clip(np.round(spelling * SPELLING_SCALE), -128, 127).astype(np.int8)
    card = {"kinds": WORD_KINDS, "made_by": "scripts/fit_names.py words", "count": len(rows)}
    card |= {"spellings": _packed(steps.tobytes()), "words": _packed(packed)}
    (ENGLISH / "word_kinds.json").write_text(json.dumps(card) + "\n", encoding="utf-8")
    print(f"table of {len(rows)} words written")


# Mentions


MARK = re.compile(r"\[([^\[\]|]+)\|([poljtx])\]")
CODES = {"n": 0, "p": 1, "o": 2, "l": 3, "j": 4, "t": 5, "x": 6}


@dataclass
class Example:
    """A candidate of a sentence: its features and its class."""

    surface: str
    features: list[str]
    label: int


LETTERS = {
    "person": "p", "organisation": "o", "place": "l", "project": "j", "technology": "t",
    "other": "x",
}  # fmt: skip


@dataclass
class Text:
    """A turn of a talk, what is named in it as written, and who talks."""

    text: str
    names: dict[str, str]
    people: frozenset[str]


def text_of(text: str, tokens: Sequence[Token], run: Run) -> str:
    """A candidate as it is written."""
    return text[slice(*place_of(text, tokens, run))]


def marked_sentences() -> list[tuple[str, dict[tuple[int, int], int], int]]:
    """Each text, where its names stand with the class of each, and how often it counts."""
    found, weight = [], 1
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        if line.startswith("# weight "):
            weight = int(line.removeprefix("# weight "))
            continue
        text, names = "", {}
        rest = line.replace("\\n", "\n")
        while mark := MARK.search(rest):
            text += rest[: mark.start()]
            names[len(text), len(text) + len(mark[1])] = CODES[mark[2]]
            text += mark[1]
            rest = rest[mark.end() :]
        found.append((text + rest, names, weight))
    return found


def marked_talks() -> dict[str, list[Text]]:
    """Each turn of the talks that may be learnt from, by part or by writer."""
    found: dict[str, list[Text]] = {
        part: [
            Text(text, dict(talk.mentions), frozenset(name for name, _ in talk.turns))
            for talk in Corpus(ROOT / "data").names(part)
            for _, text in talk.turns
        ]
        for part in (TRAIN, TUNE)
    }
    for file in sorted(TRAINED.glob("*.jsonl")):
        rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        found[file.stem] = [text for row in rows for text in _turns_of(row)]
    return found


def _turns_of(row: dict[str, list[dict[str, Any]]]) -> list[Text]:
    names = {name: each["type"] for each in row["entities"] for name in each["mentions"]}
    people = frozenset(turn["speaker"] for turn in row["turns"])
    return [Text(turn["text"], names, people) for turn in row["turns"]]


def talk_examples(texts: Sequence[Text]) -> list[Example]:
    """Every candidate of talks; what is cut wrongly, or a speaker's own name, teaches nothing."""
    found = []
    for each in texts:
        tokens = tokens_of(each.text)
        single = {word for name in each.people for word in key_of(name).split() if len(word) > 1}
        setting = setting_of(tokens, single)
        taken = {place for a, b, _ in find_terms(tokens) for place in range(a, b + 1)}
        words = {word for name in each.names for word in key_of(name).split()}
        for run in runs_of(tokens, setting, taken):
            surface = text_of(each.text, tokens, run)
            kind = each.names.get(surface)
            if kind is None and not words.isdisjoint(key_of(surface).split()):
                continue
            if surface.lower() in setting.people:
                continue
            label = CODES[LETTERS[kind]] if kind else 0
            found.append(Example(surface, features_of(tokens, run, setting), label))
    return found


def read_examples() -> tuple[list[Example], int, int]:
    """Every candidate, how many names were cut wrongly, and how many names there are."""
    examples, wrongly_cut, count = [], 0, 0
    for text, names, weight in marked_sentences():
        tokens = tokens_of(text)
        setting = setting_of(tokens, ())
        terms = list(find_terms(tokens))
        taken = {place for first, last, _ in terms for place in range(first, last + 1)}
        gold = {key_of(text[slice(*span)]): (span, kind) for span, kind in names.items()}
        found = {key_of(text[tokens[a].start : tokens[b].end]) for a, b, _ in terms}
        for run in runs_of(tokens, setting, taken):
            start, end = place_of(text, tokens, run)
            here = [kind for span, kind in names.items() if span[0] < end and start < span[1]]
            keys = {key_of(text[each:end]) for each in (start, tokens[run.first].start)}
            found |= keys
            if here and keys.isdisjoint(gold):
                wrongly_cut += 1
                print("cut:", repr(text[start:end]), "in", repr(text[:70]))
                continue
            features = features_of(tokens, run, setting)
            examples += [Example(text[start:end], features, here[0] if here else 0)] * weight
        count += len(gold)
        for key in gold.keys() - found:
            print("never seen:", key, "in", repr(text[:70]))
    return examples, wrongly_cut, count


def expected_weights() -> dict[str, list[tuple[str, str]]]:
    """What each feature is expected to say: the letters of classes, each with a weight."""
    lines = EXPECTED.read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" | ") for line in lines if not line.startswith("#"))
    return {name: PRIOR_PART.findall(weights) for name, weights in pairs}


@dataclass
class Net:
    """The features, their rows (the direct weights and those of the hidden layer), the layer."""

    names: list[str]
    rows: Matrix
    hidden: Matrix


def fit_net(examples: list[Example]) -> Net:
    """The mean of several nets that begin differently."""
    nets = [fit_one(examples, seed=seed) for seed in range(NETS)]
    width = len(CLASSES)
    direct = np.mean([net.rows[:, :width] for net in nets], axis=0, dtype=np.float32)
    rows = np.hstack([direct, *(net.rows[:, width:] for net in nets)])
    return Net(nets[0].names, rows, np.vstack([net.hidden for net in nets]) / np.float32(NETS))


def fit_one(examples: list[Example], *, seed: int, fewest: int = 3) -> Net:
    """A net whose direct weights stay near the expected ones; rare features are left out."""
    prior = expected_weights()
    counts = Counter(each for example in examples for each in set(example.features))
    names = sorted({name for name, count in counts.items() if count >= fewest} | prior.keys())
    expected = np.zeros((len(names), len(CLASSES)), dtype=np.float32)
    for row, name in enumerate(names):
        for code, weight in prior.get(name, []):
            expected[row, CODES[code]] = float(weight)
    inputs, wanted = _inputs(examples, names), np.eye(len(CLASSES), dtype=np.float32)
    wanted = wanted[[example.label for example in examples]]
    generator = np.random.default_rng(seed)
    direct = Adam(expected.shape, rate=0.03)
    inner, outer = Adam((len(names), HIDDEN), rate=0.01), Adam((HIDDEN, len(CLASSES)), rate=0.01)
    direct.value = expected.copy()
    for each in (inner, outer):
        each.value = (generator.normal(size=each.value.shape) * 0.2).astype(np.float32)
    for _ in range(STEPS):
        seen = inputs * _kept(generator, inputs.shape, 1 - DROPPED)
        layer = np.tanh(seen @ inner.value)
        kept = _kept(generator, layer.shape, 0.7)
        wrong = (shares_of((layer * kept) @ outer.value + seen @ direct.value) - wanted) / len(seen)
        behind = (wrong @ outer.value.T) * kept * (1 - layer * layer)
        outer.step((layer * kept).T @ wrong + HIDDEN_DECAY * outer.value)
        inner.step(seen.T @ behind + HIDDEN_DECAY * inner.value)
        direct.step(seen.T @ wrong + DECAY * (direct.value - expected))
    return Net(names, np.hstack([direct.value, inner.value]), outer.value)


def _inputs(examples: list[Example], names: list[str]) -> Matrix:
    place = {name: at for at, name in enumerate(names)}
    inputs = np.zeros((len(examples), len(names)), dtype=np.float32)
    for row, example in enumerate(examples):
        inputs[row, [place[each] for each in example.features if each in place]] = 1
    return inputs


def _kept(generator: np.random.Generator, shape: tuple[int, ...], share: float) -> Matrix:
    """Which numbers are kept in one step, scaled so that their sum stays."""
    return ((generator.random(shape, dtype=np.float32) < share) / share).astype(np.float32)


def guess(net: Net, examples: list[Example]) -> list[int]:
    """The class of each example."""
    totals = _inputs(examples, net.names) @ net.rows
    direct, layer = totals[:, : len(CLASSES)], np.tanh(totals[:, len(CLASSES) :])
    return [int(each) for each in (direct + layer @ net.hidden).argmax(axis=1)]


def fit_mentions() -> None:
    """Write the model and print how a net does on the talks that it has not seen, part by part."""
    sentences = read_examples()[0]
    parts = {part: talk_examples(texts) for part, texts in marked_talks().items()}
    for asked, examples in parts.items():
        rest = [each for part, found in parts.items() if part != asked for each in found]
        guesses = guess(fit_net(sentences + rest), examples)
        table = np.zeros((len(CLASSES), len(CLASSES)), dtype=int)
        np.add.at(table, ([each.label for each in examples], guesses), 1)
        right = np.trace(table[1:, 1:]) / table[:, 1:].sum()
        print(f"fitted without {asked}: right {right:.3f}\n{table}")
    write_net(fit_net([*sentences, *(each for found in parts.values() for each in found)]))


def write_net(net: Net) -> None:
    """Keep the features by name and the weights as whole numbers."""

    def packed(weights: Matrix) -> str:
        steps = np.clip(np.round(weights * SCALE), -128, 127).astype(np.int8)
        return base64.b64encode(steps.tobytes()).decode()

    card = {
        "made_by": "scripts/fit_names.py mentions",
        "classes": "|".join(CLASSES),
        "features": "\t".join(net.names),
        "rows": packed(net.rows),
        "hidden": packed(net.hidden),
    }
    (ENGLISH / "mention_types.json").write_text(json.dumps(card) + "\n", encoding="utf-8")


def main() -> None:
    """Fit what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["words", "mentions"])
    if parser.parse_args().what == "words":
        fit_words()
    else:
        fit_mentions()


if __name__ == "__main__":
    main()
