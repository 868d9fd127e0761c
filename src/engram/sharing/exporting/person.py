"""Which memories are of one person: said by them, about them, naming them, or made of those."""

from collections.abc import Iterator
from dataclasses import dataclass

from engram.memory.entities.mentions import key_of
from engram.memory.people import normalised_name
from engram.memory.record import Memory
from engram.storage.reader import StoreReader


@dataclass(frozen=True, slots=True)
class Names:
    """What one person is called."""

    spelled: frozenset[str]  # as names are compared
    keys: frozenset[str]  # as names in texts are kept

    def are_of(self, memory: Memory) -> bool:
        """Whether somebody so called said a memory, or is whom it is about."""
        return any(self.mean(name) for name in (memory.subject, memory.speaker) if name is not None)

    def mean(self, name: str) -> bool:
        """Whether a name is one of these."""
        return normalised_name(name) in self.spelled or key_of(name) in self.keys


def names_of(subject: str, see: StoreReader) -> Names:
    """The names of a person, those included that were decided to mean the same."""
    key = key_of(subject)
    aliases = see.entities.aliases()
    meant = aliases.get(key, key)
    keys = {key, meant, *(name for name, entity in aliases.items() if entity == meant)}
    return Names(frozenset({normalised_name(subject), *keys}), frozenset(keys))


def told_beside(names: Names, record: dict[str, object]) -> bool:
    """Whether what lies beside a memory names the person: who took part, whom a belief is about."""
    return any(names.mean(name) for name in _named(record))


def _named(record: dict[str, object]) -> Iterator[str]:
    for end in ("source", "target"):
        if isinstance(name := record.get(end), str):
            yield name
    participants = record.get("participants")
    for each in participants if isinstance(participants, list) else ():
        if isinstance(each, dict) and isinstance(name := each.get("identifier"), str):
            yield name
