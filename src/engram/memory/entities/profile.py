"""Entities as memories tell of them: which names belong together, and what is known of each.

Computed from the names in the memories a caller sees: nobody learns from an entity that a name
stands in a memory of others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engram.language.names.kinds import EntityType
from engram.language.names.mentions import Mention, key_of
from engram.memory.entities.nearby import Nearby
from engram.memory.entities.resolve import Known, resolve
from engram.memory.record import Memory


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name as it stands in memories: how it is written, for what, how often, and when."""

    name: str  # its key
    surface: str
    type: EntityType
    count: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something that memories name."""

    key: str
    name: str
    type: EntityType
    aliases: tuple[str, ...]  # its other names, as written
    keys: frozenset[str]  # the keys of all its names
    mentions: int
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class EntityProfile:
    """An entity with what is known of it: its memories, newest first, and who is beside it."""

    entity: Entity
    memories: tuple[Memory, ...]
    beside: tuple[tuple[str, int], ...]  # names and in how many memories they stand together

    @property
    def timeline(self) -> tuple[Memory, ...]:
        """Its memories in the order in which things happened."""
        return tuple(sorted(self.memories, key=lambda memory: (memory.at, memory.number)))


def entities_in(names: Iterable[NameCount], decided: Mapping[str, str]) -> list[Entity]:
    """Put names together that mean the same: as was decided by hand, else by the rules.

    A name that was decided to stand alone maps to itself.
    """
    by_key: dict[str, list[NameCount]] = {}
    for each in names:
        by_key.setdefault(each.name, []).append(each)
    groups: dict[str, list[str]] = {}
    known = Nearby()
    order = sorted(by_key, key=lambda key: (-sum(each.count for each in by_key[key]), key))
    for key in order:
        entity = _decided(key, decided)
        if entity is None:
            entity = resolve(_as_mention(by_key[key]), known.of(key)).key
        if entity not in groups:
            groups[entity] = []
            first = by_key.get(entity, by_key[key])
            if decided.get(entity) != entity:  # one that stands alone takes nobody in by rules
                known.add(Known(entity, _usual(first).surface, _usual(first).type, frozenset()))
        groups[entity].append(key)
    return [_entity(key, [count for name in members for count in by_key[name]])
            for key, members in groups.items()]  # fmt: skip


def find_entity(name: str, entities: Sequence[Entity]) -> Entity | None:
    """The entity that a name means: one of that name, else the only one it can stand for."""
    key = key_of(name)
    for each in entities:
        if key in each.keys:
            return each
    known = [Known(each.key, each.name, each.type, each.keys - {each.key}) for each in entities]
    types = {each.type for each in entities}
    for sort in sorted(types):
        mention = Mention(name, key, sort, (0, len(name)))
        found = resolve(mention, [each for each in known if each.type is sort])
        if found.how != "first seen":
            return next(each for each in entities if each.key == found.key)
    return _only_one_with(key, entities)


def _only_one_with(key: str, entities: Sequence[Entity]) -> Entity | None:
    """The only entity in one of whose names all words of a name stand: "Nightjar" may be asked
    for where memories say "Project Nightjar"."""
    words = set(key.split())
    found = [
        each
        for each in entities
        if words and any(words <= set(known.split()) for known in each.keys)
    ]
    return found[0] if len(found) == 1 else None


def _decided(key: str, decided: Mapping[str, str]) -> str | None:
    """The entity that decisions lead to; they may lead on, but never in a circle."""
    if key not in decided:
        return None
    seen = {key}
    while decided.get(key, key) not in seen:
        key = decided[key]
        seen.add(key)
    return decided.get(key, key)


def _usual(counts: Sequence[NameCount]) -> NameCount:
    return max(counts, key=lambda each: (each.count, len(each.surface), each.surface))


def _as_mention(counts: Sequence[NameCount]) -> Mention:
    usual = _usual(counts)
    return Mention(usual.surface, usual.name, usual.type, (0, len(usual.surface)))


def _entity(key: str, counts: Sequence[NameCount]) -> Entity:
    own = [each for each in counts if each.name == key] or list(counts)
    usual = _usual(own)
    votes: dict[EntityType, int] = {}
    for each in counts:
        votes[each.type] = votes.get(each.type, 0) + each.count
    known = {sort: count for sort, count in votes.items() if sort is not EntityType.UNKNOWN}
    others = {each.surface for each in counts} - {usual.surface}
    return Entity(
        key=key,
        name=usual.surface,
        type=max(known or votes, key=lambda sort: (votes[sort], sort)),
        aliases=tuple(sorted(others)),
        keys=frozenset({key, *(each.name for each in counts)}),
        mentions=sum(each.count for each in counts),
        first_seen=min(each.first for each in counts),
        last_seen=max(each.last for each in counts),
    )
