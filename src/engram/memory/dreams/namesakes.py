"""Which names certainly mean the same: those that differ in nothing but how they are written.

What is merely likely is not decided here. A wrong merge mixes what is known of two, and it is
written down, so it would stand until somebody notices.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engram.language.names.kinds import EntityType
from engram.memory.entities.profile import NameCount
from engram.memory.entities.resolve import information, without_legal_form, written_together

_FEWEST_BITS = 12.0  # of a name that is told by its letters alone
_FEWEST_TIMES = 2  # a name that stood once may have been a slip
# Two files are two files, however alike they are written.
_NOT_BY_WRITING = frozenset({EntityType.FILE})


@dataclass(frozen=True, slots=True)
class Namesake:
    """A name that means the same as another, which is the usual one."""

    name: str
    entity: str


def namesakes(names: Sequence[NameCount], decided: Mapping[str, str]) -> list[Namesake]:
    """The names that mean the same as a more usual one.

    One that something was decided about is left alone; another may still come to mean what was
    decided to be meant.
    """
    by_writing: dict[str, dict[str, int]] = {}
    types: dict[str, set[EntityType]] = {}
    for each in names:
        types.setdefault(each.name, set()).add(each.type)
        form = _form(each.name)
        if form is not None and each.name not in decided:
            counts = by_writing.setdefault(form, {})
            counts[each.name] = counts.get(each.name, 0) + each.count
    meant = frozenset(decided.values())
    found = [same for counts in by_writing.values() for same in _of_one(counts, types, meant)]
    return sorted(found, key=lambda each: (each.name, each.entity))


def is_free(namesake: Namesake, decided: Mapping[str, str]) -> bool:
    """Whether nothing was decided that this would go against."""
    is_meant = namesake.name in decided.values()
    return not is_meant and namesake.name not in decided and namesake.entity not in decided


def _of_one(
    counts: Mapping[str, int], types: Mapping[str, set[EntityType]], meant: frozenset[str]
) -> Iterator[Namesake]:
    """Of names written alike, those that mean the usual one; one that is meant already is it."""
    usual = min(counts, key=lambda name: (name not in meant, -counts[name], name))
    for name, count in counts.items():
        is_clear = name != usual and name not in meant and count >= _FEWEST_TIMES
        if is_clear and _can_be_one(types[name], types[usual]):
            yield Namesake(name, usual)


def _form(name: str) -> str | None:
    """What is left of a name without spaces, hyphens and legal forms; None: too little to tell."""
    bare = without_legal_form(name)
    form = written_together(bare)
    has_figures = any(letter.isdigit() for letter in form)
    return form if information(form) >= _FEWEST_BITS and not has_figures else None


def _can_be_one(one: set[EntityType], other: set[EntityType]) -> bool:
    if (one | other) & _NOT_BY_WRITING:
        return False
    told, known = one - {EntityType.UNKNOWN}, other - {EntityType.UNKNOWN}
    return not told or not known or bool(told & known)
