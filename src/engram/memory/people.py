"""Whose memory it is: the person whose key a sealed record hangs on, and is lost with."""

from collections.abc import Iterable
from dataclasses import dataclass

from engram.memory.record import Memory

_OF_TWO = "relationship"


@dataclass(frozen=True, slots=True, order=True)
class Person:
    """One subject within one scope; without a name the scope itself."""

    scope: str
    name: str

    def __repr__(self) -> str:
        # Without the name: a repr ends up in logs and tracebacks.
        return f"Person({self.scope})"


def person_of(memory: Memory) -> Person:
    """Whom a memory is about, else who said it, else nobody but its scope.

    What is about two is not about one who is called by both names: it is the first one's, and
    sealed for the other as well by whoever keeps it.
    """
    return person_named(memory.scope.path, first_subject(memory) or memory.speaker)


def first_subject(memory: Memory) -> str | None:
    """Whom a memory is about; of a relation between two, "Ada, Bo", the one it is told of."""
    subject = memory.subject
    if subject is None or memory.category != _OF_TWO:
        return subject
    return subject.split(", ")[0] or subject


def person_named(scope: str, name: str | None) -> Person:
    """The person of a name within a scope, however the name is spelled out."""
    return Person(scope, normalised_name(name or ""))


def normalised_name(name: str) -> str:
    """A name as keys are kept under it: one case, single spaces."""
    return " ".join(name.casefold().split())


def each_once(people: Iterable[Person]) -> tuple[Person, ...]:
    """The persons in one order, each once."""
    return tuple(sorted(set(people)))
