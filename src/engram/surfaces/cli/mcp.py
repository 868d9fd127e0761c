"""The command that serves an agent over stdin and stdout."""

from typing import Annotated

import typer

from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.mcp.serve import CALLERS, POLICIES, TOOLS, Wish, serve


@command("mcp", panel=Panel.CONNECT, example="engram mcp --scope project=acme --tools standard")
def mcp(
    call: Call,
    tools: Annotated[
        str, typer.Option(metavar="SET", help="minimal (2 tools), standard (8) or full (all).")
    ] = "standard",
    policy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What the tools may do: read-only, standard (adds), memory-aware (also corrects) "
            "or unrestricted.",
        ),
    ] = "unrestricted",
    caller: Annotated[
        str,
        typer.Option("--as", metavar="KIND", help="Whose words these are: agent or person."),
    ] = "agent",
) -> None:
    """Serve an agent over stdin and stdout, by the Model Context Protocol."""
    chosen = ((tools, TOOLS, "--tools"), (policy, POLICIES, "--policy"), (caller, CALLERS, "--as"))
    for value, choices, name in chosen:
        if value not in choices:
            raise typer.BadParameter(f"There is {', '.join(choices)}.", param_hint=name)
    if call.within is not None:
        raise typer.BadParameter("Give the caller's --scope.", param_hint="--within")
    serve(Wish(call.store, call.scope, tools, policy, caller))
