"""The command that shows Engram end to end on a store of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import EngramError, StorePathInvalid
from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command

if TYPE_CHECKING:
    from engram.surfaces.cli.tour import Step, Tour
    from engram.surfaces.documents import Document


@command("demo", panel=Panel.USE, example="engram demo --keep ./demo-store")
def demo(
    call: Call,
    keep: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Keep the demo's store in this new folder.")
    ] = None,
) -> None:
    """Take a guided tour on a store that is thrown away afterwards."""
    keep = keep or (Path(call.store) if call.store else None)
    with _place(keep) as path:
        steps = _walk(call, path)
    has_held = all(step["held"] for step in steps)
    document: Document = {
        "held": has_held,
        "steps": steps,
        "store": str(keep.expanduser().absolute()) if keep else None,
    }
    call.show(document, lambda: pictures.tour_end(is_held=has_held, kept=keep))
    if not has_held:
        raise typer.Exit(1)


@contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        if keep.expanduser().exists():
            raise StorePathInvalid(hint="--keep names a folder that does not exist yet.")
        yield keep.expanduser()
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="engram-demo-") as folder:
        yield Path(folder) / "store"


def _walk(call: Call, path: Path) -> "list[Document]":
    """Take the steps in order and stop at the first that does not hold."""
    from engram.engine import Engram
    from engram.surfaces.cli.tour import STEPS, Tour

    tour = Tour(path, Engram.open(path))
    taken: list[Document] = []
    try:
        for number, step in enumerate(STEPS, 1):
            told = _taken(step, tour)
            taken.append(told)
            if not call.json:
                terminal.console().print(pictures.tour_step(number, told))
            if not told["held"]:
                break
    finally:
        tour.engram.close()
    return taken


def _taken(step: "Step", tour: "Tour") -> "Document":
    try:
        lines = step.run(tour)
    except (EngramError, AssertionError) as error:
        return {"title": step.title, "held": False, "seen": [f"{error}"]}
    return {"title": step.title, "held": True, "seen": lines}
