"""What an episode is compared with when it ends, and what it is then tied to."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from engram.capture.tied import tie
from engram.errors import InvalidInput, MemoryNotFound
from engram.memory.episodes.causes import earlier_causes
from engram.memory.episodes.episode import Episode
from engram.memory.episodes.likeness import likeness
from engram.memory.episodes.outcomes import outcome_kind
from engram.memory.episodes.patterns import SIMILAR
from engram.memory.episodes.significance import Precedent
from engram.memory.ids import MemoryId
from engram.memory.links import Relation
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Scope
from engram.memory.situation import Situation
from engram.storage.episodes import EpisodeConditions
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
    """How much each earlier episode is like this one: by meaning where that is known, else words.

    `nearness` was found before, while no transaction was open: an embedder may take its time.
    """
    return [
        Precedent(
            each.memory.number,
            min(
                1.0, max(0.0, nearness.get(each.memory.number, likeness(situation, each.situation)))
            ),
            outcome_kind(each.outcome),
        )
        for each in earlier
    ]


def tie_to_similar(
    unit: UnitOfWork,
    memory: Memory,
    found: Sequence[Precedent],
    earlier: Sequence[Episode],
    *,
    reason: str,
) -> tuple[MemoryId, ...]:
    """Link an episode to those it is most like, few of them."""
    by_number = {each.memory.number: each.memory for each in earlier}
    alike = sorted(
        (each for each in found if each.similarity >= SIMILAR and each.number != memory.number),
        key=lambda each: (-each.similarity, -each.number),
    )[:MOST_SIMILAR]
    tied = [by_number[each.number] for each in alike]
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
