"""Names: the part of the facade that tells who and what memories are about."""

from typing import TYPE_CHECKING

from engram.engine.core import Core, checked_reason
from engram.memory.changes import Action
from engram.memory.ids import ChangeId
from engram.memory.scopes import Scope
from engram.recall.question import read_limit
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.memory.dreams.namesakes import NameProposal
    from engram.memory.entities.profile import Entity, EntityProfile

_MOST_BESIDE = 20


class Naming(Core):
    """Who and what is named."""

    def entity(
        self, name: str, *, limit: int = 100, scope: Scope | None = None
    ) -> "EntityProfile | None":
        """What is known of somebody or something: names, memories newest first, who is beside."""
        from engram.lifecycle.entities import all_entities
        from engram.memory.entities.profile import EntityProfile, find_entity

        asked = checked_name(name, name="name")
        most = read_limit(limit)
        self._make_names()
        with self._view(scope) as see:
            entity = find_entity(asked, all_entities(see))
            if entity is None:
                self._note(Action.LIST, count=0, scope=scope)
                return None
            short = see.entities.short_names()
            memories = see.entities.naming(entity.keys, limit=most, short=short)
            beside = see.entities.beside(entity.keys, limit=_MOST_BESIDE)
        self._note(Action.LIST, count=len(memories), shown=memories, scope=scope)
        return EntityProfile(entity, tuple(memories), tuple(beside))

    def entities(self, *, limit: int = 100, scope: Scope | None = None) -> "list[Entity]":
        """Everybody and everything that memories name, the most named first."""
        from engram.lifecycle.entities import all_entities

        most = read_limit(limit)
        self._make_names()
        with self._view(scope) as see:
            found = all_entities(see)[:most]
        self._note(Action.LIST, count=len(found), shown=found, scope=scope)
        return found

    def name_proposals(self, *, scope: Scope | None = None) -> "list[NameProposal]":
        """Pairs of names that may mean the same, as dreams found them, for a person to decide.

        `merge_entities(name, into)` confirms one; `undo(change_id)` rejects it for good.
        """
        from engram.memory.dreams.artefact import ArtefactKind
        from engram.memory.dreams.namesakes import seen_proposals

        with self._view(scope) as see:
            kept = see.artefacts.all(ArtefactKind.NAME_PROPOSAL)
            numbers = {number for each in kept for number in each.sources}
            wordings = see.dreams.standing(sorted(numbers), self._clock())
            found = seen_proposals(kept, wordings, see.entities.aliases())
        self._note(Action.LIST, count=len(found), scope=scope)
        return found

    def _make_names(self) -> None:
        """See to it that also memories from before names were kept are found by them."""
        from engram.storage.names import make_names

        if self._parts.place is None or not self._parts.place.read_only:
            make_names(self._store)

    def merge_entities(
        self, name: str, into: str, *, reason: str = "", scope: Scope | None = None
    ) -> ChangeId:
        """Say that two names mean the same; the change can be undone."""
        from engram.lifecycle.entities import merge

        one, other = checked_name(name, name="name"), checked_name(into, name="into")
        where = self.principal.write_scope(scope)
        with self._unit(scope) as unit:
            return merge(unit, self.principal, one, other, where, reason=checked_reason(reason))

    def split_entity(self, name: str, *, reason: str = "", scope: Scope | None = None) -> ChangeId:
        """Say that a name is somebody or something of its own; the change can be undone."""
        from engram.lifecycle.entities import split

        asked = checked_name(name, name="name")
        where = self.principal.write_scope(scope)
        with self._unit(scope) as unit:
            return split(unit, self.principal, asked, where, reason=checked_reason(reason))
