"""What is known as a whole: the part of the facade that gives the overview and the map."""

from typing import TYPE_CHECKING

from engram.engine.core import Core
from engram.memory.changes import Action
from engram.memory.scopes import Scope

if TYPE_CHECKING:
    from engram.memory.dreams.domains import KnownDomain
    from engram.memory.dreams.overview import Overview


class Overseeing(Core):
    """The whole, at some distance."""

    def overview(
        self, *, tokens: int | None = None, level: int | None = None, scope: Scope | None = None
    ) -> "Overview":
        """What is known altogether, in as much detail as the tokens allow.

        Made of whole sentences of memories that can still be recalled; empty until the first dream.
        """
        # Imported here: who asks for no overview never loads NumPy.
        from engram.memory.dreams.artefact import ArtefactKind
        from engram.memory.dreams.overview import checked_level, checked_tokens, overview_of

        most, wanted = checked_tokens(tokens), checked_level(level)
        with self._view(scope) as see:
            nodes = see.artefacts.all(ArtefactKind.TREE_NODE)
            numbers = sorted({number for node in nodes for number in node.sources})
            standing = see.dreams.standing(numbers, self._clock())
        found = overview_of(nodes, standing, tokens=most, level=wanted)
        self._note(Action.LIST, count=len(found.nodes), scope=scope)
        return found

    def domains(self, *, scope: Scope | None = None) -> "list[KnownDomain]":
        """What is known how well, the best known first; empty until the first dream."""
        from engram.memory.dreams.artefact import ArtefactKind
        from engram.memory.dreams.domains import seen_domains

        now = self._clock()
        with self._view(scope) as see:
            found = see.artefacts.all(ArtefactKind.DOMAIN)
            numbers = sorted({number for each in found for number in each.sources})
            standing = see.dreams.standing(numbers, now)
        domains = seen_domains(found, standing, now)
        self._note(Action.LIST, count=len(domains), scope=scope)
        return domains
