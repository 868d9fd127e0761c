"""Last time this failed too: what went wrong with a tool, an error or in a situation, and what
helped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

from engram.memory.episodes.episode import Episode
from engram.memory.episodes.outcomes import Failure
from engram.memory.situation import Situation
from engram.memory.skills.conditions import is_equal
from engram.memory.skills.experience import TELLING_KINDS, Fault, faults
from engram.memory.skills.failures import FailureMode, When
from engram.memory.skills.known import KnownSkill
from engram.memory.skills.signature import are_alike, error_signature
from engram.memory.skills.warnings import FailureWarning
from engram.recall.match_skills import Fit
from engram.security.screening.screen import without_orders
from engram.storage.episodes import EpisodeConditions
from engram.storage.reader import StoreReader

_MOST_SKILLS = 50
_MOST_EPISODES = 100
_MOST_EVENTS = 500  # of one episode
_MOST_TOLD = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is about to be done, or has just gone wrong."""

    tool: str | None = None
    signature: str = ""
    situation: Situation | None = None

    def names(self, tool: str | None, signature: str) -> bool:
        """Whether a failure is one of those asked for; both are asked for where both are given."""
        is_tools = self.tool is None or self.tool == tool
        is_errors = not self.signature or are_alike(self.signature, signature)
        return (self.tool is not None or bool(self.signature)) and is_tools and is_errors


@dataclass(slots=True)
class _Gathered:
    """What is known of one way to fail, from wherever it is told."""

    error: str
    tool: str | None
    runs: int = 0
    last_at: datetime | None = None
    skills: dict[str, None] = field(default_factory=dict)
    episodes: dict[str, None] = field(default_factory=dict)
    of_runs: set[str] = field(default_factory=set)  # episodes that are counted as runs already
    conditions: tuple[When, ...] = ()
    helped: dict[str, None] = field(default_factory=dict)

    def seen(self, at: datetime | None) -> None:
        self.last_at = max(filter(None, (self.last_at, at)), default=None)


def warnings(
    see: StoreReader, wanted: Wanted, fits: Sequence[Fit], *, limit: int
) -> list[FailureWarning]:
    """What failed before in the way that is asked about: first with that very error, then in other
    words; of these the most frequent first."""
    gathered: dict[str, _Gathered] = {}
    for known in _skills(see, wanted, fits):
        for mode in known.failure_modes:
            if _concerns(mode, wanted, known, fits):
                _gather_mode(gathered, mode, known)
    if wanted.tool is not None or wanted.signature:
        for episode, fault in _episode_faults(see, wanted):
            _gather_fault(gathered, episode, fault)
    found = [_warning(signature, each) for signature, each in gathered.items()]
    found.sort(key=lambda each: _rank(each, wanted))
    return found[:limit]


def _skills(see: StoreReader, wanted: Wanted, fits: Sequence[Fit]) -> list[KnownSkill]:
    numbers = see.skills.that_failed(
        tool=wanted.tool, signatures=_signatures(see, wanted), limit=_MOST_SKILLS
    )
    fitting = [each.outline.number for each in fits]
    stored = see.skills.listed({*numbers, *fitting, *_foreseeing(see, wanted)})
    return list(see.skills.all_known(stored.values()))


def _signatures(see: StoreReader, wanted: Wanted) -> list[str]:
    """The errors that runs failed by and that are asked about."""
    if not wanted.signature:
        return []
    return [each for each in see.skills.signatures() if are_alike(wanted.signature, each)]


def _foreseeing(see: StoreReader, wanted: Wanted) -> Iterable[int]:
    """Skills whose authors, or the episodes they came from, told of such a failure."""
    if wanted.tool is None and not wanted.signature:
        return
    for each in see.skills.outlines():
        told: list[tuple[str | None, str]] = [
            (None, error_signature(known.error)) for known in each.skill.known_failures
        ]
        told += [
            (run.tool, error_signature(run.outcome.error))
            for run in each.skill.learnt_from
            if isinstance(run.outcome, Failure)
        ]
        if any(wanted.names(tool, signature) for tool, signature in told):
            yield each.number


def _concerns(mode: FailureMode, wanted: Wanted, known: KnownSkill, fits: Sequence[Fit]) -> bool:
    if wanted.names(mode.tool, mode.signature):
        return True
    if wanted.situation is None:
        return False
    is_fitting = any(fit.outline.number == known.memory.number for fit in fits)
    return is_fitting and _hold(mode.conditions, wanted.situation)


def _hold(conditions: tuple[When, ...], situation: Situation) -> bool:
    around = situation.environment
    return all(each.key in around and is_equal(around[each.key], each.value) for each in conditions)


def _episode_faults(see: StoreReader, wanted: Wanted) -> Iterable[tuple[Episode, Fault]]:
    """What went wrong in the last episodes with that tool, or that failed."""
    conditions = EpisodeConditions(tool=wanted.tool, has_ended=True)
    if wanted.tool is None:
        conditions = EpisodeConditions(outcome="failure")
    for episode in islice(see.episodes.found(conditions), _MOST_EPISODES):
        numbered = see.episodes.events(
            episode.memory.number, limit=_MOST_EVENTS, kinds=TELLING_KINDS
        )
        told = (_in_words(fault, episode) for fault in faults(each.event for each in numbered))
        found = {
            error_signature(fault.error): fault for fault in (*told, *_ending(episode, wanted))
        }
        for signature, fault in found.items():
            if wanted.names(fault.tool, signature):
                yield episode, fault


def _in_words(fault: Fault, episode: Episode) -> Fault:
    """A tool that failed for good without a word failed by what the episode failed by."""
    if fault.error or fault.remedy or not isinstance(episode.outcome, Failure):
        return fault
    return replace(fault, error=episode.outcome.error)


def _ending(episode: Episode, wanted: Wanted) -> list[Fault]:
    """An episode that failed, as one thing that went wrong; with which tool is not always told."""
    if not isinstance(episode.outcome, Failure) or wanted.tool is not None:
        return []
    return [Fault(episode.outcome.error, None)]


def _gather_mode(gathered: dict[str, _Gathered], mode: FailureMode, known: KnownSkill) -> None:
    each = gathered.setdefault(mode.signature, _Gathered(mode.error, mode.tool))
    each.runs += mode.occurrences
    each.seen(mode.last_at)
    each.tool = each.tool or mode.tool
    each.skills[known.name] = None
    each.episodes.update(dict.fromkeys(mode.episodes))
    each.of_runs.update(mode.episodes)
    each.conditions = each.conditions or mode.conditions
    each.helped.update(dict.fromkeys(mode.learnt))


def _gather_fault(gathered: dict[str, _Gathered], episode: Episode, fault: Fault) -> None:
    signature = error_signature(fault.error) or "unknown"
    each = gathered.setdefault(signature, _Gathered(fault.error, fault.tool))
    each.seen(episode.ended_at or episode.started_at)
    each.tool = each.tool or fault.tool
    each.episodes[episode.id] = None
    if fault.remedy:
        again = () if fault.remedy == (fault.tool,) else (fault.tool,)
        told = ", then ".join(name for name in (*fault.remedy, *again) if name)
        each.helped[f"calling {told} again" if again else f"calling {told} once more"] = None
    if isinstance(episode.outcome, Failure) and episode.outcome.learned:
        each.helped[episode.outcome.learned] = None


def _warning(signature: str, found: _Gathered) -> FailureWarning:
    beside = [episode for episode in found.episodes if episode not in found.of_runs]
    return FailureWarning(
        signature=signature,
        error=without_orders(found.error),
        tool=found.tool,
        occurrences=found.runs + len(beside),
        last_at=found.last_at,
        skills=tuple(found.skills)[:_MOST_TOLD],
        episodes=tuple(found.episodes)[:_MOST_TOLD],
        conditions=found.conditions,
        helped=tuple(without_orders(text) for text in found.helped)[:_MOST_TOLD],
    )


def _rank(found: FailureWarning, wanted: Wanted) -> tuple[bool, int, float, str]:
    is_other = bool(wanted.signature) and found.signature != wanted.signature
    return is_other, -found.occurrences, _age(found.last_at), found.signature


def _age(moment: datetime | None) -> float:
    return -moment.timestamp() if moment else 0.0
