"""What a word usually is: an everyday word, a person's name, a place, an organisation, a people.

`scripts/fit_names.py words` made the table from hand-written lists and the word vectors of the
built-in encoder: a hash and a share for each kind.
"""

import base64
import json
import math
import unicodedata
import zlib
from functools import cache, lru_cache
from importlib.resources import files

from engram.language.stems import stem
from engram.language.tables import words_of

WORD_KINDS = ("ordinary", "person", "place", "organization", "people", "product")
_SURE, _AMBIGUOUS = 0.75, 0.2
# What the letters of a word that is in no list look like.
SPELT_KINDS = ("ordinary", "person", "place", "organization", "product")
SPELLING_SCALE = 24  # of the whole numbers that the weights are kept as
_LONGEST_PIECE = 4  # letters
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ß": "ss", "\u0131": "i"})
_SHORTEST_PART, _LONGEST_WORD = 3, 30  # letters
# Word endings that hardly any name has.
_ENDINGS = tuple(words_of("no_name_endings"))
_SHORTEST_ENDING = 6


def word_hash(word: str) -> int:
    """The number under which the table keeps a word."""
    return zlib.crc32(word.encode())


@cache
def _unpacked(part: str) -> bytes:
    file = files("engram.language") / "en" / "word_kinds.json"
    return zlib.decompress(base64.b64decode(json.loads(file.read_text(encoding="utf-8"))[part]))


@cache
def _table() -> dict[int, bytes]:
    rows = _unpacked("words")
    size = 4 + len(WORD_KINDS)
    cuts = range(0, len(rows), size)
    return {int.from_bytes(rows[at : at + 4], "little"): rows[at + 4 : at + size] for at in cuts}


def _row(word: str) -> bytes | None:
    """The shares of a word; accents do not count."""
    return _table().get(word_hash(plain_letters(word)))


def plain_letters(word: str) -> str:
    """A lowercase word without accents."""
    if word.isascii():
        return word
    plain = unicodedata.normalize("NFD", word.translate(_LETTERS))
    return plain.encode("ascii", "ignore").decode()


def pieces_of(word: str, count: int) -> list[int]:
    """The numbers, below a count, of the rows of letters that a word is made of."""
    whole = f"<{word[:_LONGEST_WORD]}>"
    sizes = range(2, _LONGEST_PIECE + 1)
    found = (whole[at : at + size] for size in sizes for at in range(len(whole) - size + 1))
    return sorted({word_hash(piece) % count for piece in found})


@lru_cache(maxsize=16_384)
def spelling_shares(word: str) -> dict[str, float]:
    """What a lowercase word looks like by its letters, with a share for each kind."""
    weights, width = memoryview(_unpacked("spellings")).cast("b"), len(SPELT_KINDS)
    last = len(weights) // width - 1
    rows = [*pieces_of(plain_letters(word), last), last]
    totals = (sum(weights[row * width + kind] for row in rows) for kind in range(width))
    powers = [math.exp(total / SPELLING_SCALE) for total in totals]
    return {kind: power / sum(powers) for kind, power in zip(SPELT_KINDS, powers, strict=True)}


@lru_cache(maxsize=16_384)
def word_kind(word: str) -> str:
    """What a lowercase word is: a kind, "both" for an everyday word that people are called too,
    "compound" for two everyday words written together, "unknown" for anything else."""
    row = _row(word)
    if row is not None:
        is_both = min(row[0], row[1]) > _AMBIGUOUS * 255
        return "both" if is_both else WORD_KINDS[row.index(max(row))]
    if _has_ordinary_stem(word):
        return "ordinary"
    if "-" in word:
        kinds = {word_kind(part) for part in word.split("-") if part}
        return kinds.pop() if kinds in ({"ordinary"}, {"person"}) else "unknown"
    cuts = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    is_long = 2 * _SHORTEST_PART < len(word) <= _LONGEST_WORD
    is_compound = is_long and any(_is_sure(word[:cut]) and _is_sure(word[cut:]) for cut in cuts)
    return "compound" if is_compound else "unknown"


def _is_sure(word: str) -> bool:
    row = _table().get(word_hash(word))
    return row is not None and row[0] > _SURE * 255


def _has_ordinary_stem(word: str) -> bool:
    bare = word.replace("'", "")
    for part in (stem(bare), bare.removesuffix("s"), bare.removesuffix("ly"), f"{stem(bare)}e"):
        if len(part) > _SHORTEST_PART and part != word and _is_sure(part):
            return True
    return len(word) >= _SHORTEST_ENDING and word.endswith(_ENDINGS)


def is_ordinary(word: str) -> bool:
    """Whether a lowercase word belongs to everyday language rather than to names."""
    kind, row = word_kind(word), _row(word)
    if kind == "both" and row is not None:
        return row[0] >= row[1]
    return kind in ("ordinary", "compound")


def is_also_a_name(word: str) -> bool:
    """Whether a lowercase word, ordinary as it is, is what people are called too."""
    return word_kind(word) == "both"
