"""The shape a predicate asks for: whose home, which time, which of two, and what is no claim."""

import re
from collections.abc import Callable
from dataclasses import replace

from engram.memory.claims import table
from engram.memory.claims.claim import Claim, plain_name
from engram.memory.claims.sentence import INSTEAD
from engram.memory.claims.values import (
    CLAUSE,
    is_typed,
    names_moment,
    tells_time,
    without_time,
)

_MOST_TOPIC_WORDS = 6
GROUP = re.compile(r"^(?:we|us)$", re.IGNORECASE)
FIRST_PERSON = re.compile(r"^(?:i|me|myself)$", re.IGNORECASE)
_OVER = re.compile(r"^(.{1,80}?) (?:over|to|rather than|instead of|more than) (.{1,80})$",
                   re.IGNORECASE)  # fmt: skip
_FOR_TOPIC = re.compile(r"^(.{1,80}?) (?:for|as (?:the|our|my|an?)) (.{1,80})$", re.IGNORECASE)
_KNOWN_PLACE = re.compile(r"(?:the|my|our|room|building|floor|drawer|box|shelf)\b", re.IGNORECASE)


def shaped(claim: Claim, left: str) -> Claim | None:
    """The claim in the shape its predicate asks for, if it is one after all."""
    shape = _SHAPES.get(claim.predicate)
    if shape is not None:
        return shape(claim, left)
    if claim.predicate in table.OF_TIME:
        return claim if tells_time(claim.object) and not _is_person_at_a_time(claim, left) else None
    return _settled(claim) if claim.is_functional else claim


def _is_person_at_a_time(claim: Claim, left: str) -> bool:
    """ "Ann is scheduled for Friday": people have many times."""
    return claim.predicate == table.TIME and _is_person(left)


def _of_home(claim: Claim, left: str) -> Claim:
    predicate = table.LIVES if _is_person(left) else table.LOCATION
    return _settled(replace(claim, predicate=predicate))


def _of_birth(claim: Claim, _left: str) -> Claim:
    is_time = tells_time(claim.object)
    return replace(claim, predicate="birth date" if is_time else "birthplace")


def _of_ground(claim: Claim, _left: str) -> Claim | None:
    """What a thing runs on; the shuttle that runs on Mondays runs on something else."""
    return None if names_moment(claim.object) else _settled(claim)


def _of_belonging(claim: Claim, left: str) -> Claim | None:
    """Things have owners; people belong to clubs."""
    return None if _is_person(left) else replace(claim, predicate=table.OWNER)


def _of_price(claim: Claim, _left: str) -> Claim | None:
    return claim if any(character.isdigit() for character in claim.object) else None


def _of_whereabouts(claim: Claim, left: str) -> Claim | None:
    """Where a thing is; people come and go, and "in progress" is no place."""
    if names_moment(claim.object):
        return replace(claim, predicate=table.TIME)
    is_place = claim.object[:1].isupper() or _is_place(claim.object)
    if _is_person(left) or not is_place:
        return None
    return _settled(replace(claim, predicate=table.LOCATION))


def _of_move(claim: Claim, left: str) -> Claim | None:
    """Who moved has another home; what was moved has another time or place."""
    is_person = _is_person(left)
    if _is_event(left) or names_moment(claim.object):
        return None if is_person else replace(claim, predicate=table.TIME)
    if GROUP.match(left):  # to a city, to a database, to the next point: who can tell?
        return replace(claim, is_functional=False)
    is_place = claim.object[:1].isupper() or (not is_person and _is_place(claim.object))
    return _of_home(claim, left) if is_place else None


def _is_place(value: str) -> bool:
    return _KNOWN_PLACE.match(value) is not None or is_typed(value)


def _is_event(left: str) -> bool:
    return any(word.removesuffix("'s").strip(",").lower() in table.EVENTS for word in left.split())


def _is_person(left: str) -> bool:
    """Whether the subject is somebody: the first person, a bare name, or a relation."""
    words = left.split()
    if _is_event(left):
        return False
    if FIRST_PERSON.match(left) or GROUP.match(left):
        return True
    if words[-1].lower() in table.PERSONS:
        return True
    is_bare_name = len(words) <= 3 and all(word[:1].isupper() for word in words)
    return is_bare_name and words[0].lower() not in ("the", "our", "my") and "'" not in left


def _settled(claim: Claim) -> Claim:
    return replace(claim, object=without_time(claim.object))


def _of_preference(claim: Claim, _left: str) -> Claim:
    if (match := _OVER.match(claim.object)) and _is_short(match[1]) and _is_short(match[2]):
        rest = _FOR_TOPIC.match(match[2])
        other, topic = (rest[1], f" for {plain_name(rest[2])}") if rest else (match[2], "")
        pair = " or ".join(sorted((plain_name(match[1]), plain_name(other))))
        return replace(claim, predicate=f"prefers {pair}{topic}", object=match[1],
                       is_functional=True)  # fmt: skip
    if (match := _FOR_TOPIC.match(claim.object)) and _is_short(match[2]):
        predicate = f"prefers for {plain_name(match[2])}"
        return replace(claim, predicate=predicate, object=match[1], is_functional=True)
    return claim


def _is_short(words: str) -> bool:
    """Whether this is the name of a thing, not a clause or a list."""
    return len(words.split()) <= _MOST_TOPIC_WORDS and CLAUSE.search(words) is None


def _of_use(claim: Claim, _left: str) -> Claim:
    """ "Uses A for B" has one A; plain "uses" has many."""
    claim = _settled(claim)
    if match := INSTEAD.match(claim.object):
        claim = replace(claim, object=match[1], instead_of=match[2])
    for field in ("object", "instead_of"):
        value = claim.object if field == "object" else claim.instead_of
        if (match := _FOR_TOPIC.match(value)) and _is_short(match[2]):
            claim = replace(
                claim,
                predicate=f"uses for {plain_name(match[2])}",
                object=match[1] if field == "object" else claim.object,
                instead_of=match[1] if field == "instead_of" else claim.instead_of,
                is_functional=True,
            )
    return claim


_SHAPES: dict[str, Callable[[Claim, str], Claim | None]] = {
    table.MOVED: _of_move,
    table.LOCATION: _of_home,
    table.WHEREABOUTS: _of_whereabouts,
    table.BORN_IN: _of_birth,
    table.RUNS_ON: _of_ground,
    table.BELONGS: _of_belonging,
    table.PRICE: _of_price,
    table.PREFERS: _of_preference,
    table.USES: _of_use,
}
