"""A statement as it was handed in: every argument checked before anything is written."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engram.capture.options import CaptureOptions
from engram.errors import EngramError, InvalidInput
from engram.memory.categories import Category, CategoryRegistry
from engram.memory.layers import parse_layer
from engram.memory.record import MetadataValue, check_metadata, check_share, check_summary
from engram.memory.scopes import Principal, Scope
from engram.memory.texts import checked_name, checked_text
from engram.memory.times import parse_time
from engram.memory.trust import Provenance, provenance
from engram.memory.vocabulary import Layer, MemoryType

_NAMES = ("speaker", "subject", "session", "reference", "idempotency_key")
_TIMES = ("at", "valid_from", "valid_until")
_OTHERS = (
    "category", "layer", "memory_type", "importance", "confidence", "source", "metadata",
    "pinned", "scope", "summary", "replaces",
)  # fmt: skip
ARGUMENTS = frozenset({*_NAMES, *_TIMES, *_OTHERS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A checked statement, ready to become a memory."""

    text: str
    category: Category
    layer: Layer
    memory_type: MemoryType
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


@dataclass(frozen=True, slots=True)
class DraftRules:
    """What a draft is checked against."""

    options: CaptureOptions
    registry: CategoryRegistry
    principal: Principal
    now: datetime


def read_draft(text: object, arguments: Mapping[str, object], rules: DraftRules) -> Draft:
    """Check every argument of `remember`; refuse what is wrong, naming it."""
    unknown = set(arguments) - ARGUMENTS
    if unknown:
        raise InvalidInput(
            hint=f"remember() does not know: {', '.join(sorted(map(str, unknown)))}."
        )
    given = {name: value for name, value in arguments.items() if value is not None}
    checked = checked_text(text, name="text", max_bytes=rules.options.max_input_bytes)
    names = {name: _name(given, name) for name in _NAMES}
    times = {name: _time(given, name) for name in _TIMES}
    if times["valid_from"] and times["valid_until"] and times["valid_until"] <= times["valid_from"]:
        raise InvalidInput(hint="`valid_until` must be later than `valid_from`.")
    category = rules.registry.find(_text(given, "category", rules.options.default_category))
    origin = provenance(rules.principal, _optional_text(given, "source"))
    scope = given.get("scope")
    if scope is not None and not isinstance(scope, Scope):
        raise InvalidInput(hint="`scope` must be a Scope.")
    return Draft(
        text=checked,
        category=category,
        layer=parse_layer(_text(given, "layer", category.layer)),
        memory_type=_memory_type(_text(given, "memory_type", category.memory_type)),
        importance=check_share(
            given.get("importance", rules.options.default_importance), name="importance"
        ),
        confidence=check_share(given.get("confidence", origin.trust), name="confidence"),
        at=times["at"] or rules.now,
        valid_from=times["valid_from"],
        valid_until=times["valid_until"],
        **names,
        provenance=origin,
        metadata=check_metadata(given["metadata"]) if "metadata" in given else {},
        is_pinned=_flag(given, "pinned"),
        scope=rules.principal.write_scope(scope),
        summary=check_summary(given["summary"]) if "summary" in given else None,
        replaces=_name(given, "replaces"),
        body=_body(checked, given) if names["idempotency_key"] else b"",
    )


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


def _name(given: Mapping[str, object], name: str) -> str | None:
    return checked_name(given[name], name=name) if name in given else None


def _time(given: Mapping[str, object], name: str) -> datetime | None:
    value = given.get(name)
    return None if value is None else parse_time(value, name=name)  # type: ignore[arg-type]  # it checks


def _text(given: Mapping[str, object], name: str, default: str) -> str:
    return _optional_text(given, name) or default


def _optional_text(given: Mapping[str, object], name: str) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(hint=f"`{name}` must be a string.")
    return value


def _flag(given: Mapping[str, object], name: str) -> bool:
    value = given.get(name, False)
    if not isinstance(value, bool):
        raise InvalidInput(hint=f"`{name}` must be true or false.")
    return value


def _memory_type(value: str) -> MemoryType:
    try:
        return MemoryType(value)
    except ValueError:
        raise InvalidInput(hint=f"`memory_type` is one of: {', '.join(MemoryType)}.") from None


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
