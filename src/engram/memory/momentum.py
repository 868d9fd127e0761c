"""Where a conversation is heading: the momentum of its last turns, and whether a turn leaves it.

"Deploy it" says almost nothing by itself; blended with the momentum of the turns before, it asks
for what was being talked about.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engram.memory.lexicon import COMMON_WORDS
from engram.memory.stems import stem

Vector: TypeAlias = NDArray[np.float32]

RECENT_SHARE = 0.3  # of the newest turn in the moving average; the older ones share the rest
MOST_SHARE = 0.4  # momentum may colour a question, not replace it
_CERTAINTY_GROWTH = 0.8  # what is left of the doubt after each further turn
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Momentum:
    """The moving average of the last turns, and how far they agree, from 0 to 1."""

    centroid: Vector
    confidence: float


def momentum_of(turns: Sequence[Vector]) -> Momentum | None:
    """The momentum of turns, oldest first: each counts less than the one after it.

    Confidence grows with the number of turns and shrinks when they point in different directions.
    """
    if not len(turns):
        return None
    rows = np.asarray([_unit(turn) for turn in turns], dtype=np.float32)
    ages = np.arange(len(rows))[::-1]
    weights = (1 - RECENT_SHARE) ** ages
    centroid = _unit((weights[:, None] * rows).sum(axis=0) / weights.sum())
    agreement = float(np.clip(rows @ centroid, 0.0, 1.0).mean())
    certainty = 1 - _CERTAINTY_GROWTH ** len(rows)
    return Momentum(centroid, certainty * agreement)


def blend(query: Vector, momentum: Momentum | None, share: float = MOST_SHARE) -> Vector:
    """The query turned towards where the conversation is heading, of length 1.

    The share is at most 0.4, and as much less as the momentum is unsure.
    """
    unit = _unit(query)
    if momentum is None:
        return unit
    weight = min(max(share, 0.0), MOST_SHARE) * momentum.confidence
    return _unit((1 - weight) * unit + weight * momentum.centroid)


def _unit(vector: Vector) -> Vector:
    plain = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(plain))
    return plain / length if length > _TINY else plain


class TopicShift(StrEnum):
    """What a turn does to the topic."""

    CONTINUATION = "continuation"
    DRIFT = "drift"
    SWITCH = "switch"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation: what was said, and its vector."""

    text: str
    vector: Vector


_SPAN = 6  # turns further back no longer make the topic
# Chosen on half of the labelled dialogues, with word vectors and sentence vectors alike, and
# checked on the other half.
_SHARED_WORDS_WEIGHT = 0.6
_FOLLOW_UP_WEIGHT = 0.3
_WIDENING_WEIGHT = 0.05
CONTINUES_FROM = 0.54
DRIFTS_FROM = 0.16

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# "And does it work now?" leans on the turns before, whatever its own words are about.
_FOLLOW_UP = re.compile(
    r"^\W*(?:and|so|ok(?:ay)?|then|yes|no|did|does|maybe|still)\b"
    r"|\b(?:its?|they|them|those|these|that one|she|he|him|her|then|still|again|there)\b",
    re.IGNORECASE,
)
_WIDENING = re.compile(
    r"\b(?:also|too|as well|besides|in general|other|another|perhaps|instead)\b", re.IGNORECASE
)
_LEAVING = re.compile(
    r"\b(?:by the way|btw|on another note|different (?:question|topic|subject)|anyway|unrelated"
    r"|let['’]?s talk about|(?:changing|change) (?:the )?(?:subject|topic)|moving on|new topic)\b",
    re.IGNORECASE,
)
_LONGEST = 4_000  # the topic of a longer turn shows in its beginning


def topic_shift(turn: Turn, before: Sequence[Turn]) -> TopicShift:
    """Whether a turn goes on with the topic, drifts to a neighbouring one, or leaves it."""
    nearness = topic_nearness(turn, before)
    if nearness >= CONTINUES_FROM:
        return TopicShift.CONTINUATION
    return TopicShift.DRIFT if nearness >= DRIFTS_FROM else TopicShift.SWITCH


def topic_nearness(turn: Turn, before: Sequence[Turn]) -> float:
    """How near a turn is to the turns before: by meaning, by shared words and by its wording."""
    recent = before[-_SPAN:]
    momentum = momentum_of([each.vector for each in recent])
    text = turn.text[:_LONGEST]
    if momentum is None or _LEAVING.search(text):
        return 0.0
    nearness = float(_unit(turn.vector) @ momentum.centroid)
    nearness += _SHARED_WORDS_WEIGHT * _shared_words(text, recent)
    nearness += _FOLLOW_UP_WEIGHT if _FOLLOW_UP.search(text) else 0.0
    return nearness - (_WIDENING_WEIGHT if _WIDENING.search(text) else 0.0)


def _shared_words(text: str, recent: Sequence[Turn]) -> float:
    """The share of a turn's words that the turns before have used, compared by their stems."""
    words = _content_stems(text)
    known = set().union(*(_content_stems(each.text[:_LONGEST]) for each in recent))
    return len(words & known) / len(words) if words else 0.0


def _content_stems(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text.lower()) if word not in COMMON_WORDS}
