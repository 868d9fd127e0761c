"""Looks through episodes that fade for what several of them have in common."""

from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from engram.memory.episodes.episode import Episode
from engram.memory.episodes.events import ACTION_KINDS
from engram.memory.episodes.likeness import likeness, with_steps
from engram.memory.episodes.patterns import (
    SIMILAR,
    Consolidation,
    clusters,
    consolidation,
    is_ripe,
    steps_of,
)
from engram.memory.episodes.strength import as_faded
from engram.memory.scopes import Scope
from engram.storage.episodes import EpisodeConditions
from engram.storage.reader import StoreReader

_MOST_STEPS = 1_000  # of an episode; by those it is known what was done


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
    """How much two episodes are alike: by the words of their situations and what was done in them.

    Vectors do not tell here: they come when they come, and what stories share of steps and endings
    makes them near whatever they are about.
    """

    def __init__(self, see: StoreReader, episodes: dict[int, Episode]) -> None:
        self._see = see
        self._episodes = episodes
        self._steps: dict[int, frozenset[str]] = {}

    def __call__(self, one: int, other: int) -> float:
        situations = likeness(self._episodes[one].situation, self._episodes[other].situation)
        # Events are read for those alone that they can make alike.
        if situations >= SIMILAR or with_steps(situations, "s", "s") < SIMILAR:
            return situations
        return with_steps(situations, self._steps_of(one), self._steps_of(other))

    def _steps_of(self, number: int) -> frozenset[str]:
        if number not in self._steps:
            found = self._see.episodes.events(number, kinds=ACTION_KINDS, limit=_MOST_STEPS)
            self._steps[number] = frozenset(steps_of(each.event for each in found))
        return self._steps[number]
