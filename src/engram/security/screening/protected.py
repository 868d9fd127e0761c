"""What in a text is not for everybody, which tier that calls for, and what is left to be told."""

from collections.abc import Iterable

from engram.memory.secrecy import highest
from engram.memory.vocabulary import Secrecy
from engram.security.screening.screen import (
    PersonalKind,
    Screened,
    Span,
    masked,
    personal_and_secrets,
)
from engram.text.strings import SUMMARY_BYTES

Find = tuple[Span, str]  # where, and the words themselves

SHORTEST = 5  # characters; nothing personal that can be proven is shorter
# What a memory is asked for day by day is found, labelled and kept in the open: sealed, the name of
# the user would not be found by it. Whoever wants it sealed says so.
_OPEN = frozenset({PersonalKind.IP_ADDRESS, PersonalKind.PERSON_NAME, PersonalKind.LOCATION})
# Anything else that is found (cards, accounts, papers, secrets) is confidential.
_SENSITIVE = frozenset(
    {PersonalKind.EMAIL, PersonalKind.PHONE, PersonalKind.ADDRESS, PersonalKind.DATE_OF_BIRTH}
)


def protected_in(text: str, screened: Screened | None = None) -> list[Find]:
    """The finds in a text that are not for everybody, each with its words."""
    if screened is None:
        personal, secrets = personal_and_secrets(text)
    else:
        personal, secrets = screened.personal, screened.secrets
    spans = [*secrets, *(each for each in personal if each.kind not in _OPEN)]
    return [(each, text[each.start : each.end]) for each in spans]


def tier_of(finds: Iterable[Find]) -> Secrecy:
    """The highest tier that any of some finds calls for."""
    return highest(
        Secrecy.SENSITIVE if span.kind in _SENSITIVE else Secrecy.CONFIDENTIAL
        for span, _ in finds
        if span.kind not in _SENSITIVE or span.is_certain  # ten digits may be anything
    )


def open_summary(text: str, hidden: Iterable[str] = ()) -> str | None:
    """A text without what is protected in it, as long as a summary may be."""
    left = masked(text, [span for span, _ in protected_in(text)])
    cut = left.encode()[:SUMMARY_BYTES].decode("utf-8", "ignore").strip()
    return cut if cut and not _tells(cut, hidden) else None


def allowed_summary(
    summary: str | None, secrecy: Secrecy, hidden: Iterable[str] = ()
) -> str | None:
    """A summary that somebody gave, if the tier allows it; of confidential texts it is sealed."""
    if summary is None or secrecy is not Secrecy.SENSITIVE:
        return summary
    return None if protected_in(summary) or _tells(summary, hidden) else summary


def summary_for(text: str, summary: str | None, secrecy: Secrecy) -> str | None:
    """The summary of a text under another tier: that given, or of a sensitive text what is left.

    Where nothing in the text calls for the tier, nobody knows what of it may be told. In the open
    what was left of it would say less than the text.
    """
    finds = protected_in(text)
    left = open_summary(text) if finds else None
    if secrecy is not Secrecy.SENSITIVE:
        return None if summary == left else summary
    return allowed_summary(summary, secrecy, [words for _, words in finds]) or left


def _tells(text: str, hidden: Iterable[str]) -> bool:
    """Whether a text holds any of what is protected, however it is spaced and cased."""
    small = _closed_up(text)
    return any(each in small for each in map(_closed_up, hidden) if len(each) >= SHORTEST)


def _closed_up(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum() or letter in "@.")
