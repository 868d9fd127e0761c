"""Which names a name could mean, so that not every pair has to be compared, and what to propose.

What is found is never too little: whatever `likeness` sees a reason for is among these, except
where very many names share a word.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from engram.language.names.kinds import EntityType
from engram.memory.entities.resolve import (
    LONG,
    SHORTEST_MISSPELT,
    Known,
    fits,
    likeness,
    nearest_in_meaning,
    without_legal_form,
    written_together,
)

_PART = 3  # letters; twice that is less than the shortest word that may be misspelt
_MOST_SHARING = 64  # names that share something; what more share says nothing
_MOST_PROPOSED = 50


class Nearby:
    """Known names by what a name must share with one to be taken for it."""

    def __init__(self, known: Iterable[Known] = ()) -> None:
        self._by_trait: dict[str, list[Known]] = {}
        for each in known:
            self.add(each)

    def add(self, known: Known) -> None:
        """Let a name be found from now on."""
        for trait in _traits(known.key):
            self._by_trait.setdefault(trait, []).append(known)

    def of(self, key: str) -> list[Known]:
        """The names that a name can mean, in the order in which they were added."""
        sharing = (self._by_trait.get(trait, ()) for trait in _traits(key))
        found = {each.key: each for some in sharing if len(some) <= _MOST_SHARING for each in some}
        return list(found.values())


def _traits(key: str) -> Iterator[str]:
    """What two names share that may mean the same: how they are written together, or a word."""
    words = key.split()
    yield f"together {written_together(key)}"
    yield f"bare {without_legal_form(key)}"
    yield f"plural {key.removesuffix('s')}"
    for word in dict.fromkeys(words):
        yield f"word {word}"
    if len(words) == 1:
        yield f"letters {key}"
        if len(key) >= SHORTEST_MISSPELT:
            yield from _of_a_slip(key)
    else:
        small = ("of", "the", "and", "for")
        yield "letters " + "".join(word[0] for word in words if word not in small)


def _of_a_slip(word: str) -> Iterator[str]:
    """What a misspelt word keeps: its beginning or end; after two slips its outer letters."""
    yield f"begins {word[:_PART]}"
    yield f"ends {word[-_PART:]}"
    if len(word) >= LONG:
        yield f"between {word[0]} {word[-1]}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A name that may mean the same as another, which is the more usual one, and why."""

    name: str
    entity: str
    reason: str


def propose(
    known: Mapping[str, EntityType],
    *,
    beside: Callable[[str, str], bool],
    nearness: Callable[[str, str], float] | None = None,
) -> list[Proposal]:
    """The pairs of entities that may be one, each name once; the most usual come first in `known`.

    `beside` tells whether two names stand in one memory: then they are two, unless they differ in
    writing alone. `nearness` tells how near two entities are in meaning, from -1 to 1.
    """
    seen: list[Known] = []
    nearby = Nearby()
    found: list[Proposal] = []
    for key, kind in known.items():
        mine = Known(key, kind)
        proposal = _alike(mine, nearby.of(key), beside)
        if proposal is None and nearness is not None:
            apart = [each for each in seen if not beside(key, each.key)]
            near = nearest_in_meaning(mine, apart, partial(nearness, key))
            proposal = None if near is None else Proposal(key, near.key, "meaning")
        if proposal is not None:
            found.append(proposal)
        seen.append(mine)
        nearby.add(mine)
    return found[:_MOST_PROPOSED]


def _alike(
    mine: Known, others: Iterable[Known], beside: Callable[[str, str], bool]
) -> Proposal | None:
    """The one other entity that a name is like; two that it may equally mean are no reason."""
    reasons = {
        each.key: reason
        for each in others
        if fits(mine.type, each.type) and (reason := likeness(mine.key, each.key)) is not None
        and (reason in ("legal form", "writing") or not beside(mine.key, each.key))
    }  # fmt: skip
    if len(reasons) != 1:
        return None
    ((other, reason),) = reasons.items()
    return Proposal(mine.key, other, reason)
