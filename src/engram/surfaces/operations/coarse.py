"""Blurs figures for callers nobody vouches for: exact scores would let them feel out what is kept.

Who can ask often and is told exactly how near each answer lies can find out by many questions what
no single answer would tell. One decimal is enough to choose by.
"""

from collections.abc import Mapping
from typing import cast

from engram.surfaces.documents import Document

_BLURRED = frozenset({
    "score", "probability", "confidence", "average_relevance", "source_trust", "trust",
    "relevance", "accuracy", "freshness", "utility", "composite", "surprise", "importance",
    "match_score",
    "strength", "force", "agreement", "significance",
})  # fmt: skip
_DECIMALS = 1
# The stages whose details tell of the question and the memory; the others tell exact figures.
_WITHOUT_FIGURES = frozenset({
    "question", "status", "time", "mode", "filters", "limit", "budget",
})  # fmt: skip


def coarse(document: Document) -> Document:
    """The same answer with one decimal to each figure, and reasons without their values."""
    return cast("Document", _coarse(document))


def _coarse(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _blurred(name, each) for name, each in value.items()}
    if isinstance(value, list):
        return [_coarse(each) for each in value]
    return value


def _blurred(name: str, value: object) -> object:
    if name == "why" and isinstance(value, Mapping):
        return _reasons(value)
    if name == "stages" and isinstance(value, list):
        return [_stage(each) for each in value]
    if name == "readings" and isinstance(value, list):
        return [_reading(each) for each in value]
    if name == "trace":
        return []  # how long each stage took tells how much there was to look at
    if name in _BLURRED and isinstance(value, float):
        return round(value, _DECIMALS)
    return _coarse(value)


def _reasons(why: Mapping[str, object]) -> Document:
    """By which means a memory was found; not at which rank, nor by which values."""
    signals = cast("list[Mapping[str, object]]", why.get("signals", []))
    names = [str(signal["name"]) for signal in signals]
    return {"signals": [{"name": name} for name in names], "path": [], "text": "; ".join(names)}


def _reading(reading: Mapping[str, object]) -> Document:
    """What a situation shows of a feature, without the words, which tell how near it came."""
    return {**cast("Document", _coarse(reading)), "reason": ""}


def _stage(stage: Mapping[str, object]) -> Document:
    """A stage that a memory passed or was lost at, without how near it came."""
    is_plain = stage["name"] in _WITHOUT_FIGURES
    return {**stage, "detail": stage["detail"] if is_plain else ""}
