"""Reads a turn into quotes: which pieces are worth keeping, of what kind, and why the rest is not.

Nothing in a quote is changed, ever: `content == turn.text[start:end]`. The model in the package
cuts and judges the pieces; plain rules join two sentences where the second one speaks
of somebody the first one names.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engram.capture.turns import ASSISTANT, SYSTEM, TOOL, Turn
from engram.language.lexicon import FIRST_PERSON
from engram.language.names.mentions import Mention, find_mentions
from engram.language.segments import segment, word_starts
from engram.language.tables import pattern_of
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
MOST_SENTENCES = 400  # of one turn; more is a document and not something said
_LONGEST_TOOL_OUTPUT = (
    2_000  # characters: what is longer is a log or a file, and tells nobody's facts
)
_MOST_RECALLED = 200
_LEAST_QUOTED = 20  # characters: shorter ones stand in many sentences
_CHAT = "chat"
_NEVER = frozenset({"asked", "ironic", "unknown", "hypothetical", _CHAT})
_SURE = {"asserted": 0.9, "negated": 0.9, "requested": 0.9, "planned": 0.8, "reported": 0.6}
_TRIM = " \t\n,;:-–—"
_THIRD_PERSON = pattern_of("third_person")  # the first group: of people alone
_SOMEBODY = pattern_of("somebody")
_PERSON_WORD = pattern_of("person_words")
_REASONS = {
    "asked": "asks", "requested": "asks for something now", "hypothetical": "hypothetical",
    "ironic": "not meant", "unknown": "says that it is not known", _CHAT: "small talk",
}  # fmt: skip


class Scores(Protocol):
    """The pieces that a reader cuts a turn into, and what it says of each, a row per piece."""

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where each piece stands."""
        ...

    @property
    def keep(self) -> NDArray[np.float64]:
        """How likely each piece is worth keeping."""
        ...

    @property
    def category(self) -> NDArray[np.float64]:
        """How likely each category is."""
        ...

    @property
    def modality(self) -> NDArray[np.float64]:
        """How likely each modality is."""
        ...


class TurnReader(Protocol):
    """The model that cuts a turn into pieces and judges each."""

    def read_turn(
        self, role: str, text: str, sentences: Sequence[tuple[int, int]], words: Sequence[int]
    ) -> Scores:
        """The pieces, which begin at sentences or at some of the words, and their scores."""
        ...

    def labels(self, head: str) -> tuple[str, ...]:
        """What the columns of a head mean."""
        ...


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a turn with what the model says of it."""

    start: int
    end: int
    keep: float
    category: str
    modality: str

    @property
    def is_kept(self) -> bool:
        return self.keep >= KEEP and self.modality not in _NEVER


def read_turn(
    turn: Turn,
    reader: TurnReader,
    *,
    recalled: Collection[str] = (),
    people: Collection[str] = (),
) -> Reading:
    """What would be learnt from a turn, and why the rest would not be."""
    if not turn.text.strip():
        return Reading()
    if reason := _reason_not_to_read(turn):
        return Reading(skipped=(_skipped(turn.text, 0, len(turn.text), reason),))
    segments = segment(turn.text)
    skipped = [_skipped(turn.text, cut.start, cut.end, cut.reason) for cut in segments.cuts]
    spans, beyond = segments.sentences[:MOST_SENTENCES], segments.sentences[MOST_SENTENCES:]
    skipped += [_skipped(turn.text, start, end, "too long") for start, end in beyond]
    known = (turn.speaker, *people) if turn.speaker else people
    last = max((end for _, end in segments.sentences), default=0)
    mentions = find_mentions(turn.text[:last], people=known)
    statements: list[ReadStatement] = []
    if spans:
        texts = [normalised(text) for text in list(recalled)[:_MOST_RECALLED]]
        statements = _statements(turn, _judge(turn, spans, reader), mentions, texts, skipped)
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


def _judge(turn: Turn, spans: Sequence[tuple[int, int]], reader: TurnReader) -> list[_Piece]:
    scores = reader.read_turn(turn.role, turn.text, spans, word_starts(turn.text, spans))
    categories, modalities = reader.labels("category"), reader.labels("modality")
    return [
        _Piece(*_trimmed(turn.text, *span), float(scores.keep[place]),
               categories[int(scores.category[place].argmax())],
               modalities[int(scores.modality[place].argmax())])
        for place, span in enumerate(scores.spans)
    ]  # fmt: skip


def _statements(
    turn: Turn,
    pieces: Sequence[_Piece],
    mentions: Sequence[Mention],
    recalled: Sequence[str],
    skipped: list[SkippedQuote],
) -> list[ReadStatement]:
    found: list[ReadStatement] = []
    for place, piece in enumerate(pieces):
        before = pieces[place - 1] if place else None
        start = _start_of_quote(turn.text, piece, before, mentions)
        if reason := _reason_to_skip(turn, piece, start, recalled):
            skipped.append(_skipped(turn.text, piece.start, piece.end, reason))
            continue
        assert start is not None  # noqa: S101  # else there is a reason
        if found and start < found[-1].end:  # the quote before is part of this one
            start = min(start, found.pop().start)
        found.append(
            ReadStatement(
                content=turn.text[start : piece.end],
                start=start,
                end=piece.end,
                subject=_subject(turn, start, piece.end, mentions),
                category=piece.category,
                modality=Modality(piece.modality),
                confidence=round(_SURE[piece.modality] * (0.8 + 0.2 * piece.keep), 3),
            )
        )
    return found


def _reason_to_skip(turn: Turn, piece: _Piece, start: int | None, recalled: Sequence[str]) -> str:
    """Why nothing is learnt from a piece; empty when something is."""
    if not piece.is_kept:
        if piece.modality in _REASONS:
            return _REASONS[piece.modality]
        return "general knowledge" if turn.role == ASSISTANT else "says little"
    if start is None:
        return "says of nobody known"
    return "recalled" if _is_recalled(turn.text[start : piece.end], recalled) else ""


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in _TRIM:
        end -= 1
    while start < end and text[start] in _TRIM:
        start += 1
    return start, end


def _start_of_quote(
    text: str, piece: _Piece, before: _Piece | None, mentions: Sequence[Mention]
) -> int | None:
    """Where a quote begins: with the piece before, where that names whom it is about.

    None: it speaks of somebody whom that does not name either.
    """
    opened = _THIRD_PERSON.match(text, piece.start, piece.end)
    if opened is None:
        return piece.start
    if before is None or "\n\n" in text[before.end : piece.start]:
        return None
    return before.start if _names(text, before.start, before.end, opened, mentions) else None


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
