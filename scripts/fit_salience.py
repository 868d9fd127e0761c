"""Fit how much a statement is worth keeping, and write `capture/reading/salience.json`.

    python scripts/fit_salience.py ../shared/data

Every turn of the conversations that come with gold facts is read by the rules; a statement is an
example for keeping when it says a gold fact (the rule of `engram.evaluation.gold_facts`). A ridge
logistic is fitted over the named figures of `capture.reading.salience` (of single words only those
that every conversation uses). Printed are the figures of
the naive baseline (every sentence is a fact), of leave-one-conversation-out fits, and of the fit
that is written, with the typed memories beside.
"""

import argparse
import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engram.capture.reading import propositions, salience
from engram.capture.reading.propositions import Proposition, read_turn
from engram.capture.reading.salience import Situation, figures_of
from engram.capture.reading.turns import Turn
from engram.evaluation.gold_facts import (
    FactCase,
    FactScore,
    GoldFact,
    GoldMemory,
    Kept,
    Said,
    TypeScore,
    right_statements,
    score_facts,
    score_types,
)
from engram.memory.times import parse_time

TARGET = Path(salience.__file__).parent / "salience.json"
RIDGE = 40.0
FEWEST_USES = 40  # of a word, over all conversations, in each of which it must be used
WANTED_RECALL = 0.705
TURNS_BEFORE = 6
_SENTENCE = re.compile(r"(?<=[.!?])\s+")

Floats = NDArray[np.float64]


@dataclass
class Example:
    """One statement, what the logistic sees of it, and whether gold says it."""

    statement: Kept
    figures: dict[str, float]
    is_deliberate: bool
    is_right: bool = False
    score: float = 0.0


@dataclass
class Conversation:
    name: str
    case: FactCase
    turns: list[tuple[str, Turn]]
    examples: list[Example]


def load(file: Path) -> Conversation:
    document = json.loads(file.read_text(encoding="utf-8"))
    turns = [
        (
            each["id"],
            Turn(
                text=each["text"],
                role=each.get("role", "user"),
                speaker=each["speaker"],
                at=parse_time(each["at"], name="at"),
                session=each["session"],
            ),
        )
        for each in document["turns"]
    ]
    case = FactCase(
        turns={turn_id: Said(turn.text, turn.session) for turn_id, turn in turns},
        facts=[GoldFact(each["text"], frozenset(each["evidence"])) for each in document["facts"]],
        names=sorted({turn.speaker for _, turn in turns if turn.speaker}),
        questions=[
            GoldFact(f"{each['question']} {each.get('answer') or ''}", frozenset(each["evidence"]))
            for each in document["questions"]
            if each.get("answerable", True) and each.get("evidence")
        ],
    )
    return Conversation(file.stem, case, turns, [])


def read_all(conversation: Conversation) -> list[tuple[str, Proposition, Situation]]:
    """Every statement with the situation that its salience is told from."""
    seen: list[Situation] = []

    def numbered(situation: Situation) -> float:
        """In place of the salience: which situation it was, since not each becomes a statement."""
        seen.append(situation)
        return float(len(seen) - 1)

    found: list[tuple[str, Proposition, Situation]] = []
    original = propositions.salience_of
    propositions.salience_of = numbered
    try:
        for index, (turn_id, turn) in enumerate(conversation.turns):
            before = [each for _, each in conversation.turns[max(0, index - TURNS_BEFORE) : index]]
            read = read_turn(turn, before).propositions
            found += [(turn_id, each, seen[int(each.salience)]) for each in read]
    finally:
        propositions.salience_of = original
    return found


def prepare(conversation: Conversation) -> None:
    for turn_id, proposition, situation in read_all(conversation):
        statement = Kept(turn_id, proposition.text, proposition.category)
        example = Example(statement, figures_of(situation), salience._is_deliberate(situation))
        conversation.examples.append(example)
    statements = [example.statement for example in conversation.examples]
    found = right_statements(conversation.case, statements)
    for example, is_right in zip(conversation.examples, found, strict=True):
        example.is_right = is_right


def fit(examples: list[Example], names: list[str]) -> Floats:
    """A ridge logistic by Newton's method; the intercept stands last and is not drawn to zero."""
    matrix = matrix_of(examples, names)
    wanted = np.array([each.is_right for each in examples], dtype=float)
    weights = np.zeros(matrix.shape[1])
    ridge = np.full(matrix.shape[1], RIDGE)
    ridge[-1] = 1e-6
    for _ in range(25):
        chance = 1.0 / (1.0 + np.exp(-matrix @ weights))
        slope = matrix.T @ (chance - wanted) + ridge * weights
        curve = (matrix * (chance * (1.0 - chance))[:, None]).T @ matrix + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def matrix_of(examples: list[Example], names: list[str]) -> Floats:
    place = {name: index for index, name in enumerate(names)}
    matrix = np.zeros((len(examples), len(names) + 1))
    matrix[:, -1] = 1.0
    for row, example in enumerate(examples):
        for name, value in example.figures.items():
            if name in place:
                matrix[row, place[name]] = value
    return matrix


def names_of(conversations: list[Conversation]) -> list[str]:
    """The figures to fit: all but the words that are rare or belong to one talk."""
    uses: Counter[str] = Counter()
    talks: Counter[str] = Counter()
    for each in conversations:
        names = [name for example in each.examples for name in example.figures]
        uses.update(names)
        talks.update(set(names))
    return sorted(
        name
        for name, count in uses.items()
        if not name.startswith("word ")
        or (count >= FEWEST_USES and talks[name] == len(conversations))
    )


def scored(conversations: list[Conversation], threshold: float) -> FactScore:
    total = FactScore()
    for each in conversations:
        kept = [e.statement for e in each.examples if e.score >= threshold or e.is_deliberate]
        total += score_facts(each.case, kept)
    return total


def threshold_for(conversations: list[Conversation], recall: float) -> float:
    """The highest threshold that still finds so many of the gold facts."""
    low, high = -6.0, 6.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if scored(conversations, middle).recall >= recall else (low, middle)
        )
    return low


def shipped(conversation: Conversation) -> FactScore:
    """What `read_turn` and KEEP make of a conversation with the weights that were written."""
    kept = []
    for index, (turn_id, turn) in enumerate(conversation.turns):
        before = [each for _, each in conversation.turns[max(0, index - TURNS_BEFORE) : index]]
        read = read_turn(turn, before).propositions
        kept += [Kept(turn_id, each.text) for each in read if each.salience >= salience.KEEP]
    return score_facts(conversation.case, kept)


def naive(conversation: Conversation) -> FactScore:
    kept = [
        Kept(turn_id, sentence)
        for turn_id, turn in conversation.turns
        for sentence in _SENTENCE.split(turn.text)
        if sentence.strip()
    ]
    return score_facts(conversation.case, kept)


def typed_score(file: Path, language: str) -> tuple[TypeScore, dict[str, TypeScore]]:
    total, by_type = TypeScore(), {}
    at = datetime(2026, 3, 4, 12, tzinfo=UTC)
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["language"] != language:
            continue
        read = read_turn(Turn(text=row["text"], at=at)).propositions
        kept = [
            Kept("", each.text, each.category) for each in read if each.salience >= salience.KEEP
        ]
        gold = [GoldMemory(each["type"], each["content"]) for each in row["expected"]["memories"]]
        total += score_types(gold, kept)
        for memory in gold:
            by_type[memory.type] = by_type.get(memory.type, TypeScore()) + score_types(
                [memory], kept
            )
    return total, by_type


def shown(name: str, score: FactScore) -> str:
    return (
        f"{name:34} recall {score.recall:.3f} (strict {score.strict_recall:.3f} of"
        f" {score.ceiling:.3f})  precision {score.precision:.3f} (strict"
        f" {score.strict_precision:.3f}, useful {score.useful_precision:.3f})"
        f"  kept {score.kept} for {score.gold}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dry-run", action="store_true", help="print the figures, write nothing")
    options = parser.parse_args()
    files = sorted((options.folder / "retrieval" / "locomo").glob("*.json"))
    conversations = [load(file) for file in files]
    print(shown("every sentence", sum(map(naive, conversations), FactScore())))
    for each in conversations:
        prepare(each)
    examples = [example for each in conversations for example in each.examples]
    names = names_of(conversations)
    for example in examples:
        example.score = 10.0
    print(shown("every statement", scored(conversations, 0.0)))
    for held in conversations:
        others = [each for each in conversations if each is not held]
        weights = fit([example for each in others for example in each.examples], names)
        for example, score in zip(
            held.examples, matrix_of(held.examples, names) @ weights, strict=True
        ):
            example.score = float(score)
    for recall in (0.65, 0.70, WANTED_RECALL, 0.75, 0.8):
        cut = threshold_for(conversations, recall)
        print(shown(f"left out, recall {recall}, cut {cut:.2f}", scored(conversations, cut)))
    cut = threshold_for(conversations, WANTED_RECALL)
    for each in conversations:
        print(shown(f"  {each.name}", scored([each], cut)))
    weights = fit(examples, names)
    if not options.dry_run:
        document = {
            "intercept": round(float(weights[-1]) - cut, 4),
            "figures": {name: round(float(w), 4) for name, w in zip(names, weights, strict=False)},
        }
        TARGET.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        salience.load_weights.cache_clear()
        print(
            shown("as it ships (has seen them all)", sum(map(shipped, conversations), FactScore()))
        )
    total, by_type = typed_score(options.folder / "tasks" / "memory-extraction.jsonl", "en")
    print(f"typed memories: recall {total.recall:.3f}, type accuracy {total.accuracy:.3f},"
          f" precision {total.precision:.3f}, kept {total.kept} for {total.gold}")  # fmt: skip
    for name, score in sorted(by_type.items()):
        print(f"  {name:12} n {score.gold:3}  found {score.found:3}  typed {score.typed:3}")


if __name__ == "__main__":
    main()
