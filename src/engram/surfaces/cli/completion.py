"""What the terminal completes: labels, categories, scopes, sessions, settings and the like.

Completing happens at every press of a key, so nothing here makes a store, waits for an embedder,
asks for a passphrase or says a word when something is wrong: then there is nothing to choose from.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from engram.errors import EngramError

if TYPE_CHECKING:
    from engram.engine import Engram
    from engram.memory.record import Memory

_LOOKED_AT = 300  # the newest memories: what is completed is mostly what was said lately
_HARMLESS = re.compile(r"[\w@%+=:,./-]+")
_CHOICES = Iterable[str] | Iterable[tuple[str, str]]
_Complete = Callable[[typer.Context, str], list[str] | list[tuple[str, str]]]


def completing(command: str, name: str, metavar: str | None) -> _Complete | None:
    """What completes a parameter of a command, if anything does."""
    found = (
        _OF_COMMANDS.get((command, name)) or _BY_METAVAR.get(metavar or "") or _BY_NAME.get(name)
    )
    return _by_beginning(found) if found else None


def _by_beginning(choices: Callable[[typer.Context], _CHOICES]) -> _Complete:
    """What begins with the letters typed so far; an error is no choice."""

    def complete(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
        try:
            found = [each if isinstance(each, tuple) else (each, "") for each in choices(ctx)]
        except (EngramError, OSError, ValueError):
            return []
        return [each for each in found if each[0].startswith(incomplete) and _is_harmless(each[0])]

    return complete


def _is_harmless(value: str) -> bool:
    """Whether a shell takes it as it is: what somebody said must never be run by a key press."""
    return _HARMLESS.fullmatch(value) is not None


def labels(ctx: typer.Context) -> list[tuple[str, str]]:
    """The newest memories by their labels, with what they are about and since when.

    Without a word of theirs: shells evaluate what stands beside a choice.
    """
    return [(memory.label, f"{memory.category} {memory.at:%Y-%m-%d}") for memory in _newest(ctx)]


def scopes(ctx: typer.Context) -> list[str]:
    """Every scope that holds something, as it is typed."""
    from engram.memory.scopes import Scope

    with _opened(ctx) as engram:
        found = engram.upkeep.scopes() if engram else {}
    paths = (path.strip("/").replace("/", ",") for path in found)
    return sorted(path for path in paths if path and str(Scope.parse(path)))


def sessions(ctx: typer.Context) -> list[str]:
    """The sessions of the newest memories."""
    return _values(ctx, "session")


def speakers(ctx: typer.Context) -> list[str]:
    """Who said the newest memories."""
    return _values(ctx, "speaker")


def subjects(ctx: typer.Context) -> list[str]:
    """Whom the newest memories are about."""
    return _values(ctx, "subject")


def sources(ctx: typer.Context) -> list[str]:
    """Where the newest memories come from."""
    return _values(ctx, "source")


def categories(ctx: typer.Context) -> list[str]:
    """Every category, those of the settings too."""
    from engram.settings import LiveSettings

    registry = LiveSettings(_folder(ctx) / "config.toml").current.registry
    return sorted(registry.names())


def settings(_: typer.Context) -> list[tuple[str, str]]:
    """Every setting with its meaning."""
    from engram.settings import setting_rules

    return [(key, rule.meaning) for key, (_, rule) in sorted(setting_rules().items())]


def statuses(_: typer.Context) -> list[str]:
    """Every status, and any of them."""
    from engram.memory.vocabulary import Status

    return [*Status, "any"]


def layers(_: typer.Context) -> list[str]:
    """Every layer."""
    from engram.memory.vocabulary import Layer

    return list(Layer)


def types(_: typer.Context) -> list[str]:
    """Every type of statement."""
    from engram.memory.vocabulary import MemoryType

    return list(MemoryType)


def kinds(_: typer.Context) -> list[str]:
    """Every kind of memory."""
    from engram.memory.vocabulary import Kind

    return list(Kind)


def modes(_: typer.Context) -> list[str]:
    """Every mode of recall."""
    from engram.memory.vocabulary import RecallMode

    return list(RecallMode)


def actions(_: typer.Context) -> list[str]:
    """Everything that the audit tells of."""
    from engram.memory.changes import Action

    return list(Action)


def relations(_: typer.Context) -> list[str]:
    """The relations that have a meaning."""
    from engram.memory.links import Relation

    return list(Relation)


def fact_relations(_: typer.Context) -> list[str]:
    """The relations between who and what is known, from both ends."""
    from engram.memory.knowledge.relations import NAMES

    return list(NAMES)


def fact_words(ctx: typer.Context) -> list[str]:
    """What stands in a fact: a relation, or whom the newest memories are about."""
    return [*fact_relations(ctx), *subjects(ctx)]


def skill_names(ctx: typer.Context) -> list[tuple[str, str]]:
    """Every skill by its name as it is compared, which has no spaces, then the labels."""
    with _opened(ctx) as engram:
        known = engram.skills.list() if engram else []
    return [*((each.skill.key, str(each.stage)) for each in known), *labels(ctx)]


def node_types(_: typer.Context) -> list[str]:
    """What somebody or something may be."""
    from engram.memory.knowledge.belief import NodeType

    return list(NodeType)


def pages(_: typer.Context) -> list[tuple[str, str]]:
    """Every command with what it does."""
    from engram.surfaces.cli.command import commands

    return [(name, summary) for name, summary, _ in commands()]


def roles(_: typer.Context) -> list[str]:
    """What the holder of a key may be."""
    from engram.memory.roles import Role

    return list(Role)


def key_kinds(_: typer.Context) -> list[str]:
    """Who may hold a key."""
    from engram.memory.access import KeyKind

    return list(KeyKind)


def tool_sets(_: typer.Context) -> list[str]:
    """The sets of tools that an agent can be given."""
    from engram.surfaces.mcp.serve import TOOLS

    return list(TOOLS)


def _fixed(*choices: str) -> Callable[[typer.Context], list[str]]:
    return lambda _: list(choices)


_Choose = Callable[[typer.Context], _CHOICES]
_BY_METAVAR: dict[str, _Choose] = {
    "ID": labels, "A": labels, "B": labels, "SCOPE": scopes,
    "TIER": _fixed("cleartext", "sensitive", "confidential"),
}  # fmt: skip
_BY_NAME: dict[str, _Choose] = {
    "category": categories, "layer": layers, "memory_type": types, "session": sessions,
    "speaker": speakers, "subject": subjects, "source": sources, "mode": modes,
}  # fmt: skip
_OF_COMMANDS: dict[tuple[str, str], _Choose] = {
    ("list", "status"): statuses,
    ("list", "kind"): kinds,
    ("status", "target"): statuses,
    ("audit", "action"): actions,
    ("config", "key"): settings,
    ("relate", "relation"): relations,
    ("unrelate", "relation"): relations,
    ("stats", "topic"): _fixed("recall", "capture", "cost"),
    ("observe", "role"): _fixed("user", "assistant", "tool", "system"),
    ("harvest", "harness"): _fixed("claude-code", "codex", "generic"),
    ("episodes", "words"): labels,
    ("episodes", "outcome"): _fixed("success", "failure", "partial", "abandoned", "ongoing"),
    ("skills", "words"): skill_names,
    ("skills", "stage"): _fixed("held", "probation", "active", "retired"),
    ("skills", "outcome"): _fixed("success", "failure", "partial", "abandoned"),
    ("knowledge", "words"): fact_words,
    ("knowledge", "relation"): fact_relations,
    ("knowledge", "direction"): _fixed("out", "in", "both"),
    ("knowledge", "node_type"): node_types,
    ("knowledge", "subject_type"): node_types,
    ("knowledge", "object_type"): node_types,
    ("help", "name"): pages,
    ("keys", "role"): roles,
    ("keys", "kind"): key_kinds,
    ("mcp", "tools"): tool_sets,
}


def _values(ctx: typer.Context, field: str) -> list[str]:
    found = (getattr(memory, field) for memory in _newest(ctx))
    return list(dict.fromkeys(str(value) for value in found if value))


def _newest(ctx: typer.Context) -> "list[Memory]":
    with _opened(ctx) as engram:
        return engram.list(limit=_LOOKED_AT, status="any") if engram else []


def _folder(ctx: typer.Context) -> Path:
    from engram.surfaces.cli.call import Call

    store = ctx.params.get("store")
    return Call(store=store if isinstance(store, str) else None).folder


class _opened:  # noqa: N801  # read as a verb: with _opened(ctx) as engram
    """The store that is meant, opened to be read by whom is calling; None where nothing is."""

    def __init__(self, ctx: typer.Context) -> None:
        self._ctx = ctx
        self._engram: Engram | None = None

    def __enter__(self) -> "Engram | None":
        from engram.engine import Engram
        from engram.storage.place import is_store
        from engram.surfaces.cli.call import Call

        folder = _folder(self._ctx)
        if not is_store(folder):
            return None
        scope = self._ctx.params.get("scope")
        caller = Call(scope=scope if isinstance(scope, str) else None).caller
        self._engram = Engram.open(folder, scope=caller, read_only=True)
        return self._engram

    def __exit__(self, *_: object) -> None:
        if self._engram is not None:
            self._engram.close()
