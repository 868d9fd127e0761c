"""Serves one client over stdin and stdout: answers at once, and loads the rest afterwards."""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from engram.surfaces.mcp.greeting import greet
from engram.surfaces.mcp.wire import Gone, Line, Wire, claim


class ToolSet(StrEnum):
    """How many tools a client is shown."""

    MINIMAL = "minimal"
    STANDARD = "standard"
    FULL = "full"


TOOLS = tuple(ToolSet)
POLICIES = ("read-only", "standard", "memory-aware", "unrestricted")
CALLERS = ("agent", "person")
_FOR_PEOPLE = "An agent's harness starts this and talks to it; `engram install` sets that up."


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for on the command line, as it was typed."""

    store: str | None = None
    scope: str | None = None
    tools: str = ToolSet.STANDARD
    policy: str = "unrestricted"
    caller: str = "agent"


def serve(wish: Wish) -> None:
    """Serve until the client is gone, then end the process."""
    if os.isatty(0):
        print(_FOR_PEOPLE, file=sys.stderr)  # noqa: T201  # stderr: stdout is the protocol's
    wire = claim()
    opening = wire.read_line()
    if opening is not None:
        greeted = _greeted(wire, opening)
        # Loaded only now: a client waits for the first answer, and for nothing else as impatiently.
        from engram.surfaces.mcp.session import hold

        hold(wire, opening, wish, greeted=greeted)
    _leave()


def _greeted(wire: Wire, opening: Line) -> int | str | None:
    """Answer the first line when that can be done by hand; gives the id that was answered."""
    answer = greet(opening)
    if answer is None:
        return None
    with suppress(Gone):  # noticed again by whoever writes next
        wire.write(answer)
    known = answer["id"]
    return known if isinstance(known, int | str) else None


def _leave() -> None:
    """Go at once: the store is closed, and nobody waits for what a thread is still busy with.

    Taking the SDK down in order would take the interpreter longer than all of the rest.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)
