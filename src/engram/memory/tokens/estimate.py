"""The tokens of a text where no tokenizer is at hand: estimated from its pieces, in linear time."""

from collections.abc import Callable
from functools import cache, lru_cache

from engram.memory.tokens.families import family_of

_REMEMBERED = 16_384  # pieces whose cost is not worked out again; words come back all the time
DEFAULT_FAMILY = "cl100k"  # of the two measured families the one that takes more
_Cut = Callable[[str], list[str]]
_Cost = Callable[[str], float]


class Estimator:
    """Counts by estimate for one family; the factor of one that is not measured is in it."""

    __slots__ = ("_factor", "_like", "name")

    def __init__(self, family: str) -> None:
        found = family_of(family)
        self.name = found.name
        self._like = found.like
        self._factor = found.factor

    @property
    def is_exact(self) -> bool:
        """Never: no estimate is."""
        return False

    def count(self, text: str) -> int:
        """The tokens that this text would take, to the nearest whole one."""
        if not text:
            return 0
        cut, cost = _ways_of(self._like)
        return max(1, round(sum(map(cost, cut(text))) * self._factor))


def whole_words(family: str) -> frozenset[str]:
    """The words that a measured family is known to hold whole."""
    from engram.memory.tokens.frequent_words import FREQUENT_WORDS

    if family == "cl100k":
        return FREQUENT_WORDS
    from engram.memory.tokens.further_words import FURTHER_WORDS

    return FREQUENT_WORDS | FURTHER_WORDS


@cache
def _ways_of(family: str) -> tuple[_Cut, _Cost]:
    """How a text is cut, and what a piece costs: remembered for the pieces that were met last."""
    # Imported here: who counts nothing compiles no cut and reads no lists of words.
    from engram.memory.tokens.pieces import features, pieces
    from engram.memory.tokens.weights import WEIGHTS

    weights, whole = WEIGHTS[family], whole_words(family)

    @lru_cache(maxsize=_REMEMBERED)
    def cost(piece: str) -> float:
        return sum(weights[name] * amount for name, amount in features(piece, whole))

    return pieces, cost


_DEFAULT = Estimator(DEFAULT_FAMILY)


def tokens_in(text: str) -> int:
    """An estimate of what a text takes in a prompt, when it is not known whose it will be."""
    return _DEFAULT.count(text)
