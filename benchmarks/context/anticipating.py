"""How often the next question lies where it was expected, what that saves, and what it costs.

Every question is asked twice, in stores that are alike: once with what was fetched for it ahead,
once without. The answers are compared hit by hit.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.context.stores import runs, stored
from benchmarks.figures import middle
from engram import Engram
from engram.evaluation.conversations import Asked, Conversation, load_sets
from engram.evaluation.metrics import mean, recall_at

SETS = ("locomo", "realtalk", "beam-100K", "prefeval")  # together far more than are all compared
_AMONG = 10
_FEW = 5
_WAIT_SECONDS = 10.0
BAR = 0.6
MOST_LOST = 0.01  # of recall, where a question was answered out of what was fetched


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: what was found, how well, how long it took, and how it was compared.

    In processor time of whoever asks: that they pause for the fetch, and the first do not, would
    show otherwise.
    """

    conversation: str
    found: tuple[str, ...]
    recall: float
    milliseconds: float
    meaning: float
    is_fetched: bool


def measure(folder: Path, *, limit_files: int | None, most: int, keep: Path | None) -> bool:
    """Print the hit rate, how alike the answers are, and the time; whether the bars are met.

    A hit is a question that was answered out of what was fetched. That it lay where it was expected
    is printed beside, and counts for nothing.
    """
    sets = load_sets(folder, SETS, limit_files=limit_files)
    every = tuple(each for found in sets for each in found.conversations)
    ahead, expected = _asked(every, keep, most, is_ahead=True)
    plain, _ = _asked(every, keep, most, is_ahead=False)
    pairs = list(zip(ahead, plain, strict=True))
    print(f"{len(pairs)} questions follow another one in their session, {expected} where expected")
    is_met = _told("all", pairs)
    for each in sets:
        names = {conversation.name for conversation in each.conversations}
        _told(each.name, [pair for pair in pairs if pair[0].conversation in names])
    served = [pair for pair in pairs if pair[0].is_fetched]
    for name in ("meaning", "milliseconds"):
        with_it = middle([getattr(a, name) for a, _ in served])
        without = middle([getattr(b, name) for _, b in served])
        print(f"{name}: {with_it:.2f} ms with it, {without:.2f} ms without")
    return is_met


def _told(name: str, pairs: list[tuple[Answered, Answered]]) -> bool:
    """Print how many were answered out of what was fetched, and how well; whether that will do."""
    served = [(a, b) for a, b in pairs if a.is_fetched]
    if not served:
        print(f"{name}: none of {len(pairs)} served")
        return False
    rate = len(served) / len(pairs)
    ahead, plain = mean([a.recall for a, _ in served]), mean([b.recall for _, b in served])
    first = mean([float(a.found[:1] == b.found[:1]) for a, b in served])
    print(
        f"{name}: {rate:.3f} of {len(pairs)} served; of those the same first hit {first:.3f}, of "
        f"the first {_FEW} {_shared(served, _FEW):.3f}, of the first {_AMONG} "
        f"{_shared(served, _AMONG):.3f}; R@{_AMONG} {ahead:.4f} against {plain:.4f}"
    )
    return rate >= BAR and ahead >= plain - MOST_LOST


def _shared(pairs: list[tuple[Answered, Answered]], count: int) -> float:
    return mean(
        [
            len({*a.found[:count]} & {*b.found[:count]}) / max(len(b.found[:count]), 1)
            for a, b in pairs
        ]
    )


def _asked(
    every: tuple[Conversation, ...], keep: Path | None, most: int, *, is_ahead: bool
) -> tuple[list[Answered], int]:
    """Every question that follows another one, and how many lay where they were expected."""
    settings: Mapping[str, object] = {"context": {"anticipate": is_ahead}}
    answers: list[Answered] = []
    expected = 0
    with stored(every, keep, "ahead", settings) as engram:
        for conversation in every:
            for place, run in enumerate(runs(conversation)):
                for number, question in enumerate(run[:most]):
                    before = engram.upkeep.anticipated()
                    answer = _answer(engram, conversation, question, place)
                    engram._parts.prefetching.wait(_WAIT_SECONDS)
                    if number:
                        answers.append(answer)
                        expected += engram.upkeep.anticipated().expected - before.expected
    return answers, expected


def _answer(engram: Engram, conversation: Conversation, question: Asked, place: int) -> Answered:
    # Its vector is known from here on: embedding is not measured.
    engram.recall(question.text, limit=1)
    before = engram.upkeep.anticipated().served
    begun = time.thread_time()
    result = engram.recall(question.text, limit=_AMONG, session=f"{conversation.name}-{place}")
    took = (time.thread_time() - begun) * 1000
    return Answered(
        conversation.name,
        tuple(hit.memory.id for hit in result),
        recall_at([turn for hit in result for turn in hit.references], question.evidence, _AMONG),
        took,
        next(each.milliseconds for each in result.trace if each.name == "meaning"),
        engram.upkeep.anticipated().served > before,
    )
