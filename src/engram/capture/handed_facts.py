"""Reads the facts that a host agent hands in itself, in the form that a model answers in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from engram.capture.model_answer import LONGEST_FACT_BYTES, STATED, fact_category, read_time
from engram.errors import ContentTooLarge, EngramError, InvalidInput
from engram.memory.categories import CategoryRegistry
from engram.memory.record import check_share
from engram.text.strings import checked_name, checked_text

MOST_HANDED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedFact:
    """One statement that the host made of a conversation."""

    text: str
    category: str = "general"
    confidence: float = STATED
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    turn: str | None = None  # the reference of the turn it was read in
    replaces: str | None = None  # the id or label of the memory whose place it takes
    valid_from: datetime | None = None
    deadline: datetime | None = None


def read_handed_facts(
    items: Sequence[object], registry: CategoryRegistry | None = None
) -> list[HandedFact]:
    """Check every fact before any is used; the first that is wrong refuses all, by its place.

    A model's slip is counted and left out; a host can be told, so nothing is mended here.
    """
    if isinstance(items, str | bytes) or not isinstance(items, Sequence):
        raise InvalidInput(hint="Facts are a list of dictionaries with `text`.")
    if len(items) > MOST_HANDED:
        raise ContentTooLarge(hint=f"{len(items)} facts at once; {MOST_HANDED} are allowed.")
    known = registry or CategoryRegistry()
    return [_handed(item, place, known) for place, item in enumerate(items)]


def _handed(item: object, place: int, registry: CategoryRegistry) -> HandedFact:
    try:
        if not isinstance(item, Mapping) or "text" not in item:
            raise InvalidInput(hint="A fact is a dictionary with `text`.")
        given = {name: value for name, value in item.items() if value is not None}
        if not set(given) <= _NAMES:
            raise InvalidInput(hint=f"A fact has: {', '.join(sorted(_NAMES))}.")
        return _checked(given, registry)
    except EngramError as error:
        error.hint = f"Fact {place}: {error.hint}"
        raise


def _checked(given: Mapping[str, object], registry: CategoryRegistry) -> HandedFact:
    def name_in(field: str) -> str | None:
        return checked_name(given[field], name=field) if field in given else None

    def time_in(field: str) -> datetime | None:
        return read_time(given[field]) if field in given else None

    return HandedFact(
        text=checked_text(given["text"], name="text", max_bytes=LONGEST_FACT_BYTES),
        category=fact_category(given.get("category", "general"), registry),
        confidence=check_share(given.get("confidence", STATED), name="confidence"),
        subject=name_in("subject"),
        predicate=name_in("predicate"),
        object=name_in("object"),
        turn=name_in("turn"),
        replaces=name_in("replaces"),
        valid_from=time_in("valid_from"),
        deadline=time_in("deadline"),
    )


_NAMES = frozenset(field.name for field in fields(HandedFact))
