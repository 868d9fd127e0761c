"""How far a text looks like a command to the model that will read it.

A label and no defence: who knows the rules can word around them. What the label does is to keep a
text out of what is recalled without being asked for.
"""

import re
import unicodedata
from base64 import b64decode
from collections.abc import Iterator
from itertools import islice

from engram.security.screening.breakout import find_breakouts
from engram.security.screening.hidden import find_hidden, revealed
from engram.security.screening.injection_rules import (
    ADDRESS,
    CAPITAL,
    COLON,
    LETTER_OF_WORD,
    OTHER,
    QUOTE,
    RULES,
    STOP,
)
from engram.text.lookalikes import LATIN

_TOKEN = re.compile(
    r"https?://[^\s<>\"]{1,300}|[^\W\d_][\w'’-]{0,60}|(?<=\w)\.(?=\w)|[.!?;\n][.!?;\s]{0,200}|[\"“”„«»]|:"
)
_SIGNS = {'"': QUOTE, "“": QUOTE, "”": QUOTE, "„": QUOTE, "«": QUOTE, "»": QUOTE, ":": COLON}
_LATIN = str.maketrans(LATIN)
# A scene whose last line waits for a part to be spoken.
_OPEN_LINE = re.compile(r"\n[ \t]{0,8}[^\W\d_]{2,30}:\s{0,20}$")
_LONGEST_LINE = 80
_ENCODED = re.compile(r"[A-Za-z0-9+/]{32,4000}={0,2}")
_MOST_DECODED = 16
_PLAIN_ENOUGH = 0.5
_SPACED = re.compile(r"(?:\b[^\W\d_] ){9}")


def injection_score(text: str) -> tuple[float, tuple[str, ...]]:
    """From 0 to 1, and the reasons: each says something alone, and together they say more."""
    weights: dict[str, float] = {}
    for reason, weight in _signals(text):
        weights[reason] = max(weight, weights.get(reason, 0.0))
    doubt = 1.0
    for weight in weights.values():
        doubt *= 1 - weight
    return round(1 - doubt, 4), tuple(weights)


def _signals(text: str) -> Iterator[tuple[str, float]]:
    plain = text
    if not text.isascii():
        yield from find_hidden(text)
        plain = unicodedata.normalize("NFKC", revealed(text)).translate(_LATIN)
    letters = _letters(plain)
    for rule in RULES:
        if rule.pattern.search(letters):
            yield rule.reason, rule.weight
    if _OPEN_LINE.search(plain[-_LONGEST_LINE:]) and _is_scene(letters):
        yield "role", 0.55
    if _SPACED.search(plain):
        yield "spaced letters", 0.5
    yield from find_breakouts(plain)
    yield from _encoded(plain)


def _encoded(text: str) -> Iterator[tuple[str, float]]:
    """What long words say once decoded, counted only if it is a command in its own right."""
    for match in islice(_ENCODED.finditer(text), _MOST_DECODED):
        try:
            inside = b64decode(match.group()[: len(match.group()) // 4 * 4]).decode("ascii")
        except ValueError:
            continue
        letters = _letters(inside)
        if any(rule.weight >= _PLAIN_ENOUGH and rule.pattern.search(letters) for rule in RULES):
            yield "encoded orders", 0.8


def _letters(text: str) -> str:
    """The text as one letter per word, behind the end of a sentence that was before it."""
    tokens = _TOKEN.findall(text)
    letter_of = {token: _letter(token) for token in set(tokens)}
    return STOP + "".join([letter_of[token] for token in tokens])


def _is_scene(letters: str) -> bool:
    return letters.count(LETTER_OF_WORD["role"]) + letters.count(LETTER_OF_WORD["act"]) > 1


def _letter(token: str) -> str:
    """The letter of a word or a sign."""
    letter = LETTER_OF_WORD.get(token) or LETTER_OF_WORD.get(token.lower().replace("’", "'"))
    if letter:
        return letter
    first = token[0]
    if first in _SIGNS:
        return _SIGNS[first]
    if not first.isalpha():
        return STOP if len(token) > 1 or first in "!?;\n." else OTHER
    if token.startswith(("http://", "https://")):
        return ADDRESS
    return CAPITAL if first.isupper() and not token.isupper() else OTHER
