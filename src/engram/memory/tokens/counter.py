"""Who counts tokens: the contract that estimators and exact tokenizers meet."""

from dataclasses import dataclass
from typing import Protocol


class TokenCounter(Protocol):
    """Counts what a text takes in the window of one family of models."""

    @property
    def name(self) -> str:
        """How the counter is called where counts are shown."""
        ...

    @property
    def is_exact(self) -> bool:
        """Whether the model itself would count the same."""
        ...

    def count(self, text: str) -> int:
        """The tokens of a text; 0 for an empty one, and never less than 1 for any other."""
        ...


@dataclass(frozen=True, slots=True)
class TokenCount:
    """What a text takes, by whom that was counted, and whether it can be taken literally."""

    tokens: int
    counter: str
    is_exact: bool
