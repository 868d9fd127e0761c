"""What several episodes have in common: clusters of similar ones, and what they teach."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engram.memory.episodes.episode import Episode, WholeEpisode
from engram.memory.episodes.events import (
    ACTION_KINDS,
    Decision,
    Event,
    PlanCreated,
    PlanModified,
    ToolCall,
    kind_of,
)
from engram.memory.episodes.outcomes import Failure, Success, outcome_kind
from engram.memory.ids import MemoryId
from engram.memory.record import MetadataValue
from engram.text.strings import clipped

SIMILAR = 0.75  # the similarity that makes episodes a cluster
FEWEST = 3  # episodes that make a pattern
WEAK = 0.5  # what is stronger is still remembered for itself
MEANINGFUL = 0.3  # what means less is let fade
_LONGEST = 300  # characters of the situation; what else is told is shorter
_LONGEST_LESSON = 180
_LONGEST_STEP = 60
_MOST_STEPS = 6
_MOST_TOLD = 3  # errors, and lessons
_USUAL = 0.6  # share of the episodes in which a step has to occur

Similarity = Callable[[int, int], float]
"""How much two episodes are alike, by their numbers."""


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Some similar episodes and the statement they come to."""

    episodes: tuple[MemoryId, ...]
    numbers: tuple[int, ...]
    is_skill: bool  # enough of them succeeded by doing something: a way to do it can be learnt
    statement: str
    counts: Mapping[str, MetadataValue]


def is_ripe(episode: Episode) -> bool:
    """Whether an episode is about to fade and means enough to keep what it teaches."""
    has_ended = not episode.is_ongoing
    return has_ended and episode.strength < WEAK and episode.significance > MEANINGFUL


def clusters(numbers: Sequence[int], similarity: Similarity) -> list[tuple[int, ...]]:
    """Episodes that are all alike among themselves, in groups large enough to be a pattern.

    Each joins the first group of which it is like every member, the oldest episodes first, so that
    the same episodes always come to the same groups, and no chain of likenesses ties what differs.
    """
    groups: list[list[int]] = []
    for number in sorted(numbers):
        home = next((group for group in groups if _fits(number, group, similarity)), None)
        if home is None:
            groups.append([number])
        else:
            home.append(number)
    return [tuple(group) for group in groups if len(group) >= FEWEST]


def _fits(number: int, group: Sequence[int], similarity: Similarity) -> bool:
    return all(similarity(number, member) >= SIMILAR for member in group)


def consolidation(episodes: Sequence[WholeEpisode]) -> Consolidation:
    """What similar episodes come to."""
    taught = [each for each in episodes if _is_lesson(each)]
    return Consolidation(
        tuple(each.episode.id for each in episodes),
        tuple(each.episode.memory.number for each in episodes),
        len(taught) >= FEWEST,
        statement(episodes),
        counts(episodes),
    )


def _is_lesson(whole: WholeEpisode) -> bool:
    is_success = isinstance(whole.episode.outcome, Success)
    return is_success and any(kind_of(event.happening) in ACTION_KINDS for event in whole.events)


def statement(episodes: Sequence[WholeEpisode]) -> str:
    """The last situation, what went wrong and what was learnt, each in the words it was told in."""
    last = max(episodes, key=lambda each: (each.episode.started_at, each.episode.memory.number))
    about = clipped(last.episode.situation.summary, _LONGEST)
    return "\n".join(dict.fromkeys([about, *_errors(episodes), *_lessons(episodes)]))


def counts(episodes: Sequence[WholeEpisode]) -> dict[str, MetadataValue]:
    """How often it came up, how it ended, and what was done in most of them."""
    ended = Counter(outcome_kind(each.episode.outcome) for each in episodes)
    found: dict[str, MetadataValue] = {"times": len(episodes)}
    found |= {f"ended_in_{kind}": count for kind, count in sorted(ended.items())}
    if steps := _usual_steps(episodes):
        found["usual_steps"] = steps
    return found


def _usual_steps(episodes: Sequence[WholeEpisode]) -> list[str]:
    """What was done in most of the episodes, in the order in which it was first done."""
    done = [steps_of(whole.events) for whole in episodes]
    counted = Counter(step for steps in done for step in set(steps))
    usual = {step for step, count in counted.items() if count >= _USUAL * len(episodes)}
    ordered = dict.fromkeys(step for steps in done for step in steps if step in usual)
    return list(ordered)[:_MOST_STEPS]


def steps_of(events: Iterable[Event]) -> list[str]:
    """What was done in an episode, as it is told: tools that were called, what was decided."""
    return [step for each in events if (step := _step(each))]


def _step(event: Event) -> str:
    happening = event.happening
    if isinstance(happening, ToolCall):
        return clipped(happening.tool, _LONGEST_STEP)
    if isinstance(happening, Decision):
        return clipped(happening.options[happening.chosen], _LONGEST_STEP)
    if isinstance(happening, PlanCreated):
        return "making a plan"
    return "changing the plan" if isinstance(happening, PlanModified) else ""


def _errors(episodes: Sequence[WholeEpisode]) -> list[str]:
    ends = (each.episode.outcome for each in episodes)
    found = dict.fromkeys(
        clipped(end.error, _LONGEST_LESSON) for end in ends if isinstance(end, Failure)
    )
    return list(found)[:_MOST_TOLD]


def _lessons(episodes: Sequence[WholeEpisode]) -> list[str]:
    ends = (each.episode.outcome for each in episodes)
    found = dict.fromkeys(
        clipped(end.learned, _LONGEST_LESSON)
        for end in ends
        if isinstance(end, Failure) and end.learned
    )
    return list(found)[:_MOST_TOLD]
