"""The command that answers a hook of a harness, as harnesses run it and for trying it out."""

from typing import Annotated

import typer

from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.harness.watchdog import HOOK_SECONDS


@command(
    "hook", panel=Panel.CONNECT, example="engram hook prompt --harness claude-code < call.json"
)
def hook(
    call: Call,
    event: Annotated[
        str, typer.Argument(metavar="EVENT", help="session-start, prompt, stop or session-end.")
    ],
    harness: Annotated[str, typer.Option(help="Whose hook it is, as claude-code.")] = "claude-code",
    limit_seconds: Annotated[
        float, typer.Option(min=0.1, max=600.0, help="Answer by then, whatever happens.")
    ] = HOOK_SECONDS,
    most_characters: Annotated[
        int | None, typer.Option(min=1, help="How long a block may be.")
    ] = None,
) -> None:
    """Answer a hook of a harness: its JSON on stdin, ours on stdout, never a failure."""
    from engram.surfaces.harness.hooking import Hook, run

    run(
        Hook(
            event=event,
            harness=harness,
            store=call.store,
            scope=call.scope,
            limit_seconds=limit_seconds,
            most_characters=most_characters,
        )
    )
