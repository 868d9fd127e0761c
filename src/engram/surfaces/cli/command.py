"""How a plain function becomes a command: options that belong together are one value.

A parameter whose type is a dataclass stands for one option per field, so that where a store lies,
what is filtered for and the like are written down once and handed over whole.
"""

import dataclasses
import inspect
from collections.abc import Callable
from enum import StrEnum

import typer
from typer.core import TyperGroup

from engram.errors import EngramError
from engram.surfaces.cli.call import Call

_SUMMARY = "Long-term memory for AI agents: keep, recall, correct, explain and undo facts."


class Panel(StrEnum):
    """The groups of commands in the help."""

    USE = "Remember and recall"
    LOOK = "Look things up"
    CHANGE = "Change and undo"
    REVIEW = "Review what agents propose"
    CARE = "Take care of the store"


_Command = Callable[..., None]


class Overview(TyperGroup):
    """All commands, with a help that is shown without waiting for Rich to load."""

    def format_help(self, ctx: object, formatter: object) -> None:  # noqa: ARG002  # as typer calls it
        """Print the overview."""
        typer.echo(overview())


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
        lines += ["", typer.style(panel.value, bold=True)]
        for each in app.registered_commands:
            if each.rich_help_panel == panel and each.callback is not None:
                lines.append(f"  {each.name:<10}{each.callback.__doc__}")
    lines += ["", typer.style("Options", bold=True)]
    lines += [f"  {option:<22}{meaning}" for option, meaning in _OPTIONS]
    return "\n".join([*lines, "", _EPILOGUE])


_OPTIONS = (
    ("--version", "Show the version and exit."),
    ("--install-completion", "Install completion for the current shell."),
    ("--show-completion", "Show that completion, to copy or change it."),
    ("--help", "Show this, or after a command all that it takes."),
)
_EPILOGUE = """Every command takes --store PATH, --scope SCOPE and --json.
Try it without leaving a trace: engram demo"""


def command(name: str, *, panel: Panel, example: str) -> Callable[[_Command], _Command]:
    """Register a function as a command; its docstring is the help."""

    def register(function: _Command) -> _Command:
        app.command(name, rich_help_panel=panel.value, epilog=f"Example: {example}")(
            _with_options(function)
        )
        return function

    return register


def _with_options(function: _Command) -> _Command:
    """The same function with an option for every field of its dataclass parameters."""
    parameters = inspect.signature(function).parameters

    def run(**given: object) -> None:
        arguments = {name: _argument(each, given) for name, each in parameters.items()}
        call = next(value for value in arguments.values() if isinstance(value, Call))
        try:
            function(**arguments)
        except EngramError as error:
            call.fail(error)
            raise typer.Exit(1) from None

    flat = [option for each in parameters.values() for option in _options(each)]
    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]  # read by typer
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


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


def _argument(parameter: inspect.Parameter, given: dict[str, object]) -> object:
    group = parameter.annotation
    if not dataclasses.is_dataclass(group):
        return given[parameter.name]
    values = {field.name: given[field.name] for field in dataclasses.fields(group)}
    return group(**values)  # type: ignore[operator]  # a class, not an instance of one
