"""What a text tells about a person: nine kinds and a few more, found by rules alone.

Every rule looks for a rare mark first (an at sign, a digit, a word) and then reads a bounded
stretch beside it, so that no text takes longer than its length calls for.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from engram.security.screening import checksums
from engram.security.screening.marks import word_places
from engram.security.screening.phones import find_phones
from engram.security.screening.spans import Span, settled
from engram.security.screening.statements import find_statements


class PersonalKind(StrEnum):
    """What sort of personal thing a span is."""

    EMAIL = "email"
    PHONE = "phone"
    CARD = "card"
    SSN = "ssn"
    IBAN = "iban"
    IP_ADDRESS = "ip_address"
    ADDRESS = "address"
    PERSON_NAME = "person_name"
    LOCATION = "location"
    GOVERNMENT_ID = "government_id"
    DATE_OF_BIRTH = "date_of_birth"


_LOCAL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-")
_LONGEST_LOCAL = 64
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}(?![\w@])")
# Names kept free for examples belong to nobody.
_RESERVED = re.compile(r"(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid)$", re.I)
_DIGIT = re.compile(r"\d")
# The digit stands first and what must not stand before it second: the search for a first letter is
# fast, a look behind at every letter is not.
_CARD = re.compile(r"\d(?<![\w.+-]\d)(?:[ -]?\d){12,18}(?![\w-]|\.\d)")
_SSN = re.compile(r"\d(?<![\w.+-]\d)\d\d-\d\d-\d{4}(?![\w-]|\.\d)")
_SSN_VALUE = re.compile(r"[ a-z:#.]{0,30}(\d{3} ?\d\d ?\d{4})(?!\w)")
_IBAN_REST = re.compile(
    r"\d\d(?<=[A-Za-z]{2}\d\d)(?<![\w][A-Za-z]{2}\d\d)(?: ?[A-Za-z0-9]){11,30}(?!\w)"
)
_IPV4 = re.compile(r"\d(?<![\w.]\d)\d{0,2}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?!\w|\.\d)")
_IPV6_MIDDLE = re.compile(r":[0-9A-Fa-f]{0,4}:")
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])")
_NATIONAL = (
    (re.compile(r"\d(?<!\w\d)\d{7}-?[A-Za-z](?!\w)"), checksums.is_spanish_identity),
    (re.compile(r"[XYZ](?<!\w[XYZ])\d{7}-?[A-Za-z](?!\w)"), checksums.is_spanish_identity),
    (re.compile(r"\d(?<![\w.]\d)\d\d\.\d{3}\.\d{3}-\d\d(?!\w)"), checksums.is_brazilian_identity),
    (
        re.compile(r"[12](?<!\w[12]) ?\d\d ?[01]\d ?\d\d ?\d{3} ?\d{3} ?\d\d(?!\w)"),
        checksums.is_french_identity,
    ),
)
# The letters are those the United Kingdom hands out.
_UK_INSURANCE = re.compile(
    r"[A-CEGHJ-PR-TW-Z](?<!\w.)[A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)"
)
_SEPARATORS = str.maketrans("", "", " .-")


def find_personal(text: str, small: str) -> tuple[Span, ...]:
    """Every personal thing in a text, in order; where two overlap, the surer one."""
    return settled(_candidates(text, small))


def _candidates(text: str, small: str) -> Iterator[Span]:
    yield from _emails(text)
    has_digits = _DIGIT.search(text) is not None
    if has_digits:
        yield from _accounts(text)
        yield from _social_security_numbers(text, small)
        yield from _national_numbers(text)
    yield from _ip_addresses(text)
    for start, end, kind in find_statements(text, small):
        yield Span(start, end, PersonalKind(kind), True)
    if has_digits:
        for start, end, is_certain in find_phones(text):
            yield Span(start, end, PersonalKind.PHONE, is_certain)


def _emails(text: str) -> Iterator[Span]:
    place = text.find("@")
    while place >= 0:
        start = place
        while start > 0 and place - start < _LONGEST_LOCAL and text[start - 1] in _LOCAL:
            start -= 1
        while start < place and text[start] in ".%+-":
            start += 1
        domain = _DOMAIN.match(text, place + 1) if start < place else None
        if domain and text[place - 1] != "." and not _RESERVED.search(domain.group()):
            yield Span(start, domain.end(), PersonalKind.EMAIL, True)
        place = text.find("@", place + 1)


def _accounts(text: str) -> Iterator[Span]:
    """Cards and bank accounts: only those whose check digits agree."""
    for match in _IBAN_REST.finditer(text):
        start = match.start() - 2
        length = _iban_length(text[start : match.end()])
        if length:
            yield Span(start, start + length, PersonalKind.IBAN, True)
    for match in _CARD.finditer(text):
        if checksums.is_card_number(match.group().translate(_SEPARATORS)):
            yield Span(*match.span(), PersonalKind.CARD, True)


def _iban_length(found: str) -> int:
    """How far the account number goes: words behind it may look as if they belonged to it."""
    while found:
        if checksums.is_iban(found.replace(" ", "")):
            return len(found)
        found = found.rpartition(" ")[0]
    return 0


def _social_security_numbers(text: str, small: str) -> Iterator[Span]:
    for match in _SSN.finditer(text):
        if checksums.is_social_security_number(match.group().translate(_SEPARATORS)):
            yield Span(*match.span(), PersonalKind.SSN, True)
    for mark in ("ssn", "social security"):
        for place in word_places(mark, small):
            named = _SSN_VALUE.match(small, place)
            digits = named.group(1).replace(" ", "") if named else ""
            if named and checksums.is_social_security_number(digits):
                yield Span(*named.span(1), PersonalKind.SSN, True)


def _national_numbers(text: str) -> Iterator[Span]:
    for pattern, is_valid in _NATIONAL:
        for match in pattern.finditer(text):
            if is_valid(match.group().translate(_SEPARATORS)):
                yield Span(*match.span(), PersonalKind.GOVERNMENT_ID, True)
    for match in _UK_INSURANCE.finditer(text):
        yield Span(*match.span(), PersonalKind.GOVERNMENT_ID, True)


def _ip_addresses(text: str) -> Iterator[Span]:
    for match in _IPV4.finditer(text):
        parts = match.group().split(".")
        # Four small numbers are as often a version as an address.
        if all(int(part) <= 255 for part in parts) and any(int(part) > 20 for part in parts):
            yield Span(*match.span(), PersonalKind.IP_ADDRESS, True)
    if _IPV6_MIDDLE.search(text):
        for match in _IPV6.finditer(text):
            if _is_ipv6(match.group()):
                yield Span(*match.span(), PersonalKind.IP_ADDRESS, True)


def _is_ipv6(found: str) -> bool:
    groups = found.split(":")
    is_whole = len(groups) == 8 and all(groups)
    is_shortened = found.count("::") == 1 and any(len(group) > 2 for group in groups)
    return ":::" not in found and (is_whole or is_shortened)
