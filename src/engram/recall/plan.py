"""What a question looks for: its terms, who and when it names, and what kind of answer it wants."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from engram.language.asking import looks_for_questions
from engram.language.lexicon import FUNCTION_WORDS, query_terms
from engram.language.when.lexicons import lexicon_of
from engram.language.when.spans import TimeSpan, find_times
from engram.memory.traits import token_of
from engram.recall.events import EventReference, find_event
from engram.recall.intent import (
    PLANS,
    Intent,
    SearchPlan,
    asks_about_past,
    asks_current_value,
    asks_for_order,
    asks_for_summary,
    asks_how_many,
    asks_latest,
    asks_when,
    intent_of,
    is_request,
    text_share,
    without_order_frame,
)
from engram.recall.selection import People
from engram.text.calendar import Grain
from engram.text.terms import JOINING_MARKS, quoted_phrases

_WORD = re.compile(r"\w+")
_JOINED = re.compile("[" + re.escape(JOINING_MARKS) + "]")
_CLITIC = re.compile(r"(?<=\w)['’](?:s|t|d|ll|m|re|ve)\b", re.IGNORECASE)
# "Have I ever …" asks whether, not which value holds: both statements are the answer.
_YES_OR_NO = re.compile(r"\W*(?:is|are|am|do|does|have|has|can)\b", re.IGNORECASE)
_WHERE = re.compile(
    r"\bwhere\b|\b(?:which|what) (?:city|country|place|state|town)\b", re.IGNORECASE
)
_OF_OTHERS = (
    (re.compile(r"\b(?:his|her|their)\b", re.IGNORECASE), "my"),
    (re.compile(r"\b(?:he|she|they)\b", re.IGNORECASE), "I"),
    (re.compile(r"\b(?:him|them)\b", re.IGNORECASE), "me"),
    (re.compile(r"\b(?:himself|herself|themselves)\b", re.IGNORECASE), "myself"),
)
_LEAST_FIGURES = 3
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_HUMP = re.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9]{2})|(?<=[0-9])(?=[A-Za-z])"
)
_SPACES = re.compile(r"\s+")
_MOST_PAIRS = 64  # a longer question is cut: each pair is looked up, and late ones add nothing
# "What happened last week?" asks for whatever happened; "where was I" asks for one thing of it.
_ONE_THING = re.compile(r"\b(?:where|when|who|whose|why|how|which)\b", re.IGNORECASE)
_AROUND = re.compile(
    r"\b(?:around|about|circa|roughly|near|towards?)\s+(?:the\s+)?$", re.IGNORECASE
)
# How many days off a time may be that is said loosely, by its unit.
_LOOSE_DAYS = {Grain.WEEK: 2, Grain.MONTH: 7, Grain.QUARTER: 15, Grain.YEAR: 30, Grain.DECADE: 365}
_QUESTION_WORD = re.compile(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+(?:['’-][^\W_]+)*")

_TITLES = frozenset({"project", "the", "team", "company", "dr", "mr", "mrs", "ms"})


@dataclass(frozen=True, slots=True)
class PlannedTerm:
    """One thing to look for: every one of its tokens must stand in a row."""

    text: str
    tokens: tuple[int, ...]
    otherwise: tuple[tuple[int, ...], ...] = ()  # other ways to write what stands nowhere like this
    also: tuple[tuple[int, ...], ...] = ()  # other names of what it names
    share: float = 1.0  # below 1: not asked for itself, but said shortly before

    @property
    def is_asked(self) -> bool:
        """Whether the question itself holds it."""
        return self.share >= 1.0

    @property
    def is_identifier(self) -> bool:
        """Whether it is no word of a language; an apostrophe makes none of a name."""
        return self.is_asked and not _CLITIC.sub("", self.text).isalpha()


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is searched for."""

    terms: tuple[PlannedTerm, ...]
    pairs: tuple[tuple[int, int], ...]  # words that stand side by side in the question
    phrases: tuple[tuple[int, ...], ...]  # what it puts in quotation marks
    meaning: str  # what is embedded: as the person asked about would say it
    speakers: frozenset[int]
    spans: tuple[TimeSpan, ...]
    event: EventReference | None
    intent: Intent
    search: SearchPlan
    text_share: float
    asks_when: bool
    asks_how_many: bool
    asks_where: bool
    asks_for_summary: bool
    asks_current_value: bool
    asks_about_past: bool
    asks_latest: bool  # "my last holiday": the most recent of several
    is_request: bool
    asks_for_time: bool  # whatever happened at the time it names answers it
    looks_for_questions: bool = False  # what was asked is looked for, and not an answer


def plan_question(text: str, people: People, now: datetime) -> Plan:
    """Read a question against the people the caller's memories know of."""
    searched = without_order_frame(text)
    named = _named(searched, people)
    guess = intent_of(text)
    spans = spans_asked(text, now)
    event = None if spans else find_event(text)
    asked = text.replace(event.clause, " ") if event else text
    asks_for_time = _asks_for_time(text, spans, event, frozenset(map(str.lower, named)))
    if asks_for_time:  # whatever happened then is asked for: "a month ago" is no single day
        spans = tuple(_widened(span) if _is_loose(span) else span for span in spans)
    return Plan(
        terms=_terms(searched, frozenset(word.lower() for word in named)),
        pairs=_pairs(searched, frozenset(word.lower() for word in named)),
        phrases=tuple(filter(None, (_tokens(phrase) for phrase in quoted_phrases(text)))),
        meaning=as_first_person(searched, frozenset(named)),
        speakers=frozenset().union(*named.values()),
        spans=spans,
        event=event,
        intent=guess,
        search=PLANS[guess],
        text_share=text_share(text, guess),
        asks_when=asks_when(asked),
        asks_how_many=asks_how_many(text),
        asks_where=_WHERE.search(text) is not None,
        asks_for_summary=asks_for_summary(text),
        asks_current_value=asks_current_value(text) and not _YES_OR_NO.match(text),
        asks_about_past=asks_about_past(text),
        asks_latest=not spans and event is None and asks_latest(text),
        is_request=is_request(text),
        asks_for_time=asks_for_time,
        looks_for_questions=looks_for_questions(text)
        or asks_for_summary(text)
        or asks_for_order(text),
    )


def with_other_names(plan: Plan, entities: Mapping[str, str]) -> Plan:
    """The plan with the names that people decided to mean the same; a name is found by any."""
    if not entities:
        return plan
    names: dict[str, set[str]] = {}
    for name, entity in entities.items():
        names.setdefault(entity, {entity}).add(name)
    groups = list(names.values())
    return replace(plan, terms=tuple(_also_named(term, groups) for term in plan.terms))


def _also_named(term: PlannedTerm, groups: list[set[str]]) -> PlannedTerm:
    word = _CLITIC.sub("", term.text.lower())
    for group in groups:
        own = {name for name in group if word in name.split() and word not in _TITLES}
        others = sorted(group - own)
        if own and others:
            return replace(term, also=tuple(filter(None, (_tokens(name) for name in others))))
    return term


def meaning_of(text: str, people: People) -> str:
    """What of a question is embedded; the same as in its plan."""
    searched = without_order_frame(text)
    return as_first_person(searched, frozenset(_named(searched, people)))


def _named(text: str, people: People) -> dict[str, frozenset[int]]:
    """The words that name a speaker; "will" is a name only where it is written as one."""
    found: dict[str, frozenset[int]] = {}
    for place, word in enumerate(_WORD.findall(text)):
        is_common = word.lower() in FUNCTION_WORDS
        if is_common and (place == 0 or not word[0].isupper()):
            continue
        if speakers := people.named(word):
            found[word] = speakers
    return found


def _asks_for_time(
    text: str, spans: tuple[TimeSpan, ...], event: EventReference | None, names: frozenset[str]
) -> bool:
    """Whether nothing is named but a time, or an event since when, and perhaps a person."""
    rest = text.replace(event.clause, " ") if event else text
    for span in reversed(spans):
        rest = f"{rest[: span.place[0]]} {rest[span.place[1] :]}"
    if not (spans or event) or _ONE_THING.search(rest):
        return False
    words = [_CLITIC.sub("", word.lower()) for word in _QUESTION_WORD.findall(rest)]
    lexicon = lexicon_of(text)
    known = lexicon.lists["anything"] | lexicon.words.keys() | FUNCTION_WORDS | names
    return all(word in known for word in words)


def spans_asked(text: str, now: datetime) -> tuple[TimeSpan, ...]:
    """The times a question names: "around" widens one, "after" and "before" bound one together."""
    spans = [
        _widened(span) if _AROUND.search(text[: span.place[0]]) else span
        for span in find_times(text, now, is_query=True)
    ]
    if len(spans) == 2 and all(span.is_open for span in spans):
        start, end = max(span.start for span in spans), min(span.end for span in spans)
        if start < end:
            place = (spans[0].place[0], spans[1].place[1])
            return (TimeSpan(start, end, text[slice(*place)], place, Grain.RANGE),)
    return tuple(spans)


def _is_loose(span: TimeSpan) -> bool:
    """Whether one day was named by a longer unit: "two months ago"."""
    return span.grain in _LOOSE_DAYS and span.end - span.start <= timedelta(days=1)


def _widened(span: TimeSpan) -> TimeSpan:
    around = timedelta(days=_LOOSE_DAYS.get(span.grain, 3))
    is_bounded = not span.is_open
    return replace(span, start=span.start - around, end=span.end + around) if is_bounded else span


def _terms(text: str, names: frozenset[str]) -> tuple[PlannedTerm, ...]:
    """The terms; a speaker's name says whose words are meant and is no word to look for."""
    kept: dict[tuple[int, ...], PlannedTerm] = {}
    names_only: dict[tuple[int, ...], PlannedTerm] = {}
    for term in query_terms(text):
        tokens: list[int] = []
        for token in term.tokens:
            tokens += [token_of(token)] if _JOINED.search(token) else _tokens(token)
        if tokens:
            is_name = all(word in names for word in _plain_words(term.text))
            target = names_only if is_name else kept
            planned = PlannedTerm(term.text, tuple(tokens), _written_otherwise(term.text))
            target.setdefault(planned.tokens, planned)
    return tuple((kept or names_only).values())


def _written_otherwise(text: str) -> tuple[tuple[int, ...], ...]:
    """parseHeader as parse_header, E4012 as E 4012, and 4012 with a letter before it: E4012."""
    if text.isascii() and text.isdigit() and len(text) >= _LEAST_FIGURES:
        return tuple((token_of(letter + text),) for letter in _LETTERS)
    parts = _HUMP.sub(" ", text).split() if text.isalnum() else []
    return (tuple(token_of(part.lower()) for part in parts),) if len(parts) > 1 else ()


def _plain_words(text: str) -> list[str]:
    return _WORD.findall(_CLITIC.sub("", text.lower()))


def _tokens(text: str) -> tuple[int, ...]:
    return tuple(token_of(word) for word in _plain_words(text))


def _pairs(text: str, names: frozenset[str]) -> tuple[tuple[int, int], ...]:
    words = _plain_words(text)
    found = [
        (token_of(first), token_of(second))
        for first, second in pairwise(words)
        if not {first, second} & (FUNCTION_WORDS | names)
    ]
    return tuple(dict.fromkeys(found))[:_MOST_PAIRS]


def as_first_person(question: str, names: frozenset[str]) -> str:
    """The question as the one it is about would ask it: their own words are in the first person.

    A name pulls an embedder to texts that mention it, and those are mostly somebody else's.
    """
    if not names:
        return question
    either = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    told = re.sub(rf"\b(?:{either})(?:['’]s|s['’])", "my", question)
    told = re.sub(rf"\b(?:{either})\b", "I", told)
    for pattern, replacement in _OF_OTHERS:
        told = pattern.sub(replacement, told)
    return _SPACES.sub(" ", told).strip()
