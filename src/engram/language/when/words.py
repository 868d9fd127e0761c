"""Cutting a text into pieces with one-letter tags, so that rules are patterns over the tags.

A word that is mostly something else ("may", "sun", "second") has a weak tag, which counts only
beside other words of time. `grammar.txt` lists the tags.
"""

import re
from dataclasses import dataclass, replace
from importlib.resources import files

from engram.language.when.lexicons import Lexicon, Value
from engram.text.calendar import Clock, Named


@dataclass(frozen=True, slots=True)
class Piece:
    """A word or a phrase of a text: its tag, its meaning, its place and the tags it was made of."""

    tag: str
    value: Value
    start: int
    end: int
    made_of: str = ""


# One pass over the text, each character looked at a bounded number of times: a run of digits with
# its joints, a word, a Chinese character, or one mark.
_CHUNK = re.compile(
    r"(?P<digits>(?<!\w)['’]\d\d(?!\w)|\d{1,3}(?:,\d{3}(?!\d))+|\d[^\W\u4e00-\u9fff]*(?:[.:/-][^\W\u4e00-\u9fff]+)*)"
    r"|(?P<han>[\u4e00-\u9fff])"
    r"|(?P<word>[^\W\d_\u4e00-\u9fff][^\W\u4e00-\u9fff]*(?:['’][^\W\u4e00-\u9fff]+)*)"
    r"|(?P<mark>[^\w\s])"
)
_MARKS = {
    ".": ".", "-": "-", "–": "-", "—": "-", "/": "/", ",": ";", "(": ";", ")": ";", "@": "A",
}  # fmt: skip
_CLAUSE_ENDS = frozenset('!?;:"')
_MONEY = ("$", "€", "£", "¥", "#")
_LONGEST_WORD = 24  # no word of time is longer
_LONGEST_HAN = 4
_VERBS = frozenset({"may", "march"})
_HAN_DIGITS = "零一二三四五六七八九"
_HAN_NUMBER = re.compile("[零一二两三四五六七八九十]+")

_FORMS = files("engram.language.when").joinpath("date_forms.txt").read_text("utf-8").splitlines()
_MONTH_FIRST = tuple(map(re.compile, _FORMS))  # the third has the month before the day
_DAY_FIRST = (*_MONTH_FIRST[:2], _MONTH_FIRST[3], _MONTH_FIRST[2], *_MONTH_FIRST[4:])
_DAY_FIRST_PAIR = re.compile(r"(?<![\w./-])(?!24/7)(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])(?!\d)")
_PAIR = re.compile(r"([0-3]?\d)/([0-3]?\d)")
_DOTTED = re.compile(r"([0-3]?\d)\.(\d{1,2})")
# With no "T" it is a time by itself, with an offset: 09:30:00-05:00, where 9:30-11:00 is a range.
_STAMP = re.compile(r"\d{4}-\d\d-\d\d([tT])\d\d:\d\d.*|\d\d:\d\d:[\d.]+-(?:0\d|1[0-2]):?[0-5]\d")
_STAMPED = re.compile(r"(?:(?<=\d[-/.]\d\d[tT ])|(?<=[-/.]\d{4} ))\d\d:")
_OFFSET = re.compile(r"\s?(?:(?:UTC|GMT)[+-]|\+)(?:0\d|1[0-4]):?[0-5]\d\b")
_CLOCK = re.compile(
    r"(?i)([0-2]?\d)(?:[:h]([0-5]\d))?(?::([0-5]\d)(?:\.\d+)?)?([ap])?m?z?(?:-\d\d:?\d\d)?"
)
_NOON_HALF = re.compile(r"\s?([ap])\s?\.?\s?m\b\.?|\s?(o['’]?\s?clock|uhr)\b", re.IGNORECASE)
_SHORT = re.compile(r"(\d{1,3})([a-z]{1,2})")  # "3d ago"
_ORDINAL = re.compile(r"([0-3]?\d)(?:st|nd|rd|th|er|º|ª)", re.IGNORECASE)
_YEARS = re.compile(r"([12]\d(\d\d))[/-](\d\d)")  # 1944/45
_DECADE = re.compile(r"((?:1[89]|20)?\d0)(?:s|ern?)")
_DOT_BEFORE_WORD = re.compile(r"\.(?=\s+[^\W_])")


def pieces_of(text: str, words: Lexicon) -> list[Piece]:
    """Cut a text into tagged pieces, in order."""
    is_day_first = words.is_day_first or _DAY_FIRST_PAIR.search(text) is not None
    return _in_english_order(_Cutter(text, replace(words, is_day_first=is_day_first)).cut())


_NOUN_FIRST = re.compile("[UWSMm][<>]")
_WAYS = {"<": "l", ">": "x"}


def _in_english_order(pieces: list[Piece]) -> list[Piece]:
    """The pieces with "la semana pasada" as "last week"."""
    for match in _NOUN_FIRST.finditer("".join(piece.tag for piece in pieces)):
        noun, way = (pieces[place] for place in range(*match.span()))
        pieces[match.start()] = replace(noun, tag=_WAYS[way.tag], value=way.value)
        pieces[match.start() + 1] = replace(way, tag=noun.tag, value=noun.value)
    return pieces


class _Cutter:
    """One pass over one text."""

    def __init__(self, text: str, words: Lexicon) -> None:
        self._text = text
        self._words = words
        self._found: list[Piece] = []

    def cut(self) -> list[Piece]:
        place = 0
        while (match := _CHUNK.search(self._text, place)) is not None:
            start, end = match.span()
            if match["digits"] is not None:
                place = self._digits(start, end)
            elif match["word"] is not None:
                place = self._word(match["word"], start, end)
            elif match["han"] is not None:
                place = self._han(start)
            else:
                place = self._mark(match["mark"], start)
        return self._found

    def _add(self, tag: str, value: Value, start: int, end: int) -> int:
        self._found.append(Piece(tag, value, start, end))
        return end

    def _mark(self, mark: str, start: int) -> int:
        if mark in self._words.words:
            return self._known(mark, start, start + 1)
        tag = _MARKS.get(mark, "?" if mark in _CLAUSE_ENDS else "_")
        return self._add(tag, mark, start, start + 1)

    def _word(self, written: str, start: int, end: int) -> int:
        word = written.lower().replace("’", "'") if len(written) <= _LONGEST_WORD else ""
        if phrase := self._phrase(word, start):
            return self._known(phrase, start, start + len(phrase))
        base, _, ending = word.partition("'")
        if word not in self._words.words and (first := self._words.first(base)):
            is_part = ending == "s" and first[0] != "m"  # but "June's kitchen"
            word = base if is_part or first[0] == "F" else word
        is_verb = word in _VERBS and (written[0].islower() or not self._found)
        if is_verb and (first := self._words.first(word)) and first[0] == "m":
            return self._add("v", first[1], start, end)
        return self._known(word, start, end)

    def _phrase(self, word: str, start: int) -> str:
        """The longest phrase that begins here with a word, or none."""
        for phrase in self._words.phrases.get(word, ()):
            stop = start + len(phrase)
            is_whole = not self._text[stop : stop + 1].isalnum()
            if is_whole and self._text[start:stop].lower().replace("’", "'") == phrase:
                return phrase
        return ""

    def _known(self, word: str, start: int, end: int) -> int:
        for tag, value in self._words.words.get(word, (("_", self._text[start:end]),)):
            self._add(tag, value, start, end)
        return end

    def _han(self, start: int) -> int:
        """The longest known word that begins here; Chinese puts no blanks between words."""
        for length in range(_LONGEST_HAN, 0, -1):
            if (word := self._text[start : start + length]) in self._words.words:
                return self._known(word, start, start + length)
        if number := _HAN_NUMBER.match(self._text, start):
            value = _han_number(number[0][:4])
            return self._add("n", value, start, number.end())
        return self._add("_", self._text[start], start, start + 1)

    def _digits(self, start: int, end: int) -> int:
        before = self._text[max(0, start - 2) : start]
        is_money = before[-1:] in _MONEY or (before[-1:] == " " and before[0] in _MONEY)
        chunk = self._text[start:end]
        if is_money:
            self._add("_", "", start, end)
        elif (whole := self._date(chunk)) is not None:
            self._add("D", whole, start, end)
        elif joint := _joint(chunk):
            return self._joined(start, end, joint)
        else:
            return self._number(start, end)
        return end

    def _joined(self, start: int, end: int, joint: str) -> int:
        place = start
        for part in self._text[start:end].split(joint):
            stop = place + len(part)
            if not part[:1].isdigit():
                self._word(part, place, stop)
            elif (whole := self._date(part)) is not None:
                self._add("D", whole, place, stop)
            elif (last := self._number(place, stop)) > stop:
                return last
            place = stop + 1
            if place <= end:
                tag = "A" if joint in "tT" else joint
                self._add(tag, joint, place - 1, place)
        return end

    def _number(self, start: int, end: int) -> int:
        chunk = self._text[start:end]
        if (short := _SHORT.fullmatch(chunk)) and self._phrase(short[2], start + len(short[1])):
            self._add("n", int(short[1]), start, start + len(short[1]))
            return self._word(short[2], start + len(short[1]), end)
        half = _NOON_HALF.match(self._text, end)
        is_after_at = bool(self._found) and self._found[-1].tag == "A"
        plain = chunk.removesuffix("h" if is_after_at else "ish")  # "à 15h", "8ish"
        clock = _clock(plain, (half[1] or "") if half else None if plain == chunk else "")
        if clock is not None:
            end = half.end() if half else end
            offset = _OFFSET.match(self._text, end)  # the hour stays as it is written
            is_exact = clock.is_exact or _STAMPED.match(self._text, start) is not None
            clock = replace(clock, is_exact=is_exact)
            return self._add("K", clock, start, offset.end() if offset else end)
        tag, value = _plain_number(chunk, is_day_first=self._words.is_day_first)
        dot = _DOT_BEFORE_WORD.match(self._text, end)
        if dot and tag in "nk" and self._words.is_day_first:  # "am 5. März"
            tag, end = ("o" if tag == "n" else tag), dot.end()
        return self._add(tag, value, start, end)

    def _date(self, chunk: str) -> Named | None:
        if not 5 <= len(chunk) <= 32:
            return None
        for form in _DAY_FIRST if self._words.is_day_first else _MONTH_FIRST:
            match = form.fullmatch(chunk)
            given = match.groupdict() if match else {}
            month, day = int(given.get("month", 0)), int(given.get("day", 1))
            if 1 <= month <= 12 and 1 <= day <= 31:
                return Named(_full_year(given["year"]), month, day if "day" in given else None)
        return None


def _joint(chunk: str) -> str:
    """Where a run that is no date is cut: 5/1-5/7 at its dash, 2020/Sep/23 at its slashes."""
    if stamp := _STAMP.fullmatch(chunk):
        return stamp[1] or ""
    if "-" in chunk:
        return "-"
    return "/" if "/" in chunk and any(letter.isalpha() for letter in chunk) else ""


def _han_number(written: str) -> int:
    tens, ten, ones = written.replace("两", "二").rpartition("十")
    number = (_HAN_DIGITS.find(tens[-1]) if tens else 1) * 10 if ten else 0
    return number + (_HAN_DIGITS.find(ones[-1]) if ones else 0)


def _plain_number(chunk: str, *, is_day_first: bool) -> tuple[str, Value]:
    if chunk[0] in "'’":
        return "y", _full_year(chunk[1:])
    if match := _ORDINAL.fullmatch(chunk):
        return "o", int(match[1])
    if match := _DECADE.fullmatch(chunk):
        year = int(match[1])
        return "C", year if year > 100 else 1900 + year
    if (years := _YEARS.fullmatch(chunk)) and int(years[3]) == (int(years[2]) + 1) % 100:
        return "ψ", int(years[1])
    if _PAIR.fullmatch(chunk):
        return _pair(chunk, is_day_first=is_day_first)
    if match := _DOTTED.fullmatch(chunk):
        return "k", f"{match[2]}.{match[1]}" if is_day_first else f"{match[1]}.{match[2]}"
    if chunk.isascii() and chunk.isdigit() and len(chunk) <= 4:
        return ("y" if 1000 <= int(chunk) < 3000 else "n"), int(chunk)
    return "_", ""


def _pair(chunk: str, *, is_day_first: bool) -> tuple[str, Value]:
    """5/12 is the twelfth of May; 05/12 is a date for sure, and 22/04, which has the day first."""
    month, day = map(int, chunk.split("/"))
    is_clear = "0" in (chunk[0], chunk[-2]) or month > 12
    if month > 12 or (is_day_first and day <= 12):
        month, day = day, month
    is_date = 1 <= month <= 12 and 1 <= day <= 31 and chunk != "24/7"
    return ("D" if is_clear else "R", Named(month=month, day=day)) if is_date else ("_", "")


def _full_year(year: str) -> int:
    """Two digits mean the century in which they are nearer to living memory."""
    return int(year) + (0 if len(year) > 2 else 2000 if int(year) < 40 else 1900)


def _clock(chunk: str, half: str | None) -> Clock | None:
    """A time of day, if a colon, "am", "pm" or "o'clock" says that it is one."""
    match = _CLOCK.fullmatch(chunk.replace(".", ":") if half or chunk[-1] in "apmAPM" else chunk)
    if match is None or not (match[2] or match[4] or half is not None):
        return None
    letter, hour = (match[4] or half or "").lower(), int(match[1])
    if hour > 23 or (letter and not 1 <= hour <= 12):
        return None
    is_exact = bool(letter or match[3]) or hour not in range(1, 13) or chunk[0] == "0"
    hour = hour % 12 + 12 * (letter == "p") if letter else hour
    minute = None if match[2] is None else int(match[2])
    return Clock(hour, minute, int(match[3] or 0), is_exact)
