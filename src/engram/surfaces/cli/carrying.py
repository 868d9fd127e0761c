"""The commands that carry memories out into files, and in from them."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import ReasonOption, YesOption
from engram.surfaces.cli.piping import bar
from engram.surfaces.cli.terminal import styled
from engram.surfaces.cli.trying import on_any_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from engram.engine.carrying import ExportReport, ImportReport, StoredImport

_MOST_SHOWN = 30
_OUTCOME_STYLES = {
    "stored": "green", "confirmed": "cyan", "held": "yellow", "refused": "red", "bad": "red",
}  # fmt: skip
_WORD = "plaintext"  # what a person types to have a file that anybody can read


@command("export", panel=Panel.CARE, example="engram export ~/memories.age")
def export(
    call: Call,
    path: Annotated[Path, typer.Argument(help="A file that is not there yet.")],
    form: Annotated[
        str, typer.Option("--format", help="age (encrypted), jsonl or markdown.")
    ] = "age",
    subject: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what concerns this person.")
    ] = None,
    plaintext: Annotated[
        bool, typer.Option("--plaintext", help="With jsonl and markdown: anybody can read it.")
    ] = False,
    yes: YesOption = False,
) -> None:
    """Write memories into one file: everything, one scope, or what concerns one person."""
    from engram.engine.carrying import check_format
    from engram.surfaces.carrying_documents import export_document

    check_format(form)
    if form != "age":
        _confirm_plaintext(path, is_wanted=plaintext, is_confirmed=yes)
    with call.engram() as engram:
        passphrase = _new_passphrase() if form == "age" else None
        with bar("Exporting") as advance:
            report = engram.export(
                path, passphrase=passphrase, format=form, scope=call.part, subject=subject,
                plaintext=plaintext, progress=advance,
            )  # fmt: skip
    call.show(export_document(report), lambda: _exported(report))


def _confirm_plaintext(path: Path, *, is_wanted: bool, is_confirmed: bool) -> None:
    if not is_wanted:
        raise typer.BadParameter(
            "Anybody can read this format; say --plaintext to have it, or leave --format out.",
            param_hint="--plaintext",
        )
    if is_confirmed:
        return
    if not terminal.is_interactive():
        raise typer.BadParameter("Confirm a readable export with --yes.", param_hint="--yes")
    question = f"{path} can be read by whoever gets it. Type {_WORD} to go on: "
    if terminal.ask(question) != _WORD:
        terminal.console(stderr=True).print(styled("Nothing was written.", "yellow"))
        raise typer.Exit(1)


def _new_passphrase() -> str:
    """A passphrase that nobody saw: from the environment, typed twice, or the next line."""
    from engram.settings import export_passphrase

    known = export_passphrase()
    if known:
        return known
    typed = terminal.ask_secret("Passphrase for the export: ")
    if terminal.is_interactive() and terminal.ask_secret("Once more: ") != typed:
        raise typer.BadParameter("The two do not match; nothing was written.")
    if not typed:
        raise typer.BadParameter(
            "Give a passphrase: typed, on the input, or as ENGRAM_EXPORT_PASSPHRASE."
        )
    return typed


def _exported(report: "ExportReport") -> "RenderableType":
    told = ", ".join(f"{count:,} {kind}" for kind, count in report.counts.items()) or "nothing"
    lines = [
        styled(f"Exported to {report.path} ({report.bytes:,} bytes)", "green"),
        styled(told),
    ]
    if report.unsealed:
        lines.append(styled(f"{report.unsealed:,} of them are protected here", "dim"))
    if not report.is_encrypted:
        lines.append(styled("Anybody who gets the file can read it.", "yellow"))
    return pictures.stack(*lines)


@command("import", panel=Panel.CARE, example="engram import ~/memories.age --dry-run")
def import_(
    call: Call,
    path: Annotated[
        Path | None, typer.Argument(help="An export, JSON lines with `text`, or a JSON list.")
    ] = None,
    is_dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would become of it.")
    ] = False,
    undo: Annotated[
        str | None, typer.Option(metavar="IMPORT", help="Take a whole import back, as imp-….")
    ] = None,
    is_listed: Annotated[bool, typer.Option("--list", help="Show what was imported.")] = False,
    reason: ReasonOption = "",
) -> None:
    """Take memories in from a file, believed little; one id takes all of it back."""
    if sum((path is not None, undo is not None, is_listed)) != 1:
        raise typer.BadParameter("Give a file, --undo IMPORT or --list.", param_hint="PATH")
    if is_listed:
        _list(call)
    elif undo is not None:
        _undo(call, undo, reason)
    elif path is not None:
        _import(call, path, is_dry_run=is_dry_run)


def _import(call: Call, path: Path, *, is_dry_run: bool) -> None:
    from engram.surfaces.carrying_documents import import_document

    passphrase = _known_passphrase(path)
    where = on_any_store(call) if is_dry_run else call
    with where.engram(is_new=not is_dry_run) as engram, bar("Importing") as advance:
        report = engram.import_(
            path, passphrase=passphrase, scope=call.part, dry_run=is_dry_run, progress=advance
        )
    call.show(import_document(report), lambda: _imported(report, call.again))
    if report.bad or not report.is_whole:
        raise typer.Exit(1)


def _known_passphrase(path: Path) -> str | None:
    """The passphrase of a file that has one; asked for only where the file is encrypted."""
    from engram.engine.carrying import is_encrypted
    from engram.settings import export_passphrase

    if not is_encrypted(path):
        return None
    return export_passphrase() or terminal.ask_secret("Passphrase of the file: ") or None


def _imported(report: "ImportReport", again: str) -> "RenderableType":
    lines = [_headline(report)]
    if report.outcomes:
        counts = ", ".join(f"{count:,} {name}" for name, count in report.outcomes.items())
        lines.append(styled(counts.replace("_", " ")))
    lines += _reasons("left out", report.left_out) + _reasons("not believed", report.lowered)
    if report.places:
        made = pictures.table("at", "", "why", whole=("at", ""))
        for each in report.places[:_MOST_SHOWN]:
            style = _OUTCOME_STYLES.get(each.outcome, "")
            made.add_row(styled(each.place), styled(each.outcome, style), styled(each.reason))
        lines.append(made)
    more = max(len(report.places) - _MOST_SHOWN, 0) + report.more_places
    if more:
        lines.append(styled(f"and {more:,} more; --json has {len(report.places):,}", "dim"))
    if report.outcomes.get("held"):
        lines.append(styled(f"engram review{again} shows what waits for you", "dim"))
    if report.id and not report.is_known:
        lines.append(pictures.undo_hint(report.id, again))
    return pictures.stack(*lines)


def _headline(report: "ImportReport") -> "RenderableType":
    if report.is_known:
        return styled(f"The same file is in already, as {report.id}; nothing was done.", "cyan")
    if not report.is_whole:
        return styled(f"Not read to its end: {report.problem}.", "red")
    what = "Would be imported" if report.is_dry_run else f"Imported as {report.id}"
    since = f", going on after {report.resumed_after:,}" if report.resumed_after else ""
    return styled(f"{what}: {pictures.counted(report.items, 'item')}{since}", "green")


def _reasons(what: str, counts: Mapping[str, int]) -> "list[RenderableType]":
    told = ", ".join(f"{count:,} {reason}" for reason, count in counts.items())
    return [styled(f"{what}: {told}", "dim")] if told else []


def _undo(call: Call, import_id: str, reason: str) -> None:
    from engram.surfaces.documents import memory_documents

    with call.engram() as engram:
        found = engram.undo(import_id, reason=reason, scope=call.part)
    document = {"undone": import_id, "memories": memory_documents(found)}
    line = f"Took back {import_id}: {pictures.counted(len(found), 'memory', 'memories')}."
    back = None if import_id.endswith(":undo") else f"{import_id}:undo"
    call.show(
        document,
        lambda: pictures.stack(styled(line, "green"), pictures.undo_hint(back, call.again)),
    )


def _list(call: Call) -> None:
    from engram.surfaces.carrying_documents import stored_import_document

    with call.engram() as engram:
        found = engram.imports(limit=1_000, scope=call.part)
    documents = [stored_import_document(each) for each in found]
    call.show({"imports": documents}, lambda: _listed(found))


def _listed(found: "Sequence[StoredImport]") -> "RenderableType":
    if not found:
        return styled("Nothing was imported.", "dim")
    made = pictures.table("import", "file", "when", "items", "", whole=("import",))
    for each in found:
        state = "undone" if each.undone_at else "" if each.finished_at else "interrupted"
        made.add_row(
            styled(each.id, "cyan"), styled(each.name), styled(pictures.moment(each.began_at)),
            styled(each.items), styled(state, "yellow"),
        )  # fmt: skip
    return made
