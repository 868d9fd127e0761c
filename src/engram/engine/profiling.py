"""Profiles and cards: the part of the facade that reads what dreams have made of memories.

What was made of a memory speaks only as long as the memory does: lines whose source is out of
sight, retired or worded otherwise since are left out here, and for good by the next dream.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engram.engine.naming import Naming
from engram.memory.changes import Action
from engram.memory.scopes import Scope
from engram.recall.question import read_limit
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.memory.dreams.artefact import Artefact
    from engram.memory.dreams.behaviour import Behaviour
    from engram.memory.dreams.cards import Card
    from engram.memory.dreams.topics import Topic
    from engram.memory.dreams.traces import Trace
    from engram.storage.reader import StoreReader


class Profiling(Naming):
    """What is known of whom, how the person behaves, and what is talked about."""

    def profile(self, *, scope: Scope | None = None) -> "Behaviour":
        """How the person behaves, by what people said: preferences, principles, ways of working."""
        from engram.memory.dreams.artefact import ArtefactKind
        from engram.memory.dreams.behaviour import seen_behaviour

        with self._view(scope) as see:
            profiles = see.artefacts.all(ArtefactKind.BEHAVIOUR)
            reflections = see.artefacts.all(ArtefactKind.REFLECTION)
            wordings = self._wordings(see, (*profiles, *reflections))
        found = seen_behaviour(profiles, reflections, wordings)
        self._note(Action.LIST, count=len(found.lines), scope=scope)
        return found

    def card(self, name: str, *, scope: Scope | None = None) -> "Card | None":
        """What is known of somebody or something in a few lines; None: nothing names it."""
        from engram.lifecycle.entities import all_entities
        from engram.memory.dreams.artefact import ArtefactKind
        from engram.memory.dreams.cards import seen_card
        from engram.memory.entities.profile import find_entity

        asked = checked_name(name, name="name")
        self._make_names()
        with self._view(scope) as see:
            entity = find_entity(asked, all_entities(see))
            if entity is None:
                self._note(Action.LIST, count=0, scope=scope)
                return None
            cards = see.artefacts.about(ArtefactKind.PEER_CARD, entity.keys)
            profiles = see.artefacts.about(ArtefactKind.ENTITY_PROFILE, entity.keys)
            wordings = self._wordings(see, (*cards, *profiles))
        found = seen_card(entity, cards, profiles, wordings)
        self._note(Action.LIST, count=len(found.lines or found.facts), scope=scope)
        return found

    def topics(self, *, limit: int = 100, scope: Scope | None = None) -> "list[Topic]":
        """What memories are about, the most telling first, each with the newest that tell of it."""
        from engram.memory.dreams.artefact import ArtefactKind
        from engram.memory.dreams.topics import seen_topics

        most = read_limit(limit)
        with self._view(scope) as see:
            indexes = see.artefacts.all(ArtefactKind.TOPICS)
            wordings = self._wordings(see, indexes)
        found = list(seen_topics(indexes, wordings, most=most))
        self._note(Action.LIST, count=len(found), scope=scope)
        return found

    def traces(self, *, limit: int = 20, scope: Scope | None = None) -> "list[Trace]":
        """What was come back to, the latest first: topics, from when to when, and what of it."""
        from engram.memory.dreams.artefact import ArtefactKind
        from engram.memory.dreams.traces import numbers_in, seen_traces

        most = read_limit(limit)
        with self._view(scope) as see:
            kept = see.artefacts.all(ArtefactKind.TRACE)
            numbers = {number for each in kept for number in numbers_in(each)}
            wordings = see.dreams.standing(sorted(numbers), self._clock())
        found = seen_traces(kept, wordings)[:most]
        self._note(Action.LIST, count=len(found), scope=scope)
        return found

    def _wordings(self, see: "StoreReader", artefacts: Iterable["Artefact"]) -> dict[int, int]:
        """Which of their sources can be recalled now, each with the version of its wording."""
        numbers = {number for each in artefacts for number in each.sources}
        return see.dreams.standing(sorted(numbers), self._clock())
