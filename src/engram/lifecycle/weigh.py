"""Weighs one memory: how much it matters, how vivid it is, and when it would leave recall."""

from datetime import datetime

from engram.lifecycle.dreams.archive import (
    archival_rules,
    is_last_word,
    is_protected,
    rules_for_turns,
)
from engram.lifecycle.dreams.options import DreamOptions
from engram.memory.categories import TURN, CategoryRegistry
from engram.memory.dreams.archival import (
    ArchivalRules,
    Standing,
    leaves_on,
    reason_to_spare,
    turn_leaves_on,
)
from engram.memory.importance_report import ImportanceReport, Stay, importance_report
from engram.memory.record import Memory
from engram.memory.retention import half_life
from engram.memory.staleness import status_at
from engram.memory.vocabulary import RetentionMode, Status
from engram.storage.reader import StoreReader


def weigh(
    memory: Memory,
    see: StoreReader,
    now: datetime,
    *,
    options: DreamOptions,
    mode: RetentionMode,
    registry: CategoryRegistry,
) -> ImportanceReport:
    """Tell how much a memory matters now, and what becomes of it if nobody uses it again."""
    stay = _stay(memory, see, now, options, mode=mode, registry=registry)
    return importance_report(memory, now, stay, mode)


def _stay(
    memory: Memory,
    see: StoreReader,
    now: datetime,
    options: DreamOptions,
    *,
    mode: RetentionMode,
    registry: CategoryRegistry,
) -> Stay:
    rules = archival_rules(options, mode)
    status = status_at(memory, now)
    if status is not Status.ACTIVE:
        return Stay(leaves_at=None, because=f"it is {status}")
    turns, statements = see.aging.count_recalled(memory.scope)
    if memory.category == TURN:
        in_haste = rules_for_turns(rules, see, memory.scope, now, options)
        return _stay_of_turn(memory, see, now, in_haste, is_crowded=turns > options.keep_turns)
    standing = Standing(
        is_protected=is_protected(registry, memory.category),
        has_replaced=bool(see.replaced_by(memory.id)),
        is_last_word=is_last_word(see, memory),
        is_crowded=statements > options.keep_moments,
    )
    leaves = leaves_on(memory, now, rules, standing)
    because = "" if leaves else _why_it_stays(memory, rules, standing)
    return Stay(leaves_at=leaves, because=because)


def _stay_of_turn(
    turn: Memory, see: StoreReader, now: datetime, rules: ArchivalRules, *, is_crowded: bool
) -> Stay:
    if not is_crowded:
        return Stay(leaves_at=None, because="there are not too many turns beside it")
    told = see.aging.told_of([turn.number]).get(turn.number)
    leaves = turn_leaves_on(turn, told, now, rules)
    return Stay(leaves_at=leaves, because="" if leaves else _why_it_stays(turn, rules, Standing()))


def _why_it_stays(memory: Memory, rules: ArchivalRules, standing: Standing) -> str:
    spared = reason_to_spare(memory, rules, standing)
    if spared is not None:
        return spared
    if half_life(memory) is None:
        return f"{memory.layer} memory does not fade"
    if memory.usage.accesses >= rules.faded.accesses:
        return f"it was used {memory.usage.accesses} times"
    return "it matters too much"
