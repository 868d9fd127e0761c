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


@cache
def _pattern() -> re.Pattern[str]:
    folder = files("engram.language")
    words = [
        word
        for language in LANGUAGES
        for word in json.loads(folder.joinpath(language, "changes.json").read_text("utf-8"))[
            "words"
        ]
    ]
    # "*" stands for the rest of a word; scripts without spaces have no ends of words.
    either = (
        re.escape(word) if _UNSPACED.search(word) else rf"\b{re.escape(word)}\b" for word in words
    )
    joined = "|".join(either).replace(r"\*\b", r"\w*").replace(r"\*", r"\w*")
    return re.compile(joined, re.IGNORECASE)
