"""What stands where a secret would stand: examples, variables and words of documentation."""

import math
import re
from collections import Counter

_FEWEST_LETTERS = 4  # different ones; fewer is a row of x or a row of stars
_MARKS = re.compile("|".join(map(re.escape, (
    "xxx", "***", "...", "…", "example", "your", "changeme", "change_me", "change-me", "redacted",
    "placeholder", "dummy", "sample", "replace", "insert", "todo", "fixme", "foobar", "lorem",
    "abcdefgh", "<", ">", "${", "{{", "}}", "$(", "%s", "[api key]", "not-a-real", "fake",
))))  # fmt: skip
_NAMES = re.compile("passwor[dt]|passwd|secret|token|api[_-]?key")
_VARIABLE = re.compile(
    r"\$\w{1,80}|%\w{1,80}%|\{\w{1,80}\}|\[[\w .-]{1,80}\]"
    r"|[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}"
)


def is_placeholder(value: str) -> bool:
    """Whether a value only shows where a secret goes."""
    lowered = value.lower()
    if len(set(lowered)) < _FEWEST_LETTERS or _MARKS.search(lowered):
        return True
    return _VARIABLE.fullmatch(value) is not None


def names_itself(value: str) -> bool:
    """Whether a value in code only says what would stand there, as `test-password-3` does."""
    return _NAMES.search(value.lower()) is not None


def entropy(value: str) -> float:
    """How many bits each letter of a value carries, by how often it stands in it."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
