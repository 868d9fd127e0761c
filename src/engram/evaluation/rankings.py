"""What one question brought, whoever was asked."""

from dataclasses import dataclass
from itertools import chain


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of one question, best first: each with the turns it came from and its length."""

    hits: tuple[tuple[str, ...], ...]
    tokens: tuple[int, ...]
    confidence: float
    milliseconds: float

    @property
    def turns(self) -> tuple[str, ...]:
        """The turns in the order they were first shown.

        Turns with the same words by the same speaker are one memory; they count one by one.
        """
        return tuple(dict.fromkeys(chain.from_iterable(self.hits)))

    def turns_within(self, count: int) -> tuple[str, ...]:
        """The turns behind the first so many hits."""
        return tuple(dict.fromkeys(chain.from_iterable(self.hits[:count])))
