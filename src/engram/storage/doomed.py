"""Finds everything that an erasure takes: what was selected, and whatever was made of it.

Nothing is found by a part of a name: whoever asks for "user 1" leaves "user 10" alone.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from engram.memory.erasure import ErasedKind, Selection, spellings_of
from engram.memory.ids import MemoryId, number_of
from engram.memory.name_search import NameSearch
from engram.memory.scopes import Reach
from engram.storage.database import Row, Transaction, Value
from engram.storage.named_rows import numbers_that_name
from engram.storage.part_readers import reach_parameters

IsNamed = Callable[[str, str], bool]  # whether a name, in a scope, is that of whom is erased
NOWHERE = Reach(chain=())
_CONFIRMED = {
    ErasedKind.SOURCE: "confirmed_by_source", ErasedKind.SESSION: "confirmed_in_session",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """One memory that goes: by what it is known, and where it is."""

    number: int
    id: MemoryId
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Doomed:
    """What an erasure takes; its names are those of the person, if one was meant."""

    places: tuple[Place, ...]
    names: frozenset[str] = frozenset()
    search: NameSearch | None = None  # finds these names in texts
    reach: Reach = NOWHERE  # where these names mean that person
    chosen: frozenset[int] = frozenset()  # the numbers that were meant, without what follows
    also_told_by: tuple[int, ...] = ()  # turns that stay and tell it too
    confirmed: tuple[int, ...] = ()  # memories that stay, of which something was confirmed

    def __repr__(self) -> str:
        return f"Doomed({len(self.places)} memories)"

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the memories."""
        return tuple(each.number for each in self.places)

    @property
    def scopes(self) -> tuple[str, ...]:
        """Where they are."""
        return tuple(sorted({each.scope for each in self.places}))

    def is_named(self, name: str, scope: str) -> bool:
        """Whether a name is that of whom is erased; elsewhere it may be somebody else's."""
        return is_within(self.reach, scope) and not self.names.isdisjoint(spellings_of(name))

    def holds_name(self, text: str, scope: str) -> bool:
        """Whether a text there has the name of whom is erased in it."""
        return (
            self.search is not None and is_within(self.reach, scope) and self.search.stands_in(text)
        )


def is_within(reach: Reach, scope: str) -> bool:
    """Whether a scope is among those that a reach covers."""
    return scope in reach.chain or reach.below_start <= scope < reach.below_end


def find_doomed(transaction: Transaction, reach: Reach, selection: Selection) -> Doomed:
    """What goes, as this very transaction sees it."""
    seen = reach_parameters(reach)
    names: frozenset[str] = frozenset()
    search: NameSearch | None = None
    if selection.kind is ErasedKind.SUBJECT:
        names = names_of(transaction, reach, selection.value)
        chosen, search = _of_person(transaction, seen, names)
    else:
        chosen = _chosen(transaction, seen, selection)
    meant = frozenset(chosen)
    sources = _numbers(transaction.rows("sources_of_listed", _listed(chosen)))
    told_by = sources - chosen
    if selection.takes_sources:
        chosen, told_by = chosen | sources, set()
    numbers = with_derived(transaction, chosen)
    confirmed: set[int] = set()
    if selection.kind in _CONFIRMED:
        found = transaction.rows(_CONFIRMED[selection.kind], {"value": selection.value})
        confirmed = _numbers(found) - numbers
    return Doomed(
        places=places_of(transaction, numbers), names=names, search=search,
        reach=reach, chosen=meant,
        also_told_by=tuple(sorted(told_by - numbers)), confirmed=tuple(sorted(confirmed)),
    )  # fmt: skip


def _chosen(transaction: Transaction, seen: Mapping[str, Value], selection: Selection) -> set[int]:
    if selection.kind is ErasedKind.MEMORY:
        named: dict[str, Value] = {
            "id": selection.value, "number": number_of(selection.value),
        }  # fmt: skip
        return _numbers(transaction.rows("doomed_by_id", {**seen, **named}))
    query = f"doomed_by_{selection.kind.value}"
    return _numbers(transaction.rows(query, {**seen, "value": selection.value}))


def names_of(transaction: Transaction, reach: Reach, name: str) -> frozenset[str]:
    """A person's name and whatever other names were decided to mean the same, here or around."""
    names = set(spellings_of(name))
    pairs = [
        (set(spellings_of(str(alias))), set(spellings_of(str(entity))))
        for _change, _name, scope, alias, entity in transaction.rows("all_aliases", {})
        if is_within(reach, str(scope)) or any(at.startswith(str(scope)) for at in reach.chain)
    ]
    grown = 0
    while grown != len(names):
        grown = len(names)
        for one, other in pairs:
            if names & one or names & other:
                names |= one | other
    return frozenset(names)


def _of_person(
    transaction: Transaction, seen: Mapping[str, Value], names: frozenset[str]
) -> tuple[set[int], NameSearch]:
    """Whatever is about somebody, was said by them, or names them; and what finds their name."""
    from engram.memory.knowledge.belief import node_id

    everybody = [str(row[0]) for row in transaction.rows("named_people", seen)]
    spellings = [each for each in everybody if spellings_of(each) & names]
    asked: dict[str, Value] = {
        "spellings": json.dumps(spellings),
        "nodes": json.dumps([node_id(name) for name in sorted(names)]),
    }  # fmt: skip
    found = _numbers(transaction.rows("doomed_by_person", {**seen, **asked}))
    for number, people in transaction.rows("people_of_episodes", seen):
        if any(spellings_of(line) & names for line in str(people or "").split("\n")):
            found.add(cast(int, number))
    longer = (str(row[0]) for row in transaction.rows("people_listed", seen))
    # "Ada, Bo" is two people, and no longer name of either.
    search = NameSearch(names, [*(each for each in everybody if "," not in each), *longer])
    return found | numbers_that_name(transaction, seen, search), search


def with_derived(transaction: Transaction, numbers: Iterable[int]) -> set[int]:
    """Some memories and all that was drawn, derived or merged out of them, however far on."""
    found = set(numbers)
    latest = set(found)
    while latest:
        made = _numbers(transaction.rows("drawn_from_listed", _listed(latest)))
        latest = made - found
        found |= latest
    return found


def places_of(transaction: Transaction, numbers: Collection[int]) -> tuple[Place, ...]:
    """By what memories are known, in the order of their numbers."""
    rows = transaction.rows("doomed_places", _listed(numbers))
    return _places(rows)


def places_by_id(transaction: Transaction, ids: Collection[str]) -> tuple[Place, ...]:
    """Those of some memories that are there, also under the ids of an older copy."""
    return _places(transaction.rows("numbers_of_ids", {"ids": json.dumps(list(ids))}))


def _places(rows: Iterable[Row]) -> tuple[Place, ...]:
    found = (
        Place(cast(int, number), MemoryId(cast(str, id_)), cast(str, scope))
        for number, id_, scope in rows
    )
    return tuple(sorted(found, key=lambda each: each.number))


def _numbers(rows: Iterable[Row]) -> set[int]:
    return {cast(int, row[0]) for row in rows}


def _listed(numbers: Iterable[int]) -> dict[str, Value]:
    return {"numbers": f"[{','.join(map(str, sorted(numbers)))}]"}
