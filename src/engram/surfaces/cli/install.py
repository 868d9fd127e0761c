"""The command that gives a harness its memory: a server's entry, hooks and slash commands."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.terminal import safe, styled
from engram.surfaces.harness.watchdog import HOOK_SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from engram.surfaces.harness.check import Finding
    from engram.surfaces.harness.install import Outcome
    from engram.surfaces.harness.known import Harness
    from engram.surfaces.harness.places import Places
    from engram.surfaces.harness.plan import Plan, Wish
    from engram.surfaces.harness.record import Installation

_STYLES = {"added": "green", "changed": "cyan", "left": "yellow", "removed": "red"}


@dataclass(frozen=True, slots=True)
class Parts:
    """What is installed, and where."""

    project: Annotated[
        Path | None, typer.Option(metavar="DIR", help="For one project, in its folder.")
    ] = None
    user: Annotated[bool, typer.Option("--user", help="For you, in every project (usual).")] = False
    tools: Annotated[
        str, typer.Option(metavar="SET", help="minimal (2 tools), standard (8) or full (all).")
    ] = "standard"
    no_hooks: Annotated[bool, typer.Option("--no-hooks", help="Without hooks.")] = False
    no_commands: Annotated[
        bool, typer.Option("--no-commands", help="Without /remember, /recall and /forget.")
    ] = False
    allow: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="Tools that need no asking: read-only, or memory-aware (may keep, too).",
        ),
    ] = None
    limit_seconds: Annotated[
        float, typer.Option(min=0.1, max=60.0, help="How long a hook may take at most.")
    ] = HOOK_SECONDS


@dataclass(frozen=True, slots=True)
class Act:
    """What to do instead of installing."""

    print_only: Annotated[
        bool, typer.Option("--print", help="Print what to put where; look at no file.")
    ] = False
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be changed; change nothing.")
    ] = False
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take it all out again.")] = False
    check: Annotated[
        bool, typer.Option("--check", help="Look whether what is installed works; 1 if not.")
    ] = False


@command("install", panel=Panel.CONNECT, example="engram install claude-code --dry-run")
def install(
    call: Call,
    parts: Parts,
    act: Act,
    harness: Annotated[
        str | None, typer.Argument(metavar="HARNESS", help="As claude-code; without it, the list.")
    ] = None,
) -> None:
    """Give a coding agent its memory: server, hooks, slash commands; and take it back."""
    from engram.surfaces.harness.known import find_harness
    from engram.surfaces.harness.places import places_here

    if parts.project is not None and parts.user:
        raise typer.BadParameter("Not both.", param_hint="--project, --user")
    if harness is None and (act.print_only or act.dry_run or act.uninstall):
        raise typer.BadParameter("Name one; `engram install` lists them.", param_hint="HARNESS")
    places = places_here()
    if harness is None or act.check:
        _show_list(call, places, only=harness, is_thorough=act.check)
        return
    known = find_harness(harness)
    if act.uninstall:
        _take_out(call, known, places, parts, act)
    else:
        _put_in(call, known, places, parts, act)


def _put_in(call: Call, harness: "Harness", places: "Places", parts: Parts, act: Act) -> None:
    from datetime import UTC, datetime

    from engram.surfaces.harness import install as doing
    from engram.surfaces.harness.check import is_found
    from engram.surfaces.harness.plan import plan

    wish = _wish(call, parts)
    made = plan(harness, wish, places, is_there=Path.exists)
    if act.print_only or not (harness.is_certain or is_found(harness, places)):
        _show_plan(call, harness, made, is_asked=act.print_only)
        return
    outcomes = doing.install(
        harness.name, made, wish, places, now=datetime.now(UTC), dry_run=act.dry_run
    )
    _show_outcomes(call, harness, outcomes, made.notes, act)


def _take_out(call: Call, harness: "Harness", places: "Places", parts: Parts, act: Act) -> None:
    from engram.errors import InvalidInput
    from engram.surfaces.harness import install as doing

    outcomes = doing.uninstall(harness.name, _project(parts), places, dry_run=act.dry_run)
    if outcomes is None:
        raise InvalidInput(hint=f"{harness.title} is not installed there; `engram install` lists.")
    _show_outcomes(call, harness, outcomes, (), act)


def _project(parts: Parts) -> Path | None:
    return None if parts.project is None else parts.project.expanduser().resolve()


def _wish(call: Call, parts: Parts) -> "Wish":
    from engram.errors import InvalidInput
    from engram.memory.scopes import Scope
    from engram.surfaces.harness.plan import HERE, Wish
    from engram.surfaces.harness.project import project_here

    project = _project(parts)
    if project is not None and not project.is_dir():
        raise InvalidInput(hint="`--project` is the folder of a project.")
    scope = HERE
    if project is not None:
        name = project_here(project)
        scope = Scope(project=name).path.strip("/")
    if call.scope is not None:
        Scope.parse(call.scope)
        scope = call.scope
    return Wish(
        program=_program(),
        python=sys.executable,
        project=project,
        tools=parts.tools,
        scope=scope,
        store=None if call.store is None else str(Path(call.store).expanduser().absolute()),
        has_hooks=not parts.no_hooks,
        has_commands=not parts.no_commands,
        allow=parts.allow,
        limit_seconds=parts.limit_seconds,
    )


def _program() -> tuple[str, ...]:
    """How this very Engram is started again, from any folder."""
    for candidate in (Path(sys.argv[0]), Path(sys.executable).with_name("engram")):
        if candidate.name == "engram" and shutil.which(candidate.absolute()):
            return (str(candidate.absolute()),)
    return (sys.executable, "-P", "-m", "engram")


def _show_plan(call: Call, harness: "Harness", made: "Plan", *, is_asked: bool) -> None:
    from engram.surfaces.harness.printing import snippets

    told = snippets(made)
    notes = list(made.notes)
    if not is_asked:
        notes.insert(0, f"{harness.title} was not found here, so nothing was written.")
    document = {
        "harness": harness.name,
        "files": [{"path": str(path), "text": text} for path, text in told],
        "notes": notes,
    }
    if call.json:
        call.show(document, lambda: styled(""))
        return
    # Not by a table: what is printed here is copied, and must not be wrapped.
    for path, text in told:
        typer.echo(safe(f"{path}\n{text}"))
    for note in notes:
        typer.echo(safe(note))


def _show_outcomes(
    call: Call,
    harness: "Harness",
    outcomes: "Sequence[Outcome]",
    notes: "Sequence[str]",
    act: Act,
) -> None:
    document = {
        "harness": harness.name,
        "dry_run": act.dry_run,
        "files": [
            {"path": str(each.path), "what": each.what, "detail": each.detail,
             "insertions": list(each.insertions)}
            for each in outcomes
        ],
        "notes": list(notes),
    }  # fmt: skip
    call.show(document, lambda: _outcome_picture(outcomes, notes, is_dry_run=act.dry_run))


def _outcome_picture(
    outcomes: "Sequence[Outcome]", notes: "Sequence[str]", *, is_dry_run: bool
) -> "RenderableType":
    made = pictures.table("", "file", whole=("",))
    for each in outcomes:
        details = [styled(each.detail, "dim")] if each.detail else []
        if is_dry_run and each.what in ("added", "changed"):
            details += [styled(text.strip("\r\n"), "dim") for text in each.insertions]
        made.add_row(
            styled(each.what, _STYLES.get(each.what, "dim")),
            pictures.stack(styled(each.path), *details),
        )
    told = ["Nothing was changed; this is what would be."] if is_dry_run else []
    return pictures.stack(made, *(styled(note, "dim") for note in (*told, *notes)))


def _show_list(call: Call, places: "Places", *, only: str | None, is_thorough: bool) -> None:
    from engram.surfaces.harness import record
    from engram.surfaces.harness.check import examine, is_found, look
    from engram.surfaces.harness.known import KNOWN, find_harness

    wanted = KNOWN if only is None else (find_harness(only),)
    names = {each.name for each in wanted}
    found = {each.name: is_found(each, places) for each in wanted}
    act = examine if is_thorough else look
    checked = [(each, act(each)) for each in record.load(places) if each.harness in names]
    document = {
        "harnesses": [{"name": name, "found": is_there} for name, is_there in found.items()],
        "installations": [_checked_document(each, findings) for each, findings in checked],
    }
    call.show(document, lambda: _list_picture(found, checked))
    if is_thorough and not all(finding.is_fine for _, findings in checked for finding in findings):
        raise typer.Exit(1)


def _checked_document(installation: "Installation", findings: "list[Finding]") -> dict[str, object]:
    return {
        "harness": installation.harness,
        "project": installation.project,
        "version": installation.version,
        "fine": all(finding.is_fine for finding in findings),
        "findings": [
            {"what": each.what, "fine": each.is_fine, "detail": each.detail} for each in findings
        ],
    }


def _list_picture(
    found: dict[str, bool], checked: "Sequence[tuple[Installation, list[Finding]]]"
) -> "RenderableType":
    made = pictures.table("harness", "here", "installed", whole=("harness", "here"))
    for name, is_there in found.items():
        own = [(each, findings) for each, findings in checked if each.harness == name]
        lines = [_installed(each, findings) for each, findings in own] or [styled("-", "dim")]
        made.add_row(
            styled(name, "bold"), styled("yes" if is_there else "-"), pictures.stack(*lines)
        )
    return made


def _installed(installation: "Installation", findings: "list[Finding]") -> "RenderableType":
    where = installation.project or "for you"
    wrong = [f"{each.what}: {each.detail}" for each in findings if not each.is_fine]
    if not wrong:
        return styled(f"{where}: fine", "green")
    return pictures.stack(styled(f"{where}:", "red"), *(styled(each, "red") for each in wrong))
