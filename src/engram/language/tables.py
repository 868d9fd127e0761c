"""The data files of the languages, and what the rules of English look up in `word_lists.json`."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "de", "es", "fr", "zh")


@cache
def read_table(name: str, language: str = "en") -> Any:
    """What stands in one data file of a language."""
    return json.loads(files("engram.language").joinpath(language, name).read_text("utf-8"))


def phrases_of(name: str, key: str) -> list[str]:
    """One list of all languages together, from the file that each of them has."""
    return [phrase for each in LANGUAGES for phrase in read_table(name, each)[key]]


def words_of(name: str) -> frozenset[str]:
    """The words of one list."""
    return frozenset(read_table("word_lists.json")["words"][name].split())


def pattern_of(name: str) -> re.Pattern[str]:
    """One pattern."""
    return re.compile(read_table("word_lists.json")["patterns"][name])
