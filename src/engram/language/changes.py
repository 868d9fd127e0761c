"""Whether a text says that something has changed, by the words of five languages."""

import json
import re
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "de", "es", "fr", "zh")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


def tells_change(text: str) -> bool:
    """Whether a word of change stands in a text."""
    return _pattern().search(text) is not None


def without_adverbs(words: list[str]) -> list[str]:
    """Words without those that only say that something holds from now on: "now", "instead"."""
    return [word for word in words if word.lower().strip(",.!") not in _adverbs()]


@cache
def _adverbs() -> frozenset[str]:
    return frozenset(_listed("adverbs"))


def _listed(key: str) -> list[str]:
    folder = files("engram.language")
    return [
        word
        for language in LANGUAGES
        for word in json.loads(folder.joinpath(language, "changes.json").read_text("utf-8"))[key]
    ]


@cache
def _pattern() -> re.Pattern[str]:
    # "*" stands for the rest of a word; scripts without spaces have no ends of words.
    either = (
        re.escape(word) if _UNSPACED.search(word) else rf"\b{re.escape(word)}\b"
        for word in _listed("words")
    )
    joined = "|".join(either).replace(r"\*\b", r"\w*").replace(r"\*", r"\w*")
    return re.compile(joined, re.IGNORECASE)
