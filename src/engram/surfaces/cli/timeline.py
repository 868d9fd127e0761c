"""The command that tells what happened around a topic, as a line from the past to now."""

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import as_moment
from engram.surfaces.cli.recalling import made_ready
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from engram.engine.reasoning import Timeline, TimelineEntry

_STANDS, _ENDED, _LINE = "●", "○", "│"
_NARROWEST = 20  # columns for the words, however narrow the terminal is


@command("timeline", panel=Panel.LOOK, example="engram timeline office")
def timeline(
    call: Call,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="What it is about.")],
    since: Annotated[
        str | None,
        typer.Option(callback=as_moment, metavar="TIME", help="Only from then on."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(callback=as_moment, metavar="TIME", help="Only from before then."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many.")] = 100,
) -> None:
    """Tell what happened around a topic, also what was reworded, replaced or archived."""
    from engram.surfaces.documents import peak_documents, timeline_document

    with call.engram() as engram:
        made_ready(engram)
        found = engram.timeline(topic, limit=limit, since=since, until=until, scope=call.part)
    document: dict[str, object] = {
        "timeline": [timeline_document(each) for each in found],
        "peaks": peak_documents(found),
    }
    call.show(document, lambda: _picture(found, terminal.console().width))


def _picture(found: "Timeline", width: int) -> "RenderableType":
    """A line from the oldest to the newest; what still stands is a full mark on it."""
    if not found:
        return styled("Nothing happened around this.", "dim")
    lines: list[Text] = []
    for place, entry in enumerate(found):
        lines += _drawn(entry, width, is_last=place == len(found) - 1)
    current = sum(entry.is_current for entry in found)
    told = f"{pictures.counted(len(found), 'entry', 'entries')}, {current} of them as it stands now"
    return pictures.stack(*lines, styled(told, "dim"), *_busiest(found))


def _busiest(found: "Timeline") -> "Iterator[Text]":
    """When most of it happened, in one line."""
    if found.peaks:
        told = (f"{pictures.moment(peak.start)} ({peak.count})" for peak in found.peaks)
        yield styled(f"Busiest from: {', '.join(told)}", "dim")


def _drawn(entry: "TimelineEntry", width: int, *, is_last: bool) -> "Iterator[Text]":
    when = pictures.moment(entry.at)
    room = max(_NARROWEST, width - len(when) - 5)
    words = textwrap.wrap(terminal.safe(pictures.shortened(entry.memory.content)), room) or [""]
    mark = _STANDS if entry.is_current else _ENDED
    yield _row(when, mark, words[0], "" if entry.is_current else "dim", is_current=entry.is_current)
    rail = " " if is_last else _LINE
    for more in words[1:]:
        yield _row(" " * len(when), rail, more, "" if entry.is_current else "dim")
    for note in textwrap.wrap(terminal.safe(_became(entry)), room):
        yield _row(" " * len(when), rail, note, "cyan" if entry.is_current else "yellow")


def _row(when: str, mark: str, words: str, style: str, *, is_current: bool = False) -> "Text":
    line = styled(f"{when}  ", "dim")
    line.append(styled(f"{mark}  ", "bold green" if is_current else "dim"))
    return line.append(styled(words, style))


def _became(entry: "TimelineEntry") -> str:
    """Which memory it is and what became of it."""
    parts = [entry.memory.label, entry.standing]
    if entry.ended_at is not None:
        parts[-1] += f" {pictures.moment(entry.ended_at)}"
    if entry.replaced_by:
        parts.append(f"now {entry.replaced_by}")
    if entry.replaces:
        parts.append(f"before {', '.join(entry.replaces)}")
    told = ", ".join(parts)
    return f"{told}: {entry.reason}" if entry.reason else told
