"""Entities as memories tell of them: which names belong together, and what is known of each.

Computed from the names in the memories a caller sees: nobody learns from an entity that a name
stands in a memory of others.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engram.language.names.keys import key_of
from engram.language.names.kinds import EntityType
from engram.memory.entities.resolve import likeness, spellings
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
class ShortName:
    """A first name alone in a memory, and the full name nearest to it in the same talk."""

    number: int
    name: str
    full_name: str
    surface: str
    at: datetime


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
    """Put names together that mean the same: as was decided, else those that differ in writing.

    A name that was decided to stand alone maps to itself.
    """
    by_key: dict[str, list[NameCount]] = {}
    for each in names:
        by_key.setdefault(each.name, []).append(each)
    free = {key: counts for key, counts in by_key.items() if decided.get(key) != key}
    usual = spellings({
        key: (_usual(counts).type, sum(each.count for each in counts))
        for key, counts in free.items()
    })  # fmt: skip
    groups: dict[str, list[str]] = {}
    for key in by_key:
        entity = _decided(key, decided)
        if entity is None:
            same = usual.get(key, key)
            entity = _decided(same, decided) or same
        groups.setdefault(entity, []).append(key)
    return [_entity(key, [count for name in members for count in by_key[name]])
            for key, members in groups.items()]  # fmt: skip


def with_talks(names: Iterable[NameCount], short: Iterable[ShortName]) -> list[NameCount]:
    """The names with each first name counted for the full name that it belongs to in its talk."""
    listed = list(names)
    moved = Counter((each.name, each.surface) for each in short)
    kept = []
    for each in listed:
        is_person = each.type is EntityType.PERSON
        count = each.count - (moved[each.name, each.surface] if is_person else 0)
        if count > 0:
            kept.append(replace(each, count=count))
    found: dict[tuple[str, str], list[datetime]] = {}
    for name in short:
        found.setdefault((name.full_name, name.surface), []).append(name.at)
    kept += [
        NameCount(full, surface, EntityType.PERSON, len(times), min(times), max(times))
        for (full, surface), times in found.items()
    ]
    return kept


def find_entity(name: str, entities: Sequence[Entity]) -> Entity | None:
    """The entity that a name means: one of that name or alias, else the only one it can stand for.

    Of several with that alias it is the first.
    """
    key = key_of(name)
    for each in entities:
        if key in each.keys:
            return each
    for each in entities:
        if key in map(key_of, each.aliases):
            return each
    alike = [each for each in entities if any(likeness(key, known) for known in each.keys)]
    if alike:
        return alike[0] if len(alike) == 1 else None
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


def _entity(key: str, counts: Sequence[NameCount]) -> Entity:
    own = [each for each in counts if each.name == key] or list(counts)
    usual = _usual([each for each in own if key_of(each.surface) == key] or own)
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
