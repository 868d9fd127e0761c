"""The reader in the package: a small model that reads turns and pairs of statements.

One fine-tuned copy of the encoder gives a vector per token; the heads on top are plain arrays.
`scripts/reader/` makes both files from the corpus in `data/`; CARD.md beside them has the figures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from engram.errors import ReaderUnavailable
from engram.providers.embedder import shortened, well_formed
from engram.providers.load_once import LoadOnce
from engram.providers.minilm import PACKAGED_FOLDER as ENCODER_FOLDER
from engram.providers.onnx_model import (
    OnnxModel,
    give_back_freed_memory,
    native_errors_as,
    open_onnx_model,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PACKAGED_FOLDER = Path(__file__).parent / "models" / "reader"
MOST_TOKENS = 256
_PREFIX_TOKENS = 8  # more than "assistant:" and the marks around a text take
_MOST_BETWEEN = 4  # tokens between two sentences; a list mark is no longer
_FIRST_TOKENS, _SECOND_TOKENS = 110, 140  # of a pair, as in training
_MOST_PADDED = 1.3  # how much longer the longest pair of a batch may be than the shortest
_MOST_CHARACTERS = 4_096  # of one side of a pair
_BEGINS = 0.35  # of the head for boundaries; set on data/confidence-turns, see the card
_HEADS = ("boundary", "keep", "category", "modality", "addressee", "relation", "answer")
_HINT = "The reader's files are damaged or missing; reinstall Engram."


@dataclass(frozen=True, slots=True)
class PieceScores:
    """The pieces that a turn falls into, and what the heads say of each, a row per piece."""

    spans: list[tuple[int, int]]
    keep: Floats
    category: Floats
    modality: Floats
    addressee: Floats  # one row for the whole turn


@dataclass(frozen=True, slots=True)
class _Loaded:
    model: OnnxModel
    heads: dict[str, tuple[Floats, Floats]]
    labels: dict[str, tuple[str, ...]]


class TextReader:
    """Reads on this machine's processor; loaded when first used, once for the whole process."""

    def __init__(self, *, threads: int = 2, folder: Path = PACKAGED_FOLDER) -> None:
        self._folder = folder
        self._threads = threads
        self._loaded = LoadOnce(self._load, unavailable=ReaderUnavailable)

    @property
    def is_loaded(self) -> bool:
        """Whether reading would begin at once."""
        return self._loaded.is_loaded

    def warm(self) -> None:
        """Load in the background."""
        self._loaded.warm()

    def labels(self, head: str) -> tuple[str, ...]:
        """What the columns of a head mean."""
        return self._loaded.value().labels[head]

    def read_turn(
        self, role: str, text: str, sentences: Sequence[tuple[int, int]], words: Sequence[int]
    ) -> PieceScores:
        """Cut sentences into pieces and score each; a long text is read in windows of sentences.

        A piece begins at each sentence and inside none, but for those of the `words` (places in
        the text) where the model says otherwise.
        """
        import numpy as np

        with native_errors_as(ReaderUnavailable, hint=_HINT):
            loaded = self._loaded.value()
            spans: list[tuple[int, int]] = []
            rows: list[Floats] = []
            whole: list[Floats] = []
            for window in _windows(loaded.model, text, sentences):
                begin, end = window[0][0], window[-1][1]
                states, offsets = _states(loaded.model, f"{role}: ", text[begin:end])
                whole.append(np.concatenate([states[0], states.mean(axis=0)]))
                inner = [place for place in words if begin < place < end]
                begins = _begins(loaded, states, offsets, [place - begin for place in inner])
                for start, stop in _pieces(window, dict(zip(inner, begins, strict=True))):
                    inside = (offsets[:, 0] < stop - begin) & (offsets[:, 1] > start - begin)
                    inside &= offsets[:, 1] > 0
                    mean = states[inside].mean(axis=0) if inside.any() else states[0]
                    spans.append((start, stop))
                    rows.append(np.concatenate([states[0], mean]))
            read = np.stack(rows)
            return PieceScores(
                spans,
                _sigmoid(_apply(loaded, "keep", read))[:, 0],
                _softmax(_apply(loaded, "category", read)),
                _softmax(_apply(loaded, "modality", read)),
                _softmax(_apply(loaded, "addressee", np.stack(whole).mean(axis=0, keepdims=True))),
            )

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
        """How likely each relation of a later statement to an earlier one is, for each pair."""
        if not pairs:
            return []
        labels = self.labels("relation")
        return [
            {label: float(score) for label, score in zip(labels, scores, strict=True)}
            for scores in _softmax(self._read_pairs("relation", pairs))
        ]

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """How far each text answers a question: above 0 is more likely than not."""
        if not texts:
            return []
        pairs = [(question, text) for text in texts]
        return [float(score) for score in self._read_pairs("answer", pairs)[:, 0]]

    def _read_pairs(self, head: str, pairs: Sequence[tuple[str, str]]) -> Floats:
        import numpy as np

        with native_errors_as(ReaderUnavailable, hint=_HINT):
            loaded = self._loaded.value()
            rows = []
            for states, is_second in _pair_states(loaded.model, pairs):
                one, other = states[~is_second].mean(axis=0), states[is_second].mean(axis=0)
                rows.append(np.concatenate([states[0], one, other, np.abs(one - other)]))
            return _apply(loaded, head, np.stack(rows))

    def _load(self) -> _Loaded:
        import numpy as np

        with native_errors_as(ReaderUnavailable, hint=_HINT):
            model = open_onnx_model(
                self._folder / "model.onnx",
                ENCODER_FOLDER / "tokenizer.json",
                max_tokens=MOST_TOKENS,
                threads=self._threads,
            )
            found = json.loads((self._folder / "heads.json").read_text(encoding="utf-8"))
            try:
                heads = {
                    name: (np.array(found[name]["weights"], dtype=np.float64).T,
                           np.array(found[name]["bias"], dtype=np.float64))
                    for name in _HEADS
                }  # fmt: skip
                labels = {name: tuple(found[name]["labels"]) for name in _HEADS}
            except (KeyError, TypeError) as error:
                raise ReaderUnavailable(hint=_HINT) from error
        give_back_freed_memory()
        return _Loaded(model, heads, labels)


@lru_cache(maxsize=1)
def packaged_reader() -> TextReader:
    """The reader in the package, shared by all stores of this process."""
    return TextReader()


def _windows(
    model: OnnxModel, text: str, spans: Sequence[tuple[int, int]]
) -> list[list[tuple[int, int]]]:
    """The spans in groups that fit the model; a span that is too long stands alone and is cut.

    A group also ends where more than a list mark stands before the next span: code, a quotation.
    """

    def count(start: int, end: int) -> int:
        return len(model.tokenizer.encode(well_formed(text[start:end]), add_special_tokens=False))

    groups: list[list[tuple[int, int]]] = []
    used = last = 0
    for start, end in spans:
        gap, length = count(last, start), count(start, end)
        is_full = used + gap + length > MOST_TOKENS - _PREFIX_TOKENS
        if not groups or is_full or gap > _MOST_BETWEEN:
            groups.append([])
            used = gap = 0
        groups[-1].append((start, end))
        used += gap + length
        last = end
    return groups


def _begins(
    loaded: _Loaded, states: Floats, offsets: NDArray[np.int64], words: Sequence[int]
) -> list[bool]:
    """Whether a piece begins at each word; never at one that the model did not see."""
    import numpy as np

    token_at = {int(start): at for at, (start, end) in enumerate(offsets) if end > start >= 0}
    tokens = np.array([token_at.get(word, 0) for word in words], dtype=np.int64)
    rows = np.concatenate([states[tokens - 1], states[tokens]], axis=1)
    scores = _sigmoid(_apply(loaded, "boundary", rows))[:, 0]
    return [bool(at and score >= _BEGINS) for at, score in zip(tokens, scores, strict=True)]


def _pieces(
    sentences: Sequence[tuple[int, int]], begins: Mapping[int, bool]
) -> list[tuple[int, int]]:
    """Sentences cut and joined at the words where a piece begins or does not."""
    found: list[tuple[int, int]] = []
    for start, end in sentences:
        cuts = [word for word, is_first in begins.items() if is_first and start < word < end]
        edges = [start, *cuts, end]
        if found and not begins.get(start, True):
            edges[0], _ = found.pop()
        found += pairwise(edges)
    return found


def _states(model: OnnxModel, prefix: str, text: str) -> tuple[Floats, NDArray[np.int64]]:
    """One vector per token, and where in the text each token stands (before it: nowhere)."""
    import numpy as np

    encoding = model.tokenizer.encode(prefix + well_formed(text))
    states = model.run(encoding)[0].astype(np.float64)
    offsets = np.array(encoding.offsets, dtype=np.int64) - len(prefix)
    return states, offsets


def _pair_states(
    model: OnnxModel, pairs: Sequence[tuple[str, str]]
) -> list[tuple[Floats, NDArray[np.bool_]]]:
    """Of each pair one vector per token, and which tokens are those of the second text.

    Pairs of about one length are read together.
    """

    def ids(text: str, most: int) -> list[int]:
        prepared = well_formed(shortened(text, _MOST_CHARACTERS))
        found: list[int] = model.tokenizer.encode(prepared, add_special_tokens=False).ids
        return found[:most]

    coded = [(ids(first, _FIRST_TOKENS), ids(second, _SECOND_TOKENS)) for first, second in pairs]
    found: dict[int, tuple[Floats, NDArray[np.bool_]]] = {}
    for places in _of_about_one_length([len(one) + len(other) + 3 for one, other in coded]):
        batch = _batch_states(model, [coded[place] for place in places])
        found.update(zip(places, batch, strict=True))
    return [found[place] for place in range(len(coded))]


def _of_about_one_length(lengths: Sequence[int]) -> list[list[int]]:
    """The places of all lengths in groups: padding a short pair to a long one costs as much."""
    groups: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if not groups or lengths[place] > _MOST_PADDED * lengths[groups[-1][0]]:
            groups.append([])
        groups[-1].append(place)
    return groups


def _batch_states(
    model: OnnxModel, coded: Sequence[tuple[list[int], list[int]]]
) -> list[tuple[Floats, NDArray[np.bool_]]]:
    import numpy as np

    opening, ending = (model.tokenizer.token_to_id(mark) or 0 for mark in ("[CLS]", "[SEP]"))
    lengths = [len(one) + len(other) + 3 for one, other in coded]
    tokens, types, mask = (np.zeros((len(coded), max(lengths)), dtype=np.int64) for _ in range(3))
    for place, (one, other) in enumerate(coded):
        tokens[place, : lengths[place]] = [opening, *one, ending, *other, ending]
        types[place, len(one) + 2 : lengths[place]] = 1
        mask[place, : lengths[place]] = 1
    feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": types}
    states = np.asarray(model.session.run(None, feed)[0], dtype=np.float64)
    return [
        (states[place, :length], types[place, :length].astype(np.bool_))
        for place, length in enumerate(lengths)
    ]


def _apply(loaded: _Loaded, head: str, rows: Floats) -> Floats:
    weights, bias = loaded.heads[head]
    return rows @ weights + bias


def _sigmoid(values: Floats) -> Floats:
    import numpy as np

    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0))))


def _softmax(values: Floats) -> Floats:
    import numpy as np

    shifted = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))
