"""Reranks with a cross-encoder of the user's: a folder with `model.onnx` and `tokenizer.json`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engram.errors import RerankerUnavailable
from engram.providers.embedder import shortened, well_formed
from engram.providers.load_once import LoadOnce
from engram.providers.onnx_model import (
    OnnxModel,
    give_back_freed_memory,
    native_errors_as,
    open_onnx_model,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_CHARACTERS = 16_384
_MOST_TOKENS = 512  # what the models of this kind were trained on
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_LOAD_HINT = "The folder must hold a cross-encoder's model.onnx and its tokenizer.json."
_SHAPE_HINT = "The model does not give one score per pair of texts."


class CrossEncoder:
    """Scores how well texts answer a question by reading each pair together."""

    def __init__(self, folder: Path, *, threads: int = 2) -> None:
        self._folder = folder
        self._threads = threads
        self._model = LoadOnce(self._load, unavailable=RerankerUnavailable)

    @property
    def is_loaded(self) -> bool:
        """Whether `score` would begin at once."""
        return self._model.is_loaded

    def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One number per text, the higher the better; comparable within one question only."""
        with native_errors_as(RerankerUnavailable, hint=_LOAD_HINT):
            import numpy as np

            model = self._model.value()
            asked = well_formed(shortened(question, _MOST_CHARACTERS))
            scores = np.empty(len(texts), dtype=np.float32)
            for index, text in enumerate(texts):
                answer = well_formed(shortened(text, _MOST_CHARACTERS))
                scores[index] = _score(model.run(model.tokenizer.encode(asked, answer)))
            return scores

    def warm(self) -> None:
        """Load in the background."""
        self._model.warm()

    def close(self) -> None:
        """Let go of the model."""
        self._model.close()

    def _load(self) -> OnnxModel:
        with native_errors_as(RerankerUnavailable, hint=_LOAD_HINT):
            loaded = open_onnx_model(
                self._folder / "model.onnx",
                self._folder / "tokenizer.json",
                max_tokens=_MOST_TOKENS,
                threads=self._threads,
            )
            inputs = loaded.session.get_inputs()
        if any(each.name not in _INPUTS or each.type != "tensor(int64)" for each in inputs):
            raise RerankerUnavailable(hint="The model asks for inputs that text does not give.")
        give_back_freed_memory()
        return loaded


def _score(output: NDArray[np.float32]) -> float:
    """The score in a model's output: its one number, or how far `yes` is ahead of `no`."""
    import math

    numbers = output.ravel()
    if numbers.size not in (1, 2):
        raise RerankerUnavailable(hint=_SHAPE_HINT)
    score = float(numbers[0]) if numbers.size == 1 else float(numbers[1]) - float(numbers[0])
    if not math.isfinite(score):
        raise RerankerUnavailable(hint=_SHAPE_HINT)
    return score
