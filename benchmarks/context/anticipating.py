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
from engram.evaluation.conversations import Conversation, load_sets
from engram.evaluation.metrics import mean, recall_at

SETS = ("locomo", "realtalk", "prefeval")  # together more than are all compared
_AMONG = 10
_WAIT_SECONDS = 10.0
_FETCHED = "foreseen"
BAR = 0.6


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: what was found, how well, how long it took, and how it was compared.

    In processor time of whoever asks: that they pause for the fetch, and the first do not, would
    show otherwise.
    """

    found: tuple[str, ...]
    recall: float
    milliseconds: float
    meaning: float
    is_fetched: bool


def measure(folder: Path, *, limit_files: int | None, most: int, keep: Path | None) -> bool:
    """Print the hit rate, how alike the answers are, and the time; whether the bar is met."""
    every = tuple(
        each
        for found in load_sets(folder, SETS, limit_files=limit_files)
        for each in found.conversations
    )
    ahead, rate = _asked(every, keep, most, is_ahead=True)
    plain, _ = _asked(every, keep, most, is_ahead=False)
    pairs = [(a, b) for a, b in zip(ahead, plain, strict=True) if a.is_fetched]
    print(f"hit rate {rate:.2f} of {len(ahead)} questions that follow another one in their session")
    if pairs:
        same = mean([float(a.found == b.found) for a, b in pairs])
        shared = mean([len({*a.found} & {*b.found}) / max(len(b.found), 1) for a, b in pairs])
        firsts = mean([float(a.found[:1] == b.found[:1]) for a, b in pairs])
        print(
            f"{len(pairs)} answered out of what was fetched: {same:.2f} the same order, "
            f"{shared:.3f} of the hits, {firsts:.3f} the same first hit; "
            f"R@{_AMONG} {mean([a.recall for a, _ in pairs]):.3f} against "
            f"{mean([b.recall for _, b in pairs]):.3f}"
        )
        for name in ("meaning", "milliseconds"):
            with_it = middle([getattr(a, name) for a, _ in pairs])
            without = middle([getattr(b, name) for _, b in pairs])
            print(f"{name}: {with_it:.2f} ms with it, {without:.2f} ms without")
    return rate >= BAR


def _asked(
    every: tuple[Conversation, ...], keep: Path | None, most: int, *, is_ahead: bool
) -> tuple[list[Answered], float]:
    settings: Mapping[str, object] = {"context": {"anticipate": is_ahead}}
    answers: list[Answered] = []
    with stored(every, keep, "anticipating", settings) as engram:
        asked = hits = 0
        for conversation in every:
            for place, run in enumerate(runs(conversation)):
                for number, question in enumerate(run[:most]):
                    before = engram._parts.anticipation.tally.hits
                    session = f"{conversation.name}-{place}"
                    answer = _answer(engram, question.text, question.evidence, session)
                    engram._parts.prefetching.wait(_WAIT_SECONDS)
                    if number:
                        answers.append(answer)
                        asked += 1
                        hits += engram._parts.anticipation.tally.hits - before
    return answers, hits / max(asked, 1)


def _answer(engram: Engram, text: str, evidence: frozenset[str], session: str) -> Answered:
    engram.recall(text, limit=1)  # its vector is known from here on: embedding is not measured
    begun = time.thread_time()
    result = engram.recall(text, limit=_AMONG, session=session)
    took = (time.thread_time() - begun) * 1000
    meaning = next(each for each in result.trace if each.name == "meaning")
    return Answered(
        tuple(hit.memory.id for hit in result),
        recall_at([turn for hit in result for turn in hit.references], evidence, _AMONG),
        took,
        meaning.milliseconds,
        meaning.detail == _FETCHED,
    )
