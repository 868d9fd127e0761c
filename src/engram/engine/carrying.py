"""Carrying memories out into files and in from them: the part of the facade for both."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engram.engine.core import Core
from engram.engine.writing import Progress
from engram.errors import AccessDenied, EngramError, ExportRefused, InvalidInput
from engram.memory.changes import Action
from engram.memory.scopes import Scope
from engram.memory.security_events import SecurityKind
from engram.text.strings import checked_name

if TYPE_CHECKING:
    # Those named twice are what the surfaces are given: they know the engine alone.
    from engram.sharing.exporting.export import ExportFormat as ExportFormat
    from engram.sharing.exporting.export import ExportReport as ExportReport
    from engram.sharing.importing.report import ImportReport as ImportReport
    from engram.storage.carrying import StoredImport as StoredImport


class Carrying(Core):
    """What passes between a store and files that people keep."""

    def export(
        self,
        path: str | Path,
        *,
        passphrase: str | None = None,
        format: str = "age",  # noqa: A002  # what everybody calls it
        scope: Scope | None = None,
        subject: str | None = None,
        plaintext: bool = False,
        progress: Progress | None = None,
    ) -> "ExportReport":
        """Write everything in reach, one scope or what concerns one person into a new file.

        `age` is encrypted with the passphrase; `jsonl` and `markdown` can be read by anybody and
        are made only with `plaintext=True`. Persons alone export, and the audit tells of it.
        """
        from engram.sharing.exporting.export import ExportFormat, ExportRules, export, parse_format

        chosen = parse_format(format)
        target = _path(path)
        self._check_may_export(chosen is ExportFormat.AGE, passphrase, plaintext=plaintext)
        if subject is not None:
            checked_name(subject, name="subject")
        self._parts.access_log.flush()  # what was read before stands before it in the audit
        rules = ExportRules(
            store=self._store,
            reach=self.principal.export_reach(scope),
            made_at=self._clock(),
            format=chosen,
            passphrase=passphrase or "",
            work=self.settings.sharing.export_work,
            scope=scope.path if scope else None,
            subject=subject,
            before_it_appears=self._write_down,
        )
        report = export(target, rules, progress=progress)
        if not report.is_encrypted:
            self._security(SecurityKind.EXPORTED_PLAIN, scope=scope)
        return report

    def import_(
        self,
        path: str | Path,
        *,
        passphrase: str | None = None,
        scope: Scope | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> "ImportReport":
        """Take in an export, JSON lines of objects with `text`, or a JSON list of them.

        Nothing that the file claims raises what it is believed. Repeating it after an interruption
        goes on where it stopped; `undo` with the id of the report takes all of it back.
        """
        from engram.sharing.importing.import_file import ImportRules, import_file

        where = self.principal.write_scope(scope)
        rules = ImportRules(
            store=self._store,
            scope=where,
            rules=lambda: self._draft_rules(self._clock()),
            options=self.settings.sharing,
            rows_per_commit=self.settings.storage.rows_per_commit,
            passphrase=passphrase,
            is_dry_run=dry_run,
        )
        try:
            report = import_file(_path(path), rules, progress=progress)
        except EngramError as error:
            self._security(SecurityKind.IMPORT_REFUSED, scope=where, code=error.code)
            raise
        if not dry_run:
            self._parts.expect_recall()
            self._parts.wake_embedding()
        return report

    def imports(self, *, limit: int = 20, scope: Scope | None = None) -> "list[StoredImport]":
        """The files that were imported into what the caller sees, the last first."""
        if not isinstance(limit, int) or not 1 <= limit <= 1_000:
            raise InvalidInput(hint="`limit` is a number from 1 to 1000.")
        reach = self.principal.review_reach(scope)
        with self._store.read(reach, timeout_seconds=self._patience) as see:
            found = see.carrying.imports(limit=limit)
        self._note(Action.LIST, count=len(found), scope=scope)
        return found

    def _check_may_export(
        self, is_encrypted: bool, passphrase: str | None, *, plaintext: bool
    ) -> None:
        if not self.principal.is_person:
            raise AccessDenied(hint="A person exports; an agent reads what it needs.")
        if self._parts.place is not None and self._parts.place.read_only:
            raise ExportRefused(hint="The audit tells of exports: open the store for writing.")
        if is_encrypted and not passphrase:
            raise ExportRefused(hint="Give a passphrase: an export is encrypted with it.")
        if not is_encrypted and not plaintext:
            raise ExportRefused(
                hint="Anybody can read this format. Say plaintext=True (--plaintext) to have it."
            )

    def _write_down(self, by_scope: Mapping[str, int], unsealed: Mapping[str, int]) -> None:
        """Tell the audit of an export before its file is there: none exists that it misses.

        Each scope is told of its own, so that nobody learns how much there is elsewhere.
        """
        own = self.principal.write_scope()
        with self._writing(own) as unit:
            for path in sorted({own.path, *by_scope}):
                unit.audit(Action.EXPORT, path, count=by_scope.get(path, 0))
            for path, count in sorted(unsealed.items()):
                if count:
                    unit.audit(Action.UNSEAL, path, count=count)


def is_encrypted(path: Path) -> bool:
    """Whether a file that is to be imported asks for a passphrase; what cannot be read does not."""
    from engram.sharing.importing.opened_file import is_sealed

    return is_sealed(_path(path))


def _path(path: object) -> Path:
    if not isinstance(path, str | Path) or not str(path) or "\x00" in str(path):
        raise InvalidInput(hint="`path` names a file.")
    return Path(path).expanduser()


def check_format(name: str) -> None:
    """Refuse a format that no export has."""
    from engram.sharing.exporting.export import parse_format

    parse_format(name)
