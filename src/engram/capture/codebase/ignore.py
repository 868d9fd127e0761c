"""Which paths ignore files leave out, by the rules of git's own matching.

The last rule that matches decides; a rule without an inner slash looks at names anywhere below its
folder, one with a slash at paths from its folder on. Each match takes time linear in the name for
a given pattern: ignore files come with the repository and may be hostile.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# A literal name, a pattern for one name, or None for `**`: any number of names.
Segment = str | re.Pattern[str] | None

_ANY_NAME = re.compile(r".*", re.S)
_WILD = frozenset("*?[\\")
_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z",
    "space": r"\s", "blank": r" \t", "xdigit": "0-9a-fA-F", "cntrl": r"\x00-\x1f\x7f",
    "punct": r"!-/:-@\[-`{-~", "graph": "!-~", "print": " -~",
}  # fmt: skip
_NOTHING = "(?!)"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of an ignore file, and the folder that file lies in: empty, or ending in a slash."""

    folder: str
    segments: tuple[Segment, ...]
    is_anchored: bool
    is_for_folders: bool
    is_negated: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether this rule speaks of a path below its folder."""
        if self.is_for_folders and not is_folder:
            return False
        if not self.is_anchored:
            return _fits(self.segments[0], path.rpartition("/")[2])
        return _all_fit(self.segments, path[len(self.folder) :].split("/"))


def parse_rules(text: str, folder: str = "") -> tuple[Rule, ...]:
    """The rules of one ignore file; lines that can never match are left out."""
    lines = text.removeprefix("\ufeff").split("\n")
    rules = (_rule(line.removesuffix("\r"), folder) for line in lines)
    return tuple(rule for rule in rules if rule is not None)


def is_ignored(rules: Sequence[Rule], path: str, *, is_folder: bool) -> bool | None:
    """What the last rule that matches says; nothing when none does."""
    for rule in reversed(rules):
        if rule.matches(path, is_folder=is_folder):
            return not rule.is_negated
    return None


def _rule(line: str, folder: str) -> Rule | None:
    if line.startswith("#"):
        return None
    pattern = _without_trailing_spaces(line)
    is_negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    is_for_folders = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    is_anchored = "/" in pattern
    pattern = pattern.removeprefix("/").replace("\\/", "/")
    if not pattern:
        return None
    segments = _segments(pattern) if is_anchored else _compiled([pattern])
    if segments is None:
        return None
    return Rule(folder, segments, is_anchored, is_for_folders, is_negated)


def _without_trailing_spaces(line: str) -> str:
    bare = line.rstrip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    is_escaped = len(bare) < len(line) and escapes % 2 == 1
    return bare + " " if is_escaped else bare


def _segments(pattern: str) -> tuple[Segment, ...] | None:
    names = pattern.split("/")
    compiled = _compiled(names)
    if compiled is None:
        return None
    # `folder/**` is what lies inside, not the folder itself.
    ends_open = names[-1] == "**"
    return (*compiled[:-1], _ANY_NAME, None) if ends_open else compiled


def _compiled(names: Iterable[str]) -> tuple[Segment, ...] | None:
    segments: list[Segment] = []
    for name in names:
        is_any = name == "**" and names != ["**"]
        compiled = None if is_any else _segment(name)
        if compiled is None and not is_any:
            return None
        if not (is_any and segments and segments[-1] is None):
            segments.append(compiled)
    return tuple(segments)


def _segment(name: str) -> str | re.Pattern[str] | None:
    if not _WILD & set(name):
        return name
    pieces = _pieces(name)
    return None if pieces is None else re.compile(_joined(pieces), re.S)


def _joined(pieces: list[str]) -> str:
    """Between two stars the earliest fit is as good as any, so none is tried twice."""
    first, *rest = pieces
    if not rest:
        return first
    *middle, last = rest
    return first + "".join(f"(?>.*?{piece})" for piece in middle) + f".*{last}"


def _pieces(name: str) -> list[str] | None:
    """What stands between the stars, as regular expressions; nothing for a broken pattern."""
    pieces, at = [""], 0
    while at < len(name):
        character = name[at]
        if character == "*":
            pieces.append("")
        elif character == "?":
            pieces[-1] += "."
        elif character == "\\":
            at += 1
            if at == len(name):
                return None
            pieces[-1] += re.escape(name[at])
        elif character == "[":
            read = _character_class(name, at + 1)
            if read is None:
                return None
            expression, at = read
            pieces[-1] += expression
        else:
            pieces[-1] += re.escape(character)
        at += 1
    return pieces


def _character_class(name: str, at: int) -> tuple[str, int] | None:
    """A class in brackets as a regular expression, and where its closing bracket stands."""
    is_negated = name[at : at + 1] in ("!", "^")
    at += is_negated
    items: list[str] = []
    is_first = True
    while at < len(name):
        if name[at] == "]" and not is_first:
            inside = "".join(items)
            if not inside:
                return ("." if is_negated else _NOTHING), at
            return f"[{'^' if is_negated else ''}{inside}]", at
        read = _named_class(name, at) or _range(name, at)
        if read is None:
            return None
        item, at = read
        items.append(item)
        is_first = False
    return None


def _named_class(name: str, at: int) -> tuple[str, int] | None:
    if not name.startswith("[:", at):
        return None
    end = name.find(":]", at + 2)
    inside = _CLASSES.get(name[at + 2 : end]) if end > 0 else None
    return None if inside is None else (inside, end + 2)


def _range(name: str, at: int) -> tuple[str, int] | None:
    start = _literal(name, at)
    if start is None:
        return None
    low, at = start
    if name[at : at + 1] != "-" or name[at + 1 : at + 2] in ("", "]"):
        return _escaped(low), at
    stop = _literal(name, at + 1)
    if stop is None:
        return None
    high, at = stop
    return (f"{_escaped(low)}-{_escaped(high)}" if low <= high else ""), at


def _literal(name: str, at: int) -> tuple[str, int] | None:
    if name[at] == "\\":
        at += 1
    return (name[at], at + 1) if at < len(name) else None


def _escaped(character: str) -> str:
    return "\\" + character if character in r"\]^-[&~|" else character


def _fits(segment: Segment, name: str) -> bool:
    if isinstance(segment, str):
        return segment == name
    return segment is None or segment.fullmatch(name) is not None


def _all_fit(segments: Sequence[Segment], names: Sequence[str]) -> bool:
    """Match names one by one; at a misfit the last `**` takes one name more."""
    at = name_at = 0
    retry: tuple[int, int] | None = None
    while name_at < len(names):
        if at < len(segments) and segments[at] is None:
            retry = (at, name_at)
            at += 1
        elif at < len(segments) and _fits(segments[at], names[name_at]):
            at, name_at = at + 1, name_at + 1
        elif retry is not None:
            retry = (retry[0], retry[1] + 1)
            at, name_at = retry[0] + 1, retry[1]
        else:
            return False
    return all(segment is None for segment in segments[at:])
