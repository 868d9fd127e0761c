"""What `engram keys` does with the keys of the store itself: status, ways in, and renewal."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import typer

from engram.errors import EncryptionFailed, InvalidInput
from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.security.keys import KeySlot
    from engram.surfaces.documents import Document

_KEY_BYTES = 32
_KEY_SLOT = "keys.json"
_EMPTY = "An empty passphrase locks nothing."
_NOTHING_GIVEN = (
    "There is no terminal to ask for a passphrase. Give one on the input, or a key by --key-file; "
    "`keys encrypt` takes ENGRAM_PASSPHRASE too. Nothing was changed."
)
_RENEWED = {
    "master": "Another master key opens the store, and all its keys are made of it.",
    "database": "The database is under another key.",
    "vault": "The keys of persons are under another key.",
    "subjects": "Every person has a fresh key.",
}


class Lock(Protocol):
    """What the key of a store is taken from, and what goes with it."""

    @property
    def key_file(self) -> Path | None:
        """A file with the new key."""
        ...

    @property
    def keyring(self) -> str | None:
        """What the keyring calls the new key."""
        ...

    @property
    def remove_plain_backups(self) -> bool:
        """Whether readable backups go after the store is encrypted."""
        ...

    @property
    def drop_old_keys(self) -> bool:
        """Whether the old keys of persons end."""
        ...


def show_status(call: Call) -> None:
    """Whether the store is encrypted and what opens it; nothing is unlocked for it."""
    from engram.security.keys import read_slot
    from engram.settings import names_credentials

    slot = read_slot(call.folder / _KEY_SLOT)
    document: Document = {
        "encrypted": slot is not None,
        "ways_in": _wrappings(slot),
        "versions": dict(slot["keys"]) if slot else {},
        "credentials_in_environment": names_credentials(),
    }
    call.show(document, lambda: _status(slot))


def _wrappings(slot: "KeySlot | None") -> list[dict[str, str]]:
    return [{"id": each["id"], "kind": each["kind"]} for each in slot["wrappings"]] if slot else []


def _status(slot: "KeySlot | None") -> "RenderableType":
    if slot is None:
        return terminal.styled("Not encrypted.")
    ways = [terminal.styled(f"  {each['id']}  {each['kind']}") for each in _wrappings(slot)]
    versions = ", ".join(f"{use} {number}" for use, number in slot["keys"].items())
    return pictures.stack(
        terminal.styled("Encrypted; opened by:"),
        *ways,
        terminal.styled(f"Versions of its keys: {versions}.", "dim"),
    )


def show_fresh_key(call: Call, keyring: str | None) -> None:
    """A key to keep somewhere; one for the keyring is kept there and not shown."""
    if keyring is not None:
        from engram.security.keys import put_key_into_keyring

        put_key_into_keyring(keyring)
        line = f"The keyring holds a key by the name {keyring}; ENGRAM_KEYRING says so to Engram."
        call.show({"keyring": keyring}, lambda: terminal.styled(line, "green"))
        return
    import secrets

    key = secrets.token_hex(_KEY_BYTES)
    call.show({"key": key}, lambda: terminal.styled(key))


def encrypt(call: Call, lock: Lock) -> None:
    """Encrypt a plain store by what the environment names, or by what is said now."""
    from engram.security.keys import read_slot

    if read_slot(call.folder / _KEY_SLOT) is not None:
        remaining = _left_plain(call, lock)
    else:
        with call.engram(is_plain=True) as engram:
            remaining = engram.upkeep.encrypt(*(_named_secret(lock) or _fresh_secret(lock)))
    if lock.remove_plain_backups:
        for path in remaining:
            path.unlink(missing_ok=True)
    kept = [] if lock.remove_plain_backups else [str(path) for path in remaining]
    removed = len(remaining) if lock.remove_plain_backups else 0
    document: Document = {"encrypted": True, "plain_backups": kept, "removed": removed}
    call.show(document, lambda: pictures.encrypted(kept, removed))


def _left_plain(call: Call, lock: Lock) -> list[Path]:
    """The readable backups beside a store that is encrypted already; only its key tells of them."""
    if not lock.remove_plain_backups:
        raise EncryptionFailed(
            hint="This store is encrypted already. `engram keys change` replaces what opens it; "
            "`keys encrypt --remove-plain-backups` deletes readable backups beside it."
        )
    with call.engram() as engram:
        return engram.upkeep.plain_backups()


def decrypt(call: Call, *, is_confirmed: bool) -> None:
    """Make the store plain again, if that is really meant."""
    if not is_confirmed:
        question = "Whoever reads the files will read everything. Decrypt the store?"
        if not terminal.is_interactive() or not terminal.is_confirmed(question):
            raise InvalidInput(hint="Confirm it with --yes. Nothing was changed.")
    with call.engram() as engram:
        engram.upkeep.decrypt(confirmed=True)
    line = "The store is plain. Its older backups are still encrypted."
    call.show({"encrypted": False}, lambda: terminal.styled(line, "yellow"))


def change(call: Call, lock: Lock) -> None:
    """Replace what opens the store."""
    with call.engram() as engram:
        passphrase, key, keyring = _fresh_secret(lock)
        engram.upkeep.change_key(passphrase, key, keyring)
    kind = _kind(key, keyring)
    line = f"From now on another {kind} opens this store and its own backups."
    call.show({"unlocked_by": kind}, lambda: terminal.styled(line, "green"))


def add(call: Call, lock: Lock) -> None:
    """Let something else open the store as well."""
    with call.engram() as engram:
        passphrase, key, keyring = _fresh_secret(lock)
        engram.upkeep.add_key(passphrase, key, keyring)
    kind = _kind(key, keyring)
    line = f"From now on this {kind} opens the store and its own backups too."
    call.show({"added": kind}, lambda: terminal.styled(line, "green"))


def remove(call: Call, way: str) -> None:
    """Let one way in end."""
    with call.engram() as engram:
        engram.upkeep.remove_key(way)
    line = f"{way} no longer opens the store or its own backups."
    call.show({"removed": way}, lambda: terminal.styled(line, "green"))


def show_recovery_key(call: Call) -> None:
    """Make a recovery key and show it, this once."""
    with call.engram() as engram:
        text = engram.upkeep.recovery_key()
    line = "Write this down and keep it elsewhere: it is stored nowhere and is not shown again."
    call.show({"recovery_key": text}, lambda: terminal.styled(line, "yellow"))
    if not call.json:
        # Not drawn: what a narrow terminal breaks in two is copied wrongly.
        typer.echo(text)


def renew(call: Call, what: str, lock: Lock) -> None:
    """Replace keys by fresh ones."""
    with call.engram() as engram:
        renewal = engram.upkeep.renew_keys(what, drop_old=lock.drop_old_keys)
    lines = [terminal.styled(_RENEWED[renewal.what], "green")]
    if renewal.lost:
        lost = ", ".join(renewal.lost)
        lines.append(terminal.styled(f"These no longer open it, add them again: {lost}.", "yellow"))
    document: Document = {
        "renewed": renewal.what, "records": renewal.records, "lost": list(renewal.lost),
    }  # fmt: skip
    call.show(document, lambda: pictures.stack(*lines))


def _named_secret(lock: Lock) -> tuple[str | None, bytes | None, str | None] | None:
    """What the environment names: what opens the store next time may as well lock it now."""
    from engram.settings import credentials, keyring_entry

    if lock.key_file is not None or lock.keyring is not None:
        return None
    named = credentials()
    if not named.are_given or named.kind == "recovery":
        return None
    is_kept = named.kind == "keyring"
    return (None, None, keyring_entry()) if is_kept else (named.passphrase, named.key, None)


def _kind(key: bytes | None, keyring: str | None) -> str:
    return "keyring" if keyring is not None else "key" if key is not None else "passphrase"


def _fresh_secret(lock: Lock) -> tuple[str | None, bytes | None, str | None]:
    """A key from a file or the keyring, or a passphrase typed twice; a pipe gives it once."""
    if lock.key_file is not None and lock.keyring is not None:
        raise InvalidInput(hint="Give a key file or a keyring, not both.")
    if lock.keyring is not None:
        return None, None, lock.keyring
    if lock.key_file is not None:
        from engram.security.keys import read_key_file

        return None, read_key_file(lock.key_file.expanduser()), None
    passphrase = terminal.ask_secret("New passphrase: ")
    if not passphrase:
        raise InvalidInput(hint=_EMPTY if terminal.is_interactive() else _NOTHING_GIVEN)
    if terminal.is_interactive() and terminal.ask_secret("Once more: ") != passphrase:
        raise InvalidInput(hint="The two passphrases differ. Nothing was changed.")
    return passphrase, None, None
