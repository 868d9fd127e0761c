"""Which known entities a name could mean at all, so that not every one has to be compared.

What is found is never too little: whatever `resolve` would choose among all is among these.
"""

from collections.abc import Iterator

from engram.memory.entities.resolve import (
    LONG,
    SHORTEST_MISSPELT,
    Known,
    without_legal_form,
    written_together,
)

_PART = 3  # letters; twice that is less than the shortest word that may be misspelt


class Nearby:
    """Known entities by what a name must share with one to be taken for it."""

    def __init__(self) -> None:
        self._by_trait: dict[str, list[Known]] = {}

    def add(self, known: Known) -> None:
        """Let an entity be found from now on, under its own name alone."""
        for trait in _traits(known.key):
            self._by_trait.setdefault(trait, []).append(known)

    def of(self, key: str) -> list[Known]:
        """The entities that a name can mean, in the order in which they were added."""
        found = {each.key: each for trait in _traits(key) for each in self._by_trait.get(trait, ())}
        return list(found.values())


def _traits(key: str) -> Iterator[str]:
    """What two names share that may mean the same: how they are written together, or a word."""
    words = key.split()
    yield f"together {written_together(key)}"
    yield f"bare {without_legal_form(key)}"
    for word in dict.fromkeys(words):
        yield f"word {word}"
    if len(words) == 1 and len(key) >= SHORTEST_MISSPELT:
        yield from _of_a_slip(key)


def _of_a_slip(word: str) -> Iterator[str]:
    """What a misspelt word keeps: its beginning or end; after two slips its outer letters."""
    yield f"begins {word[:_PART]}"
    yield f"ends {word[-_PART:]}"
    if len(word) >= LONG:
        yield f"between {word[0]} {word[-1]}"
