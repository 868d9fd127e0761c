"""Values that can be told at sight: addresses, amounts, moments, and the time behind a value."""

import re

from engram.memory.claims import table
from engram.memory.claims.forms import plain_form, with_numbers

SINCE = re.compile(r",?\s+(?:since|as of|from|starting|effective|for good)\b.*$", re.IGNORECASE)
_TIME_TAIL = re.compile(
    r",?\s+(?:(?:in|on|at|around|by|early|late|last|this|next|about)\s+){0,4}(?:(?:january"
    r"|february|march"
    r"|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall"
    r"|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|year|weekend)\b"
    r"|(?:19|20)\d{2}\b|\d{4}-\d{2}-\d{2}|yesterday\b|today\b"
    r"|a? ?\w+ (?:days?|weeks?|months?|years?)"
    r" ago)[\w ,-]*$",
    re.IGNORECASE,
)
CLAUSE = re.compile(
    r"\b(?:but|and|or|then|which|who|where|that|although|though|however)\b|[;:]\s", re.IGNORECASE
)
MOMENT = re.compile(
    r"\b(?:\d{1,2}(?::\d{2})? ?[ap]\.?m|\d{1,2}:\d{2}|noon|midnight|tomorrow|tonight|next \w+"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august"
    r"|september|october|november|december|\d{4}-\d{2}-\d{2})\b",
    re.IGNORECASE,
)
_UNIT_OF_TIME = re.compile(r"\b(?:days?|weeks?|months?|years?|weekend|today|may)\b", re.IGNORECASE)


def typed_predicate(value: str) -> str | None:
    """What sort of value this is, when it can be told at sight: an address, an amount, a date."""
    plain = value.strip().lower()
    for name, pattern in table.VALUES:
        if pattern.fullmatch(plain):
            return f"{table.IS} {name}"
    figures = " ".join(with_numbers(plain.split()))
    if match := table.QUANTITY.fullmatch(figures):
        unit = " ".join(plain_form(part) for part in match.groups()[1:] if part)
        return f"{table.IS} number {unit}".strip()
    return None


def is_typed(value: str) -> bool:
    """Whether the value can be told at sight."""
    return typed_predicate(value) is not None


def names_moment(value: str) -> bool:
    """Whether the value begins with a moment: "Friday at 10"."""
    return MOMENT.match(value) is not None


def tells_time(value: str) -> bool:
    """Whether the value has anything of a date or a time in it."""
    is_named = MOMENT.search(value) is not None or _UNIT_OF_TIME.search(value) is not None
    return is_named or any(character.isdigit() for character in value)


def without_time(value: str) -> str:
    """The value without the date behind it: a move has a date, its outcome has none."""
    return _TIME_TAIL.sub("", SINCE.sub("", value)).strip(" ,") or value


def fits(predicate: str, value: str) -> bool:
    """Whether this can be the value of that property: "my manager is on holiday" names no manager.

    What is merely the case with a thing ("the port is closed") must not pass for its value.
    """
    has_figures = any(character.isdigit() for character in value)
    if predicate in table.FIGURED:
        return has_figures or is_typed(value) or tells_time(value)
    if _LEADS_ELSEWHERE.match(value) or value.split()[0].lower() in table.STATES:
        return predicate in table.OF_STATE
    if predicate in table.NAMED:
        return value[:1].isupper() or value[:1] in "\"'" or has_figures or _is_team(value)
    return True


def _is_team(value: str) -> bool:
    return re.match(r"(?:the|our) [\w ]{1,40}(?:team|group|squad|department)$", value) is not None


_LEADS_ELSEWHERE = re.compile(
    r"(?:on|in|at|by|to|for|from|with|without|under|about|as|like|off|out|away|too|very|so|quite"
    r"|pretty|rather|getting|being|going|working|coming|not|no|what|how|why|where|who|that)\b",
    re.IGNORECASE,
)
