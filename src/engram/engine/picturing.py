"""How a store grew: the part of the facade that counts over time, for pictures."""

from typing import TYPE_CHECKING

from engram.engine.core import Core, Moment
from engram.memory.changes import Action
from engram.memory.scopes import Scope
from engram.memory.times import parse_time

if TYPE_CHECKING:
    # Named twice, since the surfaces know the engine alone.
    from engram.memory.dreams.growth import Growth as Growth

_MOST_NIGHTS = 400
_MOST_MEMORIES = 50_000  # whose vividness is worked out, the newest first


class Picturing(Core):
    """What a picture of the store is drawn from: counts, and the names of domains."""

    def growth(self, since: Moment | None = None, *, scope: Scope | None = None) -> "Growth":
        """How what you see grew day by day, what dreams did, how it fades, what is known well.

        The owner without a scope sees the whole store.
        """
        from engram.memory.dreams.artefact import ArtefactKind
        from engram.memory.dreams.domains import seen_domains
        from engram.memory.dreams.growth import Growth, days_of, fading_of, statuses_of
        from engram.storage.growth import GrowthReader
        from engram.storage.reader import StoreReader

        start = None if since is None else parse_time(since, name="since")
        now, reach = self._clock(), self.principal.review_reach(scope)
        with self._store.database.reading(self._patience) as transaction:
            counts = GrowthReader(transaction, reach)
            moves, learned = counts.moves(), counts.learned()
            nights = counts.nights(start, limit=_MOST_NIGHTS)
            in_use = counts.in_use(limit=_MOST_MEMORIES)
            see = StoreReader(transaction, self._store.database, reach)
            mapped = see.artefacts.all(ArtefactKind.DOMAIN)
            numbers = {number for each in mapped for number in each.sources}
            standing = see.dreams.standing(numbers, now)
        domains = seen_domains(mapped, standing, now)
        self._note(Action.LIST, count=len(domains), scope=scope)
        return Growth(
            days=days_of(moves, learned, since=start),
            nights=tuple(nights),
            fading=fading_of(in_use, now, self._retention_mode),
            domains=tuple(domains),
            statuses=statuses_of(moves),
        )
