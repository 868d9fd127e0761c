"""Which tier a statement is kept in, and which summary of it may stand in the open."""

import dataclasses
from collections.abc import Iterator, Mapping

from engram.capture.draft import Draft, DraftRules
from engram.memory.record import MetadataValue
from engram.memory.secrecy import decided, highest, is_protected
from engram.memory.vocabulary import Secrecy
from engram.security.screening.protected import (
    SHORTEST,
    Find,
    allowed_summary,
    open_summary,
    protected_in,
    tier_of,
)
from engram.security.screening.screen import Screened


def tiered(
    draft: Draft,
    said: tuple[str, Screened],
    rules: DraftRules,
    *,
    inherited: Secrecy = Secrecy.CLEARTEXT,
    details: object = None,
) -> Draft:
    """The draft with its tier, and with no summary that would tell what the tier protects.

    `said` is what was handed in and what was found in it; `inherited` is the tier of what the draft
    was made of, and `details` what is kept beside it.
    """
    finds = [
        *(each for each in protected_in(*said) if each[1] in draft.text),
        *_finds_beside(draft.metadata, details),
    ]
    found = tier_of(finds) if rules.tiers == "detect" else Secrecy.CLEARTEXT
    secrecy = decided(highest((found, inherited)), draft.secrecy_said, rules.principal)
    if not is_protected(secrecy):
        return draft
    hidden = tuple(words for _, words in finds)
    summary = allowed_summary(draft.summary, secrecy, hidden)
    return dataclasses.replace(draft, secrecy=secrecy, summary=summary, hidden=hidden)


def summary_of(draft: Draft, text: str) -> str | None:
    """The summary that stands in the open beside one piece of what was handed in.

    Of a sensitive text in which something was found it is the text itself without that; where a
    person or a source made it sensitive, nobody knows what in it is, and it has none.
    """
    if draft.summary is not None or draft.secrecy is not Secrecy.SENSITIVE or not draft.hidden:
        return draft.summary
    return open_summary(text, draft.hidden)


def secrecy_of(value: object, rules: DraftRules) -> Secrecy:
    """The tier that a text, or all texts in some details, call for by themselves."""
    if rules.tiers != "detect":
        return Secrecy.CLEARTEXT
    return tier_of(find for text in _texts(value) for find in protected_in(text))


def _finds_beside(metadata: Mapping[str, MetadataValue], details: object) -> Iterator[Find]:
    for text in (*_texts(dict(metadata)), *_texts(details)):
        yield from protected_in(text)


def _texts(value: object) -> Iterator[str]:
    """Every text in a value that could tell anything; the name of a text stands before it."""
    if isinstance(value, str):
        if len(value) >= SHORTEST:
            yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            for text in _texts(item):
                yield f"{key}: {text}"
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
