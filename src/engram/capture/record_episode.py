"""Keeps episodes: begun and ended one after the other, or told whole in one go."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from engram.capture.draft import DraftRules, read_draft
from engram.capture.episode_events import check_room, fit_event, ongoing_episode
from engram.capture.episode_links import (
    earlier_episodes,
    named_causes,
    precedents,
    tie_to_causes,
    tie_to_named,
    tie_to_similar,
)
from engram.capture.once import Done, Request, done_before, note_done
from engram.capture.recorded import fit_to_keep, keep_record
from engram.capture.screened import labels, without_secrets
from engram.capture.seal_kept import secrecy_of
from engram.errors import InvalidInput
from engram.memory.changes import Action
from engram.memory.episodes.episode import Episode, Participant
from engram.memory.episodes.events import Event, is_key_event
from engram.memory.episodes.outcomes import EpisodeOutcome, Ongoing, outcome_kind
from engram.memory.episodes.results import EpisodeKept
from engram.memory.episodes.significance import Precedent, worth
from engram.memory.episodes.story import Story, tell
from engram.memory.ids import MemoryId
from engram.memory.links import made_with
from engram.memory.outcomes import Outcome
from engram.memory.record import Memory, MetadataValue
from engram.memory.scopes import Scope
from engram.memory.situation import Situation
from engram.memory.tagged import as_json
from engram.security.raising import raised
from engram.security.screening.protected import summary_for
from engram.security.screening.screen import screen
from engram.storage.episodes import EpisodeDetails, keep_details, keep_events
from engram.storage.unit import UnitOfWork

CATEGORY = "moment"
_TOLD = 12  # events that a story can tell of


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingOfEpisode:
    """An episode as a caller tells it, every part checked; not ended when nothing is said of it."""

    situation: Situation
    participants: tuple[Participant, ...] = ()
    started_at: datetime
    session: str | None = None
    caused_by: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    outcome: EpisodeOutcome = dataclasses.field(default_factory=Ongoing)
    ended_at: datetime | None = None
    scope: Scope
    request: Request | None = None


def begin_episode(told: TellingOfEpisode, unit: UnitOfWork, rules: DraftRules) -> Episode:
    """Keep that something has begun, and what it set out to do."""
    if told.request and not rules.principal.can_see(told.scope):
        raise InvalidInput(hint="`idempotency_key` needs a scope that you can read.")
    done = done_before(unit, told.scope, told.request)
    known = unit.see.episodes.get(done.number) if done else None
    if known is not None:
        return known
    told = _fit(told, rules)
    causes = named_causes(unit, rules.principal, told.caused_by)
    details = _details(told)
    nonce = unit.mint_memory_id()  # the same may be begun any number of times
    outcome = _keep(told, details, Action.BEGIN_EPISODE, _digest(nonce), unit, rules)
    tie_to_named(unit, outcome.memory, causes)
    made = Done(outcome.memory.number, outcome.memory.change_id)
    note_done(unit, told.scope, told.request, made, outcome.memory.secrecy)
    return _episode(outcome.memory, details, 0)


def record_episode(
    told: TellingOfEpisode, unit: UnitOfWork, rules: DraftRules, nearness: Mapping[int, float]
) -> EpisodeKept:
    """Keep an episode that is over, with all that happened in it; the same one is kept once."""
    check_room(len(told.events), rules)
    told = _fit(told, rules)
    causes = named_causes(unit, rules.principal, told.caused_by)
    earlier = _earlier(unit, told.scope, told.situation, rules)
    compared = precedents(told.situation, earlier, nearness)
    details = _details(told, compared)
    outcome = _keep(
        told, details, Action.RECORD_EPISODE, _digest(*_distinguishing(told, rules)), unit, rules
    )
    memory = outcome.memory
    if outcome.kind == "confirmed":
        is_seen = rules.principal.can_see(told.scope)
        known = unit.see.episodes.get(memory.number) if is_seen else None
        again = known or _episode(memory, details, len(told.events))
        return EpisodeKept(again, "known", outcome.change_id)
    episode = _episode(memory, details, len(told.events))
    kind: Literal["held", "recorded"] = "held" if outcome.kind == "held" else "recorded"
    named = tie_to_named(unit, memory, causes)
    labels = {each.id: each.label for each in causes}
    kept = EpisodeKept(episode, kind, memory.change_id, causes=named, labels=labels)
    return _tied(kept, unit, earlier)


def end_episode(
    episode_id: str,
    outcome: EpisodeOutcome,
    ended_at: datetime,
    unit: UnitOfWork,
    rules: DraftRules,
    nearness: Mapping[int, float],
) -> EpisodeKept:
    """Say how an episode ended: from now on its memory tells the whole story."""
    episode = ongoing_episode(episode_id, unit, rules)
    check_ends(outcome, episode.started_at, ended_at)
    outcome = fit_to_keep(outcome, EpisodeOutcome, rules, name="outcome")
    earlier = _earlier(unit, episode.memory.scope, episode.situation, rules)
    compared = precedents(episode.situation, earlier, nearness)
    value = worth(outcome, has_goal=bool(episode.situation.goal), precedents=compared)
    details = EpisodeDetails(
        situation=episode.situation, participants=episode.participants,
        started_at=episode.started_at, ended_at=ended_at, outcome=outcome,
        significance=value.significance, surprise=value.surprise, valence=value.valence,
    )  # fmt: skip
    events = unit.see.episodes.key_events(episode.memory.number)
    text, found = _told(details, events, rules)
    change_id = unit.begin_change(Action.END_EPISODE, episode.memory.scope, "")
    before = raised(unit, episode.memory, secrecy_of([text, as_json(details.outcome)], rules))
    memory = unit.replace(
        before, content=text, summary=summary_for(text, before.summary, before.secrecy),
        version=unit.next_version(episode.memory.number),
        valence=value.valence, surprise=value.surprise,
        metadata={**episode.memory.metadata, **found},
    )  # fmt: skip
    keep_details(unit.transaction, memory, details)
    kept = EpisodeKept(_episode(memory, details, episode.event_count), "ended", change_id)
    return _tied(kept, unit, earlier)


def check_ends(outcome: EpisodeOutcome, started_at: datetime, ended_at: datetime) -> None:
    """Refuse an end that is none, or lies before the beginning."""
    if isinstance(outcome, Ongoing):
        raise InvalidInput(hint="An episode does not end by going on; name how it ended.")
    if ended_at < started_at:
        raise InvalidInput(hint="An episode cannot end before it began.")


def story_of(told: TellingOfEpisode) -> str:
    """The text that an episode told whole is compared by."""
    events, span = key_events(told.events), (told.started_at, told.ended_at)
    return tell(told.situation, told.participants, events, told.outcome, span).text


def key_events(events: Sequence[Event]) -> list[Event]:
    """Of what happened what a story tells: the first, the last, and what decided between them."""
    if not events:
        return []
    places = [place for place, event in enumerate(events) if is_key_event(event)]
    half = _TOLD // 2
    told = {0, *places[:half], *places[-half:], len(events) - 1}
    return [events[place] for place in sorted(told)]


def _keep(
    told: TellingOfEpisode,
    details: EpisodeDetails,
    action: Action,
    identity: bytes,
    unit: UnitOfWork,
    rules: DraftRules,
) -> Outcome:
    def write(memory: Memory) -> None:
        keep_details(unit.transaction, memory, details)
        keep_events(
            unit.transaction, memory, told.events, after=0, change_id=memory.change_id,
            recorded_at=unit.now,
        )  # fmt: skip

    text, found = _told(details, key_events(told.events), rules)
    arguments = {
        "category": CATEGORY, "at": told.started_at, "session": told.session, "scope": told.scope,
    }  # fmt: skip
    draft = dataclasses.replace(
        read_draft(text, arguments, rules), identity=identity, action=action, metadata=found,
        valence=details.valence, surprise=None if details.ended_at is None else details.surprise,
    )  # fmt: skip
    told_beside = [as_json(each) for each in (details, *told.events)]
    outcome = keep_record(draft, unit, rules, write, details=told_beside)
    if outcome.kind == "refused":
        raise InvalidInput(hint=f"The episode is not kept: {outcome.reason}.")
    return outcome


def _told(
    details: EpisodeDetails, events: Sequence[Event], rules: DraftRules
) -> tuple[str, dict[str, MetadataValue]]:
    """The story as it may be kept, and what was found in it."""
    span = (details.started_at, details.ended_at)
    story = tell(details.situation, details.participants, events, details.outcome, span)
    cautious = story if rules.principal.is_person else _without_orders(story, details.outcome)
    screened = screen(cautious.text)
    found = labels(screened)
    if cautious != story:
        found["flags"] = ["injection"]
    return without_secrets(cautious.text, screened, rules), found


def _without_orders(story: Story, outcome: EpisodeOutcome) -> Story:
    """A story that does not pass on what looks like an order to an agent.

    A tool's answer may hold one. The event is kept as it was; the story, which is recalled, does
    not repeat it.
    """
    happenings = tuple(line for line in story.happenings if not screen(line).is_hostile)
    is_safe = not screen(story.ending).is_hostile
    ending = story.ending if is_safe else f"It ended: {outcome_kind(outcome)}."
    return dataclasses.replace(story, happenings=happenings, ending=ending)


def _tied(kept: EpisodeKept, unit: UnitOfWork, earlier: Sequence[Episode]) -> EpisodeKept:
    reason = made_with(kept.change_id)
    similar = tie_to_similar(unit, kept.episode, earlier, reason=reason)
    inferred = tie_to_causes(unit, kept.episode, earlier, reason=reason)
    causes: tuple[MemoryId, ...] = tuple(dict.fromkeys((*kept.causes, *inferred)))
    tied = {*similar, *inferred}
    labels = {**kept.labels, **{each.id: each.label for each in earlier if each.id in tied}}
    return dataclasses.replace(kept, similar=similar, causes=causes, labels=labels)


def _earlier(
    unit: UnitOfWork, scope: Scope, situation: Situation, rules: DraftRules
) -> list[Episode]:
    # Who cannot read a scope must not learn from the outcome what is there.
    return earlier_episodes(unit, scope, situation) if rules.principal.can_see(scope) else []


def _details(told: TellingOfEpisode, compared: Sequence[Precedent] | None = None) -> EpisodeDetails:
    details = EpisodeDetails(
        situation=told.situation, participants=told.participants, started_at=told.started_at,
        ended_at=told.ended_at, outcome=told.outcome,
    )  # fmt: skip
    if compared is None:
        return details
    value = worth(told.outcome, has_goal=bool(told.situation.goal), precedents=compared)
    return dataclasses.replace(
        details, significance=value.significance, surprise=value.surprise, valence=value.valence
    )


def _fit(told: TellingOfEpisode, rules: DraftRules) -> TellingOfEpisode:
    """What is told as it may be kept: secrets in any of its texts are masked."""
    return dataclasses.replace(
        told,
        situation=fit_to_keep(told.situation, Situation, rules, name="situation"),
        participants=tuple(
            fit_to_keep(each, Participant, rules, name="participants") for each in told.participants
        ),
        events=tuple(fit_event(each, rules) for each in told.events),
        outcome=fit_to_keep(told.outcome, EpisodeOutcome, rules, name="outcome"),
    )


def _distinguishing(told: TellingOfEpisode, rules: DraftRules) -> list[object]:
    """What makes a recorded episode this one and no other."""
    # Who cannot read the scope must not find out what others recorded there.
    writer = "" if rules.principal.can_see(told.scope) else rules.principal.actor
    parts = (told.situation, told.participants, told.events, told.outcome)
    times = (told.started_at.isoformat(), told.ended_at and told.ended_at.isoformat())
    return [*(as_json(part) for part in parts), *times, told.session, writer]


def _digest(*parts: object) -> bytes:
    document = json.dumps(["episode", *parts], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(document.encode()).digest()


def _episode(memory: Memory, details: EpisodeDetails, event_count: int) -> Episode:
    return Episode(
        memory=memory, situation=details.situation, participants=details.participants,
        started_at=details.started_at, ended_at=details.ended_at, outcome=details.outcome,
        significance=details.significance, surprise=details.surprise, valence=details.valence,
        event_count=event_count, strength=1.0,
    )  # fmt: skip
