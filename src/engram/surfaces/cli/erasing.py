"""The command that erases: previewed, confirmed by typing, proven or not."""

import json
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import certificates, pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import ReasonOption, YesOption
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import RenderableType

    from engram.engine import Engram
    from engram.memory.erasure import CertificateVerdict, Erasure

_PENDING = 3  # the exit code of what is not proven yet
_WORD = "erase"
_STEPS = {
    "index": "Cleaning the text index", "backups": "Cleaning the backups",
    "search": "Searching every file",
}  # fmt: skip
_NOT_SHOWN = frozenset({"memories", "states"})


@command("erase", panel=Panel.CHANGE, example='engram erase --subject "Ada Okafor"')
def erase(
    call: Call,
    memory_id: Annotated[
        str | None,
        typer.Argument(
            metavar="ID", help="A memory's id or label; with --list or --resume an erasure's."
        ),
    ] = None,
    subject: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whatever is about, by or names a person.")
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="Whatever came from there, as web:x.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Whatever was said in this session.")] = None,
    with_sources: Annotated[
        bool, typer.Option("--with-sources", help="Also the turns that a memory was drawn from.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the certificate to this file.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Finish erasures that something was in the way of.")
    ] = False,
    verify: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Check a certificate instead.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="Show what was erased so far.")] = False,
    yes: YesOption = False,
    reason: ReasonOption = "",
) -> None:
    """Erase a memory, a person, a source or a session for ever, and prove it."""
    if certificate is not None:
        certificates.check_free(certificate)
    with call.engram() as engram:
        if verify is not None:
            _verify(call, engram, verify)
            return
        if resume:
            _resume(call, engram, memory_id, certificate)
            return
        if listing:
            _list(call, engram.erasures(), memory_id, certificate)
            return
        scope = call.part_of(engram, memory_id) if memory_id else call.part
        act = partial(
            engram.erase, memory_id, subject=subject, source=source, session=session,
            with_sources=with_sources, scope=scope,
        )  # fmt: skip
        preview = act(dry_run=True)
        if dry_run:
            _show(call, preview)
            return
        _confirm(preview, is_confirmed=yes)
        with _steps() as tell, _naming(subject):
            done = act(reason=reason, progress=tell)
    if certificate is not None:
        certificates.write(certificate, done)
    _show(call, done)


@contextmanager
def _naming(subject: str | None) -> "Iterator[None]":
    """Say of whom there is nothing, in the words of who asked."""
    from engram.errors import MemoryNotFound

    try:
        yield
    except MemoryNotFound as error:
        if subject is None:
            raise
        raise MemoryNotFound(hint=f"Nothing is about {subject!r}. {error.hint}") from None


def _resume(call: Call, engram: "Engram", erasure: str | None, certificate: Path | None) -> None:
    if certificate is not None:
        waiting = [each for each in engram.erasures() if not each.is_proven]
        certificates.chosen(waiting, erasure)
    found = _finished(engram)
    if certificate is not None:
        done = certificates.chosen(found, erasure)
        if done is not None and done.is_proven:
            certificates.write(certificate, done)
    _show_all(call, found, _details, "No erasure is pending.")


def _list(
    call: Call, found: "list[Erasure]", erasure: str | None, certificate: Path | None
) -> None:
    if certificate is not None:
        done = certificates.chosen(found, erasure)
        if done is not None:
            certificates.write(certificate, done)
    _show_all(call, found, _line, "Nothing was erased.")


def _confirm(preview: "Erasure", *, is_confirmed: bool) -> None:
    if is_confirmed:
        return
    if not terminal.is_interactive():
        raise typer.BadParameter("Confirm an erasure with --yes.", param_hint="--yes")
    count = f"{preview.memories:,} {'memory' if preview.memories == 1 else 'memories'}"
    question = f"{count} will be gone for ever, from backups too. Type {_WORD} to go on: "
    if terminal.ask(question) != _WORD:
        raise typer.Abort


@contextmanager
def _steps() -> "Iterator[Callable[[str], None] | None]":
    """Say on stderr which step it is at, when somebody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    with terminal.console(stderr=True).status(styled("Erasing", "dim")) as shown:
        yield lambda step: shown.update(styled(_STEPS.get(step, step), "dim"))


def _finished(engram: "Engram") -> "list[Erasure]":
    with terminal.at_work("Finishing erasures"):
        return engram.finish_erasures()


def _show(call: Call, done: "Erasure") -> None:
    from engram.surfaces.erasing_documents import erasure_document

    call.show(erasure_document(done), lambda: _picture(done))
    if done.state.value == "pending":
        raise typer.Exit(_PENDING)


def _show_all(
    call: Call,
    found: "list[Erasure]",
    picture: "Callable[[Erasure], RenderableType]",
    none: str,
) -> None:
    from engram.surfaces.erasing_documents import erasure_document

    document = {"erasures": [erasure_document(each) for each in found]}
    call.show(document, lambda: pictures.stack(*(picture(each) for each in found)) if found
              else styled(none, "dim"))  # fmt: skip
    if any(each.state.value == "pending" for each in found):
        raise typer.Exit(_PENDING)


def _details(each: "Erasure") -> "RenderableType":
    return pictures.stack(_line(each), _picture(each))


def _line(each: "Erasure") -> "RenderableType":
    style = "green" if each.is_proven else "yellow"
    text = (
        f"{each.id}  {each.at:%Y-%m-%d %H:%M}  {each.kind.value}  {each.memories:,}  {each.state}"
    )
    return styled(text, style)


def _picture(done: "Erasure") -> "RenderableType":
    lines: list[RenderableType] = []
    count = f"{done.memories:,} {'memory' if done.memories == 1 else 'memories'}"
    if done.state.value == "preview":
        lines.append(styled(f"{count} would be erased, with everything made of them.", "yellow"))
    elif done.is_proven:
        lines.append(styled(f"Erased {count}. Proven: no file holds anything of it.", "green"))
    else:
        lines.append(styled(f"Erased {count}. Pending: not everything is clean yet.", "yellow"))
    rows = ", ".join(
        f"{number:,} {table.replace('_', ' ')}"
        for table, number in done.counts.items()
        if table not in _NOT_SHOWN
    )
    if rows:
        lines.append(styled(f"With it: {rows}.", "dim"))
    lines += [styled(f"  {each.place}: {each.what}", "yellow") for each in done.remains]
    if done.remains:
        lines.append(styled("`engram erase --resume` tries again.", "dim"))
    if done.also_told_by:
        lines.append(
            styled(f"Still told by {', '.join(done.also_told_by)}: see --with-sources.", "yellow")
        )
    return pictures.stack(*lines)


def _verify(call: Call, engram: "Engram", path: Path) -> None:
    from engram.errors import CertificateInvalid

    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise CertificateInvalid from None
    found = engram.check_certificate(document)
    call.show(
        {"is_unaltered": found.is_unaltered, "is_ours": found.is_ours, "erasure": found.erasure,
         "verdict": found.verdict},
        lambda: _told(found),
    )  # fmt: skip
    if not (found.is_unaltered and found.is_ours):
        raise typer.Exit(1)


def _told(found: "CertificateVerdict") -> "RenderableType":
    if not found.is_unaltered:
        return styled("This certificate was altered after it was signed.", "red")
    if not found.is_ours:
        return styled("It is as it was signed, but this store did not sign it.", "yellow")
    return styled(f"This store signed it: {found.erasure}, {found.verdict}.", "green")
