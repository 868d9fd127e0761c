"""Finds episodes: by time, outcome and people, along causes, and how near one is to others."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from engram.errors import EngramError, InvalidInput, MemoryNotFound
from engram.memory.episodes.episode import Episode, EventPage
from engram.memory.episodes.likeness import likeness
from engram.memory.episodes.outcomes import EpisodeOutcome
from engram.memory.episodes.story import tell
from engram.memory.episodes.strength import FADED, as_faded
from engram.memory.links import Relation
from engram.memory.scopes import Scope
from engram.memory.situation import Situation
from engram.recall.embed_question import Embeds, QuestionVector, Vector, in_time
from engram.storage.episodes import EpisodeConditions
from engram.storage.reader import StoreReader
from engram.storage.vectors.spaces import Space

DIRECTIONS = ("forward", "backward")
_CONSIDERED = 1_000  # of the episodes of a time, from which the most significant are taken
_MOST_BETWEEN = 10_000
_COMPARED = 200  # of the episodes that have ended, those begun last


@dataclass(frozen=True, slots=True)
class Sight:
    """How episodes are looked at: when, how fast they fade, and whether faded ones are wanted."""

    now: datetime
    decay_per_hour: float
    with_faded: bool = False

    def of(self, episodes: Iterable[Episode]) -> Iterator[Episode]:
        """Those that are still vivid, or all, each with its strength."""
        for episode in episodes:
            seen = as_faded(episode, self.now, self.decay_per_hour)
            if self.with_faded or seen.strength > FADED:
                yield seen


@dataclass(frozen=True, slots=True)
class EpisodeVectors:
    """The vectors of some episodes' stories, and who embeds another for the same space."""

    embedder: Embeds
    vectors: Mapping[int, Vector]


def find_episode(
    see: StoreReader, episode_id: str, sight: Sight, known_at: datetime | None = None
) -> Episode:
    """One episode by id or label, faded or not; what is no episode in sight is not there."""
    memory = see.memory(episode_id, known_at)
    episode = see.episodes.get(memory.number, known_at) if memory else None
    if episode is None:
        raise MemoryNotFound(hint="There is no such episode; `engram episodes` lists them.")
    return as_faded(episode, sight.now, sight.decay_per_hour)


def events_of(
    see: StoreReader, episode: Episode, *, after: int, limit: int, known_at: datetime | None
) -> EventPage:
    """A page of what happened in an episode."""
    number = episode.memory.number
    found = see.episodes.events(number, after=after, limit=limit + 1, known_at=known_at)
    page = tuple(found[:limit])
    return EventPage(page, page[-1].sequence if len(found) > limit else None)


def latest(
    see: StoreReader, conditions: EpisodeConditions, sight: Sight, limit: int
) -> list[Episode]:
    """The episodes under conditions, the last begun first."""
    return list(islice(sight.of(see.episodes.found(conditions)), limit))


def most_significant(
    see: StoreReader, conditions: EpisodeConditions, sight: Sight, limit: int
) -> list[Episode]:
    """The episodes under conditions, those that meant most first; of many the latest thousand."""
    found = islice(sight.of(see.episodes.found(conditions)), _CONSIDERED)
    ranked = sorted(
        found, key=lambda each: (each.significance, each.started_at, each.memory.number)
    )
    return ranked[::-1][:limit]


def in_order(
    see: StoreReader, conditions: EpisodeConditions, sight: Sight, limit: int
) -> list[Episode]:
    """The episodes under conditions in the order in which they began."""
    found = list(islice(sight.of(see.episodes.found(conditions)), _MOST_BETWEEN))
    return found[::-1][:limit]


def sequence(
    see: StoreReader, start: Episode, direction: str, sight: Sight, limit: int
) -> list[Episode]:
    """What followed from an episode, or what it followed from, nearest first; itself first.

    Each comes once, however many ways lead to it. The way goes on through what has faded.
    """
    if direction not in DIRECTIONS:
        raise InvalidInput(hint=f"`direction` is one of: {', '.join(DIRECTIONS)}.")
    reached: dict[int, Episode] = {start.memory.number: start}
    border = [start]
    while border and len(reached) < limit:
        numbers = _beyond(see, [each.memory.number for each in border], direction)
        border = sorted(
            see.episodes.listed(number for number in numbers if number not in reached),
            key=lambda each: (each.started_at, each.memory.number),
            reverse=direction == "backward",
        )
        reached.update((each.memory.number, each) for each in border)
    return list(sight.of(islice(reached.values(), limit)))


def _beyond(see: StoreReader, numbers: list[int], direction: str) -> list[int]:
    here = set(numbers)
    ends = (
        (begin, end) if direction == "backward" else (end, begin)
        for begin, end, relation in see.links.around(numbers)
        if relation == Relation.CAUSED_BY
    )
    return sorted({there for origin, there in ends if origin in here})


def read_window(window: object) -> timedelta:
    """How far from a moment is still at it: a duration, or seconds."""
    if isinstance(window, int | float) and not isinstance(window, bool) and window == window:
        window = timedelta(seconds=min(max(window, -1.0), _LONGEST_WINDOW.total_seconds()))
    if not isinstance(window, timedelta) or not timedelta() <= window <= _LONGEST_WINDOW:
        raise InvalidInput(hint="`window` is a duration or a number of seconds, up to 100 years.")
    return window


def around(moment: datetime, window: timedelta) -> tuple[datetime, datetime]:
    """From when to when something counts as being at a moment."""
    try:
        return moment - window, moment + window
    except OverflowError:
        raise InvalidInput(hint="`window` reaches outside the years 1 to 9999.") from None


def vectors_of_latest(
    see: StoreReader, scope: Scope, embedder_for: Callable[[Space], Embeds | None]
) -> EpisodeVectors | None:
    """The vectors of the episodes that a new one is compared with; None when none can be had."""
    wordings = see.episodes.latest_wordings(scope, limit=_COMPARED)
    found = see.derived.answering_vectors(wordings) if wordings else None
    embedder = embedder_for(found[0]) if found else None
    return EpisodeVectors(embedder, found[1]) if found and embedder else None


def likeness_to(
    situation: Situation,
    episodes: Sequence[Episode],
    see: StoreReader,
    question: QuestionVector | None,
) -> dict[int, float]:
    """How much each of some episodes is like a situation, from 0 to 1, by words and by meaning.

    A question is nearer to nothing than stories are to each other, so its nearness counts as it is.
    """
    alike = {each.memory.number: likeness(situation, each.situation) for each in episodes}
    if question is None or question.vector is None or question.space is None:
        return alike
    wordings = {each.memory.number: each.memory.version for each in episodes}
    found = see.derived.answering_vectors(wordings)
    if found and found[0].space == question.space.space:
        for number, vector in found[1].items():
            near = float(vector @ question.vector)
            alike[number] = max(alike[number], min(1.0, near))
    return alike


def story_so_far(
    see: StoreReader, episode: Episode, outcome: EpisodeOutcome, ended_at: datetime
) -> str:
    """What an episode's story would be if it ended so: what it is compared by."""
    events = see.episodes.key_events(episode.memory.number)
    span = (episode.started_at, ended_at)
    return tell(episode.situation, episode.participants, events, outcome, span).text


def nearness(story: str, known: EpisodeVectors | None, seconds: float) -> dict[int, float]:
    """How near a story is to each of some others, from 0 to 1, by the store's own embedder.

    Empty when there is none, it is late or it fails: then words tell. Called while no view of the
    store is open, since an embedder may take its time.
    """
    if known is None or not known.vectors:
        return {}
    try:
        if known.embedder.is_prompt:
            vector = known.embedder.embed([story])[0]
        else:
            vector = in_time(lambda: known.embedder.embed([story])[0], seconds)
    except (TimeoutError, EngramError):
        return {}
    return {
        number: min(1.0, max(0.0, float(other @ vector))) for number, other in known.vectors.items()
    }


_LONGEST_WINDOW = timedelta(days=36_525)
