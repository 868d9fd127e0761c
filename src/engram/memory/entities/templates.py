"""What people want to have read off every text, by patterns of their own.

A pattern from outside must not be able to stop the program. So it is rewritten before it is used:
a repetition gives nothing back and a group is entered once, which makes its time grow with the
text alone. What cannot be rewritten is refused when the settings are read.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engram.errors import ConfigInvalid

INFERRED_KEYS = frozenset(
    "people technologies paths dates urls sentiment topics tags language".split()
)
# What a template may not be called.
RESERVED_KEYS = INFERRED_KEYS | {"deadline", "flags", "personal", "secrets", "role"}
LONGEST_READ = 4_096
_LONGEST_PATTERN = 500
_MOST_VALUES = 16
_LONGEST_VALUE = 200
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_GROUP_START = re.compile(r"\((?:\?:|\?P<[a-zA-Z_]\w*>)?(?!\?)")
_QUANTIFIER = re.compile(r"[*+?]|\{\d*,?\d*\}")
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_ANY_CASE = "(?i)"
_SET_OPERATORS = ("--", "&&", "~~", "||")


@dataclass(frozen=True, slots=True)
class Template:
    """A name for what is to be read, and the rewritten pattern that finds it."""

    name: str
    pattern: re.Pattern[str]


def compile_templates(
    patterns: Mapping[str, str], *, reserved: Iterable[str] = ()
) -> tuple[Template, ...]:
    """The templates that settings give, in their order, or an error that names the wrong one.

    A repetition takes all it can and keeps it (`.*x` finds nothing); of the alternatives of a group
    the first that fits is taken; look-around, back-references, lazy repetition and repetition of
    what is itself repeated are refused. `(?i)` at the beginning makes case not matter.
    """
    taken = set(reserved)
    found = []
    for name, pattern in patterns.items():
        if not _NAME.fullmatch(name) or name in taken:
            raise ConfigInvalid(hint=f"A template cannot be called `{name[:40]}`.")
        found.append(Template(name, _compiled(name, pattern)))
    return tuple(found)


def values_of(template: Template, text: str) -> list[str]:
    """What a template finds in the beginning of a text, each once: its first group, or all."""
    values: dict[str, None] = {}
    for match in template.pattern.finditer(text[:LONGEST_READ]):
        value = match[1] if template.pattern.groups else match[0]
        if value and value.strip():
            values[value.strip()[:_LONGEST_VALUE]] = None
        if len(values) == _MOST_VALUES:
            break
    return list(values)


def _compiled(name: str, pattern: str) -> re.Pattern[str]:
    if len(pattern) > _LONGEST_PATTERN:
        raise _refused(name, f"is longer than {_LONGEST_PATTERN} characters")
    try:
        flags = re.IGNORECASE if pattern.startswith(_ANY_CASE) else re.NOFLAG
        bare = pattern.removeprefix(_ANY_CASE)
        return re.compile(_Rewriter(name, bare).rewritten(), flags)
    except (re.error, RecursionError, OverflowError):
        raise _refused(name, "is no regular expression") from None  # its text may be a secret


def _refused(name: str, why: str) -> ConfigInvalid:
    return ConfigInvalid(hint=f"The pattern of the template `{name}` {why}.")


class _Rewriter:
    """Goes over a pattern once and writes it anew, atomic throughout."""

    def __init__(self, name: str, pattern: str) -> None:
        self._name = name
        self._pattern = pattern
        self._written: list[str] = []
        self._open: list[tuple[str, bool]] = []  # what closes a group, and whether it captures
        self._repeats = [False]  # per open group: whether something in it is repeated

    def rewritten(self) -> str:
        """The pattern, so that it never tries a second way."""
        place = 0
        while place < len(self._pattern):
            place = self._step(place)
        return "".join(self._written)

    def _step(self, place: int) -> int:
        letter = self._pattern[place]
        if letter == "\\":
            return self._escape(place)
        if letter == "[":
            return self._character_set(place)
        if letter == "(":
            return self._group(place)
        if letter == ")" and self._open:
            return self._close(place)
        quantifier = _QUANTIFIER.match(self._pattern, place)
        if quantifier and quantifier[0] not in ("{}", "{,}"):
            return self._repeat(quantifier)
        self._written.append(letter)
        return place + 1

    def _escape(self, place: int) -> int:
        match = _ESCAPE.match(self._pattern, place)
        if match is None or match[0][1] in "123456789":
            raise _refused(self._name, "refers back to itself, which can take for ever")
        self._written.append(match[0])
        return match.end()

    def _character_set(self, place: int) -> int:
        end = place + 1
        while end < len(self._pattern) and (
            self._pattern[end] != "]" or self._pattern[place:end] in ("[", "[^")
        ):
            end += 2 if self._pattern[end] == "\\" else 1
        inner = self._pattern[place + 1 : end]
        if "[" in inner or any(each in inner for each in _SET_OPERATORS):
            raise _refused(self._name, "has a set of characters with a set in it")
        self._written.append(self._pattern[place : end + 1])
        return end + 1

    def _group(self, place: int) -> int:
        match = _GROUP_START.match(self._pattern, place)
        if match is None:
            raise _refused(self._name, "looks around, which can take for ever")
        is_plain = match[0] == "(?:"
        self._written.append("(?>" if is_plain else f"{match[0]}(?>")
        self._open.append((")" if is_plain else "))", not is_plain))
        self._repeats.append(False)
        return match.end()

    def _close(self, place: int) -> int:
        closing, captures = self._open.pop()
        repeats = self._repeats.pop()
        self._written.append(closing)
        quantifier = _QUANTIFIER.match(self._pattern, place + 1)
        if quantifier is not None and quantifier[0] != "?" and (repeats or captures):
            raise _refused(self._name, "repeats a group that repeats or captures: use (?:...)")
        self._repeats[-1] = self._repeats[-1] or repeats
        return place + 1

    def _repeat(self, quantifier: re.Match[str]) -> int:
        following = self._pattern[quantifier.end() : quantifier.end() + 1]
        if following == "?":
            raise _refused(self._name, "repeats lazily, which is not possible here")
        self._written.append(f"{quantifier[0]}+")  # takes all it can and gives nothing back
        self._repeats[-1] = True
        return quantifier.end() + (following == "+")
