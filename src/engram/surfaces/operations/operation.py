"""What an operation is: one thing a caller can ask for, the same over MCP, HTTP and in the shell.

An operation is written down once: what it takes, what it does, what it gives and what it needs.
The tools of the MCP server, the routes and the description of the HTTP API, and the table of who
may do what are all made from that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar, cast

from pydantic import BaseModel, ConfigDict

from engram.engine import Engram
from engram.memory.roles import Need
from engram.memory.scopes import Scope
from engram.surfaces.documents import Document
from engram.surfaces.operations.fields import ScopePart
from engram.surfaces.operations.veil import as_shown_to

Progress = Callable[[int, int], None]


class Effect(StrEnum):
    """What an operation does to the store; tools are annotated by it."""

    READS = "reads"
    ADDS = "adds"  # nothing that was there is altered
    CHANGES = "changes"  # alters what was there; can be taken back
    REMOVES = "removes"  # takes something out of sight or out of use


class Arguments(BaseModel):
    """What came with a call. Anything unknown or of the wrong type is refused, never guessed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ScopedArguments(Arguments):
    """Arguments of an operation that can be narrowed to a part of what the caller sees."""

    scope: ScopePart | None = None

    @property
    def part(self) -> Scope | None:
        """The scope that is meant; it can only narrow the caller's own."""
        return Scope.parse(self.scope) if self.scope else None


A = TypeVar("A", bound=Arguments)
_Run = Callable[[Engram, A], Document]
_LongRun = Callable[[Engram, A, Progress], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that can be asked for."""

    name: str
    takes: type[Arguments]
    run: Callable[[Engram, Arguments, Progress], Document]
    summary: str  # what it does, in a sentence
    gives: str  # the name of a shape of `operations.shapes`
    need: Need
    effect: Effect
    method: str  # of HTTP
    path: str  # below /api/v1; {names} in it are arguments
    tells: Callable[[Document], str] | None  # in words; None: the document as JSON
    is_long: bool  # tells how far it is
    is_repeatable: bool  # doing it twice is doing it once
    is_local: bool  # works on files of this machine: not for callers from a network
    cursor: str | None = None  # which argument takes the `next` of a page; None: there is one page


OPERATIONS: dict[str, Operation] = {}


@dataclass(frozen=True, slots=True)
class Kind:
    """What operations of one kind have in common."""

    need: Need
    effect: Effect
    is_repeatable: bool = False
    is_local: bool = False


READING = Kind(Need.READ, Effect.READS, is_repeatable=True)
ADDING = Kind(Need.WRITE, Effect.ADDS)
CHANGING = Kind(Need.WRITE, Effect.CHANGES)
REMOVING = Kind(Need.WRITE, Effect.REMOVES, is_repeatable=True)
REVIEWING = Kind(Need.CURATE, Effect.READS, is_repeatable=True)
CURATING = Kind(Need.CURATE, Effect.CHANGES, is_repeatable=True)
INSPECTING = Kind(Need.CONTROL, Effect.READS, is_repeatable=True)
CONTROLLING = Kind(Need.CONTROL, Effect.CHANGES)
ENDING = Kind(Need.CONTROL, Effect.REMOVES, is_repeatable=True)


def operation(
    name: str,
    takes: type[A],
    *,
    kind: Kind,
    route: str,
    gives: str,
    tells: Callable[[Document], str] | None = None,
    cursor: str | None = None,
) -> Callable[[_Run[A]], _Run[A]]:
    """Register a function as an operation; its docstring is the summary, `route` as "GET /path"."""

    def register(function: _Run[A]) -> _Run[A]:
        def run(engram: Engram, given: A, progress: Progress) -> Document:  # noqa: ARG001  # quick
            return function(engram, given)

        _add(
            name,
            takes,
            run,
            function.__doc__,
            kind,
            route,
            gives,
            tells,
            is_long=False,
            cursor=cursor,
        )
        return function

    return register


def long_operation(
    name: str,
    takes: type[A],
    *,
    kind: Kind,
    route: str,
    gives: str,
    tells: Callable[[Document], str] | None = None,
) -> Callable[[_LongRun[A]], _LongRun[A]]:
    """The same for one that takes its time: it is handed a way to say how far it is."""

    def register(function: _LongRun[A]) -> _LongRun[A]:
        _add(name, takes, function, function.__doc__, kind, route, gives, tells, is_long=True)
        return function

    return register


def _add(  # the fields of an operation
    name: str,
    takes: type[A],
    run: _LongRun[A],
    documentation: str | None,
    kind: Kind,
    route: str,
    gives: str,
    tells: Callable[[Document], str] | None,
    *,
    is_long: bool,
    cursor: str | None = None,
) -> None:
    method, _, path = route.partition(" ")

    def run_veiled(engram: Engram, given: A, progress: Progress) -> Document:
        return as_shown_to(engram, run(engram, given, progress))

    OPERATIONS[name] = Operation(
        name=name,
        takes=takes,
        # What comes in is parsed by `takes`, so `run` meets its own kind of arguments.
        run=cast("Callable[[Engram, Arguments, Progress], Document]", run_veiled),
        summary=(documentation or "").strip().splitlines()[0],
        gives=gives,
        need=kind.need,
        effect=kind.effect,
        method=method,
        path=path,
        tells=tells,
        is_long=is_long,
        is_repeatable=kind.is_repeatable,
        is_local=kind.is_local,
        cursor=cursor,
    )
