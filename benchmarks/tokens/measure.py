"""Holds the estimate against the tokenizers on texts written after it was settled, and times it."""

from dataclasses import dataclass
from statistics import fmean, median

from benchmarks.figures import Figure, timed
from benchmarks.tokens.sample import checked
from engram.memory.tokens.counter import TokenCounter
from engram.memory.tokens.estimate import Estimator, ways_of
from engram.memory.tokens.families import MEASURED
from engram.providers.tokenizers import ExactCounter

BAR = 0.05
_TIMED = 4_096  # characters
_ROUNDS = 51


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


def is_within_bar(found: list[Errors]) -> bool:
    """Whether no kind of text is further off than the bar, in any family."""
    return all(max(each.mean_of_texts, each.worst_kind) <= BAR for each in found)


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
            _figure(f"{name}: mean error of a text", found.mean_of_texts, plain.mean_of_texts),
            _figure(f"{name}: mean error of a kind", found.mean_of_kinds, plain.mean_of_kinds),
            _figure(f"{name}: worst kind", found.worst_kind, plain.worst_kind),
        ]
    return [*figures, *speeds()]


class FourCharacters:
    """The estimate that everybody begins with."""

    name = "four characters"
    is_exact = False

    def count(self, text: str) -> int:
        return -(-len(text) // 4)


def _figure(name: str, value: float, baseline: float) -> Figure:
    plain = "a token for four characters"
    return Figure(name, value * 100, "%", baseline * 100, plain, f"≤ {BAR:.0%}", value <= BAR)


def speeds() -> list[Figure]:
    """How long counting takes: where words come back, as in life, and where all is met first."""
    english = " ".join(text for texts in checked().values() for text in texts if text.isascii())
    chinese = "".join(checked()["chinese"]) * 5
    return [
        _speed("English and code, met before", english[:_TIMED], is_met=True),
        _speed("English and code, never met", english[:_TIMED], is_met=False),
        _speed("Chinese, never met", chinese[:_TIMED], is_met=False),
    ]


def _speed(kind: str, text: str, *, is_met: bool) -> Figure:
    estimate, exact = Estimator("cl100k"), ExactCounter("cl100k")

    def once() -> float:
        if not is_met:
            ways_of.cache_clear()
            estimate.count("né")  # what is loaded and compiled once is not what is timed
        return timed(lambda: estimate.count(text))

    once()
    ours = median(once() for _ in range(_ROUNDS))
    exact.count(text)
    theirs = median(timed(lambda: exact.count(text)) for _ in range(_ROUNDS))
    name = f"tokens of {_TIMED:,} characters by estimate: {kind}"
    return Figure(name, ours * 1e3, "ms", theirs * 1e3, "exact", "", True)
