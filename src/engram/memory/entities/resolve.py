"""Which entity a name means: the one of that name, of that alias, nearly that name, or a first one.

A wrong merge is worse than two entities for one thing, since it mixes what is known of both. So a
name that carries little information, or that differs from another where names are told apart
(a digit, one word), is an entity of its own.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engram.language.names.cue_words import LEGAL_FORMS
from engram.language.names.kinds import EntityType
from engram.language.names.known_names import GIVEN_NAMES
from engram.language.names.mentions import Mention

NEAR_IN_MEANING = 0.85  # from here on two names may mean the same; the seed's figure
_CLEARLY_NEARER = 0.03  # the nearest must be nearer than the second by this
_FEWEST_BITS = 12.0  # of a name that may be misspelt: "maria" has 9.6, "melanie" 18
_FEWEST_BITS_OF_PART = 4.0  # of one that is part of a longer name: "al" has 2, "tom" 4.8
SHORTEST_MISSPELT = 7  # letters of a word that may be misspelt
LONG = 11  # letters from which two slips are believable
_DIGITS = re.compile(r"\d+")
_SEPARATORS = re.compile(r"[\s._-]+")


@dataclass(frozen=True, slots=True)
class Known:
    """An entity that exists: its key, its name, its type, and the keys of its other names."""

    key: str
    name: str
    type: EntityType
    aliases: frozenset[str]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The key of the entity that a mention belongs to, and how that was found."""

    key: str
    how: str  # "exact" | "alias" | "fuzzy" | "meaning" | "first seen"


def resolve(
    mention: Mention,
    known: Sequence[Known],
    *,
    nearness: Callable[[str], float] | None = None,
) -> Resolution:
    """The entity that a mention belongs to; two that it may equally mean make it its own.

    `nearness` tells how near in meaning the mention is to a known key, from -1 to 1.
    """
    key = mention.key
    if any(each.key == key for each in known):
        return Resolution(key, "exact")
    owners = [each for each in known if key in each.aliases]
    if owners:
        return Resolution(owners[0].key, "alias") if len(owners) == 1 else _first_seen(key)
    fitting = [each for each in known if _fits(mention.type, each.type)]
    alike = [each for each in fitting if _is_nearly(key, each)]
    parts = [] if alike else _fuller_or_shorter(mention, fitting)
    for found in (alike, parts):
        if found:
            return Resolution(found[0].key, "fuzzy") if len(found) == 1 else _first_seen(key)
    nearest = None if nearness is None else _nearest(mention, fitting, nearness)
    return _first_seen(key) if nearest is None else Resolution(nearest.key, "meaning")


def _first_seen(key: str) -> Resolution:
    return Resolution(key, "first seen")


def _fits(one: EntityType, other: EntityType) -> bool:
    return one is other or EntityType.UNKNOWN in (one, other)


def information(name: str) -> float:
    """How many bits the letters of a name carry: its length times their entropy."""
    letters = [letter for letter in name if letter.isalnum()]
    counts = Counter(letters).values()
    size = len(letters)
    return -sum(count * math.log2(count / size) for count in counts) if size else 0.0


def _is_nearly(key: str, known: Known) -> bool:
    """Whether a name is a known one, written together, apart, or with a slip of the pen."""
    return any(_same_but_for_writing(key, name) for name in (known.key, *sorted(known.aliases)))


def _same_but_for_writing(one: str, other: str) -> bool:
    if _DIGITS.findall(one) != _DIGITS.findall(other):
        return False
    if written_together(one) == written_together(other):
        return True
    if without_legal_form(one) == without_legal_form(other):
        return True
    first, second = one.split(), other.split()
    if len(first) != len(second) or information(one) < _FEWEST_BITS:
        return False
    differing = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and _is_slip(*differing[0])


def written_together(name: str) -> str:
    """A name without what may stand between its words: "post-gres" is "postgres"."""
    return _SEPARATORS.sub("", name)


def without_legal_form(name: str) -> str:
    """A name without "Ltd" and the like behind it."""
    words = name.split()
    while len(words) > 1 and words[-1].strip(".,") in LEGAL_FORMS:
        words.pop()
    return " ".join(words).rstrip(",")


def _is_slip(one: str, other: str) -> bool:
    """Whether one word is the other, misspelt: long, alike at both ends, not a name of its own."""
    shorter = min(len(one), len(other))
    if shorter < SHORTEST_MISSPELT or one[0] != other[0] or one[-1] != other[-1]:
        return False
    if one in GIVEN_NAMES and other in GIVEN_NAMES:
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


def _fuller_or_shorter(mention: Mention, known: Sequence[Known]) -> list[Known]:
    """People by a part of their name, or by more of it; others that share it make it unclear."""
    if mention.type not in (EntityType.PERSON, EntityType.UNKNOWN):
        return []
    words = mention.key.split()
    people = [each for each in known if each.type is EntityType.PERSON]
    if len(words) == 1:
        return [each for each in people if _is_part(mention.key, each.key.split())]
    relatives = [each for each in people if {words[0], words[-1]} & set(each.key.split())]
    shorter = [each for each in relatives if _is_part(each.key, words)]
    # Another full name with the same part: whom the part meant is anyone's guess.
    return shorter if len(relatives) == len(shorter) else []


def _is_part(short: str, words: Sequence[str]) -> bool:
    is_end = len(words) > 1 and short in (words[0], words[-1])
    return is_end and information(short) >= _FEWEST_BITS_OF_PART


def _nearest(
    mention: Mention, known: Sequence[Known], nearness: Callable[[str], float]
) -> Known | None:
    """The one entity of the same type that clearly means the same."""
    if mention.type is EntityType.UNKNOWN or information(mention.key) < _FEWEST_BITS_OF_PART:
        return None
    same = [each for each in known if each.type is mention.type]
    free = [each for each in same if not _are_told_apart(mention, each.key)]
    ranked = sorted(((nearness(each.key), each.key, each) for each in free), reverse=True)[:2]
    if not ranked or ranked[0][0] <= NEAR_IN_MEANING:
        return None
    is_clear = len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= _CLEARLY_NEARER
    return ranked[0][2] if is_clear else None


def _are_told_apart(mention: Mention, key: str) -> bool:
    """Whether two names differ exactly where names of different things do."""
    if _DIGITS.findall(mention.key) != _DIGITS.findall(key):
        return True
    one, other = set(mention.key.split()), set(key.split())
    if mention.type is EntityType.PERSON and not one <= other and not other <= one:
        return True
    return bool(one & other) and max(len(one - other), len(other - one)) == 1
