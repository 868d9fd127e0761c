"""Finds the memory that makes a statement, in the open or protected, and whose keys others need."""

from collections.abc import Iterable

from engram.memory.people import Person, each_once, person_of
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.secrecy import is_protected
from engram.storage.record_cipher import MOST_KEYS
from engram.storage.sealed_memories import people_behind
from engram.storage.unit import UnitOfWork


def same_statement(
    unit: UnitOfWork, identity: bytes, person: Person, scope: Scope
) -> Memory | None:
    """The memory of a scope that makes this statement about a person."""
    known = unit.see.same_statement(identity, scope)
    if known is None and unit.transaction.vault().has_key(person):
        known = unit.see.same_statement(unit.tagged(identity, person), scope)
    return known


def kept_identity(unit: UnitOfWork, identity: bytes, memory: Memory) -> bytes:
    """The identity as it is kept with a memory: of a protected one under its person's key."""
    is_tagged = is_protected(memory.secrecy)
    return unit.tagged(identity, person_of(memory)) if is_tagged else identity


def people_of(unit: UnitOfWork, sources: Iterable[Memory]) -> tuple[Person, ...]:
    """Everybody of whom some memories tell and on whose keys they hang, each once.

    Where there are too many, those on whose keys any of them hangs: what is in the open of the
    others can be read in every old copy anyway.
    """
    listed = list(sources)
    protected = [each for each in listed if is_protected(each.secrecy)]
    behind = [
        person for each in protected for person in people_behind(unit.transaction, each.number)
    ]
    everybody = each_once((*map(person_of, listed), *behind))
    return everybody if len(everybody) < MOST_KEYS else each_once(behind)
