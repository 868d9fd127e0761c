"""How a statement feels: pleasant or not, how strongly, and how much it stirs.

Five signals, no model: words of feeling (turned round by a negation), emphasis, how a task went,
that something was put right, and urgency.
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
_OUTCOMES: dict[TaskOutcome | None, tuple[float, float]] = {
    TaskOutcome.SUCCESS: (0.3, 0.2),
    TaskOutcome.PARTIAL: (0.1, 0.0),
    TaskOutcome.FAILURE: (-0.3, 0.3),
    TaskOutcome.RETRY: (-0.15, 0.15),
}
_VALENCE_OF_WORD = 0.15
_INTENSITY_OF_WORD = 0.1  # of feeling, and of each mark of emphasis
_INTENSITY_OF_CORRECTION = 0.25
_INTENSITY_OF_URGENCY = 0.15


@dataclass(frozen=True, slots=True)
class Affect:
    """Valence from -1 to 1; intensity and arousal from 0 to 1."""

    valence: float
    intensity: float
    arousal: float  # strong feeling, whichever it is


def affect(text: str, *, outcome: TaskOutcome | None = None, is_correction: bool = False) -> Affect:
    """How a statement feels, by its words and by what is known of the occasion."""
    read = text[:_LONGEST].replace("’", "'")
    plain = read.lower()
    felt = _feelings(plain)
    valence, intensity = _OUTCOMES.get(outcome, (0.0, 0.0))
    valence += sum(felt) * _VALENCE_OF_WORD
    intensity += min(len(felt), _MOST_COUNTED) * _INTENSITY_OF_WORD
    intensity += min(_emphasis(read), _MOST_COUNTED) * _INTENSITY_OF_WORD
    intensity += min(len(_URGENT.findall(plain)), 2) * _INTENSITY_OF_URGENCY
    intensity += _INTENSITY_OF_CORRECTION * is_correction
    valence, intensity = min(1.0, max(-1.0, valence)), min(1.0, intensity)
    return Affect(valence, intensity, abs(valence) * intensity)


def _feelings(plain: str) -> list[int]:
    """1 for each pleasant word of a lowercase text and -1 for others, negations reckoned in."""
    felt: list[int] = []
    for clause in _CLAUSE_END.split(plain):
        reach = 0
        for word in _WORD.findall(clause):
            if word in _NEGATIONS:
                reach = _REACH
                continue
            sign = (word in _PLEASANT) - (word in _UNPLEASANT)
            if sign:
                felt.append(-sign if reach else sign)
                reach = 0
            elif word not in _TRANSPARENT:
                reach = max(0, reach - 1)
    return felt


def _emphasis(text: str) -> int:
    """How many exclamation marks, words in capitals and words in bold there are."""
    words = _WORD.findall(text)
    loud = [word for word in words if len(word) > 2 and word.isupper() and word not in _NOT_LOUD]
    return text.count("!") + len(loud) + len(_BOLD.findall(text))
