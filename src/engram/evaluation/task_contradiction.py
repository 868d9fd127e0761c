"""How well contradictions are told: pairs of sentences with a label, against a naive reader.

A pair is called contradictory or not; entailment and mere neutrality are both "not". Precision is
the figure that counts, since a false call would retire what is true; recall says how much is seen.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engram.errors import InvalidInput
from engram.memory.dreams.disputes import CHANGED

FILE = "contradiction.jsonl"
_LABEL = "CONTRADICTION"
_DENIAL = re.compile(r"\b(?:not|no|never|nobody|none|nothing)\b|n't\b", re.IGNORECASE)

Rule = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two sentences, and whether people say that they contradict each other."""

    a: str
    b: str
    is_contradiction: bool


@dataclass(frozen=True, slots=True)
class ContradictionScore:
    """What a rule called contradictory, and how much of it is."""

    name: str
    pairs: int
    contradictions: int  # that people see
    called: int  # that the rule sees
    right: int  # that both see

    @property
    def precision(self) -> float:
        """The share of what is called contradictory that is; 0 when nothing is called."""
        return self.right / self.called if self.called else 0.0

    @property
    def recall(self) -> float:
        """The share of the contradictions that are called so."""
        return self.right / self.contradictions if self.contradictions else 0.0


def read_pairs(path: Path) -> list[LabelledPair]:
    """The labelled pairs of a file with one JSON object per line: `a`, `b` and `label`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        return [LabelledPair(str(row["a"]), str(row["b"]), row["label"] == _LABEL) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidInput(hint=f"{path} is no file of labelled pairs.") from error


def score_contradictions(pairs: Sequence[LabelledPair]) -> tuple[ContradictionScore, ...]:
    """The rule of the store, and beside it the naive one: a denial on one side alone."""
    return (
        scored("engram", pairs, contradicts),
        scored("a denial on one side", pairs, has_one_denial),
    )


def contradicts(a: str, b: str) -> bool:
    """Whether the pair judge calls the second sentence a change of the first."""
    from engram.providers.text_reader import packaged_reader

    (chances,) = packaged_reader().compare([(a, b)])
    return chances["replaces"] + chances["ends"] >= CHANGED


def scored(name: str, pairs: Iterable[LabelledPair], rule: Rule) -> ContradictionScore:
    """How one rule does on the pairs."""
    calls = [(rule(pair.a, pair.b), pair.is_contradiction) for pair in pairs]
    return ContradictionScore(
        name=name,
        pairs=len(calls),
        contradictions=sum(is_one for _, is_one in calls),
        called=sum(is_called for is_called, _ in calls),
        right=sum(is_called and is_one for is_called, is_one in calls),
    )


def has_one_denial(a: str, b: str) -> bool:
    """The naive reader: whether one sentence denies something and the other does not."""
    return (_DENIAL.search(a) is None) != (_DENIAL.search(b) is None)
