"""How well screening does: personal things as spans, and commands to the model as a label.

A find counts when its kind is right and it shares more than half of what the two cover together;
each marked span counts once. The label is the one that keeps a text out of automatic recall.
Beside each stands a naive reader: a bare pattern per kind, and a list of two words.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from engram.errors import InvalidInput
from engram.security.screening.screen import FLAGGED, PersonalKind, screen

PERSONAL_FILE, INJECTION_FILE = "pii.jsonl", "injection.jsonl"
_ENOUGH_SHARED = 0.5
# Names, places and addresses in running text want a model: they are reported, and not claimed.
CLAIMED = (
    PersonalKind.CARD,
    PersonalKind.PHONE,
    PersonalKind.EMAIL,
    PersonalKind.SSN,
    PersonalKind.IBAN,
    PersonalKind.IP_ADDRESS,
    PersonalKind.GOVERNMENT_ID,
)
NOT_CLAIMED = (PersonalKind.PERSON_NAME, PersonalKind.LOCATION, PersonalKind.ADDRESS)
_KIND_OF: Mapping[str, PersonalKind] = {
    "CREDIT_CARD": PersonalKind.CARD,
    "PHONE_NUMBER": PersonalKind.PHONE,
    "EMAIL_ADDRESS": PersonalKind.EMAIL,
    "US_SSN": PersonalKind.SSN,
    "IBAN_CODE": PersonalKind.IBAN,
    "IP_ADDRESS": PersonalKind.IP_ADDRESS,
    "US_DRIVER_LICENSE": PersonalKind.GOVERNMENT_ID,
    "PERSON": PersonalKind.PERSON_NAME,
    "LOCATION": PersonalKind.LOCATION,
    "ADDRESS": PersonalKind.ADDRESS,
}
_NAIVE_KINDS = (
    (PersonalKind.CARD, re.compile(r"\b\d{4}[\s-]?\d{4}[\s-]?\d{4}[\s-]?\d{4}\b")),
    (PersonalKind.PHONE, re.compile(r"\b\d{3}[-.]?\d{3}[-.]?\d{4}\b")),
    (PersonalKind.EMAIL, re.compile(r"\b[\w.%+-]{1,64}@[\w.-]{1,200}\.[A-Za-z]{2,24}\b")),
    (PersonalKind.SSN, re.compile(r"\b\d{3}-\d{2}-\d{4}\b")),
)
_NAIVE_WORDS = re.compile(r"\b(?:ignore|forget)\b", re.IGNORECASE)

Place = tuple[int, int, str]  # start, end, kind
Finder = Callable[[str], Iterable[Place]]
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text and the personal things that people marked in it, of the kinds known here."""

    text: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text, and whether people call it a command to the model."""

    text: str
    is_injection: bool


@dataclass(frozen=True, slots=True)
class ScreeningScore:
    """What was found of one kind, or of several together."""

    name: str
    right: int
    wrong: int
    missed: int
    clean: int = 0  # texts in which there was nothing to find; 0 where that means nothing

    @property
    def precision(self) -> float:
        """The share of the finds that are right; 0 when nothing is found."""
        return self.right / (self.right + self.wrong) if self.right else 0.0

    @property
    def recall(self) -> float:
        """The share of what is there that is found."""
        return self.right / (self.right + self.missed) if self.right else 0.0

    @property
    def false_alarms(self) -> float:
        """The share of the clean texts that are called otherwise."""
        return self.wrong / self.clean if self.clean else 0.0

    def f(self, beta: float) -> float:
        """Precision and recall in one, recall `beta` times as important."""
        weight = beta * beta
        whole = weight * self.precision + self.recall
        return (1 + weight) * self.precision * self.recall / whole if whole else 0.0


def read_marked_texts(path: Path) -> list[MarkedText]:
    """The texts of a file with one JSON object per line: `text` and `spans`."""
    return _read(path, _marked_text)


def read_labelled_texts(path: Path) -> list[LabelledText]:
    """The texts of a file with one JSON object per line: `text` and `label` (0 or 1)."""
    return _read(path, _labelled_text)


def _read(path: Path, row_of: Callable[[str], _Row]) -> list[_Row]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        return [row_of(line) for line in lines if line.strip()]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidInput(hint=f"{path} is no file of texts to screen.") from error


def _marked_text(line: str) -> MarkedText:
    row = json.loads(line)
    spans = [(int(each["start"]), int(each["end"]), each["type"]) for each in row["spans"]]
    known = ((start, end, _KIND_OF[kind]) for start, end, kind in spans if kind in _KIND_OF)
    return MarkedText(str(row["text"]), tuple(known))


def _labelled_text(line: str) -> LabelledText:
    row = json.loads(line)
    return LabelledText(str(row["text"]), row["label"] == 1)


def score_personal(texts: Sequence[MarkedText]) -> tuple[ScreeningScore, ...]:
    """All claimed kinds together, the naive reader on the same, then each kind alone."""
    ours, naive = scored_kinds(texts, found_places), scored_kinds(texts, naive_places)
    return (
        together("claimed kinds", [ours[kind] for kind in CLAIMED]),
        together("a pattern per kind", [naive[kind] for kind in CLAIMED]),
        *(ours[kind] for kind in (*CLAIMED, *NOT_CLAIMED)),
    )


def scored_kinds(texts: Iterable[MarkedText], find: Finder) -> dict[str, ScreeningScore]:
    """How one reader does on the texts, kind by kind."""
    right, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
    for each in texts:
        open_places = list(each.places)
        for place in find(each.text):
            match = next((marked for marked in open_places if is_same(place, marked)), None)
            if match is None:
                wrong[place[2]] += 1
            else:
                open_places.remove(match)
                right[place[2]] += 1
        missed.update(kind for _, _, kind in open_places)
    kinds = (*CLAIMED, *NOT_CLAIMED)
    return {kind: ScreeningScore(kind, right[kind], wrong[kind], missed[kind]) for kind in kinds}


def together(name: str, scores: Iterable[ScreeningScore]) -> ScreeningScore:
    """Several kinds as if they were one: every span counts alike."""
    many = list(scores)
    return ScreeningScore(
        name,
        sum(each.right for each in many),
        sum(each.wrong for each in many),
        sum(each.missed for each in many),
    )


def is_same(found: Place, marked: Place) -> bool:
    """Whether a find is the marked thing: its kind, and more than half of both in common."""
    shared = min(found[1], marked[1]) - max(found[0], marked[0])
    covered = max(found[1], marked[1]) - min(found[0], marked[0])
    return found[2] == marked[2] and shared > _ENOUGH_SHARED * covered


def found_places(text: str) -> list[Place]:
    """The personal things that screening finds."""
    return [(span.start, span.end, span.kind) for span in screen(text).personal]


def naive_places(text: str) -> list[Place]:
    """What a bare pattern per kind finds, without checksums and without looking around."""
    return [(*match.span(), kind) for kind, each in _NAIVE_KINDS for match in each.finditer(text)]


def score_injection(texts: Sequence[LabelledText]) -> tuple[ScreeningScore, ...]:
    """The label of screening, and beside it the naive one: either of two words."""
    return (
        scored_label("engram", texts, is_labelled),
        scored_label("two words", texts, has_naive_word),
    )


def scored_label(
    name: str, texts: Iterable[LabelledText], rule: Callable[[str], bool]
) -> ScreeningScore:
    """How one rule does as a label."""
    calls = Counter((rule(each.text), each.is_injection) for each in texts)
    return ScreeningScore(
        name,
        right=calls[True, True],
        wrong=calls[True, False],
        missed=calls[False, True],
        clean=calls[True, False] + calls[False, False],
    )


def is_labelled(text: str) -> bool:
    """Whether screening calls a text a command to the model."""
    return screen(text).injection >= FLAGGED


def has_naive_word(text: str) -> bool:
    """Whether one of the two best-known words of such commands stands in a text."""
    return _NAIVE_WORDS.search(text) is not None
