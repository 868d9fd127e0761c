"""What happened: the facet of the facade that records episodes; finding them is beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from engram.capture.once import read_request
from engram.capture.record_episode import (
    TellingOfEpisode,
    begin_episode,
    check_ends,
    end_episode,
    record_episode,
    story_of,
)
from engram.engine.core import Moment, checked_reason
from engram.engine.finding_episodes import FindingEpisodes, Situated, checked_optional_name
from engram.errors import EngramError, InvalidInput
from engram.memory.episodes.episode import Episode, Participant, read_participants
from engram.memory.episodes.events import Event, Happening, read_events
from engram.memory.episodes.outcomes import Abandoned, EpisodeOutcome, read_outcome
from engram.memory.episodes.patterns import Consolidation
from engram.memory.episodes.results import (
    Consolidated,
    ConsolidationReport,
    EpisodeKept,
    EventsAdded,
)
from engram.memory.episodes.strength import as_faded
from engram.memory.ids import checked_id
from engram.memory.scopes import Scope
from engram.memory.situation import read_situation
from engram.memory.times import parse_time
from engram.recall.question import read_limit

Told = Happening | Event | Mapping[str, object]
Ended = EpisodeOutcome | str | Mapping[str, object]
People = Sequence[Participant | str | Mapping[str, object]]

_MOST_CAUSES = 100
_EMBEDDING_SHARE = 0.8  # of a call's time; what is left is enough to compare by words


class Episodes(FindingEpisodes):
    """What happened: told while it goes on or afterwards, and found again."""

    def begin(
        self,
        situation: Situated,
        *,
        participants: People = (),
        at: Moment | None = None,
        session: str | None = None,
        caused_by: Sequence[str] = (),
        scope: Scope | None = None,
        idempotency_key: str | None = None,
    ) -> Episode:
        """Begin an episode: where one stands, what one wants, and with whom.

        It goes on until it is ended, also when the program is started anew in between. Asked for
        again under the same key it is begun once.
        """
        where, people = read_situation(situation), read_participants(participants)
        told = TellingOfEpisode(
            situation=where, participants=people, started_at=self._moment(at, "at"),
            session=checked_optional_name(session, "session"), caused_by=_ids(caused_by),
            scope=self._core.principal.write_scope(scope),
            request=read_request(idempotency_key, where, people, at, session, list(caused_by)),
        )  # fmt: skip
        with self._core._writing(told.scope) as unit:
            episode = begin_episode(told, unit, self._core._draft_rules(unit.now))
        self._core._parts.wake_embedding()
        return episode

    def add(
        self,
        episode_id: str,
        *happenings: Told | Sequence[Told],
        at: Moment | None = None,
        actor: str | None = None,
        scope: Scope | None = None,
        idempotency_key: str | None = None,
    ) -> EventsAdded:
        """Add what happened to an episode that goes on: one event or many, in one change.

        Asked for again under the same key they are added once.
        """
        from engram.capture.episode_events import add_events

        single = len(happenings) == 1 and isinstance(happenings[0], list | tuple)
        values = happenings[0] if single else happenings
        events = read_events(
            values, at=self._moment(at, "at"), actor=checked_optional_name(actor, "actor")
        )
        told = [event.happening for event in events]
        request = read_request(idempotency_key, episode_id, told, at, actor)
        with self._core._unit(scope) as unit:
            rules = self._core._draft_rules(unit.now)
            return add_events(checked_id(episode_id), events, unit, rules, request)

    def end(
        self,
        episode_id: str,
        outcome: Ended,
        *,
        at: Moment | None = None,
        scope: Scope | None = None,
    ) -> EpisodeKept:
        """Say how an episode ended; what it means is worked out now and does not change."""
        ended, moment = read_outcome(outcome), self._moment(at, "at")
        near = self._nearness_of(checked_id(episode_id), ended, moment, scope)
        with self._core._unit(scope) as unit:
            rules = self._core._draft_rules(unit.now)
            kept = end_episode(episode_id, ended, moment, unit, rules, near)
        return self._told(kept)

    def abandon(
        self,
        episode_id: str,
        reason: str,
        *,
        progress: float = 0.0,
        at: Moment | None = None,
        scope: Scope | None = None,
    ) -> EpisodeKept:
        """Give an episode up, and say why."""
        if not checked_reason(reason):
            raise InvalidInput(hint="`reason` says why it was given up.")
        return self.end(episode_id, Abandoned(reason, progress), at=at, scope=scope)

    def record(
        self,
        situation: Situated,
        events: Sequence[Told],
        outcome: Ended,
        *,
        started_at: Moment | None = None,
        ended_at: Moment | None = None,
        participants: People = (),
        session: str | None = None,
        caused_by: Sequence[str] = (),
        actor: str | None = None,
        scope: Scope | None = None,
    ) -> EpisodeKept:
        """Record an episode that is over, whole and in one transaction; the same one once.

        Without times it lasted from its first event to its last.
        """
        now = self._core._clock()
        start = None if started_at is None else parse_time(started_at, name="started_at")
        finish = None if ended_at is None else parse_time(ended_at, name="ended_at")
        told_events = read_events(
            events, at=finish or now, actor=checked_optional_name(actor, "actor")
        )
        moments = [event.at for event in told_events]
        told = TellingOfEpisode(
            situation=read_situation(situation), participants=read_participants(participants),
            started_at=start or min([finish or now, *moments]), events=told_events,
            ended_at=finish or max(moments, default=now), outcome=read_outcome(outcome),
            session=checked_optional_name(session, "session"), caused_by=_ids(caused_by),
            scope=self._core.principal.write_scope(scope),
        )  # fmt: skip
        check_ends(told.outcome, told.started_at, told.ended_at or now)
        near = self._nearness(story_of(told), told.scope)
        with self._core._writing(told.scope) as unit:
            kept = record_episode(told, unit, self._core._draft_rules(unit.now), near)
        return self._told(kept)

    def consolidate(
        self, *, dry_run: bool = False, limit: int = 500, scope: Scope | None = None
    ) -> ConsolidationReport:
        """Turn what fading episodes have in common into facts and skills, tied to them.

        Episodes stay as they are. Those that something was derived from are left alone, so a
        second run changes nothing.
        """
        from engram.lifecycle.consolidate_episodes import propose_consolidations

        core = self._core
        home = core.principal.write_scope(scope)
        with core._view(scope) as see:
            ripe = propose_consolidations(
                see, home, now=core._clock(), limit=read_limit(limit),
                decay_per_hour=core.settings.lifecycle.episode_decay_per_hour,
            )  # fmt: skip
        if dry_run:
            found = [Consolidated(each, None, None) for each in ripe.proposals]
        else:
            found = [self._kept(each, home, scope) for each in ripe.proposals]
        core._parts.wake_embedding()
        return ConsolidationReport(ripe.looked_at, tuple(found), dry_run)

    def _told(self, kept: EpisodeKept) -> EpisodeKept:
        self._core._parts.wake_embedding()
        decay = self._core.settings.lifecycle.episode_decay_per_hour
        return replace(kept, episode=as_faded(kept.episode, self._core._clock(), decay))

    def _kept(self, proposal: Consolidation, home: Scope, scope: Scope | None) -> Consolidated:
        from engram.capture.episode_pattern import keep_pattern

        with self._core._writing(home) as unit:
            outcome = keep_pattern(proposal, home, unit, self._core._draft_rules(unit.now))
        if outcome.kind == "refused":
            return Consolidated(proposal, None, None, problem=outcome.reason)
        skill, problem = self._learnt(proposal, scope) if proposal.is_skill else (None, "")
        return Consolidated(proposal, outcome.memory, outcome.change_id, skill, problem)

    def _learnt(self, proposal: Consolidation, scope: Scope | None) -> tuple[str | None, str]:
        """The name of the skill that episodes teach, or why they teach none."""
        from engram.engine.skills import Skills

        try:
            kept = Skills(self._core).learn_from(list(proposal.episodes), scope=scope)
        except EngramError as error:
            return None, f"{error.code}: {error.hint}"
        return (kept.skill.name, "") if kept.skill else (None, kept.reason)

    def _nearness_of(
        self, episode_id: str, outcome: EpisodeOutcome, ended_at: datetime, scope: Scope | None
    ) -> dict[int, float]:
        """How near an episode that is about to end is to others; no transaction waits for it."""
        embedding = self._core._parts.embedding
        if embedding is None:
            return {}
        from engram.recall.episodes import (
            find_episode,
            nearness,
            story_so_far,
            vectors_of_latest,
        )

        with self._core._view(scope) as see:
            episode = find_episode(see, episode_id, self._sight())
            known = vectors_of_latest(see, episode.memory.scope, embedding.embedder_for)
            story = story_so_far(see, episode, outcome, ended_at) if known else ""
        return nearness(story, known, _EMBEDDING_SHARE * self._core._patience)

    def _nearness(self, story: str, scope: Scope) -> dict[int, float]:
        embedding = self._core._parts.embedding
        if embedding is None or not self._core.principal.can_see(scope):
            return {}
        from engram.recall.episodes import nearness, vectors_of_latest

        reach = self._core.principal.writing_reach(scope)
        with self._core._store.read(reach, timeout_seconds=self._core._patience) as see:
            known = vectors_of_latest(see, scope, embedding.embedder_for)
        return nearness(story, known, _EMBEDDING_SHARE * self._core._patience)

    def _moment(self, at: Moment | None, name: str) -> datetime:
        return self._core._clock() if at is None else parse_time(at, name=name)


def _ids(values: object) -> tuple[str, ...]:
    if not isinstance(values, list | tuple) or len(values) > _MOST_CAUSES:
        raise InvalidInput(hint=f"`caused_by` is a list of at most {_MOST_CAUSES} ids.")
    return tuple(checked_id(each) for each in values)
