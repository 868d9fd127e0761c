"""The command that embeds what waits, and shows how far it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.upkeep import EmbedReport, Progress


@command("embed", panel=Panel.CARE, example="engram embed")
def embed(call: Call) -> None:
    """Embed now what waits to be found by meaning; exits 1 when something still waits."""
    from engram.surfaces.documents import embed_document

    with call.engram() as engram, _bar(is_shown=not call.json) as progress:
        report = engram.upkeep.embed(progress)
    call.show(embed_document(report, tells_embedder=True), lambda: _picture(report))
    if report.waiting:
        raise typer.Exit(1)


@contextmanager
def _bar(*, is_shown: bool) -> "Iterator[Progress | None]":
    """A bar on stderr, since stdout belongs to the answer."""
    if not is_shown:
        yield None
        return
    from rich.progress import Progress

    with Progress(console=terminal.console(stderr=True), transient=True) as shown:
        task = shown.add_task("embedding", total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def _picture(report: "EmbedReport") -> "RenderableType":
    from rich.console import Group

    embedded = pictures.counted(report.embedded, "memory", "memories")
    lines = [terminal.styled(f"Embedded {embedded}.", "green")]
    if report.waiting:
        why = report.problem or f"{report.failed} could not be embedded"
        waiting = pictures.counted(report.waiting, "memory still waits", "memories still wait")
        lines.append(terminal.styled(f"{waiting}: {why}", "yellow"))
    lines += [
        terminal.styled(
            f"{each.space.state.value}: {each.space.identity}, "
            + pictures.counted(each.space.vectors, "vector"),
            "dim",
        )
        for each in report.spaces
    ]
    return Group(*lines)
