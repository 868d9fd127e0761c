"""Lets go what has faded and hardly mattered, and small talk; all of it can be brought back."""

import json
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engram.errors import InvalidInput
from engram.lifecycle.dreams.going_through import decided, replacing, same_use, walk_of
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.old_turns import old_turns
from engram.lifecycle.dreams.options import DreamOptions
from engram.memory.categories import TURN, CategoryRegistry
from engram.memory.changes import Action
from engram.memory.dreams.archival import (
    HASTE_SPAN,
    ArchivalRules,
    Grounds,
    Standing,
    Threshold,
    grounds_to_archive,
    haste,
)
from engram.memory.importance import importance
from engram.memory.record import Memory
from engram.memory.retention import last_touched, retention
from engram.memory.scopes import Scope
from engram.memory.vocabulary import Layer, RetentionMode, Status
from engram.storage.reader import StoreReader

_STATEMENTS = "statements"  # beside the turns, in the mark
_FADING = (Layer.WORKING, Layer.EPISODIC)


def archive(night: Night, see: StoreReader) -> Planned:
    """Archive statements that have faded, and turns that tell nothing more than others do."""
    options = night.options
    rules = archival_rules(options, night.retention_mode)
    reached = _read_mark(night.mark)
    after = reached.pop(_STATEMENTS, None)
    many_turns, many_statements = see.aging.count_recalled(night.scope)
    surplus = many_turns - options.keep_turns
    bound = min(surplus, options.decisions_per_pass)
    for_turns = rules_for_turns(rules, see, night.scope, night.now, options)
    turns = old_turns(night, see, for_turns, reached=reached, most=bound)
    leaving = {turn.number for turn, _ in turns.leaving}
    passing = many_statements - options.keep_moments
    statements = _statements(night, see, rules, _Leaving(leaving, passing), after=after)
    found = [
        *(_decision(night, memory, grounds, for_turns) for memory, grounds in turns.leaving),
        *statements.decisions,
    ]
    most = options.decisions_per_pass
    is_cut = len(found) > most or (most <= len(turns.leaving) < surplus)
    marks = json.dumps({**turns.reached, _STATEMENTS: statements.mark}, sort_keys=True)
    return Planned(
        decisions=tuple(sorted(found, key=lambda each: each.numbers)[:most]),
        looked_at=statements.looked_at + turns.looked_at,
        mark=marks if len(found) <= most else night.mark,  # what was cut off is found again
        is_whole=statements.is_whole and turns.is_whole and not is_cut,
    )


def _read_mark(mark: str | None) -> dict[str, str]:
    """How far statements and each sort of idle turns were looked at; none that cannot be read."""
    try:
        found = json.loads(mark or "{}")
    except ValueError:
        return {}
    if not isinstance(found, Mapping):
        return {}
    return {str(name): place for name, place in found.items() if isinstance(place, str)}


@dataclass(slots=True)
class _Leaving:
    """The turns that leave tonight, and how many moments that have passed may go with them."""

    turns: Set[int]
    moments: int


def _statements(
    night: Night, see: StoreReader, rules: ArchivalRules, leaving: _Leaving, *, after: str | None
) -> Planned:
    thresholds = [each for each in (rules.faded, rules.facts) if each is not None]
    days = min(rules.moment_days, *(each.days for each in thresholds))
    candidates = see.aging.perhaps_faded(
        night.scope,
        walk_of(night, after),
        layers=(*_FADING, Layer.SEMANTIC) if rules.facts else _FADING,
        learned_before=night.now - timedelta(days=days),
        accesses=max(each.accesses for each in thresholds),
    )
    current = see.aging.places_taken(night.scope)

    def decide(memory: Memory) -> Decision | None:
        standing = Standing(
            is_protected=is_protected(night.registry, memory.category),
            has_replaced=memory.id in current,
            is_crowded=leaving.moments > 0,
        )
        grounds = grounds_to_archive(memory, night.now, rules, standing)
        if grounds is not None and is_last_word(see, memory, leaving.turns):  # it takes a query
            alone = replace(standing, is_last_word=True)
            grounds = grounds_to_archive(memory, night.now, rules, alone)
        if grounds is None:
            return None
        leaving.moments -= 1
        return _decision(night, memory, grounds, rules)

    return decided(night, candidates, decide)


def is_last_word(see: StoreReader, memory: Memory, leaving: Set[int] = frozenset()) -> bool:
    """Whether all turns that a statement was drawn from have left recall, or leave now."""
    if not memory.is_drawn:
        return False
    behind = see.aging.turns_behind(memory.number)
    return bool(behind) and not any(
        is_recalled and turn not in leaving for turn, is_recalled in behind.items()
    )


def _decision(night: Night, memory: Memory, grounds: Grounds, rules: ArchivalRules) -> Decision:
    why = f"{memory.label} {_because(night, memory, grounds, rules)}"
    return Decision(
        key=f"archive {memory.number}",
        why=why,
        numbers=(memory.number,),
        carry_out=replacing(
            memory, Action.ARCHIVE, why, unchanged=same_use, status=Status.ARCHIVED
        ),
    )


def _because(night: Night, memory: Memory, grounds: Grounds, rules: ArchivalRules) -> str:
    idle = f"was not used for {(night.now - last_touched(memory)).days} days"
    if grounds is Grounds.SMALL_TALK:
        return f"{idle} and tells nothing that lasts"
    if grounds is Grounds.TOLD_ELSEWHERE:
        return f"{idle}, and what was drawn from it tells all it says"
    left = f"{retention(memory, night.now, rules.mode):.2f} of it is left"
    if memory.category == TURN and rules.haste > 1.0:
        return f"{idle}, which counts {rules.haste:.1f} times over where so much is said"
    if grounds is Grounds.PASSING:
        return f"served its moment and {idle}; {left}"
    matters = f"its importance is {importance(memory, night.now).score:.2f}"
    if grounds is Grounds.UNIMPORTANT:
        return f"{idle} and {matters}"
    return f"{idle}; {left}, and {matters}"


def archival_rules(options: DreamOptions, mode: RetentionMode) -> ArchivalRules:
    """The numbers of archival among a dream's options."""
    facts = Threshold(
        days=options.archive_facts_days,
        importance=options.archive_facts_importance,
        accesses=options.archive_facts_accesses + 1,
    )
    return ArchivalRules(
        faded=Threshold(
            days=options.archive_days,
            importance=options.archive_importance,
            accesses=options.archive_accesses,
            retention=options.archive_retention,
        ),
        facts=facts if options.archive_facts else None,
        sparing_importance=options.sparing_importance,
        sparing_arousal=options.sparing_arousal,
        spares_remembered=not options.archive_remembered,
        moment_days=options.moment_days,
        chatter_days=options.chatter_days,
        drawn_turn_days=options.drawn_turn_days,
        passing_turn_days=options.passing_turn_days,
        turn_days=options.turn_days,
        mode=mode,
    )


def rules_for_turns(
    rules: ArchivalRules, see: StoreReader, scope: Scope, now: datetime, options: DreamOptions
) -> ArchivalRules:
    """The same rules, in haste where more is said than is kept."""
    taken_in = see.aging.turns_since(scope, now - HASTE_SPAN)
    return replace(rules, haste=haste(taken_in, options.keep_turns))


def is_protected(registry: CategoryRegistry, category: str) -> bool:
    """Whether age alone archives nothing of a category; one that is no longer known is spared."""
    try:
        return registry.find(category).is_protected
    except InvalidInput:
        return True
