"""Reads a turn into quotes: which pieces are worth keeping, of what kind, and why the rest is not.

Nothing in a quote is changed, ever: `content == turn.text[start:end]`. The model in the package
cuts and judges the pieces; plain rules join two sentences where the second one speaks
of somebody the first one names.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from engram.capture.turns import ASSISTANT, SYSTEM, TOOL, USER, Turn
from engram.language.lexicon import FIRST_PERSON
from engram.language.names.mentions import EntityType, Mention, find_mentions
from engram.language.segments import segment, word_starts
from engram.language.tables import pattern_of
from engram.memory.reading import Modality, ReadStatement, SkippedQuote
from engram.providers.text_reader import TextReader
from engram.text.strings import normalised

KEEP = 0.65  # set on data/confidence-turns, see the reader's card
KEEP_OWN = 0.4  # of what people say of themselves: "We sold the van." is worth keeping
MOST_SENTENCES = 400  # of one turn; more is a document and not something said
_LONGEST_TOOL_OUTPUT = 2_000  # characters: longer is a log or a file, and tells nobody's facts
_MOST_RECALLED = 200
_LEAST_QUOTED = 20  # characters: shorter ones stand in many sentences
# What is kept, by how it is said, and how sure it is.
_SURE = {"asserted": 0.9, "negated": 0.9, "requested": 0.9, "planned": 0.8, "reported": 0.6}
_REASONS = {
    "asked": "asks", "requested": "asks for something now", "hypothetical": "hypothetical",
    "ironic": "not meant", "unknown": "says that it is not known", "chat": "small talk",
}  # fmt: skip
_TRIM = " \t\n,;:-–—"
_THIRD_PERSON = pattern_of("third_person")  # the first group: of people alone
_SOMEBODY = pattern_of("somebody")
_PERSON_WORD = pattern_of("person_words")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a turn with what the model says of it."""

    start: int
    end: int
    keep: float
    least: float  # from which on it is kept
    category: str
    modality: str

    @property
    def is_kept(self) -> bool:
        return self.keep >= self.least and self.modality in _SURE


@dataclass(frozen=True, slots=True)
class Quotes:
    """The quotes of one piece of a turn, and the names that stand in it."""

    statements: tuple[ReadStatement, ...] = ()
    skipped: tuple[SkippedQuote, ...] = ()
    mentions: tuple[Mention, ...] = ()


def read_quotes(
    turn: Turn,
    reader: TextReader,
    *,
    recalled: Collection[str] = (),
    people: Collection[str] = (),
) -> Quotes:
    """What is learnt from a turn that is one memory, and why the rest is not."""
    text = turn.text
    if reason := reason_not_to_read(turn):
        return Quotes(skipped=(as_skipped(text, 0, len(text), reason),))
    segments = segment(text)
    spans, beyond = segments.sentences[:MOST_SENTENCES], segments.sentences[MOST_SENTENCES:]
    skipped = [as_skipped(text, cut.start, cut.end, cut.reason) for cut in segments.cuts]
    skipped += [as_skipped(text, *span, "too long") for span in beyond]
    known = (turn.speaker, *people) if turn.speaker else people
    last = max((end for _, end in segments.sentences), default=0)
    mentions = find_mentions(text[:last], people=known)
    said_before = [normalised(each) for each in list(recalled)[:_MOST_RECALLED]]
    seams = sorted(cut.start for cut in segments.cuts)
    pieces = _judge(turn, spans, reader)
    statements = _statements(turn, pieces, mentions, said_before, skipped, seams)
    skipped.sort(key=lambda each: each.start)
    return Quotes(tuple(statements), tuple(skipped), mentions)


def reason_not_to_read(turn: Turn) -> str:
    """Why nothing is learnt from a turn, whatever it says; empty if it is read."""
    if turn.role == SYSTEM:
        return "system prompt"
    is_log = turn.role == TOOL and len(turn.text) > _LONGEST_TOOL_OUTPUT
    return "long tool output" if is_log else ""


def _judge(turn: Turn, spans: Sequence[tuple[int, int]], reader: TextReader) -> list[_Piece]:
    if not spans:
        return []
    scores = reader.read_turn(turn.role, turn.text, spans, word_starts(turn.text, spans))
    categories, modalities = reader.labels("category"), reader.labels("modality")
    rows = zip(scores.spans, scores.keep, scores.category, scores.modality, strict=True)
    pieces = [
        _Piece(*_trimmed(turn.text, *span), float(keep), _least(turn, *span),
               categories[int(category.argmax())], modalities[int(modality.argmax())])
        for span, keep, category, modality in rows
    ]  # fmt: skip
    return [each for each in pieces if each.start < each.end]


def _least(turn: Turn, start: int, end: int) -> float:
    is_own = turn.role == USER and FIRST_PERSON.search(turn.text, start, end) is not None
    return KEEP_OWN if is_own else KEEP


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    kept = text[start:end].rstrip(_TRIM)
    end = start + len(kept)
    return end - len(kept.lstrip(_TRIM)), end


def _statements(
    turn: Turn,
    pieces: Sequence[_Piece],
    mentions: Sequence[Mention],
    recalled: Sequence[str],
    skipped: list[SkippedQuote],
    seams: Sequence[int],
) -> list[ReadStatement]:
    """The quotes of a turn; none goes over one of the `seams`, where others' words begin."""
    quotes: list[_Piece] = []
    for piece, last in zip(pieces, (None, *pieces), strict=False):
        is_quoted = last is not None and bool(quotes) and quotes[-1].end == last.end
        before = quotes[-1] if is_quoted else last
        if before is not None and _has_between(seams, before.end, piece.start):
            before = None
        start = _start_of_quote(turn.text, piece, before, mentions)
        reason = _reason_to_skip(turn, piece, start, recalled)
        if start is None or reason:
            skipped.append(as_skipped(turn.text, piece.start, piece.end, reason))
            continue
        surest = piece
        if start < piece.start:  # what stands before is part of this quote
            if is_quoted:
                surest = max(piece, quotes.pop(), key=lambda each: each.keep)
            else:
                skipped.pop()
        quotes.append(replace(surest, start=start, end=piece.end, modality=piece.modality))
    return [_statement(turn, quote, mentions) for quote in quotes]


def _statement(turn: Turn, quote: _Piece, mentions: Sequence[Mention]) -> ReadStatement:
    return ReadStatement(
        content=turn.text[quote.start : quote.end],
        start=quote.start,
        end=quote.end,
        subject=_subject(turn, quote.start, quote.end, mentions),
        category=quote.category,
        modality=Modality(quote.modality),
        confidence=round(_SURE[quote.modality] * (0.8 + 0.2 * quote.keep), 3),
    )


def _reason_to_skip(turn: Turn, piece: _Piece, start: int | None, recalled: Sequence[str]) -> str:
    """Why nothing is learnt from a piece; empty when something is."""
    if not piece.is_kept:
        general = "general knowledge" if turn.role == ASSISTANT else "says little"
        return _REASONS.get(piece.modality, general)
    if start is None:
        return "says of nobody known"
    return "recalled" if _is_recalled(turn.text[start : piece.end], recalled) else ""


def _start_of_quote(
    text: str, piece: _Piece, before: _Piece | None, mentions: Sequence[Mention]
) -> int | None:
    """Where a quote begins: with the piece before, where that names whom it is about.

    None: it speaks of somebody, or something, whom that does not name either.
    """
    pronoun = _THIRD_PERSON.match(text, piece.start, piece.end)
    if pronoun is None:
        return piece.start
    if before is None or before.modality not in _SURE:
        return None
    if "\n\n" in text[before.end : piece.start]:
        return None
    if text[before.start : before.end].rstrip().endswith("?"):
        return None
    named = _PERSON_WORD if pronoun[1] else _SOMEBODY
    is_named = named.search(text, before.start, before.end) is not None or any(
        each.type is EntityType.PERSON or not pronoun[1]
        for each in _named(mentions, before.start, before.end)
    )
    return before.start if is_named else None


def _has_between(places: Sequence[int], start: int, end: int) -> bool:
    at = bisect_left(places, start)
    return at < len(places) and places[at] < end


def _named(mentions: Sequence[Mention], start: int, end: int) -> list[Mention]:
    return [each for each in mentions if start <= each.place[0] < end]


def _subject(turn: Turn, start: int, end: int, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """Whom or what a quote is about: its speaker where that says "I", and everything it names."""
    found = [each.surface for each in _named(mentions, start, end)]
    if turn.speaker and FIRST_PERSON.search(turn.text, start, end):
        found.insert(0, turn.speaker)
    return tuple(dict.fromkeys(found))


def _is_recalled(quote: str, recalled: Sequence[str]) -> bool:
    said = normalised(quote)
    return any(
        said == text
        or (min(len(said), len(text)) > _LEAST_QUOTED and (said in text or text in said))
        for text in recalled
    )


def as_skipped(text: str, start: int, end: int, reason: str) -> SkippedQuote:
    """A part of a turn that is not learnt."""
    return SkippedQuote(text[start:end], reason, start, end)
