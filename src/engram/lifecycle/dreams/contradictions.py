"""Finds statements that stand side by side though they exclude each other, and rules on them.

Taking a statement in does the same with what is there at that moment. What was imported, written at
the same time, or written before a rule existed is found here.
"""

from collections.abc import Iterable, Sequence

from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.unchanged import are_unchanged
from engram.memory.changes import Action
from engram.memory.dreams.disputes import Disputed, Replaced, Ruling, Told, ruling
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


def contradictions(night: Night, see: StoreReader) -> Planned:
    """Hold the statements of a scope about the same thing against each other.

    Beliefs are left out: they are held against each other whenever one is learnt.
    """
    statements = {each.number: each for each in night.statements(see)}
    details = see.made_from(statements)
    plain = {number: each for number, each in statements.items() if number not in details}
    rulings: list[Ruling] = []
    for numbers in _about_the_same(see.claims.of_scope(night.scope), plain):
        night.breathe()
        found = ruling(_told([plain[number] for number in numbers], see))
        if not found.is_empty or found.left:
            rulings.append(found)
    decisions = [_decision(each) for each in rulings if not each.is_empty]
    left = [finding for each in rulings for finding in each.left]
    most = night.options.decisions_per_pass
    return Planned(
        decisions=tuple(decisions[:most]),
        findings=tuple(left[:_MOST_FINDINGS]),
        looked_at=len(statements),
        is_whole=len(decisions) <= most,
    )


def _about_the_same(
    claims: Sequence[KeptClaim], statements: dict[int, Memory]
) -> list[tuple[int, ...]]:
    """Statements of one subject and property that do not all say the same, the oldest key first."""
    by_key: dict[tuple[str, str], list[KeptClaim]] = {}
    for each in claims:
        if each.number in statements:
            by_key.setdefault(each.key, []).append(each)
    return [
        tuple(each.number for each in told[-_MOST_OF_A_KEY:])
        for told in by_key.values()
        if len({each.said for each in told}) > 1
    ]


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
