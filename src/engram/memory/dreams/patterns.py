"""What several memories have in common: a fact said again and again, a list that fills, a habit.

Nothing is invented. A fact is the best of its own wordings; a list is one of its sentences with the
values of the others put in; a habit is a sentence without its date, and how often it was told. By
whom and of whom something is said has to be the same, and vectors only tell apart what the words
alone would take for alike.
"""

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from engram.language.when.spans import find_times
from engram.memory.claims import table
from engram.memory.claims.claim import Claim, plain_name
from engram.memory.claims.polarity import polarity_of
from engram.memory.dreams.claimed import claimed_by
from engram.memory.dreams.clusters import Vectors, near_centre, stacked
from engram.memory.dreams.merging import gist
from engram.memory.dreams.summaries import Weighed, best_sentences
from engram.memory.record import Memory, MetadataValue
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import Kind, Layer, Status

_LONGEST = 200  # characters of a sentence that a pattern is read from
_LONGEST_VALUE = 60
_MOST_VALUES = 12  # of a list; what is told most often stays
_NEVER = frozenset({"correction", "commitment", "turn"})
# Of these somebody has several, and the list of them says something. Not what is needed just now.
_LISTS = frozenset(
    {table.USES, table.PREFERS, "likes", "has visited", "knows", "has", "speaks", "plays",
     "supports", "eats", "drinks", "drives", "trusts", "allergic to"}
)  # fmt: skip
_FOR = re.compile(r"^(\w+) for (.+)$")
_PLACING = re.compile(r"(?:\b(?:on|in|at|since|for)\s+(?:the\s+)?)?$", re.IGNORECASE)
_DIGITS = 4


_DAY = timedelta(days=1)
_ANY_DAY = datetime(2024, 6, 15, tzinfo=UTC)


class Shape(StrEnum):
    """What sort of pattern it is."""

    FACT = "fact"
    LIST = "list"
    HABIT = "habit"


@dataclass(frozen=True, slots=True)
class Pattern:
    """Memories that come to a statement of their own."""

    shape: Shape
    key: str  # names the pattern however many memories it has
    text: str
    sources: tuple[Memory, ...]
    confidence: float
    fields: Mapping[str, MetadataValue] = field(default_factory=dict)

    @property
    def metadata(self) -> dict[str, MetadataValue]:
        """What is kept beside the statement, and by what it is found again."""
        return {"pattern": self.key, "schema": self.shape.value, **self.fields}


@dataclass(frozen=True, slots=True)
class Terms:
    """When memories are a pattern."""

    at_least: int
    similarity: float
    confidence: float


@dataclass(frozen=True, slots=True)
class _Seen:
    memory: Memory
    claim: Claim | None

    @property
    def value(self) -> str:
        return plain_name(self.claim.object) if self.claim else ""


def find_patterns(
    memories: Iterable[Memory],
    vectors: Mapping[int, Vectors],
    terms: Terms,
    *,
    backing: frozenset[int] = frozenset(),
    breathe: Callable[[], None] = lambda: None,
) -> list[Pattern]:
    """The patterns among some memories, in one order.

    `backing` names those that faded since a pattern was made of them: they still count for it, and
    have no vector any more.
    """
    seen = []
    for place, memory in enumerate(sorted(memories, key=lambda each: each.number)):
        if place % 32 == 0:
            breathe()
        if may_show_a_pattern(memory, backing):
            seen.append(_Seen(memory, claimed_by(memory)))
    found = [*_facts(seen, vectors, terms), *_lists(seen, vectors, terms, backing)]
    found += _habits([each.memory for each in seen if each.claim is None], vectors, terms)
    kept = (each for each in found if each.confidence > terms.confidence)
    return sorted(kept, key=lambda each: (each.sources[0].number, each.key))


def may_show_a_pattern(memory: Memory, backing: frozenset[int] = frozenset()) -> bool:
    """Whether something may be concluded from a memory: undisputed, of a known hand, one thing."""
    is_standing = memory.status is Status.ACTIVE or memory.number in backing
    return (
        is_standing
        and memory.category not in _NEVER
        and memory.layer in (Layer.EPISODIC, Layer.SEMANTIC)
        and len(memory.content) <= _LONGEST
        and may_enter_unasked(memory)
    )


def combined_confidence(memories: Iterable[Memory]) -> float:
    """How sure several are together that each is a little sure, as far as each is believed."""
    doubt = math.prod(1.0 - each.confidence * each.trust for each in memories)
    return round(1.0 - doubt, _DIGITS)


def _voice(memory: Memory) -> tuple[str, str, str]:
    """Who says it of whom, and for whose eyes: patterns never mix these."""
    return memory.speaker or "", memory.subject or "", memory.secrecy.value


def _key(*parts: object) -> str:
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()[:16]


# A fact said again and again


def _facts(seen: Sequence[_Seen], vectors: Mapping[int, Vectors], terms: Terms) -> list[Pattern]:
    """What passing memories say alike; not where lasting knowledge says it already."""
    groups: dict[tuple[object, ...], list[Memory]] = {}
    for each in seen:
        if each.claim is not None and each.value:
            claim = each.claim
            key = (*_voice(each.memory), *claim.key, claim.is_negated, each.value)
            groups.setdefault(key, []).append(each.memory)
    found = []
    for shape, members in groups.items():
        is_known = any(each.layer is Layer.SEMANTIC for each in members)
        near = () if is_known else _near(members, vectors, terms.similarity)
        if len(near) >= terms.at_least:
            text = _best_wording(near)
            found.append(_pattern(Shape.FACT, _key("fact", *shape), text, near))
    return [each for each in found if each.text]


def _pattern(
    shape: Shape,
    key: str,
    text: str,
    sources: Sequence[Memory],
    fields: Mapping[str, MetadataValue] | None = None,
) -> Pattern:
    return Pattern(shape, key, text, tuple(sources), combined_confidence(sources), fields or {})


def _near(
    members: Sequence[Memory], vectors: Mapping[int, Vectors], similarity: float
) -> tuple[Memory, ...]:
    """Those around one centre; of those without a vector the words are believed."""
    placed, matrix = stacked(vectors, [each.number for each in members])
    kept = {placed[place] for place in near_centre(matrix, range(len(placed)), similarity)}
    far = set(placed) - kept
    return tuple(each for each in members if each.number not in far)


def _best_wording(members: Sequence[Memory]) -> str:
    """The most central sentence of the best sources; empty when none can stand alone."""
    weighed = [Weighed(each.content, each.trust * each.confidence, each.number) for each in members]
    best = best_sentences(weighed, most=1)
    return best[0].text if best else ""


# A list that fills


def _lists(
    seen: Sequence[_Seen],
    vectors: Mapping[int, Vectors],
    terms: Terms,
    backing: frozenset[int],
) -> list[Pattern]:
    """ "I use pytest for testing", "I use ruff for linting": one thing with several values."""
    groups: dict[tuple[object, ...], list[_Seen]] = {}
    for each in seen:
        verb = _listing_verb(each)
        if verb is not None and each.claim is not None and _tail(each):
            key = (*_voice(each.memory), each.claim.key[0], verb)
            groups.setdefault(key, []).append(each)
    found = []
    for shape, members in groups.items():
        placed = [
            each for each in members
            if each.memory.number in vectors or each.memory.number in backing
        ]  # fmt: skip
        near = {each.number for each in _near([one.memory for one in placed], vectors,
                                              terms.similarity)}  # fmt: skip
        listed = [each for each in placed if each.memory.number in near]
        if len({_said(each) for each in listed}) >= terms.at_least:
            found.append(_as_list(_key("list", *shape), str(shape[-1]), listed))
    return found


def _listing_verb(seen: _Seen) -> str | None:
    """What is listed: "uses" of "uses for testing" too, where the purpose names the place."""
    claim = seen.claim
    if claim is None or claim.is_negated:
        return None
    purpose = _FOR.match(claim.predicate)
    verb = purpose[1] if purpose else claim.predicate
    return verb if verb in _LISTS and (purpose or not claim.is_functional) else None


def _tail(seen: _Seen) -> str:
    """What is said after the verb, as it is written; empty when it cannot be cut out."""
    text = seen.memory.content.strip().rstrip(".! ")
    start = text.find(seen.claim.object) if seen.claim else -1
    tail = text[start:] if start > 0 else ""
    return tail if 0 < len(tail) <= _LONGEST_VALUE and not re.search(r"[.;:?!\n]\s", tail) else ""


def _said(seen: _Seen) -> tuple[str, str]:
    """The place in the list and the value there; without a place the value names itself."""
    purpose = _FOR.match(seen.claim.predicate) if seen.claim else None
    return (purpose[2] if purpose else ""), seen.value


def _as_list(key: str, verb: str, members: Sequence[_Seen]) -> Pattern:
    counted: dict[tuple[str, str], list[_Seen]] = {}
    for each in members:
        counted.setdefault(_said(each), []).append(each)
    most = sorted(counted.values(), key=lambda told: (-len(told), told[0].memory.number))
    shown = sorted(most[:_MOST_VALUES], key=lambda told: told[0].memory.number)
    lead = shown[0][0]
    text = lead.memory.content.strip()
    start = text.find(lead.claim.object) if lead.claim else 0
    tails = [_tail(told[0]) for told in shown]
    between = "; " if any("," in tail for tail in tails) else ", "
    joined = f"{between.join(tails[:-1])} and {tails[-1]}"
    values = [told[0].claim.object for told in shown if told[0].claim]
    places = [_said(told[0])[0] for told in shown]
    named = [f"{place}: {value}" if place else value
             for place, value in zip(places, values, strict=True)]  # fmt: skip
    fields: dict[str, MetadataValue] = {"verb": verb, "values": named}
    sources = [each.memory for each in members]
    return _pattern(Shape.LIST, key, f"{text[:start]}{joined}.", sources, fields)


# A habit


def _habits(
    memories: Sequence[Memory], vectors: Mapping[int, Vectors], terms: Terms
) -> list[Pattern]:
    """What happened again and again, on different days."""
    groups: dict[tuple[object, ...], list[Memory]] = {}
    for memory in memories:
        if memory.kind is Kind.EPISODE or memory.layer is Layer.EPISODIC:
            groups.setdefault((*_voice(memory), gist(memory.content)), []).append(memory)
    found = []
    for (*voice, _), alike in groups.items():
        if len(alike) < terms.at_least:
            continue
        for deed, members in _by_deed(alike).items():
            near = _near(members, vectors, terms.similarity)
            if len({_day_of(each) for each in near}) >= terms.at_least:
                found.append(_as_habit(_key("habit", *voice, *deed), near))
    return [each for each in found if each.text]


def _by_deed(memories: Sequence[Memory]) -> dict[tuple[object, ...], list[Memory]]:
    """Memories by what they say happened, whenever that was."""
    found: dict[tuple[object, ...], list[Memory]] = {}
    for memory in memories:
        polarity = polarity_of(timeless(memory.content))
        is_deed = polarity is not None and polarity.is_past and not polarity.modals
        if polarity is not None and is_deed and _day_of(memory) is not None:
            found.setdefault((polarity.is_negated, *polarity.words), []).append(memory)
    return found


def _day_of(memory: Memory) -> date | None:
    """The day it tells of, which may have been told of before; None when that is no one day."""
    spans = find_times(memory.content, memory.at)
    if not spans:
        return memory.at.date()
    is_day = len(spans) == 1 and spans[0].end - spans[0].start <= _DAY
    return spans[0].start.date() if is_day else None


def _as_habit(key: str, members: Sequence[Memory]) -> Pattern:
    told = [each.replaced(content=timeless(each.content)) for each in members]
    text = _best_wording(told).rstrip(".! ")
    days = sorted({str(_day_of(each)) for each in members})
    fields: dict[str, MetadataValue] = {"times": len(days), "first": days[0], "last": days[-1]}
    sentence = f"{text} ({len(days)} times from {days[0]} to {days[-1]})." if text else ""
    return _pattern(Shape.HABIT, key, sentence, members, fields)


@lru_cache(maxsize=4_096)
def timeless(text: str) -> str:
    """A sentence without the times it names."""
    plain = text
    for span in reversed(find_times(text, _ANY_DAY)):
        start, end = span.place
        lead = _PLACING.search(plain, max(0, start - 16), start)
        plain = f"{plain[: lead.start() if lead else start].rstrip()} {plain[end:].lstrip()}"
    tidy = re.sub(r"\s+([.,;!])", r"\1", " ".join(plain.split())).lstrip(",; ")
    return tidy[:1].upper() + tidy[1:]
