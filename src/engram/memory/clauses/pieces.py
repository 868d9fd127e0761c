"""The words of a sentence: what each is there for, and the names and words that clauses hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engram.language.lexicon import COMMON_WORDS, folded
from engram.language.names.ordinary import is_ordinary
from engram.memory.claims.forms import is_past, plain_form, spelled_out, with_numbers

_TOKEN = re.compile(r"[\w][\w'+#/:@.-]*[\w+#]|\w|[,;:()—–]")
_BE = frozenset("is are was were am be been being".split())
_PREPOSITIONS = frozenset(
    """in at on to from of for with by near under over into onto behind before after than inside
    outside beside between among against toward towards via since until during about through like
    without as across along around above below off""".split()
)
_LINKS = frozenset(", ; : ( ) — – and but or while whereas because although though so".split())
_RELATIVE = frozenset("who which that where whom".split())
_ARTICLES = frozenset("a an the this these those each every some any his her its their".split())
_FIRST_PERSON = frozenset("i me we us".split())
_OF_FIRST_PERSON = frozenset("my mine our ours".split())
_SKIPPED = (COMMON_WORDS - {"get", "gets", "got"}) | frozenset(
    "currently now still also already recently today".split()
)
_HAVE = frozenset("have has had".split())
# Small words of other languages, whose order tells something else; those that also stand in names
# or in English ("de", "die") are not here.
_OTHER_LANGUAGES = frozenset(
    """el los las en con que está vive su para pero le les des dans et avec sur qui elle à au
    aux du der das den dem ein eine einen einem und ist nicht mit auf für bei wird wurde il gli è
    nel nella che sono não het een niet voor wordt och är inte på""".split()
)
_OTHER_SCRIPTS_FROM = "\u0370"
_UNCHANGED = frozenset("put cut read hit set shut cost spread hurt split beat run come".split())


@dataclass(frozen=True, slots=True)
class Unit:
    """A name in all its words, a number or a single word, and how it stands in its clause."""

    forms: frozenset[str]
    is_name: bool = False
    is_number: bool = False
    is_owner: bool = False  # "Ada's", "of Ada": it says whose, and does nothing itself
    place: str = ""  # the preposition in front of it

    def meets(self, other: "Unit") -> bool:
        """Whether both may stand for the same."""
        if self.is_name and other.is_name:
            return self.forms <= other.forms or other.forms <= self.forms
        return self.forms == other.forms


class Kind(StrEnum):
    """What a word is there for."""

    UNIT = "unit"  # it names somebody or something, or says what they do
    BE = "be"
    PREPOSITION = "preposition"
    ARTICLE = "article"
    LINK = "link"  # another part may begin behind it
    RELATIVE = "relative"


@dataclass(frozen=True, slots=True)
class Piece:
    """One word of a sentence: what it is there for, and the unit it makes, if any."""

    kind: Kind
    text: str
    unit: Unit | None = None


Pieces = list[Piece]
_SMALL = {
    Kind.BE: _BE,
    Kind.LINK: _LINKS,
    Kind.RELATIVE: _RELATIVE,
    Kind.PREPOSITION: _PREPOSITIONS,
    Kind.ARTICLE: _ARTICLES,
}


def pieces_of(sentence: str, speaker: str | None) -> Pieces:
    """The words of a sentence, names in one piece; nothing where it is not in English."""
    found: Pieces = []
    words = _TOKEN.findall(spelled_out(sentence))
    if not _is_english(words):
        return found
    for place, word in enumerate(words):
        piece = _piece(word, is_first=place == 0, speaker=speaker)
        if folded(word) in _HAVE and _is_owned(words[place + 1 : place + 2]):
            piece = Piece(Kind.UNIT, "have", Unit(frozenset({"have"})))
        if piece is None:
            continue
        joined = _as_one_name(found[-1], piece) if found else None
        found[-1:] = [joined] if joined is not None else [*found[-1:], piece]
    return found


def _is_english(words: Sequence[str]) -> bool:
    """Whether the order of the words may be read as English; names alone may be of any language."""
    is_latin = all(
        letter < _OTHER_SCRIPTS_FROM for word in words for letter in word if letter.isalpha()
    )
    return is_latin and _OTHER_LANGUAGES.isdisjoint([*map(str.lower, words[:1]), *words[1:]])


def _is_owned(following: Sequence[str]) -> bool:
    """Whether "has" says that somebody has something, and does not help another verb."""
    plain = folded(following[0]) if following else ""
    is_helping = plain in _SKIPPED | _BE and plain not in _ARTICLES
    return bool(plain) and not is_helping and not is_participle(plain)


def _piece(word: str, *, is_first: bool, speaker: str | None) -> Piece | None:
    plain = folded(word)
    bare = plain.removesuffix("'s").removesuffix("'")
    owns = bare != plain
    if plain in _FIRST_PERSON | _OF_FIRST_PERSON:
        return _person(speaker, owns=plain in _OF_FIRST_PERSON)
    small = None if word == "A" and not is_first else _small_word(plain)
    is_skipped = plain in _SKIPPED and not (len(word) == 1 and word.isupper())
    if small is not None or is_skipped or plain.endswith("ly"):
        return small
    (number, *_) = with_numbers([bare]) or [bare]
    if number[:1].isdigit():
        return Piece(Kind.UNIT, plain, Unit(frozenset({number.lstrip("0")}), is_number=True))
    is_name = word[0].isupper() and not (is_first and is_ordinary(bare))
    return Piece(
        Kind.UNIT, bare, Unit(frozenset({plain_form(bare)}), is_name=is_name, is_owner=owns)
    )


def _small_word(plain: str) -> Piece | None:
    return next((Piece(kind, plain) for kind, words in _SMALL.items() if plain in words), None)


def _person(speaker: str | None, *, owns: bool) -> Piece | None:
    words = frozenset(map(plain_form, folded(speaker or "").split()))
    return Piece(Kind.UNIT, "i", Unit(words, is_name=True, is_owner=owns)) if words else None


def _as_one_name(last: Piece, piece: Piece) -> Piece | None:
    """Two words of one name, as the two of "Ada Lovelace"; None where they are not."""
    first, second = last.unit, piece.unit
    if first is None or second is None or not (first.is_name and second.is_name):
        return None
    whole = replace(second, forms=first.forms | second.forms)
    return None if first.is_owner else replace(last, unit=whole)


def is_participle(word: str) -> bool:
    """Whether a word may stand behind "is" to say what was done."""
    return is_past(word) or word.endswith(("ed", "en")) or word in _UNCHANGED
