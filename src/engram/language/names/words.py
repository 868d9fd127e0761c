"""The word lists of names, read from `language/en` once."""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from engram.language.names.keys import key_of
from engram.language.word_kinds import word_kind


def _read(name: str) -> str:
    return (files("engram.language") / "en" / name).read_text(encoding="utf-8")


def is_given_name(word: str) -> bool:
    """Whether people are called by a lowercase word and nothing else is."""
    return word_kind(word) == "person" or word in listed_names("given_names.txt")


def is_place(name: str) -> bool:
    """Whether a lowercase name is a place that most readers know."""
    return name in listed_names("places.txt") or word_kind(name) == "place"


@cache
def cue_words(name: str) -> frozenset[str]:
    """The words of one list of cues, in lower case except for files."""
    return frozenset(json.loads(_read("name_cues.json"))[name])


@cache
def listed_names(file: str) -> frozenset[str]:
    """The names of a text file, one in a line."""
    return frozenset(_read(file).splitlines())


class Term(NamedTuple):
    """One way to write the name of a technology."""

    words: tuple[str, ...]
    name: str
    is_ambiguous: bool  # an everyday word too: a name only with a capital inside a sentence


@cache
def terms_by_first_word() -> dict[str, list[Term]]:
    """Every way to write a technology, by its first word in lower case, the longest first."""
    found: dict[str, list[Term]] = {}
    for line in _read("technologies.txt").splitlines():
        spellings = line.split(" = ")
        for spelling in spellings:
            words = tuple(spelling.removesuffix("?").lower().split())
            term = Term(words, spellings[0].removesuffix("?"), spelling.endswith("?"))
            found.setdefault(words[0], []).append(term)
    for terms in found.values():
        terms.sort(key=lambda term: -len(term.words))
    return found


@cache
def display_names() -> dict[str, str]:
    """How each technology is written, by the key that every spelling of it has."""
    terms = terms_by_first_word().values()
    return {key_of(term.name): term.name for listed in terms for term in listed}
