"""Says that a name means a node that is known; the decision can be taken back."""

from engram.errors import AccessDenied, InvalidInput, MemoryNotFound
from engram.memory.changes import Action
from engram.memory.ids import ChangeId
from engram.memory.knowledge.belief import Node, NodeName
from engram.memory.knowledge.relations import RELATIONS
from engram.memory.scopes import Principal, Scope
from engram.storage.conditions import Moments
from engram.storage.entities import Alias, decide_alias
from engram.storage.knowledge import KnowledgeReader
from engram.storage.unit import UnitOfWork

MOST_NAMES = 200  # of one node; more are no names but a list


def alias(
    unit: UnitOfWork, principal: Principal, name: NodeName, of: Node, scope: Scope, *, reason: str
) -> ChangeId:
    """Let a name mean a node from now on; what was said under that name is said of the node."""
    principal.check_may_change(scope)
    knowledge = unit.see.knowledge
    names = knowledge.same_names
    if names.id_of(name.key) == of.id:
        raise InvalidInput(hint="This name means the same already.")
    if len(knowledge.aliases(of.id)) >= MOST_NAMES:
        raise InvalidInput(hint=f"A node has at most {MOST_NAMES} names.")
    _check_decided(unit, principal, name, scope)
    check_can_be_one(unit, knowledge, names.id_of(name.key), of.id)
    told = knowledge.edges_at([of.id], moments=Moments(now=unit.now), limit=1, typed=False)
    if not told:
        raise MemoryNotFound(hint="Nothing you can see is said of this.")
    change = unit.begin_change(Action.RENAME, scope, reason)
    decide_alias(unit.transaction, change, Alias(scope, name.key, of.name), "alias")
    unit.touch(told[0].memory)
    return change


def _check_decided(unit: UnitOfWork, principal: Principal, name: NodeName, scope: Scope) -> None:
    decided_by = unit.see.entities.decided_in(scope, name.key)
    if decided_by is not None and not principal.is_person and decided_by != principal.actor:
        raise AccessDenied(hint="Somebody else decided about this name; an agent leaves that be.")


def check_can_be_one(unit: UnitOfWork, knowledge: KnowledgeReader, one: str, other: str) -> None:
    """Refuse to make one of two that stand in a relation to each other: it would say nothing."""
    moments = Moments(now=unit.now)
    for each in knowledge.edges_at([one], moments=moments, typed=False):
        if each.target is not None and other in (each.source.id, each.target.id):
            raise InvalidInput(hint=f"{each.memory.label} relates the two; retract it first.")
    for relations in {rule.relations_of_family for rule in RELATIONS if rule.is_acyclic}:
        for start, end in ((one, other), (other, one)):
            if knowledge.leads_to([start], [end], relations=relations, now=unit.now):
                hint = f"One of the two leads to the other by `{relations[0]}`."
                raise InvalidInput(hint=hint)
