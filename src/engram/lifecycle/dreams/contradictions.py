"""Finds statements that stand side by side though they exclude each other, and rules on them.

Taking a statement in does the same with what is there at that moment. What was imported, written at
the same time, or written before a rule existed is found here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.unchanged import are_unchanged
from engram.memory.changes import Action
from engram.memory.dreams.clusters import stacked
from engram.memory.dreams.disputes import (
    Disputed,
    Replaced,
    Ruling,
    Told,
    ruling,
    tells_otherwise,
)
from engram.memory.episodes.likeness import telling_words
from engram.memory.links import Relation, made_with
from engram.memory.record import Memory
from engram.memory.staleness import ceases_at
from engram.memory.vocabulary import Status
from engram.storage.claims import KeptClaim
from engram.storage.reader import StoreReader
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork

_MOST_OF_A_KEY = 30  # statements about one thing, the newest: more are a log, not a dispute
_MOST_FINDINGS = 50
_MOST_ANEW = 200  # statements that tell a change, looked at in one night
_MOST_LIKE = 6  # others that each is held against
_LONGEST = 300  # characters of a sentence that tells one
_RULES = 2  # raised when what is seen as a change grows: then everything is looked at again
# Who says one of these may be denying or replacing what has no claim to be found by.
_TELLS_CHANGE = re.compile(
    r"\b(?:now|currently|nowadays|these days|any ?more|no longer|not|never|stopped|quit|moved"
    r"|switched|changed|shifted|transferred|raised|lowered|postponed|rescheduled|increased|reduced|updated"
    r"|set)\b|n['’]t\b",
    re.IGNORECASE,
)


def contradictions(night: Night, see: StoreReader) -> Planned:
    """Hold the statements of a scope about the same thing against each other.

    Beliefs are left out: they are held against each other whenever one is learnt.
    """
    statements = {each.number: each for each in night.statements(see)}
    details = see.made_from(statements)
    plain = {number: each for number, each in statements.items() if number not in details}
    meeting = _about_the_same(see.claims.of_scope(night.scope), plain)
    telling, looked_up_to = _telling_change(night, plain)
    anew = _told_anew(night, see, telling, plain)
    rulings: list[Ruling] = []
    for numbers in _matters([*meeting, *anew]):
        night.breathe()
        found = ruling(_told([plain[number] for number in numbers], see))
        if not found.is_empty or found.left:
            rulings.append(found)
    decisions = [_decision(each) for each in rulings if not each.is_empty]
    left = [finding for each in rulings for finding in each.left]
    is_cut = len(decisions) > night.options.decisions_per_pass
    return Planned(
        decisions=tuple(decisions[: night.options.decisions_per_pass]),
        findings=tuple(left[:_MOST_FINDINGS]),
        looked_at=len(statements),
        mark=None if is_cut else f"{_RULES}:{looked_up_to}",
        is_whole=not is_cut and looked_up_to == max(plain, default=0),
    )


def _about_the_same(
    claims: Sequence[KeptClaim], statements: Mapping[int, Memory]
) -> list[tuple[int, ...]]:
    """Statements of one subject and property that do not all say the same, the oldest key first."""
    by_key: dict[tuple[str, str], list[KeptClaim]] = {}
    for each in claims:
        if each.number in statements:
            by_key.setdefault(each.key, []).append(each)
    return [
        tuple(each.number for each in told)
        for told in by_key.values()
        if len({each.said for each in told}) > 1
    ]


def _telling_change(night: Night, statements: Mapping[int, Memory]) -> tuple[list[Memory], int]:
    """Statements that may tell a change and were not looked at yet, and up to which number."""
    rules, _, seen = (night.mark or "").partition(":")
    after = int(seen) if rules == str(_RULES) and not night.is_rebuild else 0
    found = [
        each
        for number, each in sorted(statements.items())
        if number > after and len(each.content) <= _LONGEST and _TELLS_CHANGE.search(each.content)
    ]
    if len(found) <= _MOST_ANEW:
        return found, max(statements, default=0)
    return found[:_MOST_ANEW], found[_MOST_ANEW - 1].number


def _told_anew(
    night: Night, see: StoreReader, telling: Sequence[Memory], statements: Mapping[int, Memory]
) -> Iterator[tuple[int, int]]:
    """Pairs of a statement that tells a change and one about the same that it tells against.

    Those nearest by their vectors are tried, and without vectors the newest that share words.
    """
    vectors = night.vectors(see) if telling else {}
    placed, matrix = stacked(vectors, list(statements))
    for memory in telling:
        night.breathe()
        if memory.number in vectors:
            nearness = matrix @ vectors[memory.number]
            near = [placed[place] for place in (-nearness).argsort(kind="stable")[:_MOST_LIKE]]
        else:
            near = [each.number for each in see.like(memory.content, night.scope, limit=_MOST_LIKE)]
        for number in near:
            other = statements.get(number)
            if other is not None and number != memory.number and _relate(other, memory):
                yield number, memory.number


def _relate(one: Memory, other: Memory) -> bool:
    words = [telling_words(each.content) for each in (one, other)]
    is_near = 3 * len(words[0] & words[1]) >= max(1, min(map(len, words)))
    if not is_near or len(one.content) > _LONGEST:
        return False
    earlier, later = sorted((one, other), key=lambda each: (each.at, each.number))
    return tells_otherwise(Told(earlier, earlier.at), Told(later, later.at))


def _matters(meeting: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """What hangs together, so that each statement is ruled on once: in the order of the oldest."""
    home: dict[int, set[int]] = {}
    for numbers in meeting:
        joined = set(numbers).union(*(home[number] for number in numbers if number in home))
        home |= dict.fromkeys(joined, joined)
    distinct = {id(each): each for each in home.values()}
    return sorted(tuple(sorted(each))[-_MOST_OF_A_KEY:] for each in distinct.values())


def _told(memories: Sequence[Memory], see: StoreReader) -> list[Told]:
    """The statements with when each was last said: also by being said again, or verified."""
    again = see.aging.last_confirmed(each.number for each in memories if each.usage.confirmations)
    return [
        Told(each, max(each.at, again.get(each.number, each.at), each.last_verified_at or each.at))
        for each in memories
    ]


def _decision(found: Ruling) -> Decision:
    sentences = [f"{each.loser.memory.label}: {each.why}" for each in found.replaced]
    sentences += [f"{each.memory.label} is challenged: {each.why}" for each in found.disputed]
    return Decision(
        key=f"contradictions {_key(found)}",
        why="; ".join(sentences),
        numbers=tuple(dict.fromkeys(each.number for each in _memories(found))),
        carry_out=lambda unit: _carry_out(unit, found),
    )


def _key(found: Ruling) -> str:
    over = [f"{each.loser.memory.number}>{each.winner.memory.number}" for each in found.replaced]
    return " ".join(
        [*over, *(f"{each.memory.number}?{each.rival.number}" for each in found.disputed)]
    )


def _memories(found: Ruling) -> Iterable[Memory]:
    for over in found.replaced:
        yield from (over.loser.memory, over.winner.memory)
    for doubt in found.disputed:
        yield from (doubt.memory, doubt.rival)


def _carry_out(unit: UnitOfWork, found: Ruling) -> bool:
    present = {each.number: each for each in _memories(found)}
    if not are_unchanged(unit, present.values()):
        return False
    for over in found.replaced:
        _supersede(unit, over, present)
    for doubt in found.disputed:
        _challenge(unit, doubt, present)
    return True


def _supersede(unit: UnitOfWork, over: Replaced, present: dict[int, Memory]) -> None:
    """Retire a statement as taking in the other would have; that one holds from then on."""
    old, latest = present[over.loser.memory.number], present[over.winner.memory.number]
    unit.begin_change(Action.SUPERSEDE, old.scope, over.why)
    ends = ceases_at(old, latest.valid_from or over.winner.last_said)
    present[old.number] = unit.replace(
        old, status=Status.SUPERSEDED, superseded_by=latest.id, valid_until=ends
    )
    may_begin = latest.valid_until is None or latest.valid_until > latest.at
    is_later = latest.at > old.at and may_begin
    if latest.valid_from is None and is_later and not latest.is_pinned:
        present[latest.number] = unit.replace(latest, valid_from=latest.at)


def _challenge(unit: UnitOfWork, doubt: Disputed, present: dict[int, Memory]) -> None:
    memory, rival = present[doubt.memory.number], present[doubt.rival.number]
    change = unit.begin_change(Action.CHALLENGE, memory.scope, doubt.why)
    present[memory.number] = unit.replace(memory, status=Status.CHALLENGED)
    known = unit.see.links.between(rival.number, memory.number, Relation.CONTRADICTS)
    if known is None or known.withdrawn_by is not None:
        tie(unit, present[memory.number], rival, Relation.CONTRADICTS, made_with(change))
