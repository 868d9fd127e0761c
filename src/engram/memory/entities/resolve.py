"""Which names mean the same: those that differ only in writing, and those that may be one.

A wrong merge is worse than two entities for one thing, since it mixes what is known of both. So
only a difference in spaces, hyphens or a legal form joins two names by itself; whatever else two
names have in common is a reason to propose it to a person.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engram.language.names.kinds import EntityType
from engram.language.names.words import cue_words, is_given_name

NEAR_IN_MEANING = 0.85  # from here on two names may mean the same; the seed's figure
_CLEARLY_NEARER = 0.03  # the nearest must be nearer than the second by this
FEWEST_BITS = 12.0  # of a name that is told by its letters alone: "maria" has 9.6, "melanie" 18
_FEWEST_BITS_OF_PART = 4.0  # of one that is part of a longer name: "al" has 2, "tom" 4.8
SHORTEST_MISSPELT = 7  # letters of a word that may be misspelt
LONG = 11  # letters from which two slips are believable
_SHORTEST_PLURAL = 5
_SHORTEST_ACRONYM = 3
_CLEAR_TYPES = frozenset({EntityType.PERSON, EntityType.PLACE, EntityType.FILE})
_DIGITS = re.compile(r"\d+")
_SEPARATORS = re.compile(r"[\s._-]+")


@dataclass(frozen=True, slots=True)
class Known:
    """An entity that exists: its key and its type."""

    key: str
    type: EntityType


def fits(one: EntityType, other: EntityType) -> bool:
    """Whether two names can mean the same by what they belong to.

    A company, its product and its project are easily taken for each other; a person is not.
    """
    return one is other or EntityType.UNKNOWN in (one, other) or not {one, other} & _CLEAR_TYPES


def information(name: str) -> float:
    """How many bits the letters of a name carry: its length times their entropy."""
    letters = [letter for letter in name if letter.isalnum()]
    counts = Counter(letters).values()
    size = len(letters)
    return -sum(count * math.log2(count / size) for count in counts) if size else 0.0


# The same but for writing


def written_together(name: str) -> str:
    """A name without what may stand between its words: "post-gres" is "postgres"."""
    return _SEPARATORS.sub("", name)


def without_legal_form(name: str) -> str:
    """A name without "Ltd" and the like behind it."""
    words = name.split()
    while len(words) > 1 and words[-1].strip(".,") in cue_words("legal_forms"):
        words.pop()
    return " ".join(words).rstrip(",")


def spellings(names: Mapping[str, tuple[EntityType, int]]) -> dict[str, str]:
    """For names that differ only in writing, the most usual of them.

    `names` are keys with their type and how often they stand. Two legal forms of one name may be
    two companies: then neither form is joined with the name alone.
    """
    by_form: dict[str, list[str]] = {}
    for name in names:
        by_form.setdefault(written_together(without_legal_form(name)), []).append(name)
    found: dict[str, str] = {}
    for form, alike in by_form.items():
        if len(alike) < 2 or information(form) < FEWEST_BITS or any(map(str.isdigit, form)):
            continue
        joined = without_rival_forms(alike)
        usual = min(joined, key=lambda name: (-names[name][1], name), default="")
        for name in joined:
            if name != usual and fits(names[name][0], names[usual][0]):
                found[name] = usual
    return found


def without_rival_forms(names: Sequence[str]) -> list[str]:
    """Without those that have a legal form, where there are two: they may be two companies."""
    is_clear = len({legal_form(name) for name in names} - {""}) < 2
    return [name for name in names if is_clear or not legal_form(name)]


def legal_form(name: str) -> str:
    """What stands behind a name to say how the company is held; empty where nothing does."""
    return (
        written_together(name).removeprefix(written_together(without_legal_form(name))).strip(",")
    )


# What may be one


def likeness(one: str, other: str) -> str | None:
    """Why two keys may mean the same although they are written differently; None: no reason."""
    if one == other or _DIGITS.findall(one) != _DIGITS.findall(other):
        return None
    if without_legal_form(one) == without_legal_form(other):
        return "legal form"
    if written_together(one) == written_together(other):
        return "writing"
    short, long = sorted((one, other), key=len)
    if long == f"{short}s" and len(short) >= _SHORTEST_PLURAL:
        return "plural"
    if _are_initials(short, long):
        return "initials"
    if _is_misspelt(one, other):
        return "misspelt"
    return "part of the name" if _is_part(short, long.split()) else None


def _are_initials(short: str, long: str) -> bool:
    """ "j. smith" for "john smith", "wto" for "world trade organization"."""
    first = [word.strip(".") for word in short.split()]
    second = [word.strip(".") for word in long.split()]
    if len(first) == 1 and len(second) >= _SHORTEST_ACRONYM:
        letters = "".join(word[:1] for word in second if word not in ("of", "the", "and", "for"))
        return len(short) >= _SHORTEST_ACRONYM and short == letters
    if len(first) != len(second) or len(first) < 2 or first[-1] != second[-1]:
        return False
    pairs = list(zip(first[:-1], second[:-1], strict=True))
    is_short = any(len(one) == 1 < len(other) for one, other in pairs)
    return is_short and all(one == other or other.startswith(one) for one, other in pairs)


def _is_misspelt(one: str, other: str) -> bool:
    first, second = one.split(), other.split()
    if len(first) != len(second) or information(one) < FEWEST_BITS:
        return False
    differing = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and _is_slip(*differing[0])


def _is_slip(one: str, other: str) -> bool:
    """Whether one word is the other, misspelt: long, alike at both ends, not a name of its own."""
    shorter = min(len(one), len(other))
    if shorter < SHORTEST_MISSPELT or one[0] != other[0] or one[-1] != other[-1]:
        return False
    if is_given_name(one) and is_given_name(other):
        return False
    return _edits(one, other, most=2 if shorter >= LONG else 1) is not None


def _edits(one: str, other: str, *, most: int) -> int | None:
    """How many letters were changed, left out, added or swapped; None when more than `most`."""
    if abs(len(one) - len(other)) > most:
        return None
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, start=1):
        before, last, row = row, before, [place]
        for column, wanted in enumerate(other, start=1):
            cost = min(before[column] + 1, row[-1] + 1, before[column - 1] + (letter != wanted))
            is_swap = place > 1 and column > 1 and other[column - 2] == letter
            if is_swap and one[place - 2] == wanted:
                cost = min(cost, last[column - 2] + 1)
            row.append(cost)
    return row[-1] if row[-1] <= most else None


def _is_part(short: str, words: Sequence[str]) -> bool:
    is_end = len(words) > 1 and short in (words[0], words[-1])
    return is_end and information(short) >= _FEWEST_BITS_OF_PART


def nearest_in_meaning(
    known: Known, others: Iterable[Known], nearness: Callable[[str], float]
) -> Known | None:
    """The one entity of the same type that clearly means the same.

    `nearness` tells how near in meaning the entity is to another key, from -1 to 1.
    """
    if known.type is EntityType.UNKNOWN or information(known.key) < _FEWEST_BITS_OF_PART:
        return None
    free = [
        each
        for each in others
        if each.type is known.type and not are_told_apart(known.key, each.key, known.type)
    ]
    ranked = sorted(((nearness(each.key), each.key, each) for each in free), reverse=True)[:2]
    if not ranked or ranked[0][0] <= NEAR_IN_MEANING:
        return None
    is_clear = len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= _CLEARLY_NEARER
    return ranked[0][2] if is_clear else None


def are_told_apart(one: str, other: str, kind: EntityType) -> bool:
    """Whether two names differ exactly where names of different things do."""
    if _DIGITS.findall(one) != _DIGITS.findall(other):
        return True
    first, second = set(one.split()), set(other.split())
    if kind is EntityType.PERSON and not first <= second and not second <= first:
        return True
    return bool(first & second) and max(len(first - second), len(second - first)) == 1
