"""Decides by hand which names mean the same; what was decided can be taken back."""

from engram.errors import AccessDenied, ChangeNotFound, InvalidInput, MemoryNotFound
from engram.language.names.mentions import key_of
from engram.lifecycle.undo_rules import check_may_take_back, check_not_undone, mark_taken_back
from engram.memory.changes import Action
from engram.memory.entities.profile import Entity, entities_in, find_entity, with_talks
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Scope
from engram.storage.entities import Alias, decide_alias, renew_decision, withdraw_decision
from engram.storage.reader import StoredChange, StoreReader
from engram.storage.unit import UnitOfWork


def merge(
    unit: UnitOfWork, principal: Principal, name: str, into: str, scope: Scope, *, reason: str
) -> ChangeId:
    """Decide that a name means the entity of another name."""
    one, other = _named(unit.see, name), _named(unit.see, into)
    if one.key == other.key:
        raise InvalidInput(hint="These names mean the same entity already.")
    knowledge = unit.see.knowledge
    if knowledge.has_edges():  # else nobody loads what is known of beliefs
        from engram.lifecycle.alias import check_can_be_one

        ids = knowledge.same_names
        check_can_be_one(unit, knowledge, ids.id_of(one.key), ids.id_of(other.key))
    return _decide(unit, principal, Alias(scope, one.key, other.key), "merged", reason)


def split(
    unit: UnitOfWork, principal: Principal, name: str, scope: Scope, *, reason: str
) -> ChangeId:
    """Decide that a name is an entity of its own."""
    entity = _named(unit.see, name)
    key = key_of(name)
    keys = entity.keys | set(map(key_of, entity.aliases))
    if key not in keys or keys == {key}:
        raise InvalidInput(hint="This name is an entity of its own already.")
    return _decide(unit, principal, Alias(scope, key, key), "split", reason)


def take_back(
    unit: UnitOfWork,
    principal: Principal,
    stored: StoredChange,
    made_by: ChangeId,
    *,
    reason: str,
) -> list[Memory]:
    """Undo such a decision, or undo the undoing."""
    change = stored.change
    aliases = unit.see.entities.decided_by(made_by)
    states = [unit.see.last_state(number) for number in stored.numbers]
    memories = [state[0] for state in states if state is not None]
    if not aliases or len(memories) < len(stored.numbers):
        raise ChangeNotFound
    principal.check_may_change(aliases[0].scope)
    check_not_undone(change)
    check_may_take_back(principal, change)
    new_change = unit.begin_change(Action.UNDO, aliases[0].scope, reason, undoes=change.id)
    if aliases[0].withdrawn_by is None:
        withdraw_decision(unit.transaction, made_by, new_change)
    else:
        renew_decision(unit.transaction, made_by, aliases)
    for memory in memories:
        unit.touch(memory)
    mark_taken_back(unit, change, new_change)
    return memories


def all_entities(see: StoreReader) -> list[Entity]:
    """Everybody and everything that memories in sight name, the most named first."""
    names = with_talks(see.entities.names(), see.entities.short_names())
    found = entities_in(names, see.entities.aliases())
    return sorted(found, key=lambda each: (-each.mentions, each.key))


def _named(see: StoreReader, name: str) -> Entity:
    entity = find_entity(name, all_entities(see))
    if entity is None:
        raise MemoryNotFound(hint="No memory you can see names this.")
    return entity


def _decide(
    unit: UnitOfWork, principal: Principal, alias: Alias, how: str, reason: str
) -> ChangeId:
    principal.check_may_change(alias.scope)
    decided_by = unit.see.entities.decided_in(alias.scope, alias.name)
    if decided_by is not None and not principal.is_person and decided_by != principal.actor:
        raise AccessDenied(hint="Somebody else decided about this name; an agent leaves that be.")
    change = unit.begin_change(Action.RENAME, alias.scope, reason)
    decide_alias(unit.transaction, change, alias, how)
    for memory in unit.see.entities.naming([alias.name], limit=1):
        unit.touch(memory)
    return change
