"""How a plain function becomes a command: options that belong together are one value.

A parameter whose type is a dataclass stands for one option per field, so that where a store lies,
what is filtered for and the like are written down once and handed over whole.
"""

import dataclasses
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from enum import StrEnum
from typing import Protocol, get_args

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import ArgumentInfo, OptionInfo

from engram.errors import EngramError
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.completion import completing

_SUMMARY = "Long-term memory for AI agents: keep, recall, correct, explain and undo facts."
_NAME_WIDTH = 14
_MEMORIES = frozenset({"ID", "A", "B"})  # the arguments that name a memory


class Panel(StrEnum):
    """The groups of commands in the help."""

    USE = "Remember and recall"
    LOOK = "Look things up"
    CHANGE = "Change and undo"
    REVIEW = "Review what agents propose"
    CONNECT = "Connect agents and services"
    CARE = "Take care of the store"


class Writer(Protocol):
    """What a help is written to."""

    def write(self, string: str, /) -> None:
        """Add to it."""
        ...


class Session(Protocol):
    """Where commands are typed one after the other on one open store: see the shell."""

    def call(self, call: Call) -> Call:
        """The call as it is made in here."""
        ...

    def named(self, text: str) -> str:
        """The memory that is meant: the number of a last result is as good as its label."""
        ...

    def asked(self, question: str) -> None:
        """Take down what was asked last."""
        ...


_Command = Callable[..., None]
session_of: ContextVar[Session | None] = ContextVar("session", default=None)


class Overview(TyperGroup):
    """All commands, with a help that is shown without waiting for Rich to load."""

    def format_help(self, ctx: object, formatter: Writer) -> None:  # noqa: ARG002  # as typer calls it
        """Write the overview."""
        formatter.write(overview())


class Page(TyperCommand):
    """A command whose help is its page of the manual."""

    def format_help(self, ctx: object, formatter: Writer) -> None:  # noqa: ARG002  # as typer calls it
        """Write the page."""
        from engram.surfaces.cli.manual import page

        formatter.write(page(self))


app = typer.Typer(
    name="engram",
    cls=Overview,
    help=_SUMMARY,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


def overview() -> str:
    """Every command with its first sentence, in groups."""
    lines = ["Usage: engram COMMAND [OPTIONS]", "", _SUMMARY]
    for panel in Panel:
        shown = [
            f"  {name:<{_NAME_WIDTH}}{summary}"
            for name, summary, group in commands()
            if group == panel
        ]
        if shown:
            lines += ["", typer.style(panel.value, bold=True), *shown]
    lines += ["", typer.style("Options", bold=True)]
    lines += [f"  {option:<22}{meaning}" for option, meaning in _OPTIONS]
    return "\n".join([*lines, "", _EPILOGUE])


_OPTIONS = (
    ("--version", "Show the version and exit."),
    ("--install-completion", "Install completion for the current shell."),
    ("--show-completion", "Show that completion, to copy or change it."),
    ("--help", "Show this, or after a command its page of the manual."),
)
_EPILOGUE = """Every command takes --store PATH, --scope SCOPE and --json.
Try it without leaving a trace: engram demo. Look around: engram shell"""


def commands() -> list[tuple[str, str, str]]:
    """Name, summary and group of every command that is shown, in order."""
    return [
        (each.name or "", (each.callback.__doc__ or "").strip().splitlines()[0],
         str(each.rich_help_panel))
        for each in app.registered_commands
        if each.callback is not None and not each.hidden
    ]  # fmt: skip


def command(name: str, *, panel: Panel, example: str) -> Callable[[_Command], _Command]:
    """Register a function as a command; its docstring is the summary."""

    def register(function: _Command) -> _Command:
        app.command(name, cls=Page, rich_help_panel=panel.value, epilog=example)(
            _with_options(name, function)
        )
        return function

    return register


def alias(name: str, *, of: str) -> None:
    """Another word for a command; it works like the first and is not listed."""
    meant = next(each for each in app.registered_commands if each.name == of)
    if meant.callback is not None:
        app.command(name, cls=Page, hidden=True, epilog=meant.epilog)(meant.callback)


def _with_options(name: str, function: _Command) -> _Command:
    """The same function with an option for every field of its dataclass parameters."""
    parameters = inspect.signature(function).parameters
    flat = [option for each in parameters.values() for option in _options(each)]
    for option in flat:
        _complete(name, option)
    naming = [each.name for each in flat if _metavar(each.annotation) in _MEMORIES]

    def run(**given: object) -> None:
        session = session_of.get()
        if session is not None:
            _take_down(session, given, naming)
        arguments = {name: _argument(each, given) for name, each in parameters.items()}
        call = next(value for value in arguments.values() if isinstance(value, Call))
        try:
            function(**arguments)
        except EngramError as error:
            call.fail(error)
            raise typer.Exit(1) from None

    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]  # read by typer
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


def _take_down(session: Session, given: dict[str, object], naming: list[str]) -> None:
    """Put labels in the place of numbers, and note what is asked."""
    for name in naming:
        value = given[name]
        if isinstance(value, str):
            given[name] = session.named(value)
    question = given.get("query")
    if isinstance(question, str):
        session.asked(question)


def _metavar(annotation: object) -> str | None:
    marks = get_args(annotation)[1:]
    return next((mark.metavar for mark in marks if hasattr(mark, "metavar")), None)


def _options(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    if not dataclasses.is_dataclass(parameter.annotation):
        return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=field.type,
        )
        for field in dataclasses.fields(parameter.annotation)
    ]


def _complete(name: str, parameter: inspect.Parameter) -> None:
    """Let the terminal complete a parameter where there is something to choose from."""
    for mark in get_args(parameter.annotation)[1:]:
        if isinstance(mark, OptionInfo | ArgumentInfo) and mark.autocompletion is None:
            mark.autocompletion = completing(name, parameter.name, mark.metavar)


def _argument(parameter: inspect.Parameter, given: dict[str, object]) -> object:
    group = parameter.annotation
    if not dataclasses.is_dataclass(group):
        return given[parameter.name]
    values = {field.name: given[field.name] for field in dataclasses.fields(group)}
    made = group(**values)  # type: ignore[operator]  # a class, not an instance of one
    session = session_of.get()
    return session.call(made) if session is not None and isinstance(made, Call) else made
