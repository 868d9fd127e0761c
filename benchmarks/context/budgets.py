"""What a small budget leaves of the evidence, and how many memories models of all sizes get."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.context.stores import conversations_of, runs, stored
from benchmarks.conversations import questions, turns
from engram import Engram
from engram.evaluation.metrics import mean

SMALL, LARGE = 2_000, 8_000
BAR = 0.92
MODELS = (("gpt-4", 3), ("claude-sonnet-4", 50), ("gemini-1.5-pro", 200))  # 8K, 200K, 2M
_ANY = "gpt-4o"
_MEMORIES, _ASKED = 20_000, 10


def measure(folder: Path, *, limit_files: int | None, most: int, keep: Path | None) -> bool:
    """Print the share of the evidence in prompts of both sizes, by the memories put in."""
    kept: dict[int, list[float]] = {SMALL: [], LARGE: []}
    counts: dict[int, list[float]] = {SMALL: [], LARGE: []}
    for each in conversations_of(folder, "locomo", limit_files):
        references = {turn.id for turn in each.turns}
        with stored((each,), keep, each.name) as engram:
            for asked in [asked for run in runs(each) for asked in run[:most]]:
                for budget in kept:
                    found = _put_in(engram, asked.text, budget)
                    counts[budget].append(len(found))
                    kept[budget].append(
                        len(asked.evidence & references & set(found)) / len(asked.evidence)
                    )
    for budget, shares in kept.items():
        print(
            f"{budget:,} tokens: {mean(shares):.3f} of the evidence, "
            f"{mean(counts[budget]):.0f} memories, {len(shares)} questions"
        )
    ratio = mean(kept[SMALL]) / max(mean(kept[LARGE]), 1e-9)
    print(f"{SMALL:,} keeps {ratio:.3f} of {LARGE:,}; the bar is {BAR}")
    return ratio >= BAR


def _put_in(engram: Engram, question: str, budget: int) -> list[str]:
    """The turns behind the memories of a prompt."""
    message = {"role": "user", "content": question}
    made = engram.context([message], model=_ANY, budget=budget)
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
    return _middle(found) >= least


def _memories(engram: Engram, text: str, model: str) -> int:
    made = engram.context([{"role": "user", "content": text}], model=model)
    return len(made.memories)


def _middle(values: Sequence[int]) -> int:
    return sorted(values)[len(values) // 2]
