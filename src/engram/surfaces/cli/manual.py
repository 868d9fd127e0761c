"""The manual: one page a command, for the terminal and as a man page, from one text.

What a command takes is read off the command itself; what it is for, what it does not do, examples
and the like stand in manual.md. Rich is not needed, so that a page is there at once.
"""

import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast

import typer

if TYPE_CHECKING:
    from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

_WIDEST = 100
_INDENT = "  "
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_NAMES_WIDTH = 28
_SHARED = "Every command"
_EXITS = (
    "0  It was done.",
    "1  It was refused or failed; why stands on stderr, with --json in the document.",
    "2  The command line cannot be read.",
)
_ENVIRONMENT = (
    "ENGRAM_STORE  The store's folder, where --store names none.",
    "ENGRAM_SCOPE  Who is calling, where --scope says nothing.",
    "NO_COLOR  No colours, whatever the terminal can do.",
    "COLUMNS  How wide tables are where the output is no terminal.",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manual says about one command beside what it takes."""

    paragraphs: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    exits: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    related: tuple[str, ...] = ()


@dataclass(slots=True)
class _Sections:
    """An entry while it is read."""

    paragraphs: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    exits: list[str] = field(default_factory=list)
    environment: list[str] = field(default_factory=list)
    related: list[str] = field(default_factory=list)


@cache
def entries() -> dict[str, Entry]:
    """Every entry of the manual by the name of its command."""
    text = (files("engram.surfaces.cli") / "manual.md").read_text(encoding="utf-8")
    _, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {
        title.strip(): _read(body) for title, _, body in (part.partition("\n") for part in parts)
    }


def _read(body: str) -> Entry:
    found = _Sections()
    for block in re.split(r"\n\s*\n", body.strip()):
        for line in _joined(block):
            mark, _, rest = line.partition(" ")
            match mark:
                case "$":
                    found.examples.append(rest)
                case "Exit:":
                    found.exits.append(rest)
                case "Environment:":
                    found.environment.append(rest)
                case "See:":
                    found.related += [name.strip() for name in rest.split(",")]
                case _:
                    found.paragraphs.append(line)
    return Entry(
        tuple(found.paragraphs), tuple(found.examples), tuple(found.exits),
        tuple(found.environment), tuple(found.related),
    )  # fmt: skip


def _joined(block: str) -> Iterator[str]:
    """The lines of a block; what belongs to a paragraph is one line."""
    running: list[str] = []
    for line in block.splitlines():
        if re.match(r"\$ |Exit: |Environment: |See: ", line):
            yield line
        else:
            running.append(line.strip())
    if running:
        yield " ".join(running)


def page(command: "TyperCommand") -> str:
    """The page of a command, as the terminal shows it."""
    name = command.name or ""
    entry = entries().get(_meant(name), Entry())
    width = min(_WIDEST, shutil.get_terminal_size((_WIDEST, 25)).columns)
    lines = [f"Usage: {synopsis(command)}", ""]
    for paragraph in (command.help or "", *entry.paragraphs):
        lines += [*_wrapped(paragraph, width), ""]
    for title, told in _parameters(command):
        lines += [_heading(title), *_columns(told, width), ""]
    examples = entry.examples or tuple(filter(None, [command.epilog]))
    lines += [_heading("Examples"), *(f"{_INDENT}$ {each}" for each in examples), ""]
    lines += [_heading("Exit status"), *_spread((*_EXITS, *entry.exits), width), ""]
    lines += [_heading("Environment"), *_spread((*entry.environment, *_ENVIRONMENT), width), ""]
    if entry.related:
        lines += [_heading("See also"), *_wrapped(_related(entry.related), width)]
    return "\n".join(lines).rstrip()


def synopsis(command: "TyperCommand") -> str:
    """How a command is typed."""
    pieces = [
        f"{_placeholder(each)}" if each.required else f"[{_placeholder(each)}]"
        for each in _arguments(command)
    ]
    return " ".join([f"engram {command.name} [OPTIONS]", *pieces])


def _placeholder(argument: "TyperArgument") -> str:
    name = (argument.metavar or argument.name or "").strip("[]").upper()
    return name if argument.nargs == 1 else f"{name} ..."


def _arguments(command: "TyperCommand") -> "list[TyperArgument]":
    found = [each for each in command.params if each.param_type_name == "argument"]
    return cast("list[TyperArgument]", found)


def _parameters(command: "TyperCommand") -> list[tuple[str, list[tuple[str, str]]]]:
    """What a command takes, in groups: its arguments, its own options, those all have."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for argument in _arguments(command):
        told = (_placeholder(argument), argument.help or "")
        groups.setdefault("Arguments", []).append(told)
    options = [each for each in command.params if each.param_type_name == "option"]
    for each in cast("list[TyperOption]", options):
        if not each.hidden:
            told = (_names(each), each.help or "")
            groups.setdefault(each.rich_help_panel or "Options", []).append(told)
    # Those that all commands share come last, whatever order they were written in.
    return sorted(groups.items(), key=lambda group: group[0] == _SHARED)


def _names(option: "TyperOption") -> str:
    names = ", ".join(sorted(option.opts, key=len))
    if option.secondary_opts:
        names += f" / {', '.join(option.secondary_opts)}"
    if option.is_flag:
        return names
    value = option.metavar or max(option.opts, key=len).strip("-").replace("-", "_").upper()
    return f"{names} {value}"


def _heading(title: str) -> str:
    return typer.style(title, bold=True)


def _wrapped(paragraph: str, width: int) -> list[str]:
    return textwrap.wrap(
        paragraph, width, initial_indent=_INDENT, subsequent_indent=_INDENT,
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip


def _columns(rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    for name, meaning in rows:
        beginning = f"{_INDENT}{name:<{_NAMES_WIDTH}}"
        if len(name) >= _NAMES_WIDTH:
            yield beginning
            beginning = " " * (_NAMES_WIDTH + len(_INDENT))
        yield from textwrap.wrap(
            meaning, width, initial_indent=beginning, break_on_hyphens=False,
            subsequent_indent=" " * (_NAMES_WIDTH + len(_INDENT)),
        ) or [beginning.rstrip()]  # fmt: skip


def _spread(lines: Iterable[str], width: int) -> Iterator[str]:
    """Lines that begin with a name or a number, the rest of them below each other."""
    for line in lines:
        name, _, meaning = line.partition("  ")
        told = f"{name}  {meaning.strip()}" if meaning else line
        hanging = _INDENT + " " * (len(name) + 2 if meaning else 0)
        yield from textwrap.wrap(told, width, initial_indent=_INDENT, subsequent_indent=hanging)


def _related(names: Iterable[str]) -> str:
    return ", ".join(f"engram {name}" for name in names)


def _meant(name: str) -> str:
    """The command whose page is meant: another word for it has none of its own."""
    return _ALIASES.get(name, name)


_ALIASES = {"search": "recall"}


def man_page(group: "TyperGroup", *, version: str, on: str) -> str:
    """The whole manual as roff, for `man`."""
    from engram.surfaces.cli.command import commands

    lines = [
        f'.TH ENGRAM 1 "{on}" "engram {_roff(version)}" "User Commands"',
        ".SH NAME", "engram \\- long-term memory for AI agents",
        ".SH SYNOPSIS", ".B engram", ".I COMMAND", "[\\fIOPTIONS\\fR]",
        ".SH DESCRIPTION", *_roff_paragraphs(entries()["engram"].paragraphs),
        ".SH OPTIONS", "Every command takes these.", *_roff_shared(group),
        ".SH COMMANDS",
    ]  # fmt: skip
    for name, summary, _ in commands():
        command = cast("TyperCommand", group.commands[name])
        lines += _roff_command(command, summary)
    lines += [".SH EXIT STATUS", *_roff_terms(_EXITS)]
    lines += [".SH ENVIRONMENT", *_roff_terms((*_ENVIRONMENT, *entries()["engram"].environment))]
    return "\n".join(lines) + "\n"


def _roff_shared(group: "TyperGroup") -> list[str]:
    """The options that all commands share, read off any of them."""
    any_command = cast("TyperCommand", group.commands["recall"])
    shared = dict(_parameters(any_command)).get(_SHARED, [])
    return [
        line
        for name, meaning in shared
        for line in (".TP", f"\\fB{_roff(name)}\\fR", _roff(meaning))
    ]


def _roff_command(command: "TyperCommand", summary: str) -> list[str]:
    entry = entries().get(command.name or "", Entry())
    lines = [f'.SS "{_roff(synopsis(command))}"', _roff(summary)]
    lines += _roff_paragraphs(entry.paragraphs, is_first=False)
    own = [told for title, told in _parameters(command) if title != _SHARED]  # told once
    for told in own:
        for name, meaning in told:
            lines += [".TP", f"\\fB{_roff(name)}\\fR", _roff(meaning)]
    examples = entry.examples or tuple(filter(None, [command.epilog]))
    lines += [".PP", ".nf", *(f"$ {_roff(each)}" for each in examples), ".fi"]
    lines += _roff_terms(entry.exits)
    if entry.related:
        lines += [".PP", f"See also: {_roff(_related(entry.related))}."]
    return lines


def _roff_paragraphs(paragraphs: Iterable[str], *, is_first: bool = True) -> list[str]:
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += [*([] if is_first and not lines else [".PP"]), _roff(paragraph)]
    return lines


def _roff_terms(lines: Iterable[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        name, _, meaning = line.partition("  ")
        found += [".TP", f"\\fB{_roff(name)}\\fR", _roff(meaning.strip()) or "\\&"]
    return found


def _roff(text: str) -> str:
    """Text that roff prints as it is: no escape, and no line that looks like a request."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    plain = _NOT_ASCII.sub(lambda found: f"\\[u{ord(found[0]):04X}]", plain)
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
