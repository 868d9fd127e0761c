"""Vectors in few bits: how near they stay, what is still found, and what they weigh."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import Figure, middle, named_size, timed
from benchmarks.material import memories
from benchmarks.ninety_days.generator import Generator
from benchmarks.stores import PATIENT, vectors_of
from engram import Engram
from engram.providers.minilm import MiniLmEmbedder
from engram.storage.vectors.coded import coded, coded_bytes, decoded
from engram.storage.vectors.encoding import comparable, stored_vectors
from engram.storage.vectors.recode import recode
from engram.storage.vectors.spaces import answering, read_spaces

_MEMORIES, _QUESTIONS, _HITS = 5_000, 150, 10
_DAYS, _TURNS = 45, 200
_BITS = (8, 4, 2)
_LEAST_FIDELITY = {8: 0.9999, 4: 0.97, 2: 0.9}  # the seed's table has 0.59 for two bits
# Of whole recalls. Notes are made of six sentences and so nearly alike that there is no bar for
# four bits; two bits are for what is archived.
_LEAST_RECALLED = {"talk": {8: 0.99, 4: 0.95}, "notes": {8: 0.99}}
_ROUNDING = 1e-5
_SHORTLIST = 700  # rows that one question of a large store fetches and decodes
_ROUNDS = 20
Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Material:
    """Texts of the repository's own making, and questions about them."""

    name: str
    texts: Sequence[str]
    questions: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Embedded:
    """The same by the shipped model."""

    name: str
    vectors: Matrix
    asked: Matrix


def measure(folder: Path) -> list[Figure]:
    """Two stores: their vectors by themselves, then whole recalls as they lose bits."""
    figures: list[Figure] = []
    for material in (_notes(), _talk()):
        figures += _measure_one(material, folder / f"quantised-{material.name}")
    return figures


def _measure_one(material: _Material, path: Path) -> list[Figure]:
    with Engram.open(path, settings={**PATIENT, "embedder": {"kind": "builtin"}}) as engram:
        engram.remember_many(list(material.texts))
        engram.upkeep.embed()
        asked = MiniLmEmbedder().embed(material.questions)
        embedded = _Embedded(material.name, vectors_of(engram).matrix, asked)
        figures = [*_alone(embedded), *_together(embedded)]
        if material.name == "notes":
            figures += _weights(embedded)
        return figures + _recalls(engram, material, path)


def _notes() -> _Material:
    texts = memories(_MEMORIES)
    chance = random.Random(11)
    asked = [_some_words(chance, chance.choice(texts)) for _ in range(_QUESTIONS)]
    return _Material("notes", texts, asked)


def _some_words(chance: random.Random, text: str) -> str:
    """A question of half the words of a note, in their order and without its number."""
    words = text.split(" (note")[0].split()
    kept = sorted(chance.sample(range(len(words)), max(3, len(words) // 2)))
    return " ".join(words[place] for place in kept) + "?"


def _talk() -> _Material:
    """Days of talk, each text once, with the questions about the facts told in them."""
    days = Generator(_DAYS, _TURNS, facts=_QUESTIONS)
    said = [turn.text for day in days for session in day.sessions for turn in session]
    asked = [fact.question for fact in days.facts]
    return _Material("talk", list(dict.fromkeys(said))[:_MEMORIES], asked)


def _alone(material: _Embedded) -> list[Figure]:
    """The fidelity, and how many of the nearest ten are found when all lose the same bits."""
    figures = []
    for bits in _BITS:
        read = decoded(coded(material.vectors, bits), bits, material.vectors.shape[1])
        near = float(np.einsum("ij,ij->i", read, material.vectors).mean())
        least = _LEAST_FIDELITY[bits]
        name = f"{bits} bits, {material.name}"
        figures += [
            Figure(f"{name}: fidelity", near, "of cosine", None, "", f"≥ {least}", near >= least),
            Figure(f"{name}: nearest ten of vectors alone", _found(material, read), "of exact",
                   None, "", "", True),
        ]  # fmt: skip
    return figures


def _found(material: _Embedded, rows: Matrix) -> float:
    """The share of the ten nearest that are still found; of equally near ones any will do."""
    exact, seen = material.asked @ material.vectors.T, material.asked @ rows.T
    tenth = -np.partition(-exact, _HITS - 1, axis=1)[:, _HITS - 1 : _HITS]
    found = np.argsort(-seen, axis=1, kind="stable")[:, :_HITS]
    return float((np.take_along_axis(exact, found, axis=1) >= tenth - _ROUNDING).mean())


def _together(material: _Embedded) -> list[Figure]:
    """Rows of all precisions in one store, as they are and as they are compared."""
    kinds = [(None, 8, 4)[place % 3] for place in range(len(material.vectors))]
    cold = [(None, 2)[place % 2] for place in range(len(material.vectors))]
    figures = []
    for name, chosen in (("all, 8 and 4 bits", kinds), ("all and 2 bits", cold)):
        rows = material.vectors.copy()
        for bits in _BITS:
            places = [place for place, each in enumerate(chosen) if each == bits]
            if places:
                rows[places] = decoded(coded(rows[places], bits), bits, rows.shape[1])
        evened, plain = _found(material, comparable(rows, chosen)), _found(material, rows)
        figures.append(
            Figure(f"{name} mixed, {material.name}: nearest ten", evened, "of exact", plain,
                   "at length one", "", evened >= plain)
        )  # fmt: skip
    return figures


def _weights(material: _Embedded) -> list[Figure]:
    dimension = material.vectors.shape[1]
    plain = len(stored_vectors(material.vectors[:1], "f16")[0]) / 10
    codes = coded(material.vectors[:_SHORTLIST], 4)
    took = [timed(lambda: decoded(codes, 4, dimension)) * 1000 for _ in range(_ROUNDS)]
    return [
        *(
            Figure(f"{bits} bits: 100K vectors on disk", coded_bytes(bits, dimension) / 10, "MB",
                   plain, "half precision", "", True)
            for bits in _BITS
        ),
        Figure(f"4 bits: reading the {_SHORTLIST} a question fetches", middle(took), "ms", None,
               "", "< 5 ms", middle(took) < 5),
    ]  # fmt: skip


def _recalls(engram: Engram, material: _Material, path: Path) -> list[Figure]:
    """Whole recalls, text and all, before and after every vector of the store lost bits."""
    figures = []
    before = [_hits(engram, question) for question in material.questions]
    size, largest = named_size(len(material.texts)), _bytes_of_vectors(path)
    for bits in _BITS:
        _keep_all_in(engram, bits)
        share = _share(before, [_hits(engram, question) for question in material.questions])
        least = _LEAST_RECALLED[material.name].get(bits, 0.0)
        name = f"recall at {size} of {material.name}, all in {bits} bits"
        bar = f"≥ {least}" if least else ""
        figures += [
            Figure(f"{name}: the same hits", share, "of them", None, "", bar, share >= least),
            Figure(f"{name}: vectors on disk", _bytes_of_vectors(path) / 1e6, "MB",
                   largest / 1e6, "half precision", "", True),
        ]  # fmt: skip
    return figures


def _hits(engram: Engram, question: str) -> set[int]:
    return {hit.memory.number for hit in engram.recall(question, limit=_HITS)}


def _share(before: list[set[int]], after: list[set[int]]) -> float:
    pairs = [(one, other) for one, other in zip(before, after, strict=True) if one]
    return sum(len(one & other) / len(one) for one, other in pairs) / len(pairs)


def _keep_all_in(engram: Engram, bits: int) -> None:
    with engram._parts.store.derive() as transaction:
        space = answering(read_spaces(transaction))
        assert space is not None
        every = str(list(range(1, _MEMORIES + 1)))
        rows = transaction.rows("held_vectors", {"space": space.space, "numbers": every})
        assert recode(transaction, space, {row[0]: row[3] for row in rows}, bits) == len(rows)


def _bytes_of_vectors(path: Path) -> int:
    """What the table of vectors takes of the file, page by page."""
    connection = apsw.Connection(str(path / "engram.db"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = connection.execute("SELECT sum(pgsize) FROM dbstat WHERE name = 'vectors'")
        return int(found.fetchall()[0][0])
    except apsw.SQLError:  # built without the table of pages
        found = connection.execute("SELECT sum(length(vector)) FROM vectors")
        return int(found.fetchall()[0][0])
    finally:
        connection.close()
