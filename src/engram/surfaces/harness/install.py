"""Installing and uninstalling: a plan is carried out, or taken back, as a whole or not at all.

Everything is worked out in memory first; only then is anything written. What is to be written is
noted before it is written, so that an installation that was interrupted can be taken back too.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from engram.errors import HarnessUnreadable
from engram.surfaces.harness import files, json_edits, record, toml_edits
from engram.surfaces.harness.json_edits import JsonEdit
from engram.surfaces.harness.jsonc import parse
from engram.surfaces.harness.places import Places
from engram.surfaces.harness.plan import (
    HOOK_MODULE,
    Added,
    Changed,
    Edit,
    FileChange,
    Plan,
    Wish,
    hook_program,
    server_arguments,
)
from engram.surfaces.harness.record import Installation, Step, TouchedFile
from engram.surfaces.harness.splices import spliced, unspliced
from engram.version import __version__

BACKUPS = "harness-backups"
_EXECUTABLE = 0o755


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of a file: added, changed, same, left, removed, restored or gone."""

    path: Path
    what: str
    detail: str = ""
    insertions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Staged:
    """One file, worked out: what it is, what it becomes, what is noted about it."""

    found: files.Found
    content: bytes | None  # None: no file
    outcome: Outcome
    note: TouchedFile | None = None
    mode: int | None = None

    @property
    def is_same(self) -> bool:
        return self.content == self.found.content


def install(
    harness: str, plan: Plan, wish: Wish, places: Places, *, now: datetime, dry_run: bool = False
) -> list[Outcome]:
    """Put everything of a plan in its place; what was installed before is replaced by it."""
    old = record.find(record.load(places), harness, wish.project)
    foreseen = _staged(
        plan, old, wish.project
    )  # what cannot be done is said before anything is made
    if dry_run:
        return [each.outcome for each in foreseen]
    with files.one_at_a_time(places.own):
        return _install(harness, plan, wish, places, now)


def _install(harness: str, plan: Plan, wish: Wish, places: Places, now: datetime) -> list[Outcome]:
    installations = record.load(places)
    old = record.find(installations, harness, wish.project)
    staged = _staged(plan, old, wish.project)
    notes = tuple(_backed_up(each, places) for each in staged if each.note is not None)
    fresh = Installation(
        harness=harness,
        project=None if wish.project is None else str(wish.project),
        version=__version__,
        at=now.isoformat(),
        program=wish.program,
        server=(wish.program[0], *server_arguments(wish)),
        hook=hook_program(wish) if _has_hooks(staged) else (),
        store=wish.store,
        files=notes,
    )
    if old is None or replace(fresh, at=old.at) != old:
        record.save(places, [*record.without(installations, old), fresh])
    _carry_out(staged)
    return [each.outcome for each in staged]


def _has_hooks(staged: "Sequence[_Staged]") -> bool:
    return any(HOOK_MODULE in text for each in staged for text in each.outcome.insertions)


def uninstall(
    harness: str, project: Path | None, places: Places, *, dry_run: bool = False
) -> list[Outcome] | None:
    """Take everything of an installation out again; None when there is none."""
    seen = record.find(record.load(places), harness, project)
    if seen is None:
        return None
    if dry_run:
        return [_reverted(touched, project).outcome for touched in seen.files]
    with files.one_at_a_time(places.own):
        return _uninstall(harness, project, places)


def _uninstall(harness: str, project: Path | None, places: Places) -> list[Outcome] | None:
    # Read again: whoever had the lock until now may have installed something else, or nothing.
    installations = record.load(places)
    old = record.find(installations, harness, project)
    if old is None:
        return None
    staged = [_reverted(touched, project) for touched in old.files]
    _carry_out(staged)
    _tidy(old, places)
    record.save(places, record.without(installations, old))
    return [each.outcome for each in staged]


def _staged(plan: Plan, old: Installation | None, project: Path | None) -> list[_Staged]:
    """What each file becomes: without what was put in before, and with what is planned now."""
    before = {touched.path: touched for touched in (old.files if old else ())}
    staged = []
    for change in plan.changes:
        known = before.pop(str(change.path), None)
        _check_inside(change.path, project)
        with files.named(change.path):
            staged.append(_changed(change, known))
    return [*staged, *(_reverted(touched, project) for touched in before.values())]


def _check_inside(path: Path, project: Path | None) -> None:
    """A person's own links are theirs; those of a project are whoever's wrote it."""
    if project is not None and files.leads_outside(path, project):
        raise HarnessUnreadable(hint=f"{path} is or lies behind a link out of the project.")


def _changed(change: FileChange, known: TouchedFile | None) -> _Staged:
    found = files.read(change.path)
    clean = found.content if known is None else _original(known, found.content, change.path)
    if isinstance(change, Added):
        return _own_file(change, found, clean, known)
    return _their_file(change, found, clean, known)


def _own_file(
    change: Added, found: files.Found, clean: bytes | None, known: TouchedFile | None
) -> _Staged:
    content = change.text.encode()
    if clean is not None and not (known is None and clean == content):
        if change.is_needed:
            raise HarnessUnreadable(hint=f"There is another {change.path} already; see --print.")
        taken = Outcome(change.path, "left", "there is another file of that name")
        return _Staged(found, found.content, taken)
    if clean is not None:
        return _Staged(found, found.content, Outcome(change.path, "same", "was there already"))
    what = "same" if found.content == content else "changed" if found.content else "added"
    note = TouchedFile(str(change.path), None, _digest(content), folders=_folders(change, known))
    mode = _EXECUTABLE if change.is_executable else None
    return _Staged(
        found, content, Outcome(change.path, what, insertions=(change.text,)), note, mode
    )


def _their_file(
    change: Changed, found: files.Found, clean: bytes | None, known: TouchedFile | None
) -> _Staged:
    text = "" if clean is None else files.as_text(clean, change.path)
    steps = []
    for edit in change.edits:
        step = _step(text, edit)
        if step.splices:
            steps.append(step)
            text = spliced(text, step.splices)
    content = text.encode()
    if not steps:
        return _Staged(found, found.content, Outcome(change.path, "same", "was there already"))
    inserted = tuple("".join(splice.text for splice in step.splices) for step in steps)
    what = "same" if content == found.content else "changed" if found.content else "added"
    note = TouchedFile(
        str(change.path), None if clean is None else _digest(clean), _digest(content),
        tuple(steps), _folders(change, known), known.backup if known else None,
    )  # fmt: skip
    return _Staged(found, content, Outcome(change.path, what, insertions=inserted), note)


def _step(text: str, edit: Edit) -> Step:
    if isinstance(edit, JsonEdit):
        splices = json_edits.put(text, edit)
        made = json_edits.missing_containers(text, edit) if splices else []
        return Step(edit, tuple(splices), tuple(made))
    return Step(edit, tuple(toml_edits.put(text, edit)))


def _folders(change: FileChange, known: TouchedFile | None) -> tuple[str, ...]:
    """The folders that are made for a file; made before, they are ours still."""
    missing = []
    place = files.real_path(change.path).parent
    while not place.exists():
        missing.append(str(place))
        place = place.parent
    return tuple(missing) or (known.folders if known else ())


def _reverted(touched: TouchedFile, project: Path | None) -> _Staged:
    path = Path(touched.path)
    if project is not None and files.leads_outside(path, project):
        nothing = files.Found(path, None)
        return _Staged(nothing, None, Outcome(path, "left", "is a link out of the project now"))
    found = files.read(path)
    if found.content is None:
        return _Staged(found, None, Outcome(path, "gone", "was not there any more"))
    if not touched.steps and _digest(found.content) != touched.after:
        return _Staged(found, found.content, Outcome(path, "left", "was changed since"))
    with files.named(path):
        content = _original(touched, found.content, path)
    what = "removed" if content is None else "same" if content == found.content else "restored"
    detail = "" if touched.after == _digest(found.content) else "others have changed it since"
    return _Staged(found, content, Outcome(path, what, detail))


def _original(touched: TouchedFile, content: bytes | None, path: Path) -> bytes | None:
    """A file without what was put in, whoever has changed it since; None: no file."""
    if content is None or _digest(content) == touched.before:
        return content
    if not touched.steps:
        return None if _digest(content) == touched.after else content
    text = files.as_text(content, path)
    exact = _unspliced(text, touched) if _digest(content) == touched.after else None
    if exact is not None:
        return None if touched.before is None else exact.encode()
    left = _cut_out(text, touched)
    return None if touched.before is None and _is_empty(left, touched) else left.encode()


def _unspliced(text: str, touched: TouchedFile) -> str | None:
    for step in reversed(touched.steps):
        before = unspliced(text, step.splices)
        if before is None:
            return None
        text = before
    is_exact = touched.before is None or _digest(text.encode()) == touched.before
    return text if is_exact else None


def _cut_out(text: str, touched: TouchedFile) -> str:
    for step in reversed(touched.steps):
        if isinstance(step.edit, JsonEdit):
            left = None if step.edit.stays else json_edits.take(text, step.edit, step.made)
        else:
            left = toml_edits.take(text, step.edit)
        text = text if left is None else left
    return text


def _is_empty(text: str, touched: TouchedFile) -> bool:
    """Whether a file that was made for us holds nothing of anybody else."""
    if not isinstance(touched.steps[0].edit, JsonEdit):
        return not text.strip()
    root = parse(text)
    ours = {step.edit.path[0] for step in touched.steps
            if isinstance(step.edit, JsonEdit) and step.edit.stays}  # fmt: skip
    return root is None or (
        root.opener == "{" and all(child.key in ours for child in root.children)
    )


def _carry_out(staged: Sequence[_Staged]) -> None:
    for each in staged:
        if each.is_same:
            continue
        if each.content is None:
            files.remove(each.found)
        else:
            files.make_folders(each.found.target.parent)
            files.replace(each.found, each.content, mode=each.mode)


def _backed_up(staged: _Staged, places: Places) -> TouchedFile:
    """Keep a copy of a file of theirs before it is changed for the first time."""
    note = staged.note
    if note is None:
        raise ValueError("nothing was noted about this file")
    content = staged.found.content
    if note.before is None or note.backup is not None or content is None or staged.is_same:
        return note
    path = Path(note.path)
    place = hashlib.sha256(note.path.encode()).hexdigest()[:12]
    name = f"{path.name}.{place}.{note.before[:12]}.engram-backup"
    files.write_private(places.own / BACKUPS / name, content)
    return replace(note, backup=name)


def _tidy(old: Installation, places: Places) -> None:
    """Remove the folders made for it, and backups of files that are as they were."""
    made = [Path(folder) for touched in old.files for folder in touched.folders]
    files.remove_empty([folder for folder in made if files.real_path(folder) == folder])
    for touched in old.files:
        if touched.backup is None:
            continue
        content = files.read(Path(touched.path)).content
        if content is not None and _digest(content) == touched.before:
            (places.own / BACKUPS / touched.backup).unlink(missing_ok=True)
    files.remove_empty([places.own / BACKUPS])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
