"""A small folder of conversations, written for these tests."""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

# Instant and the same on every machine; figures of the built-in model are not for tests.
SETTINGS = {"embedder": {"kind": "hashing"}}
TURNS = [
    ("t1", "1", "2025-03-01T10:00:00+00:00", "Ines", "user", "I keep bees behind the old mill."),
    ("t2", "1", "2025-03-01T10:01:00+00:00", "Omar", "user", "My sister repairs violins in Cadiz."),
    ("t3", "1", "2025-03-01T10:02:00+00:00", "Ines", "user", "Good morning to everyone!"),
    ("t4", "2", "2025-03-08T10:00:00+00:00", "Ines", "user", "Good morning to everyone!"),
    ("t5", "2", "2025-03-08T10:01:00+00:00", "Omar", "user", "The ferry leaves at seven sharp."),
    ("t6", "3", "2025-04-02T10:00:00+00:00", "Omar", "user", "The ferry now leaves at nine."),
    ("t7", "3", "2025-04-02T10:01:00+00:00", "helper", "assistant", "Pack a scarf for the ferry."),
    ("t8", "3", "2025-04-02T10:02:00+00:00", "Ines", "user", "My bees made forty jars of honey."),
]
QUESTIONS = [
    ("q1", "Who repairs violins?", "who", ["t2"], [], True),
    ("q2", "What do the bees of Ines make, and where?", "both", ["t1", "t8"], [], True),
    ("q3", "When does the ferry leave?", "update", ["t5", "t6"], ["t5"], True),
    ("q4", "Good morning to whom?", "who", ["t4"], [], True),
    ("q5", "Which submarine did Omar buy?", "adversarial", ["t2"], [], False),
    ("q6", "What is nowhere written down?", "who", [], [], True),
]


def conversation(**changes: object) -> dict[str, object]:
    """One file's content; `changes` replace its parts."""
    names = ("id", "session", "at", "speaker", "role", "text")
    asked = ("id", "question", "category", "evidence", "stale", "answerable")
    content: dict[str, object] = {
        "id": "harbour",
        "turns": [dict(zip(names, turn, strict=True)) for turn in TURNS],
        "questions": [dict(zip(asked, question, strict=True)) for question in QUESTIONS],
    }
    return content | changes


def write(folder: Path, name: str, content: object) -> Path:
    """One file of a set; `name` is set/file."""
    file = folder / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


class WordVectors:
    """A deterministic embedder: texts that share words are near."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, zlib.crc32(word.strip("?!.,").encode()) % 64] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
