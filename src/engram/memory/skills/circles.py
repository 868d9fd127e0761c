"""Skills that follow each other must come to an end: none leads back to itself."""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engram.errors import InvalidInput
from engram.memory.scopes import Scope
from engram.memory.skills.skill import Skill, invoked

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Placed:
    """A skill and where it belongs: the names in it mean what is known there."""

    scope: Scope
    skill: Skill
    label: str = ""  # of the memory that tells it

    @property
    def place(self) -> tuple[str, str]:
        """What tells it from any other."""
        return self.scope.path, self.skill.key


def check_ends(added: Placed, others: Sequence[Placed]) -> None:
    """Refuse a skill that would lead back to itself, by way of whatever it follows.

    A name means the skill in the nearest scope around the one that names it. What lies further in
    can therefore not be met on the way, and whoever sees the added skill's surroundings sees all
    that matters.
    """
    known: dict[str, list[Placed]] = {}
    for each in (*others, added):
        if each is added or each.place != added.place:
            known.setdefault(each.skill.key, []).append(each)
    places = {each.place: each for several in known.values() for each in several}

    def follows(place: tuple[str, str]) -> list[tuple[str, str]]:
        placed = places[place]
        found = (_resolved(name, placed.scope, known) for name in sorted(invoked(placed.skill)))
        return [each.place for each in found if each is not None]

    way = way_back(added.place, follows)
    if way is not None:
        others_met = ", ".join(places[place].label for place in way[1:-1])
        by_way = f", by way of {others_met}" if others_met else ""
        raise InvalidInput(hint=f"The skill would lead back to itself{by_way}.")


def _resolved(name: str, scope: Scope, known: dict[str, list[Placed]]) -> Placed | None:
    around = [each for each in known.get(name, ()) if each.scope.contains(scope)]
    return max(around, key=lambda each: len(each.scope.path), default=None)


def way_back(start: _Key, follows: Callable[[_Key], Collection[_Key]]) -> list[_Key] | None:
    """A way from something back to itself, or None when there is none."""
    ways: list[list[_Key]] = [[start]]
    seen: set[_Key] = set()
    while ways:
        way = ways.pop()
        for step in follows(way[-1]):
            if step == start:
                return [*way, step]
            if step not in seen:
                seen.add(step)
                ways.append([*way, step])
    return None
