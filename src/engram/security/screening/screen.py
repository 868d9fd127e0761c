"""What a text is before it is kept: personal, secret, hostile, and how it must be protected.

Nothing is refused here: these are findings, and whoever keeps or shows the text decides what they
call for.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from engram.memory.vocabulary import Secrecy
from engram.security.screening.injection import injection_score
from engram.security.screening.marks import lowered
from engram.security.screening.personal import PersonalKind, find_personal
from engram.security.screening.secret_assignments import find_assignments
from engram.security.screening.secret_shapes import find_shapes
from engram.security.screening.spans import Span, masked, settled

__all__ = [
    "FLAGGED", "HOSTILE", "PersonalKind", "Screened", "Span", "masked", "screen", "without_orders",
]  # fmt: skip

FLAGGED = 0.5  # more likely a command to the model than not: kept out of automatic recall
HOSTILE = 0.8  # beyond doubt when it comes from a source nobody vouches for

_LEFT_OUT = "(left out: it looks like an order to an agent)"
_CONFIDENTIAL = frozenset(
    {PersonalKind.CARD, PersonalKind.SSN, PersonalKind.IBAN, PersonalKind.GOVERNMENT_ID}
)
# Addresses of machines are what developers talk about all day: found, but not hidden from recall.
_CLEARTEXT = frozenset({PersonalKind.IP_ADDRESS})


@dataclass(frozen=True, slots=True)
class Screened:
    """What was found in one text."""

    personal: tuple[Span, ...]
    secrets: tuple[Span, ...]
    injection: float  # from 0 to 1
    injection_reasons: tuple[str, ...]
    tier: Secrecy  # the highest that any find calls for

    @property
    def is_flagged(self) -> bool:
        """Whether the text looks like a command to the model that will read it."""
        return self.injection >= FLAGGED

    @property
    def is_hostile(self) -> bool:
        """Whether it does so clearly that an untrusted source's text should not be kept."""
        return self.injection >= HOSTILE


def screen(text: str) -> Screened:
    """Look at a text once for everything that must not get in or out."""
    personal, secrets = personal_and_secrets(text)
    score, reasons = injection_score(text)
    return Screened(personal, secrets, score, reasons, _tier(personal, secrets))


def personal_and_secrets(text: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """What in a text is personal and what is secret, without asking whether it gives orders."""
    small = lowered(text)
    secrets = settled((*find_shapes(text, small), *find_assignments(text, small)))
    return _outside(find_personal(text, small), secrets), secrets


def without_orders(text: str) -> str:
    """The text, or in its place a mark: what looks like an order to an agent is not passed on."""
    return _LEFT_OUT if screen(text).is_hostile else text


def _outside(personal: tuple[Span, ...], secrets: tuple[Span, ...]) -> tuple[Span, ...]:
    """The personal finds that are not part of a secret: digits in a key are no telephone."""
    if not secrets:
        return personal
    wanted = set(personal)
    return tuple(span for span in settled((*secrets, *personal)) if span in wanted)


def _tier(personal: Iterable[Span], secrets: tuple[Span, ...]) -> Secrecy:
    certain = {span.kind for span in personal if span.is_certain}
    if secrets or certain & _CONFIDENTIAL:
        return Secrecy.CONFIDENTIAL
    return Secrecy.SENSITIVE if certain - _CLEARTEXT else Secrecy.CLEARTEXT
