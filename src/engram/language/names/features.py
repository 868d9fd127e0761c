"""Whether a row of capitals is a name, and what bears it: a small net over plain features.

`scripts/fit_names.py mentions` learns from hand-written sentences what each feature says.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engram.language.lexicon import COMMON_WORDS
from engram.language.names.kinds import EntityType
from engram.language.names.runs import Run, Setting, is_role, owns_nothing
from engram.language.names.tokens import Token
from engram.language.names.words import cue_words, is_given_name, is_place, listed_names
from engram.language.word_kinds import is_ordinary, spelling_shares, word_kind
from engram.text.markup import Area

# What the model tells apart; the first is no name at all.
CLASSES = ("none", "person", "organization", "place", "project", "technology", "concept")
TYPES = tuple(EntityType(name) for name in CLASSES[1:])
Scores = tuple[float, ...]
SCALE = 16  # of the whole numbers that the weights are kept as

_CUES = (
    "addressing", "animals", "auxiliaries", "greetings", "human_verbs", "organization_nouns",
    "place_nouns", "project_nouns", "technology_nouns", "thing_verbs", "travel_verbs",
    "using_verbs", "work_words",
)  # fmt: skip
_HEADS = ("legal_forms", "organization_heads", "place_heads", "project_heads")
_STARTS = ("organization", "place", "project")
_DETERMINERS = frozenset("the a an our my your their his her its this that".split())
_COPULAS = frozenset({"is", "was", "are"})
_PHRASE_ENDS = frozenset("of in at for to with and from on by that which".split())
_PLACE_WORDS = frozenset("in near across around of to from".split())
_PLAIN = frozenset({"ordinary", "compound"})
_SPELT_STEPS = (0.3, 0.5, 0.7, 0.85)
_INFLECTED, _NEAR = ("s", "ed", "ing", "ly", "er"), 4  # words


class _Net(NamedTuple):
    """One hidden layer beside a direct one: a row for every feature, columns for both."""

    row_of: dict[str, int]
    rows: NDArray[np.floating]
    hidden: NDArray[np.floating]


def score(tokens: Sequence[Token], run: Run, setting: Setting) -> Scores:
    """What the model gives for each class."""
    net = _net()
    rows = [net.row_of[each] for each in features_of(tokens, run, setting) if each in net.row_of]
    total = net.rows[rows].sum(axis=0)
    direct, hidden = total[: len(CLASSES)], np.tanh(total[len(CLASSES) :])
    return tuple(map(float, direct + hidden @ net.hidden))


@cache
def _net() -> _Net:
    file = files("engram.language") / "en" / "mention_types.json"
    card = json.loads(file.read_text(encoding="utf-8"))
    row_of = {name: row for row, name in enumerate(card["features"].split("\t"))}
    rows, hidden = (
        np.frombuffer(base64.b64decode(card[each]), dtype=np.int8) / np.float32(SCALE)
        for each in ("rows", "hidden")
    )
    return _Net(row_of, rows.reshape(len(row_of), -1), hidden.reshape(-1, len(CLASSES)))


def features_of(tokens: Sequence[Token], run: Run, setting: Setting) -> list[str]:
    """The features of one candidate, each a short name; the same for training and for reading."""
    words = tokens[run.first : run.last + 1]
    kinds = [_kind(token.lower) for token in words]
    found = ["bias", f"size {min(len(words), 4)}", *_shape(words)]
    found += [f"alone {kinds[0]}"] if len(words) == 1 else _several(words, kinds)
    found += _spelt(words, kinds)
    found += _standing(words, kinds, run, setting)
    found += _before(tokens, run.first)
    found += _after(tokens, run.last)
    if owns_nothing(tokens, run):
        found.append("own possessive")
    return found


def _spelt(words: Sequence[Token], kinds: Sequence[str]) -> Iterator[str]:
    """What the letters of an unknown word say, in steps."""
    if "unknown" in kinds:
        side = "alone" if len(words) == 1 else "several"
        for kind, share in spelling_shares(words[kinds.index("unknown")].lower).items():
            yield from (f"{side} spelt {kind} {step}" for step in _SPELT_STEPS if share > step)


def _kind(lower: str) -> str:
    kind = word_kind(lower)
    return "person" if kind == "unknown" and is_given_name(lower) else kind


def _several(words: Sequence[Token], kinds: Sequence[str]) -> Iterator[str]:
    lowers = [token.lower for token in words]
    yield from (f"first {kinds[0]}", f"last {kinds[-1]}", f"both {kinds[0]} {kinds[-1]}")
    if len(words) <= 3 and _PLAIN.isdisjoint(kinds):
        yield "all like names"
    if is_place(" ".join(lowers)) or " ".join(lowers) in listed_names("organizations.txt"):
        yield "listed place" if is_place(" ".join(lowers)) else "listed organization"
    yield from (f"joined {each}" for each in ("of", "for", "&") if each in lowers)
    inner = next((place for place, each in enumerate(lowers) if each in ("of", "for")), 0)
    head = lowers[inner - 1].strip(".")
    heads = [f"head {name}" for name in _HEADS if head in cue_words(name)]
    yield from heads
    yield from (f"starts {name}" for name in _STARTS if lowers[0] in cue_words(f"{name}_starts"))
    if head.isdecimal() or (_is_plural(head) and not heads):
        yield "head number" if head.isdecimal() else "head plural"


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "ics", "is"))


def _shape(words: Sequence[Token]) -> Iterator[str]:
    word, last = words[0].word, words[-1].lower
    if all(token.word.isupper() for token in words) and len(word) > 1:
        yield "shape capitals"
    elif not word[1:].islower() and word.isalnum() and not word.startswith(("Mc", "Mac")):
        yield "shape camel"
    if len(words) > 1 and len(word.rstrip(".")) == 1:
        yield "shape initial"
    if len(words) == 1 and word_kind(last) == "unknown":
        if last.endswith(_INFLECTED):
            yield "shape inflected begins" if words[0].begins else "shape inflected"
        if last.endswith(("ic", "ish", "ese")):
            yield "shape adjective"


def _standing(
    words: Sequence[Token], kinds: Sequence[str], run: Run, setting: Setting
) -> Iterator[str]:
    """Where it stands, and what the rest of the text says about its words."""
    first = words[0]
    is_plain = all(is_ordinary(each.lower) for each in words)
    plain = "ordinary" if is_plain else "name"
    if is_plain:
        yield "ordinary all"
        if not first.begins and first.area is Area.PROSE:
            yield "phrase inside" if len(words) > 1 else "word inside"
    if first.begins:
        yield f"begins {plain}"
        yield f"begins {kinds[0]}" if len(words) == 1 else "begins several"
        if first.lower in setting.inner:
            yield "inner elsewhere"
    if first.area is not Area.PROSE:
        yield f"area {first.area.value}"
        yield f"area {first.area.value} {plain}"
    yield f"everyday capitals {setting.everyday}"
    flags = {"title": run.title, "work": run.is_work, "possessive": words[-1].is_possessive}
    yield from (name for name, is_so in flags.items() if is_so)


def _before(tokens: Sequence[Token], first: int) -> Iterator[str]:
    if first == 0:
        yield "left start"
        return
    token, before = tokens[first], tokens[first - 1]
    if is_role(before.lower) and token.joint in ("", ","):
        yield "left role"
    if token.joint:
        yield f"left joint {token.joint[-1]}"
        return
    yield f"left {before.lower}"
    yield from _cues("left", before.lower)
    if before.is_capital:
        yield "left possessive" if before.is_possessive else "left capital"
    if before.lower in _DETERMINERS:
        yield "left determiner"
        if first > 1 and tokens[first - 2].lower in _PLACE_WORDS and _is_plural(token.lower):
            yield "left place determiner plural"
    for each in tokens[max(0, first - _NEAR) : first - 1]:
        yield from (f"near {name}" for name in _cues(before.lower, each.lower))


def _cues(side: str, word: str) -> list[str]:
    return [f"{side} {name}" for name in _lists_with().get(word, ())]


@cache
def _lists_with() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in _CUES:
        for word in cue_words(name):
            found.setdefault(word, []).append(name)
    return found


def _after(tokens: Sequence[Token], last: int) -> Iterator[str]:
    if last + 1 == len(tokens):
        yield "right end"
        return
    after = tokens[last + 1]
    if after.joint == "," or (not after.joint and after.lower in _COPULAS):
        yield from _apposition(tokens, last + 1)
    if after.joint:
        yield f"right joint {after.joint[0]}"
    elif not tokens[last].is_possessive:
        yield f"right {after.lower}"
        cues = _cues("right", after.lower)
        yield from cues
        if after.lower.endswith("ed") and len(after.lower) > _NEAR:
            yield "right past"
        elif not cues and word_kind(after.lower) == "ordinary" and after.lower not in COMMON_WORDS:
            yield "right noun"


def _apposition(tokens: Sequence[Token], place: int) -> Iterator[str]:
    """What a name is said to be: "Ada, our auditor", "Ada is the new lead", "Porto is a city"."""
    start = place + (tokens[place].lower in _COPULAS)
    if start >= len(tokens) or tokens[start].lower not in _DETERMINERS:
        return
    for token in tokens[start + 1 : start + 1 + _NEAR]:
        if token.joint or token.lower in _PHRASE_ENDS:
            return
        if is_role(token.lower):
            yield "said role"
        yield from _cues("said", token.lower)
