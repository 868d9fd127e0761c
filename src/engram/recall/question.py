"""A question as it was asked: every argument checked, its moments and filters resolved."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict

from engram.errors import InvalidInput, InvalidQuery
from engram.language.lexicon import FUNCTION_WORDS, query_terms
from engram.memory.categories import CategoryRegistry
from engram.memory.ids import checked_id, number_of
from engram.memory.layers import parse_layer
from engram.memory.record import Memory, check_metadata
from engram.memory.times import parse_time
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import Kind, MemoryType, RecallMode, Secrecy
from engram.recall.options import RecallOptions
from engram.storage.conditions import Filters, Moments
from engram.text.strings import checked_name
from engram.text.terms import Term

if TYPE_CHECKING:
    from engram.recall.heading import Heading

_TYPES: dict[RecallMode, tuple[MemoryType, ...]] = {
    RecallMode.FACTS_ONLY: (MemoryType.FACT,),
    RecallMode.FACTS_PLUS_RULES: (MemoryType.FACT, MemoryType.PROCEDURE),
    RecallMode.FULL_CONTEXT: tuple(MemoryType),
}
_MOST_LISTED = 100_000
_LAST_SEQUENCE = 2**62
_MOST_TOKENS = 10_000_000
_TEXT_FILTERS = ("subject", "speaker", "session", "reference", "source")
_FILTERS = (
    *_TEXT_FILTERS, "category", "layer", "memory_type", "kind", "pinned", "since", "until",
    "metadata",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which time, under which conditions."""

    text: str
    terms: tuple[Term, ...]
    moments: Moments
    filters: Filters
    types: tuple[MemoryType, ...]
    limit: int
    budget: int | None
    is_cut: bool = False  # only its beginning was read
    wants_all: bool = False  # a limit or a budget was named: what is far behind is wanted too
    is_automatic: bool = False  # nobody looks at the answer before a model does
    heading: "Heading | None" = None  # where the conversation goes that it is part of
    is_veiled: bool = False  # protected texts are not for who asks

    def may_show(self, memory: Memory) -> bool:
        """Whether a memory may be shown: unasked, not what looks like an order.

        To who may not read it, that a confidential one is near would tell what it says.
        """
        if self.is_veiled and memory.secrecy is Secrecy.CONFIDENTIAL:
            return False
        return not self.is_automatic or may_enter_unasked(memory)

    @property
    def has_content(self) -> bool:
        """Whether it asks for more than words that every text contains."""
        return self.telling > 0

    @property
    def telling(self) -> int:
        """How many of its terms are more than words that every text contains."""
        return sum(term.text.lower() not in FUNCTION_WORDS for term in self.terms)

    @property
    def is_carried(self) -> bool:
        """Whether words of the turns before say what it leaves out."""
        return bool(self.heading and self.heading.tokens and self.heading.carries(self.telling) > 0)


class Conditions(TypedDict, total=False):
    """What a caller may say beside the question itself."""

    limit: int | None
    budget: int | None
    mode: str
    now: datetime | str | None
    as_of: datetime | str | None
    known_at: datetime | str | None
    filters: Mapping[str, object] | None
    automatic: bool


def read_question(
    text: object,
    given: Conditions,
    now: datetime,
    options: RecallOptions,
    registry: CategoryRegistry,
) -> Question:
    """Check a question; any text at all can be asked, and of a very long one the beginning."""
    if not isinstance(text, str):
        raise InvalidQuery(hint="A question is a string.")
    read = _beginning(text, options.max_query_bytes)
    limit, budget, asked_at = given.get("limit"), given.get("budget"), given.get("now")
    moments = read_moments(
        now if asked_at is None else parse_time(asked_at, name="now"),
        as_of=given.get("as_of"),
        known_at=given.get("known_at"),
    )
    unlimited = options.limit if budget is None else options.candidates
    return Question(
        text=read,
        terms=tuple(query_terms(read)),
        moments=moments,
        filters=read_filters(given.get("filters"), registry),
        types=_TYPES[_mode(given.get("mode", RecallMode.FULL_CONTEXT))],
        limit=unlimited if limit is None else read_limit(limit),
        budget=None if budget is None else _count(budget, "budget", _MOST_TOKENS),
        is_cut=len(read) < len(text),
        wants_all=limit is not None or budget is not None,
        is_automatic=bool(given.get("automatic", False)),
    )


def _beginning(text: str, most_bytes: int) -> str:
    """As much of a question as is read: whole letters, up to so many bytes."""
    head = text[:most_bytes]  # a letter has one byte at least
    if len(head.encode("utf-8", "replace")) <= most_bytes:
        return head
    return head.encode("utf-8", "surrogatepass")[:most_bytes].decode("utf-8", "ignore")


def _mode(mode: str) -> RecallMode:
    try:
        return RecallMode(mode)
    except ValueError:
        raise InvalidInput(hint=f"`mode` is one of: {', '.join(RecallMode)}.") from None


def read_limit(limit: object) -> int:
    """How many may be given back at most."""
    return _count(limit, "limit", _MOST_LISTED)


def read_sequence(before: object) -> int | None:
    """Where a reading of the audit continues, if it does."""
    return None if before is None else _count(before, "before", _LAST_SEQUENCE)


def parse_label(label: object) -> int:
    """The number in a label such as mem-0001, or a refusal."""
    number = number_of(checked_id(label))
    if number is None:
        raise InvalidInput(hint="A listing continues before a label such as mem-0042.")
    return number


def _count(value: object, name: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise InvalidInput(hint=f"`{name}` is a whole number from 1 to {most}.")
    return value


def read_moments(
    now: datetime,
    *,
    as_of: datetime | str | None = None,
    known_at: datetime | str | None = None,
) -> Moments:
    """The moments a caller named, all of them aware."""
    return Moments(
        now=now,
        as_of=None if as_of is None else parse_time(as_of, name="as_of"),
        known_at=None if known_at is None else parse_time(known_at, name="known_at"),
    )


def read_filters(given: Mapping[str, object] | None, registry: CategoryRegistry) -> Filters:
    """The conditions a caller named, each checked."""
    if given is not None and not isinstance(given, Mapping):
        raise InvalidInput(hint="`filters` is a dictionary of names and values.")
    conditions = {name: value for name, value in (given or {}).items() if value is not None}
    unknown = set(conditions) - set(_FILTERS)
    if unknown:
        raise InvalidInput(hint=f"A filter is one of: {', '.join(_FILTERS)}.")
    texts = {name: _text(conditions, name) for name in _TEXT_FILTERS}
    category = _text(conditions, "category")
    layer = _text(conditions, "layer")
    pinned = conditions.get("pinned")
    if pinned is not None and not isinstance(pinned, bool):
        raise InvalidInput(hint="`pinned` must be true or false.")
    return Filters(
        **texts,
        category=registry.find(category).name if category else None,
        layer=parse_layer(layer).value if layer else None,
        memory_type=_member(MemoryType, _text(conditions, "memory_type"), "memory_type"),
        kind=_member(Kind, _text(conditions, "kind"), "kind"),
        is_pinned=pinned,
        since=_moment(conditions, "since"),
        until=_moment(conditions, "until"),
        metadata=check_metadata(conditions["metadata"]) if "metadata" in conditions else None,
    )


def _text(conditions: Mapping[str, object], name: str) -> str | None:
    value = conditions.get(name)
    return None if value is None else checked_name(value, name=f"filter {name}")


def _moment(conditions: Mapping[str, object], name: str) -> datetime | None:
    value = conditions.get(name)
    return None if value is None else parse_time(value, name=name)


def _member(kinds: type[MemoryType] | type[Kind], value: str | None, name: str) -> str | None:
    if value is None:
        return None
    try:
        return kinds(value).value
    except ValueError:
        raise InvalidInput(hint=f"The filter `{name}` is one of: {', '.join(kinds)}.") from None
