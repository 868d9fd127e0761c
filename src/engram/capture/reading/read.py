"""Reads a turn into quotes: which clauses are worth keeping, of what kind, and why the rest is not.

Nothing in a quote is changed, ever: `content == turn.text[start:end]`. The model in the package
judges each clause; plain rules cut the clauses and join two sentences where the second one speaks
of somebody the first one names.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engram.capture.reading.turns import ASSISTANT, SYSTEM, TOOL, Turn
from engram.language.names.mentions import Mention, find_mentions
from engram.language.segments import Clause, Segments, segment
from engram.language.verbs import FIRST_PERSON
from engram.language.when.spans import find_times
from engram.memory.reading import (
    Modality,
    NamedEntity,
    NamedTime,
    PrivateSpan,
    Reading,
    ReadStatement,
    SkippedQuote,
)
from engram.security.screening.protected import protected_in, tier_of
from engram.text.strings import normalised

KEEP = 0.4  # set on the tuning third of the corpus, see the reader's card
_ABSORB = 0.25  # a clause above this stays with a kept one of its sentence, so that it stays whole
MOST_CLAUSES = 400  # of one turn; more is a document and not something said
_LONGEST_TOOL_OUTPUT = (
    2_000  # characters: what is longer is a log or a file, and tells nobody's facts
)
_MOST_RECALLED = 200
_LEAST_QUOTED = 20  # characters: shorter ones stand in many sentences
_CHAT = "chat"
_STATING = frozenset({"asserted", "negated", "planned", "reported"})
_NEVER = frozenset({"asked", "ironic", "unknown", "hypothetical", _CHAT})
_SURE = {"asserted": 0.9, "negated": 0.9, "requested": 0.9, "planned": 0.8, "reported": 0.6}
_TRIM = " \t\n,;:-–—"
_THIRD_PERSON = re.compile(
    r"\W*(?:(?:and|but|so|also|then|now|yes|yeah)\W+)?"
    r"(?:(he|she|him|her|his|hers)|(they|them|their|it|its|this|that|these|those))\b",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\b(?:my|our|his|her|their|the|a|an)\s+(?:\w+[ -]){0,3}?\w+|\b[A-Z][a-z]+", re.UNICODE
)
_PERSON_WORD = re.compile(
    r"\b(?:mother|mom|mum|father|dad|sister|brother|son|daughter|wife|husband|partner|boyfriend"
    r"|girlfriend|friend|boss|manager|colleague|coworker|neighbou?r|cousin|aunt|uncle|niece|nephew"
    r"|grandma|grandpa|grandmother|grandfather|teacher|doctor|nurse|kid|child|baby|boy|girl|man"
    r"|woman|guy|lady|roommate|flatmate|landlord|landlady|client|patient|student|dog|cat|horse"
    r"|twins?|fianc[eé]e?|coach|therapist|dentist)\b",
    re.IGNORECASE,
)
_REASONS = {
    "asked": "asks", "requested": "asks for something now", "hypothetical": "hypothetical",
    "ironic": "not meant", "unknown": "says that it is not known", _CHAT: "small talk",
}  # fmt: skip


class Scores(Protocol):
    """What a reader says of the clauses of a turn, a row per clause."""

    @property
    def keep(self) -> NDArray[np.float64]:
        """How likely each clause is worth keeping."""
        ...

    @property
    def category(self) -> NDArray[np.float64]:
        """How likely each category is."""
        ...

    @property
    def modality(self) -> NDArray[np.float64]:
        """How likely each modality is."""
        ...


class ClauseReader(Protocol):
    """The model that judges clauses."""

    def read_clauses(self, role: str, text: str, spans: Sequence[tuple[int, int]]) -> Scores:
        """The scores of each span."""
        ...

    def labels(self, head: str) -> tuple[str, ...]:
        """What the columns of a head mean."""
        ...


@dataclass(frozen=True, slots=True)
class _Judged:
    """A clause with what the model says of it."""

    clause: Clause
    keep: float
    category: str
    modality: str

    @property
    def is_kept(self) -> bool:
        return self.keep >= KEEP and self.modality not in _NEVER


def read_turn(
    turn: Turn,
    reader: ClauseReader,
    *,
    recalled: Collection[str] = (),
    people: Collection[str] = (),
) -> Reading:
    """What would be learnt from a turn, and why the rest would not be."""
    if not turn.text.strip():
        return Reading()
    segments = segment(turn.text)
    if reason := _reason_not_to_read(turn):
        return Reading(skipped=(_skipped(turn.text, 0, len(turn.text), reason),))
    known = (turn.speaker, *people) if turn.speaker else people
    mentions = find_mentions(turn.text[: _last_place(segments)], people=known)
    skipped = [_skipped(turn.text, cut.start, cut.end, cut.reason) for cut in segments.cuts]
    clauses = segments.clauses[:MOST_CLAUSES]
    skipped += [
        _skipped(turn.text, each.start, each.end, "too long")
        for each in segments.clauses[MOST_CLAUSES:]
    ]
    statements: list[ReadStatement] = []
    if clauses:
        judged = _judge(turn, clauses, reader)
        texts = [normalised(text) for text in list(recalled)[:_MOST_RECALLED]]
        statements = _statements(turn, judged, mentions, texts, skipped)
    return Reading(
        tuple(statements),
        tuple(sorted(skipped, key=lambda each: each.start)),
        tuple(
            NamedTime(each.text, each.start, each.end) for each in find_times(turn.text, turn.at)
        ),
        _entities(mentions),
        _private(turn.text),
    )


def _reason_not_to_read(turn: Turn) -> str:
    if turn.role == SYSTEM:
        return "system prompt"
    is_log = turn.role == TOOL and len(turn.text) > _LONGEST_TOOL_OUTPUT
    return "long tool output" if is_log else ""


def _last_place(segments: Segments) -> int:
    ends = [each.end for each in segments.clauses] + [each.end for each in segments.cuts]
    return max(ends, default=0)


def _judge(turn: Turn, clauses: Sequence[Clause], reader: ClauseReader) -> list[_Judged]:
    scores = reader.read_clauses(turn.role, turn.text, [(each.start, each.end) for each in clauses])
    categories, modalities = reader.labels("category"), reader.labels("modality")
    return [
        _Judged(clause, float(scores.keep[place]), categories[int(scores.category[place].argmax())],
                modalities[int(scores.modality[place].argmax())])
        for place, clause in enumerate(clauses)
    ]  # fmt: skip


def _statements(
    turn: Turn,
    judged: Sequence[_Judged],
    mentions: Sequence[Mention],
    recalled: Sequence[str],
    skipped: list[SkippedQuote],
) -> list[ReadStatement]:
    found: list[ReadStatement] = []
    for run in _runs(judged):
        start, end = _span(turn.text, run)
        if not any(each.is_kept for each in run):
            skipped.append(_skipped(turn.text, start, end, _reason(turn, run)))
            continue
        whole = _with_antecedent(turn.text, start, end, judged, mentions)
        if whole is None:
            skipped.append(_skipped(turn.text, start, end, "says of nobody known"))
            continue
        start, end = whole
        if _is_recalled(turn.text[start:end], recalled):
            skipped.append(_skipped(turn.text, start, end, "recalled"))
            continue
        if found and start <= found[-1].end:  # the sentence before is part of this quote
            start = min(start, found.pop().start)
        best = max((each for each in run if each.is_kept), key=lambda each: each.keep)
        found.append(
            ReadStatement(
                content=turn.text[start:end],
                start=start,
                end=end,
                subject=_subject(turn, start, end, mentions),
                category=best.category,
                modality=Modality(best.modality),
                confidence=round(_SURE[best.modality] * (0.8 + 0.2 * best.keep), 3),
            )
        )
    return found


def _runs(judged: Sequence[_Judged]) -> list[list[_Judged]]:
    """The clauses of each sentence that are kept, or left, together.

    A clause that states something and is no small talk stays with what is kept of its sentence.
    """
    kept_of = {each.clause.sentence for each in judged if each.is_kept}
    runs: list[list[_Judged]] = []
    last: tuple[int, bool] | None = None
    for each in judged:
        sentence = each.clause.sentence
        is_whole = sentence in kept_of and each.keep >= _ABSORB and each.modality in _STATING
        place = (sentence, each.is_kept or is_whole)
        if place == last:
            runs[-1].append(each)
        else:
            runs.append([each])
        last = place
    return runs


def _span(text: str, run: Sequence[_Judged]) -> tuple[int, int]:
    start, end = run[0].clause.start, run[-1].clause.end
    while end > start and text[end - 1] in _TRIM:
        end -= 1
    while start < end and text[start] in _TRIM:
        start += 1
    return start, end


def _with_antecedent(
    text: str, start: int, end: int, judged: Sequence[_Judged], mentions: Sequence[Mention]
) -> tuple[int, int] | None:
    """The quote, with the sentence before it where that names whom it speaks of; None: nobody."""
    opened = _THIRD_PERSON.match(text, start, end)
    if opened is None:
        return start, end
    number = next(each.clause.sentence for each in judged if each.clause.end > start)
    before = [each.clause for each in judged if each.clause.sentence == number - 1]
    here = [each.clause for each in judged if each.clause.sentence == number]
    if here and here[0].start < start and _names(text, here[0].start, start, opened, mentions):
        return here[0].start, end
    if not before or not _names(text, before[0].start, before[-1].end, opened, mentions):
        return None
    if "\n\n" in text[before[-1].end : start]:
        return None
    return before[0].start, end


def _names(
    text: str, start: int, end: int, pronoun: re.Match[str], mentions: Sequence[Mention]
) -> bool:
    """Whether a span names somebody, or something, that a pronoun can mean."""
    if text[start:end].rstrip().endswith("?"):
        return False
    named = any(start <= each.place[0] < end for each in mentions)
    if pronoun[1]:
        return named or _PERSON_WORD.search(text, start, end) is not None
    return named or _SOMEBODY.search(text, start, end) is not None


def _subject(turn: Turn, start: int, end: int, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """Whom or what a quote is about: its speaker where that says "I", and everything it names."""
    found: list[str] = []
    if turn.speaker and FIRST_PERSON.search(turn.text, start, end):
        found.append(turn.speaker)
    found += [each.surface for each in mentions if start <= each.place[0] < end]
    return tuple(dict.fromkeys(found))


def _reason(turn: Turn, run: Sequence[_Judged]) -> str:
    modality = max(run, key=lambda each: each.keep).modality
    if modality in _REASONS:
        return _REASONS[modality]
    return "general knowledge" if turn.role == ASSISTANT else "says little"


def _is_recalled(quote: str, recalled: Sequence[str]) -> bool:
    said = normalised(quote)
    return any(
        said == text
        or (len(said) > _LEAST_QUOTED and said in text)
        or (len(text) > _LEAST_QUOTED and text in said)
        for text in recalled
    )


def _skipped(text: str, start: int, end: int, reason: str) -> SkippedQuote:
    return SkippedQuote(text[start:end], reason, start, end)


def _entities(mentions: Sequence[Mention]) -> tuple[NamedEntity, ...]:
    found = {each.key: NamedEntity(each.surface, str(each.type)) for each in reversed(mentions)}
    return tuple(reversed(found.values()))


def _private(text: str) -> tuple[PrivateSpan, ...]:
    """Where secrets and personal details stand, and the protection they call for."""
    return tuple(
        PrivateSpan(str(span.kind), span.start, span.end, str(tier_of([(span, words)])))
        for span, words in protected_in(text)
    )
