"""The commands that show what dreams have made of memories: the profile, and the topics."""

from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from engram.engine import Engram
    from engram.memory.dreams.behaviour import Behaviour
    from engram.memory.dreams.cards import Card
    from engram.memory.dreams.lines import Line
    from engram.memory.dreams.topics import Topic
    from engram.memory.dreams.traces import Trace

_NOT_YET = "A dream finds this out: engram dream"
_NAMED = 4


@command("profile", panel=Panel.LOOK, example="engram profile")
def profile(call: Call) -> None:
    """Show how the person behaves: preferences, principles, ways of working."""
    from engram.surfaces.profiles_documents import behaviour_document

    with call.engram() as engram:
        found = engram.profile(scope=call.part)
        hint = "" if found.lines or found.reflection else what_next(call, engram)
    call.show(behaviour_document(found), lambda: _behaviour(found, hint))


@command("topics", panel=Panel.LOOK, example="engram topics --limit 10")
def topics(
    call: Call,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many.")] = 20,
    is_traces: Annotated[
        bool, typer.Option("--traces", help="What was come back to, from when to when.")
    ] = False,
) -> None:
    """Show what memories are about, the most telling first."""
    if is_traces:
        _show_traces(call, limit)
        return
    from engram.surfaces.profiles_documents import topic_document

    with call.engram() as engram:
        found = engram.topics(limit=limit, scope=call.part)
        hint = "" if found else what_next(call, engram)
    call.show({"topics": [topic_document(each) for each in found]}, lambda: _topics(found, hint))


def _show_traces(call: Call, limit: int) -> None:
    from engram.surfaces.profiles_documents import trace_document

    with call.engram() as engram:
        found = engram.traces(limit=limit, scope=call.part)
        hint = "" if found else what_next(call, engram)
    call.show({"traces": [trace_document(each) for each in found]}, lambda: _traces(found, hint))


def what_next(call: Call, engram: "Engram") -> str:
    """What to do where nothing was found: dream, or look where there are memories."""
    elsewhere = call.elsewhere(engram)
    if not elsewhere:
        return _NOT_YET
    is_something_here = engram.upkeep.scopes().get("/", 0) > 0
    return f"{_NOT_YET}\n{elsewhere}" if is_something_here else elsewhere


def _behaviour(found: "Behaviour", hint: str) -> "RenderableType":
    if not found.lines and not found.reflection:
        return styled(f"Nobody has said here how they behave. {hint}", "dim")
    told: list[RenderableType] = lines_under_headings(found.lines)
    if found.reflection:
        told.append(styled("In their own words", "cyan"))
        told += [styled(f"  {row}") for row in found.reflection.splitlines()]
    return pictures.stack(*told)


def lines_under_headings(lines: "Iterable[Line]") -> "list[RenderableType]":
    """Lines below their headings, each with the memory it is taken from."""
    told: list[RenderableType] = []
    heading = None
    for each in lines:
        if each.heading != heading:
            heading = each.heading
            told.append(styled(heading, "cyan"))
        told.append(styled(f"  {each.text} (mem-{each.number:04})"))
    return told


def card_picture(found: "Card | None") -> "list[RenderableType]":
    """The card of somebody or something, below their name; nothing while there is none."""
    if found is None or not (found.lines or found.facts):
        return []
    is_written = bool(found.text) and not all(each.text in found.text for each in found.lines)
    if is_written:
        return [styled(f"  {row}") for row in found.text.splitlines()]
    return lines_under_headings(found.lines or found.facts)


def _topics(found: "Sequence[Topic]", hint: str) -> "RenderableType":
    if not found:
        return styled(f"No topic is known here. {hint}", "dim")
    made = pictures.table(
        "topic", "memories", "share", "last", "newest", whole=("memories", "last")
    )
    for each in found:
        made.add_row(
            styled(each.name, "bold"),
            styled(f"{each.count:,}", "cyan"),
            styled(f"{each.share:.0%}"),
            styled(pictures.moment(each.last_seen), "dim"),
            styled(", ".join(f"mem-{number:04}" for number in each.numbers), "dim"),
        )
    return made


def _traces(found: "Sequence[Trace]", hint: str) -> "RenderableType":
    if not found:
        return styled(f"Nothing was come back to here. {hint}", "dim")
    told: list[RenderableType] = []
    for each in found:
        span = f"{pictures.moment(each.since)} to {pictures.moment(each.until)}"
        told.append(styled(", ".join(each.topics[:_NAMED]), "bold"))
        told.append(styled(f"  {span}, {pictures.counted(each.boxes, 'time')}", "dim"))
        told += [styled(f"  {line.text} (mem-{line.number:04})") for line in each.lines]
    return pictures.stack(*told)
