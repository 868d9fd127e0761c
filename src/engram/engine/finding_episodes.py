"""Finding what happened: the half of the episodes' facet that only reads."""

import builtins
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engram.engine.core import Moment
from engram.engine.recalling import Recalling
from engram.errors import InvalidInput
from engram.memory.changes import Action
from engram.memory.episodes.episode import Episode, EventPage
from engram.memory.episodes.outcomes import OUTCOME_KINDS
from engram.memory.episodes.results import EpisodeHit
from engram.memory.scopes import Scope
from engram.memory.situation import Situation, read_situation
from engram.memory.times import parse_time
from engram.recall.question import read_limit
from engram.storage.episodes import EpisodeConditions
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.recall.episodes import Sight

Situated = Situation | str | Mapping[str, object] | None

_TICK = timedelta(microseconds=1)
_LOOKED_AT = 50  # memories that are asked for, of which some are no episodes or have faded,
_SPARE = 4  # and so many for each that is wanted
_LONGEST_SEQUENCE = 100


class FindingEpisodes:
    """Episodes as one caller sees them. Every method takes a `scope` that narrows the caller's."""

    def __init__(self, core: Recalling) -> None:
        self._core = core

    # Reading

    def get(
        self, episode_id: str, *, known_at: Moment | None = None, scope: Scope | None = None
    ) -> Episode:
        """One episode by its id or label, as it is or as it was known at a moment."""
        from engram.recall.episodes import find_episode

        moment = self._known(known_at)
        with self._core._view(scope) as see:
            episode = find_episode(see, episode_id, self._sight(), moment)
        self._core._note(Action.GET, count=1, memory=episode.memory)
        return episode

    def events(
        self,
        episode_id: str,
        *,
        after: int = 0,
        limit: int = 100,
        known_at: Moment | None = None,
        scope: Scope | None = None,
    ) -> EventPage:
        """What happened in an episode, in order, page by page."""
        from engram.recall.episodes import events_of, find_episode

        if not isinstance(after, int) or isinstance(after, bool) or after < 0:
            raise InvalidInput(hint="`after` is the place of the last event seen, from 0.")
        most, moment = read_limit(limit), self._known(known_at)
        with self._core._view(scope) as see:
            episode = find_episode(see, episode_id, self._sight(), moment)
            page = events_of(see, episode, after=after, limit=most, known_at=moment)
        self._core._note(Action.GET, count=len(page.events), memory=episode.memory)
        return page

    def ongoing(self, *, limit: int = 100, scope: Scope | None = None) -> builtins.list[Episode]:
        """The episodes that have not ended, the last begun first."""
        conditions = EpisodeConditions(has_ended=False, with_held=True)
        return self._listed(conditions, limit, faded=True, scope=scope)

    def list(
        self,
        *,
        outcome: str | None = None,
        person: str | None = None,
        session: str | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        limit: int = 100,
        faded: bool = False,
        known_at: Moment | None = None,
        scope: Scope | None = None,
    ) -> builtins.list[Episode]:
        """Episodes under any of these conditions, the last begun first."""
        conditions = EpisodeConditions(
            outcome=_outcome(outcome), person=checked_optional_name(person, "person"),
            session=checked_optional_name(session, "session"), known_at=self._known(known_at),
            ended_after=None if since is None else parse_time(since, name="since"),
            begun_before=None if until is None else parse_time(until, name="until"),
        )  # fmt: skip
        return self._listed(conditions, limit, faded=faded, scope=scope)

    def by_outcome(
        self, kind: str, *, limit: int = 100, faded: bool = False, scope: Scope | None = None
    ) -> builtins.list[Episode]:
        """The episodes that ended so, the last begun first."""
        conditions = EpisodeConditions(outcome=_outcome(kind))
        return self._listed(conditions, limit, faded=faded, scope=scope)

    def by_participant(
        self, identifier: str, *, limit: int = 100, faded: bool = False, scope: Scope | None = None
    ) -> builtins.list[Episode]:
        """The episodes somebody took part in, the last begun first."""
        conditions = EpisodeConditions(person=checked_name(identifier, name="identifier"))
        return self._listed(conditions, limit, faded=faded, scope=scope)

    # Recalling

    def similar(
        self,
        situation: Situated,
        limit: int = 5,
        *,
        outcome: str | None = None,
        faded: bool = False,
        known_at: Moment | None = None,
        scope: Scope | None = None,
    ) -> builtins.list[EpisodeHit]:
        """What happened in situations like this one and how it ended, the most similar first."""
        from engram.recall.episodes import likeness_to
        from engram.recall.recall import recall

        core, most, kind = self._core, read_limit(limit), _outcome(outcome)
        asked = read_situation(situation)
        question = core._question(
            asked.summary, limit=max(_LOOKED_AT, _SPARE * most), known_at=known_at,
            filters={"category": "moment"},
        )  # fmt: skip
        parts = core._recall_parts()
        vector = core._question_vector(question, scope, parts)
        with core._view(scope) as see:
            result = recall(question, see, parts, vector)
            numbers = [hit.memory.number for hit in result]
            found = see.episodes.listed(numbers, question.moments.known_at)
            alike = likeness_to(asked, found, see, vector)
        ended = (each for each in self._sight(faded=faded).of(found) if not each.is_ongoing)
        hits = [
            EpisodeHit(each, alike[each.memory.number])
            for each in ended
            if kind is None or each.kind == kind
        ]
        hits.sort(key=lambda hit: -hit.score)  # of those as alike, what recall ranks higher
        self._looked_at(hits[:most], scope, question=asked.summary)
        return hits[:most]

    def at(
        self,
        time: Moment,
        window: timedelta | float = timedelta(hours=1),
        *,
        limit: int = 100,
        faded: bool = False,
        known_at: Moment | None = None,
        scope: Scope | None = None,
    ) -> builtins.list[Episode]:
        """What went on around a moment, what meant most first."""
        from engram.recall.episodes import around, most_significant, read_window

        start, finish = around(parse_time(time, name="time"), read_window(window))
        conditions = EpisodeConditions(
            begun_before=finish + _TICK, ended_after=start, known_at=self._known(known_at)
        )
        with self._core._view(scope) as see:
            found = most_significant(see, conditions, self._sight(faded=faded), read_limit(limit))
        self._looked_at(found, scope)
        return found

    def before(
        self,
        time: Moment,
        limit: int = 10,
        *,
        faded: bool = False,
        known_at: Moment | None = None,
        scope: Scope | None = None,
    ) -> builtins.list[Episode]:
        """What had begun before a moment, what meant most first."""
        from engram.recall.episodes import most_significant

        conditions = EpisodeConditions(
            begun_before=parse_time(time, name="time"), known_at=self._known(known_at)
        )
        with self._core._view(scope) as see:
            found = most_significant(see, conditions, self._sight(faded=faded), read_limit(limit))
        self._looked_at(found, scope)
        return found

    def between(
        self,
        start: Moment,
        end: Moment,
        *,
        limit: int = 100,
        faded: bool = False,
        known_at: Moment | None = None,
        scope: Scope | None = None,
    ) -> builtins.list[Episode]:
        """What went on between two moments, in the order in which it began."""
        from engram.recall.episodes import in_order

        first, last = parse_time(start, name="start"), parse_time(end, name="end")
        if last < first:
            raise InvalidInput(hint="`end` must not be earlier than `start`.")
        conditions = EpisodeConditions(
            begun_before=last + _TICK, ended_after=first, known_at=self._known(known_at)
        )
        with self._core._view(scope) as see:
            found = in_order(see, conditions, self._sight(faded=faded), read_limit(limit))
        self._looked_at(found, scope)
        return found

    def sequence(
        self,
        episode_id: str,
        direction: str = "forward",
        *,
        limit: int = 100,
        faded: bool = True,
        scope: Scope | None = None,
    ) -> builtins.list[Episode]:
        """What followed from an episode, or backward what it followed from; itself first."""
        from engram.recall.episodes import find_episode, sequence

        sight = self._sight(faded=faded)
        with self._core._view(scope) as see:
            start = find_episode(see, episode_id, sight)
            found = sequence(
                see, start, direction, sight, min(read_limit(limit), _LONGEST_SEQUENCE)
            )
        self._looked_at(found, scope)
        return found

    def _listed(
        self, conditions: EpisodeConditions, limit: int, *, faded: bool, scope: Scope | None
    ) -> builtins.list[Episode]:
        from engram.recall.episodes import latest

        most = read_limit(limit)
        with self._core._view(scope) as see:
            found = latest(see, conditions, self._sight(faded=faded), most)
        self._core._note(Action.LIST, count=len(found), shown=found, scope=scope)
        return found

    def _looked_at(
        self, found: Sequence[object], scope: Scope | None, *, question: str = ""
    ) -> None:
        """Note that episodes were looked for. Looking is no use: only `recall` keeps from fading,
        or whatever is listed would be vivid again."""
        self._core._note(
            Action.RECALL, count=len(found), shown=found, question=question, scope=scope
        )

    def _sight(self, *, faded: bool = False) -> "Sight":
        # Imported here: who only records never loads NumPy.
        from engram.recall.episodes import Sight

        decay = self._core.settings.lifecycle.episode_decay_per_hour
        return Sight(self._core._clock(), decay, faded)

    def _known(self, known_at: Moment | None) -> datetime | None:
        return None if known_at is None else parse_time(known_at, name="known_at")


def checked_optional_name(value: object, name: str) -> str | None:
    """A name, if one is given."""
    return None if value is None else checked_name(value, name=name)


def _outcome(kind: str | None) -> str | None:
    if kind is not None and kind not in OUTCOME_KINDS:
        raise InvalidInput(hint=f"An outcome is one of: {', '.join(OUTCOME_KINDS)}.")
    return kind
