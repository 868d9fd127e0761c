"""Secrets that show by what they are called: `password: …`, `API_KEY=…`, "my PIN is …"."""

import re
from collections.abc import Iterator

from engram.security.screening.marks import places_of
from engram.security.screening.placeholders import entropy, is_placeholder, names_itself
from engram.security.screening.spans import Span

_PASSWORDS = (
    "password", "passwort", "passwd", "passphrase", "passcode", "pwd", "kennwort", "mot de passe",
    "contraseña", "senha",
)  # fmt: skip
_PINS = ("pin code", "pin")
_KEYS = ("key", "secret", "token", "credential", "credentials")
# What makes a key one that opens something; "the primary key is …" opens nothing.
_KEY_BEFORE = re.compile(
    r"(?:api|access|secret|private|account|signing|encryption|auth|master|deploy|license)[ _-]?$"
)
_LOOKED_BACK = 12
_GIVEN = re.compile(
    r"['\"]?\]?(?:(?P<sign>[ \t]{0,3}(?:=>|:=|[:=]|→)[ \t]{0,3})"
    r"| (?:is|ist|lautet|est|es|é|was)(?: now| jetzt)?:? )"
    r"(?P<quote>['\"`]?)(?P<value>[^\s'\"`]{3,512})",
    re.I,
)
_CODE = re.compile(r"[A-Za-z_][\w.]{0,100}[(\[]|(?:os|process|self|this|env|config|settings)\.\w")
_TYPES = frozenset(
    "none null true false str string int bytes bool boolean optional undefined number required"
    " object any secretstr".split()
)
_FEWEST_KEY_LETTERS, _FEWEST_KEY_BITS = 16, 3.0
_FEWEST_PASSWORD_LETTERS = 6
_FEWEST_QUOTED_LETTERS = 4
_SORTS = tuple(map(re.compile, (r"[a-zß-öø-ÿ]", r"(?<=.)[A-ZÀ-ÖØ-Þ]", r"\d", r"[^\w'’/.,()\-]")))
_PIN_LENGTHS = range(4, 9)


def find_assignments(text: str, small: str) -> Iterator[Span]:
    """Every value given to the name of a secret, if it looks like one."""
    for mark in (*_PASSWORDS, *_PINS, *_KEYS):
        read_up_to = 0
        judged: dict[tuple[str, str | None, bool], str | None] = {}  # a value is judged once
        for place in places_of(mark, small):
            # A name inside a value is part of it, and is not read again for its own value.
            given = _GIVEN.match(text, place + len(mark)) if place >= read_up_to else None
            if given and _is_name_of_secret(mark, small, place):
                read_up_to = given.end()
                yield from _value(mark, given, judged)


def _is_name_of_secret(mark: str, small: str, place: int) -> bool:
    before = small[max(0, place - _LOOKED_BACK) : place]
    if mark == "key":
        return _KEY_BEFORE.search(before) is not None
    return mark not in _PINS or not before[-1:].isalnum()


def _value(
    mark: str, given: re.Match[str], judged: dict[tuple[str, str | None, bool], str | None]
) -> Iterator[Span]:
    sign, quote, value = given.group("sign", "quote", "value")
    is_quoted = bool(quote) and given.string[given.end() : given.end() + 1] == quote
    value = value.rstrip(".,;:)]}>")
    key = (value, sign, is_quoted)
    if key not in judged:
        judged[key] = _kind(mark, value, has_sign=sign is not None, is_quoted=is_quoted)
    kind = judged[key]
    if kind is not None:
        start = given.start("value")
        yield Span(start, start + len(value), kind, True)


def _kind(mark: str, value: str, *, has_sign: bool, is_quoted: bool) -> str | None:
    """What sort of secret a value is, if it is one."""
    if mark in _PINS:
        return "pin" if value.isdigit() and len(value) in _PIN_LENGTHS else None
    is_name = value.lower().startswith(mark)  # "password= password=": a form, and not filled in
    if is_name or _is_no_value(value) or (has_sign and names_itself(value)):
        return None
    if mark in _PASSWORDS:
        return "password" if _is_password(value, has_sign, is_quoted) else None
    return "api key" if _is_key(value) else None


def _is_no_value(value: str) -> bool:
    is_code = value.lower() in _TYPES or _CODE.match(value) is not None
    return is_code or is_placeholder(value)


def _is_password(value: str, has_sign: bool, is_quoted: bool) -> bool:
    """Words after "is" are talk unless they hold what only a password holds."""
    fewest = _FEWEST_QUOTED_LETTERS if is_quoted else _FEWEST_PASSWORD_LETTERS
    is_name = value.isalpha() and has_sign  # as code passes it on
    return len(value) >= fewest and (is_quoted or (_is_mixed(value) and not is_name))


def _is_mixed(value: str) -> bool:
    """Whether letters stand beside digits, signs or capitals as they do not in a word."""
    sorts = 0
    for pattern in _SORTS:
        sorts += pattern.search(value) is not None
        if sorts > 1:
            return True
    return False


def _is_key(value: str) -> bool:
    is_long = len(value) >= _FEWEST_KEY_LETTERS and "://" not in value
    has_digit = any(letter.isdigit() for letter in value)
    return is_long and has_digit and not value.isdigit() and entropy(value) >= _FEWEST_KEY_BITS
