"""The command that shows, explains and changes settings."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import ConfigInvalid, StoreReadOnly
from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command

if TYPE_CHECKING:
    from pathlib import Path

    from engram.settings import SettingRow


class ConfigAction(StrEnum):
    """What can be done with settings."""

    SHOW = "show"
    GET = "get"
    SET = "set"
    UNSET = "unset"
    EXPLAIN = "explain"
    PATH = "path"


@command("config", panel=Panel.CARE, example="engram config set recall.limit 20")
def config(
    call: Call,
    action: Annotated[
        ConfigAction, typer.Argument(help="What to do; without it all settings are shown.")
    ] = ConfigAction.SHOW,
    key: Annotated[str | None, typer.Argument(help="A setting, as recall.limit.")] = None,
    value: Annotated[str | None, typer.Argument(help="Its value, for set.")] = None,
) -> None:
    """Show all settings, or get, set, unset or explain one; a running process follows."""
    match action:
        case ConfigAction.SHOW:
            _show_all(call)
        case ConfigAction.PATH:
            file = str(_file(call))
            call.show({"path": file}, lambda: terminal.styled(file))
        case ConfigAction.GET:
            row = _row(call, _needed(key, "KEY"))
            _show_row(call, row, as_value=True)
        case ConfigAction.EXPLAIN:
            row = _row(call, _needed(key, "KEY"))
            _show_row(call, row, as_value=False)
        case ConfigAction.SET:
            _write(call, _needed(key, "KEY"), _needed(value, "VALUE"))
        case ConfigAction.UNSET:
            _write(call, _needed(key, "KEY"), None)


def _file(call: Call) -> "Path":
    return call.folder / "config.toml"


def _needed(value: str | None, name: str) -> str:
    if value is None:
        raise typer.BadParameter("It is missing.", param_hint=name)
    return value


def _rows(call: Call) -> "list[SettingRow]":
    from engram.settings import LiveSettings

    return LiveSettings(_file(call)).rows()


def _row(call: Call, key: str) -> "SettingRow":
    found = next((row for row in _rows(call) if row.key == key), None)
    if found is None:
        raise ConfigInvalid(hint=f"There is no setting `{key}`; `engram config` lists them.")
    return found


def _show_all(call: Call) -> None:
    from engram.surfaces.documents import setting_document

    rows = _rows(call)
    document: dict[str, object] = {
        "path": str(_file(call)),
        "settings": [setting_document(row) for row in rows],
    }
    call.show(document, lambda: pictures.settings(rows))


def _show_row(call: Call, row: "SettingRow", *, as_value: bool) -> None:
    from engram.surfaces.documents import setting_document

    document = setting_document(row)
    call.show(
        document, lambda: terminal.styled(row.value) if as_value else pictures.details(document)
    )


def _write(call: Call, key: str, value: str | None) -> None:
    call.check_owner()
    if _can_be_opened(call):
        with call.engram() as engram:
            engram.upkeep.configure(key, value)
    else:
        _write_alone(call, key, value)
    _show_row(call, _row(call, key), as_value=False)


def _can_be_opened(call: Call) -> bool:
    """Whether there is a store whose audit can note the change; settings may be what is wrong."""
    from engram.storage.place import is_store

    try:
        _rows(call)
    except ConfigInvalid:
        return False
    return is_store(call.folder)


def _write_alone(call: Call, key: str, value: str | None) -> None:
    from engram.settings import write_setting

    try:
        call.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreReadOnly(hint="The store's folder cannot be made.") from error
    write_setting(_file(call), key, value)
