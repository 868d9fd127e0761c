"""How well names are found in texts: against labelled ones, and beside a naive reader.

A text's names count once each, compared by their keys (case, articles, titles and possessives do
not matter). "Name and type" asks for both; of what was found only the types that the labels know
are counted, since a tool or a file is no mistake where nobody was asked to label tools. "Name
alone" leaves the type out and counts everything that was found, whatever its type: the strict way.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engram.errors import InvalidInput
from engram.language.names.mentions import EntityType, find_mentions, key_of

FILE = "entity-extraction.jsonl"
_CAPITALS = re.compile(r"[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)*")

Name = tuple[str, EntityType]  # its key, and what it belongs to
Reader = Callable[[str], Iterable[Name]]


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text, its language, and the names that people see in it."""

    text: str
    language: str
    names: frozenset[Name]


@dataclass(frozen=True, slots=True)
class NameScore:
    """How many names there are, how many were found, and how many of those are right."""

    expected: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right; 0 when nothing was."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The share of the names that were found."""
        return self.right / self.expected if self.expected else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.expected + self.found
        return 2 * self.right / both if both else 0.0


@dataclass(frozen=True, slots=True)
class EntityScore:
    """How one reader does in one language."""

    name: str
    language: str
    texts: int
    name_and_type: NameScore
    name_alone: NameScore


def read_texts(path: Path) -> list[LabelledText]:
    """The texts of a file, one JSON object per line: `text`, `language`, `expected.entities`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [_labelled(json.loads(line)) for line in lines if line.strip()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(hint=f"{path} is no file of labelled names.") from error


def _labelled(row: dict[str, dict[str, list[dict[str, str]]]]) -> LabelledText:
    names = {
        (key_of(each["name"]), EntityType(each["type"])) for each in row["expected"]["entities"]
    }
    return LabelledText(str(row["text"]), str(row["language"]), frozenset(names))


def score_entities(texts: Sequence[LabelledText]) -> tuple[EntityScore, ...]:
    """For every language the rules of the store, and beside them the naive reader."""
    languages = sorted({each.language for each in texts}, key=lambda name: (name != "en", name))
    readers = (("engram", read_names), ("every row of capitals is a person", read_capitals))
    return tuple(
        scored(name, [each for each in texts if each.language == language], reader)
        for language in languages
        for name, reader in readers
    )


def scored(name: str, texts: Sequence[LabelledText], reader: Reader) -> EntityScore:
    """How one reader does on texts of one language."""
    labelled_types = {kind for each in texts for _, kind in each.names}
    pairs = [(each.names, frozenset(reader(each.text))) for each in texts]
    typed = [
        (wanted, {each for each in found if each[1] in labelled_types}) for wanted, found in pairs
    ]
    plain = [({key for key, _ in wanted}, {key for key, _ in found}) for wanted, found in pairs]
    language = texts[0].language if texts else ""
    return EntityScore(name, language, len(texts), _sum(typed), _sum(plain))


def _sum(pairs: Sequence[tuple[Collection[object], Collection[object]]]) -> NameScore:
    return NameScore(
        expected=sum(len(wanted) for wanted, _ in pairs),
        found=sum(len(found) for _, found in pairs),
        right=sum(len(set(wanted) & set(found)) for wanted, found in pairs),
    )


def read_names(text: str) -> Iterable[Name]:
    """The names that the store's rules find."""
    return ((mention.key, mention.type) for mention in find_mentions(text))


def read_capitals(text: str) -> Iterable[Name]:
    """The naive reader: whatever is written with capitals in a row is somebody."""
    return ((key_of(match[0]), EntityType.PERSON) for match in _CAPITALS.finditer(text))
