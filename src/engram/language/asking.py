"""Whether a text states anything: what only asks, or says that something is not known, does not."""

import re
from functools import cache, partial
from itertools import filterfalse

from engram.language.segments import segment
from engram.language.tables import pattern_of, phrases_of, words_of
from engram.text.strings import folded

_FIRST_WORD = re.compile(r"\W*([^\W\d_]+(?:['’-][^\W\d_]+)*)")
_LEAD = pattern_of("question_leads")
_MARKS = ("?", "？", "¿")
_FEWEST_WORDS = 3  # "Thanks!", "Good morning": nothing is stated in fewer
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_LONGEST = 4_000
_SEAM = pattern_of("seam")  # between two parts of a sentence, of which one alone may ask
_ASKED = pattern_of("asked")
# These open statements as often: "When I was ten …", "Any dish with nuts …", "Como en casa".
_OPENS_STATEMENTS = words_of("open_statements_too")


@cache
def _question_starts() -> frozenset[str]:
    return frozenset(map(folded, phrases_of("asking.json", "question_starts")))


@cache
def _any_of(key: str) -> re.Pattern[str]:
    """A pattern of the phrases of one list in all languages."""
    return re.compile("|".join(map(re.escape, map(folded, phrases_of("asking.json", key)))))


def _says(key: str, text: str) -> bool:
    return _any_of(key).search(folded(text).replace("’", "'")) is not None


says_unknown = partial(_says, "unknown")  # that the speaker does not know
looks_for_questions = partial(_says, "asked_about")  # what was talked about, not an answer to it


def states_something(text: str) -> bool:
    """Whether any part of a text states something.

    What asks, or says that something is not known, does not, also inside a sentence that states
    something else.
    """
    read = text[:_LONGEST]
    if not any(mark in read for mark in _MARKS) and not says_unknown(read):
        return not _opens_with_a_question(read)
    sentences = segment(read).sentences
    return any(_has_statement(read[start:end]) for start, end in sentences) or not sentences


def _has_statement(sentence: str) -> bool:
    """Whether a part of it states something; "I don't know, who it was" has no such part."""
    first, *others = _SEAM.split(sentence)
    return any(map(_is_statement, (first, *filterfalse(_opens_like_a_question, others))))


def _opens_like_a_question(piece: str) -> bool:
    first = _FIRST_WORD.match(piece)
    return first is not None and folded(first[1]) in _question_starts()


def _is_statement(clause: str) -> bool:
    return _words(clause) >= _FEWEST_WORDS and not asks(clause) and not says_unknown(clause)


def asks(clause: str) -> bool:
    """Whether a clause is a question."""
    stripped = clause.rstrip(" \"'”’)]*_")
    if stripped.endswith(_MARKS[:2]) or stripped.lstrip().startswith("¿"):
        return True
    is_ended = stripped.endswith((".", "!"))
    return not is_ended and len(clause) < 200 and _opens_with_a_question(clause)


def _opens_with_a_question(clause: str) -> bool:
    """Whether the first word is one that questions begin with, and no statement goes on from it."""
    if _UNSPACED.search(clause):
        return _any_of("question_marks").search(clause) is not None and len(clause) < 60
    begin = lead.end() if (lead := _LEAD.match(clause)) else 0
    first = _FIRST_WORD.match(clause, begin)
    if first is None or any(mark in clause.rstrip()[:-1] for mark in ".!;\n"):
        return False
    word = folded(first[1]).replace("’", "'")
    is_start = word in _question_starts() and word not in _OPENS_STATEMENTS
    return is_start or _ASKED.match(clause, begin) is not None


def _words(clause: str) -> int:
    unspaced = len(_UNSPACED.findall(clause))
    return unspaced // 2 if unspaced else len(_WORD.findall(clause))
