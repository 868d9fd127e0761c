"""What the reader is taught: labelled turns, pairs of statements, and questions with texts.

Near texts that are something else are the lesson that decides: nearest by the packaged encoder,
from the same store where it says what changes what, and from other writers where it does not.

    PYTHONPATH=src:scripts python scripts/reader/lessons.py --out build/lessons.pickle

writes them all for `train.py`, which needs nothing of Engram then.
"""

import argparse
import pickle
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from clauses import clauses
from corpus import (
    ADDRESSEES,
    RELATIONS,
    labelled,
    rows,
    said,
    spoken,
)
from material import NO_CHANGE, Asked, Lessons, Material, Turn
from model import MOST_FIRST, MOST_SECOND, encode_turn, token_ids
from siblings import Siblings

from engram.language.segments import segment, word_starts
from engram.providers.minilm import MiniLmEmbedder

TRAINED = ("train", "tune")
UNRELATED = RELATIONS.index("unrelated")
CHANGES = (RELATIONS.index("replaces"), RELATIONS.index("ends"))
NEAR_IN_STORE, NEAR_IN_DIARY, MINED = 4, 4, 1
NEAREST = 40  # texts of which nobody says whether they answer: the teacher does
FAIRLY_NEAR, FAR = (100, 1_500), 24  # places in the order of nearness; these are taken as no answer
_YES_OR_NO = re.compile(
    r"(?i)(?:is|are|am|was|were|do|does|did|can|could|will|would|has|have|may)\b"
)
SWAPS = 2  # of the words of a question, and of a pair
UNTOLD = 12_000  # texts without labels, read by the teacher alone
_AMONG = 48  # nearest first statements that a later one is held against
_embedder = MiniLmEmbedder(threads=2)


def vectors(texts: Sequence[str]) -> np.ndarray:
    """A row for each text, as a store keeps it."""
    found = [
        np.array(_embedder.embed(list(texts[at : at + 256]))) for at in range(0, len(texts), 256)
    ]
    return np.concatenate(found).astype(np.float32)


def in_training(kind: str, parts: Iterable[str] = TRAINED) -> Iterator[dict]:
    """Rows of a kind that may be trained on."""
    wanted = tuple(parts)
    yield from (row for part, row in rows(kind) if part in wanted)


def turns(parts: Iterable[str] = TRAINED) -> list[Turn]:
    """Encoded turns with their clauses."""
    return encoded_turns([*in_training("turns", parts), *in_training("turns-trained", parts)])


def encoded_turns(labelled_rows: Iterable[dict]) -> list[Turn]:
    """These turns as the model reads them, with their clauses."""
    found = []
    for row in labelled_rows:
        turn = labelled(row)
        spans, starts = [(c.start, c.end) for c in turn.clauses], [at for at, _ in turn.starts]
        ids, places, tokens = encode_turn(row["role"], turn.text, spans, starts)
        seen = [(clause, at) for clause, at in zip(turn.clauses, places, strict=True) if at]
        begins = [
            (token, begins) for token, (_, begins) in zip(tokens, turn.starts, strict=True)
            if token is not None
        ]  # fmt: skip
        if seen:
            kept, spans = [clause for clause, _ in seen], [at for _, at in seen]
            found.append(Turn(ids, spans, kept, ADDRESSEES.index(row["to"]), begins))
    return found


def untold(texts: Sequence[str]) -> list[Turn]:
    """Encoded texts without labels, with their clauses by rule."""
    found = []
    for text in random.Random(17).sample(texts, min(UNTOLD, len(texts))):
        cut = segment(text)
        spans = list(dict.fromkeys([*cut.sentences, *clauses(text)]))
        starts = word_starts(text, cut.sentences)
        ids, places, tokens = encode_turn("user", text, spans, starts)
        begins = [(token, False) for token in tokens if token is not None]
        if seen := [place for place in places if place]:
            found.append(Turn(ids, seen, [], -1, begins))
    return found


def relations(parts: Iterable[str] = TRAINED) -> Lessons:
    """Encoded pairs of statements with what the later one does to the earlier one."""
    dice = random.Random(7)
    written = [
        (row["writer"], said(row, "first"), later_text(row), RELATIONS.index(row["relation"]))
        for row in in_training("pairs", parts)
    ]
    found = [each[1:] for each in written]
    found += list(strange_pairs(written, dice))
    for row in (*in_training("stores", parts), *in_training("stores-trained", parts)):
        found += store_pairs(row, dice)
    for row in in_training("diaries", parts):
        found += diary_pairs(row, dice)
    siblings = Siblings(people())
    found += [each for pair in found for each in swapped_pair(pair, siblings, dice)]
    coded = [
        (token_ids(first)[:MOST_FIRST], token_ids(later)[:MOST_SECOND], relation)
        for first, later, relation in found
    ]
    count = len(written)
    changes = [each for each in coded[count:] if each[2] not in (UNRELATED, NO_CHANGE)]
    others = [each for each in coded[count:] if each[2] in (UNRELATED, NO_CHANGE)]
    return Lessons(coded[:count] + changes, others)


def swapped_pair(
    pair: tuple[str, str, int], siblings: Siblings, dice: random.Random
) -> Iterator[tuple[str, str, int]]:
    """A change of something else, which leaves the first true; and both of the something else."""
    first, later, relation = pair
    if relation not in CHANGES:
        return
    swaps = [each for each in siblings.swaps(later, first, dice) if each.stands_in(first)]
    for swap in dice.sample(swaps, min(SWAPS, len(swaps))):
        other = swap.applied(later)
        yield first, other, NO_CHANGE
        yield swap.applied(first), other, relation


def later_text(row: dict) -> str:
    """The later statement of a pair, after the turn that it answers."""
    text = spoken(row.get("later_speaker") or row["speaker"], row["later"])
    return f"{row['before']} / {text}" if row.get("before") else text


def strange_pairs(written: list[tuple], dice: random.Random) -> Iterator[tuple[str, str, int]]:
    """Each later statement with near first ones by others, whose people and things are others."""
    writers, firsts, laters, _ = zip(*written, strict=True)
    near = (vectors(laters) @ vectors(firsts).T).argsort(1)[:, ::-1][:, :_AMONG]
    for place, later in enumerate(laters):
        others = [at for at in near[place] if writers[at] != writers[place]][:8]
        for at in dice.sample(others, min(MINED, len(others))):
            yield firsts[at], later, UNRELATED


def store_pairs(row: dict, dice: random.Random) -> list[tuple[str, str, int]]:
    """A stale turn and what replaced it; and near turns of which the later one changes nothing."""
    texts = [said(turn, "text") for turn in row["turns"]]
    changed = {
        (old, new) for question in row["questions"]
        for old in question.get("stale") or ()
        for new in (*question["evidence"], *(question.get("stale") or ())) if old < new
    }  # fmt: skip
    replaced = {
        (old, new) for question in row["questions"] for old in question.get("stale") or ()
        for new in question["evidence"] if old < new
    }  # fmt: skip
    touched = {place for pair in changed for place in pair}
    free = [
        (i, j) for j in range(len(texts)) for i in range(j)
        if (i, j) not in changed and not (i in touched and j in touched)
    ]  # fmt: skip
    found = [(texts[i], texts[j], RELATIONS.index("replaces")) for i, j in sorted(replaced)]
    return found + [(texts[i], texts[j], NO_CHANGE) for i, j in nearest(texts, free, dice)]


def diary_pairs(row: dict, dice: random.Random) -> list[tuple[str, str, int]]:
    """The changes of a diary, and for each statement near earlier ones that it leaves true."""
    texts = [said(turn, "text") for turn in row["turns"]]
    changes = {(old, new): relation for old, new, relation in row["changes"]}
    found = [(texts[i], texts[j], RELATIONS.index(name)) for (i, j), name in changes.items()]
    vector = vectors(texts)
    for later in range(1, len(texts)):
        near = (vector[:later] @ vector[later]).argsort()[::-1].tolist()
        others = [place for place in near if (place, later) not in changes]
        chosen, rest = others[: NEAR_IN_DIARY - 1], others[NEAR_IN_DIARY - 1 :]
        chosen += dice.sample(rest, min(1, len(rest)))
        found += [(texts[place], texts[later], NO_CHANGE) for place in chosen]
    return found


def nearest(texts: Sequence[str], pairs: list[tuple[int, int]], dice: random.Random) -> list:
    """Half of a store's share of pairs by nearness, half by chance."""
    vector = vectors(texts)
    by_nearness = sorted(pairs, key=lambda pair: -float(vector[pair[0]] @ vector[pair[1]]))
    first = by_nearness[: NEAR_IN_STORE * 2]
    rest = by_nearness[NEAR_IN_STORE * 2 :]
    return first + dice.sample(rest, min(NEAR_IN_STORE, len(rest)))


@dataclass(frozen=True)
class Question:
    """A question, the texts that answer it, and texts that are told not to."""

    writer: str
    text: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    skipped: tuple[str, ...] = ()  # neither: what once was the answer


def questions(parts: Iterable[str] = TRAINED) -> list[Question]:
    """Every question of the corpus with what answers it."""
    dice, found = random.Random(11), []
    for row in (*in_training("stores", parts), *in_training("stores-trained", parts)):
        found += store_questions(row)
    for row in in_training("asked", parts):
        found.append(Question(row["writer"], row["question"], (row["fact"],), ()))
    for kind in ("answers", "answers-trained"):
        for row in in_training(kind, parts):
            found += row_questions(row, dice)
    return found


def store_questions(row: dict) -> Iterator[Question]:
    """The questions of a store; its other turns do not answer, and neither does the question."""
    texts = [said(turn, "text") for turn in row["turns"]]
    for asked in row["questions"]:
        good = set(asked["evidence"]) if asked["answerable"] else set()
        stale = set(asked.get("stale") or ()) - good
        yield Question(
            row["writer"], asked["q"], tuple(texts[place] for place in sorted(good)),
            (*(t for place, t in enumerate(texts) if place not in good | stale), asked["q"]),
            tuple(texts[place] for place in sorted(stale)),
        )  # fmt: skip


def row_questions(row: dict, dice: random.Random) -> Iterator[Question]:
    """Questions about one statement; its speaker is named where the question does not need them."""
    for name in ("yes", "no"):
        for question in row[name]:
            named = row.get("speaker") or ""
            is_needed = named.lower() in question.lower()
            text = said(row) if is_needed or dice.random() < 0.5 else row["fact"]
            right, wrong = ((text,), ()) if name == "yes" else ((), (text,))
            yield Question(row["writer"], question, right, wrong)


def people() -> list[str]:
    """First names of all who speak in the training part."""
    kinds = ("answers", "answers-trained", "stores", "stores-trained", "diaries")
    spoken_by = {
        speaker
        for kind in kinds for row in in_training(kind)
        for speaker in (row.get("speaker"), *(turn.get("speaker") for turn in row.get("turns", ())))
    }  # fmt: skip
    return sorted(name for name in spoken_by if name and name.isalpha() and name.istitle()
                  and name not in ("Assistant", "User") and name.isascii())  # fmt: skip


def swapped_questions(
    each: Question, siblings: Siblings, dice: random.Random
) -> Iterator[Question]:
    """The question about something else, which the text does not answer, and the text about it."""
    taken = " ".join((*each.right, *each.wrong, *each.skipped))
    swaps = list(siblings.swaps(each.text, taken, dice))
    for swap in dice.sample(swaps, min(SWAPS, len(swaps))):
        other, right = swap.applied(each.text), each.right
        moved = tuple(swap.applied(text) for text in right if swap.stands_in(text))
        if len(moved) < len(right):
            if _YES_OR_NO.match(each.text):
                continue  # "I am vegan" answers for cheese and for yoghurt
            yield Question(each.writer, other, (), right)
        elif dice.random() < 0.5:
            yield Question(each.writer, other, moved, right)
        else:
            yield Question(each.writer, each.text, right, moved)


def with_others(asked: Sequence[Question], dice: random.Random) -> tuple[list, list[Asked]]:
    """All texts, and each question with the places of its own texts and of others.

    The nearest of the others may answer too: whoever asks for an editor is answered by many.
    """
    every = {text: each.writer for each in asked for text in (*each.right, *each.wrong)}
    texts, writers = list(every), np.array(list(every.values()))
    place_of = {text: place for place, text in enumerate(texts)}
    bank, rows_of = vectors(texts), vectors([each.text for each in asked])
    found = []
    for each, row in zip(asked, rows_of, strict=True):
        nearness = bank @ row
        near = np.argpartition(-nearness, FAIRLY_NEAR[1])[: FAIRLY_NEAR[1]]
        near = near[(-nearness[near]).argsort()]
        own = {place_of[text] for text in (*each.right, *each.wrong, *each.skipped)
               if text in place_of}  # fmt: skip
        far = [at for at in near[FAIRLY_NEAR[0] :].tolist() if writers[at] != each.writer]
        found.append(Asked(
            token_ids(each.text)[:MOST_FIRST], [place_of[text] for text in each.right],
            [place_of[text] for text in each.wrong],
            [at for at in near[:NEAREST].tolist() if at not in own],
            dice.sample(far, min(FAR, len(far))),
        ))  # fmt: skip
    siblings = Siblings(people())
    for each, own in zip(asked, list(found), strict=True):
        for other in swapped_questions(each, siblings, dice) if each.right else ():
            for text in (*other.right, *other.wrong):
                if text not in place_of:
                    place_of[text] = len(texts)
                    texts.append(text)
            found.append(Asked(
                token_ids(other.text)[:MOST_FIRST], [place_of[text] for text in other.right],
                [place_of[text] for text in other.wrong], own.near, own.far,
            ))  # fmt: skip
    return [token_ids(text)[:MOST_SECOND] for text in texts], found


def held_out() -> tuple[list[dict], list[dict]]:
    """What the figures are of: stores with the words of each turn, and facts."""
    stores = [row for _, row in rows("confidence")]
    for row in stores:
        row["texts"] = [said(turn, "text") for turn in row["turns"]]
    return stores, [row for _, row in rows("confidence-asked")]


def main() -> None:
    """Write everything to one file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    asked = questions()
    plain = [turn["text"] for row in in_training("diaries") for turn in row["turns"]]
    plain += [row["fact"] for row in in_training("answers-trained")]
    plain += [turn["text"] for row in in_training("stores-trained") for turn in row["turns"]]
    texts, found = with_others(asked, random.Random(13))
    stores, facts = held_out()
    material = Material(turns(), untold(plain), relations(), texts, found, stores, facts)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with given.out.open("wb") as file:
        pickle.dump(material, file)
    print(
        f"{len(material.turns)} turns, {len(material.untold)} without labels, "
        f"{len(material.relations.told)} and {len(material.relations.near)} pairs, "
        f"{len(found)} questions, {len(texts)} texts"
    )


if __name__ == "__main__":
    main()
