"""Summaries without a model: whole sentences of the sources, the most central first.

A sentence is central when its words stand in many of the texts, the weightier ones counting more;
a word that a chosen sentence has told already counts less for the next. Nothing is reworded, so
nothing can be invented. The same texts in the same order always give the same summary.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engram.language.lexicon import COMMON_WORDS
from engram.language.sentences import split_sentences
from engram.language.stems import stem
from engram.memory.sameness import is_same_statement
from engram.memory.tokens.estimate import tokens_in
from engram.text.strings import folded

_MOST_CHARACTERS = 20_000  # of one text that are looked at
_MOST_CANDIDATES = 1_000  # sentences that are weighed against each other; the rest cannot win
_LONGEST = 300  # characters; longer is a paragraph without stops, not a sentence
_LEAST_WORDS = 3
_LEAST_TELLING = 2  # words that are about something
_LEANING = 0.25  # what a sentence that leans on the one before it is still worth
_TOLD = 0.2  # what is left of a word's worth once a chosen sentence has it
_LATER = 0.05  # how much less the second sentence of a text counts than its first, and so on
_ALIKE = 0.5  # of the stems of the longer: two that say the same share that many at least
_UNSPACED_FROM = "\u0e00"  # from Thai on most scripts join words; pairs of characters stand in

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_QUESTION = re.compile(r"[?？][\"'”’)\]]*$")
_COURTESY = re.compile(
    r"(?:hey|hi|hello|thanks|thank you|thx|bye|goodbye|good (?:morning|afternoon|evening|night)"
    r"|congrats|congratulations|you'?re welcome|no problem|sounds (?:good|great|like)"
    r"|let me know|take care|see you|haha|lol)(?=[\s,.!]|$)",
    re.IGNORECASE,
)
# What begins like this needs the sentence before it, or answers one.
_LEANS = re.compile(
    r"(?:he|she|it|they|him|them|this|that|these|those|there|here|his|its|their|such"
    r"|(?:he|she|it|they|this|that|there|here)['’](?:s|re|d|ll|ve)"
    r"|and|but|or|so|because|which|who|whose|then|also|although|though|however|therefore|instead"
    r"|otherwise|too|still|plus|the (?:former|latter|same|other))\b(?!-)"
    r"|(?:yes|no|yeah|yep|nope|ok|okay|sure|sorry|great|nice|cool|wow|awesome|amazing|perfect|well"
    r"|exactly|absolutely|right|oh)[,.!]",
    re.IGNORECASE,
)
_STOPS = tuple(".!?。！？…")
_CUT = ("…", "...", ":", ",", ";", "-", "–", "—")
_TABULAR = re.compile(r"[|{}<>=\t]|```|https?://\S+$")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A source and how much it counts: its trust, importance and freshness, as the caller says."""

    text: str
    weight: float = 1.0
    number: int = 0  # of the memory it is


@dataclass(frozen=True, slots=True)
class Picked:
    """A sentence as it stands in its source."""

    text: str
    number: int
    place: int  # in the order of the sources
    score: float


@dataclass(frozen=True, slots=True)
class Background:
    """In how many texts each stem stands: what a label has to stand out from."""

    texts: int
    counts: dict[str, int]

    def share(self, stemmed: str) -> float:
        """The share of the texts with this stem; one never seen is taken for half a text."""
        return max(self.counts.get(stemmed, 0), 0.5) / max(self.texts, 1)


@dataclass(slots=True)
class _Candidate:
    text: str
    number: int
    place: int
    words: tuple[str, ...]  # its stems in one order, so that sums of floats are the same every time
    weight: float


def best_sentences(texts: Sequence[Weighed], *, most: int) -> tuple[Picked, ...]:
    """The sentences that tell most of what the texts have in common, best first; none twice.

    Questions, courtesies, fragments and tables are left out. Sentences that lean on what stands
    before them ("She …", "But …") come only when hardly anything else is there.
    """
    worth = _worth(texts)
    candidates = _candidates(texts, worth)
    told: set[str] = set()
    picked: list[Picked] = []
    while candidates and len(picked) < most:
        best = max(candidates, key=lambda each: (_score(each, worth, told), -each.place))
        score = _score(best, worth, told)
        candidates.remove(best)
        if any(_is_told(best.text, each.text) for each in picked):
            continue
        picked.append(Picked(best.text, best.number, best.place, round(score, 6)))
        told.update(best.words)
    return tuple(picked)


def summary(texts: Sequence[Weighed], *, most_tokens: int, lead: str = "") -> str:
    """Whole sentences of the texts, in their order, as many of the best as the tokens allow.

    Empty when no text has a sentence that can stand alone; the lead alone is no summary.
    """
    left = most_tokens - (tokens_in(lead) + 1 if lead else 0)
    kept: list[Picked] = []
    for each in best_sentences(texts, most=max(1, most_tokens // 4)):
        takes = tokens_in(each.text) + 1
        if takes <= left:
            kept.append(each)
            left -= takes
    if not kept:
        return ""
    told = [each.text for each in sorted(kept, key=lambda each: each.place)]
    return one_after_another([lead, *told] if lead else told)


def one_after_another(quotes: Sequence[str]) -> str:
    """Quotes as one text: in one row where each ends by itself, else a line each."""
    is_row = all(each.rstrip("\"'”’)]")[-1:] in _STOPS for each in quotes)
    return (" " if is_row else "\n").join(quotes)


def is_standing(sentence: str) -> bool:
    """Whether a sentence tells something and can stand alone without the one before it."""
    return _is_telling(sentence) and _LEANS.match(sentence) is None


def background_of(texts: Iterable[str]) -> Background:
    """How common each word is; made once for many labels."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        counts.update(_stems_in(text))
        total += 1
    return Background(total, dict(counts))


def label_for(texts: Sequence[str], background: Background) -> str:
    """A name of two to four words for what the texts are about; empty when they share nothing.

    Words count that stand in many of the texts and in few others. Neighbours stay together:
    "pottery class, Lyon".
    """
    chosen = _telling_stems(texts, background)
    if not chosen:
        return ""
    forms, order, neighbours = _surfaces(texts, frozenset(chosen))
    first, *others = sorted(chosen, key=lambda each: (order[each], each))
    label, last = forms[first], first
    for each in others:
        are_neighbours = neighbours[last, each] * 2 > len(texts)
        label += f"{' ' if are_neighbours else ', '}{forms[each]}"
        last = each
    return label


# How sentences are weighed


def _worth(texts: Sequence[Weighed]) -> dict[str, float]:
    """What each stem is worth: how much weight stands behind it."""
    behind: dict[str, float] = {}
    for each in texts:
        for stemmed in _stems_in(each.text):
            behind[stemmed] = behind.get(stemmed, 0.0) + each.weight
    return {stemmed: math.log1p(weight) for stemmed, weight in behind.items()}


def _candidates(texts: Sequence[Weighed], worth: dict[str, float]) -> list[_Candidate]:
    found: dict[str, _Candidate] = {}
    place = 0
    for each in texts:
        for nth, sentence in enumerate(_sentences(each.text)):
            place += 1
            if not _is_telling(sentence):
                continue
            weight = (
                each.weight * (_LEANING if _LEANS.match(sentence) else 1.0) / (1 + _LATER * nth)
            )
            known = found.get(sentence)
            if known is None or weight > known.weight:
                words = tuple(sorted(_stems_in(sentence)))
                found[sentence] = _Candidate(sentence, each.number, place, words, weight)
    every = sorted(found.values(), key=lambda each: (-_score(each, worth, set()), each.place))
    return every[:_MOST_CANDIDATES]


def _score(candidate: _Candidate, worth: dict[str, float], told: set[str]) -> float:
    total = sum(worth[word] * (_TOLD if word in told else 1.0) for word in candidate.words)
    # By the root of the length: long sentences say more, but must not win by length alone.
    return candidate.weight * total / math.sqrt(len(candidate.words) + 3)


def _is_told(text: str, told: str) -> bool:
    """Whether a chosen sentence says this already, in these or in other words."""
    ours, theirs = _stems_in(text), _stems_in(told)
    if len(ours & theirs) < _ALIKE * max(len(ours), len(theirs)):
        return False
    # Two ways to write one word begin alike; where the rest does not, no closer look is needed.
    if _beginnings(ours - theirs) != _beginnings(theirs - ours):
        return False
    return is_same_statement(told, text).is_same


def _beginnings(stems: frozenset[str]) -> list[str]:
    """The first letter of each word, and every figure whole."""
    return sorted(each if each[0].isdigit() else each[0] for each in stems)


def _sentences(text: str) -> list[str]:
    return [each.text for each in split_sentences(text[:_MOST_CHARACTERS])]


def _is_telling(sentence: str) -> bool:
    if len(sentence) > _LONGEST or sentence.endswith(_CUT) or _QUESTION.search(sentence):
        return False
    if _TABULAR.search(sentence) or _COURTESY.match(sentence):
        return False
    if not sentence[0].isalnum() and sentence[0] not in "\"“'‘(":
        return False
    is_unspaced = max(sentence) >= _UNSPACED_FROM and " " not in sentence
    if not is_unspaced and len(sentence.split()) < _LEAST_WORDS:
        return False
    return len(_stems_in(sentence)) >= _LEAST_TELLING


# How words are counted


@lru_cache(maxsize=4_096)
def _stems_in(text: str) -> frozenset[str]:
    return frozenset(stemmed for _, stemmed in _telling_words(text))


def _telling_words(text: str) -> list[tuple[str, str]]:
    """The words that tell something, each with its stem, in order."""
    found: list[tuple[str, str]] = []
    for word in _WORD.findall(text[:_MOST_CHARACTERS]):
        plain = folded(word).replace("’", "'").removesuffix("'s")
        if plain in COMMON_WORDS or len(plain) == 1:
            continue
        if max(plain) >= _UNSPACED_FROM:
            pairs = (word[start : start + 2] for start in range(max(1, len(word) - 1)))
            found.extend((pair, pair) for pair in pairs)
        else:
            found.append((word.removesuffix("'s").removesuffix("’s"), stem(plain)))
    return found


# How labels are found

_MOST_WORDS_IN_LABEL = 4
_FEWEST_TEXTS = 2  # that a word of a label stands in, unless there is only one text
_EMPTY_IN_LABELS = frozenset(
    stem(word)
    for word in """user assistant person people said say says told mention mentioned like liked
    really want wanted need needed thing things lot make made know think going went good new one
    two first last day days week year time today now also always never use used using""".split()
)


def _telling_stems(texts: Sequence[str], background: Background) -> list[str]:
    """The stems for a label, best first: frequent here, rare elsewhere."""
    counts = Counter(stemmed for text in texts for stemmed in _stems_in(text))
    fewest = min(_FEWEST_TEXTS, len(texts))
    scores: dict[str, float] = {}
    for stemmed, count in counts.items():
        if count < fewest or stemmed in _EMPTY_IN_LABELS or stemmed.isdecimal():
            continue
        share = count / len(texts)
        scores[stemmed] = share * math.log(1.0 + share / background.share(stemmed))
    best = sorted(scores, key=lambda each: (-scores[each], each))[:_MOST_WORDS_IN_LABEL]
    # Two always; more only when they are nearly as telling as the best.
    return [each for nth, each in enumerate(best) if nth < 2 or scores[each] > scores[best[0]] / 2]


def _surfaces(
    texts: Sequence[str], chosen: frozenset[str]
) -> tuple[dict[str, str], dict[str, int], Counter[tuple[str, str]]]:
    """How each stem is mostly written, where it first stands, and which stand side by side."""
    forms: dict[str, Counter[str]] = {each: Counter() for each in chosen}
    order: dict[str, int] = {}
    neighbours: Counter[tuple[str, str]] = Counter()
    for text in texts:
        words = _telling_words(text)
        pairs = {(first[1], second[1]) for first, second in pairwise(words)}
        neighbours.update(pair for pair in pairs if chosen.issuperset(pair))
        for word, stemmed in words:
            if stemmed in chosen:
                forms[stemmed][word] += 1
                order.setdefault(stemmed, len(order))
    written = {
        each: max(found, key=lambda form: (found[form], form)) for each, found in forms.items()
    }
    return written, order, neighbours
