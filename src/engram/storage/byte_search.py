"""Looks for what was erased in raw bytes: whole texts, words that nothing else has, and vectors.

The needles live in memory, as long as an erasure is being proven; they are never written down.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram.language.stems import stem
from engram.text.strings import folded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VECTOR = "vector"
TEXT = "text"
_WORD = re.compile(r"[^\W_]{6,}")
_LONGEST = 64  # bytes of a text: more than that make nothing surer
_VECTOR = 448  # bytes of a vector that lie in one piece, however large it is
_SHORTEST = 6
_SHORTEST_TEXT = 4  # bytes of a whole text that is looked for where no bytes are random
_LONG_TEXT = 12  # letters of a text that no random bytes look like
_CHUNK = 4 * 1024 * 1024
_FIRST, _KEY = 3, 6  # bytes by which places are looked at, and by which they are told apart


@dataclass(frozen=True, slots=True)
class Needles:
    """What must not be found: bytes, each with the kind of thing it is of."""

    kinds: dict[bytes, str]

    def __repr__(self) -> str:
        return f"Needles({len(self.kinds)})"

    def __bool__(self) -> bool:
        return bool(self.kinds)

    def without(self, kind: str) -> "Needles":
        """All but those of one kind."""
        return Needles({needle: each for needle, each in self.kinds.items() if each != kind})

    def told(self) -> list[str]:
        """Which kinds there are: all that may be said about them."""
        return sorted(set(self.kinds.values()))


def words_of(text: str) -> set[str]:
    """The words of a text that are long enough to be told from others, in small letters."""
    return {found.lower() for found in _WORD.findall(text)}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of what stays: none of them was left behind by an erasure."""

    words: frozenset[str]
    in_one: str  # all of them, for what is only a part of a word

    def __repr__(self) -> str:
        return f"Vocabulary({len(self.words)})"

    def has(self, form: str) -> bool:
        """Whether something that stays has this, be it as a part of a word."""
        small = form.lower()
        return small in self.words or small in self.in_one


def vocabulary_of(texts: Iterable[str]) -> Vocabulary:
    """The words of texts, with and without accents."""
    words: set[str] = set()
    for text in texts:
        words |= words_of(text)
    words |= {folded(each) for each in words if not each.isascii()}
    return Vocabulary(frozenset(words), "\n".join(words))


def own_words(doomed: Iterable[str], kept: Vocabulary) -> set[str]:
    """The words of erased texts that stand in nothing that stays, not even as a part."""
    found: set[str] = set()
    for text in doomed:
        found |= words_of(text)
    return {each for each in found if not kept.has(each) and not kept.has(folded(each))}


def needles_of(
    texts: Iterable[str],
    vectors: Iterable[bytes],
    kept: Vocabulary,
    is_said: Callable[[str], bool],
) -> Needles:
    """What to look for; a whole text is left out when something that stays says the same."""
    kinds: dict[bytes, str] = {}
    for vector in vectors:
        _add(kinds, vector, VECTOR, longest=_VECTOR)
    said = list(texts)
    for word in own_words(said, kept):
        for form in {word, word.capitalize(), word.upper(), folded(word), stem(folded(word))}:
            if not kept.has(form):
                _add(kinds, form.encode("utf-8", "replace"), "word")
                _add(kinds, form.encode("utf-16-le", "replace"), "word")
    for text in said:
        if len(text) >= _LONG_TEXT and not is_said(text):
            for form in {text, text.lower()}:
                _add(kinds, form.encode("utf-8", "replace"), TEXT)
    return Needles(kinds)


def _add(kinds: dict[bytes, str], whole: bytes, kind: str, *, longest: int = _LONGEST) -> None:
    # Zeros are what a page is cleaned with: a needle that begins so would be looked for everywhere.
    needle = whole.lstrip(b"\0")[:longest]
    if len(needle) >= _SHORTEST:
        kinds.setdefault(needle, kind)


def short_texts(texts: Iterable[str], is_said: Callable[[str], bool]) -> re.Pattern[bytes] | None:
    """What finds whole texts that are too short to be looked for among the pages of a database."""
    found = {text.strip().encode("utf-8", "replace") for text in texts if len(text) < _LONG_TEXT}
    wanted = sorted(
        re.escape(each)
        for each in found
        if len(each) >= _SHORTEST_TEXT and not is_said(each.decode("utf-8", "replace"))
    )
    border = rb"[0-9A-Za-z_\x80-\xff]"
    whole = rb"(?<!%b)(?:%b)(?!%b)" % (border, b"|".join(wanted), border)
    return re.compile(whole, re.IGNORECASE) if wanted else None


def chunks(content: bytes) -> Iterator[bytes]:
    """Bytes that are in memory anyway, in pieces."""
    for start in range(0, len(content), _CHUNK):
        yield content[start : start + _CHUNK]


def find(pieces: Iterable[bytes], needles: Needles) -> Needles:
    """Those needles that stand somewhere in a stream of bytes."""
    if not needles:
        return needles
    search = _Search(needles)
    found: dict[bytes, str] = {}
    rest = b""
    for piece in pieces:
        window = rest + piece
        found |= search.found_in(window)
        rest = window[-(_VECTOR - 1) :]
    return Needles(found)


class _Search:
    """Finds any of many needles in one pass, however many there are."""

    def __init__(self, needles: Needles) -> None:
        import numpy as np

        self._kinds = needles.kinds
        self._by_key: dict[int, list[bytes]] = {}
        self._begins = np.zeros(1 << (8 * _FIRST), dtype=bool)
        for needle in needles.kinds:
            self._by_key.setdefault(int.from_bytes(needle[:_KEY], "big"), []).append(needle)
            self._begins[int.from_bytes(needle[:_FIRST], "big")] = True
        self._keys = np.array(sorted(self._by_key), dtype=np.int64)

    def found_in(self, window: bytes) -> dict[bytes, str]:
        import numpy as np

        if len(window) < _KEY:
            return {}
        content = np.frombuffer(window, dtype=np.uint8)
        places = np.flatnonzero(self._begins[_beginnings(content)])
        places = places[places <= len(window) - _KEY]
        keys = _keys_at(content, places)
        likely = np.isin(keys, self._keys)
        return {
            needle: self._kinds[needle]
            for place, key in zip(places[likely].tolist(), keys[likely].tolist(), strict=True)
            for needle in self._by_key[key]
            if window.startswith(needle, place)
        }


def _beginnings(content: "NDArray[np.uint8]") -> "NDArray[np.int32]":
    """The first bytes from every place on, as one number."""
    import numpy as np

    last = len(content) - _FIRST + 1
    packed: NDArray[np.int32] = content[:last].astype(np.int32)
    for offset in range(1, _FIRST):
        packed = (packed << 8) | content[offset : last + offset]
    return packed


def _keys_at(content: "NDArray[np.uint8]", places: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """The bytes by which needles are told apart, from some places on."""
    import numpy as np

    packed: NDArray[np.int64] = content[places].astype(np.int64)
    for offset in range(1, _KEY):
        packed = (packed << 8) | content[places + offset]
    return packed
