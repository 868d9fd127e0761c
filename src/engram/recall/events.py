"""Events that a question counts from: "since the deploy", "when I was in Paris"."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from engram.language.when.lexicons import lexicon
from engram.language.when.spans import find_times

_ANY_DAY = datetime(2024, 6, 15, tzinfo=UTC)
_LONGEST_QUESTION = 2_000  # an event further on is not what a question counts from


class Relation(StrEnum):
    """On which side of an event a question looks."""

    SINCE = "since"
    AFTER = "after"
    BEFORE = "before"
    UNTIL = "until"
    DURING = "during"


_RELATIONS = {"till": "until", "when": "during", "while": "during", "around": "during"}


@dataclass(frozen=True, slots=True)
class EventReference:
    """A time told by an event: what happened has to be looked up to know when."""

    relation: Relation
    event: str
    clause: str = ""  # the event with the word before it, as it stands in the question


_RELATED = re.compile(
    r"\b(since|after|before|until|till|when|while|during|around)\s+([^\n.?!,;]{2,200})",
    re.IGNORECASE,
)
# "After the move what did I ..." goes on with the question itself.
_NEXT_QUESTION = re.compile(
    r"\s(?:what|which|where|when|who|how|why|did|do|does|is|are|was|were|have|has|can|could|should)"
    r"\s(?:i|we|you|he|she|they|it|the|my|our|has|have|did|was|were|do|does)\b",
    re.IGNORECASE,
)
# Sayings, and words that point back at the sentence before.
_NO_EVENT = re.compile(
    r"(?:all|that|this|these|those|then|when|long|too long|now|it|him|her|them|me|you|us|and"
    r"|or|noon|lunch|dinner|breakfast|work|school|bed|taxes?|eating|sleep(?:ing)?|here|there|town)"
    r"\b(?!\s+\w+ed\b)",
    re.IGNORECASE,
)
# "Since I am vegan" gives a reason; what still holds is no event to count from.
_REASON = re.compile(
    r"(?:i|we|you|he|she|they|it|there|my \w+|our \w+)(?:['’](?:m|s|re|ve)\b"
    r"|\s(?:am|is|are|have|has|can|can['’]t|don['’]t|do|like|love|hate|need|want|prefer|know|live|work)\b)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"(?:(?:my|our|the|his|her|their)\s+)?[\w'’]+(?:\s+and\s+\w+)?\s+([\w'’]+)")


def find_event(text: str) -> EventReference | None:
    """The event that a text counts from ("since the deploy", "when I moved"), if it is no date."""
    for match in _RELATED.finditer(text[:_LONGEST_QUESTION]):
        relation, event = match[1].lower(), match[2]
        if _begins_with_time(match[0]) or _NO_EVENT.match(event):
            continue
        if relation == "since" and not text[: match.start()].strip() and _REASON.match(event):
            continue
        if relation in ("when", "while") and not _tells_past(event):
            continue
        cut = _NEXT_QUESTION.search(event)
        event = (event[: cut.start()] if cut else event).strip(" '\"’”)")
        if any(letter.isalpha() for letter in event):
            clause = text[match.start() : match.start(2) + len(event)]
            return EventReference(Relation(_RELATIONS.get(relation, relation)), event, clause)
    return None


def _begins_with_time(words: str) -> bool:
    times = find_times(words[:80], _ANY_DAY)
    return any(span.place[0] <= len("before the ") for span in times)


def _tells_past(clause: str) -> bool:
    """Whether a clause has a subject and a verb in the past: "I was in Paris", not "did I go"."""
    match = _SUBJECT.match(clause)
    lists = lexicon("en").lists
    if match is None or clause.split()[0].lower() in lists["inverted"]:
        return False
    verb = match[1].lower()
    return verb in lists["past"] or (verb.endswith("ed") and verb not in lists["not_past"])
