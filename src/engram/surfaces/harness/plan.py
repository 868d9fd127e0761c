"""What an installation changes, worked out without touching anything."""

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from engram.errors import InvalidInput
from engram.surfaces.harness.commands import COMMANDS, written
from engram.surfaces.harness.json_edits import JsonEdit
from engram.surfaces.harness.known import Form, Harness, Hooks, HookStyle, Spot
from engram.surfaces.harness.places import Places
from engram.surfaces.harness.toml_edits import TomlEdit, TomlValue
from engram.surfaces.harness.watchdog import HOOK_SECONDS
from engram.surfaces.mcp.serve import TOOLS

ENTRY = "engram"
HOOK_MODULE = "engram.surfaces.harness"
HERE = "project=."  # the project of the folder that a process was started in

_READING = {
    "minimal": ("recall",),
    "standard": ("memory_search", "memory_list", "memory_reason"),
}
_KEEPING = {"minimal": ("remember",), "standard": ("memory_store", "memory_feedback")}
ALLOWANCES = ("read-only", "memory-aware")

Edit = JsonEdit | TomlEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be installed."""

    program: tuple[str, ...]  # how this Engram is started
    python: str  # who runs its hooks, without the command line: they must be quick
    project: Path | None = None  # for this project; None: for the person
    tools: str = "standard"
    scope: str = HERE
    store: str | None = None
    has_hooks: bool = True
    has_commands: bool = True
    allow: str | None = None
    limit_seconds: float = HOOK_SECONDS

    def __post_init__(self) -> None:
        if self.tools not in TOOLS:
            raise InvalidInput(hint=f"`tools` is one of: {', '.join(TOOLS)}.")
        if self.allow is not None and self.allow not in ALLOWANCES:
            raise InvalidInput(hint=f"`allow` is one of: {', '.join(ALLOWANCES)}.")

    @property
    def options(self) -> list[str]:
        """The options that the server and the hooks have in common."""
        store = [] if self.store is None else ["--store", self.store]
        return [*store, *(["--scope", self.scope] if self.scope else [])]


@dataclass(frozen=True, slots=True)
class Changed:
    """A file of theirs into which something is put."""

    path: Path
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Added:
    """A file of our own."""

    path: Path
    text: str
    is_executable: bool = False
    is_needed: bool = True  # otherwise a file of that name that is there already is left alone


FileChange = Changed | Added


@dataclass(frozen=True, slots=True)
class Plan:
    """All changes of one installation, and what cannot be done."""

    changes: tuple[FileChange, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Making:
    edits: dict[Path, list[Edit]] = field(default_factory=dict)
    added: list[Added] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def put(self, path: Path, edit: Edit) -> None:
        self.edits.setdefault(path, []).append(edit)


def plan(harness: Harness, wish: Wish, places: Places, *, is_there: Callable[[Path], bool]) -> Plan:
    """The changes that fulfil a wish; `is_there` chooses where a program has several places."""

    def chosen(spot: Spot) -> Path | None:
        named = spot.project if wish.project else spot.user
        paths = [places.path(place, wish.project) for place in named]
        return next(filter(is_there, paths), paths[0] if paths else None)

    making = _Making()
    _plan_server(harness, wish, chosen(harness.server.spot), making)
    if wish.has_hooks and harness.hooks is not None:
        _plan_hooks(harness, wish, chosen(harness.hooks.spot), making)
    if wish.has_commands and harness.commands is not None:
        _plan_commands(harness, chosen(harness.commands.spot), making)
    if wish.allow is not None:
        path = None if harness.permissions is None else chosen(harness.permissions)
        _plan_allowance(harness, wish, path, making)
    changed = [Changed(path, tuple(edits)) for path, edits in making.edits.items()]
    notes = [*making.notes, *([harness.note] if harness.note else [])]
    return Plan((*changed, *making.added), tuple(notes))


def server_arguments(wish: Wish) -> list[str]:
    """The program's arguments that start the server, after the program itself."""
    tools = [] if wish.tools == "standard" else ["--tools", wish.tools]
    return [*wish.program[1:], "mcp", *wish.options, *tools]


def hook_command(harness: Harness, event: str, wish: Wish) -> str:
    """The line by which a harness runs a hook."""
    limit = f"{wish.limit_seconds:g}"
    words = [event, "--harness", harness.name, *wish.options, "--limit-seconds", limit]
    return shlex.join([*hook_program(wish), *words])


def hook_program(wish: Wish) -> tuple[str, ...]:
    """How hooks are run: never with modules of the folder they run in, which is anybody's."""
    return (wish.python, "-P", "-m", HOOK_MODULE)


def _plan_server(harness: Harness, wish: Wish, path: Path | None, making: _Making) -> None:
    server = harness.server
    if path is None:
        raise InvalidInput(hint=f"{harness.title} keeps servers for the person only; use --user.")
    entry = {**server.extra, "command": wish.program[0], "args": server_arguments(wish)}
    if server.approvals and wish.allow is not None:
        entry[server.approvals] = list(allowed_tools(wish))
    if server.form is Form.YAML_FILE:
        making.added.append(Added(path, _yaml(entry)))
    elif server.form is Form.TOML:
        values: dict[str, TomlValue] = {"command": wish.program[0], "args": server_arguments(wish)}
        making.put(path, TomlEdit((*server.path, ENTRY), values))
    else:
        making.put(path, JsonEdit((*server.path, ENTRY), entry))


def _yaml(entry: dict[str, object]) -> str:
    """Quoted as JSON, which is YAML too."""
    lines = ["name: engram", "version: 0.0.1", "schema: v1", "mcpServers:", "  - name: engram"]
    lines += [f"    {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    return "\n".join([*lines, ""])


def _plan_hooks(harness: Harness, wish: Wish, path: Path | None, making: _Making) -> None:
    hooks = harness.hooks
    if hooks is None or path is None:
        making.notes.append(f"{harness.title} keeps no hooks at this level; none were installed.")
        return
    lines = {theirs: hook_command(harness, ours, wish) for ours, theirs in hooks.events.items()}
    if hooks.style is HookStyle.SCRIPTS:
        making.added += [
            Added(path / name, f"#!/bin/sh\nexec {line}\n", is_executable=True, is_needed=False)
            for name, line in lines.items()
        ]
    elif hooks.style is HookStyle.OWN_FILE:
        making.added.append(Added(path, _own_hooks(hooks, lines)))
    else:
        if hooks.version is not None:
            making.put(path, JsonEdit(("version",), hooks.version, stays=True))
        for name, line in lines.items():
            making.put(path, JsonEdit(("hooks", name), _hook_entry(hooks, line), is_element=True))


def _hook_entry(hooks: Hooks, line: str) -> object:
    timeout = {} if hooks.timeout is None else {"timeout": hooks.timeout}
    if hooks.style is HookStyle.COMMANDS:
        return {"command": line, **timeout}
    command = {"type": "command", "command": line, **timeout}
    return command if hooks.style is HookStyle.OWN_FILE else {"hooks": [command]}


def _own_hooks(hooks: Hooks, lines: dict[str, str]) -> str:
    entries = {name: [_hook_entry(hooks, line)] for name, line in lines.items()}
    return json.dumps({"hooks": entries}, indent=2, ensure_ascii=False) + "\n"


def _plan_commands(harness: Harness, folder: Path | None, making: _Making) -> None:
    commands = harness.commands
    if commands is None or folder is None:
        making.notes.append(f"{harness.title} keeps slash commands for the person only.")
        return
    making.added += [
        Added(folder / f"{each.name}{commands.suffix}", written(each, commands.style),
              is_needed=False)
        for each in COMMANDS
    ]  # fmt: skip


def allowed_tools(wish: Wish) -> tuple[str, ...]:
    """The tools that an allowance names."""
    kind = "minimal" if wish.tools == "minimal" else "standard"
    return _READING[kind] + (_KEEPING[kind] if wish.allow == "memory-aware" else ())


def _plan_allowance(harness: Harness, wish: Wish, path: Path | None, making: _Making) -> None:
    if path is not None:
        for tool in allowed_tools(wish):
            name = f"mcp__{ENTRY}__{tool}"
            making.put(path, JsonEdit(("permissions", "allow"), name, is_element=True))
    elif not harness.server.approvals:
        making.notes.append(f"{harness.title} has no list of allowed tools that is known.")
