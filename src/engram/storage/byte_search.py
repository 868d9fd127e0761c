"""Looks for what was erased in raw bytes: whole texts, words that nothing else has, and vectors.

The needles live in memory, as long as an erasure is being proven; they are never written down.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram.memory.lexicon import folded
from engram.memory.stems import stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORD = re.compile(r"[^\W_]{6,}")
_LONGEST = 64  # bytes of a needle: more than that make nothing surer
_SHORTEST = 6
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
        _add(kinds, vector, "vector")
    said = list(texts)
    for word in own_words(said, kept):
        for form in {word, word.capitalize(), word.upper(), folded(word), stem(folded(word))}:
            if not kept.has(form):
                _add(kinds, form.encode("utf-8", "replace"), "word")
                _add(kinds, form.encode("utf-16-le", "replace"), "word")
    for text in said:
        if len(text) >= 2 * _SHORTEST and not is_said(text):
            for form in {text, text.lower()}:
                _add(kinds, form.encode("utf-8", "replace"), "text")
    return Needles(kinds)


def _add(kinds: dict[bytes, str], needle: bytes, kind: str) -> None:
    # Zeros are what a page is cleaned with: a needle of them would be found everywhere.
    if len(needle) >= _SHORTEST and needle[:_LONGEST].strip(b"\0"):
        kinds.setdefault(needle[:_LONGEST], kind)


def chunks(content: bytes) -> Iterator[bytes]:
    """Bytes that are in memory anyway, in pieces."""
    for start in range(0, len(content), _CHUNK):
        yield content[start : start + _CHUNK]


def kinds_found(pieces: Iterable[bytes], needles: Needles) -> set[str]:
    """Which kinds of needles stand somewhere in a stream of bytes."""
    if not needles:
        return set()
    search = _Search(needles)
    found: set[str] = set()
    rest = b""
    for piece in pieces:
        window = rest + piece
        found |= search.kinds_in(window)
        rest = window[-(_LONGEST - 1) :]
    return found


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

    def kinds_in(self, window: bytes) -> set[str]:
        import numpy as np

        if len(window) < _KEY:
            return set()
        content = np.frombuffer(window, dtype=np.uint8).astype(np.int64)
        places = np.flatnonzero(self._begins[_packed(content, None, _FIRST)])
        places = places[places <= len(window) - _KEY]
        keys = _packed(content, places, _KEY)
        likely = np.isin(keys, self._keys)
        return {
            self._kinds[needle]
            for place, key in zip(places[likely].tolist(), keys[likely].tolist(), strict=True)
            for needle in self._by_key[key]
            if window.startswith(needle, place)
        }


def _packed(
    content: "NDArray[np.int64]", places: "NDArray[np.int64] | None", size: int
) -> "NDArray[np.int64]":
    """So many bytes from each place on, as one number."""
    last = len(content) - size + 1
    packed = content[:last] if places is None else content[places]
    for offset in range(1, size):
        following = content[offset : last + offset] if places is None else content[places + offset]
        packed = (packed << 8) | following
    return packed
