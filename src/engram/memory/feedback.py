"""What callers thought of a memory they were given, and what follows from it for the next recall.

Feedback is about a memory *as the answer to a question*. That it did not help there says nothing
about other questions: it is held back near the question it was given to, and nowhere else.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, lru_cache

from engram.errors import InvalidInput
from engram.language.lexicon import query_terms
from engram.language.stems import stem
from engram.memory.ids import ChangeId
from engram.memory.outcomes import Outcome
from engram.memory.record import Memory
from engram.text.strings import checked_text, folded

NEAR = 0.7  # two questions at least this alike are one context (cosine of their words)
FADING = timedelta(days=90)  # after this long what was said in a context is forgotten
LOWEST = 0.3  # held back, never hidden: who asks for nothing else still finds it
HIGHEST = 1.15  # a boost decides between equals; it does not outrank a better answer
_ELSEWHERE = 0.03  # what a helpful memory gains in contexts unlike those it helped in
_ACCURACY_STEP = 0.15  # what one more voice is worth, less for each before it
_MOST_ACCURACY_LOST = 0.45

_LONGEST_COMPARED = 1_000  # characters: what a question is about is said at its beginning
_ASKING = frozenset({"who", "whose", "what", "when", "where", "which", "why", "how"})
_LETTERS = re.compile(r"[a-z]+")

Similarity = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Feedback:
    """One caller's word on one memory; the question is kept to compare it with later ones."""

    number: int
    is_helpful: bool
    query: str | None = field(repr=False)  # a repr ends up in logs and tracebacks
    at: datetime
    actor: str
    change_id: ChangeId


@dataclass(frozen=True, slots=True)
class FeedbackOutcome:
    """What became of a caller's word: the memory as it stands, and its correction if one came."""

    memory: Memory
    feedback: Feedback
    is_repeat: bool  # the same caller had said the same that day; it counts once
    correction: Outcome | None = None

    @property
    def change_id(self) -> ChangeId:
        """The change that takes all of it back."""
        corrected_by = self.correction.change_id if self.correction else None
        return corrected_by or self.feedback.change_id


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a caller says about a memory, every part of it checked."""

    is_helpful: bool
    query: str | None = field(repr=False)
    correction: str | None = field(repr=False)
    reason: str


def read_verdict(
    helpful: object,
    query: object,
    correction: object,
    *,
    reason: str,
    max_query_bytes: int,
    max_correction_bytes: int,
) -> Verdict:
    """Check what a caller says; a memory cannot both help and need correcting."""
    if not isinstance(helpful, bool):
        raise InvalidInput(hint="`helpful` must be true or false.")
    if helpful and correction is not None:
        raise InvalidInput(hint="A correction says the memory is wrong: give helpful=False.")
    return Verdict(
        helpful,
        None if query is None else checked_text(query, name="query", max_bytes=max_query_bytes),
        None
        if correction is None
        else checked_text(correction, name="correction", max_bytes=max_correction_bytes),
        reason,
    )


def context_factor(feedbacks: Iterable[Feedback], similarity: Similarity, now: datetime) -> float:
    """What a memory's score is multiplied by for this question, from `LOWEST` to `HIGHEST`."""
    given = list(feedbacks)
    held_back = suppression(given, similarity, now)
    return held_back if held_back < 1.0 else boost(given, similarity, now)


def suppression(feedbacks: Iterable[Feedback], similarity: Similarity, now: datetime) -> float:
    """How far a memory is held back for a question like those it did not help with.

    Halved by one fresh complaint about the very same question, and by each further one, down to
    `LOWEST`. A helpful word in the same context takes a complaint away.
    """
    return max(LOWEST, math.pow(0.5, max(0.0, -_balance(feedbacks, similarity, now))))


def boost(feedbacks: Iterable[Feedback], similarity: Similarity, now: datetime) -> float:
    """How far a memory is lifted: up to `HIGHEST` where it helped, slightly everywhere else."""
    given = list(feedbacks)
    here = 1.0 - math.pow(0.5, max(0.0, _balance(given, similarity, now)))
    voices = sum(_freshness(each, now) * (1 if each.is_helpful else -1) for each in given)
    anywhere = 1.0 - math.pow(0.5, max(0.0, voices))
    return min(HIGHEST, 1.0 + max((HIGHEST - 1.0) * here, _ELSEWHERE * anywhere))


def accuracy_factor(feedbacks: Iterable[Feedback]) -> float:
    """What feedback leaves of a memory's accuracy: one doubting voice takes 15 in a hundred.

    Whether a memory is right does not depend on the question nor on the time since; one caller
    counts once, with what it said last, so that nobody talks a memory down alone.
    """
    last: dict[str, Feedback] = {}
    for each in sorted(feedbacks, key=lambda given: (given.at, given.change_id)):
        last[each.actor] = each
    doubt = sum(-1 if each.is_helpful else 1 for each in last.values())
    lost = sum(_ACCURACY_STEP * 0.7**voice for voice in range(max(0, doubt)))
    return 1.0 - min(_MOST_ACCURACY_LOST, lost)


def _balance(feedbacks: Iterable[Feedback], similarity: Similarity, now: datetime) -> float:
    """Helpful minus unhelpful words near this question, each by how near and how fresh it is."""
    total = 0.0
    for each in feedbacks:
        freshness = _freshness(each, now)
        if each.query is not None and freshness > 0.0:
            weight = freshness * _nearness(similarity(each.query))
            total += weight if each.is_helpful else -weight
    return total


def _freshness(feedback: Feedback, now: datetime) -> float:
    return min(1.0, max(0.0, 1.0 - (now - feedback.at) / FADING))


def _nearness(similarity: float) -> float:
    """0 up to the threshold, 1 for the same question; steep first, for paraphrases matter."""
    return math.sqrt(min(1.0, max(0.0, (similarity - NEAR) / (1.0 - NEAR))))


def word_similarity(query: str) -> Similarity:
    """How alike two questions are by their words; no vector is kept of what was asked."""
    wanted = _stems(query[:_LONGEST_COMPARED])

    @cache
    def compare(other: str) -> float:
        words = _stems(other[:_LONGEST_COMPARED])
        if not words or not wanted:
            return 1.0 if folded(query).split() == folded(other).split() else 0.0
        return len(words & wanted) / math.sqrt(len(words) * len(wanted))

    return compare


@lru_cache(maxsize=8_192)
def _stems(query: str) -> frozenset[str]:
    """A question's words by their stems, and what it asks for: where is not when."""
    tokens = (folded(token) for term in query_terms(query) for token in term.tokens)
    asking = _ASKING.intersection(_LETTERS.findall(folded(query)))
    return asking | {stem(token.removesuffix("'s")) for token in tokens}


def by_memory(feedbacks: Sequence[Feedback]) -> dict[int, list[Feedback]]:
    """Feedback sorted by the memory it is about."""
    found: dict[int, list[Feedback]] = {}
    for each in feedbacks:
        found.setdefault(each.number, []).append(each)
    return found
