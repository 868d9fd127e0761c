"""Whether a text states anything: what only asks, or says that something is not known, does not."""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from engram.language.lexicon import folded
from engram.language.segments import segment
from engram.language.tables import pattern_of, words_of

LANGUAGES = ("en", "de", "es", "fr", "zh")
_FIRST_WORD = re.compile(r"\W*([^\W\d_]+(?:['’-][^\W\d_]+)*)")
_LEAD = pattern_of("question_leads")
_MARKS = ("?", "？", "¿")
_FEWEST_BESIDE = 5  # words behind "since", "because": fewer are a part of the question
_FEWEST_WORDS = 3  # "Thanks!", "Good morning": nothing is stated in fewer
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_LONGEST = 4_000
_END = re.compile(r"(?<=[.!?。！？])\s+")
_COMMA = re.compile(r",\s+(?=\w)")


@dataclass(frozen=True, slots=True)
class _Asking:
    """The words of all languages by which a clause asks."""

    starts: frozenset[str]
    unknown: re.Pattern[str]
    marks: re.Pattern[str]
    asked_about: re.Pattern[str]
    joints: re.Pattern[str]


@cache
def _asking() -> _Asking:
    folder = files("engram.language")
    read = [
        json.loads(folder.joinpath(language, "asking.json").read_text("utf-8"))
        for language in LANGUAGES
    ]

    def pattern(key: str) -> re.Pattern[str]:
        words = sorted((folded(word) for each in read for word in each[key]), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, words)))

    starts = frozenset(folded(word) for each in read for word in each["question_starts"])
    joints = re.compile(rf"(?:(?<!\w)|(?<=[\u3400-\u9fff]))(?:{pattern('stating_joints').pattern})")
    return _Asking(
        starts, pattern("unknown"), pattern("question_marks"), pattern("asked_about"), joints
    )


def states_something(text: str) -> bool:
    """Whether any clause of a text states something.

    A clause that asks, or says that something is not known, does not, also inside a sentence that
    states something else.
    """
    read = text[:_LONGEST]
    if not any(mark in read for mark in _MARKS) and not _may_be_unknown(read):
        return not _opens_with_a_question(read)
    clauses = [read[each.start : each.end] for each in segment(read).clauses]
    return any(_has_statement(clause) for clause in clauses) or not clauses


def _has_statement(clause: str) -> bool:
    """Whether a part of a clause states something; "I don't know, who it was" has no such part."""
    for sentence in _END.split(clause):
        first, *others = _COMMA.split(sentence)
        if _is_statement(first):
            return True
        if any(_is_statement(each) and not _opens_like_a_question(each) for each in others):
            return True
        if _states_beside(sentence):
            return True
    return False


def _states_beside(sentence: str) -> bool:
    """Whether a question gives a fact as its reason: "…, since the course was moved to July?"."""
    joint = _asking().joints.search(folded(sentence))
    if joint is None or _may_be_unknown(sentence):
        return False
    reason = sentence[joint.end() :]
    return _words(reason) >= _FEWEST_BESIDE and not _opens_like_a_question(reason)


def _opens_like_a_question(piece: str) -> bool:
    first = _FIRST_WORD.match(piece)
    return first is not None and folded(first[1]) in _asking().starts


def looks_for_questions(text: str) -> bool:
    """Whether somebody looks for what was asked or talked about, and not for an answer to it."""
    return _asking().asked_about.search(folded(text).replace("’", "'")) is not None


def _is_statement(clause: str) -> bool:
    if _words(clause) < _FEWEST_WORDS:
        return False
    return not (asks(clause) or _may_be_unknown(clause))


def asks(clause: str) -> bool:
    """Whether a clause is a question."""
    stripped = clause.rstrip(" \"'”’)]*_")
    if stripped.endswith(_MARKS[:2]) or stripped.lstrip().startswith("¿"):
        return True
    return (
        _opens_with_a_question(clause) and len(clause) < 200 and not stripped.endswith((".", "!"))
    )


def _opens_with_a_question(clause: str) -> bool:
    """Whether the first word is one that questions begin with, and no statement goes on from it."""
    if _UNSPACED.search(clause):
        return _asking().marks.search(clause) is not None and len(clause) < 60
    begin = lead.end() if (lead := _LEAD.match(clause)) else 0
    first = _FIRST_WORD.match(clause, begin)
    if first is None or any(mark in clause.rstrip()[:-1] for mark in ".!;\n"):
        return False
    word = folded(first[1]).replace("’", "'")
    if word in _asking().starts and word not in _OPENS_STATEMENTS:
        return True
    return _ASKED.match(clause, begin) is not None


_ASKED = pattern_of("asked")
# These open statements as often: "When I was ten …", "Any dish with nuts …", "Como en casa".
_OPENS_STATEMENTS = words_of("open_statements_too")


def says_unknown(text: str) -> bool:
    """Whether somebody says that they do not know."""
    return _may_be_unknown(text)


def _may_be_unknown(text: str) -> bool:
    return _asking().unknown.search(folded(text).replace("’", "'")) is not None


def _words(clause: str) -> int:
    unspaced = len(_UNSPACED.findall(clause))
    return unspaced // 2 if unspaced else len(_WORD.findall(clause))
