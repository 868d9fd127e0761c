"""Reads off a statement what can be filtered on and weighed: names, times, feeling, surprise."""

import dataclasses
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from engram.capture.draft import Draft, DraftRules
from engram.errors import ContentTooLarge
from engram.language.affect import affect
from engram.language.lexicon import COMMON_WORDS
from engram.language.stems import stem
from engram.memory.deadlines import deadline_in
from engram.memory.inferred import infer
from engram.memory.record import Memory, MetadataValue, check_metadata
from engram.memory.surprise import surprise
from engram.storage.unit import UnitOfWork
from engram.text.strings import folded

LOOKED_AT = 8
_LIKENESS = 1.6  # words in common that make two statements as near as their vectors would be
_LEAST_IMPORTANCE = 0.05


def understood(draft: Draft, unit: UnitOfWork, rules: DraftRules) -> Draft:
    """A statement with its inferred metadata, how it feels and how new it is.

    What the caller said stands: its metadata and its importance are not changed.
    """
    felt = affect(draft.text, is_correction=draft.category.name == "correction")
    read = dataclasses.replace(
        draft, metadata=_noted(draft, rules), valence=felt.valence, arousal=felt.arousal
    )
    near = [
        each for each in unit.see.like(draft.text, draft.scope, limit=LOOKED_AT)
        if draft.replaces not in (each.id, each.label)
    ]  # fmt: skip
    found = surprising(read, likeness(draft.text, near))
    if draft.has_importance:
        return dataclasses.replace(found, importance=draft.importance)
    return found


def _noted(draft: Draft, rules: DraftRules) -> dict[str, MetadataValue]:
    given = dict(draft.metadata)
    found = infer(draft.text, now=draft.at, templates=rules.templates)
    due = deadline_in(draft.text, draft.at) if draft.category.name == "commitment" else None
    if due is not None:
        found["deadline"] = due.isoformat()
    try:
        return check_metadata({**found, **given})
    except ContentTooLarge:  # the caller's own leave no room
        return given


def likeness(text: str, others: Iterable[Memory]) -> list[float]:
    """How many of its telling words each other statement shares, from 0 to 1."""
    stems = _stems(text)
    return [_shared(stems, _stems(each.content)) for each in others]


def surprising(draft: Draft, shares: Sequence[float]) -> Draft:
    """The draft with how new it is, told by words: its vector is made later."""
    found = surprise([min(1.0, _LIKENESS * each) for each in shares])
    importance = min(1.0, max(_LEAST_IMPORTANCE, draft.importance + found.importance_change))
    flags = [*_flags(draft), "redundant"] if found.is_redundant else _flags(draft)
    metadata = {**draft.metadata, "flags": flags} if flags else draft.metadata
    return dataclasses.replace(
        draft, surprise=found.score, importance=importance, metadata=metadata
    )


def _flags(draft: Draft) -> list[str]:
    flags = draft.metadata.get("flags")
    return list(flags) if isinstance(flags, list) else []


@lru_cache(maxsize=4_096)
def _stems(text: str) -> frozenset[str]:
    words = re.findall(r"\w+", folded(text))
    return frozenset(stem(word) for word in words if word not in COMMON_WORDS)


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    both = len(one) + len(other)
    return 2 * len(one & other) / both if both else 0.0
