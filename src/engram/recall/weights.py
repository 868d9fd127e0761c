"""The fitted numbers of recall, read from data: how much each signal counts."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from engram.recall.signals import SIGNALS

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Logistic:
    """A probability from named figures."""

    intercept: float
    weights: dict[str, float]

    def __call__(self, figures: dict[str, float]) -> float:
        """The probability for one case."""
        named = sum(weight * figures[name] for name, weight in self.weights.items())
        return float(_squashed(np.float64(self.intercept + named)))

    def of_each(self, figures: Mapping[str, Floats | float]) -> Floats:
        """The probabilities of many cases at once."""
        named = sum(weight * figures[name] for name, weight in self.weights.items())
        return np.asarray(_squashed(np.asarray(self.intercept + named)))


def _squashed(values: Floats | np.float64) -> Floats | np.float64:
    return 1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0)))


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything `scripts/fit_recall.py` fits."""

    signals: Floats  # in the order of SIGNALS
    hit: Logistic  # whether one candidate answers
    answer: Logistic  # whether the store holds an answer at all,
    answer_by_words: Logistic  # the same where meaning was not compared,
    answer_read: Logistic  # and where the first hits were read beside the question
    hit_read: Logistic  # whether a hit that was read answers,
    change_read: Logistic  # and whether it is changed by a later one that answers too
    replacement: Logistic  # whether one statement replaces an earlier one


@cache
def load_weights() -> Weights:
    """The weights that ship with the package."""
    document = json.loads(files("engram.recall").joinpath("weights.json").read_text("utf-8"))
    signals = np.array([document["signals"].get(name, 0.0) for name in SIGNALS])
    return Weights(
        signals,
        *(
            Logistic(document[name]["intercept"], document[name]["weights"])
            for name in (
                "hit",
                "answer",
                "answer_by_words",
                "answer_read",
                "hit_read",
                "change_read",
                "replacement",
            )
        ),
    )
