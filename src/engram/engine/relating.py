"""Relating memories: the part of the facade that ties them together and tells what is tied."""

from collections.abc import Iterable

from engram.engine.core import Core, checked_reason
from engram.errors import MemoryNotFound
from engram.lifecycle.relate import relate, unrelate
from engram.memory.changes import Action
from engram.memory.links import Link, LinkOutcome, Relation, Replacement, read_link, read_tie
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.recall.question import read_limit


class Relating(Core):
    """How memories hang together."""

    def relate(
        self,
        a: str,
        b: str,
        relation: str = Relation.RELATED,
        *,
        reason: str = "",
        scope: Scope | None = None,
    ) -> LinkOutcome:
        """Relate one memory to another: a `supports` b, a `caused_by` b, or a name of your own.

        Both must be yours to see and one of them yours to change. Whoever sees both sees the link.
        """
        tie = read_tie(a, b, relation)
        with self._unit(scope) as unit:
            return relate(unit, self.principal, tie, reason=checked_reason(reason))

    def unrelate(
        self,
        link: str | tuple[str, str, str],
        *,
        reason: str = "",
        scope: Scope | None = None,
    ) -> LinkOutcome:
        """Take a link back, named by (a, b, relation) or by the change that made it."""
        named = read_link(link)
        with self._unit(scope) as unit:
            return unrelate(unit, self.principal, named, reason=checked_reason(reason))

    def links(self, memory_id: str, *, limit: int = 100, scope: Scope | None = None) -> list[Link]:
        """What a memory is related to, and what to it; also what the record itself tells."""
        most = read_limit(limit)
        with self._view(scope) as see:
            memory = see.memory(memory_id)
            found = see.links.of(memory.number, limit=most) if memory else []
        if memory is None:
            raise MemoryNotFound
        self._note(Action.LINKS, count=len(found), shown=found, memory=memory)
        return found

    def replacements(
        self, memories: Iterable[Memory], *, scope: Scope | None = None
    ) -> list[Replacement]:
        """What replaced some memories, or may have: only numbers of what the caller sees."""
        numbers = sorted({memory.number for memory in memories})
        if not numbers:
            return []
        with self._view(scope) as see:
            return see.links.replacements_of(numbers)
