"""A statement as it was handed in: every argument checked before anything is written."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from functools import partial
from typing import Any

from engram.capture.options import CaptureOptions
from engram.errors import ContentTooLarge, EngramError, InvalidInput
from engram.memory.box_options import BoxOptions
from engram.memory.categories import Category, CategoryRegistry
from engram.memory.changes import Action
from engram.memory.entities.templates import Template
from engram.memory.ids import MemoryId
from engram.memory.layers import parse_layer
from engram.memory.people import Person
from engram.memory.record import (
    MetadataValue,
    check_horizon,
    check_metadata,
    check_share,
    check_summary,
)
from engram.memory.scopes import Principal, Scope, checked_scope
from engram.memory.secrecy import parse_secrecy
from engram.memory.times import parse_time
from engram.memory.trust import Provenance, provenance
from engram.memory.vocabulary import Kind, Layer, MemoryType, Secrecy, Status
from engram.text.strings import checked_name, checked_text

_TOO_LONG = "Hand it in in parts, use `observe`, or raise `capture.max_input_bytes`."
NEVER = "never"  # the horizon of what does not turn stale


class Sort(Enum):
    """In what way something is said, which tells when two of a kind are one."""

    STATEMENT = auto()  # one made by its speaker: others may say the same of themselves
    TURN = auto()  # words of a conversation: what they state is kept beside them
    DRAWN = auto()  # one that stands alone: whoever says it says the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A checked statement, ready to become a memory."""

    text: str
    category: Category
    layer: Layer
    memory_type: MemoryType
    kind: Kind
    importance: float
    confidence: float
    at: datetime
    valid_from: datetime | None
    valid_until: datetime | None
    speaker: str | None
    subject: str | None
    session: str | None
    reference: str | None
    idempotency_key: str | None
    provenance: Provenance
    metadata: Mapping[str, MetadataValue]
    is_pinned: bool
    scope: Scope
    summary: str | None
    replaces: str | None
    body: bytes  # a hash of all that was handed in, to recognise the same request again
    reason_to_hold: str = ""  # why a person should look at it first, when the caller knows
    sort: Sort = Sort.STATEMENT
    is_timed: bool = False  # of a turn: whether the caller said when it was
    is_again: bool = False  # of a turn: whether it is of a conversation that is handed in anew
    horizon: str | None = None  # "never", or None: its category's
    valence: float = 0.0
    arousal: float = 0.0
    surprise: float | None = None
    has_importance: bool = False  # whether the caller said how important it is
    # of a record that is made from details, which tell it from others better than its text does
    identity: bytes | None = None
    action: Action | None = None
    # of one that is known not to stand from the first: disputed, or replaced long since
    status: Status = Status.ACTIVE
    superseded_by: MemoryId | None = None
    secrecy_said: Secrecy | None = None  # the tier that the caller asked for
    secrecy: Secrecy = Secrecy.CLEARTEXT
    hidden: tuple[str, ...] = ()  # the words in it, or beside it, that its tier protects
    made_of: tuple[Person, ...] = ()  # of whom its sources tell, where it was made of others
    named_if_protected: str | None = None  # its subject then, where that names more than one


@dataclass(frozen=True, slots=True)
class DraftRules:
    """What a draft is checked against."""

    options: CaptureOptions
    registry: CategoryRegistry
    principal: Principal
    now: datetime
    boxes: BoxOptions = field(default_factory=BoxOptions)
    is_sealed: bool = False  # whether the store is encrypted at rest
    templates: tuple[Template, ...] = ()  # what else is read off every statement
    tiers: str = "asked"  # whether a text's own finds decide its tier, or the caller's word alone


def read_draft(
    text: object,
    arguments: Mapping[str, object],
    rules: DraftRules,
    *,
    max_bytes: int | None = None,
) -> Draft:
    """Check every argument of `remember`; refuse what is wrong, naming it."""
    most = rules.options.max_input_bytes if max_bytes is None else max_bytes
    try:
        checked = checked_text(text, name="text", max_bytes=most)
    except ContentTooLarge as error:
        error.hint = f"{error.hint} {_TOO_LONG}"
        raise
    given = {name: value for name, value in arguments.items() if value is not None}
    known: dict[str, Any] = {name: _checked(name, value) for name, value in given.items()}
    _check_interval(known.get("valid_from"), known.get("valid_until"))
    category = rules.registry.find(known.get("category") or rules.options.default_category)
    origin = provenance(rules.principal, known.get("source"))
    key = known.get("idempotency_key")
    is_pinned = known.get("pinned", False)
    if is_pinned:
        rules.principal.check_may_curate()
    return Draft(
        text=checked,
        category=category,
        layer=known.get("layer", category.layer),
        memory_type=known.get("memory_type", category.memory_type),
        kind=category.kind,
        importance=known.get("importance", rules.options.default_importance),
        has_importance="importance" in known,
        confidence=known.get("confidence", origin.trust),
        at=known.get("at", rules.now),
        valid_from=known.get("valid_from"),
        valid_until=known.get("valid_until"),
        speaker=known.get("speaker"),
        subject=known.get("subject"),
        session=known.get("session"),
        reference=known.get("reference"),
        idempotency_key=key,
        provenance=origin,
        metadata=known.get("metadata", {}),
        is_pinned=is_pinned,
        scope=rules.principal.write_scope(known.get("scope")),
        summary=known.get("summary"),
        replaces=known.get("replaces"),
        body=_body(checked, given) if key else b"",
        secrecy_said=known.get("secrecy"),
        horizon=known.get("horizon"),
    )


def _checked(name: str, value: object) -> object:
    check = _CHECKS.get(name)
    if check is None:
        raise InvalidInput(hint=f"remember() takes: {', '.join(sorted(_CHECKS))}.")
    return check(value)


def _check_interval(start: datetime | None, end: datetime | None) -> None:
    if start is not None and end is not None and end <= start:
        raise InvalidInput(hint="`valid_until` must be later than `valid_from`.")


def read_item(item: str | Mapping[str, object], index: int, rules: DraftRules) -> Draft:
    """Check one of many items; an error names which."""
    try:
        if isinstance(item, str):
            return read_draft(item, {}, rules)
        if not isinstance(item, Mapping) or "text" not in item:
            raise InvalidInput(hint="An item is a string, or a dictionary with `text`.")
        rest = {name: value for name, value in item.items() if name != "text"}
        return read_draft(item["text"], rest, rules)
    except EngramError as error:
        error.hint = f"Item {index}: {error.hint}"
        raise


def _text(value: object, *, name: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(hint=f"`{name}` must be a string.")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(hint="`pinned` must be true or false.")
    return value


def _memory_type(value: object) -> MemoryType:
    try:
        return MemoryType(_text(value, name="memory_type"))
    except ValueError:
        raise InvalidInput(hint=f"`memory_type` is one of: {', '.join(MemoryType)}.") from None


def _horizon(value: object) -> str | None:
    text = _text(value, name="horizon")
    return text if text == NEVER else check_horizon(text)


def _layer(value: object) -> Layer:
    return parse_layer(_text(value, name="layer"))


# How each argument is checked; whatever is not here is not an argument of remember().
_CHECKS: dict[str, Callable[[object], object]] = {
    **{
        name: partial(checked_name, name=name)
        for name in ("speaker", "subject", "session", "reference", "idempotency_key", "replaces")
    },
    **{name: partial(parse_time, name=name) for name in ("at", "valid_from", "valid_until")},
    **{name: partial(check_share, name=name) for name in ("importance", "confidence")},
    **{name: partial(_text, name=name) for name in ("category", "source")},
    "layer": _layer,
    "memory_type": _memory_type,
    "metadata": check_metadata,
    "summary": check_summary,
    "secrecy": parse_secrecy,
    "horizon": _horizon,
    "pinned": _flag,
    "scope": checked_scope,
}


def _body(text: str, given: Mapping[str, object]) -> bytes:
    described = {name: _plain(value) for name, value in given.items()}
    document = json.dumps([text, described], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(document.encode()).digest()


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Scope):
        return value.path
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return value
