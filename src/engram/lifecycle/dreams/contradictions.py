"""Finds statements that stand side by side though one replaces the other, and rules on them.

Taking a statement in does the same with what is there at that moment. What was imported, written at
the same time, or written before there was a judge is found here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.unchanged import are_unchanged
from engram.memory.changes import Action
from engram.memory.dreams.clusters import Vectors, stacked
from engram.memory.dreams.disputes import Disputed, Replaced, Ruling, Told, is_replaced, ruling
from engram.memory.links import Relation, made_with
from engram.memory.record import Memory
from engram.memory.sameness import PairReader
from engram.memory.staleness import ceases_at
from engram.memory.vocabulary import Status
from engram.storage.reader import StoreReader
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork

_MOST_OF_A_MATTER = 30  # statements about one thing, the newest: more are a log, not a dispute
_MOST_FINDINGS = 50
_MOST_LOOKED_AT = 200  # statements that were not looked at yet, in one night
_MOST_LIKE = 3  # others that each is held against
_LEAST_LIKENESS = 0.5  # cosine
_LONGEST = 400  # characters; what is longer says more than one thing
_RULES = 3  # raised when what is seen as a change grows: then everything is looked at again


def contradictions(night: Night, see: StoreReader) -> Planned:
    """Hold new statements of a scope against the nearest ones before them.

    Beliefs are left out: they are held against each other whenever one is learnt.
    """
    statements = {each.number: each for each in night.statements(see)}
    if night.judge is None:
        skipped = "No reader is set up that could compare statements."
        return Planned(looked_at=len(statements), skipped=skipped)
    details = see.made_from(statements)
    plain = {
        number: each
        for number, each in sorted(statements.items())
        if number not in details and len(each.content) <= _LONGEST
    }
    fresh, looked_up_to = _fresh(night, plain)
    opposed = set(_opposed(night, see, night.judge, fresh, plain))
    rulings: list[Ruling] = []
    for numbers in _matters(opposed):
        found = ruling(_told([plain[number] for number in numbers], see), opposed)
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


def _fresh(night: Night, statements: Mapping[int, Memory]) -> tuple[list[Memory], int]:
    """Statements that were not looked at yet, and up to which number."""
    rules, _, seen = (night.mark or "").partition(":")
    after = int(seen) if rules == str(_RULES) and not night.is_rebuild else 0
    found = [each for number, each in statements.items() if number > after]
    if len(found) <= _MOST_LOOKED_AT:
        return found, max(statements, default=0)
    return found[:_MOST_LOOKED_AT], found[_MOST_LOOKED_AT - 1].number


def _opposed(
    night: Night,
    see: StoreReader,
    judge: PairReader,
    fresh: Sequence[Memory],
    statements: Mapping[int, Memory],
) -> Iterator[tuple[int, int]]:
    """Pairs of an earlier statement and a later one that replaces it, by the judge."""
    vectors = night.vectors(see) if fresh else {}
    placed, matrix = stacked(vectors, list(statements))
    looked_at: set[tuple[int, int]] = set()
    for memory in fresh:
        night.breathe()
        for number in _nearest(memory, placed, matrix, see, night):
            other = statements.get(number)
            if other is None or number == memory.number:
                continue
            earlier, later = sorted((memory, other), key=lambda each: (each.at, each.number))
            pair = earlier.number, later.number
            if pair not in looked_at and is_replaced(earlier, later, judge):
                yield pair
            looked_at.add(pair)


def _nearest(
    memory: Memory, placed: Sequence[int], matrix: Vectors, see: StoreReader, night: Night
) -> list[int]:
    """The statements nearest in meaning, or without a vector those that share most words."""
    if memory.number not in placed:
        return [each.number for each in see.like(memory.content, night.scope, limit=_MOST_LIKE + 1)]
    nearness = matrix @ matrix[placed.index(memory.number)]
    order = (-nearness).argsort(kind="stable")[: _MOST_LIKE + 1]
    return [placed[place] for place in order if nearness[place] >= _LEAST_LIKENESS]


def _matters(meeting: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """What hangs together, so that each statement is ruled on once: in the order of the oldest."""
    home: dict[int, set[int]] = {}
    for numbers in sorted(meeting):
        joined = set(numbers).union(*(home[number] for number in numbers if number in home))
        home |= dict.fromkeys(joined, joined)
    distinct = {id(each): each for each in home.values()}
    return sorted(tuple(sorted(each))[-_MOST_OF_A_MATTER:] for each in distinct.values())


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
