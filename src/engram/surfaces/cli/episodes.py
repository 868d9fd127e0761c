"""The command for episodes: tell what happens while it goes on, or afterwards; find it again."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import episode_pictures, pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command, session_of
from engram.surfaces.cli.episode_options import (
    HEARING,
    WANTS,
    Asked,
    EpisodesAction,
    Finding,
    Telling,
)
from engram.surfaces.cli.heard import said_in
from engram.surfaces.cli.json_given import read_json, read_json_list
from engram.surfaces.cli.options import as_moment

if TYPE_CHECKING:
    from engram.engine import Engram
    from engram.memory.episodes.episode import Episode
    from engram.memory.episodes.results import EpisodeKept

_PIPE = "-"


@command("episodes", panel=Panel.USE, example='engram episodes similar "deploying the site"')
def episodes(
    call: Call,
    finding: Finding,
    telling: Telling,
    action: Annotated[EpisodesAction, typer.Argument(help="What to do.")] = EpisodesAction.LIST,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WHAT", help="An id, a time, a situation or JSON, as the action wants it."
        ),
    ] = None,
) -> None:
    """Tell what happens from a beginning to an end, and find what happened before."""
    asked = Asked(action, _named(action, words or []), finding, telling)
    HEARING.check(action, asked.words, said_in(finding, telling))
    _DOES[action](call, asked)


def _named(action: EpisodesAction, words: list[str]) -> tuple[str, ...]:
    """What was typed; in the shell the number of a last result stands for its label."""
    session = session_of.get()
    if session is None or not words or WANTS.get(action, ())[:1] != ("ID",):
        return tuple(words)
    return (session.named(words[0]), *words[1:])


# Finding


def _list(call: Call, asked: Asked) -> None:
    named = ("outcome", "person", "session", "since", "until", "limit", "faded", "known_at")
    _show_found(call, lambda engram: engram.episodes.list(**asked.said(*named), scope=call.part))  # type: ignore[arg-type]  # named as the library names them


def _ongoing(call: Call, asked: Asked) -> None:
    _show_found(
        call,
        lambda engram: engram.episodes.ongoing(**asked.said("limit"), scope=call.part),  # type: ignore[arg-type]  # named as the library has it
        empty="Nothing goes on.",
    )


def _at(call: Call, asked: Asked) -> None:
    named = asked.said("window", "limit", "faded", "known_at")
    time = as_moment(asked.first) or ""
    _show_found(call, lambda engram: engram.episodes.at(time, **named, scope=call.part))  # type: ignore[arg-type]  # named as the library has it


def _before(call: Call, asked: Asked) -> None:
    named = asked.said("limit", "faded", "known_at")
    time = as_moment(asked.first) or ""
    _show_found(call, lambda engram: engram.episodes.before(time, **named, scope=call.part))  # type: ignore[arg-type]  # named as the library has it


def _between(call: Call, asked: Asked) -> None:
    named = asked.said("limit", "faded", "known_at")
    start, end = (as_moment(each) or "" for each in asked.words)
    _show_found(
        call,
        lambda engram: engram.episodes.between(start, end, **named, scope=call.part),  # type: ignore[arg-type]  # named as the library has it
    )


def _sequence(call: Call, asked: Asked) -> None:
    direction = "backward" if asked.finding.backward else "forward"

    def find(engram: "Engram") -> "Sequence[Episode]":
        scope = call.part_of(engram, asked.first)
        named = asked.said("limit")
        return engram.episodes.sequence(asked.first, direction, **named, scope=scope)  # type: ignore[arg-type]  # named as the library has it

    _show_found(call, find)


def _show_found(
    call: Call,
    find: "Callable[[Engram], Sequence[Episode]]",
    empty: str = "No episodes.",
) -> None:
    from engram.surfaces.episodes_documents import episodes_document

    with call.engram() as engram:
        found = find(engram)
        elsewhere = "" if found else call.elsewhere(engram)
    call.show(
        episodes_document(found),
        lambda: pictures.with_hint(episode_pictures.listing(found, empty), elsewhere),
    )


def _similar(call: Call, asked: Asked) -> None:
    from engram.surfaces.cli.recalling import made_ready
    from engram.surfaces.episodes_documents import episode_hits_document

    named = asked.said("limit", "outcome", "faded", "known_at")
    situation = _situation(asked)
    with call.engram() as engram:
        made_ready(engram)
        found = engram.episodes.similar(situation, **named, scope=call.part)  # type: ignore[arg-type]  # named as the library has it
        elsewhere = "" if found else call.elsewhere(engram)
    call.show(
        episode_hits_document(found),
        lambda: pictures.with_hint(episode_pictures.hits(found), elsewhere),
    )


def _show(call: Call, asked: Asked) -> None:
    from engram.surfaces.episodes_documents import episode_document, events_document

    then = asked.said("known_at")
    with call.engram() as engram:
        scope = call.part_of(engram, asked.first)
        episode = engram.episodes.get(asked.first, **then, scope=scope)  # type: ignore[arg-type]  # named as the library has it
        page = engram.episodes.events(
            asked.first,
            **then,  # type: ignore[arg-type]  # named as the library has it
            **asked.said("limit"),  # type: ignore[arg-type]  # named as the library has it
            scope=scope,
        )
    document = {**episode_document(episode), **events_document(page)}
    call.show(document, lambda: episode_pictures.story(episode, page, call.again))


def _events(call: Call, asked: Asked) -> None:
    from engram.surfaces.episodes_documents import events_document

    with call.engram() as engram:
        page = engram.episodes.events(
            asked.first,
            **asked.said("after", "limit", "known_at"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part_of(engram, asked.first),
        )
    call.show(events_document(page), lambda: episode_pictures.events(page, asked.first, call.again))


# Telling


def _begin(call: Call, asked: Asked) -> None:
    from engram.surfaces.episodes_documents import begun_document

    telling, situation = asked.telling, _situation(asked)
    with call.engram(is_new=True) as engram:
        episode = engram.episodes.begin(
            situation,
            participants=telling.participant or (),
            caused_by=telling.caused_by or (),
            **asked.said("at", "session"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part,
        )
    call.show(begun_document(episode), lambda: episode_pictures.begun(episode, call.again))


def _add(call: Call, asked: Asked) -> None:
    from engram.surfaces.episodes_documents import added_document

    events = read_json_list(asked.second, asked.telling.file, name="EVENTS")
    with call.engram() as engram:
        added = engram.episodes.add(
            asked.first,
            events,  # type: ignore[arg-type]  # the library reads what it is
            **asked.said("at", "actor"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part_of(engram, asked.first),
        )
    call.show(added_document(added), lambda: episode_pictures.added(added, asked.first, call.again))


def _end(call: Call, asked: Asked) -> None:
    outcome = _outcome(asked)
    with call.engram() as engram:
        kept = engram.episodes.end(
            asked.first,
            outcome,
            **asked.said("at"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part_of(engram, asked.first),
        )
    _show_kept(call, kept)


def _abandon(call: Call, asked: Asked) -> None:
    with call.engram() as engram:
        kept = engram.episodes.abandon(
            asked.first,
            asked.second or "",
            **asked.said("at", "progress"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part_of(engram, asked.first),
        )
    _show_kept(call, kept)


_OF_RECORD = frozenset({
    "situation", "events", "outcome", "started_at", "ended_at", "participants", "session",
    "caused_by", "actor",
})  # fmt: skip


def _record(call: Call, asked: Asked) -> None:
    told = read_json(asked.first or None, asked.telling.file, name="EPISODE")
    if not isinstance(told, dict) or not {"situation", "events", "outcome"} <= set(told):
        raise InvalidInput(hint="An episode has `situation`, `events` and `outcome`.")
    unknown = len(set(told) - _OF_RECORD)
    if unknown:
        raise InvalidInput(hint=f"An episode has only: {', '.join(sorted(_OF_RECORD))}.")
    with call.engram(is_new=True) as engram:
        kept = engram.episodes.record(**told, scope=call.part)
    _show_kept(call, kept)


def _show_kept(call: Call, kept: "EpisodeKept") -> None:
    from engram.surfaces.episodes_documents import kept_document

    call.show(kept_document(kept), lambda: episode_pictures.kept(kept, call.again))


def _consolidate(call: Call, asked: Asked) -> None:
    from engram.surfaces.episodes_documents import consolidation_document

    with call.engram() as engram:
        report = engram.episodes.consolidate(
            **asked.said("dry_run", "limit"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part,
        )
    call.show(
        consolidation_document(report), lambda: episode_pictures.consolidated(report, call.again)
    )


def _situation(asked: Asked) -> str | Mapping[str, object]:
    """Words as they are typed, or an object in JSON."""
    text, file = asked.first or None, asked.telling.file
    if file is None and text is not None and text != _PIPE and not text.startswith("{"):
        return text
    found = read_json(text, file, name="SITUATION")
    if not isinstance(found, str | dict):
        raise InvalidInput(hint="A situation is a text or an object.")
    return found


def _outcome(asked: Asked) -> Mapping[str, object]:
    """How it ended: JSON, or a word with what the options say of it."""
    text = asked.second or ""
    said = asked.said("result", "error", "learned")
    if text != _PIPE and not text.startswith("{"):
        return {"type": text, **said}
    if said:
        raise typer.BadParameter("It goes with a word, not with JSON.", param_hint="OUTCOME")
    found = read_json(text, None, name="OUTCOME")
    if not isinstance(found, dict):
        raise InvalidInput(hint="An outcome is a word or an object with a `type`.")
    return found


_DOES: dict[EpisodesAction, Callable[[Call, Asked], None]] = {
    EpisodesAction.LIST: _list,
    EpisodesAction.ONGOING: _ongoing,
    EpisodesAction.SHOW: _show,
    EpisodesAction.EVENTS: _events,
    EpisodesAction.SIMILAR: _similar,
    EpisodesAction.AT: _at,
    EpisodesAction.BEFORE: _before,
    EpisodesAction.BETWEEN: _between,
    EpisodesAction.SEQUENCE: _sequence,
    EpisodesAction.BEGIN: _begin,
    EpisodesAction.ADD: _add,
    EpisodesAction.END: _end,
    EpisodesAction.ABANDON: _abandon,
    EpisodesAction.RECORD: _record,
    EpisodesAction.CONSOLIDATE: _consolidate,
}
