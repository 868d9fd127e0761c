"""What stands where a secret would stand: examples, variables and words of documentation."""

import math
import re
from collections import Counter

_FEWEST_LETTERS = 4  # different ones; fewer is a row of x or a row of stars
_SIGNS = ("***", "...", "…", "<", ">", "${", "{{", "}}", "$(", "%s", "[api key]", "not-a-real")
_WORDS = (
    "xxx", "example", "your", "changeme", "change_me", "change-me", "redacted", "placeholder",
    "dummy", "sample", "replace", "insert", "todo", "fixme", "foobar", "lorem", "abcdefgh", "fake",
)  # fmt: skip
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
_WORD = re.compile("|".join(map(re.escape, _WORDS)), re.IGNORECASE)
_PIECE = re.compile(r"[A-Za-z0-9+/]{12,}")  # what is left is long enough to be a key by itself
_NAMES = re.compile("passwor[dt]|passwd|secret|token|api[_-]?key")
_VARIABLE = re.compile(
    r"\$\w{1,80}|%\w{1,80}%|\{\w{1,80}\}|\[[\w .-]{1,80}\]"
    r"|[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}"
)


def is_placeholder(value: str) -> bool:
    """Whether a value only shows where a secret goes."""
    if len(set(value.lower())) < _FEWEST_LETTERS or _SIGN.search(value.lower()):
        return True
    if _WORD.search(value) and not _is_random(_WORD.sub("", value)):
        return True
    return _VARIABLE.fullmatch(value) is not None


def _is_random(rest: str) -> bool:
    """Whether a key is left without the words: among many letters "xXx" and "fake" come by chance.

    One key in two hundred holds such a word, and a key that is kept is worse than an example that
    is hidden.
    """
    return any(
        (any(map(str.isdigit, piece)) and any(map(str.isalpha, piece)))
        or len({str.islower(letter) for letter in piece}) > 1
        for piece in _PIECE.findall(rest)
    )  # fmt: skip


def names_itself(value: str) -> bool:
    """Whether a value in code only says what would stand there, as `test-password-3` does."""
    return _NAMES.search(value.lower()) is not None


def entropy(value: str) -> float:
    """How many bits each letter of a value carries, by how often it stands in it."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
