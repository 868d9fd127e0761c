"""Where sentences end: which full stops end one, and which belong to a figure or a short form."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engram.language.tables import words_of

LONGEST_SENTENCE = 400  # longer is no sentence; cut at a comma or a space, so that rules stay fast
_STOP = re.compile(
    # What looks back keeps a long row of signs from being tried from each of them anew.
    r"(?<![.!?…。！？])[.!?…。！？]+[\"'”’)\]*_]*(?=\s|$|[A-Z\U0001F300-\U0001FAFF☀-➿])"
    r"|[。！？]|(?<![\U0001F300-\U0001FAFF☀-➿️])[\U0001F300-\U0001FAFF☀-➿️]+(?=\s+[A-Z\"“'])|\n"
)
_LAST_WORD = re.compile(r"(?:[^\W\d_]|\.)+$")
_ABBREVIATIONS = words_of("abbreviations")
# These can end a sentence too: then a word follows that opens one.
_MAYBE_LAST = words_of("abbreviations_at_ends")
_OPENERS = words_of("sentence_openers")
_VALUE = re.compile(r"(?:\d[.,:]\d+|\d{3,})$")
_NEXT_WORD = re.compile(r"\s*[\"'“(]*([\w'’]+)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and where it stands in the text that was given."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """The place behind its last character."""
        return self.start + len(self.text)


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of a text in order, without the space around them."""
    found: list[Sentence] = []
    begin = 0
    for stop in _STOP.finditer(text):
        if _ends_sentence(text, begin, stop):
            found.extend(_trimmed(text, begin, stop.end()))
            begin = stop.end()
    found.extend(_trimmed(text, begin, len(text)))
    return found


def _ends_sentence(text: str, begin: int, stop: re.Match[str]) -> bool:
    mark = stop[0]
    following = _NEXT_WORD.match(text, stop.end(), stop.end() + 40)
    if mark[0] not in ".…" or following is None:
        return True
    if mark.startswith(("…", "..")):
        return following[1][0].isupper()  # "well... maybe" goes on
    if len(mark) > 1:  # a quotation or bracket closes with it
        return not following[1][0].islower()
    word = _LAST_WORD.search(text, max(begin, stop.start() - 12), stop.start())
    last = word[0].strip(".").lower() if word else ""
    is_initial = len(last) == 1 and text[stop.start() - 1].isupper() and last != "i"
    if last in _MAYBE_LAST or is_initial:
        return following[1].lower().replace("’", "'") in _OPENERS and following[1][0].isupper()
    if last in _ABBREVIATIONS or (last in ("no", "nr") and following[1][0].isdigit()):
        return False
    if last.isdigit() or (not last and text[stop.start() - 1 : stop.start()].isdigit()):
        # "2.4. then" ends, "the 3. floor" goes on: figures with a point or many digits are values.
        return not following[1][0].islower() or _VALUE.search(text, begin, stop.start()) is not None
    return len(last) > 1 or not following[1][0].islower()  # many write no capitals at all


def _trimmed(text: str, begin: int, end: int) -> Iterator[Sentence]:
    end = begin + len(text[begin:end].rstrip())
    while rest := text[begin:end].lstrip():
        begin = end - len(rest)
        size = len(rest) if len(rest) <= LONGEST_SENTENCE else _seam(rest)
        yield Sentence(rest[:size].rstrip(), begin)
        begin += size


def _seam(text: str) -> int:
    for mark in (", ", " "):
        cut = text.rfind(mark, LONGEST_SENTENCE // 2, LONGEST_SENTENCE)
        if cut > 0:
            return cut + len(mark)
    return LONGEST_SENTENCE
