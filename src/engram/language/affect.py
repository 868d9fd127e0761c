"""How a statement feels: pleasant or not, how strongly, and how much it stirs.

Six signals, no model: words of feeling (turned round by a negation), emphasis, how a task went,
that something was put right, that it happened for the first time, and urgency.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from engram.language.tables import pattern_of, words_of

_LONGEST = 8_192  # how a longer text feels shows in its beginning
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CLAUSE_END = re.compile(r"[.!?;:,\n]|\bbut\b|\bthough\b")
_BOLD = re.compile(r"\*\*[^*\n]{1,200}\*\*|\b__[^_\n]{1,200}__\b")
_REACH = 3  # words behind a negation that it turns round
_MOST_COUNTED = 6  # of any one signal; a rant is not endlessly strong

_PLEASANT = words_of("pleasant")
_UNPLEASANT = words_of("unpleasant")
_NEGATIONS = words_of("negations")
# Words between a negation and what it turns round: "not at all a very good idea".
_TRANSPARENT = words_of("between_negation")
_URGENT = pattern_of("urgent")
_NOT_LOUD = words_of("not_loud")


class TaskOutcome(StrEnum):
    """How a task went that a statement tells of."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILURE = "failure"
    RETRY = "retry"


# What an outcome adds to valence and to intensity.
_OUTCOMES: dict[TaskOutcome, tuple[float, float]] = {
    TaskOutcome.SUCCESS: (0.3, 0.2),
    TaskOutcome.PARTIAL: (0.1, 0.0),
    TaskOutcome.FAILURE: (-0.3, 0.3),
    TaskOutcome.RETRY: (-0.15, 0.15),
}
_VALENCE_OF_WORD = 0.15
_INTENSITY_OF_WORD = 0.1
_INTENSITY_OF_EMPHASIS = 0.1
_INTENSITY_OF_CORRECTION = 0.25
_INTENSITY_OF_FIRST = 0.2
_INTENSITY_OF_URGENCY = 0.15


@dataclass(frozen=True, slots=True)
class Affect:
    """Valence from -1 to 1; intensity and arousal from 0 to 1."""

    valence: float
    intensity: float
    arousal: float  # strong feeling, whichever it is


def affect(
    text: str,
    *,
    outcome: TaskOutcome | None = None,
    is_correction: bool = False,
    is_first: bool = False,
) -> Affect:
    """How a statement feels, by its words and by what is known of the occasion."""
    read = text[:_LONGEST].replace("’", "'")
    plain = read.lower()
    pleasant, unpleasant = feelings(plain)
    valence = (pleasant - unpleasant) * _VALENCE_OF_WORD
    intensity = min(pleasant + unpleasant, _MOST_COUNTED) * _INTENSITY_OF_WORD
    intensity += min(_emphasis(read), _MOST_COUNTED) * _INTENSITY_OF_EMPHASIS
    intensity += min(len(_URGENT.findall(plain)), 2) * _INTENSITY_OF_URGENCY
    intensity += _INTENSITY_OF_CORRECTION * is_correction + _INTENSITY_OF_FIRST * is_first
    if outcome is not None:
        valence += _OUTCOMES[outcome][0]
        intensity += _OUTCOMES[outcome][1]
    valence = min(1.0, max(-1.0, valence))
    intensity = min(1.0, max(0.0, intensity))
    return Affect(valence, intensity, abs(valence) * intensity)


def feelings(plain: str) -> tuple[int, int]:
    """How many words of a lowercase text are pleasant and unpleasant, negations reckoned in."""
    pleasant = unpleasant = 0
    for clause in _CLAUSE_END.split(plain):
        reach = 0
        for word in _WORD.findall(clause):
            if word in _NEGATIONS:
                reach = _REACH
                continue
            sign = (word in _PLEASANT) - (word in _UNPLEASANT)
            if sign:
                sign = -sign if reach else sign
                pleasant, unpleasant = pleasant + (sign > 0), unpleasant + (sign < 0)
                reach = 0
            elif word not in _TRANSPARENT:
                reach = max(0, reach - 1)
    return pleasant, unpleasant


def _emphasis(text: str) -> int:
    """How many exclamation marks, words in capitals and words in bold there are."""
    words = _WORD.findall(text)
    loud = [word for word in words if len(word) > 2 and word.isupper() and word not in _NOT_LOUD]
    return text.count("!") + len(loud) + len(_BOLD.findall(text))
