"""Episodes as people read them: a table of many, a story of one."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engram.surfaces.cli import pictures
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from engram.memory.episodes.episode import Episode, EventPage, NumberedEvent
    from engram.memory.episodes.results import (
        Consolidated,
        ConsolidationReport,
        EpisodeHit,
        EpisodeKept,
        EventsAdded,
    )
    from engram.memory.episodes.story import Story

_STYLES = {
    "success": "green", "failure": "red", "partial": "yellow", "abandoned": "yellow",
    "ongoing": "cyan",
}  # fmt: skip
_KEPT = {
    "recorded": "Recorded", "ended": "Ended", "known": "Recorded before", "held": "Held",
}  # fmt: skip
_KEY, _PLAIN = "●", "·"
_MOST_NAMES = 8
_MINUTE = 60


def listing(found: "Sequence[Episode]", empty: str) -> "RenderableType":
    """Many episodes."""
    if not found:
        return styled(empty, "dim")
    made = pictures.table("label", "ended", "began (UTC)", "what happened", whole=_WHOLE)
    for each in found:
        made.add_row(*_row(each))
    return made


def hits(found: "Sequence[EpisodeHit]") -> "RenderableType":
    """Similar episodes, each with its score."""
    if not found:
        return styled("Nothing like this happened before.", "dim")
    columns = ("score", "label", "ended", "began (UTC)", "what happened")
    made = pictures.table(*columns, whole=("score", *_WHOLE))
    for each in found:
        made.add_row(styled(f"{each.score:.2f}", "cyan"), *_row(each.episode))
    return made


_WHOLE = ("label", "ended", "began (UTC)")


def _row(episode: "Episode") -> "Iterator[RenderableType]":
    story = _story(episode)
    ending = [] if episode.is_ongoing else [styled(pictures.shortened(story.ending))]
    yield styled(episode.label, "bold")
    yield styled(episode.kind, _STYLES[episode.kind])
    yield styled(pictures.moment(episode.started_at), "dim")
    yield pictures.stack(
        styled(pictures.shortened(story.opening), "bold"), *ending, styled(_aside(episode), "dim")
    )


def _aside(episode: "Episode") -> str:
    names = [each.identifier for each in episode.participants[:_MOST_NAMES]]
    parts = [
        f"with {', '.join(names)}" if names else "",
        pictures.counted(episode.event_count, "event"),
        _took(episode),
        "" if episode.is_ongoing else f"significance {episode.significance:.2f}",
        "" if episode.memory.status == "active" else episode.memory.status,
    ]
    return ", ".join(part for part in parts if part)


def _took(episode: "Episode") -> str:
    length = (episode.ended_at or episode.started_at) - episode.started_at
    return f"took {_span(length)}" if length else ""


def story(episode: "Episode", page: "EventPage", again: str) -> "RenderableType":
    """One episode, from where it began to how it ended."""
    told = _story(episode)
    head = styled(f"{episode.label} ", "bold").append(styled(episode.kind, _STYLES[episode.kind]))
    return pictures.stack(
        head.append(styled(f"  {told.opening}", "bold")),
        *(styled(f"  {line}", "dim") for line in _around(episode)),
        styled(""),
        *_happened(page),
        *_more(page, episode.label, again),
        styled(told.ending, f"bold {_STYLES[episode.kind]}"),
        *([] if episode.is_ongoing else [styled(f"  {_figures(episode)}", "dim")]),
    )


def _around(episode: "Episode") -> "Iterator[str]":
    until = f" to {pictures.moment(episode.ended_at)}" if episode.ended_at else ""
    session = f", session {episode.memory.session}" if episode.memory.session else ""
    place = episode.memory.scope.path
    yield f"{pictures.moment(episode.started_at)}{until} (UTC){session}, {place}"
    if episode.participants:
        people = (f"{each.identifier} ({each.role})" for each in episode.participants)
        yield f"with {', '.join(people)}"
    situation = episode.situation
    if situation.tools:
        yield f"tools: {', '.join(situation.tools)}"
    if situation.beliefs:
        yield f"in mind: {', '.join(situation.beliefs)}"


def _figures(episode: "Episode") -> str:
    return (
        f"significance {episode.significance:.2f}, surprise {episode.surprise:.2f}, "
        f"valence {episode.valence:+.2f}, strength {episode.strength:.2f}"
    )


def events(page: "EventPage", name: str, again: str) -> "RenderableType":
    """A page of what happened."""
    if not page.events:
        return styled("Nothing more happened.", "dim")
    return pictures.stack(*_happened(page), *_more(page, name, again))


def _happened(page: "EventPage") -> "Iterator[Text]":
    """What happened, line by line; a day is told once, and what matters has a full mark."""
    day = None
    for each in page.events:
        if (today := each.event.at.date()) != day:
            day = today
            yield styled(f"{today}", "dim")
        yield _event(each)


def _event(numbered: "NumberedEvent") -> "Text":
    from engram.memory.episodes.events import is_key_event
    from engram.surfaces.episodes_documents import event_text

    event = numbered.event
    is_key = is_key_event(event)
    line = styled(f"{numbered.sequence:>4}  {event.at:%H:%M:%S}  ", "dim")
    line.append(styled(f"{_KEY if is_key else _PLAIN}  ", "bold yellow" if is_key else "dim"))
    if event.actor:
        line.append(styled(f"{event.actor}: ", "cyan"))
    line.append(styled(event_text(event), "bold" if is_key else ""))
    if event.duration is not None:
        line.append(styled(f" ({_span(event.duration)})", "dim"))
    return line


def _more(page: "EventPage", name: str, again: str) -> "list[Text]":
    if page.next_after is None:
        return []
    command = f"engram episodes events {name} --after {page.next_after}{again}"
    return [styled(f"      and more: {command}", "dim")]


def begun(episode: "Episode", again: str) -> "RenderableType":
    """An episode that goes on from now."""
    line = styled(f"Begun {episode.label}", "bold green").append(
        styled(f": {_story(episode).opening}")
    )
    return pictures.stack(line, *_waits(episode), _undo(episode.memory.change_id, again))


def added(found: "EventsAdded", name: str, again: str) -> "RenderableType":
    """Events that were added."""
    count = pictures.counted(found.count, "event")
    line = styled(f"Added {count} to {name}: it has {found.total:,} now.", "green")
    return pictures.stack(line, _undo(found.change_id, again))


def kept(found: "EpisodeKept", again: str) -> "RenderableType":
    """An episode that has ended, what it meant, and what it hangs together with."""
    episode = found.episode
    told = _story(episode)
    line = styled(f"{_KEPT[found.kind]} {episode.label} ", "bold green").append(
        styled(episode.kind, _STYLES[episode.kind])
    )
    ties = [
        styled(f"  {name}: {', '.join(found.labels.get(each, each) for each in ids)}", "dim")
        for name, ids in (("similar to", found.similar), ("followed from", found.causes))
        if ids
    ]
    return pictures.stack(
        line.append(styled(f": {told.opening} {told.ending}")),
        styled(f"  {_figures(episode)}", "dim"),
        *ties,
        *_waits(episode),
        _undo(found.change_id, again),
    )


def consolidated(report: "ConsolidationReport", again: str) -> "RenderableType":
    """What fading episodes came to."""
    looked = pictures.counted(report.looked_at, "fading episode")
    if not report.found:
        return styled(f"Looked at {looked}; nothing in them repeats itself.", "dim")
    head = styled(f"{looked}:", "bold")
    return pictures.stack(head, *(_consolidated(each, again) for each in report.found))


def _consolidated(found: "Consolidated", again: str) -> "RenderableType":
    count = pictures.counted(len(found.proposal.episodes), "episode")
    label = found.memory.label if found.memory else "would be kept"
    lines = [styled(f"{label} ", "bold green").append(styled(f"({count}) ", "dim"))]
    lines[0].append(styled(found.proposal.statement))
    if found.skill:
        lines.append(styled(f"  learnt the skill {found.skill}", "cyan"))
    if found.problem:
        lines.append(styled(f"  {found.problem}", "yellow"))
    if found.change_id:
        lines.append(_undo(found.change_id, again))
    return pictures.stack(*lines)


def _story(episode: "Episode") -> "Story":
    from engram.memory.episodes.story import tell

    span: tuple[datetime, datetime | None] = (episode.started_at, episode.ended_at)
    return tell(episode.situation, episode.participants, (), episode.outcome, span)


def _waits(episode: "Episode") -> "list[Text]":
    if episode.memory.status != "pending":
        return []
    return [styled("  waiting for a person: engram review", "yellow")]


def _undo(change_id: str, again: str) -> "Text":
    return pictures.undo_hint(change_id, again)


def _span(length: timedelta) -> str:
    """How long something took, in the largest unit that says something."""
    seconds = length.total_seconds()
    return f"{seconds:.1f} s" if seconds < _MINUTE else pictures.age(length)
