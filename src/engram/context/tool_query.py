"""What to ask memory for a tool: words from its name and arguments, and nothing that is secret.

Arguments are anybody's: as deep and as long as they like. A bounded part of them is looked at, and
what must not become a question is left out first: values named like secrets, what looks like one,
what a URL carries behind its path, and blobs that no memory could answer.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from engram.memory.line_rules import replace_unseen
from engram.memory.vocabulary import Secrecy
from engram.security.screening.screen import masked, screen

_DEEPEST = 8
_MOST_VALUES = 400  # looked at, whatever they are
_MOST_TEXTS = 40
_A_FEW_WORDS = 4  # an argument of no more names something; a longer one is prose
_TEXT_CHARACTERS = 600  # of one argument
_QUERY_CHARACTERS = 1_200
_READ_CHARACTERS = 4_000  # of one argument, before anything is left out
_LONGEST_WORD = 64
_LONGEST_NUMBER = 12  # digits: longer ones name nothing that a memory tells
_FEWEST_BLOB, _FEWEST_HEX = 24, 20

_NAMES_SECRET = re.compile(
    r"pass(?:word|wd|phrase|code|wort)?s?$|pwd|secret|token|credential|cookie|signature|otp|cvv|cvc"
    r"|authori[sz]ation|^auth$|bearer|jwt|session_?id|csrf|kennwort|contrase|senha"
    r"|(?:api|access|private|account|signing|encryption|auth|master|deploy|license|ssh|gpg)_?key"
    r"|^key$|^pin$|connection_?string|dsn$",
    re.IGNORECASE,
)
_URL = re.compile(r"\b(?:[a-z][a-z0-9+.-]{1,20}://|data:)[^\s\"'<>]+", re.IGNORECASE)
_MASK = re.compile(r"\[[a-z ]{2,30}\]")
_WORD = re.compile(r"\S+")
_HEX = re.compile(rf"[0-9a-fA-F]{{{_FEWEST_HEX},}}")
_BLOB = re.compile(rf"[A-Za-z0-9+/_=-]{{{_FEWEST_BLOB},}}")
_EDGES = ".,;:!?()[]{}\"'"
_ENDS = frozenset(".!?:")  # of sentences: what follows is written large anyway
_JOINED = re.compile(r"\w[_./@#-]\w|[^\W\d_]\d|\d[^\W\d_]")
_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\W]+")
_ADDRESSED = frozenset({"mcp", "tool", "tools", "function", "functions"})


@dataclass(frozen=True, slots=True)
class ToolQuery:
    """What to ask for a tool: everything it is given, and what that names, which tells most."""

    whole: str
    names: str = ""


def tool_query(tool: str, arguments: Mapping[str, object]) -> ToolQuery:
    """What a tool is about to deal with, in words that may be asked for; empty: nothing is left."""
    name = _text(" ".join(each for each in _SEAM.split(tool) if each.lower() not in _ADDRESSED))
    texts = _texts(arguments)
    whole = _beginning(" ".join([name.lower(), *texts]), _QUERY_CHARACTERS)
    named = dict.fromkeys(word for text in texts for word in _names(text))
    return ToolQuery(whole, _beginning(" ".join(named), _QUERY_CHARACTERS))


def _names(text: str) -> list[str]:
    """What an argument names: all of a short one, and of prose what is written like a name."""
    words = text.split()
    if len(words) <= _A_FEW_WORDS:
        return words
    return [word for before, word in pairwise([".", *words]) if _is_name(word, before)]


def _is_name(word: str, before: str) -> bool:
    bare = word.strip(_EDGES)
    if _JOINED.search(bare):
        return True
    return bare[:1].isupper() and before[-1] not in _ENDS


def _texts(arguments: Mapping[str, object]) -> list[str]:
    """The texts and numbers of the arguments, the outer ones first, as far as may be told."""
    waiting: deque[tuple[int, object]] = deque([(0, arguments)])
    found: dict[str, None] = {}
    looked_at = 0
    while waiting and looked_at < _MOST_VALUES and len(found) < _MOST_TEXTS:
        depth, value = waiting.popleft()
        looked_at += 1
        if depth < _DEEPEST:
            room = _MOST_VALUES - looked_at - len(waiting)
            waiting.extend((depth + 1, each) for each in _inner(value, room))
        told = _told(value)
        if told:
            found[told] = None
    return list(found)


def _inner(value: object, most: int) -> list[object]:
    """What lies in a value, without what is named like a secret."""
    if most <= 0:
        return []
    if isinstance(value, Mapping):
        named = ((name, each) for name, each in value.items() if not _is_secret_name(name))
        return [each for (_, each), _ in zip(named, range(most), strict=False)]
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        return list(value[:most])
    return []


def _is_secret_name(name: object) -> bool:
    if not isinstance(name, str):
        return True
    plain = re.sub(r"[\s.-]+", "_", _spaced(name[:_LONGEST_WORD]))
    return len(name) > _LONGEST_WORD or _NAMES_SECRET.search(plain) is not None


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _told(value: object) -> str:
    if isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return _number(value)
    return _text(value) if isinstance(value, str) else ""


def _number(value: float) -> str:
    if abs(value) >= 10**_LONGEST_NUMBER or value != value:  # NaN is not itself
        return ""
    return str(value)


def _text(text: str) -> str:
    """One argument as words that may be asked for."""
    line = replace_unseen(_beginning(text, _READ_CHARACTERS), lambda _: " ")
    line = _URL.sub(lambda found: _bare_url(found.group()), line)
    words = (word for word in _WORD.findall(_without_secrets(line)) if not _is_blob(word))
    return _beginning(" ".join(_with_ends(words)), _TEXT_CHARACTERS)


def _with_ends(words: Iterable[str]) -> Iterator[str]:
    """The words, and what a path leads to beside the path: memories mostly name that alone."""
    for word in words:
        yield word
        last = word.rstrip("/").rpartition("/")[2]
        if last not in ("", word):
            yield last


def _without_secrets(line: str) -> str:
    found = screen(line)
    if found.tier is not Secrecy.CONFIDENTIAL:
        return line
    return _MASK.sub(" ", masked(line, (*found.secrets, *found.personal)))


def _bare_url(url: str) -> str:
    """Where a URL leads, in words: without who calls, what is asked for there and its fragment."""
    if url[:5].lower() == "data:":
        return " "
    try:
        parts = urlsplit(url)
        place = f"{parts.hostname or ''} {unquote(parts.path)}"
    except ValueError:
        return " "
    return " " + re.sub(r"[/=&?#@]+", " ", place) + " "


def _is_blob(word: str) -> bool:
    """Whether a word is none: an encoding, a digest, a key."""
    bare = word.strip(_EDGES)
    if len(bare) > _LONGEST_WORD or _HEX.fullmatch(bare):
        return True
    if not _BLOB.fullmatch(bare):
        return False
    kinds = (str.islower, str.isupper, str.isdigit)
    mixed = sum(any(map(kind, bare)) for kind in kinds)
    # A path or an identifier has words between its seams; an encoding has none.
    return mixed == len(kinds) and not all(
        len(piece) <= _FEWEST_BLOB // 2 or piece.isalpha() for piece in re.split(r"[/_-]", bare)
    )


def _beginning(text: str, most: int) -> str:
    """The whole words that a text begins with: half of a secret would not look like one."""
    if len(text) <= most:
        return text.strip()
    head = text[:most]
    cut = max(head.rfind(space) for space in " \n\t")
    return head[:cut].strip() if cut > 0 else ""
