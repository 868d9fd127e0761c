"""The words of time of each language, read from `language/<code>/times.json`.

Each word has a one-letter tag and a value in words of English or as a number, so that one set of
rules reads all languages. A word can stand for several pieces ("去年": last, year), and a phrase
for one ("new year's eve"). `grammar.txt` lists the tags.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from engram.text.calendar import Clock, Named, Period

LANGUAGES = ("en", "de", "es", "fr", "zh")
Value = int | str | Named | Period | Clock | tuple[Clock, Clock] | tuple[int, ...]
Tagged = tuple[tuple[str, Value], ...]
HAN = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_JOINT = re.compile("[ -]")  # between the words of a phrase: "week-end"
_MOST_READ = 2_000  # characters in which a language shows
_OF_TIME = frozenset("MWPHUJSElxt<>")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What one language calls its times, and how its verbs say whether they are past."""

    words: Mapping[str, Tagged]
    phrases: Mapping[str, tuple[str, ...]]  # by their first word, the longest first
    lists: Mapping[str, frozenset[str]]  # words of tense, habit and question
    patterns: Mapping[str, re.Pattern[str]]
    is_day_first: bool  # 5/3 is the fifth of March
    is_ago_first: bool  # "vor drei Tagen", "hace tres días"

    def first(self, word: str) -> tuple[str, Value] | None:
        """The tag and the value of a single word."""
        found = self.words.get(word)
        return found[0] if found else None


@cache
def lexicon(language: str) -> Lexicon:
    """The words of one language."""
    text = files("engram.language").joinpath(language, "times.json").read_text("utf-8")
    document = json.loads(text)
    words: dict[str, Tagged] = {}
    for tags, table in document["words"].items():
        for word, value in table.items():
            words.setdefault(word, _tagged(tags, value))
            words.setdefault(word.replace("'s", "s"), _tagged(tags, value))
    phrases: dict[str, tuple[str, ...]] = {}
    for phrase in sorted(filter(_JOINT.search, words), key=len, reverse=True):
        first = _JOINT.split(phrase)[0].rstrip("'")  # "weeks' time"
        phrases[first] = (*phrases.get(first, ()), phrase)
    return Lexicon(
        words,
        phrases,
        {name: frozenset(listed.split()) for name, listed in document["lists"].items()},
        {name: re.compile(form, re.IGNORECASE) for name, form in document["patterns"].items()},
        document["day_first"],
        document["ago_first"],
    )


def _tagged(tags: str, value: int | str | list[int | str]) -> Tagged:
    if tags == "K" and isinstance(value, int):
        return (("K", Clock(value)),)
    if isinstance(value, list) and len(tags) == 1:
        return ((tags, tuple(map(int, value))),)
    return tuple(zip(tags, value, strict=True)) if isinstance(value, list) else ((tags, value),)


def lexicon_of(text: str) -> Lexicon:
    """The words of the language a text is most likely written in; English in doubt."""
    read = text[:_MOST_READ]
    if HAN.search(read):
        return lexicon("zh")
    words = {word.lower() for word in _WORD.findall(read)}
    return lexicon(max(LANGUAGES[:-1], key=lambda language: len(words & _telling(language))))


@cache
def _telling(language: str) -> frozenset[str]:
    """The words that show a language: function words and words of time that are not English."""
    own = lexicon(language)
    if language == "en":
        return frozenset(own.words)
    english = lexicon("en").words
    timely = {
        word
        for word, tagged in own.words.items()
        if tagged[0][0] in _OF_TIME and word not in english
    }
    return own.lists["telling"] | timely


@cache
def month_names() -> dict[str, int]:
    """Every name of a month in any language, with its number."""
    return {
        word: value
        for language in LANGUAGES
        for word, ((tag, value), *_) in lexicon(language).words.items()
        if tag in ("M", "m") and isinstance(value, int)
    }
