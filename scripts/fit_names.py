"""Fits the two models that names are read with, from hand-written words and sentences.

    python scripts/fit_names.py words      # language/en/word_kinds.json
    python scripts/fit_names.py mentions   # language/en/mention_types.json

`words` needs `onnx`: a linear model over the encoder's word vectors learns from the words in
data/names/words.txt of what kind every word of the vocabulary is. `mentions` learns from
data/names/sentences.txt whether a row of capitals is a name and what bears it.
"""

import argparse
import base64
import json
import re
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engram.language.names.features import CLASSES, features_of
from engram.language.names.keys import key_of
from engram.language.names.mentions import find_terms
from engram.language.names.runs import runs_of, setting_of
from engram.language.names.tokens import tokens_of
from engram.language.word_kinds import WORD_KINDS, word_hash

ROOT = Path(__file__).parent.parent
WORDS = ROOT / "data" / "names" / "words.txt"
EXPECTED = ROOT / "data" / "names" / "expected.txt"
SENTENCES = ROOT / "data" / "names" / "sentences.txt"
ENGLISH = ROOT / "src" / "engram" / "language" / "en"
ENCODER = ROOT / "src" / "engram" / "providers" / "models" / "minilm"
FOLDS = 5
DECAY = 2e-3
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
        both = np.array([share, 1 - share, 0, 0, 0], dtype=np.float32)
        targets |= dict.fromkeys(listed[section], both)
    _write_table(targets)


def _guess_folds(inputs: Matrix, wanted: Matrix) -> Matrix:
    guesses = np.zeros_like(wanted)
    for fold in range(FOLDS):
        out = np.arange(len(inputs)) % FOLDS == fold
        weights = fit_dense(inputs[~out], wanted[~out], decay=1e-4)
        guesses[out] = inputs[out] @ weights[:-1] + weights[-1]
    return guesses


def _share_right(guesses: Matrix, wanted: Matrix) -> float:
    return float((guesses.argmax(axis=1) == wanted.argmax(axis=1)).mean())


def _write_table(targets: dict[str, Matrix]) -> None:
    rows = {
        word_hash(word): np.round(np.clip(target, 0, 1) * 255).astype(np.uint8).tobytes()
        for word, target in targets.items()
    }
    packed = b"".join(number.to_bytes(4, "little") + rows[number] for number in sorted(rows))
    words = base64.b64encode(zlib.compress(packed, 9)).decode()
    card = {"kinds": WORD_KINDS, "made_by": "scripts/fit_names.py words", "count": len(rows)}
    (ENGLISH / "word_kinds.json").write_text(json.dumps(card | {"words": words}) + "\n")
    print(f"table of {len(rows)} words written")


# Mentions


MARK = re.compile(r"\[([^\[\]|]+)\|([poljtx])\]")
CODES = {"n": 0, "p": 1, "o": 2, "l": 3, "j": 4, "t": 5, "x": 6}


@dataclass
class Example:
    """A candidate of a sentence: its features and its class."""

    sentence: int
    surface: str
    features: list[str]
    label: int


def marked_sentences() -> list[tuple[str, dict[tuple[int, int], int]]]:
    """Each text, and where its names stand with the class of each."""
    found = []
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        text, names = "", {}
        rest = line.replace("\\n", "\n")
        while mark := MARK.search(rest):
            text += rest[: mark.start()]
            names[len(text), len(text) + len(mark[1])] = CODES[mark[2]]
            text += mark[1]
            rest = rest[mark.end() :]
        found.append((text + rest, names))
    return found


def read_examples() -> tuple[list[Example], int, int]:
    """Every candidate, how many names were cut wrongly, and how many names there are."""
    examples, wrongly_cut, count = [], 0, 0
    for number, (text, names) in enumerate(marked_sentences()):
        tokens = tokens_of(text)
        setting = setting_of(tokens, ())
        terms = list(find_terms(tokens))
        taken = {place for first, last, _ in terms for place in range(first, last + 1)}
        gold = {key_of(text[slice(*span)]): (span, kind) for span, kind in names.items()}
        found = {key_of(text[tokens[a].start : tokens[b].end]) for a, b, _ in terms}
        for run in runs_of(tokens, setting, taken):
            start, end = tokens[run.first].start, tokens[run.last].end
            here = [kind for span, kind in names.items() if span[0] < end and start < span[1]]
            key = key_of(text[start:end])
            found.add(key)
            if here and key not in gold:
                wrongly_cut += 1
                print("cut:", repr(text[start:end]), "in", repr(text[:70]))
                continue
            features = features_of(tokens, run, setting)
            examples.append(Example(number, text[start:end], features, here[0] if here else 0))
        count += len(gold)
        for key in gold.keys() - found:
            print("never seen:", key, "in", repr(text[:70]))
    return examples, wrongly_cut, count


def expected_weights() -> dict[str, list[tuple[str, str]]]:
    """What each feature is expected to say: the letters of classes, each with a weight."""
    lines = EXPECTED.read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" | ") for line in lines if not line.startswith("#"))
    return {name: PRIOR_PART.findall(weights) for name, weights in pairs}


def fit_features(examples: list[Example], *, fewest: int = 3) -> dict[str, list[float]]:
    """Weights by feature; a feature that fewer examples have is left out."""
    prior = expected_weights()
    counts = Counter(each for example in examples for each in set(example.features))
    names = sorted({name for name, count in counts.items() if count >= fewest} | prior.keys())
    place = {name: at for at, name in enumerate(names)}
    inputs = np.zeros((len(examples), len(names)), dtype=np.float32)
    for row, example in enumerate(examples):
        inputs[row, [place[each] for each in example.features if each in place]] = 1
    wanted = np.eye(len(CLASSES), dtype=np.float32)[[example.label for example in examples]]
    expected = np.zeros((len(names) + 1, len(CLASSES)), dtype=np.float32)
    for name in names:
        for code, weight in prior.get(name, []):
            expected[place[name], CODES[code]] = float(weight)
    weights = fit_dense(inputs, wanted, decay=DECAY, steps=300, expected=expected)
    rounded = {name: [round(float(weight), 2) for weight in weights[place[name]]] for name in names}
    return {name: row for name, row in rounded.items() if max(map(abs, row)) >= 0.05}


def fit_mentions() -> None:
    """Write the model and print how it does on sentences that it has not seen."""
    examples, wrongly_cut, count = read_examples()
    table = np.zeros((len(CLASSES), len(CLASSES)), dtype=int)
    for fold in range(FOLDS):
        weights = fit_features([each for each in examples if each.sentence % FOLDS != fold])
        for each in examples:
            if each.sentence % FOLDS == fold:
                rows = [weights[name] for name in each.features if name in weights]
                guess = int(np.sum(rows, axis=0).argmax())
                table[each.label, guess] += 1
                if guess != each.label:
                    print(CLASSES[each.label], "->", CLASSES[guess], each.surface)
    print(table)
    right, names = int(np.trace(table[1:, 1:])), int(table[1:].sum())
    found, junk = int(table[:, 1:].sum()), int(table[0, 1:].sum())
    print(f"{count} names, {len(examples)} candidates, {wrongly_cut} cut wrongly")
    print(f"found {table[1:, 1:].sum() / names:.3f}, right type too {right / names:.3f}, "
          f"junk {junk / found:.3f}")  # fmt: skip
    weights = fit_features(examples)
    card = {
        "made_by": "scripts/fit_names.py mentions",
        "classes": CLASSES,
        "sentences": len(marked_sentences()),
        "cross_validation": {
            "found": round(float(table[1:, 1:].sum() / names), 3),
            "right": round(right / names, 3),
            "junk": round(junk / found, 3),
        },
    }
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in weights.items())
    body = ",\n".join(lines)
    text = json.dumps(card)[:-1] + f', "weights": {{\n{body}\n}}}}\n'
    (ENGLISH / "mention_types.json").write_text(text, encoding="utf-8")


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
