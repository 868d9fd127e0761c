"""What it is to erase: what is selected, what became of it, and whether that is proven."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engram.errors import InvalidInput
from engram.language.names.keys import key_of
from engram.memory.ids import ChangeId, checked_id
from engram.memory.people import normalised_name
from engram.text.strings import checked_name

_TELLING_WORD = re.compile(r"[^\W_]{5,}|\d{4,}")
_ANY_WORD = re.compile(r"[^\W_]+")
_SHORTEST_TEXT = 3  # a text of two letters stands in any sentence
_ONE = "Say exactly one of: a memory's id, `subject`, `source` or `session`."


class ErasedKind(StrEnum):
    """By what memories are selected."""

    MEMORY = "memory"
    SUBJECT = "subject"
    SOURCE = "source"
    SESSION = "session"


class ErasureState(StrEnum):
    """How far an erasure has got."""

    PREVIEW = "preview"  # nothing happened
    BEGUN = "begun"  # the rows are gone, the files are not cleaned yet
    PENDING = "pending"  # something is in the way
    PROVEN = "proven"  # every file was searched, and nothing was found


@dataclass(frozen=True, slots=True)
class Selection:
    """What a caller wants erased; never shown, since it may name somebody."""

    kind: ErasedKind
    value: str
    with_sources: bool = False  # also what tells it and stands apart

    def __repr__(self) -> str:
        return f"Selection({self.kind.value})"

    @property
    def takes_sources(self) -> bool:
        """Whether the turns that something was drawn from go too."""
        return self.with_sources or self.kind is not ErasedKind.MEMORY


@dataclass(frozen=True, slots=True)
class Remains:
    """Where something is left, and of which kind it is: never what it says."""

    place: str  # a file of the store
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What an erasure took, how far it has got and what is in its way."""

    id: str
    at: datetime
    kind: ErasedKind
    state: ErasureState
    counts: Mapping[str, int]  # rows by table
    remains: tuple[Remains, ...] = ()
    also_told_by: tuple[str, ...] = ()  # labels of turns that stay and tell it too
    change_id: ChangeId | None = None
    certificate: Mapping[str, object] | None = None

    @property
    def memories(self) -> int:
        """How many memories went."""
        return self.counts.get("memories", 0)

    @property
    def is_proven(self) -> bool:
        """Whether every file was searched and nothing was found."""
        return self.state is ErasureState.PROVEN


@dataclass(frozen=True, slots=True)
class CertificateVerdict:
    """Whether a certificate is as it was signed, and by whom."""

    is_unaltered: bool
    is_ours: bool  # signed by the store that was asked
    erasure: str = ""
    verdict: str = ""


def read_selection(
    memory_id: object = None,
    *,
    subject: object = None,
    source: object = None,
    session: object = None,
    with_sources: bool = False,
) -> Selection:
    """What is to be erased, checked: exactly one way to say it."""
    given = {
        ErasedKind.MEMORY: memory_id, ErasedKind.SUBJECT: subject,
        ErasedKind.SOURCE: source, ErasedKind.SESSION: session,
    }  # fmt: skip
    said = [(kind, value) for kind, value in given.items() if value is not None]
    if len(said) != 1:
        raise InvalidInput(hint=_ONE)
    kind, value = said[0]
    if kind is ErasedKind.MEMORY:
        return Selection(kind, checked_id(value), with_sources)
    checked = checked_name(value, name=kind.value)
    if kind is ErasedKind.SUBJECT and not key_of(checked):
        raise InvalidInput(hint="`subject` names nobody.")
    return Selection(kind, checked, with_sources)


def spellings_of(name: str) -> frozenset[str]:
    """One name in the forms by which it is kept: of names in texts, and of subjects."""
    return frozenset({key_of(name), normalised_name(name)}) - {""}


def tells_of(reason: str, texts: Iterable[str]) -> bool:
    """Whether a reason has a whole text in it, or a word (also one made longer) of any of them."""
    small = _words_alone(reason)
    told = set(_TELLING_WORD.findall(small))
    beginnings = {word[:end] for word in told for end in range(4, len(word) + 1)}
    for text in map(_words_alone, texts):
        if len(text) >= _SHORTEST_TEXT and f" {text} " in f" {small} ":
            return True
        for word in _TELLING_WORD.findall(text):
            if word in beginnings or word.startswith(tuple(told)):
                return True
    return False


def _words_alone(text: str) -> str:
    return " ".join(_ANY_WORD.findall(text.casefold()))
