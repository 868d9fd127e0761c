"""What a file says of its items, and how much of that is believed: little, and never upward.

Ids, numbers, scopes, vectors, pins, versions and what people decided elsewhere are not looked at.
What is kept is what was said, by whom, about whom and when, as claims of the file.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from engram.errors import EngramError
from engram.memory.categories import TURN, CategoryRegistry
from engram.memory.record import MetadataValue, check_metadata, check_summary
from engram.memory.times import parse_time
from engram.memory.trust import SOURCE_TRUST, UNTRUSTED
from engram.memory.vocabulary import Layer, MemoryType, Secrecy, SourceClass, Status
from engram.sharing.exporting.records import FORMAT_VERSION, HEADER
from engram.text.strings import NAME_LENGTH, checked_name

_Set = TypeVar("_Set", bound=StrEnum)
MOST_CONFIDENCE = UNTRUSTED
MOST_IMPORTANCE = 0.5  # the file's owner may find it important; here nobody has said so
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_VALIDITY = timedelta(days=36_500)
_SESSION = "import:"  # what comes in does not become part of a conversation that goes on here
_MOST_METADATA = 100  # names that are looked at
_TEXTS = ("text", "content", "memory")  # what others call what was said

# What Engram itself writes there, and acts upon.
_RESERVED = frozenset({
    "asked_by", "bridge", "concluded", "digest", "flags", "host", "outcome", "part", "path",
    "pattern", "personal", "premises", "project", "reflection", "result", "role", "root", "secrets",
})  # fmt: skip
_WAITING = frozenset({Status.PENDING, Status.QUARANTINED})
_STANDING = _WAITING | {Status.ACTIVE, Status.CHALLENGED, Status.STALE}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item that is not taken in, and why; nothing is wrong with it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of an export."""


@dataclass(frozen=True, slots=True)
class End:
    """The last line of an export."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """One item as far as it is believed."""

    text: str
    arguments: Mapping[str, object]  # as `remember` takes them
    secrecy: Secrecy = Secrecy.CLEARTEXT  # at least this
    trust: float = UNTRUSTED  # at most this
    source_class: SourceClass = SourceClass.IMPORT
    reason_to_hold: str = ""
    lowered: Mapping[str, int] = field(default_factory=dict)  # what was not believed as it stood

    @property
    def is_turn(self) -> bool:
        """Whether these are words of a conversation."""
        return self.arguments.get("category") == TURN and "session" in self.arguments


Read = Claimed | LeftOut | Header | End


@dataclass(frozen=True, slots=True)
class ClaimRules:
    """What claims are held against."""

    registry: CategoryRegistry
    now: datetime


def read_claims(item: object, rules: ClaimRules, *, is_export: bool) -> Read:
    """What to believe of one item; a `ValueError` with the reason when it is none."""
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, dict):
        raise ValueError("neither a text nor an object")  # noqa: TRY004  # a bad line, told as such
    if HEADER in item:
        return _header(item)
    if is_export:
        kind = item.get("kind")
        if kind == "end":
            return End()
        if kind != "memory":
            return LeftOut("details beside memories")
        if item.get("current") is not True:
            return LeftOut("past wordings and states")
    return _Reading(item, rules).claimed()


def _header(item: Mapping[str, object]) -> Header:
    version = item[HEADER]
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise UnknownFormat
    return Header()


class UnknownFormat(ValueError):
    """The export has a format that this version does not know."""


class _Reading:
    """One walk through the fields of an item."""

    def __init__(self, item: Mapping[str, object], rules: ClaimRules) -> None:
        self._item = item
        self._rules = rules
        self._lowered: Counter[str] = Counter()

    def claimed(self) -> Read:
        status = _member(Status, self._item.get("status")) or Status.ACTIVE
        if status not in _STANDING:
            return LeftOut("no longer stood where it is from")
        text = next((self._item[name] for name in _TEXTS if name in self._item), None)
        if not isinstance(text, str):
            raise ValueError("no text")  # noqa: TRY004  # a bad line, told as such
        if not text.strip():
            return LeftOut("no text that could be read")
        arguments = {
            **self._kind(),
            **self._names(),
            **self._moments(),
            "confidence": self._share("confidence", MOST_CONFIDENCE, MOST_CONFIDENCE),
            "importance": self._share("importance", MOST_IMPORTANCE, None),
            "summary": self._summary(),
            "metadata": self._metadata(),
        }
        trust, source_class = self._trust()
        return Claimed(
            text=text,
            arguments={name: value for name, value in arguments.items() if value is not None},
            secrecy=_member(Secrecy, self._item.get("secrecy")) or Secrecy.CLEARTEXT,
            trust=trust,
            source_class=source_class,
            reason_to_hold="it waited where it is from" if status in _WAITING else "",
            lowered=dict(self._lowered),
        )

    def _kind(self) -> dict[str, object]:
        found: dict[str, object] = {}
        name = self._item.get("category")
        if name is not None:
            try:
                found["category"] = self._rules.registry.find(name).name  # type: ignore[arg-type]  # it looks itself
            except EngramError:
                self._lowered["category unknown"] += 1
        for field_name, kind in (("memory_type", MemoryType), ("layer", Layer)):
            member = _member(kind, self._item.get(field_name))
            if member is not None:
                found[field_name] = member.value
        return found

    def _names(self) -> dict[str, object]:
        found: dict[str, object] = {}
        for name in ("speaker", "subject", "session", "reference"):
            value = self._item.get(name)
            if value is None:
                continue
            try:
                found[name] = checked_name(value, name=name)
            except EngramError:
                self._lowered[f"{name} dropped"] += 1
        session = found.get("session")
        if isinstance(session, str) and not session.startswith(_SESSION):
            found["session"] = (_SESSION + session)[:NAME_LENGTH]
        return found

    def _moments(self) -> dict[str, object]:
        now = self._rules.now
        at = self._moment("at", latest=now)
        begin = self._moment("valid_from", latest=now + _LONGEST_VALIDITY)
        end = self._moment("valid_until", latest=now + _LONGEST_VALIDITY)
        if begin is not None and end is not None and end <= begin:
            self._lowered["validity dropped"] += 1
            begin = end = None
        return {"at": at, "valid_from": begin, "valid_until": end}

    def _moment(self, name: str, *, latest: datetime) -> datetime | None:
        value = self._item.get(name)
        if value is None:
            return None
        try:
            moment = parse_time(value, name=name)
        except EngramError:
            self._lowered["time dropped"] += 1
            return None
        bounded = min(max(moment, _EARLIEST), latest)
        if bounded != moment:
            self._lowered["time moved"] += 1
        return bounded

    def _share(self, name: str, most: float, default: float | None) -> float | None:
        value = self._item.get(name)
        if value is None:
            return default
        share = _number(value)
        if share is None:
            self._lowered[f"{name} dropped"] += 1
            return default
        if share > most:
            self._lowered[f"{name} lowered"] += 1
        return min(share, most)

    def _summary(self) -> str | None:
        value = self._item.get("summary")
        if value is None:
            return None
        try:
            return check_summary(value)
        except EngramError:
            self._lowered["summary dropped"] += 1
            return None

    def _metadata(self) -> dict[str, MetadataValue] | None:
        value = self._item.get("metadata")
        if not isinstance(value, dict):
            return None
        kept: dict[str, MetadataValue] = {}
        for name, each in list(value.items())[:_MOST_METADATA]:
            try:
                checked = check_metadata({**kept, name: each})
            except EngramError:
                self._lowered["metadata dropped"] += 1
                continue
            if name in _RESERVED:
                self._lowered["metadata dropped"] += 1
            else:
                kept = checked
        return kept or None

    def _trust(self) -> tuple[float, SourceClass]:
        """A claim can only lower what an import is believed."""
        claimed = _member(SourceClass, self._item.get("source_class")) or SourceClass.IMPORT
        least = min(claimed, SourceClass.IMPORT, key=SOURCE_TRUST.__getitem__)
        said = _number(self._item.get("trust"))
        most = SOURCE_TRUST[least]
        if said is not None and said > most:
            self._lowered["trust lowered"] += 1
        return min(most if said is None else said, most), least


def _number(value: object) -> float | None:
    """A number from 0 to 1, or nothing."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0.0 <= value <= 1.0 else None  # type: ignore[arg-type, operator]  # it is a number


def _member(kind: type[_Set], value: object) -> _Set | None:
    """The member of a closed set that a file names, or nothing."""
    try:
        return kind(value) if isinstance(value, str) else None
    except ValueError:
        return None
