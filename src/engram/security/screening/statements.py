"""What people say of themselves in words: their name, home, address, papers, day of birth."""

import re
from collections.abc import Iterator

from engram.security.screening.marks import places_of, word_places

Found = tuple[int, int, str]  # start, end, kind

_CAPITAL = r"[^\W\d_a-zà-öø-ÿα-ωа-я][\w'’-]{0,40}"
_PARTICLE = r"(?:van|von|de|der|den|da|di|del|la|le|bin|al|el)"
_NAMES = rf"{_CAPITAL}(?: (?:{_PARTICLE} ){{0,2}}{_CAPITAL}){{0,3}}"
_NAME = re.compile(rf"(?: is|'s| ist|:)? ({_NAMES})")
_SMALL_NAME = re.compile(r"([^\W\d_][\w'’-]{0,40})(?=[ \t]{0,3}(?:$|[.,!\n]))")
_HOME = re.compile(rf" (?:in|at|near|on|en|à|bei|to) (?:the )?({_NAMES})")
_PAPER = re.compile(
    r"[\w'’]{0,4}(?: (?:card|licen[cs]e|number|nummer|no\.?|nr\.?|número|numéro|id|pass)){0,3}"
    r"(?: ?#)?"
    r"(?: (?:is|was|ist|lautet|est|es)|[=:])?[\s:#]{1,3}"
    r"((?=[A-Za-z]{0,4}-?\d{3})[A-Za-z0-9][A-Za-z0-9-]{4,18}[A-Za-z0-9])(?!\w)"
)
_BIRTH = re.compile(
    r"[ a-z'’.:,?]{0,28}(?<=[ :])(?:[Ii]t['’]s )?"
    r"(\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{1,2}(?:st|nd|rd|th|\.)? [^\W\d_]{3,9},? \d{4}"
    r"|[^\W\d_]{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?!\w)"
)

# The words that stand before each pattern, and the kind of its group 1.
_RULES: tuple[tuple[tuple[str, ...], str, re.Pattern[str]], ...] = (
    (
        ("my name", "my full name", "my first name", "my last name", "my legal name", "my surname",
         "mein name", "me llamo", "je m'appelle", "ich heiße", "ich heisse"),
        "person_name",
        _NAME,
    ),
    (("my name is ",), "person_name", _SMALL_NAME),
    (
        ("i live", "we live", "i reside", "i'm based", "i am based", "i moved", "we moved",
         "ich wohne", "j'habite", "vivo"),
        "location",
        _HOME,
    ),
    (
        ("passport", "driver", "driving lic", "national id", "identity card", "tax id", "reisepass",
         "personalausweis", "führerschein", "pasaporte", "passeport"),
        "government_id",
        _PAPER,
    ),
    (
        ("born", "date of birth", "birth date", "birthdate", "birthday", "dob", "geboren", "né le",
         "née le", "nací el", "fecha de nacimiento"),
        "date_of_birth",
        _BIRTH,
    ),
)  # fmt: skip

# Street words are taken with a capital only: "two doors down the lane" is no address.
_STREET_WORD = (
    r"(?:Street|St\.?|Avenue|Ave\.?|Road|Rd\.?|Boulevard|Blvd\.?|Lane|Ln\.?|Drive|Dr\.?|Court|Ct\.?"
    r"|Square|Sq\.?|Place|Pl\.?|Terrace|Way|Highway|Hwy\.?|Parkway|Circle|Crescent|Close)"
)
_DOOR = r"(?:,? |,? ?\n ?)(?:[Aa]pt\.?|[Aa]partment|[Ss]uite|[Ss]te\.?|[Uu]nit|[Ff]lat|#) ?\w{1,6}"
_TOWN = (
    rf"(?:,?\s{{1,2}}{_CAPITAL}(?: {_CAPITAL}){{0,2}})?(?:,? [A-Z]{{2}})?"
    r"(?:,?\s{1,2}\d{5}(?!\d))"
)
_NUMBER_FIRST = re.compile(
    rf"\d(?<![\w.,$]\d)\d{{0,4}}[A-Za-z]? (?:{_CAPITAL}\.? ){{1,4}}?{_STREET_WORD}(?!\w)"
    rf"(?:{_DOOR})?(?:{_TOWN})?"
)
_STREET_ENDS = (
    "straße ", "strasse ", "str. ", "gasse ", "allee ", "platz ", "vej ", "veien ", "laan ",
    "straat ",
)  # fmt: skip
_HOUSE_AND_TOWN = re.compile(r"\d{1,4} ?[a-z]?(?!\w)(?:,? {0,2}\d{4,5} [^\W\d_][\w-]{1,30})?")
_WAYS = ("rue ", "calle ", "via ", "rua ", "piazza ", "paseo ", "avenida ", "ul. ")
_WAY = re.compile(
    rf"[^\W\d_]{{2,7}}\.? (?:(?:de|du|la|les|des|del|da|do|dos) ){{0,2}}{_CAPITAL}"
    rf"(?: {_CAPITAL}){{0,3}},? \d{{1,4}}(?!\w)"
)
_NUMBER_BEFORE = re.compile(r"\d{1,4},? $")
_BOX = re.compile(r"(?:p\.? ?o\.? ?box) \d{1,7}(?!\w)")
_LONGEST_STREET = 30


def find_statements(text: str, small: str) -> Iterator[Found]:
    """What is said of a person in words; the find is the name, the place or the number itself."""
    for marks, kind, pattern in _RULES:
        for mark in marks:
            if mark not in small:
                continue
            for place in word_places(mark, small):
                match = pattern.match(text, place + len(mark))
                if match:
                    yield *match.span(1), kind
    for start, end in _addresses(text, small):
        yield start, end, "address"


def _addresses(text: str, small: str) -> Iterator[tuple[int, int]]:
    for numbered in _NUMBER_FIRST.finditer(text):
        yield numbered.span()
    yield from _streets(text, small)
    yield from _ways(text, small)
    for mark in ("p.o.", "po box", "p. o."):
        for place in word_places(mark, small):
            box = _BOX.match(small, place)
            if box:
                yield box.span()


def _streets(text: str, small: str) -> Iterator[tuple[int, int]]:
    """One word that ends in a word for street, and the number of the house."""
    for mark in _STREET_ENDS:
        for place in places_of(mark, small):
            house = _HOUSE_AND_TOWN.match(text, place + len(mark))
            if house:
                yield _start_of_word(small, place), house.end()


def _ways(text: str, small: str) -> Iterator[tuple[int, int]]:
    """A word for street, its name, and the number of the house before or behind."""
    for mark in _WAYS:
        for place in word_places(mark, small):
            way = _WAY.match(text, place)
            if way:
                before = _NUMBER_BEFORE.search(text, max(0, place - 6), place)
                yield before.start() if before else place, way.end()


def _start_of_word(small: str, place: int) -> int:
    start = place
    while start > max(0, place - _LONGEST_STREET) and _is_in_word(small[start - 1]):
        start -= 1
    return start


def _is_in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "-"
