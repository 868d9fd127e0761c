"""The command that listens: one turn of a conversation, or many from a pipe."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import Text, as_moment, read_metadata
from engram.surfaces.cli.piping import bar, piped
from engram.surfaces.cli.terminal import styled
from engram.surfaces.cli.trying import is_without_zone, on_any_store, read_zone, with_zone

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine import Engram
    from engram.engine.observing import Progress
    from engram.memory.outcomes import Observed
    from engram.memory.reading import Reading
    from engram.memory.record import Memory

_MOST_SHOWN = 20
_TRIES, _TRY_SECONDS = 40, 0.05
_MOST_BEFORE = 50
_READ_BY = ("role", "speaker", "at")
_KIND_STYLES = {"kept": "green", "known": "cyan", "echo": "yellow"}
_Item = dict[str, object]


@dataclass(frozen=True, slots=True)
class Said:
    """What is known about a turn beside its words."""

    role: Annotated[str, typer.Option(help="user, assistant, tool or system.")] = "user"
    speaker: Annotated[Text, typer.Option(help="Who said it.")] = None
    subject: Annotated[Text, typer.Option(help="The person it is about.")] = None
    session: Annotated[Text, typer.Option(help="The conversation it belongs to.")] = None
    at: Annotated[
        Text, typer.Option(callback=as_moment, metavar="TIME", help="When it was said.")
    ] = None
    reference: Annotated[Text, typer.Option(help="Your own name for where it stands.")] = None
    source: Annotated[Text, typer.Option(help="Where it comes from, as web:example.org.")] = None
    meta: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Metadata; repeatable.")
    ] = None
    secrecy: Annotated[
        Text,
        typer.Option("--tier", metavar="TIER", help="cleartext, sensitive or confidential."),
    ] = None

    def arguments(self) -> _Item:
        """The arguments of `observe` that were given."""
        named = {name: value for name, value in asdict(self).items() if value is not None}
        if named.pop("meta", None):
            named["metadata"] = read_metadata(self.meta)
        return named


@command("observe", panel=Panel.USE, example='engram observe "I moved to Porto" --speaker Ada')
def observe(
    call: Call,
    said: Said,
    text: Annotated[
        list[str] | None, typer.Argument(help="What was said; - or nothing reads it from a pipe.")
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Every line of the pipe is a turn of its own.")
    ] = False,
    jsonl: Annotated[
        bool,
        typer.Option("--jsonl", help="Every line is a turn in JSON: text, role, speaker, at …"),
    ] = False,
    zone: Annotated[
        str | None,
        typer.Option(metavar="ZONE", help="With --jsonl: whose clock times without a zone are of."),
    ] = None,
    is_dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be learnt, and why not more.")
    ] = False,
) -> None:
    """Listen to what was said: keep it word for word, and learn what it states."""
    if zone is not None and not jsonl:
        raise typer.BadParameter("It goes with --jsonl.", param_hint="--zone")
    turns = _turns(call, said, text, is_by_line=lines, is_json=jsonl)
    if jsonl:
        turns = [_dated(turn, number, read_zone(zone)) for number, turn in enumerate(turns, 1)]
    if is_dry_run:
        _preview(call, turns)
        return
    with call.engram(is_new=True) as engram, bar("Listening") as advance:
        observed = engram.observe_many(turns, progress=advance)
        heard = _Heard(observed, *_read(call, engram, observed, advance))
    document = _document(heard)
    call.show(document, lambda: _picture(heard, call.again))


@dataclass(frozen=True, slots=True)
class _Heard:
    """What became of all that was said."""

    observed: "Sequence[Observed]"
    learnt: "Sequence[Memory]"
    unread: int
    problem: str


def _turns(
    call: Call, said: Said, text: list[str] | None, *, is_by_line: bool, is_json: bool
) -> list[_Item]:
    shared = {**said.arguments(), "scope": call.part}
    is_piped = not text or text == ["-"]
    if (is_by_line or is_json) and not is_piped:
        raise typer.BadParameter("It goes with a pipe, not with a text.", param_hint="TEXT")
    if is_json:
        lines = enumerate(piped().splitlines(), start=1)
        return [{**shared, **_parsed(line, number)} for number, line in lines if line.strip()]
    if is_by_line:
        return [{**shared, "text": line} for line in piped().splitlines() if line.strip()]
    return [{**shared, "text": piped() if text is None or is_piped else " ".join(text)}]


def _parsed(line: str, number: int) -> _Item:
    """A turn in JSON; who may be told of it is said by the caller, not by the line."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or "scope" in found:
        raise InvalidInput(hint=f"Line {number} is not a JSON object with `text`, and no `scope`.")
    if "text" not in found and "content" in found:
        found["text"] = found.pop("content")
    return found


def _dated(turn: _Item, number: int, zone: tzinfo | None) -> _Item:
    """A turn whose time says whose clock it was; nobody guesses that."""
    at = with_zone(turn.get("at"), zone)
    if is_without_zone(at):
        raise InvalidInput(
            hint=f"The time of turn {number} has no zone. Write it as 2026-03-01T09:00+01:00, or "
            "say whose clock they are all of: --zone UTC, +01:00 or Europe/Lisbon."
        )
    return {**turn, "at": at} if "at" in turn else turn


def _preview(call: Call, turns: list[_Item]) -> None:
    """Show what would be learnt from the turns; with a model also what reading would cost."""
    from engram.surfaces.documents import plain, records

    with on_any_store(call).engram() as engram:
        plan = engram.estimate(turns, scope=call.part)
        readings = [_read_one(engram, turns, place) for place in range(len(turns))]
    document: _Item = {
        "dry_run": True, "turns": len(turns), "plan": plain(plan), "readings": records(readings),
    }  # fmt: skip
    shown = [picture for each in readings for picture in pictures.reading(each)]
    if plan is not None:
        line = f"With the model: {pictures.reading_plan(plan)}"
        shown.append(styled(line, "dim"))
    call.show(document, lambda: pictures.stack(*shown))


def _read_one(engram: "Engram", turns: list[_Item], place: int) -> "Reading":
    before = [
        {name: turn[name] for name in ("text", "speaker") if name in turn}
        for turn in turns[max(0, place - _MOST_BEFORE) : place]
    ]
    known = {name: turns[place][name] for name in _READ_BY if name in turns[place]}
    # The values were checked by `estimate`.
    return engram.read(str(turns[place]["text"]), before=before, **known)  # type: ignore[arg-type]


def _read(
    call: Call, engram: "Engram", observed: "Sequence[Observed]", advance: "Progress | None"
) -> "tuple[Sequence[Memory], int, str]":
    """Have all that waits read; what was learnt, how many turns still wait, and why."""
    where = engram.principal.write_scope(call.part)
    if not engram.principal.can_see(where):
        return (), 0, ""  # said into a scope that others read
    read = engram.flush(progress=advance)
    for _ in range(_TRIES):
        if read.problem or not engram.unread(scope=call.part):
            break
        time.sleep(_TRY_SECONDS)  # somebody else has begun to read them
        read = read + engram.flush(progress=advance)
    kept = [each for each in observed if each.kind == "kept"]
    turns = [turn.id for each in kept for turn in each.parts or (each.memory,)]
    learnt = engram.drawn(*turns, scope=call.part) if turns else []
    return learnt, engram.unread(scope=call.part), read.problem


def _document(heard: _Heard) -> _Item:
    from engram.surfaces.documents import memory_documents, observed_document

    return {
        "counts": dict(Counter(each.kind for each in heard.observed)),
        "turns": [observed_document(each) for each in heard.observed],
        "learnt": memory_documents(heard.learnt),
        "unread": heard.unread,
        "problem": heard.problem,
    }


def _picture(heard: _Heard, again: str) -> "RenderableType":
    parts = [_told(heard, again)]
    if heard.learnt:
        parts.append(pictures.memories(heard.learnt[:_MOST_SHOWN]))
    if len(heard.learnt) > _MOST_SHOWN:
        parts.append(styled(f"and {len(heard.learnt) - _MOST_SHOWN:,} more: engram list", "dim"))
    held = sum(memory.status == "pending" for memory in heard.learnt)
    if held:
        waits = f"{pictures.counted(held, 'waits', 'wait')} for a person: engram review"
        parts.append(styled(waits, "yellow"))
    if heard.unread:
        why = f": {heard.problem}" if heard.problem else ""
        turns = pictures.counted(heard.unread, "turn waits", "turns wait")
        parts.append(styled(f"{turns} to be read{why}", "yellow"))
    return pictures.stack(*parts)


def _told(heard: _Heard, again: str) -> "RenderableType":
    learnt = pictures.counted(len(heard.learnt), "memory", "memories")
    if len(heard.observed) != 1:
        counts = Counter(each.kind for each in heard.observed)
        told = ", ".join(f"{count:,} {kind}" for kind, count in counts.items()) or "nothing said"
        return styled(f"{told}; learnt {learnt}")
    (only,) = heard.observed
    line = styled(f"{only.kind.capitalize()} ", f"bold {_KIND_STYLES[only.kind]}")
    line.append(styled(f"{only.memory.label} ({only.reason}): "))
    line.append(styled(pictures.shortened(only.memory.content)))
    signal = styled(f"  signal {only.signal}; learnt {learnt}", "dim")
    shield = pictures.protected(only.memory)
    return pictures.stack(line, signal, *shield, pictures.undo_hint(only.change_id, again))
