"""Where a conversation is heading: the momentum of its last turns, and whether a turn leaves it.

"Deploy it" says almost nothing by itself; blended with the momentum of the turns before, it asks
for what was being talked about.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engram.language.lexicon import COMMON_WORDS
from engram.memory.traits import token_of
from engram.text.strings import folded

Vector: TypeAlias = NDArray[np.float32]

RECENT_SHARE = 0.3  # of the newest turn in the moving average; the older ones share the rest
MOST_SHARE = 0.4  # momentum may colour a question, not replace it
_DOUBT_LEFT = 0.3  # of the doubt, after each further turn; measured with follow-up questions
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
    placed = [turn for turn in turns if len(turn)]
    placed = [turn for turn in placed if len(turn) == len(placed[-1])]  # one embedder's alone
    if not placed:
        return None
    rows = np.asarray([_unit(turn) for turn in placed], dtype=np.float32)
    ages = np.arange(len(rows))[::-1]
    weights = (1 - RECENT_SHARE) ** ages
    centroid = _unit((weights[:, None] * rows).sum(axis=0) / weights.sum())
    agreement = float(np.clip(rows @ centroid, 0.0, 1.0).mean())
    certainty = 1 - _DOUBT_LEFT ** len(rows)
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


class Spoken(Protocol):
    """What is known of a turn: its telling words as tokens, and its vector."""

    @property
    def tokens(self) -> tuple[int, ...]:
        """Its telling words in their order, as recall's index counts them."""
        ...

    @property
    def vector(self) -> Vector:
        """Where it lies; empty where nobody embedded it."""
        ...


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation: what was said, and its vector."""

    text: str
    vector: Vector

    @property
    def tokens(self) -> tuple[int, ...]:
        """Its telling words."""
        return telling_tokens(self.text)


@dataclass(frozen=True, slots=True)
class HeardTurn:
    """A turn as it is kept: what was said cannot be read off it."""

    tokens: tuple[int, ...]
    vector: Vector


NOWHERE: Vector = np.empty(0, dtype=np.float32)  # of a turn that nobody embedded
_SPAN = 6  # turns further back no longer make the topic
_LATEST = 2  # a reply is near to what it answers
# Chosen on one half of the labelled dialogues, with word vectors and sentence vectors alike, and of
# the conversations that `python -m benchmarks.context topics` reads; checked on the other halves.
_NEAREST_WEIGHT = 0.35
_LATEST_WEIGHT = 0.57
_SHARED_WORDS_WEIGHT = 0.24
_SHARED_TOPIC_WEIGHT = 0.33  # shared words count for more where the meaning is near, too
_FOLLOW_UP_WEIGHT = 0.39
_GREETING_WEIGHT = 0.72
_LENGTH_WEIGHT = 0.09
_SHORT = 4  # telling words of a turn that leans on others for half of what it says
CONTINUES_FROM = 0.2
DRIFTS_FROM = 0.0

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# "And does it work now?" leans on the turns before, whatever its own words are about.
_FOLLOW_UP = re.compile(
    r"^\W*(?:and|so|ok(?:ay)?|then|yes|no|did|does|maybe|still)\b"
    r"|\b(?:its?|they|them|those|these|that one|she|he|him|her|then|still|again|there)\b",
    re.IGNORECASE,
)
_LEAVING = re.compile(
    r"\b(?:by the way|btw|on another note|different (?:question|topic|subject)|anyway|unrelated"
    r"|let['’]?s talk about|(?:changing|change) (?:the )?(?:subject|topic)|moving on|new topic)\b",
    re.IGNORECASE,
)
# Who says hello begins a talk, be it with the same person.
_GREETING = re.compile(
    r"^\W*(?:hey|hi|hello|yo|greetings|good (?:morning|evening|afternoon))\b"
    r"|\b(?:good|nice|great) to (?:see|hear from) you\b|\blong time\b|\bbeen a while\b"
    r"|\bsince we last\b|\bhow (?:have you been|are you|is it going)\b",
    re.IGNORECASE,
)
_GREETING_WITHIN = 200  # letters: further on it is a quotation
_LONGEST = 4_000  # the topic of a longer turn shows in its beginning


def telling_tokens(text: str) -> tuple[int, ...]:
    """The words of a text that say what it is about, each once, as recall's index counts them."""
    words = _WORD.findall(folded(text[:_LONGEST]))
    return tuple(dict.fromkeys(token_of(word) for word in words if word not in COMMON_WORDS))


def topic_shift(turn: Turn, before: Sequence[Spoken]) -> TopicShift:
    """Whether a turn goes on with the topic, drifts to a neighbouring one, or leaves it."""
    nearness = topic_nearness(turn, before)
    if nearness >= CONTINUES_FROM:
        return TopicShift.CONTINUATION
    return TopicShift.DRIFT if nearness >= DRIFTS_FROM else TopicShift.SWITCH


def topic_nearness(turn: Turn, before: Sequence[Spoken]) -> float:
    """How near a turn is to the turns before: by meaning, by shared words and by its wording."""
    recent = before[-_SPAN:]
    text = turn.text[:_LONGEST]
    if not recent or _LEAVING.search(text):
        return -math.inf
    tokens = frozenset(turn.tokens)
    has_greeting = _GREETING.search(text[:_GREETING_WITHIN]) is not None
    if not tokens:  # "And why is that?": without words of its own it cannot leave anything
        return -math.inf if has_greeting else math.inf
    latest, nearest = _likeness(turn.vector, recent)
    shared = _shared_words(tokens, recent)
    nearness = _LATEST_WEIGHT * latest + _NEAREST_WEIGHT * nearest
    nearness += shared * (_SHARED_WORDS_WEIGHT + _SHARED_TOPIC_WEIGHT * max(nearest, 0.0))
    if _FOLLOW_UP.search(text):  # of a long turn, one such word says little
        nearness += _FOLLOW_UP_WEIGHT * _SHORT / (_SHORT + len(tokens))
    nearness -= _GREETING_WEIGHT * has_greeting
    return nearness - _LENGTH_WEIGHT * math.log1p(len(tokens))


def _likeness(vector: Vector, recent: Sequence[Spoken]) -> tuple[float, float]:
    """How near a vector is to the latest turns and to the nearest of all; 0 where none has one."""
    placed = [_unit(each.vector) for each in recent if len(each.vector) == len(vector) > 0]
    if not placed:
        return 0.0, 0.0
    likeness = np.asarray(placed) @ _unit(vector)
    return float(likeness[-_LATEST:].max()), float(likeness.max())


def _shared_words(tokens: frozenset[int], recent: Sequence[Spoken]) -> float:
    """The share of a turn's telling words that the turns before have used."""
    known = frozenset().union(*(each.tokens for each in recent))
    return len(tokens & known) / len(tokens)
