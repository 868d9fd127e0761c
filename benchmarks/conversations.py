"""Made-up conversations of any length, whose words are as rare and as common as in real ones.

The words are invented, so that nobody's text is in here; seeded, so that every run sees the same.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engram import Scope

SCOPES = 100
TURNS = 20  # of a session
BEGINNING = datetime(2024, 1, 1, 8, tzinfo=UTC)
_VOCABULARY = 30_000
_COMMON = 400  # the first so many words are those that everybody uses
_ZIPF = 1.0
_SPEAKERS = 400
_SHORTEST, _LONGEST = 8, 40
_ABOUT = 24  # words that a session comes back to
_LARGEST_RUN = 25  # sessions in a row that belong to one scope
_GLUE = tuple(
    "the a I you it to of and is was in that my we for on have with do but at they be this".split()
)
_SMALL = frozenset(word.lower() for word in _GLUE)
_GLUE_SHARE, _ABOUT_SHARE = 0.42, 0.3
_ONSETS = tuple("b br d dr f fl g gr k l m n p pr r s st t tr v z".split())
_VOWELS = tuple("a e i o u ai ou".split())
_CODAS = ("", "l", "m", "n", "r", "sk", "nt", "rd", "k", "p")
_FRAMES = (
    "What did {name} say about {words}?",
    "When was {words}?",
    "Which {words} did {name} mention?",
    "What is the current {words}?",
    "How many {words} are there?",
    "Why {words}?",
    "Tell me about {words}",
    "Where is {words} in {month}?",
)
_MONTHS = ("March", "June", "October", "December")


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said: where, when and by whom."""

    text: str
    speaker: str
    session: str
    at: datetime
    scope: Scope

    def as_item(self) -> dict[str, object]:
        """As `remember_many` takes it."""
        return {
            "text": self.text,
            "speaker": self.speaker,
            "session": self.session,
            "at": self.at,
            "scope": self.scope,
        }


@lru_cache(maxsize=1)
def vocabulary() -> tuple[str, ...]:
    """Words that nobody ever said, the most used first."""
    chance = random.Random(1)
    found: dict[str, None] = {}
    while len(found) < _VOCABULARY:
        syllables = chance.randint(2, 4) if len(found) > _COMMON else 2
        found[_made_up(chance, syllables)] = None
    return tuple(found)


def _made_up(chance: random.Random, syllables: int) -> str:
    pieces = [chance.choice(_ONSETS) + chance.choice(_VOWELS) for _ in range(syllables)]
    return "".join([*pieces, chance.choice(_CODAS)])


@lru_cache(maxsize=1)
def _speakers() -> tuple[str, ...]:
    chance = random.Random(2)
    names: dict[str, None] = {}
    while len(names) < _SPEAKERS:
        names[_made_up(chance, 3).capitalize()] = None
    return tuple(names)


@lru_cache(maxsize=1)
def _odds() -> NDArray[np.float64]:
    """How often each word is used, added up: the n-th a n-th as often as the first."""
    weights = 1.0 / np.arange(1, _VOCABULARY + 1) ** _ZIPF
    return np.asarray(np.cumsum(weights) / weights.sum())


def scope_of(place: int) -> Scope:
    """One of the scopes that share a store."""
    return Scope(project=f"project-{place:02d}")


def scope_place(turn: int, *, among: int) -> int:
    """Which of the scopes a turn belongs to in a store of that size: a hundredth to each."""
    run = max(1, min(_LARGEST_RUN, among // (TURNS * SCOPES)))
    return turn // TURNS // run % SCOPES


def turns(count: int) -> Iterator[Turn]:
    """That many turns, session by session, the scopes in turns."""
    for first in range(0, count, TURNS):
        scope = scope_of(scope_place(first, among=count))
        yield from _session(first // TURNS, scope)[: count - first]


def _session(number: int, scope: Scope) -> list[Turn]:
    chance = np.random.default_rng((3, number))
    words, names = vocabulary(), _speakers()
    lengths = chance.integers(_SHORTEST, _LONGEST + 1, TURNS)
    about = _drawn(chance, _ABOUT)
    used = _drawn(chance, int(lengths.sum()))
    dice = chance.random(len(used))
    picks = chance.integers(0, len(_GLUE) * _ABOUT, len(used))
    told = [
        _GLUE[pick % len(_GLUE)]
        if die < _GLUE_SHARE
        else words[about[pick % _ABOUT] if die > 1 - _ABOUT_SHARE else word]
        for die, pick, word in zip(dice.tolist(), picks.tolist(), used.tolist(), strict=True)
    ]
    pair = chance.choice(len(names), 2, replace=False).tolist()
    started = BEGINNING + timedelta(minutes=37 * number)
    said, begin = [], 0
    for place, length in enumerate(lengths.tolist()):
        speaker, other = names[pair[place % 2]], names[pair[1 - place % 2]]
        sentence = " ".join(told[begin : begin + length])
        said.append(
            Turn(
                _spoken(sentence, other, float(dice[begin])),
                speaker,
                f"talk-{number}",
                started + timedelta(minutes=place),
                scope,
            )
        )
        begin += length
    return said


def _spoken(sentence: str, other: str, die: float) -> str:
    """With a beginning and an end; now and then the other one is called by name or asked."""
    if die < 0.05:
        return f"Thanks, {other}! {sentence.capitalize()}."
    if die > 0.85:
        return f"{sentence.capitalize()}?"
    return f"{sentence.capitalize()}."


def _drawn(chance: np.random.Generator, count: int) -> NDArray[np.int64]:
    return np.minimum(np.searchsorted(_odds(), chance.random(count)), _VOCABULARY - 1)


def questions(count: int, *, among: int, seed: int = 5) -> list[str]:
    """Questions about a store of that size: of some words of one turn, and some that all use."""
    chance = np.random.default_rng((seed, among))
    return [_question(chance, among) for _ in range(count)]


def _question(chance: np.random.Generator, among: int) -> str:
    place = int(chance.integers(among))
    turn = _session(place // TURNS, scope_of(0))[place % TURNS]
    content = [word for word in turn.text.lower().strip(".?").split() if word not in _SMALL]
    wanted = int(chance.integers(2, 7))
    own = [str(word) for word in chance.permutation(content)[:wanted]]
    common = [vocabulary()[each] for each in chance.integers(0, _COMMON, chance.integers(1, 3))]
    frame = _FRAMES[int(chance.integers(len(_FRAMES)))]
    month = _MONTHS[int(chance.integers(len(_MONTHS)))]
    asked = [str(word) for word in chance.permutation([*own, *common])]
    return frame.format(name=turn.speaker, words=" ".join(asked), month=month)
