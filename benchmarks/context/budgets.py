"""What a small budget leaves of the evidence, and how many memories models of all sizes get."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.context.stores import conversations_of, runs, stored
from benchmarks.conversations import questions, turns
from engram import Engram
from engram.evaluation.conversations import Asked
from engram.evaluation.metrics import mean

SMALL, LARGE = 2_000, 8_000
BAR = 0.92
MODELS = (("gpt-4", 3), ("claude-sonnet-4", 50), ("gemini-1.5-pro", 200))  # 8K, 200K, 2M
_ANY = "gpt-4o"
_USUAL_SMALL, _USUAL_LARGE = f"{SMALL:,} tokens", f"{LARGE:,} tokens"
_FULL_LARGE = f"{LARGE:,} tokens full of memories"
# Twice as many memories are looked for (`deep`), and none stays out for scoring low.
_EVERYTHING = {"context": {"least_share_of_best": 0.0}}
_MEMORIES, _ASKED = 20_000, 10


def measure(folder: Path, *, limit_files: int | None, most: int, keep: Path | None) -> bool:
    """Print the share of the evidence in prompts of both sizes, by the memories put in.

    The large one is measured twice: as a caller gets it, and as full of memories as it can be, so
    that the small one is not held against a large one that looks no further.
    """
    sides = {name: _Side() for name in (_USUAL_SMALL, _USUAL_LARGE, _FULL_LARGE)}
    for each in conversations_of(folder, "locomo", limit_files):
        asked = [asked for run in runs(each) for asked in run[:most]]
        with stored((each,), keep, each.name) as engram:
            for one in asked:
                sides[_USUAL_SMALL].note(one, _put_in(engram, one.text, SMALL))
                sides[_USUAL_LARGE].note(one, _put_in(engram, one.text, LARGE))
        with stored((each,), keep, each.name, _EVERYTHING) as engram:
            for one in asked:
                sides[_FULL_LARGE].note(one, _put_in(engram, one.text, LARGE, mode="deep"))
    for name, side in sides.items():
        print(
            f"{name}: {mean(side.kept):.3f} of the evidence, {mean(side.memories):.0f} memories, "
            f"{len(side.kept)} questions"
        )
    small = mean(sides[_USUAL_SMALL].kept)
    met = []
    for name in (_USUAL_LARGE, _FULL_LARGE):
        ratio = small / max(mean(sides[name].kept), 1e-9)
        print(f"{_USUAL_SMALL} keep {ratio:.3f} of {name}; the bar is {BAR}")
        met.append(ratio >= BAR)
    return all(met)


@dataclass(slots=True)
class _Side:
    """What prompts of one kind held."""

    kept: list[float] = field(default_factory=list)
    memories: list[float] = field(default_factory=list)

    def note(self, asked: Asked, found: list[str]) -> None:
        self.memories.append(len(found))
        self.kept.append(len(asked.evidence & set(found)) / len(asked.evidence))


def _put_in(engram: Engram, question: str, budget: int, mode: str | None = None) -> list[str]:
    """The turns behind the memories of a prompt."""
    message = {"role": "user", "content": question}
    made = engram.context([message], model=_ANY, budget=budget, mode=mode)
    return [each.memory.reference for each in made.memories if each.memory.reference]


def measure_models(keep: Path | None) -> bool:
    """Print how many memories models get from a large store of made-up talk."""
    settings = {"embedder": {"kind": "hashing"}, "recall": {"timeout_seconds": 60.0}}
    with tempfile.TemporaryDirectory(prefix="engram-models-") as folder:
        path = (keep or Path(folder)) / "models"
        is_made = path.exists()
        with Engram.open(path, settings=settings) as engram:
            if not is_made:
                items = [turn.as_item() for turn in turns(_MEMORIES)]
                for item in items:
                    del item["scope"]
                engram.remember_many(items)
                engram.upkeep.embed()
            met = [_counted(engram, *each) for each in MODELS]  # all are told, whatever the first
            return all(met)


def _counted(engram: Engram, model: str, least: int) -> bool:
    found = [_memories(engram, text, model) for text in questions(_ASKED, among=_MEMORIES)]
    print(
        f"{model}: {min(found)} to {max(found)} memories ({mean(found):.0f} on average) "
        f"of {_MEMORIES:,}; the bar is {least}"
    )
    return min(found) >= least


def _memories(engram: Engram, text: str, model: str) -> int:
    made = engram.context([{"role": "user", "content": text}], model=model)
    return len(made.memories)
