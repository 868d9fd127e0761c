"""The words people name times with, and how a text is cut into them.

Each piece of a text gets a one-letter tag, so that the rules in `when_rules.py` are regular
expressions over a short string of tags. A word that is mostly something else ("may", "sun",
"second") has a weak tag, which counts only beside other words of time.

    M month, m month that is also a name or an abbreviation, v "may" and "march" in lower case
    W weekday, w its abbreviation, P weekdays (plural), S season, H holiday, U unit, p part of a day
    n number, o 3rd, r third, y year, C decade, K clock, k 2.30, Q quarter, D date or period
    l last, x next, t this, g ago, L later, j now, J yesterday, today, tomorrow, E tonight
    I in, N on, A at, V during, over, i for, about, Y by, s since, b before, a after, u until
    f from, B between, R 5/12, ! o'clock, % pm, ~ from one clock time to another
    c to, through, & and, or, - dash, / slash, ; comma, . point, ? end of a clause, O of, T the, Z a
    e early, d mid, z late, G beginning, X end, q every, F function word, _ any other word
"""

import re
from dataclasses import dataclass

from engram.language.when.calendar import HOLIDAYS, Clock, Named, Period

Value = int | str | Named | Period | Clock | tuple[Clock, Clock]


@dataclass(frozen=True, slots=True)
class Piece:
    """A word or a phrase of a text: its tag, its meaning and its place."""

    tag: str
    value: Value
    start: int
    end: int


_FULL_MONTHS: dict[str, int] = {}
_WEAK_MONTHS: dict[str, int] = {}
for _number, _names in enumerate(
    (
        "january januar janvier enero jänner",
        "february februar février fevrier febrero",
        "märz maerz mars marzo",
        "avril abril",
        "mai mayo",
        "juni juin junio",
        "july juli juillet julio",
        "août agosto",
        "september septembre septiembre",
        "october oktober octobre octubre",
        "november novembre noviembre",
        "december dezember décembre decembre diciembre",
    ),
    start=1,
):
    _FULL_MONTHS.update(dict.fromkeys(_names.split(), _number))
for _number, _names in enumerate(
    (
        "jan", "feb", "mar march", "apr april", "may", "jun june", "jul",
        "aug august", "sep sept", "oct okt", "nov", "dec dez",
    ),
    start=1,
):  # fmt: skip
    _WEAK_MONTHS.update(dict.fromkeys(_names.split(), _number))
# "Mars" is a planet and "mai" or "mars" a foreign word: sure months only beside a number.
for _name in ("mars", "mai", "mayo", "agosto", "julio", "junio", "enero"):
    _WEAK_MONTHS[_name] = _FULL_MONTHS.pop(_name)
_VERBS = frozenset({"may", "march"})

_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SHORT_WEEKDAYS = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4,
    "sat": 5, "sun": 6,
}  # fmt: skip
_UNITS = {
    "sec": "second", "secs": "second", "seconds": "second", "min": "minute", "mins": "minute",
    "hr": "hour", "hrs": "hour",
    **{
        form: unit
        for unit in "minute hour day week weekend fortnight month quarter year decade".split()
        for form in (unit, unit + "s")
    },
    "wk": "week", "wks": "week", "yr": "year", "yrs": "year",
}  # fmt: skip
_ONES = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBERS = {word: number for number, word in enumerate(_ONES, 1)}
NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
# Said without counting: the figures dictionaries and other readers of dates give.
_VAGUE_NUMBERS = {"couple": 2, "few": 3, "several": 3, "some": 3}
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""".split()
_WORD_ORDINALS = {word: number for number, word in enumerate(_ORDINALS, 1)} | {"thirtieth": 30}
_DAY_WORDS = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1,
    "heute": 0, "gestern": -1, "ayer": -1,
}  # fmt: skip
_PARTS = {
    "morning": "morning", "afternoon": "afternoon", "evening": "evening",
    "night": "night", "nite": "night",
}  # fmt: skip
PART_HOURS = {"morning": (5, 12), "afternoon": (12, 17), "evening": (17, 21), "night": (20, 24)}
_TAGS = {
    "l": "last past previous prior preceding", "x": "next following coming upcoming",
    "t": "this current", "g": "ago", "j": "now", "L": "later", "!": "o'clock oclock", "%": "pm",
    "I": "in", "N": "on", "A": "at @",
    "V": "during over within throughout", "i": "for around about", "Y": "by", "s": "since",
    "b": "before", "a": "after", "u": "until till til", "f": "from starting beginning commencing",
    "B": "between", "c": "to through thru", "&": "and or", "O": "of de del",
    "T": "the", "Z": "a an",
    "e": "early earlier", "d": "mid middle", "z": "late", "G": "start", "X": "end",
    "q": "every each any mornings afternoons evenings nights",
    "F": """i we you he she they it did do does was were is are am be been have has had with not
        my our your his her their that which who what when where how why as so but if then than
        there here me us him them will would can could should shall""",
}  # fmt: skip


def _vocabulary() -> dict[str, tuple[str, Value]]:
    found: dict[str, tuple[str, Value]] = {
        word: (tag, word) for tag, words in _TAGS.items() for word in words.split()
    }
    for tag, table in (
        ("M", _FULL_MONTHS), ("m", _WEAK_MONTHS), ("w", _SHORT_WEEKDAYS), ("U", _UNITS),
        ("n", NUMBERS | _VAGUE_NUMBERS), ("r", _WORD_ORDINALS), ("J", _DAY_WORDS),
    ):  # fmt: skip
        found.update((word, (tag, value)) for word, value in table.items())
    found.update((word, ("p", part)) for word, part in _PARTS.items())
    for number, day in enumerate(_WEEKDAYS):
        found[day] = ("W", number)
        found[day + "s"] = ("P", number)
    for season in ("spring", "summer", "autumn", "winter"):
        found[season] = ("S", season)
    found |= {"fall": ("S", "autumn"), "tonight": ("E", "night"), "tonite": ("E", "night")}
    found |= {"noon": ("K", Clock(12)), "midday": ("K", Clock(12)), "midnight": ("K", Clock(0))}
    found |= {f"q{number}": ("Q", number) for number in range(1, 5)}
    found |= {f"h{number}": ("Q", -number) for number in range(1, 3)}
    return found


VOCABULARY = _vocabulary()
_HOLIDAY_STARTS: dict[str, tuple[str, ...]] = {}
for _name in sorted(HOLIDAYS, key=len, reverse=True):
    _first = _name.split()[0]
    _HOLIDAY_STARTS[_first] = (*_HOLIDAY_STARTS.get(_first, ()), _name)

# One pass over the text, each character looked at a bounded number of times: a run of digits with
# its joints, a word, or one mark.
_CHUNK = re.compile(
    r"(?P<digits>\d\w*(?:[.:/-]\w+)*)|(?P<word>[^\W\d_]\w*(?:['’]\w+)*)|(?P<mark>[^\w\s])"
)
_MARKS = {
    ".": ".", "-": "-", "–": "-", "—": "-", "/": "/", ",": ";", "(": ";", ")": ";", "@": "A",
}  # fmt: skip
_CLAUSE_ENDS = frozenset('!?;:"')
_MONEY = ("$", "€", "£", "¥", "#")
_LONGEST_WORD = 24  # no word of time is longer

_YEAR = r"(?P<year>[12]\d{3})"
_SHORT_YEAR = r"(?P<year>[12]\d{3}|\d{2})"
_TWO = r"(?P<{}>[0-3]?\d)"
_MONTH, _DAY = _TWO.format("month"), _TWO.format("day")
_DATE_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_YEAR}[-/.]{_MONTH}[-/.]{_DAY}",
        rf"{_MONTH}[-/]{_DAY}[-/]{_SHORT_YEAR}",
        rf"{_DAY}[-/]{_MONTH}[-/]{_SHORT_YEAR}",
        rf"{_DAY}\.{_MONTH}\.{_SHORT_YEAR}",
        rf"{_MONTH}\.{_DAY}\.{_SHORT_YEAR}",
        rf"{_YEAR}(?P<month>[01]\d)(?P<day>[0-3]\d)",
    )
)
_MONTH_FORMS = (re.compile(rf"{_YEAR}[-/]{_MONTH}"), re.compile(rf"{_MONTH}[-/]{_YEAR}"))
_PAIR = re.compile(r"([0-3]?\d)/([0-3]?\d)")
_DOTTED = re.compile(r"([0-3]?\d)\.(\d{1,2})")
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)[tT](\d\d:\d\d(?::\d\d)?).*")
_CLOCK = re.compile(r"([0-2]?\d)(?::([0-5]\d))?(?::([0-5]\d)(?:\.\d+)?)?([ap])?m?z?", re.IGNORECASE)
_DOTTED_CLOCK = re.compile(r"([01]?\d)\.([0-5]\d)()([ap])m?", re.IGNORECASE)
_NOON_HALF = re.compile(r"\s?([ap])\s?\.?\s?m\b\.?|\s?(o['’]?\s?clock)", re.IGNORECASE)
_ORDINAL = re.compile(r"([0-3]?\d)(?:st|nd|rd|th)", re.IGNORECASE)
_DECADE = re.compile(r"((?:1[89]|20)?\d0)s")


def pieces_of(text: str) -> list[Piece]:
    """Cut a text into tagged pieces, in order."""
    found: list[Piece] = []
    place = 0
    while (match := _CHUNK.search(text, place)) is not None:
        place = match.end()
        if match["digits"] is not None:
            place = _read_digits(text, match, found)
        elif match["word"] is not None:
            place = _read_word(text, match, found)
        else:
            found.append(_mark_piece(match))
    return found


def _mark_piece(match: re.Match[str]) -> Piece:
    mark = match["mark"]
    tag = _MARKS.get(mark, "?" if mark in _CLAUSE_ENDS else "_")
    return Piece(tag, mark, match.start(), match.end())


def _read_word(text: str, match: re.Match[str], found: list[Piece]) -> int:
    written, start, end = match["word"], match.start(), match.end()
    word = written.lower().replace("’", "'") if len(written) <= _LONGEST_WORD else ""
    for name in _HOLIDAY_STARTS.get(word, ()):
        if text[start : start + len(name)].lower().replace("’", "'") == name:
            found.append(Piece("H", name, start, start + len(name)))
            return start + len(name)
    base = word.removesuffix("'s")
    tag, value = VOCABULARY.get(word) or VOCABULARY.get(base) or ("_", word)
    if tag == "m" and word in _VERBS and (written[0].islower() or not found):
        tag = "v"
    found.append(Piece(tag, value, start, end))
    return end


def _read_digits(text: str, match: re.Match[str], found: list[Piece]) -> int:
    start, end = match.span()
    before = text[start - 2 : start] if start > 1 else text[:start]
    if before[-1:] in _MONEY or (before[-1:] == " " and before[0] in _MONEY):
        found.append(Piece("_", "", start, end))
        return end
    return _digit_pieces(text, start, end, found)


def _digit_pieces(text: str, start: int, end: int, found: list[Piece]) -> int:
    chunk = text[start:end]
    half = _NOON_HALF.match(text, end)
    if (stamp := _STAMP.fullmatch(chunk)) and (day := _date_piece(stamp[1])):
        found.append(Piece(*day, start, start + len(stamp[1])))
        clock = _clock(stamp[2], None)
        found.extend([Piece("K", clock, start + stamp.start(2), end)] if clock else [])
    elif (whole := _date_piece(chunk)) is not None:
        found.append(Piece(*whole, start, end))
    elif joint := _joint(chunk):
        return _joined_pieces(text, start, end, joint, found)
    else:
        return _number_piece(text, start, end, half, found)
    return end


def _joint(chunk: str) -> str:
    """Where a run that is no date is cut: 5/1-5/7 at its dash, 2020/Sep/23 at its slashes."""
    if "-" in chunk:
        return "-"
    return "/" if "/" in chunk and any(letter.isalpha() for letter in chunk) else ""


def _joined_pieces(text: str, start: int, end: int, joint: str, found: list[Piece]) -> int:
    place = start
    for part in text[start:end].split(joint):
        last = _sub_pieces(text, place, place + len(part), found)
        if last > place + len(part):
            return last
        place += len(part) + 1
        if place <= end:
            found.append(Piece(joint, joint, place - 1, place))
    return end


def _sub_pieces(text: str, start: int, end: int, found: list[Piece]) -> int:
    part = text[start:end]
    if part[:1].isdigit():
        whole = _date_piece(part)
        if whole is None:
            return _number_piece(text, start, end, _NOON_HALF.match(text, end), found)
        found.append(Piece(*whole, start, end))
        return end
    word = part.lower() if len(part) <= _LONGEST_WORD else ""
    found.append(Piece(*VOCABULARY.get(word, ("_", "")), start, end))
    return end


def _number_piece(
    text: str, start: int, end: int, half: re.Match[str] | None, found: list[Piece]
) -> int:
    chunk = text[start:end]
    clock = _clock(chunk, (half[1] or "") if half else None)
    if clock is not None:
        end = half.end() if half else end
        found.append(Piece("K", clock, start, end))
        return end
    found.append(Piece(*_plain_number(chunk), start, end))
    return end


def _plain_number(chunk: str) -> tuple[str, Value]:
    if match := _ORDINAL.fullmatch(chunk):
        return "o", int(match[1])
    if match := _DECADE.fullmatch(chunk):
        year = int(match[1])
        return "C", year if year > 100 else 1900 + year
    if match := _PAIR.fullmatch(chunk):
        return _pair(int(match[1]), int(match[2]))
    if match := _DOTTED.fullmatch(chunk):
        return "k", f"{match[1]}.{match[2]}"
    if chunk.isascii() and chunk.isdigit() and len(chunk) <= 4:
        return ("y" if 1000 <= int(chunk) < 3000 else "n"), int(chunk)
    return "_", ""


def _pair(first: int, second: int) -> tuple[str, Value]:
    """5/12 is the twelfth of May; 22/04 can only be the day first."""
    if (first, second) == (24, 7):
        return "_", ""  # round the clock
    if first > 12:
        first, second = second, first
    is_date = 1 <= first <= 12 and 1 <= second <= 31
    return ("R", Named(month=first, day=second)) if is_date else ("_", "")


def _date_piece(chunk: str) -> tuple[str, Value] | None:
    if not 5 <= len(chunk) <= 32:
        return None
    for form in _DATE_FORMS:
        if (match := form.fullmatch(chunk)) and _is_day(match):
            return "D", Named(_full_year(match["year"]), int(match["month"]), int(match["day"]))
    for form in _MONTH_FORMS:
        if (match := form.fullmatch(chunk)) and 1 <= int(match["month"]) <= 12:
            return "D", Named(int(match["year"]), int(match["month"]))
    return None


def _is_day(match: re.Match[str]) -> bool:
    return 1 <= int(match["month"]) <= 12 and 1 <= int(match["day"]) <= 31


def _full_year(year: str) -> int:
    """Two digits mean the century in which they are nearer to living memory."""
    number = int(year)
    if len(year) > 2:
        return number
    return 2000 + number if number < 40 else 1900 + number


def _clock(chunk: str, half: str | None) -> Clock | None:
    """A time of day, if a colon, "am", "pm" or "o'clock" says that it is one."""
    match = _CLOCK.fullmatch(chunk) or _DOTTED_CLOCK.fullmatch(chunk)
    if match is None and half and (dotted := _DOTTED.fullmatch(chunk)):
        return _hour(int(dotted[1]), int(dotted[2]), 0, half.lower())
    if match is None or not (match[2] or match[4] or half is not None):
        return None
    letter = (match[4] or half or "").lower()
    return _hour(int(match[1]), int(match[2] or 0), int(match[3] or 0), letter)


def _hour(hour: int, minute: int, second: int, letter: str) -> Clock | None:
    if hour > 23 or minute > 59 or (letter and not 1 <= hour <= 12):
        return None
    if letter:
        hour = hour % 12 + (12 if letter == "p" else 0)
    return Clock(hour, minute, second, is_exact=bool(letter) or hour > 12 or hour == 0)
