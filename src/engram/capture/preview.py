"""What would be learnt from a turn, and why the rest would not be; nothing is written."""

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeVar

from engram.capture.reading.read import as_skipped, read_quotes, reason_not_to_read
from engram.capture.split import split_places
from engram.capture.turns import Turn
from engram.language.names.mentions import Mention
from engram.language.when.spans import find_times
from engram.memory.reading import (
    NamedEntity,
    NamedTime,
    PrivateSpan,
    Reading,
    ReadStatement,
    SkippedQuote,
)
from engram.providers.text_reader import TextReader
from engram.security.screening.protected import protected_in, tier_of
from engram.text.strings import normalised

_Placed = TypeVar("_Placed", ReadStatement, SkippedQuote)


def read_turn(
    turn: Turn,
    reader: TextReader,
    *,
    recalled: Collection[str] = (),
    people: Collection[str] = (),
    most_bytes: int = sys.maxsize,
) -> Reading:
    """What would be learnt from a turn, and why the rest would not be.

    A turn that is longer than one memory may be is read as it is kept, piece by piece; a piece
    that repeats another is kept once. All places count from the beginning of the turn.
    """
    text = turn.text
    if not text.strip():
        return Reading()
    if reason := reason_not_to_read(turn):
        return Reading(skipped=(as_skipped(text, 0, len(text), reason),))
    statements: list[ReadStatement] = []
    skipped: list[SkippedQuote] = []
    mentions: list[Mention] = []
    times: list[NamedTime] = []
    seen: set[str] = set()
    for start, end in split_places(text, most_bytes):
        said = normalised(text[start:end])
        if said in seen:
            skipped.append(as_skipped(text, start, end, "said before"))
            continue
        seen.add(said)
        piece = replace(turn, text=text[start:end])
        found = read_quotes(piece, reader, recalled=recalled, people=people)
        statements += [_moved(each, start) for each in found.statements]
        skipped += [_moved(each, start) for each in found.skipped]
        mentions += found.mentions
        for each in find_times(piece.text, turn.at):
            times.append(NamedTime(each.text, each.start, each.end))
    entities, private = _entities(mentions), _private(text)
    return Reading(tuple(statements), tuple(skipped), tuple(times), entities, private)


def _moved(found: _Placed, by: int) -> _Placed:
    return replace(found, start=found.start + by, end=found.end + by) if by else found


def _entities(mentions: Sequence[Mention]) -> tuple[NamedEntity, ...]:
    found = {each.key: NamedEntity(each.surface, str(each.type)) for each in reversed(mentions)}
    return tuple(reversed(found.values()))


def _private(text: str) -> tuple[PrivateSpan, ...]:
    """Where secrets and personal details stand, and the protection they call for."""
    return tuple(
        PrivateSpan(str(span.kind), span.start, span.end, str(tier_of([(span, words)])))
        for span, words in protected_in(text)
    )
