"""Texts that are kept beside a memory: in the open, or sealed under the same keys as the memory."""

from collections.abc import Callable, Sequence

from engram.memory.people import Person, each_once, person_of
from engram.memory.record import Memory
from engram.memory.vocabulary import Secrecy
from engram.storage.database import Transaction
from engram.storage.sealed_memories import people_behind

Keep = Callable[[str], str]


def keeping(
    transaction: Transaction, memory: Memory, secrecy: Secrecy = Secrecy.CLEARTEXT
) -> Keep | None:
    """What turns a text into what is kept of it beside a memory; None: it is kept as it is.

    Sealed is what stands beside a protected memory, and what calls for it by itself.
    """
    if memory.secrecy is Secrecy.CLEARTEXT and secrecy is Secrecy.CLEARTEXT:
        return None
    people = each_once((person_of(memory), *people_behind(transaction, memory.number)))
    return keeping_for(transaction, people)


def keeping_for(transaction: Transaction, people: Sequence[Person]) -> Keep:
    """What seals texts that hang on the keys of these persons."""
    return lambda text: transaction.seal(text, people) if text else text


def kept(keep: Keep | None, text: str) -> str:
    """A text as it is kept."""
    return text if keep is None else keep(text)


def unless_sealed(keep: Keep | None, text: str) -> str:
    """What finds something by its words, which beside a protected memory is not kept at all."""
    return text if keep is None else ""
