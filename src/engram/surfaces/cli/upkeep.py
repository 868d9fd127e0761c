"""The commands that take care of a store as a whole: health, doctor, backup and restore."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import YesOption
from engram.surfaces.cli.piping import bar


@command("health", panel=Panel.CARE, example="engram health --json")
def health(call: Call) -> None:
    """Try whether the store can be relied on right now; exits 1 when it cannot."""
    from engram.surfaces.documents import health_document

    with call.engram() as engram:
        found = engram.health()
    call.show(health_document(found), lambda: pictures.health(found))
    if found.status == "failing":
        raise typer.Exit(1)


@command("doctor", panel=Panel.CARE, example="engram doctor --repair")
def doctor(
    call: Call,
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what is found, on a copy first.")
    ] = False,
    reread: Annotated[
        bool, typer.Option("--reread", help="Learn anew from all kept turns; --yes does it.")
    ] = False,
    yes: YesOption = False,
) -> None:
    """Look the whole store over; exits 1 when something is wrong."""
    from engram.surfaces.documents import doctor_document

    if reread:
        if repair:
            raise typer.BadParameter("It goes without --repair.", param_hint="--reread")
        _reread(call, is_dry_run=not yes)
        return
    with call.engram(is_unchecked=True) as engram:
        if repair and not yes and terminal.is_interactive():
            _stop_unless(terminal.is_confirmed("Mend what the doctor finds?"))
        report = engram.doctor(repair=repair)
    call.show(doctor_document(report), lambda: pictures.doctor(report))
    if not report.is_fine:
        raise typer.Exit(1)


def _reread(call: Call, *, is_dry_run: bool) -> None:
    """Show what reading all turns again would change, or do it."""
    from engram.surfaces.documents import record

    with call.engram() as engram, bar("Reading again") as advance:
        found = engram.reread(dry_run=is_dry_run, progress=advance)
    call.show(record(found), lambda: pictures.reread(found, call.again))


@command("backup", panel=Panel.CARE, example="engram backup ~/engram-copy.db")
def backup(
    call: Call,
    path: Annotated[
        Path | None, typer.Argument(help="Where to; without it among the store's own backups.")
    ] = None,
    with_keys: Annotated[
        bool, typer.Option("--with-keys", help="Take the keys of protected memories along.")
    ] = False,
) -> None:
    """Make a backup, opened and counted before it is called one."""
    from engram.surfaces.documents import record

    with call.engram() as engram:
        made = engram.backup(path, with_keys=with_keys)
    line = (
        f"Backed up {pictures.counted(made.states, 'state')} ({made.bytes:,} bytes) to {made.path}"
    )
    call.show(record(made), lambda: terminal.styled(line, "green"))


@command("restore", panel=Panel.CARE, example="engram restore ~/engram-copy.db --yes")
def restore(
    call: Call,
    path: Annotated[
        Path | None, typer.Argument(help="Which backup; without it the newest of the store's own.")
    ] = None,
    yes: YesOption = False,
) -> None:
    """Put a backup in the store's place; refused while others have the store open."""
    if not yes:
        if not terminal.is_interactive():
            raise typer.BadParameter(
                "Restoring replaces the store; confirm with --yes.", param_hint="--yes"
            )
        _stop_unless(terminal.is_confirmed(f"Replace {call.folder} by {_told(call, path)}?"))
    from engram.wiring import restore_store

    call.check_owner()
    states = restore_store(call.folder, path, passphrase=call.passphrase)
    line = f"Restored {pictures.counted(states, 'state')}."
    call.show({"restored": states}, lambda: terminal.styled(line, "green"))


def _told(call: Call, path: Path | None) -> str:
    """Which backup is meant, how old and how large it is, as far as that can be seen."""
    own = sorted((call.folder / "backups").glob("engram-*.db"))
    source = path.expanduser() if path else own[-1] if own else None
    which = f"{path}" if path else "its newest backup"
    try:
        found = source.stat() if source else None
    except OSError:
        return which  # restoring says what is wrong with it
    if found is None:
        return which
    made = datetime.fromtimestamp(found.st_mtime, UTC)
    age = pictures.age(datetime.now(UTC) - made)
    return f"{which}, {age} old ({made:%Y-%m-%d %H:%M} UTC), {found.st_size:,} bytes"


def _stop_unless(is_confirmed: bool) -> None:
    if not is_confirmed:
        terminal.console(stderr=True).print(terminal.styled("Nothing was changed.", "yellow"))
        raise typer.Exit(1)
