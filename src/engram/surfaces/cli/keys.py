"""The command that locks a store and changes what opens it."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command

if TYPE_CHECKING:
    from engram.surfaces.documents import Document

_KEY_BYTES = 32


class KeysAction(StrEnum):
    """What can be done with keys."""

    STATUS = "status"
    GENERATE = "generate"
    ENCRYPT = "encrypt"
    CHANGE = "change"


@command("keys", panel=Panel.CARE, example="engram keys encrypt --key-file ~/engram.key")
def keys(
    call: Call,
    action: Annotated[KeysAction, typer.Argument(help="What to do.")] = KeysAction.STATUS,
    key_file: Annotated[
        Path | None,
        typer.Option(help="A file with the new key; without it a passphrase is asked for."),
    ] = None,
    remove_plain_backups: Annotated[
        bool, typer.Option("--remove-plain-backups", help="After encrypt, delete readable backups.")
    ] = False,
) -> None:
    """Say whether the store is encrypted, make a key, encrypt the store or change its key."""
    match action:
        case KeysAction.STATUS:
            _show_status(call)
        case KeysAction.GENERATE:
            _show_fresh_key(call)
        case KeysAction.ENCRYPT:
            _encrypt(call, key_file, is_removing=remove_plain_backups)
        case KeysAction.CHANGE:
            _change(call, key_file)


def _show_fresh_key(call: Call) -> None:
    import secrets

    key = secrets.token_hex(_KEY_BYTES)
    call.show({"key": key}, lambda: terminal.styled(key))


def _show_status(call: Call) -> None:
    from engram.security.keys import read_slot
    from engram.settings import credentials

    slot = read_slot(call.folder / "keys.json")
    document: Document = {
        "encrypted": slot is not None,
        "unlocked_by": slot["kind"] if slot else None,
        "credentials_in_environment": credentials().are_given,
    }
    line = f"Encrypted; opened by a {slot['kind']}." if slot else "Not encrypted."
    call.show(document, lambda: terminal.styled(line))


def _encrypt(call: Call, key_file: Path | None, *, is_removing: bool) -> None:
    from engram.settings import credentials

    named = credentials()  # what will open the store next time may as well lock it now
    with call.engram(is_plain=True) as engram:
        is_named = named.are_given and key_file is None
        passphrase, key = (named.passphrase, named.key) if is_named else _fresh_secret(key_file)
        remaining = engram.upkeep.encrypt(passphrase, key)
    if is_removing:
        for path in remaining:
            path.unlink(missing_ok=True)
    kept = [] if is_removing else [str(path) for path in remaining]
    document: Document = {
        "encrypted": True,
        "plain_backups": kept,
        "removed": len(remaining) if is_removing else 0,
    }
    call.show(document, lambda: pictures.encrypted(kept))


def _change(call: Call, key_file: Path | None) -> None:
    with call.engram() as engram:
        passphrase, key = _fresh_secret(key_file)
        engram.upkeep.change_key(passphrase, key)
    kind = "key" if key is not None else "passphrase"
    line = f"From now on another {kind} opens this store and its own backups."
    call.show({"unlocked_by": kind}, lambda: terminal.styled(line, "green"))


def _fresh_secret(key_file: Path | None) -> tuple[str | None, bytes | None]:
    """A key from a file, or a passphrase typed twice; a pipe gives it once."""
    if key_file is not None:
        from engram.security.keys import read_key_file

        return None, read_key_file(key_file.expanduser())
    passphrase = terminal.ask_secret("New passphrase: ")
    if not passphrase:
        raise InvalidInput(hint="An empty passphrase locks nothing.")
    if terminal.is_interactive() and terminal.ask_secret("Once more: ") != passphrase:
        raise InvalidInput(hint="The two passphrases differ. Nothing was changed.")
    return passphrase, None
