"""Protects a memory more, within a change that does something else to it as well."""

from functools import partial

from engram.memory.record import Memory
from engram.memory.secrecy import is_lower
from engram.memory.vocabulary import Secrecy
from engram.security.screening.protected import summary_for
from engram.storage.tiers import protect
from engram.storage.unit import UnitOfWork


def raised(unit: UnitOfWork, memory: Memory, secrecy: Secrecy) -> Memory:
    """The memory under at least this tier, with all of its wordings and all beside them."""
    if not is_lower(memory.secrecy, secrecy):
        return memory
    return protect(unit, memory, secrecy, partial(summary_under, secrecy))


def summary_under(secrecy: Secrecy, memory: Memory) -> str | None:
    """What may be known of a memory's text under a tier."""
    return summary_for(memory.content, memory.summary, secrecy)
