"""The attacks as data: what is planted, by which way, and what would show that it worked."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_FILE = Path(__file__).with_name("attacks.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One thing somebody plants, and the question after which it is to be told."""

    id: str
    family: str
    way: str
    texts: tuple[str, ...]
    asks: str
    marker: str  # stands in what is planted and nowhere else
    category: str | None = None
    session: str | None = None


def attacks() -> tuple[Attack, ...]:
    """All attacks of the corpus."""
    return tuple(_read(_FILE.read_text(encoding="utf-8").splitlines()))


def _read(lines: Iterable[str]) -> Iterator[Attack]:
    for line in lines:
        document = json.loads(line)
        yield Attack(**{**document, "texts": tuple(document["texts"])})
