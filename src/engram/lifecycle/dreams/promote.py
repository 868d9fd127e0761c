"""Moves memories between layers: up what is used, down what is doubted and left alone."""

from engram.lifecycle.dreams.going_through import decided, replacing, walk_of
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.options import DreamOptions
from engram.memory.changes import Action
from engram.memory.dreams.moves import MoveRules, moves_down_to, moves_up_to
from engram.memory.record import Memory
from engram.memory.vocabulary import Layer
from engram.storage.reader import StoreReader

_JUDGED = frozenset({Layer.EPISODIC, Layer.SEMANTIC})  # what callers thought of it counts


def move_rules(options: DreamOptions) -> MoveRules:
    """The numbers of promotion and demotion among a dream's options."""
    return MoveRules(
        working_minutes=options.working_minutes,
        working_accesses=options.working_accesses,
        importance=options.promote_importance,
        accesses=options.promote_accesses,
        doubted_days=options.doubted_days,
    )


def promote(night: Night, see: StoreReader) -> Planned:
    """Promote what has earned a more lasting place, and demote doubted work of machines."""
    rules = move_rules(night.options)

    def decide(memory: Memory) -> Decision | None:
        words = see.feedback_for([memory.number]) if memory.layer in _JUDGED else []
        move = moves_down_to if memory.layer is Layer.SEMANTIC else moves_up_to
        target = move(memory, night.now, rules, words)
        if target is None or "episode" in see.made_from([memory.number]).values():
            return None  # what tells an episode stays one; knowledge is drawn from it
        return _decision(memory, target)

    walk = walk_of(night, night.mark)
    candidates = see.aging.perhaps_moved(night.scope, walk, accesses=rules.accesses)
    return decided(night, candidates, decide)


def _decision(memory: Memory, target: Layer) -> Decision:
    is_up = memory.layer is not Layer.SEMANTIC
    why = (
        f"{memory.label} was kept or used enough to become {target} memory"
        if is_up
        else f"{memory.label} is doubted and was not used for long: {target} memory again"
    )
    action = Action.PROMOTE if is_up else Action.DEMOTE
    return Decision(
        key=f"{action} {memory.number} to {target}",
        why=why,
        numbers=(memory.number,),
        carry_out=replacing(memory, action, why, layer=target),
    )
