"""Takes in what was said to coding agents, from the transcripts that their harnesses keep.

How far a transcript was read is written down in the transaction that keeps its turns: whenever
the program is killed, no turn is lost and none comes in twice.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engram.capture.draft import DraftRules
from engram.capture.model_extraction import ReadingPlan
from engram.capture.observe import TurnDraft, keep_turn, read_turn_draft
from engram.capture.transcripts.read import Found, read_transcript, source_of
from engram.capture.transcripts.turns import (
    TOOL,
    BadLine,
    Mark,
    Rewritten,
    TranscriptFile,
    TranscriptTurn,
    Unreadable,
)
from engram.errors import EngramError
from engram.memory.outcomes import Extracted
from engram.memory.scopes import Scope
from engram.storage.store import Store
from engram.storage.turns import HarvestMark, note_harvest

Progress = Callable[[int, int], None]
_READ_SECONDS = 30.0
# A tool's output is files and logs: kept, it would bury what people and agents said.
_TOOL_OUTPUT = "tool output"
_READ_ELSEWHERE = "another process is reading it"


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestedFile:
    """What became of one transcript."""

    path: Path
    project: str | None  # None: nothing new was said in it
    kept: int = 0  # in a dry run, the turns that would be taken in
    known: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)  # turns, by the reason
    bad_lines: Mapping[str, int] = field(default_factory=dict)  # lines, by the reason
    is_rewritten: bool = False  # no longer what was read before, and so read anew
    problem: str = ""  # why it could not be read to its end


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestReport:
    """What a harvest came to."""

    harness: str
    is_dry_run: bool
    files: tuple[HarvestedFile, ...] = ()
    learnt: Extracted = field(default_factory=Extracted)
    plan: ReadingPlan | None = None  # of a dry run with a model: what reading would take

    @property
    def kept(self) -> int:
        """How many turns were taken in."""
        return sum(file.kept for file in self.files)

    @property
    def known(self) -> int:
        """How many turns were there already."""
        return sum(file.known for file in self.files)

    @property
    def left_out(self) -> Counter[str]:
        """The turns that were not taken in, by the reason."""
        return _summed(file.left_out for file in self.files)

    @property
    def bad_lines(self) -> Counter[str]:
        """The lines that could not be read, by the reason."""
        return _summed(file.bad_lines for file in self.files)

    @property
    def unreadable(self) -> tuple[HarvestedFile, ...]:
        """The transcripts that could not be read to their end."""
        return tuple(file for file in self.files if file.problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestRules:
    """Where turns go, and by what they are checked."""

    store: Store
    scope: Scope
    rules: Callable[[], DraftRules]
    project: str | None = None  # only sessions of this project
    is_dry_run: bool = False


@dataclass(slots=True)
class _Tally:
    """What was met so far in one transcript."""

    drafts: list[TurnDraft] = field(default_factory=list)  # since the last mark
    project: str | None = None
    kept: int = 0
    known: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    bad_lines: Counter[str] = field(default_factory=Counter)
    is_rewritten: bool = False
    problem: str = ""


def harvest_files(
    files: Sequence[TranscriptFile],
    rules: HarvestRules,
    *,
    progress: Progress | None = None,
    look: Callable[[Sequence[TurnDraft]], None] | None = None,
) -> tuple[HarvestedFile, ...]:
    """Take in what is new in each transcript; `look` sees the turns before they are kept.

    `progress` is told how many bytes are done, of how many.
    """
    total = sum(file.size for file in files)
    done, found = 0, list[HarvestedFile]()
    for file in files:
        harvest = _Harvest(file, rules, look)
        for reached in harvest.steps():
            if progress is not None:
                progress(min(done + reached, total), total)
        found.append(harvest.result)
        done += file.size
    return tuple(found)


class _Harvest:
    """The harvest of one transcript."""

    def __init__(
        self,
        file: TranscriptFile,
        rules: HarvestRules,
        look: Callable[[Sequence[TurnDraft]], None] | None,
    ) -> None:
        self._file = file
        self._place = str(file.path.resolve())
        self._rules = rules
        self._look = look
        self._tally = _Tally()

    def steps(self) -> Iterator[int]:
        """Read and keep, mark by mark; yields how many bytes are done."""
        before = self._stored_mark()
        draft_rules = self._rules.rules()
        for found in read_transcript(self._file, after=_as_mark(before)):
            if isinstance(found, TranscriptTurn):
                if self._is_of_another_project(found):
                    return
                self._take(found, draft_rules)
            elif isinstance(found, Mark):
                after = HarvestMark(found.bytes_read, bytes.fromhex(found.digest))
                if not self._keep(before, after, draft_rules):
                    self._tally.problem = _READ_ELSEWHERE
                    return
                before, draft_rules = after, self._rules.rules()
                yield found.bytes_read
            else:
                self._note(found)
        yield self._file.size

    @property
    def result(self) -> HarvestedFile:
        """What became of the transcript."""
        tally = self._tally
        return HarvestedFile(
            path=self._file.path,
            project=tally.project,
            kept=tally.kept,
            known=tally.known,
            left_out=dict(tally.left_out),
            bad_lines=dict(tally.bad_lines),
            is_rewritten=tally.is_rewritten,
            problem=tally.problem,
        )

    def _is_of_another_project(self, turn: TranscriptTurn) -> bool:
        """One file is one session of one project: its first turn speaks for it."""
        wanted = self._rules.project
        if self._tally.project is None and (wanted is None or wanted == turn.project):
            self._tally.project = turn.project
        return self._tally.project is None

    def _take(self, turn: TranscriptTurn, rules: DraftRules) -> None:
        if turn.role == TOOL:
            self._tally.left_out[_TOOL_OUTPUT] += 1
            return
        try:
            draft = _draft(turn, self._file.harness, self._rules.scope, rules)
            # Where lines have moved their numbers tell nothing: the same words are the same turn.
            again = dataclasses.replace(draft.draft, is_again=self._tally.is_rewritten)
            self._tally.drafts.append(dataclasses.replace(draft, draft=again))
        except EngramError as error:
            # One turn that cannot be kept is no reason to keep none; its number is told.
            self._tally.left_out[error.message] += 1

    def _note(self, found: Found) -> None:
        if isinstance(found, BadLine):
            self._tally.bad_lines[found.reason] += 1
        elif isinstance(found, Rewritten):
            self._tally.is_rewritten = True
        elif isinstance(found, Unreadable):
            self._tally.problem = found.reason

    def _keep(self, before: HarvestMark | None, after: HarvestMark, rules: DraftRules) -> bool:
        """Keep the turns since the last mark with the next one; False: others read it meanwhile."""
        drafts, self._tally.drafts = self._tally.drafts, []
        if self._look is not None:
            self._look(drafts)
        if self._rules.is_dry_run:
            self._tally.kept += len(drafts)
            return True
        scope = self._rules.scope
        reach = rules.principal.writing_reach(scope)
        with self._rules.store.write(reach, actor=rules.principal.actor, now=rules.now) as unit:
            if unit.see.turns.harvest_mark(scope, self._place) != before:
                return False
            kinds = Counter(keep_turn(draft, unit, rules).kind for draft in drafts)
            note_harvest(unit.transaction, scope, self._place, after, unit.now)
        self._tally.kept += kinds["kept"]
        self._tally.known += kinds["known"]
        return True

    def _stored_mark(self) -> HarvestMark | None:
        rules = self._rules.rules()
        reach = rules.principal.writing_reach(self._rules.scope)
        with self._rules.store.read(reach, timeout_seconds=_READ_SECONDS) as see:
            return see.turns.harvest_mark(self._rules.scope, self._place)


def _draft(turn: TranscriptTurn, harness: str, scope: Scope, rules: DraftRules) -> TurnDraft:
    arguments: dict[str, object] = {
        "role": turn.role,
        "speaker": turn.speaker,
        "session": turn.session,
        "at": turn.at,
        "reference": turn.reference,
        "source": source_of(harness, turn.project),
        "metadata": {"project": turn.project},
        "scope": scope,
    }
    return read_turn_draft(turn.text, arguments, rules)


def _as_mark(mark: HarvestMark | None) -> Mark | None:
    return None if mark is None else Mark(mark.read_bytes, mark.digest.hex())


def _summed(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total = Counter[str]()
    for each in counts:
        total.update(each)
    return total
