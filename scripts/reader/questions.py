"""Writes what the embedder is taught: questions, the texts that answer them, and others.

    PYTHONPATH=src:scripts python scripts/reader/questions.py --out build/questions.pickle

`train_embedder.py` reads the file and needs nothing of Engram then.
"""

import argparse
import pickle
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpus import rows
from lessons import in_training
from material import Example

from engram.recall.plan import as_first_person


def examples() -> Iterator[Example]:
    """Everything in the training part with a question and its answer."""
    for kind in ("stores", "stores-trained"):
        for number, row in enumerate(in_training(kind)):
            yield from of_store(f"{kind} {number}", row)
    for row in in_training("asked"):
        yield Example(f"asked {row['topic']}", row["question"], (row["fact"],), (), True)
    topics = defaultdict(list)
    for kind in ("answers", "answers-trained"):
        for row in in_training(kind):
            topics[row["writer"], row["topic"]].append(row)
    for topic, found in topics.items():
        facts = [row["fact"] for row in found]
        for row in found:
            others = tuple(fact for fact in facts if fact != row["fact"])
            for question in row["yes"]:
                asked = in_first_person(question, [row.get("speaker")])
                yield Example(" ".join(topic), asked, (row["fact"],), others, False)


def of_store(place: str, row: dict) -> Iterator[Example]:
    """The answerable questions of a store."""
    texts = [turn["text"] for turn in row["turns"]]
    people = [turn.get("speaker") for turn in row["turns"]]
    for each in row["questions"]:
        if each["answerable"] and each["evidence"]:
            passed = {*each["evidence"], *(each.get("stale") or ())}
            yield Example(
                place, in_first_person(each["q"], people),
                tuple(texts[at] for at in each["evidence"]),
                tuple(text for at, text in enumerate(texts) if at not in passed), True,
            )  # fmt: skip


def in_first_person(question: str, people: Sequence[str | None]) -> str:
    """As recall embeds it."""
    return as_first_person(question, frozenset(filter(None, people)))


def held_out() -> tuple[list[dict], list[tuple[list[str], list[Example]]]]:
    """What the figures are of: facts, and the turns of stores with their questions."""
    stores = [row for _, row in rows("confidence")]
    return (
        [row for _, row in rows("confidence-asked")],
        [([turn["text"] for turn in row["turns"]], list(of_store("", row))) for row in stores],
    )


def main() -> None:
    """Write everything to one file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    every = list(examples())
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with given.out.open("wb") as file:
        pickle.dump((every, held_out()), file)
    print(len(every), "questions")


if __name__ == "__main__":
    main()
