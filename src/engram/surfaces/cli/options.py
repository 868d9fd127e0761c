"""The options that several commands share, each written down once."""

import json
import math
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from engram.memory.record import MetadataValue

MemoryArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A memory's id or its label, as mem-0001.")
]
ReasonOption = Annotated[str, typer.Option(help="Why; it is kept in the history.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

Text = str | None
_FILTERS = "Only memories"
_TIME = "Time"
_MOMENT = "TIME"


def as_moment(text: str | None) -> str | None:
    """A time as people type it: without a zone it is UTC, as all tables show it."""
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return text  # refused further in, with the reason
    if moment is None or moment.tzinfo is not None:
        return text
    return moment.replace(tzinfo=UTC).isoformat()


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that memories must meet."""

    category: Annotated[
        Text, typer.Option("--category", "-c", help="of this category.", rich_help_panel=_FILTERS)
    ] = None
    layer: Annotated[Text, typer.Option(help="on this layer.", rich_help_panel=_FILTERS)] = None
    memory_type: Annotated[
        Text, typer.Option("--type", help="of this type.", rich_help_panel=_FILTERS)
    ] = None
    kind: Annotated[Text, typer.Option(help="of this kind.", rich_help_panel=_FILTERS)] = None
    subject: Annotated[Text, typer.Option(help="about this person.", rich_help_panel=_FILTERS)] = (
        None
    )
    speaker: Annotated[
        Text, typer.Option(help="said by this person.", rich_help_panel=_FILTERS)
    ] = None
    session: Annotated[Text, typer.Option(help="of this session.", rich_help_panel=_FILTERS)] = None
    reference: Annotated[
        Text, typer.Option(help="with this reference.", rich_help_panel=_FILTERS)
    ] = None
    source: Annotated[Text, typer.Option(help="from this source.", rich_help_panel=_FILTERS)] = None
    pinned: Annotated[
        bool | None,
        typer.Option("--pinned/--not-pinned", help="pinned or not.", rich_help_panel=_FILTERS),
    ] = None
    since: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar=_MOMENT,
            help="of this time or later.",
            rich_help_panel=_FILTERS,
        ),
    ] = None
    until: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar=_MOMENT,
            help="from before this time.",
            rich_help_panel=_FILTERS,
        ),
    ] = None
    meta: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", help="with this metadata; repeatable.", rich_help_panel=_FILTERS
        ),
    ] = None

    def conditions(self) -> dict[str, object]:
        """The conditions that were named."""
        named = {name: value for name, value in asdict(self).items() if value is not None}
        if named.pop("meta", None):
            named["metadata"] = read_metadata(self.meta)
        return named


@dataclass(frozen=True, slots=True)
class Moments:
    """The times a question is about."""

    as_of: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar=_MOMENT,
            help="What held in the world at this time.",
            rich_help_panel=_TIME,
        ),
    ] = None
    known_at: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar=_MOMENT,
            help="What was known at this time.",
            rich_help_panel=_TIME,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Search:
    """How much a recall gives back, and of which types."""

    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="At most so many memories.")
    ] = None
    budget: Annotated[int | None, typer.Option(help="At most so many tokens of text.")] = None
    mode: Annotated[str, typer.Option(help="facts_only, facts_plus_rules or full_context.")] = (
        "full_context"
    )
    now: Annotated[
        Text, typer.Option(callback=as_moment, metavar=_MOMENT, help="Ask as if it were this time.")
    ] = None


@dataclass(frozen=True, slots=True)
class About:
    """Everything that can be said about a memory when it is handed in."""

    category: Annotated[
        Text, typer.Option("--category", "-c", help="What it is about, as tooling.")
    ] = None
    layer: Annotated[Text, typer.Option(help="The layer it starts on.")] = None
    memory_type: Annotated[Text, typer.Option("--type", help="fact, procedure or narrative.")] = (
        None
    )
    importance: Annotated[float | None, typer.Option(help="From 0 to 1.")] = None
    confidence: Annotated[float | None, typer.Option(help="From 0 to 1.")] = None
    at: Annotated[
        Text,
        typer.Option(callback=as_moment, metavar=_MOMENT, help="When it was said or happened."),
    ] = None
    valid_from: Annotated[
        Text, typer.Option(callback=as_moment, metavar=_MOMENT, help="It holds from then.")
    ] = None
    valid_until: Annotated[
        Text, typer.Option(callback=as_moment, metavar=_MOMENT, help="It holds until then.")
    ] = None
    speaker: Annotated[Text, typer.Option(help="Who said it.")] = None
    subject: Annotated[Text, typer.Option(help="The person it is about.")] = None
    session: Annotated[Text, typer.Option(help="The session it comes from.")] = None
    reference: Annotated[Text, typer.Option(help="Your own name for where it stands.")] = None
    source: Annotated[Text, typer.Option(help="Where it comes from, as web:example.org.")] = None
    meta: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Metadata; repeatable.")
    ] = None
    pinned: Annotated[bool, typer.Option("--pinned", help="It never fades.")] = False
    summary: Annotated[Text, typer.Option(help="The gist of it in a few words.")] = None
    replaces: Annotated[Text, typer.Option(metavar="ID", help="The memory it takes over from.")] = (
        None
    )
    idempotency_key: Annotated[
        Text, typer.Option(metavar="KEY", help="The same request twice is stored once.")
    ] = None
    secrecy: Annotated[
        Text,
        typer.Option("--tier", metavar="TIER", help="cleartext, sensitive or confidential."),
    ] = None
    horizon: Annotated[
        Text, typer.Option(help="How long it may go unconfirmed, as 180d, or never.")
    ] = None

    def arguments(self) -> dict[str, object]:
        """The arguments of `remember` that were given."""
        named = {name: value for name, value in asdict(self).items() if value is not None}
        if named.pop("meta", None):
            named["metadata"] = read_metadata(self.meta)
        return named


def read_metadata(pairs: list[str] | None) -> "dict[str, MetadataValue]":
    """Read `key=value` pairs; a value in JSON's own form is a number, a flag, null or a list."""
    found: dict[str, MetadataValue] = {}
    for pair in pairs or []:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise typer.BadParameter("metadata is written as key=value.", param_hint="--meta")
        found[key] = _metadata_value(value)
    return found


def _metadata_value(text: str) -> "MetadataValue":
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return list(value)
    # 1.10 or 007 would not come back as they were written, so they stay text.
    is_exact = value is None or isinstance(value, bool | int | float)
    if not is_exact or json.dumps(value) != text or (value and not math.isfinite(value)):
        return text
    return value  # type: ignore[no-any-return]  # checked by the lines above
