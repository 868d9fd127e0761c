"""The shell: commands one after the other on one open store, with what came last at hand.

It runs the very commands of the command line; all it adds is that the store stays open, that a last
result can be named by its number, and that the last change can be taken back without its id.
"""

import io
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from engram.errors import EngramError
from engram.surfaces.cli import terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, app, command, commands, session_of
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType
    from typer.core import TyperCommand, TyperGroup

    from engram.engine import Engram

_PROMPT = "engram> "
_LEAVING = frozenset({"quit", "exit", ":q"})
_HELPING = frozenset({"?", "help", "h"})
# What needs the store alone, or its own way of opening it: the shell lets go of it for a while.
_ALONE = frozenset({"restore", "keys", "doctor", "demo", "daemon", "eval"})
_ELSEWHERE = frozenset({"shell", "mcp", "serve", "hook"})  # they take the terminal for themselves
_WORDY = frozenset({"QUERY", "TOPIC"})  # arguments that are mostly several words
# Where documents hold several memories.
_LISTS = ("hits", "memories", "evidence", "timeline", "episodes", "skills")
_USAGE, _FAILED = 2, 1
_HISTORY_LINES = 1_000
_HELP = """Commands are typed without `engram`: recall pnpm, list, remember "…", timeline office.
  show 2       the second of the last results; any command that takes an id takes a number
  why 1        why the first hit of the last recall was found
  undo         take the last change back; again, the one before
  help recall  the page of a command; help all, what there is
  quit         leave (or Ctrl-D); Ctrl-C leaves the line"""


class OpenCall(Call):
    """A call made in a shell: on its store, unless another is named, and seen by it."""

    shell: "Shell"

    @contextmanager
    def engram(
        self, *, is_unchecked: bool = False, is_plain: bool = False, is_new: bool = False
    ) -> "Iterator[Engram]":
        """The shell's own store; one opened in another way is opened anew."""
        if is_unchecked or is_plain or not self.shell.is_meant(self):
            with super().engram(
                is_unchecked=is_unchecked, is_plain=is_plain, is_new=is_new
            ) as other:
                yield other
            return
        yield self.shell.opened(self, is_new=is_new)

    def show(self, document: Mapping[str, object], picture: "Callable[[], RenderableType]") -> None:
        """Answer as ever, and let the shell know what was shown."""
        super().show(document, picture)
        self.shell.shown(document, is_told=not self.json)


class Shell:
    """One open store, and what the last commands left behind."""

    def __init__(self, call: Call) -> None:
        self._own = call
        self._engram: Engram | None = None
        self._manager: AbstractContextManager[Engram] | None = None
        self.labels: list[str] = []  # of the last results, in their order
        self._changes: list[str] = []
        self._question = ""
        self._is_undoing = False

    def call(self, call: Call) -> Call:
        """The call with the shell's store and caller, where it names none."""
        own = self._own
        made = OpenCall(
            store=call.store if call.store is not None else own.store,
            scope=call.scope if call.scope is not None else own.scope,
            within=call.within if call.within is not None else own.within,
            json=call.json or own.json,
        )
        object.__setattr__(made, "shell", self)  # a call is frozen for all others
        return made

    def is_meant(self, call: Call) -> bool:
        """Whether a call is for the store and caller that this shell holds."""
        return (call.store, call.scope) == (self._own.store, self._own.scope)

    def opened(self, call: Call, *, is_new: bool) -> "Engram":
        """The store, opened when it is first needed and kept until the end."""
        if self._engram is None:
            self._manager = Call.engram(call, is_new=is_new)
            self._engram = self._manager.__enter__()
        return self._engram

    def release(self) -> None:
        """Let go of the store; the next command opens it again."""
        if self._manager is not None and self._engram is not None:
            self._manager.__exit__(None, None, None)
        self._manager = self._engram = None

    def named(self, text: str) -> str:
        """The label of a last result where its number is given."""
        if not text.isdigit():
            return text
        number = int(text)
        if not 1 <= number <= len(self.labels):
            known = f"1 to {len(self.labels)}" if self.labels else "none yet"
            raise typer.BadParameter(f"The last results are numbered {known}.", param_hint=text)
        return self.labels[number - 1]

    def asked(self, question: str) -> None:
        """What was asked last, for `why 2`."""
        self._question = question

    def shown(self, document: Mapping[str, object], *, is_told: bool) -> None:
        """Take down which memories were shown and which change was made."""
        if self._is_undoing:
            return
        change = document.get("change_id")
        if isinstance(change, str):
            self._changes.append(change)
        labels = list(_listed_labels(document))
        # What is shown by itself leaves the numbers of the last listing as they are.
        self.labels = labels or self.labels or list(_label(document))
        if is_told and len(labels) > 1 and terminal.is_interactive():
            told = f"1 to {len(labels)}: show 1, why 1, forget 1 …"
            terminal.console(stderr=True).print(styled(told, "dim"))

    def run(self, line: str) -> int:
        """Run one line as a command; its exit code."""
        words = _words(line)
        if not words or words[0] in _HELPING:
            return self._help(words)
        name = words[0]
        if name in _ELSEWHERE:
            return _complain(f"`{name}` is not run in here; leave first.")
        try:
            given = self._completed(words)
        except typer.BadParameter as error:
            return _complain(error.format_message())
        if name in _ALONE:
            self.release()
        self._is_undoing = name == "undo"
        code = _invoke(given)
        if self._is_undoing and code == 0 and given[1] in self._changes:
            self._changes.remove(given[1])
        return code

    def _help(self, words: Sequence[str]) -> int:
        if not words:
            return 0
        if len(words) == 1:
            typer.echo(_HELP)
            return 0
        return _invoke(["help"] if words[1] == "all" else ["help", words[1]])

    def _completed(self, words: list[str]) -> list[str]:
        """The words with what a shell knows by itself put in."""
        if words == ["undo"]:
            if not self._changes:
                raise typer.BadParameter("Nothing was changed in this shell yet.")
            return ["undo", self._changes[-1]]
        if words[0] == "why" and len(words) == 2:
            if not self._question:
                raise typer.BadParameter("Nothing was asked yet; recall something first.")
            return ["why", "--", self._question, words[1]]
        return _with_words_joined(words)


def _invoke(words: list[str]) -> int:
    """Run a command as the command line does, without leaving the process."""
    try:
        code = _commands().main(words, prog_name="", standalone_mode=False)
    except typer.Abort:
        return _FAILED
    except typer.TyperException as error:  # wrong usage
        return _complain(error.format_message() if hasattr(error, "format_message") else f"{error}")
    except EngramError as error:
        Call().fail(error)
        return _FAILED
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else _FAILED
    return code if isinstance(code, int) else 0


def _complain(message: str) -> int:
    terminal.console(stderr=True).print(styled(message, "yellow"))
    return _USAGE


@cache
def _commands() -> "TyperGroup":
    return cast("TyperGroup", typer.main.get_command(app))


def _words(line: str) -> list[str]:
    """A line in words; one with an apostrophe that closes nothing is cut at its spaces."""
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return line.split()


def _with_words_joined(words: list[str]) -> list[str]:
    """Several bare words become one where a question is asked: recall which package manager."""
    found = _commands().commands.get(words[0])
    arguments = (
        [each for each in found.params if each.param_type_name == "argument"] if found else []
    )
    if len(arguments) != 1 or arguments[0].metavar not in _WORDY:
        return words
    taking = {
        name
        for each in cast("TyperCommand", found).params
        if each.param_type_name == "option" and not getattr(each, "is_flag", False)
        for name in each.opts
    }
    bare: list[str] = []
    options: list[str] = []
    rest = iter(words[1:])
    for word in rest:
        if not word.startswith("-"):
            bare.append(word)
            continue
        options.append(word)
        if word in taking:
            options += [next(rest, "")]
    return [words[0], *options, "--", " ".join(bare)] if bare else words


def _listed_labels(document: Mapping[str, object]) -> Iterator[str]:
    """The labels of the memories that a document lists, in its order."""
    for name in _LISTS:
        listed = document.get(name)
        for each in listed if isinstance(listed, list) else []:
            yield from _label(each)


def _label(told: object) -> Iterator[str]:
    """The label of one memory: its own document, or one that holds it."""
    if not isinstance(told, Mapping):
        return
    for inner in (told, told.get("memory"), told.get("hit")):
        label = inner.get("label") if isinstance(inner, Mapping) else None
        if isinstance(label, str):
            yield label
            return


@command("shell", panel=Panel.USE, example="engram shell")
def shell(
    call: Call,
    history: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep what is typed in this file; else in memory."),
    ] = None,
) -> None:
    """Explore a store that stays open: the same commands, without `engram`."""
    session = Shell(call)
    token = session_of.set(session)
    try:
        code = _converse(session, history) if terminal.is_interactive() else _read_pipe(session)
    finally:
        session_of.reset(token)
        session.release()
    if code:
        raise typer.Exit(code)


def _read_pipe(session: Shell) -> int:
    """Run every line of a pipe; the highest status of all is that of the shell."""
    lines = sys.stdin.read().splitlines()
    codes = [0]
    given, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO())  # a command must not eat the rest
    try:
        for line in lines:
            if line.strip() in _LEAVING:
                break
            codes.append(session.run(line))
    finally:
        sys.stdin = given
    return max(codes)


def _converse(session: Shell, history: Path | None) -> int:
    """Ask for one line after the other until a person leaves."""
    with _line_editing(session, history):
        terminal.console(stderr=True).print(styled("? helps, Ctrl-D leaves.", "dim"))
        while True:
            try:
                line = input(_PROMPT)
                if line.strip() in _LEAVING:
                    return 0
                session.run(line)
            except KeyboardInterrupt:
                typer.echo("", err=True)
            except EOFError:
                typer.echo("", err=True)
                return 0


@contextmanager
def _line_editing(session: Shell, history: Path | None) -> Iterator[None]:
    """Arrows and completion while typing; what was typed is written down only when asked for."""
    try:
        import readline
    except ImportError:  # not on every system: then lines are typed plainly
        yield
        return
    readline.set_completer(_completer(session))
    readline.set_completer_delims(" \t")
    readline.parse_and_bind("tab: complete")
    if history is not None and history.expanduser().is_file():
        readline.read_history_file(history.expanduser())
    try:
        yield
    finally:
        readline.set_completer(None)
        if history is not None:
            readline.set_history_length(_HISTORY_LINES)
            _write_privately(history.expanduser(), readline.write_history_file)


def _write_privately(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file that nobody else may read, also while it is written."""
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    path.chmod(0o600)
    write(path)


def _completer(session: Shell) -> Callable[[str, int], str | None]:
    """Completes the name of a command, and after it its options and the last labels."""
    import readline

    names = [name for name, _, _ in commands() if name not in _ELSEWHERE]

    def complete(text: str, state: int) -> str | None:
        words = readline.get_line_buffer()[: readline.get_begidx()].split()
        if not words:
            choices = [*names, "quit"]
        else:
            found = _commands().commands.get(words[0])
            params = found.params if found else []
            choices = [name for each in params for name in each.opts if name.startswith("--")]
            choices += session.labels
        matching = [each for each in choices if each.startswith(text)]
        return f"{matching[state]} " if state < len(matching) else None

    return complete
