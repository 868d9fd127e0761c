"""Four lengths of one content: full, summary, key fact and tag, each with its cost in tokens."""

import re
from dataclasses import dataclass

from engram.language.sentences import split_sentences
from engram.memory.tokens.estimate import tokens_in
from engram.text.strings import SUMMARY_BYTES

_KEY_FACT_CHARACTERS = 160
_TAG_WORDS = 3
_FEW_WORDS = 25  # a text of fewer is its own summary
_UNSPACED_FROM = "\u0e00"  # from Thai on most scripts join words
_LONGEST_UNSPACED = re.compile("([\u0e00-\U0003ffff]{4})[\u0e00-\U0003ffff]+")
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
    """The four tiers of a content, all in its own words: whole sentences, the first, a few words.

    A text of few words is its own summary. A summary that somebody gave goes before the rules'.
    """
    full = text.strip()
    sentences = [sentence.text for sentence in split_sentences(full[: 8 * SUMMARY_BYTES])] or [full]
    stating = [each for each in sentences if not each.endswith(("?", "？"))] or sentences
    summary = summary or _summary(full, sentences, stating)
    key_fact = _shortened(stating[0], _KEY_FACT_CHARACTERS)
    key_fact = key_fact if len(key_fact) <= len(summary) else summary
    tag = _tag(full, category, tokens_in(key_fact))
    return ContentTiers(*(_tier(each) for each in (full, summary, key_fact, tag)))


def _tier(text: str) -> Tier:
    return Tier(text, tokens_in(text))


def _summary(full: str, sentences: list[str], stating: list[str]) -> str:
    """The text itself where it is short, else whole sentences that come to half of it at most.

    One sentence is never cut for being long; only what does not fit into the room for summaries is.
    """
    if _length(full) < _FEW_WORDS and len(full.encode()) <= SUMMARY_BYTES:
        return full
    room = max(_FEW_WORDS, _length(full) // 2)
    kept: list[str] = []
    for sentence in stating if len(stating) < len(sentences) else sentences[:-1] or sentences:
        longer = " ".join((*kept, sentence))
        if kept and (_length(longer) > room or len(longer.encode()) > SUMMARY_BYTES):
            break
        kept.append(sentence)
    found = " ".join(kept)
    return found if len(found.encode()) <= SUMMARY_BYTES else _within_bytes(found)


def _length(text: str) -> int:
    """How many words a text has; of scripts without spaces two characters count as one."""
    unspaced = sum(character >= _UNSPACED_FROM for character in text)
    return len(text.split()) + unspaced // 2


def _within_bytes(text: str) -> str:
    cut = text.encode()[: SUMMARY_BYTES - 3].decode("utf-8", "ignore")
    return f"{cut.rstrip()}…"


def _shortened(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    cut = text.rfind(" ", characters // 2, characters - 1)
    return f"{text[: cut if cut > 0 else characters - 1].rstrip(' ,;:')}…"


def _tag(text: str, category: str, most_tokens: int) -> str:
    """The category and the words that tell most: names and figures first, then long words.

    As many as cost no more than the key fact.
    """
    words = [_LONGEST_UNSPACED.sub(r"\1", word) for word in _WORD.findall(text[:2_000])]
    telling = [word.strip(".'’-") for word in words if word.lower() not in _EMPTY and len(word) > 1]
    order = {word: place for place, word in reversed(list(enumerate(telling)))}
    ranked = sorted(order, key=lambda word: (not _is_name(word), -len(word), order[word]))
    for count in range(_TAG_WORDS, 0, -1):
        chosen = sorted(ranked[:count], key=lambda word: order[word])
        tag = _shortened(" ".join([category, *chosen]), 80)
        if tokens_in(tag) <= most_tokens:
            return tag
    return category


def _is_name(word: str) -> bool:
    return word[0].isupper() or any(letter.isdigit() for letter in word)
