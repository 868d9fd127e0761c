"""What text may enter, and when two texts say the same to the letter."""

import hashlib
import re
import unicodedata

from engram.errors import ContentTooLarge, InvalidInput

SUMMARY_BYTES = 512
NAME_LENGTH = 200
SEALED_MARK = "\x1asealed:"  # how a sealed record begins in a column for text

_SPACES = re.compile(r"\s+")
# Marks around a word carry no meaning; inside it, before it or beside a digit they do:
# 10.0.0.1, .5, -5, <5, !ready, C++, C#, a/b, 3:15 and 5" must stay what they are.
_OPENING = "\"'`([{“‘«「『（"
_CLOSING = ".,;:!?…)]}\"'`”’»。、！？；：」』）"
_QUOTES = "\"'`”’"
_BARE_DASHES = {"-", "–", "—"}


def checked_text(text: object, *, name: str, max_bytes: int) -> str:
    """The text itself when it can be kept byte for byte; a typed refusal otherwise."""
    if not isinstance(text, str):
        raise InvalidInput(hint=f"`{name}` must be a string.")
    encoded = _encoded(text, name)
    if len(encoded) > max_bytes:
        raise ContentTooLarge(hint=f"`{name}` has {len(encoded)} bytes; {max_bytes} are allowed.")
    if "\x00" in text:
        raise InvalidInput(hint=f"`{name}` contains a NUL character.")
    if not text.strip():
        raise InvalidInput(hint=f"`{name}` is empty.")
    if text.startswith(SEALED_MARK):
        raise InvalidInput(hint=f"`{name}` begins like a sealed record.")
    return text


def _encoded(text: str, name: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        # `from None` would hide the place; the cause shows an offset, so drop the text it holds.
        raise InvalidInput(
            hint=f"`{name}` has a lone surrogate at character {error.start}; decode it as UTF-8."
        ) from None


def checked_name(value: object, *, name: str) -> str:
    """A short single-line identifier such as a speaker, a session or a scope's name."""
    text = checked_text(value, name=name, max_bytes=4 * NAME_LENGTH)
    if len(text) > NAME_LENGTH:
        raise ContentTooLarge(hint=f"`{name}` is longer than {NAME_LENGTH} characters.")
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise InvalidInput(hint=f"`{name}` contains a control character.")
    return text


def clipped(text: str, most: int) -> str:
    """The text in one line of at most so many characters; a mark shows where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def normalised(text: str) -> str:
    """Lowercase, without edge punctuation and repeated spaces: how duplicates are compared."""
    words = (_bare(word) for word in _SPACES.split(text.lower()))
    kept = [word for word in words if word and word not in _BARE_DASHES]
    return " ".join(kept) or text.strip()


def _bare(word: str) -> str:
    if word.isalnum():
        return word
    word = word.lstrip(_OPENING)
    bare = word.rstrip(_CLOSING)
    # A quote that follows a digit is a unit: 5' is not 5".
    is_measure = bare[-1:].isdigit() and word[len(bare) : len(bare) + 1] in tuple(_QUOTES)
    return word[: len(bare) + 1] if is_measure else bare


def folded(text: str) -> str:
    """Lowercase and without accents, as the index compares."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def identity_hash(text: str, *distinguishing: str) -> bytes:
    """One value for every way to write one statement of one speaker about one time."""
    joined = "\x1f".join((normalised(text), *distinguishing))
    return hashlib.sha256(joined.encode()).digest()
