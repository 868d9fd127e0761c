"""Four lengths of one content: full, summary, key fact and tag, each with its cost in tokens."""

import re
from dataclasses import dataclass

from engram.language.sentences import split_sentences
from engram.language.texts import SUMMARY_BYTES
from engram.memory.tokens.estimate import tokens_in

_KEY_FACT_CHARACTERS = 160
_TAG_WORDS = 3
_WORD = re.compile(r"[^\W_][\w'’.-]*")
_EMPTY = frozenset(
    "a an the and or but if so as of at by for with about to from in on is are was were be been"
    " has have"
    " had do does did will would can could that this it its they their he she his her not no user"
    " assistant really very just also there then than when who which what more most some".split()
)


@dataclass(frozen=True, slots=True)
class Tier:
    """One length of a content."""

    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ContentTiers:
    """The same content at four lengths; the tag is the category and three words at most."""

    full: Tier
    summary: Tier
    key_fact: Tier
    tag: Tier


def tiers(text: str, category: str, summary: str | None = None) -> ContentTiers:
    """The four tiers of a content: its first sentences, its first statement, its telling words.

    A summary that somebody gave goes before one made of the first sentences.
    """
    full = text.strip()
    sentences = [sentence.text for sentence in split_sentences(full[: 8 * SUMMARY_BYTES])] or [full]
    summary = summary or _summary(full, sentences)
    key_fact = _shortened(sentences[0], _KEY_FACT_CHARACTERS)
    key_fact = key_fact if len(key_fact) <= len(summary) else summary
    return ContentTiers(*(_tier(each) for each in (full, summary, key_fact, _tag(full, category))))


def _tier(text: str) -> Tier:
    return Tier(text, tokens_in(text))


def _summary(full: str, sentences: list[str]) -> str:
    """As many whole sentences from the beginning as fit."""
    if len(full.encode()) <= SUMMARY_BYTES:
        return full
    kept = ""
    for sentence in sentences:
        longer = f"{kept} {sentence}".strip()
        if len(longer.encode()) > SUMMARY_BYTES:
            break
        kept = longer
    return kept or _within_bytes(sentences[0])


def _within_bytes(text: str) -> str:
    cut = text.encode()[: SUMMARY_BYTES - 3].decode("utf-8", "ignore")
    return f"{cut.rstrip()}…"


def _shortened(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    cut = text.rfind(" ", characters // 2, characters - 1)
    return f"{text[: cut if cut > 0 else characters - 1].rstrip(' ,;:')}…"


def _tag(text: str, category: str) -> str:
    """The category and the words that tell most: names and figures first, then long words."""
    words = _WORD.findall(text[:2_000])
    telling = [word.strip(".'’-") for word in words if word.lower() not in _EMPTY and len(word) > 1]
    order = {word: place for place, word in reversed(list(enumerate(telling)))}
    best = sorted(order, key=lambda word: (not _is_name(word), -len(word), order[word]))[
        :_TAG_WORDS
    ]
    chosen = sorted(best, key=lambda word: order[word])
    return _shortened(" ".join([category, *(word.lower() for word in chosen)]), 80)


def _is_name(word: str) -> bool:
    return word[0].isupper() or any(letter.isdigit() for letter in word)
