"""Where statements come from: the turns behind a memory, and what reading them took."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engram.engine.core import Moment
from engram.engine.writing import Writing
from engram.errors import InvalidInput, MemoryNotFound
from engram.memory.changes import Action
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import parse_time
from engram.storage.reader import StoreReader

if TYPE_CHECKING:
    # Those named twice are what the surfaces are given: they know the engine alone.
    from engram.capture.governor import SpendingReport as SpendingReport
    from engram.capture.model_extraction import ReadingPlan as ReadingPlan
    from engram.storage.turns import CaptureCount as CaptureCount
    from engram.storage.turns import Source as Source

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_FAR_AHEAD = datetime(9000, 1, 1, tzinfo=UTC)


class Tracing(Writing):
    """What lies behind what was learnt."""

    def sources(self, memory_id: str, *, scope: Scope | None = None) -> "list[Source]":
        """The turns in sight that a memory was drawn from, and which of their words."""
        with self._view(scope) as see:
            memory = _found(see, memory_id)
            found = see.turns.sources_of([memory.number]).get(memory.number, [])
        self._note(Action.LINKS, count=len(found), shown=found, memory=memory)
        return found

    def drawn(self, *memory_ids: str, scope: Scope | None = None) -> list[Memory]:
        """The memories in sight that were drawn from these turns, each once."""
        with self._view(scope) as see:
            turns = [_found(see, each) for each in memory_ids]
            drawn = {each.number: each for turn in turns for each in see.turns.drawn_from(turn)}
        only = turns[0] if len(turns) == 1 else None
        self._note(Action.LINKS, count=len(drawn), shown=drawn, memory=only, scope=scope)
        return list(drawn.values())

    def spending(
        self, since: Moment | None = None, *, scope: Scope | None = None
    ) -> "SpendingReport":
        """What the language model took in the scopes you see, by day, and what that cost."""
        from engram.capture.governor import spending_report
        from engram.storage.spending import SpendingLedger

        start = _LONG_AGO if since is None else parse_time(since, name="since")
        reach = self.principal.reach(scope)
        with self._store.database.reading(self._patience) as transaction:
            rows = SpendingLedger(transaction).by_day(reach, since=start, until=_FAR_AHEAD)
        return spending_report(rows, self.settings.model)

    def estimate(
        self, turns: Iterable[str | Mapping[str, object]], *, scope: Scope | None = None
    ) -> "ReadingPlan | None":
        """What having the model read these turns would take at most; None: rules read them.

        The turns are checked as `observe_many` does. Nothing is kept and nobody is asked.
        """
        from engram.capture.observe import read_turn_item
        from engram.capture.planning import plan_turns

        self.principal.write_scope(scope)
        if isinstance(turns, str | bytes | Mapping) or not isinstance(turns, Iterable):
            raise InvalidInput(hint="`turns` is a list of strings or of dictionaries with `text`.")
        rules = self._draft_rules(self._clock())
        drafts = [read_turn_item(item, index, rules) for index, item in enumerate(turns)]
        if self._parts.model is None:
            return None
        return plan_turns(drafts, self.settings.model, self.settings.registry)


def _found(see: StoreReader, memory_id: str) -> Memory:
    memory = see.memory(memory_id)
    if memory is None:
        raise MemoryNotFound
    return memory
