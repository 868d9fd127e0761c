"""The command for keys: the one that locks the store, and those that let others in from outside."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.heard import check_heard, is_said
from engram.surfaces.cli.options import YesOption, as_moment

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.memory.access import AccessKey, IssuedKey

_ISSUING = "With issue"
_STATE_STYLES = {"active": "green", "expired": "yellow", "revoked": "red"}


class KeysAction(StrEnum):
    """What can be done with keys."""

    STATUS = "status"
    GENERATE = "generate"
    ENCRYPT = "encrypt"
    DECRYPT = "decrypt"
    CHANGE = "change"
    ADD = "add"
    REMOVE = "remove"
    RECOVERY = "recovery"
    RENEW = "renew"
    ISSUE = "issue"
    LIST = "list"
    ROTATE = "rotate"
    REVOKE = "revoke"


_WANTED = {
    "keys issue": "NAME", "keys rotate": "ID", "keys revoke": "ID",
    "keys remove": "ID|KIND", "keys renew": "WHAT",
}  # fmt: skip
_LOCKING = "For the key of the store"


@dataclass(frozen=True, slots=True)
class Lock:
    """What the key of a store is taken from, and what goes with it."""

    key_file: Annotated[
        Path | None,
        typer.Option(
            help="A file with the new key; without it a passphrase is asked for.",
            rich_help_panel=_LOCKING,
        ),
    ] = None
    keyring: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Keep the new key in the keyring of the operating system, by this name.",
            rich_help_panel=_LOCKING,
        ),
    ] = None
    remove_plain_backups: Annotated[
        bool,
        typer.Option(
            "--remove-plain-backups",
            help="After encrypt, delete readable backups.",
            rich_help_panel=_LOCKING,
        ),
    ] = False
    drop_old_keys: Annotated[
        bool,
        typer.Option(
            "--drop-old-keys",
            help="With renew subjects: end the old keys; backups from before lose what is sealed.",
            rich_help_panel=_LOCKING,
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class Grant:
    """What a key that is issued is for."""

    kind: Annotated[
        str,
        typer.Option(help="Who holds it: person, agent or skill.", rich_help_panel=_ISSUING),
    ] = "agent"
    role: Annotated[
        str,
        typer.Option(
            help="What it may do: reader, writer, curator, orchestrator or admin.",
            rich_help_panel=_ISSUING,
        ),
    ] = "reader"
    home: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="SCOPE",
            help="Where it belongs, as project=acme,agent=coder; without it, to all.",
            rich_help_panel=_ISSUING,
        ),
    ] = None
    expires: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="When it ends: 90d, 12h, 26w or a time.",
            rich_help_panel=_ISSUING,
        ),
    ] = None
    per_minute: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Requests a minute; without it, as the settings say.",
            rich_help_panel=_ISSUING,
        ),
    ] = None


@command("keys", panel=Panel.CARE, example="engram keys issue coder --role writer --expires 90d")
def keys(  # one word for all that has to do with keys
    call: Call,
    action: Annotated[KeysAction, typer.Argument(help="What to do.")] = KeysAction.STATUS,
    key: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME|ID|WHAT",
            help="With issue, who it is for; with renew, master, database, vault or subjects; "
            "with remove, the id or kind of a way in; else which key.",
        ),
    ] = None,
    grant: Grant = Grant(),  # frozen: its fields become options
    grace: Annotated[
        float, typer.Option(metavar="SECONDS", help="With rotate: how long the old one is good.")
    ] = 0.0,
    reason: Annotated[str, typer.Option(help="With revoke: why; it is kept with the key.")] = "",
    every: Annotated[bool, typer.Option("--all", help="With list: past keys too.")] = False,
    lock: Lock = Lock(),  # frozen: its fields become options
    yes: YesOption = False,
) -> None:
    """Encrypt the store, change or renew its keys; issue, list, rotate or revoke callers' keys."""
    given = {
        "keys issue": is_said(grant),
        "keys rotate": bool(grace),
        "keys revoke": bool(reason),
        "keys list": every,
    }
    check_heard(f"keys {action}", key, wanted=_WANTED, given=given)
    if action in _FOR_CALLERS:
        _let_in(call, action, key or "", grant=grant, grace=grace, reason=reason, is_every=every)
    else:
        _lock(call, action, key or "", lock, is_confirmed=yes)


_FOR_CALLERS = frozenset({
    KeysAction.ISSUE, KeysAction.LIST, KeysAction.ROTATE, KeysAction.REVOKE,
})  # fmt: skip


def _let_in(
    call: Call, action: KeysAction, key: str, *,
    grant: Grant, grace: float, reason: str, is_every: bool,
) -> None:  # fmt: skip
    match action:
        case KeysAction.ISSUE:
            _issue(call, key, grant)
        case KeysAction.LIST:
            _list(call, is_every=is_every)
        case KeysAction.ROTATE:
            _rotate(call, key, grace)
        case _:
            _revoke(call, key, reason)


def _lock(call: Call, action: KeysAction, word: str, lock: Lock, *, is_confirmed: bool) -> None:
    from engram.surfaces.cli import locking

    match action:
        case KeysAction.STATUS:
            locking.show_status(call)
        case KeysAction.GENERATE:
            locking.show_fresh_key(call, lock.keyring)
        case KeysAction.ENCRYPT:
            locking.encrypt(call, lock)
        case KeysAction.DECRYPT:
            locking.decrypt(call, is_confirmed=is_confirmed)
        case KeysAction.CHANGE:
            locking.change(call, lock)
        case KeysAction.ADD:
            locking.add(call, lock)
        case KeysAction.REMOVE:
            locking.remove(call, word)
        case KeysAction.RECOVERY:
            locking.show_recovery_key(call)
        case _:
            locking.renew(call, word, lock)


def _issue(call: Call, name: str, grant: Grant) -> None:
    from engram.memory.scopes import Scope

    with call.engram() as engram:
        issued = engram.issue_key(
            name,
            kind=grant.kind,
            role=grant.role,
            scope=Scope.parse(grant.home) if grant.home else None,
            expires_at=_ending(grant.expires),
            per_minute=grant.per_minute,
        )
    _show_issued(call, issued)


def _rotate(call: Call, key_id: str, grace: float) -> None:
    with call.engram() as engram:
        issued = engram.rotate_key(key_id, grace_seconds=grace)
    _show_issued(call, issued)


def _revoke(call: Call, key_id: str, reason: str) -> None:
    from engram.surfaces.documents import key_document

    with call.engram() as engram:
        ended = engram.revoke_key(key_id, reason)
    line = f"Revoked {ended.id} ({ended.name}): it opens nothing from now on."
    call.show(key_document(ended), lambda: terminal.styled(line, "green"))


def _list(call: Call, *, is_every: bool) -> None:
    from engram.surfaces.documents import key_document

    with call.engram() as engram:
        found = engram.keys(every=is_every)
    call.show({"keys": [key_document(each) for each in found]}, lambda: _listed(found))


def _ending(text: str | None) -> datetime | str | None:
    """A time, or one that is so far away from now: 90d."""
    from engram.memory.times import parse_horizon

    if text is None:
        return None
    try:
        return datetime.now(UTC) + parse_horizon(text)
    except InvalidInput:
        return as_moment(text)


def _show_issued(call: Call, issued: "IssuedKey") -> None:
    from engram.surfaces.documents import issued_key_document

    call.show(issued_key_document(issued), lambda: _issued(issued.key))
    if not call.json:
        # Not drawn: what a narrow terminal breaks in two cannot be copied.
        typer.echo(issued.text)


def _issued(key: "AccessKey") -> "RenderableType":
    where = "the whole store" if key.role == "admin" else key.scope.path
    until = f"until {pictures.moment(key.expires_at)} UTC" if key.expires_at else "until revoked"
    return pictures.stack(
        terminal.styled(f"{key.id}: {key.name}, {key.kind} and {key.role}, {where}, {until}."),
        terminal.styled("Keep this now: it is stored nowhere and cannot be shown again.", "yellow"),
    )


def _listed(found: "list[AccessKey]") -> "RenderableType":
    if not found:
        return terminal.styled("No keys. `engram keys issue NAME` makes one.", "dim")
    columns = ("id", "name and scope", "holder and role", "until (UTC)", "state")
    made = pictures.table(*columns, whole=("id", "until (UTC)", "state"))
    for key in found:
        state = key.state(datetime.now(UTC))
        ends = min((each for each in (key.expires_at, key.revoked_at) if each), default=None)
        made.add_row(
            terminal.styled(key.id, "bold"),
            pictures.stack(terminal.styled(key.name), terminal.styled(key.scope.path, "dim")),
            terminal.styled(f"{key.kind}, {key.role}"),
            terminal.styled(pictures.moment(ends), "dim"),
            terminal.styled(state, _STATE_STYLES[state]),
        )
    return made
