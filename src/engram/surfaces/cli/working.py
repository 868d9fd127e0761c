"""The command for what is in mind: a session is taken up, something is done, it is put away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.heard import Hearing, said_in
from engram.surfaces.cli.terminal import safe, styled
from engram.surfaces.documents import record

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine.minding import Ticked
    from engram.memory.working.slots import Slot
    from engram.memory.working.snapshot import Resumed

_RELEVANCE = 0.7
_BOOST = 0.2


class WorkingAction(StrEnum):
    """What can be done with what is in mind."""

    SHOW = "show"
    ATTEND = "attend"
    EXPORT = "export"
    REFRESH = "refresh"
    DISMISS = "dismiss"
    TOPIC = "topic"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Said:
    """All that can be said to the actions; each hears some of it."""

    session: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which conversation; else the one without a name."),
    ] = None
    relevance: Annotated[
        float | None, typer.Option(metavar="0-1", help="With attend: how much it matters now.")
    ] = None
    source: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="With attend: user, assistant, agent, tool, system or web; it is believed as far.",
        ),
    ] = None
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="MEMORY", help="With attend: a memory, by its label, instead of words."
        ),
    ] = None
    pinned: Annotated[bool, typer.Option("--pinned", help="With attend: it is let go last.")] = (
        False
    )
    boost: Annotated[
        float | None, typer.Option(metavar="0-1", help="With refresh: how much more active.")
    ] = None
    form: Annotated[
        str | None, typer.Option(metavar="FORM", help="With export: plain, structured or xml.")
    ] = None
    budget: Annotated[
        int | None, typer.Option(metavar="N", help="With export: the most tokens of the text.")
    ] = None


_ALL = frozenset(WorkingAction)
_ATTEND = frozenset({"attend"})
_EXPORT = frozenset({"export"})
_WANTS: dict[str, tuple[str, ...]] = {
    "attend": ("[WORDS]",),
    "refresh": ("SLOT",),
    "dismiss": ("SLOT",),
    "topic": ("SHIFT",),
}
_HEARD: dict[str, frozenset[str]] = {
    "session": _ALL,
    "relevance": _ATTEND,
    "source": _ATTEND,
    "memory": _ATTEND,
    "pinned": _ATTEND,
    "boost": frozenset({"refresh"}),
    "form": _EXPORT,
    "budget": _EXPORT,
}
_HEARING = Hearing("working", _WANTS, _HEARD)


@command("working", panel=Panel.USE, example='engram working attend "The deploy is on hold."')
def working(
    call: Call,
    action: Annotated[WorkingAction, typer.Argument(help="What to do.")] = WorkingAction.SHOW,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORDS",
            help="With attend, what to keep in mind; with refresh and dismiss, a slot; with topic, "
            "continuation, drift or switch.",
        ),
    ] = None,
    said: Said = Said(),  # frozen: its fields become options
) -> None:
    """Show what is in mind in a session, put something into it or out of it."""
    given = words or []
    _HEARING.check(action, given, said_in(said))
    _ACTIONS[action](call, given, said)


def _show(call: Call, _: Sequence[str], said: Said) -> None:
    with call.engram() as engram:
        back = engram.working.resume(session=said.session, scope=call.part)
    call.show(record(back), lambda: _mind(back))


def _attend(call: Call, words: Sequence[str], said: Said) -> None:
    if not words and said.memory is None:
        raise typer.BadParameter("`engram working attend` needs it.", param_hint="WORDS")
    with call.engram(is_new=True) as engram:
        slot = engram.working.attend(
            words[0] if words else "",
            relevance=_RELEVANCE if said.relevance is None else said.relevance,
            source=said.source or "user", memory_id=said.memory, pinned=said.pinned,
            session=said.session, scope=call.part,
        )  # fmt: skip
    call.show(record(slot), lambda: _slots([slot]))


def _export(call: Call, _: Sequence[str], said: Said) -> None:
    from engram.surfaces.working_documents import exported_document

    with call.engram() as engram:
        made = engram.working.export(
            said.form or "plain", budget=said.budget, session=said.session, scope=call.part
        )
    if call.json:
        call.show(exported_document(made), lambda: "")
    else:
        # In its own lines: what goes into a prompt or a parser is not broken to a terminal's width.
        typer.echo(safe(made.text))


def _refresh(call: Call, words: Sequence[str], said: Said) -> None:
    with call.engram() as engram:
        boost = _BOOST if said.boost is None else said.boost
        slot = engram.working.refresh(words[0], boost, session=said.session, scope=call.part)
    call.show(record(slot), lambda: _slots([slot]))


def _dismiss(call: Call, words: Sequence[str], said: Said) -> None:
    with call.engram() as engram:
        slot = engram.working.dismiss(words[0], session=said.session, scope=call.part)
    call.show(record(slot), lambda: styled("It is out of mind."))


def _topic(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.working_documents import ticked_document

    with call.engram() as engram:
        ticked = engram.working.topic(words[0], session=said.session, scope=call.part)
    call.show(ticked_document(ticked), lambda: _ticked(ticked))


def _clear(call: Call, _: Sequence[str], said: Said) -> None:
    with call.engram() as engram:
        count = engram.working.clear(session=said.session, scope=call.part)
    call.show({"slots": count}, lambda: styled(f"Out of mind: {pictures.counted(count, 'thing')}."))


_ACTIONS: dict[WorkingAction, Callable[[Call, Sequence[str], Said], None]] = {
    WorkingAction.SHOW: _show,
    WorkingAction.ATTEND: _attend,
    WorkingAction.EXPORT: _export,
    WorkingAction.REFRESH: _refresh,
    WorkingAction.DISMISS: _dismiss,
    WorkingAction.TOPIC: _topic,
    WorkingAction.CLEAR: _clear,
}


def _mind(back: "Resumed") -> "RenderableType":
    lost = f", {pictures.counted(back.dropped, 'thing')} did not come back" if back.dropped else ""
    told = styled(f"taken up {back.kind}{lost}", "dim")
    if not back.slots:
        return pictures.stack(styled("Nothing is in mind here."), told)
    return pictures.stack(_slots(back.slots), told)


def _slots(slots: "Sequence[Slot]") -> "RenderableType":
    made = pictures.table("slot", "active", "from", "what", whole=("slot", "active", "from"))
    for each in slots:
        flag = "[flagged] " if each.is_flagged else ""
        made.add_row(
            styled(each.id),
            styled(f"{each.activation:.2f}"),
            styled(each.source),
            styled(f"{flag}{each.text}"),
        )
    return made


def _ticked(ticked: "Ticked") -> "RenderableType":
    kept = pictures.counted(len(ticked.kept), "memory", "memories")
    gone = pictures.counted(len(ticked.let_go), "thing")
    return styled(f"Let go: {gone}. Kept of them: {kept}.")
