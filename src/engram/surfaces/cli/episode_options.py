"""What can be typed after `engram episodes`: actions, options, and which go together."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from engram.surfaces.cli.heard import Hearing, said_in
from engram.surfaces.cli.options import Text, as_moment

_FINDING = "When finding"
_TELLING = "When telling"


class EpisodesAction(StrEnum):
    """What can be done with episodes."""

    LIST = "list"
    ONGOING = "ongoing"
    SHOW = "show"
    EVENTS = "events"
    SIMILAR = "similar"
    AT = "at"
    BEFORE = "before"
    BETWEEN = "between"
    SEQUENCE = "sequence"
    BEGIN = "begin"
    ADD = "add"
    END = "end"
    ABANDON = "abandon"
    RECORD = "record"
    CONSOLIDATE = "consolidate"


@dataclass(frozen=True, slots=True)
class Finding:
    """Which episodes are meant."""

    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", help="At most so many.", rich_help_panel=_FINDING),
    ] = None
    outcome: Annotated[
        Text,
        typer.Option(
            help="That ended so: success, failure, partial, abandoned or ongoing.",
            rich_help_panel=_FINDING,
        ),
    ] = None
    person: Annotated[
        Text, typer.Option(help="That somebody took part in.", rich_help_panel=_FINDING)
    ] = None
    since: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar="TIME",
            help="That ended then or later.",
            rich_help_panel=_FINDING,
        ),
    ] = None
    until: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar="TIME",
            help="That began before then.",
            rich_help_panel=_FINDING,
        ),
    ] = None
    faded: Annotated[
        bool, typer.Option("--faded", help="Also what has faded.", rich_help_panel=_FINDING)
    ] = False
    known_at: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar="TIME",
            help="What was known at this time.",
            rich_help_panel=_FINDING,
        ),
    ] = None
    window: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="With at: how far around it.", rich_help_panel=_FINDING
        ),
    ] = None
    after: Annotated[
        int | None,
        typer.Option(
            metavar="PLACE", help="With events: go on after this one.", rich_help_panel=_FINDING
        ),
    ] = None
    backward: Annotated[
        bool,
        typer.Option(
            "--backward", help="With sequence: what it followed from.", rich_help_panel=_FINDING
        ),
    ] = False
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="With consolidate: only say what would be kept.",
            rich_help_panel=_FINDING,
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class Telling:
    """What is told of an episode beside the words themselves."""

    session: Annotated[
        Text,
        typer.Option(
            help="The session it belongs to; with list, of which.", rich_help_panel=_TELLING
        ),
    ] = None
    at: Annotated[
        Text,
        typer.Option(
            callback=as_moment, metavar="TIME", help="When; else now.", rich_help_panel=_TELLING
        ),
    ] = None
    participant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="With begin: who takes part; repeatable.", rich_help_panel=_TELLING
        ),
    ] = None
    caused_by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="With begin: an episode it followed from; repeatable.",
            rich_help_panel=_TELLING,
        ),
    ] = None
    actor: Annotated[
        Text, typer.Option(help="With add: whose doing it was.", rich_help_panel=_TELLING)
    ] = None
    file: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Read JSON from there.", rich_help_panel=_TELLING),
    ] = None
    result: Annotated[
        Text, typer.Option(help="With end success: what came of it.", rich_help_panel=_TELLING)
    ] = None
    error: Annotated[
        Text, typer.Option(help="With end failure: what went wrong.", rich_help_panel=_TELLING)
    ] = None
    learned: Annotated[
        Text,
        typer.Option(help="With end failure: what to learn from it.", rich_help_panel=_TELLING),
    ] = None
    progress: Annotated[
        float | None,
        typer.Option(
            help="With abandon: how far it had come, from 0 to 1.", rich_help_panel=_TELLING
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed."""

    action: EpisodesAction
    words: tuple[str, ...]
    finding: Finding
    telling: Telling

    @property
    def first(self) -> str:
        """What it is about: an id, a time, a situation."""
        return self.words[0] if self.words else ""

    @property
    def second(self) -> str | None:
        """What is told of it, if anything is."""
        return self.words[1] if len(self.words) > 1 else None

    def said(self, *names: str) -> dict[str, object]:
        """The options of these names that were given, to be handed on."""
        given = said_in(self.finding, self.telling)
        return {name: given[name] for name in names if name in given}


# What each action has to be told, in its order; what stands in brackets may be left out.
WANTS: dict[str, tuple[str, ...]] = {
    EpisodesAction.SHOW: ("ID",),
    EpisodesAction.EVENTS: ("ID",),
    EpisodesAction.SIMILAR: ("[SITUATION]",),
    EpisodesAction.AT: ("TIME",),
    EpisodesAction.BEFORE: ("TIME",),
    EpisodesAction.BETWEEN: ("START", "END"),
    EpisodesAction.SEQUENCE: ("ID",),
    EpisodesAction.BEGIN: ("[SITUATION]",),
    EpisodesAction.ADD: ("ID", "[EVENTS]"),
    EpisodesAction.END: ("ID", "OUTCOME"),
    EpisodesAction.ABANDON: ("ID", "REASON"),
    EpisodesAction.RECORD: ("[EPISODE]",),
}
_LISTS = frozenset({"list", "ongoing", "similar", "at", "before", "between", "sequence"})
_WITH_FADED = _LISTS - {"ongoing", "sequence"}
# By option the actions that hear it.
HEARD: dict[str, frozenset[str]] = {
    "limit": _LISTS | {"show", "events", "consolidate"},
    "outcome": frozenset({"list", "similar"}),
    "person": frozenset({"list"}),
    "since": frozenset({"list"}),
    "until": frozenset({"list"}),
    "faded": _WITH_FADED,
    "known_at": _WITH_FADED | {"show", "events"},
    "window": frozenset({"at"}),
    "after": frozenset({"events"}),
    "backward": frozenset({"sequence"}),
    "dry_run": frozenset({"consolidate"}),
    "session": frozenset({"list", "begin"}),
    "at": frozenset({"begin", "add", "end", "abandon"}),
    "participant": frozenset({"begin"}),
    "caused_by": frozenset({"begin"}),
    "actor": frozenset({"add"}),
    "file": frozenset({"similar", "begin", "add", "record"}),
    "result": frozenset({"end"}),
    "error": frozenset({"end"}),
    "learned": frozenset({"end"}),
    "progress": frozenset({"abandon"}),
}
HEARING = Hearing("episodes", WANTS, HEARD)
