"""The command for the process in the background: start it, stop it, see what it does."""

import threading
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import StoreInUse
from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call, no_store
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine.background import Holder, Waiting
    from engram.security.keys import Credentials
    from engram.surfaces.documents import Document

_BEGIN_SECONDS = 5.0
_STOP_SECONDS = 5.0
_LOOK_SECONDS = 0.02


class DaemonAction(StrEnum):
    """What can be done with it."""

    STATUS = "status"
    START = "start"
    STOP = "stop"
    RUN = "run"


@command("daemon", panel=Panel.CARE, example="engram daemon status")
def daemon(
    call: Call,
    action: Annotated[
        DaemonAction,
        typer.Argument(help="status, start, stop, or run: in this terminal until interrupted."),
    ] = DaemonAction.STATUS,
) -> None:
    """See, start or stop the process that embeds, reads and sends in the background."""
    from engram.storage.place import is_store

    call.check_owner()
    if not is_store(call.folder):
        raise no_store(call.folder)
    match action:
        case DaemonAction.STATUS:
            _show_status(call)
        case DaemonAction.START:
            _start(call)
        case DaemonAction.STOP:
            _stop(call)
        case DaemonAction.RUN:
            _run(call)


def _show_status(call: Call) -> None:
    from engram.engine.background import BackgroundWork, seated
    from engram.memory.scopes import Principal
    from engram.wiring import open_engram

    # Not as other commands open it: looking must not start what is looked for.
    with open_engram(
        call.folder, principal=Principal.of(None), passphrase=call.passphrase
    ) as owner:
        waiting = BackgroundWork.of(owner).waiting()
        start = owner.settings.daemon.start
    holder = seated(call.folder)
    document: Document = {
        **_holder_document(holder),
        "start": start,
        "waiting": {
            "texts": waiting.texts,
            "turns": waiting.turns,
            "webhooks": waiting.webhooks,
        },
    }
    call.show(document, lambda: _picture(holder, waiting))


def _holder_document(holder: "Holder | None") -> "Document":
    return {
        "running": holder is not None,
        "process": holder.process if holder else None,
        "since": holder.since if holder else None,
    }


def _picture(holder: "Holder | None", waiting: "Waiting") -> "RenderableType":
    if holder is None:
        line = styled("Not running; commands that leave work behind start it.", "dim")
    else:
        line = styled(f"Running as process {holder.process} since {holder.since}.", "green")
    parts = [
        pictures.counted(waiting.texts, "text waits", "texts wait") + " to be embedded",
        pictures.counted(waiting.turns, "turn") + " to be read",
        pictures.counted(waiting.webhooks, "webhook") + " to be told",
    ]
    return pictures.stack(line, styled(", ".join(parts) + ".", "dim"))


def _start(call: Call) -> None:
    from engram.engine.background import seated
    from engram.surfaces.daemon.start import start

    before = seated(call.folder)
    if before is None:
        start(call.folder, _secret(call))
    until = time.monotonic() + _BEGIN_SECONDS
    while (holder := seated(call.folder)) is None and time.monotonic() < until:
        time.sleep(_LOOK_SECONDS)
    if holder is None:
        raise StoreInUse(
            hint="It has not begun; `engram daemon run` shows why, or somebody has the store alone."
        )
    done = "It was running already" if before else "Started"
    document = {**_holder_document(holder), "started": before is None}
    call.show(document, lambda: styled(f"{done} (process {holder.process}).", "green"))


def _stop(call: Call) -> None:
    from engram.engine.background import seat_kept_free, seated

    before = seated(call.folder)
    with seat_kept_free(call.folder, _STOP_SECONDS) as is_free:
        if not is_free:
            raise StoreInUse(hint="It does not leave. It may be in the middle of a long step.")
    line = "Stopped; everything it did is kept." if before else "It was not running."
    call.show({"stopped": before is not None}, lambda: styled(line, "green" if before else "dim"))


def _run(call: Call) -> None:
    import signal

    from engram.surfaces.daemon.__main__ import serve

    told = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, lambda *_: told.set())
    reason = serve(call.folder.absolute(), _secret(call), told)
    if reason is None:
        raise StoreInUse(hint="Another one works for this store, or somebody needs it alone.")
    call.show({"left": reason.value}, lambda: styled(f"Left: {reason.value}.", "dim"))


def _secret(call: Call) -> "Credentials":
    from engram.settings import credentials

    return credentials(call.passphrase)
