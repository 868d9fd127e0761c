"""When two values can exclude each other: values of one sort, said under the same conditions.

"The database is Postgres" and "The database is encrypted" are both true, and so are "I live in
Berlin" and "I live in Hamburg on weekends". A belief is retired only for another of its own sort.
"""

import re

from engram.memory.claims import table
from engram.memory.claims.claim import Claim
from engram.memory.claims.values import MOMENT, typed_predicate

_DURATION = re.compile(
    r"^is number (?:ms|millisecond|second|sec|s|minut|min|hour|h|day|week|month)s?$"
)
_BYTES = re.compile(r"^is number (?:b|kb|mb|gb|tb|kib|mib|gib)$")
_DESCRIBED = re.compile(
    r"(?:an?|the|my|our|his|her|their|its|this|that|one|some|two|three|fear|free|night|work"
    r"|home)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?<=\S)[, ]+((?:in|on|for|at|by|per|with|during|every|each|as|to|since|via|when|if|unless"
    r"|only|also|sometimes|until|from|lower|higher)\b.*)$",
    re.IGNORECASE,
)
_STATE_WORD = re.compile(
    r"^(?![A-Z])\w+(?:ed|ing|able|ible|ful|less|ous|free|only|sensitive|friendly|wide)$"
    r"|^(?:dark|fun|secure|split|hosted|set)$"
)
_DEMONYM = re.compile(
    r"^(?:\w+(?:ish|ese|ian|ean|ican)|German|French|Dutch|Swiss|Greek|Catholic|Czech|Turkish)$"
)
_CLOCK = re.compile(
    r"\d{1,2}:\d{2}|\b\d{1,2} ?[ap]\.?m|\bnoon\b|\bmidnight\b|^(?:at )?\d{1,2}$", re.IGNORECASE
)
_OF_PLACES = (table.LIVES, table.WORKS, table.LOCATION, table.BORN_IN, table.WHEREABOUTS)
# Of these people have several: what is said of one is no news of another.
_SEVERAL = re.compile(
    r"\b(?:son|daughter|child|kid|baby|brother|sister|sibling|cousin|uncle|aunt|nephew|niece|friend"
    r"|colleague|co-?worker|neighbou?r|cat|dog|pet|grand\w+|roommate|student|client|customer|team"
    r"mate)s?$",
    re.IGNORECASE,
)


def are_rivals(first: Claim, second: Claim) -> bool:
    """Whether the values of two claims about the same thing are of one sort and condition."""
    if _SEVERAL.search(first.subject):
        return False
    if first.predicate in table.STATUSES.values():
        return True
    is_time = first.predicate in table.OF_TIME
    if not is_time and _condition(first) != _condition(second):
        return False
    sorts = [sort_of(each.predicate, each.object) for each in (first, second)]
    if is_time and all(sorts):
        return bool(set(sorts[0].split("+")) & set(sorts[1].split("+")))
    return bool(sorts[0]) and sorts[0] == sorts[1]


def _condition(claim: Claim) -> str:
    found = _TAIL.search(claim.object)
    return found[1].lower() if found else ""


def sort_of(predicate: str, value: str) -> str:
    """What sort of value it is; empty when it is none that another could take the place of."""
    plain = value.strip(" .")
    typed = typed_predicate(plain)
    if typed:
        return _sort_of_typed(predicate, plain, typed)
    if predicate in table.OF_TIME or predicate == "date":
        return _sort_of_moment(plain)
    first = plain.split()[0] if plain else ""
    is_description = _DESCRIBED.match(plain) or _STATE_WORD.match(first)
    is_origin = predicate in table.NAMED and _DEMONYM.match(plain)
    is_no_place = predicate in _OF_PLACES and not first[:1].isupper()
    if not first or is_description or is_origin or is_no_place:
        return ""
    return "figure" if first[:1].isdigit() else "name"


def _sort_of_typed(predicate: str, plain: str, typed: str) -> str:
    if _DURATION.match(typed):
        return "duration"
    if _BYTES.match(typed):
        return "bytes"
    if predicate in table.OF_TIME:
        return "clock" if _CLOCK.search(plain) else "day"
    return typed


def _sort_of_moment(plain: str) -> str:
    if _CLOCK.search(plain):
        has_day = re.search(r"[A-Za-z]{3,}", _CLOCK.sub("", plain))
        return "day+clock" if has_day else "clock"
    is_day = MOMENT.search(plain) or re.search(r"\bmay\b|\d", plain, re.IGNORECASE)
    return "day" if is_day else ""
