"""What is said to a command of several actions is heard by the one it is said to, or refused."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def is_said(options: "DataclassInstance") -> bool:
    """Whether any of a group of options was given."""
    return any(getattr(options, each.name) != each.default for each in fields(options))


def check_heard(
    action: str, name: str | None, *, wanted: Mapping[str, str], given: Mapping[str, bool]
) -> None:
    """Refuse what would go unheard: a key's grant, say, cannot be changed by rotating it.

    An action is written with its command, as `keys issue`; `wanted` is by action what has to be
    named, `given` by action whether there are options that go with it alone.
    """
    needed = wanted.get(action)
    if needed and not name:
        raise typer.BadParameter(f"`engram {action}` needs it.", param_hint=needed)
    if name and not needed:
        raise typer.BadParameter(f"`engram {action}` takes none.", param_hint="NAME|ID")
    for owner, is_given in given.items():
        if is_given and owner != action:
            raise typer.BadParameter(f"There are options that go with `engram {owner}` only.")
