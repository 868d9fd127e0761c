"""What a session does for its questions: clear ones must not suffer, follow-ups must gain."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.context.stores import conversations_of, runs, stored
from engram import Engram
from engram.evaluation.conversations import Asked, Conversation
from engram.evaluation.metrics import mean, recall_at

FOLLOW_UPS = (
    "And when was that?",
    "Where was that?",
    "Why was that?",
    "Tell me more about it.",
    "What happened then?",
    "And who else was there?",
)
_AMONG = 10
_SEED = 8
_MOST_LOST = 0.005  # of recall, by which chance alone may move clear questions


@dataclass(slots=True)
class Compared:
    """Recall of the same questions asked alone and asked in their session."""

    alone: list[float] = field(default_factory=list)
    in_session: list[float] = field(default_factory=list)

    def add(self, alone: float, in_session: float) -> None:
        """One question more."""
        self.alone.append(alone)
        self.in_session.append(in_session)

    def __str__(self) -> str:
        pairs = list(zip(self.alone, self.in_session, strict=True))
        better, worse = sum(b > a for a, b in pairs), sum(b < a for a, b in pairs)
        return (
            f"{mean(self.alone):.3f} alone, {mean(self.in_session):.3f} in the session; "
            f"{better} better, {worse} worse of {len(pairs)}"
        )


def measure(
    folder: Path, *, set_name: str, limit_files: int | None, most: int, keep: Path | None
) -> bool:
    """Print recall@10 with and without the session; whether clear questions keep theirs."""
    found = {name: Compared() for name in ("one topic", "mixed", "follow-ups", "with answers")}
    for each in conversations_of(folder, set_name, limit_files):
        with stored((each,), keep, each.name) as engram:
            _clear(engram, each, most, found)
            _follow_ups(engram, each, most, found)
    for name, compared in found.items():
        print(f"{set_name}, {name}: R@{_AMONG} {compared}")
    clear = (found["one topic"], found["mixed"])
    return all(mean(each.in_session) >= mean(each.alone) - _MOST_LOST for each in clear)


def _clear(
    engram: Engram, conversation: Conversation, most: int, found: dict[str, Compared]
) -> None:
    """Questions that say what they ask for: about one talk after another, and in any order."""
    for place, run in enumerate(runs(conversation)):
        for asked in run[:most]:
            _compare(engram, conversation, asked, f"run-{place}", found["one topic"])
    everything = [asked for run in runs(conversation) for asked in run]
    mixed = random.Random(_SEED).sample(everything, min(len(everything), 10 * most))
    for asked in mixed:
        _compare(engram, conversation, asked, "mixed", found["mixed"])


def _follow_ups(
    engram: Engram, conversation: Conversation, most: int, found: dict[str, Compared]
) -> None:
    """A question, and then one that only means something after it; both ask for the same turns."""
    for place, run in enumerate(runs(conversation)):
        for number, asked in enumerate(run[:most]):
            text = FOLLOW_UPS[(place + number) % len(FOLLOW_UPS)]
            following = Asked(asked.id, text, "", asked.evidence, asked.stale, True)
            for name in ("follow-ups", "with answers"):
                session = f"{name}-{place}-{number}"
                engram.recall(asked.text, session=session, now=conversation.ends_at)
                if name == "with answers" and asked.answer:
                    engram._note_turn(session, asked.answer)
                _compare(engram, conversation, following, session, found[name])


def _compare(
    engram: Engram, conversation: Conversation, asked: Asked, session: str, compared: Compared
) -> None:
    alone = engram.recall(asked.text, limit=_AMONG, now=conversation.ends_at)
    inside = engram.recall(asked.text, limit=_AMONG, now=conversation.ends_at, session=session)
    compared.add(
        *(
            recall_at([turn for hit in result for turn in hit.references], asked.evidence, _AMONG)
            for result in (alone, inside)
        )
    )
