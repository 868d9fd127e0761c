"""Looks through episodes that fade for what several of them have in common."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from engram.errors import StoreCorrupt, VectorRefused
from engram.memory.episodes.episode import Episode
from engram.memory.episodes.events import ACTION_KINDS
from engram.memory.episodes.likeness import likeness
from engram.memory.episodes.patterns import Consolidation, clusters, consolidation, is_ripe
from engram.memory.episodes.strength import as_faded
from engram.memory.scopes import Scope
from engram.storage.episodes import EpisodeConditions
from engram.storage.reader import StoreReader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = Mapping[int, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Ripe:
    """The episodes of one scope that are about to fade, and what they come to."""

    looked_at: int
    proposals: tuple[Consolidation, ...]


def propose_consolidations(
    see: StoreReader, scope: Scope, *, now: datetime, decay_per_hour: float, limit: int
) -> Ripe:
    """What the weak but meaningful episodes of a scope teach; nothing is changed.

    Episodes that something was derived from already are left alone, so that asking again after
    keeping what was proposed comes to nothing.
    """
    conditions = EpisodeConditions(in_scope=scope, has_ended=True)
    faded = (as_faded(each, now, decay_per_hour) for each in see.episodes.found(conditions))
    ripe = {each.memory.number: each for each in islice(filter(is_ripe, faded), limit)}
    done = see.episodes.consolidated(ripe)
    candidates = {number: each for number, each in ripe.items() if number not in done}
    similarity = _Similarity(see, candidates)
    groups = clusters(list(candidates), similarity)
    return Ripe(len(candidates), tuple(_proposal(see, group) for group in groups))


def _proposal(see: StoreReader, group: tuple[int, ...]) -> Consolidation:
    wholes = [see.episodes.whole(number, kinds=ACTION_KINDS) for number in group]
    return consolidation([whole for whole in wholes if whole is not None])


class _Similarity:
    """How much two episodes are alike: by meaning where both have vectors, else by words."""

    def __init__(self, see: StoreReader, episodes: dict[int, Episode]) -> None:
        self._episodes = episodes
        wordings = {number: each.memory.version for number, each in episodes.items()}
        self._vectors = _vectors(see, wordings)

    def __call__(self, one: int, other: int) -> float:
        first, second = self._vectors.get(one), self._vectors.get(other)
        if first is not None and second is not None:
            return float(first @ second)
        return likeness(self._episodes[one].situation, self._episodes[other].situation)


def _vectors(see: StoreReader, wordings: dict[int, int]) -> "Vectors":
    try:
        spaces = see.derived.space_states()
        if not spaces or spaces[0].dimension is None:
            return {}
        return see.derived.first_vectors(spaces[0], wordings)
    except (VectorRefused, StoreCorrupt):
        return {}  # damaged vectors are made anew from the words, which tell enough here
