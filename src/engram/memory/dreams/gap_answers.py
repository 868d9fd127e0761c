"""What somebody meant who answered a question about a gap, and the words that are kept of it.

An answer is kept as it was given. Where it does not name what it is about, the question stands
before it: both were said in these words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from engram.errors import InvalidInput
from engram.language.asking import asks, says_unknown, states_something
from engram.language.lexicon import COMMON_WORDS
from engram.language.tables import read_table
from engram.memory.dreams.gaps import Gap, GapKind
from engram.memory.ids import ChangeId, number_of
from engram.memory.record import Memory
from engram.text.strings import folded, normalised

_STAYS_OPEN = "That answers nothing; the question can simply stay open."
_SAY_MORE = "Answer in a short sentence: it is kept word for word, and has to be understood later."
_NO_BUT = re.compile(r"^(?:no|nope|wrong)\s*[,;:.–-]\s*(?=\S)", re.IGNORECASE)

Verdict = Literal["holds", "wrong", "both", "neither"]
Done = Literal["stored", "confirmed", "verified", "replaced", "settled", "withdrawn", "held"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of two that stand against each other."""

    number: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A word on what was asked about, without other words in its place."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Said:
    """A statement."""

    text: str


Answer = Chosen | Judged | Said


@dataclass(frozen=True, slots=True)
class GapAnswer:
    """What became of an answer: what was kept or decided, and whether the question is settled.

    `changes` take it back, the last one first.
    """

    gap: Gap
    kind: Done
    is_closed: bool
    memories: tuple[Memory, ...]
    changes: tuple[ChangeId, ...]
    reason: str = ""


def read_answer(gap: Gap, text: str, memories: Sequence[Memory]) -> Answer:
    """What an answer means, by the sort of question; one that says nothing is refused."""
    plain = normalised(text.replace("’", "'"))
    if _says_nothing(plain) or asks(text) or says_unknown(text):
        raise InvalidInput(hint=_STAYS_OPEN)
    if gap.kind is GapKind.MISSING_FIELD:
        return Said(kept_text(gap, text))
    if gap.kind is GapKind.CONTRADICTION:
        return _choice(plain, text, memories)
    if plain in _replies("holds"):
        return Judged("holds")
    if plain in _replies("wrong"):
        return Judged("wrong")
    return Said(_NO_BUT.sub("", text.strip()))


def _says_nothing(plain: str) -> bool:
    first = plain.split(" ")[0].strip(",;")
    return (
        not plain.strip(" ?!.…")
        or plain in _replies("nothing")
        or first in _replies("nothing_first")
        or any(phrase in plain for phrase in _replies("nothing_in"))
    )


def kept_text(gap: Gap, text: str) -> str:
    """An answer as it was given, after the question where it does not name what it is about."""
    answer = text.strip()
    names = [gap.subject, *gap.names]
    pattern = "|".join(re.escape(name) for name in names if name)
    is_named = re.search(rf"(?<!\w)(?:{pattern})(?!\w)", answer, re.IGNORECASE) is not None
    kept = answer if is_named else f"{gap.question} {answer}"
    if not states_something(kept):
        raise InvalidInput(hint=_SAY_MORE)
    return kept


def _choice(plain: str, text: str, memories: Sequence[Memory]) -> Answer:
    first, second = sorted(memories, key=lambda each: each.number)
    if plain in _replies("both"):
        return Judged("both")
    if plain in _replies("neither"):
        return Judged("neither")
    if plain in _replies("first"):
        return Chosen(first.number)
    if plain in _replies("second"):
        return Chosen(second.number)
    named = [each for each in (first, second) if _names(plain, each)]
    return Chosen(named[0].number) if len(named) == 1 else Said(text.strip())


def _names(plain: str, memory: Memory) -> bool:
    """Whether an answer names a memory: by its label, or by words that it has."""
    if number_of(plain.lower()) == memory.number:
        return True
    said = _telling(plain)
    return bool(said) and said <= _telling(memory.content)


def _telling(text: str) -> set[str]:
    return set(re.findall(r"\w+", folded(text))) - COMMON_WORDS


@cache
def _replies(kind: str) -> frozenset[str]:
    return frozenset(map(normalised, read_table("questions.json")["replies"][kind]))
