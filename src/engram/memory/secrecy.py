"""How secret a memory is: the tiers in their order, and who may lower one or see the text."""

from collections.abc import Iterable

from engram.errors import InvalidInput
from engram.memory.scopes import Principal
from engram.memory.vocabulary import Secrecy

PLACEHOLDER = f"[{Secrecy.CONFIDENTIAL}]"  # what who may not read it is shown
UNSHOWN = f"[{Secrecy.SENSITIVE}]"  # and of a sensitive one that has no summary
_ORDER = tuple(Secrecy)  # from the least to the most secret


def highest(secrecies: Iterable[Secrecy]) -> Secrecy:
    """The most secret of some tiers; of none, cleartext."""
    return max(secrecies, key=_ORDER.index, default=Secrecy.CLEARTEXT)


def is_lower(one: Secrecy, other: Secrecy) -> bool:
    """Whether a tier protects less than another."""
    return _ORDER.index(one) < _ORDER.index(other)


def is_protected(secrecy: Secrecy) -> bool:
    """Whether a text of this tier is sealed."""
    return secrecy is not Secrecy.CLEARTEXT


def may_lower(principal: Principal) -> bool:
    """Whether a caller may let a text be protected less: a person, or a key that may curate."""
    return principal.is_person or bool(principal.credential and principal.may_curate)


def is_veiled(principal: Principal) -> bool:
    """Whether a caller is shown no protected text: an agent from outside that may not curate."""
    return principal.is_veiled


def decided(found: Secrecy, said: Secrecy | None, principal: Principal) -> Secrecy:
    """The tier of what is handed in: what was found in it, unless somebody who may says otherwise.

    A word that asks for more always counts; one that asks for less counts from who may lower.
    """
    if said is None:
        return found
    return highest((found, said)) if not may_lower(principal) else said


def shown(content: str, summary: str | None, secrecy: Secrecy) -> str:
    """A text as a caller sees it who may not read what is protected."""
    if secrecy is Secrecy.CLEARTEXT:
        return content
    return PLACEHOLDER if secrecy is Secrecy.CONFIDENTIAL else summary or UNSHOWN


def parse_secrecy(value: object) -> Secrecy:
    """A tier by its name, or a refusal that lists them."""
    try:
        return Secrecy(str(value))
    except ValueError:
        raise InvalidInput(hint=f"`secrecy` is one of: {', '.join(Secrecy)}.") from None
