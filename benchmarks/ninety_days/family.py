"""A family of facts: many things of one sort, each with its own answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """Facts of one sort: the n-th key has the n-th answer, once the answers are shuffled."""

    project: str
    keys: tuple[str, ...]
    answers: tuple[str, ...]
    texts: tuple[str, ...]
    question: str

    def __post_init__(self) -> None:
        if len(self.answers) < len(self.keys):
            raise ValueError(f"too few answers: {self.question}")
