"""What somebody meant who answered a question about a gap, and the sentence that is kept of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engram.errors import InvalidInput
from engram.language.lexicon import COMMON_WORDS, folded
from engram.language.names.kinds import EntityType
from engram.memory.claims import claim_of
from engram.memory.dreams.gap_fields import sentence
from engram.memory.dreams.gap_pieces import (
    Clause,
    Piece,
    Predicate,
    Whole,
    piece_of,
    says_none,
    says_nothing,
)
from engram.memory.dreams.gap_shapes import Field
from engram.memory.dreams.gap_templates import BY_NAME, field_of
from engram.memory.dreams.gaps import Gap, GapKind
from engram.memory.ids import ChangeId, number_of
from engram.memory.record import Memory

_SHORT = 5  # words; what is longer is a sentence of its own
_STAYS_OPEN = "That answers nothing; the question can simply stay open."
_WHO = "Say who or what is meant by name: an answer is kept as a sentence of its own."
_YES = re.compile(
    r"(?:yes|yep|yeah|sure|correct|right|true|exactly|indeed|still|ok|okay)(?:[ ,]+(?:it|that|this)"
    r"(?:'s| is| does)?)?(?:[ ,]+(?:is|still|right|true|correct|accurate|so|holds|valid|current))*"
    r"|(?:it|that|this)(?:'s| is)? (?:still )?(?:is|right|true|correct|accurate|so|holds|valid)",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:no|nope|wrong|false|incorrect|outdated|not any ?more|no longer|obsolete)"
    r"(?:[ ,]+(?:it|that)(?:'s| is)?(?: not| no longer| wrong| outdated)?"
    r"(?: right| true| so| any ?more)?)?"
    r"|(?:it|that)(?:'s| is) (?:not|no longer|wrong|outdated)"
    r"(?: right| true| correct| so| any ?more)?",
    re.IGNORECASE,
)
_NO_BUT = re.compile(r"^(?:no|nope|wrong|not any ?more)\s*[,;:.–-]\s*(?=\S)", re.IGNORECASE)
_THE = r"(?:the )?"
_FIRST = re.compile(rf"{_THE}(?:first|former|older|earlier|1)(?: one| note)?", re.IGNORECASE)
_SECOND = re.compile(
    rf"{_THE}(?:second|latter|newer|later|newest|latest|2)(?: one| note)?", re.IGNORECASE
)
_BOTH = re.compile(r"both(?: of them)?(?: are| hold| is)?(?: right| true| current)?", re.IGNORECASE)
_NEITHER = re.compile(r"neither(?: of them)?(?: is right| holds)?|none of them", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|will|can|uses?|leads?|runs?|works?|lives?"
    r"|owns?|starts?|ends|renews?|comes?|goes|meets?|knows?|moved|became|belongs?|stays?|takes?)\b",
    re.IGNORECASE,
)

Verdict = Literal["holds", "wrong", "both", "neither"]
Done = Literal["stored", "confirmed", "verified", "replaced", "settled", "withdrawn", "held"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of two that stand against each other."""

    number: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A word on what was asked about, without other words in its place."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Said:
    """A statement."""

    text: str


Answer = Chosen | Judged | Said


@dataclass(frozen=True, slots=True)
class GapAnswer:
    """What became of an answer: what was kept or decided, and whether the question is settled.

    `changes` take it back, the last one first.
    """

    gap: Gap
    kind: Done
    is_closed: bool
    memories: tuple[Memory, ...]
    changes: tuple[ChangeId, ...]
    reason: str = ""


def read_answer(gap: Gap, text: str, memories: Sequence[Memory]) -> Answer:
    """What an answer means, by the sort of question; one that says nothing is refused."""
    plain = text.strip().rstrip(" .!")
    is_piece = gap.kind is GapKind.MISSING_FIELD
    if says_nothing(text, is_piece=is_piece and not says_none(text)):
        raise InvalidInput(hint=_STAYS_OPEN)
    if is_piece:
        return Said(kept_text(gap, text))
    if gap.kind is GapKind.CONTRADICTION:
        return _choice(plain, text, memories)
    if _YES.fullmatch(plain):
        return Judged("holds")
    if _NO.fullmatch(plain):
        return Judged("wrong")
    return Said(_NO_BUT.sub("", text.strip()))


def kept_text(gap: Gap, text: str) -> str:
    """An answer as a statement that can stand by itself: a whole sentence stays as it is said."""
    field, template = field_of(gap.template, gap.field), BY_NAME.get(gap.template)
    if field is None or template is None:
        return text.strip()
    if says_none(text):
        return _none_text(field, gap)
    is_person = template.type is EntityType.PERSON
    match piece_of(text, is_of_subject=field.is_of_subject, is_person=is_person):
        case Whole() if is_sentence(text.strip()):
            return text.strip()
        case Predicate(said, is_person=is_one):
            if (is_one and not template.is_somebody) or "{who}" in field.statement:
                raise InvalidInput(hint=_WHO)
            return sentence("{told} {answer}.", gap, said)
        case Clause(said, is_open=is_open) if ":" not in field.statement:
            if is_open:
                return sentence("{answer} {told}.", gap, said)
            is_whole = is_sentence(text.strip())
            return text.strip() if is_whole else sentence("{told}: {answer}.", gap, said)
        case Piece(said, is_past=True):
            return _piece_text(field, gap, said, field.statement.replace("{told} is", "{told} was"))
        case Whole(said) | Piece(said) | Clause(said):
            return _piece_text(field, gap, said, field.statement)


def _none_text(field: Field, gap: Gap) -> str:
    if not field.none:
        raise InvalidInput(hint=_STAYS_OPEN)
    return sentence(field.none, gap)


def _piece_text(field: Field, gap: Gap, said: str, statement: str) -> str:
    if says_none(said):
        return _none_text(field, gap)
    if says_nothing(said, is_piece=True):
        raise InvalidInput(hint=_STAYS_OPEN)
    return sentence(statement, gap, said)


def is_sentence(text: str) -> bool:
    """Whether an answer says who does or is what, and not only the piece that was asked for."""
    words = text.split()
    if claim_of(text) is not None:
        return True
    return len(words) > _SHORT and _VERB.search(" ".join(words[1:])) is not None


def _choice(plain: str, text: str, memories: Sequence[Memory]) -> Answer:
    first, second = sorted(memories, key=lambda each: each.number)
    for pattern, verdict in ((_BOTH, "both"), (_NEITHER, "neither")):
        if pattern.fullmatch(plain):
            return Judged(verdict)  # type: ignore[arg-type]  # one of the two
    if _FIRST.fullmatch(plain):
        return Chosen(first.number)
    if _SECOND.fullmatch(plain):
        return Chosen(second.number)
    named = [each for each in (first, second) if _names(plain, each)]
    return Chosen(named[0].number) if len(named) == 1 else Said(text.strip())


def _names(plain: str, memory: Memory) -> bool:
    """Whether an answer names a memory: by its label, or by words that it has."""
    if number_of(plain.lower()) == memory.number:
        return True
    said = _telling(plain)
    return bool(said) and said <= _telling(memory.content)


def _telling(text: str) -> set[str]:
    return set(re.findall(r"\w+", folded(text))) - COMMON_WORDS
