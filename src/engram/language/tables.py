"""Word lists, patterns and pairs that the rules of English look up in `en/word_lists.json`."""

import json
import re
from importlib.resources import files

_READ = json.loads(files("engram.language").joinpath("en", "word_lists.json").read_text("utf-8"))


def words_of(name: str) -> frozenset[str]:
    """The words of one list."""
    return frozenset(_READ["words"][name].split())


def pattern_of(name: str) -> re.Pattern[str]:
    """One pattern."""
    return re.compile(_READ["patterns"][name])


def pairs_of(name: str) -> tuple[tuple[str, str], ...]:
    """One table of two columns."""
    return tuple((first, second) for first, second in _READ["pairs"][name])
