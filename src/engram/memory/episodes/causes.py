"""Which earlier episodes brought one about, as far as that can be told from both."""

from collections.abc import Iterable

from engram.memory.episodes.episode import Episode
from engram.memory.episodes.likeness import telling_words
from engram.memory.episodes.outcomes import Failure, Success
from engram.text.strings import normalised

MOST_CAUSES = 3
_SHARED = 0.6  # of the telling words of an error that a situation names to be about it
_FEWEST = 2  # one word in common is chance


def earlier_causes(episode: Episode, earlier: Iterable[Episode]) -> list[Episode]:
    """The episodes that this one follows from, the last first.

    One is what directly went before it in the same session with the same goal. Others are failures
    whose error this one set out from, and in the end got the better of.
    """
    before = sorted(
        (each for each in earlier if _is_before(each, episode)),
        key=lambda each: (each.ended_at, each.memory.number),
        reverse=True,
    )
    continued = [each for each in before if _is_continued(each, episode)][:1]
    overcome = [each for each in before if _is_overcome(each, episode)]
    found = {each.memory.number: each for each in (*continued, *overcome)}
    return list(found.values())[:MOST_CAUSES]


def _is_before(earlier: Episode, later: Episode) -> bool:
    is_other = earlier.memory.number != later.memory.number
    return is_other and earlier.ended_at is not None and earlier.ended_at <= later.started_at


def _is_continued(earlier: Episode, later: Episode) -> bool:
    session, goal = later.memory.session, later.situation.goal
    if session is None or not goal or earlier.memory.session != session:
        return False
    return normalised(earlier.situation.goal or "") == normalised(goal)


def _is_overcome(earlier: Episode, later: Episode) -> bool:
    if not isinstance(earlier.outcome, Failure) or not isinstance(later.outcome, Success):
        return False
    error = telling_words(earlier.outcome.error)
    named = error & telling_words(later.situation.summary)
    return len(named) >= _FEWEST and len(named) >= _SHARED * len(error)
