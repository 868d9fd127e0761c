"""Taking in what lies around: transcripts of coding agents, and the outline of a repository."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engram.engine.observing import Observing, Progress
from engram.errors import InvalidInput
from engram.memory.scopes import Scope

if TYPE_CHECKING:
    # Those named twice are what the surfaces are given: they know the engine alone.
    from engram.capture.harvest import HarvestedFile as HarvestedFile
    from engram.capture.harvest import HarvestReport as HarvestReport
    from engram.capture.harvest import HarvestRules
    from engram.capture.model_extraction import ReadingPlan
    from engram.capture.observe import TurnDraft
    from engram.capture.scan_codebase import ScanEntry as ScanEntry
    from engram.capture.scan_codebase import ScanReport as ScanReport
    from engram.capture.transcripts.turns import TranscriptFile


class Harvesting(Observing):
    """What is taken in from files that others keep."""

    def harvest(
        self,
        harness: str,
        *,
        folder: str | Path | None = None,
        project: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
        scope: Scope | None = None,
    ) -> "HarvestReport":
        """Take in what is new in the transcripts of a coding agent, and read it.

        `harness` is claude-code, codex or generic; `folder` (or one file) stands for its usual
        place. `project` takes in the sessions of one project alone. `progress` is told first of
        the bytes of the transcripts and then of the turns that are read. Nothing comes in twice.
        """
        from engram.capture.harvest import HarvestReport, HarvestRules, harvest_files
        from engram.capture.transcripts.project import normalised_project

        rules = HarvestRules(
            store=self._store,
            scope=self.principal.write_scope(scope),
            rules=lambda: self._draft_rules(self._clock()),
            project=None if project is None else normalised_project(project),
            is_dry_run=dry_run,
        )
        files = _transcripts(harness, folder)
        if dry_run:
            return self._foreseen_harvest(harness, files, rules, progress)
        harvested = harvest_files(files, rules, progress=progress)
        learnt = self.flush(progress=progress)
        return HarvestReport(harness=harness, is_dry_run=False, files=harvested, learnt=learnt)

    def scan(
        self,
        folder: str | Path,
        *,
        dry_run: bool = False,
        progress: Progress | None = None,
        scope: Scope | None = None,
    ) -> "ScanReport":
        """Keep what a repository holds: its files, declarations, entry points and commands.

        A later scan gives what is different another wording and takes what is gone out of recall;
        each of these changes can be undone. `progress` is told how many files are done.
        """
        from engram.capture.scan_codebase import ScanRules, scan_codebase

        where = self.principal.write_scope(scope)
        self.principal.check_may_change(where)
        rules = ScanRules(
            store=self._store,
            scope=where,
            rules=lambda: self._draft_rules(self._clock()),
            rows_per_commit=self.settings.storage.rows_per_commit,
            is_dry_run=dry_run,
        )
        report = scan_codebase(_path(folder), rules, progress=progress)
        self._parts.wake_embedding()
        return report

    def _foreseen_harvest(
        self,
        harness: str,
        files: "list[TranscriptFile]",
        rules: "HarvestRules",
        progress: Progress | None,
    ) -> "HarvestReport":
        """What a harvest would take in, and what a model would take to read it."""
        from engram.capture.harvest import HarvestReport, harvest_files
        from engram.capture.planning import added_up, plan_turns

        options, registry = self.settings.model, self.settings.registry
        plans: list[ReadingPlan] = []

        def look(drafts: "Sequence[TurnDraft]") -> None:
            if self._parts.model is not None:
                plans.append(plan_turns(drafts, options, registry))

        harvested = harvest_files(files, rules, progress=progress, look=look)
        plan = added_up(plans, options) if self._parts.model is not None else None
        return HarvestReport(harness=harness, is_dry_run=True, files=harvested, plan=plan)


def usual_places(harness: str) -> list[Path]:
    """Where the transcripts of a harness are looked for when no place is named."""
    from engram.capture.transcripts.read import usual_places as places

    return places(harness, home=Path.home())


def _transcripts(harness: str, folder: str | Path | None) -> "list[TranscriptFile]":
    from engram.capture.transcripts.read import find_transcripts

    root = None if folder is None else _path(folder)
    if root is not None and not root.exists():
        raise InvalidInput(hint="There is no such file or folder; check the path.")
    return list(find_transcripts(harness, home=Path.home(), root=root))


def _path(path: str | Path) -> Path:
    if not isinstance(path, str | Path) or not str(path) or "\x00" in str(path):
        raise InvalidInput(hint="`folder` is the path of a folder.")
    return Path(path).expanduser()
