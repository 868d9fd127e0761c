"""What an episode is compared with when it ends, and what it is then tied to."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from engram.errors import InvalidInput, MemoryNotFound
from engram.memory.episodes.causes import earlier_causes
from engram.memory.episodes.episode import Episode
from engram.memory.episodes.likeness import likeness, with_nearness
from engram.memory.episodes.outcomes import outcome_kind
from engram.memory.episodes.patterns import SIMILAR
from engram.memory.episodes.significance import Precedent
from engram.memory.ids import MemoryId
from engram.memory.links import Relation
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Scope
from engram.memory.situation import Situation
from engram.storage.episodes import EpisodeConditions
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork

SIMILAR_TO = "similar_to"
MOST_SIMILAR = 5
_LATEST = 200  # of the episodes that have ended, those begun last
_MATCHING = 50  # of those that share telling words, however long ago


def earlier_episodes(unit: UnitOfWork, scope: Scope, situation: Situation) -> list[Episode]:
    """The ended episodes of a scope that a new one is compared with; a bounded number of them."""
    reader = unit.see.episodes
    latest = list(islice(reader.found(EpisodeConditions(in_scope=scope, has_ended=True)), _LATEST))
    known = {each.memory.number for each in latest}
    matching = unit.see.like(situation.summary, scope, limit=_MATCHING)
    more = reader.listed(each.number for each in matching if each.number not in known)
    return [*latest, *(each for each in more if not each.is_ongoing)]


def precedents(
    situation: Situation, earlier: Iterable[Episode], nearness: Mapping[int, float]
) -> list[Precedent]:
    """How much each earlier episode is like this one: by words, and by meaning where that is known.

    `nearness` was found before, while no transaction was open: an embedder may take its time.
    """
    return [
        Precedent(
            each.memory.number,
            with_nearness(likeness(situation, each.situation), nearness.get(each.memory.number)),
            outcome_kind(each.outcome),
        )
        for each in earlier
    ]


def tie_to_similar(
    unit: UnitOfWork,
    episode: Episode,
    earlier: Sequence[Episode],
    *,
    reason: str,
) -> tuple[MemoryId, ...]:
    """Link an episode to those whose situations are most like its own, few of them.

    Told by words alone, so that the same links come whether or not vectors are there yet.
    """
    memory = episode.memory
    compared = [
        (likeness(episode.situation, each.situation), each.memory.number, each.memory)
        for each in earlier
        if each.memory.number != memory.number
    ]
    alike = sorted((each for each in compared if each[0] >= SIMILAR), key=lambda each: each[:2])
    tied = [other for _, _, other in reversed(alike[-MOST_SIMILAR:])]
    return tuple(
        other.id for other in tied if tie(unit, memory, other, SIMILAR_TO, reason) is not None
    )


def tie_to_causes(
    unit: UnitOfWork, episode: Episode, earlier: Sequence[Episode], *, reason: str
) -> tuple[MemoryId, ...]:
    """Link an episode to the earlier ones it seems to follow from."""
    causes = earlier_causes(episode, earlier)
    return tuple(
        cause.id
        for cause in causes
        if tie(unit, episode.memory, cause.memory, Relation.CAUSED_BY, reason) is not None
    )


def named_causes(
    unit: UnitOfWork, principal: Principal, episode_ids: Sequence[str]
) -> list[Memory]:
    """The episodes a caller named as causes; what the caller does not see does not exist."""
    found = []
    for episode_id in episode_ids:
        memory = unit.see.memory(episode_id)
        is_seen = memory is not None and principal.can_see(memory.scope)
        if memory is None or not is_seen or unit.see.episodes.get(memory.number) is None:
            raise MemoryNotFound(hint="`caused_by` names an episode that is not there.")
        found.append(memory)
    return found


def tie_to_named(
    unit: UnitOfWork, memory: Memory, causes: Sequence[Memory]
) -> tuple[MemoryId, ...]:
    """Link an episode to the causes its caller named; a circle of causes is refused."""
    for cause in causes:
        if cause.number == memory.number or unit.see.links.leads_to(cause.number, memory.number):
            raise InvalidInput(hint="`caused_by` would run in a circle.")
        tie(unit, memory, cause, Relation.CAUSED_BY)
    return tuple(dict.fromkeys(cause.id for cause in causes))
