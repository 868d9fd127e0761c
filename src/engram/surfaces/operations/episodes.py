"""Operations on episodes: what happened from a beginning to an end, told and found again."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from engram.engine import Engram
from engram.memory.episodes.episode import Role
from engram.memory.episodes.events import Happening
from engram.memory.episodes.outcomes import Abandoned, Failure, Partial, Success
from engram.memory.roles import Need
from engram.memory.scopes import Scope
from engram.memory.tagged import TAG, tag_of
from engram.surfaces.documents import Document
from engram.surfaces.episodes_documents import (
    added_document,
    begun_document,
    consolidation_document,
    episode_document,
    episode_hits_document,
    episodes_document,
    events_document,
    kept_document,
)
from engram.surfaces.operations import episodes_telling as telling
from engram.surfaces.operations.fields import Id, Limit, Name, Share, Text, Time
from engram.surfaces.operations.memories import home_of
from engram.surfaces.operations.operation import (
    ADDING,
    CHANGING,
    READING,
    Arguments,
    Effect,
    Kind,
    ScopedArguments,
    operation,
)
from engram.surfaces.operations.tagged_fields import SituationPart
from engram.surfaces.operations.tagged_schemas import spelled

_MOST_EVENTS = 10_000  # as the library has it without other settings
_MOST_PEOPLE = 200
_MOST_CAUSES = 100
_REASON_LENGTH = 500
_LONGEST_WINDOW = 36_500 * 86_400.0  # as far as the library goes
_GATHERING = Kind(Need.WRITE, Effect.ADDS, is_repeatable=True)
_Ended = Success | Failure | Partial | Abandoned
_KINDS = tuple(tag_of(each) for each in (Success, Failure, Partial, Abandoned))
_OutcomeName = Literal["success", "failure", "partial", "abandoned", "ongoing"]


def _from_word(value: object) -> object:
    return {TAG: value} if isinstance(value, str) else value


EndGiven = Annotated[
    dict[str, object],
    BeforeValidator(_from_word),
    WithJsonSchema({
        "description": f"How it ended; {TAG} with its fields: {spelled(_Ended)}.",
        "anyOf": [
            {"type": "string", "enum": ["success", "partial"]},
            {
                "type": "object",
                "properties": {TAG: {"type": "string", "enum": list(_KINDS)}},
                "required": [TAG],
                "additionalProperties": True,
            },
        ],
    }),
]  # fmt: skip
EventsGiven = Annotated[
    list[dict[str, object]],
    Field(
        max_length=_MOST_EVENTS,
        description="What happened, in order. Each is an object with a `type` and the fields that "
        f"go with it: {spelled(Happening)}; or {{happening, at?, actor?, target?, duration?, "
        "success?}, of which `happening` is such an object.",
    ),
]
Faded = Annotated[bool, Field(description="Also what has faded.")]
KnownAt = Annotated[Time | None, Field(description="As it was known at that time.")]


class ParticipantGiven(Arguments):
    """Somebody or something that takes part."""

    identifier: Name
    role: Annotated[Role, Field(strict=False)] = Role.USER


def _named(value: object) -> object:
    return {"identifier": value} if isinstance(value, str) else value


_PARTICIPANT = ParticipantGiven.model_json_schema()
_PARTICIPANT["properties"]["role"] = {"type": "string", "enum": list(Role), "default": Role.USER}
People = Annotated[
    list[
        Annotated[
            ParticipantGiven,
            BeforeValidator(_named),
            WithJsonSchema({"anyOf": [_PARTICIPANT["properties"]["identifier"], {
                key: value for key, value in _PARTICIPANT.items() if key != "$defs"
            }]}),
        ]
    ],
    Field(max_length=_MOST_PEOPLE, description="Who takes part; a name alone is a user's."),
]  # fmt: skip
Causes = Annotated[
    list[Id], Field(max_length=_MOST_CAUSES, description="Episodes that it followed from.")
]


class OneEpisode(ScopedArguments):
    """What an operation on one episode takes."""

    episode_id: Id

    def place(self, engram: Engram) -> Scope | None:
        """The scope that is meant; an owner who names none means the episode's own."""
        return self.part or home_of(engram, self.episode_id)


class BeginEpisode(ScopedArguments):
    """What `begin_episode` takes."""

    situation: SituationPart
    participants: People = Field(default_factory=list)
    at: Time | None = None
    session: Name | None = None
    caused_by: Causes = Field(default_factory=list)
    idempotency_key: Name | None = None


@operation(
    "begin_episode", BeginEpisode, kind=ADDING, route="POST /episodes", gives="EpisodeBegun",
    tells=telling.begun,
)  # fmt: skip
def begin_episode(engram: Engram, given: BeginEpisode) -> Document:
    """Begin an episode: where one stands, what one wants, with whom; it goes on until it ends."""
    episode = engram.episodes.begin(
        given.situation.as_document(),
        participants=_people(given.participants),
        at=given.at,
        session=given.session,
        caused_by=given.caused_by,
        scope=given.part,
        idempotency_key=given.idempotency_key,
    )
    return begun_document(episode)


class AddEvents(OneEpisode):
    """What `add_events` takes."""

    events: Annotated[EventsGiven, Field(min_length=1)]
    at: Annotated[Time | None, Field(description="When, of events that do not say.")] = None
    actor: Annotated[Name | None, Field(description="Who, of events that do not say.")] = None
    idempotency_key: Name | None = None


@operation(
    "add_events", AddEvents, kind=ADDING, route="POST /episodes/{episode_id}/events",
    gives="EventsAdded", tells=telling.added,
)  # fmt: skip
def add_events(engram: Engram, given: AddEvents) -> Document:
    """Add what happened to an episode that goes on: one event or many, in one change."""
    added = engram.episodes.add(
        given.episode_id,
        given.events,
        at=given.at,
        actor=given.actor,
        scope=given.place(engram),
        idempotency_key=given.idempotency_key,
    )
    return added_document(added)


class EndEpisode(OneEpisode):
    """What `end_episode` takes."""

    outcome: EndGiven
    at: Time | None = None


@operation(
    "end_episode", EndEpisode, kind=CHANGING, route="POST /episodes/{episode_id}/end",
    gives="EpisodeKept", tells=telling.kept,
)  # fmt: skip
def end_episode(engram: Engram, given: EndEpisode) -> Document:
    """Say how an episode ended; what it means is worked out then."""
    kept = engram.episodes.end(
        given.episode_id, given.outcome, at=given.at, scope=given.place(engram)
    )
    return kept_document(kept)


class AbandonEpisode(OneEpisode):
    """What `abandon_episode` takes."""

    reason: Annotated[Text, Field(max_length=_REASON_LENGTH)]
    progress: Share = 0.0
    at: Time | None = None


@operation(
    "abandon_episode", AbandonEpisode, kind=CHANGING, route="POST /episodes/{episode_id}/abandon",
    gives="EpisodeKept", tells=telling.kept,
)  # fmt: skip
def abandon_episode(engram: Engram, given: AbandonEpisode) -> Document:
    """Give an episode up, and say why."""
    kept = engram.episodes.abandon(
        given.episode_id,
        given.reason,
        progress=given.progress,
        at=given.at,
        scope=given.place(engram),
    )
    return kept_document(kept)


class RecordEpisode(ScopedArguments):
    """What `record_episode` takes."""

    situation: SituationPart
    events: EventsGiven
    outcome: EndGiven
    started_at: Time | None = None
    ended_at: Time | None = None
    participants: People = Field(default_factory=list)
    session: Name | None = None
    caused_by: Causes = Field(default_factory=list)
    actor: Annotated[Name | None, Field(description="Who, of events that do not say.")] = None


@operation(
    "record_episode", RecordEpisode, kind=ADDING, route="POST /episodes/record",
    gives="EpisodeKept", tells=telling.kept,
)  # fmt: skip
def record_episode(engram: Engram, given: RecordEpisode) -> Document:
    """Record an episode that is over, whole and at once; the same one is kept once."""
    kept = engram.episodes.record(
        given.situation.as_document(),
        given.events,
        given.outcome,
        started_at=given.started_at,
        ended_at=given.ended_at,
        participants=_people(given.participants),
        session=given.session,
        caused_by=given.caused_by,
        actor=given.actor,
        scope=given.part,
    )
    return kept_document(kept)


class OneEpisodeThen(OneEpisode):
    """What `episode` takes."""

    known_at: KnownAt = None


@operation(
    "episode", OneEpisodeThen, kind=READING, route="GET /episodes/{episode_id}", gives="Episode",
    tells=telling.episode,
)  # fmt: skip
def episode(engram: Engram, given: OneEpisodeThen) -> Document:
    """Read one episode: how it stood, who took part, how it ended, what it meant."""
    found = engram.episodes.get(
        given.episode_id, known_at=given.known_at, scope=given.place(engram)
    )
    return episode_document(found)


class EpisodeEvents(OneEpisodeThen):
    """What `episode_events` takes."""

    after: Annotated[int, Field(ge=0, le=2**53, description="`next` of the page before.")] = 0
    limit: Limit = 100


@operation(
    "episode_events", EpisodeEvents, kind=READING, route="GET /episodes/{episode_id}/events",
    gives="Events", tells=telling.events, cursor="after",
)  # fmt: skip
def episode_events(engram: Engram, given: EpisodeEvents) -> Document:
    """What happened in an episode, in order, page by page."""
    page = engram.episodes.events(
        given.episode_id,
        after=given.after,
        limit=given.limit,
        known_at=given.known_at,
        scope=given.place(engram),
    )
    return events_document(page)


class Listing(ScopedArguments):
    """What operations that list episodes take."""

    limit: Limit = 100
    faded: Faded = False
    known_at: KnownAt = None


class EpisodeList(Listing):
    """What `episodes` takes."""

    outcome: _OutcomeName | None = None
    person: Annotated[Name | None, Field(description="Who took part.")] = None
    session: Name | None = None
    since: Annotated[Time | None, Field(description="What ended then or later.")] = None
    until: Annotated[Time | None, Field(description="What began before then.")] = None


@operation(
    "episodes", EpisodeList, kind=READING, route="GET /episodes", gives="Episodes",
    tells=telling.episodes,
)  # fmt: skip
def episodes(engram: Engram, given: EpisodeList) -> Document:
    """Episodes, the last begun first: by outcome, by who took part, by session, by time."""
    conditions = given.model_dump(exclude={"scope"})
    return episodes_document(engram.episodes.list(**conditions, scope=given.part))


class Ongoing(ScopedArguments):
    """What `ongoing_episodes` takes."""

    limit: Limit = 100


@operation(
    "ongoing_episodes", Ongoing, kind=READING, route="GET /episodes/ongoing", gives="Episodes",
    tells=telling.episodes,
)  # fmt: skip
def ongoing_episodes(engram: Engram, given: Ongoing) -> Document:
    """The episodes that have not ended, the last begun first."""
    return episodes_document(engram.episodes.ongoing(limit=given.limit, scope=given.part))


class SimilarEpisodes(Listing):
    """What `similar_episodes` takes."""

    situation: SituationPart
    limit: Limit = 5
    outcome: _OutcomeName | None = None


@operation(
    "similar_episodes", SimilarEpisodes, kind=READING, route="POST /episodes/similar",
    gives="EpisodeHits", tells=telling.similar,
)  # fmt: skip
def similar_episodes(engram: Engram, given: SimilarEpisodes) -> Document:
    """What happened in situations like this one and how it ended, the most similar first."""
    found = engram.episodes.similar(
        given.situation.as_document(),
        given.limit,
        outcome=given.outcome,
        faded=given.faded,
        known_at=given.known_at,
        scope=given.part,
    )
    return episode_hits_document(found)


class EpisodesAt(Listing):
    """What `episodes_at` takes."""

    time: Time
    window: Annotated[
        float,
        Field(ge=0, le=_LONGEST_WINDOW, allow_inf_nan=False, description="Seconds around it."),
    ] = 3_600.0


@operation(
    "episodes_at", EpisodesAt, kind=READING, route="GET /episodes/at", gives="Episodes",
    tells=telling.episodes,
)  # fmt: skip
def episodes_at(engram: Engram, given: EpisodesAt) -> Document:
    """What went on around a moment, what meant most first."""
    asked = given.model_dump(exclude={"scope", "time", "window"})
    return episodes_document(
        engram.episodes.at(given.time, given.window, **asked, scope=given.part)
    )


class EpisodesBefore(Listing):
    """What `episodes_before` takes."""

    time: Time
    limit: Limit = 10


@operation(
    "episodes_before", EpisodesBefore, kind=READING, route="GET /episodes/before",
    gives="Episodes", tells=telling.episodes,
)  # fmt: skip
def episodes_before(engram: Engram, given: EpisodesBefore) -> Document:
    """What had begun before a moment, what meant most first."""
    asked = given.model_dump(exclude={"scope", "time"})
    return episodes_document(engram.episodes.before(given.time, **asked, scope=given.part))


class EpisodesBetween(Listing):
    """What `episodes_between` takes."""

    start: Time
    end: Time


@operation(
    "episodes_between", EpisodesBetween, kind=READING, route="GET /episodes/between",
    gives="Episodes", tells=telling.episodes,
)  # fmt: skip
def episodes_between(engram: Engram, given: EpisodesBetween) -> Document:
    """What went on between two moments, in the order in which it began."""
    asked = given.model_dump(exclude={"scope", "start", "end"})
    found = engram.episodes.between(given.start, given.end, **asked, scope=given.part)
    return episodes_document(found)


class EpisodeSequence(OneEpisode):
    """What `episode_sequence` takes."""

    direction: Literal["forward", "backward"] = "forward"
    limit: Limit = 100
    faded: Faded = True


@operation(
    "episode_sequence", EpisodeSequence, kind=READING, route="GET /episodes/{episode_id}/sequence",
    gives="Episodes", tells=telling.episodes,
)  # fmt: skip
def episode_sequence(engram: Engram, given: EpisodeSequence) -> Document:
    """What followed from an episode, or backward what it followed from; itself first."""
    found = engram.episodes.sequence(
        given.episode_id,
        given.direction,
        limit=given.limit,
        faded=given.faded,
        scope=given.place(engram),
    )
    return episodes_document(found)


class ConsolidateEpisodes(ScopedArguments):
    """What `consolidate_episodes` takes."""

    dry_run: Annotated[bool, Field(description="Only tell what would be kept.")] = False
    limit: Limit = 500


@operation(
    "consolidate_episodes", ConsolidateEpisodes, kind=_GATHERING,
    route="POST /episodes/consolidate", gives="Consolidation", tells=telling.consolidated,
)  # fmt: skip
def consolidate_episodes(engram: Engram, given: ConsolidateEpisodes) -> Document:
    """Turn what fading episodes have in common into facts and skills; they stay as they are."""
    report = engram.episodes.consolidate(dry_run=given.dry_run, limit=given.limit, scope=given.part)
    return consolidation_document(report)


def _people(given: list[ParticipantGiven]) -> list[dict[str, object]]:
    return [each.model_dump() for each in given]
