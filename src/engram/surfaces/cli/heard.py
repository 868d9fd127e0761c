"""What is said to a command of several actions is heard by the one it is said to, or refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
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


def said_in(*groups: "DataclassInstance") -> dict[str, object]:
    """The options of some groups that were given, by name."""
    given = {each.name: getattr(group, each.name) for group in groups for each in fields(group)}
    # Zero is said, though it equals false.
    return {
        name: value
        for name, value in given.items()
        if value is not None and value is not False and value != ""
    }


@dataclass(frozen=True, slots=True)
class Hearing:
    """What a command of several actions hears.

    `wants` is by action what it is told, in order: in brackets what may be left out, with dots what
    may be said more than once. `heard` is by option which actions hear it; `otherwise` those that
    hear an option not named there. `typed` is what some options are called when typed.
    """

    command: str
    wants: Mapping[str, tuple[str, ...]]
    heard: Mapping[str, frozenset[str]]
    otherwise: frozenset[str] = frozenset()
    typed: Mapping[str, str] | None = None

    def check(self, action: str, words: Sequence[str], said: Mapping[str, object]) -> None:
        """Refuse what would go unheard, and what is missing."""
        wanted = self.wants.get(action, ())
        needed = [name for name in wanted if not name.startswith("[")]
        line = " ".join(("engram", self.command, action, *wanted))
        if len(words) < len(needed):
            missing = needed[len(words)].rstrip(".")
            raise typer.BadParameter(f"`{line}` needs it.", param_hint=missing)
        has_more = bool(wanted) and "..." in wanted[-1]
        if len(words) > len(wanted) and not has_more:
            raise typer.BadParameter(f"Too many words for `{line}`; quote what belongs together.")
        for name in said:
            hearing = self.heard.get(name, self.otherwise)
            if action not in hearing:
                option = (self.typed or {}).get(name, name).replace("_", "-")
                told = f"It goes with: {', '.join(sorted(hearing))}."
                raise typer.BadParameter(told, param_hint=f"--{option}")
