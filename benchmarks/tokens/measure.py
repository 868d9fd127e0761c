"""Holds the estimate against the tokenizers on texts it was not fitted to, and times it."""

from dataclasses import dataclass
from statistics import fmean, median

from benchmarks.figures import Figure, timed
from benchmarks.tokens.sample import checked
from engram.memory.tokens.counter import TokenCounter
from engram.memory.tokens.estimate import Estimator
from engram.memory.tokens.families import MEASURED
from engram.providers.tokenizers import ExactCounter

BAR = 0.05
_TIMED = 4_096  # characters
_ROUNDS = 201


@dataclass(frozen=True)
class Errors:
    """How far the estimate of one family is off."""

    family: str
    by_kind: dict[str, float]  # of the summed count of the kind's texts, with its sign
    by_text: dict[str, list[float]]  # of each text

    @property
    def mean_of_texts(self) -> float:
        return fmean(abs(error) for errors in self.by_text.values() for error in errors)

    @property
    def worst_text(self) -> float:
        return max(abs(error) for errors in self.by_text.values() for error in errors)

    @property
    def mean_of_kinds(self) -> float:
        return fmean(map(abs, self.by_kind.values()))

    @property
    def worst_kind(self) -> float:
        return max(map(abs, self.by_kind.values()))

    @property
    def within(self) -> int:
        """How many kinds are within the bar."""
        return sum(abs(error) <= BAR for error in self.by_kind.values())


def errors(family: str, counter: TokenCounter | None = None) -> Errors:
    """The errors of a family's estimate, or of another counter in its place."""
    estimate, exact = counter or Estimator(family), ExactCounter(family)
    by_kind, by_text = {}, {}
    for kind, texts in checked().items():
        pairs = [(estimate.count(text), exact.count(text)) for text in texts]
        guessed, true = map(sum, zip(*pairs, strict=True))
        by_kind[kind] = guessed / true - 1
        by_text[kind] = [one / other - 1 for one, other in pairs]
    return Errors(family, by_kind, by_text)


def total_error(found: TokenCounter, family: str) -> float:
    """The error of the whole sample's sum."""
    texts = [text for each in checked().values() for text in each]
    exact = ExactCounter(family)
    return sum(map(found.count, texts)) / sum(map(exact.count, texts)) - 1


def measure() -> list[Figure]:
    """The figures that `python -m benchmarks --only tokens` prints."""
    figures = []
    for family in MEASURED:
        found, plain = errors(family), errors(family, FourCharacters())
        name = f"tokens by estimate, {family}"
        figures += [
            _figure(
                f"{name}: mean error of a text", found.mean_of_texts, plain.mean_of_texts, True
            ),
            _figure(
                f"{name}: mean error of a kind", found.mean_of_kinds, plain.mean_of_kinds, True
            ),
            _figure(f"{name}: worst kind", found.worst_kind, plain.worst_kind, False),
        ]
    return [*figures, _speed()]


class FourCharacters:
    """The estimate that everybody begins with."""

    name = "four characters"
    is_exact = False

    def count(self, text: str) -> int:
        return -(-len(text) // 4)


def _figure(name: str, value: float, baseline: float, has_bar: bool) -> Figure:
    return Figure(
        name,
        value * 100,
        "%",
        baseline * 100,
        "a token for four characters",
        f"≤ {BAR:.0%}" if has_bar else "",
        not has_bar or value <= BAR,
    )


def _speed() -> Figure:
    """Counting what was counted before is cheap on purpose; here words come back, as in life."""
    text = " ".join(text for texts in checked().values() for text in texts if text.isascii())
    text = text[:_TIMED]
    estimate, exact = Estimator("cl100k"), ExactCounter("cl100k")
    exact.count(text)
    ours = median(timed(lambda: estimate.count(text)) for _ in range(_ROUNDS))
    theirs = median(timed(lambda: exact.count(text)) for _ in range(_ROUNDS))
    name = f"tokens of {_TIMED:,} characters by estimate"
    return Figure(name, ours * 1e3, "ms", theirs * 1e3, "exact", "", True)
