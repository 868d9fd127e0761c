"""Takes a file in: item by item, in batches that are durable, under one id to take it all back by.

How far a file was read is written down in the transaction that keeps its items: whenever the
program is killed, nothing is lost and nothing comes in twice.
"""

import dataclasses
import hashlib
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engram.capture.draft import Draft, DraftRules, Sort, read_draft
from engram.capture.remember import remember
from engram.capture.screened import HOSTILE, looked_over, refusal
from engram.errors import EngramError, FileUnreadable, ImportRefused
from engram.failpoints import failpoint
from engram.memory.categories import CURATED
from engram.memory.changes import Action
from engram.memory.ids import ChangeId
from engram.memory.outcomes import Outcome
from engram.memory.scopes import Scope
from engram.memory.vocabulary import Layer, MemoryType
from engram.security.screening.screen import Screened, screen
from engram.sharing.importing.claims import (
    Claimed,
    ClaimRules,
    End,
    Header,
    LeftOut,
    Read,
    UnknownFormat,
    read_claims,
)
from engram.sharing.importing.containers import Shape
from engram.sharing.importing.opened_file import OpenedFile, opened_file
from engram.sharing.importing.pieces import Piece, lines, listed, parsed
from engram.sharing.importing.report import ImportReport, Tally
from engram.sharing.options import SharingOptions
from engram.storage.carrying import IMPORT_PREFIX, StoredImport, begin_import, note_import
from engram.storage.store import Store
from engram.storage.turns import count_capture
from engram.storage.unit import UnitOfWork

Progress = Callable[[int, int], None]
_READ_SECONDS = 30.0
_NAME = re.compile(r"[^\w.-]+")
_NAME_LENGTH = 60
_ORDERS_BESIDE = "what lies beside it looks like an order to an agent"
_ELSEWHERE = "another process has gone on with it, or taken it back"
_TIME_IS_UP = "the time for one import is up; repeat it to go on"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRules:
    """Where items go, and by what they are checked."""

    store: Store
    scope: Scope
    rules: Callable[[], DraftRules]
    options: SharingOptions
    rows_per_commit: int
    passphrase: str | None = field(default=None, repr=False)
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True)
class _Item:
    """One item that is to be taken in."""

    place: int
    claimed: Claimed


def import_file(
    path: Path, rules: ImportRules, *, progress: Progress | None = None
) -> ImportReport:
    """Take in what a file holds; `progress` is told how many of its bytes are done."""
    with opened_file(path, rules.options) as file:
        return _Import(file, _name_of(path), rules, progress).run()


def _name_of(path: Path) -> str:
    """What an import is called: the file's own name, as far as it is harmless."""
    return _NAME.sub("_", path.stem)[:_NAME_LENGTH].strip("_.-") or "file"


class _Import:
    """One import under way."""

    def __init__(
        self, file: OpenedFile, name: str, rules: ImportRules, progress: Progress | None
    ) -> None:
        self._file = file
        self._name = name
        self._rules = rules
        self._progress = progress
        self._tally = Tally()
        self._seen: set[bytes] = set()
        self._until = time.monotonic() + rules.options.import_max_seconds
        self._id: str | None = None
        self._done_before = 0
        self._is_known = False
        self._marks = 0  # beginnings and ends of exports, which are no items
        self._noted = 0  # items that are written down as done
        draft_rules = rules.rules()
        self._claim_rules = ClaimRules(draft_rules.registry, draft_rules.now)

    def run(self) -> ImportReport:
        shape, chunks = self._file.plain(self._rules.passphrase)
        self._tally.form = shape.value
        if not self._rules.is_dry_run:
            self._register()
        if not self._is_known:
            self._take_all(_pieces(shape, chunks, self._rules.options))
        return self._report()

    def _register(self) -> None:
        """Know the file again, or begin an import of it."""
        rules, scope = self._rules.rules(), self._rules.scope
        read = self._file.digest()
        reach = rules.principal.writing_reach(scope)
        with self._rules.store.write(reach, actor=rules.principal.actor, now=rules.now) as unit:
            digest = unit.digest(read)  # keyed: that of a short file could be guessed
            known = unit.see.carrying.import_of(digest, scope)
            if known is not None:
                self._id, self._done_before, self._is_known = known
                self._noted = self._done_before
                return
            self._id = IMPORT_PREFIX + unit.mint_memory_id()
            stored = StoredImport(
                id=self._id, scope=scope, actor=rules.principal.actor, name=self._name, items=0,
                began_at=unit.now, finished_at=None, undone_at=None, changes=0,
            )  # fmt: skip
            begin_import(unit.transaction, stored, digest)
            unit.audit(Action.IMPORT, scope.path, count=0)
        failpoint("import_begun")

    def _take_all(self, pieces: Iterator[Piece]) -> None:
        batch: list[_Item] = []
        try:
            for piece in pieces:
                self._check_bounds()
                self._read(piece, batch)
                if len(batch) >= self._rules.rows_per_commit:
                    kept, batch = batch, []
                    self._keep(kept)
        except (FileUnreadable, ImportRefused, _Stopped) as stopped:
            if isinstance(stopped, ImportRefused) and self._tally.items <= 1:
                raise  # nothing was kept
            self._tally.problem = stopped.hint
        try:
            self._keep(batch, is_last=not self._tally.problem)
        except _Stopped as stopped:
            self._tally.problem = stopped.hint

    def _check_bounds(self) -> None:
        if self._progress is not None:
            self._progress(min(self._file.read_bytes, self._file.size), self._file.size)
        if time.monotonic() > self._until:
            raise _Stopped(_TIME_IS_UP)
        most = self._rules.options.import_max_items
        if self._tally.items >= most:
            raise _Stopped(f"more than {most} items, which `sharing.import_max_items` allows")

    def _read(self, piece: Piece, batch: list[_Item]) -> None:
        """Read one item; what an earlier run has done is only looked at, to know repetitions."""
        tally = self._tally if self._tally.items >= self._done_before else Tally()
        self._tally.items += 1
        try:
            found = self._claims(piece)
        except UnknownFormat:
            raise ImportRefused(
                hint="It was exported by a newer version of Engram; upgrade this one."
            ) from None
        except ValueError as error:
            tally.tell(piece.place, "bad", str(error))
            return
        match found:
            case Header() | End():
                self._tally.form = "export"
                self._tally.has_ended |= isinstance(found, End)
                self._marks += 1
                tally.marks += 1
            case LeftOut(reason):
                tally.leave_out(reason)
            case Claimed():
                if self._is_repeated(found):
                    tally.leave_out("said before in the same file")
                elif tally is self._tally:
                    batch.append(_Item(piece.place, found))

    def _claims(self, piece: Piece) -> Read:
        if piece.problem:
            raise ValueError(piece.problem)
        item = parsed(piece.raw, self._rules.options)
        return read_claims(item, self._claim_rules, is_export=self._tally.form == "export")

    def _is_repeated(self, claimed: Claimed) -> bool:
        """A file cannot make its own word count twice."""
        told = [claimed.text, *(str(claimed.arguments.get(name)) for name in
                ("speaker", "subject", "session", "valid_from", "valid_until"))]  # fmt: skip
        key = hashlib.blake2b("\x1f".join(told).encode("utf-8", "replace"), digest_size=16).digest()
        is_known = key in self._seen
        self._seen.add(key)
        return is_known

    def _keep(self, batch: list[_Item], *, is_last: bool = False) -> None:
        """Keep some items, together with how far the file is read."""
        if self._rules.is_dry_run:
            self._foresee(batch)
            return
        rules, scope = self._rules.rules(), self._rules.scope
        reach = rules.principal.writing_reach(scope)
        tally = Tally()
        with self._rules.store.write(reach, actor=rules.principal.actor, now=rules.now) as unit:
            self._check_still_ours(unit)
            changes = [self._taken_in(item, unit, rules, tally) for item in batch]
            done = max(self._tally.items, self._noted)
            note_import(
                unit.transaction, str(self._id),
                items=done - self._marks if is_last else done,  # until then a place to go on from
                changes=sorted({each for each in changes if each}),
                finished_at=unit.now if is_last else None,
            )  # fmt: skip
            unit.audit(Action.IMPORT, scope.path, count=len(batch))
            failpoint("import_before_commit")
        self._noted = done
        self._tally.add(tally)
        failpoint("import_after_commit")

    def _check_still_ours(self, unit: UnitOfWork) -> None:
        """Stop where somebody else has gone on with the same file, or has taken it back."""
        found = unit.see.carrying.imports(limit=1, id_=self._id)
        if not found or found[0].items != self._noted:
            raise _Stopped(_ELSEWHERE)
        if found[0].finished_at is not None or found[0].undone_at is not None:
            raise _Stopped(_ELSEWHERE)

    def _taken_in(
        self, item: _Item, unit: UnitOfWork, rules: DraftRules, tally: Tally
    ) -> ChangeId | None:
        try:
            draft = self._draft(item.claimed, rules)
        except EngramError as error:
            tally.tell(item.place, "bad", error.message)
            return None
        seen, screened = looked_over(draft, rules, inherited=item.claimed.secrecy)
        if screened.is_flagged and not seen.reason_to_hold:
            seen = dataclasses.replace(seen, reason_to_hold=HOSTILE)
        refused = refusal(draft, screened, rules, unit)
        if refused is not None:
            count_capture(unit.transaction, draft.scope, unit.now, {("refused", "secret"): 1})
        outcome: Outcome = refused or remember(
            seen, unit, principal=rules.principal, options=rules.options
        )
        tally.lowered.update(item.claimed.lowered)
        if outcome.kind in ("held", "refused"):
            tally.tell(item.place, outcome.kind, outcome.reason)
        else:
            tally.outcomes[outcome.kind] += 1
        if outcome.change_id:
            told = f"{outcome.reason}; {self._id}" if outcome.kind == "held" else str(self._id)
            unit.explain_change(told)
        return outcome.change_id

    def _draft(self, claimed: Claimed, rules: DraftRules) -> Draft:
        """The item as a statement: of this import, in the importer's scope, believed little."""
        arguments = {**claimed.arguments, "source": f"import:{self._name}",
                     "scope": self._rules.scope}  # fmt: skip
        draft = read_draft(claimed.text, arguments, rules)
        origin = dataclasses.replace(
            draft.provenance,
            trust=min(draft.provenance.trust, claimed.trust),
            source_class=claimed.source_class,
        )
        reason = _ORDERS_BESIDE if _gives_orders_beside(claimed) else claimed.reason_to_hold
        return dataclasses.replace(
            draft,
            provenance=origin,
            confidence=min(draft.confidence, origin.trust),
            action=Action.IMPORT,
            reason_to_hold=reason,
            sort=Sort.TURN if claimed.is_turn else Sort.STATEMENT,
            is_again=claimed.is_turn,
        )

    def _foresee(self, batch: list[_Item]) -> None:
        """Say what would become of items, as far as that can be said without keeping them."""
        rules = self._rules.rules()
        for item in batch:
            try:
                draft = self._draft(item.claimed, rules)
            except EngramError as error:
                self._tally.tell(item.place, "bad", error.message)
                continue
            seen, screened = looked_over(draft, rules, inherited=item.claimed.secrecy)
            self._tally.lowered.update(item.claimed.lowered)
            reason = seen.reason_to_hold or _foreseen_reason(seen, screened, rules)
            if reason:
                self._tally.tell(item.place, "held", reason)
            elif screened.secrets and rules.options.secrets != "mask":
                self._tally.tell(item.place, "refused", "holds a secret")
            else:
                self._tally.outcomes["would_be_taken_in"] += 1

    def _report(self) -> ImportReport:
        tally = self._tally
        is_cut = tally.form == "export" and not tally.has_ended and not self._is_known
        problem = tally.problem or ("it has no end: it was cut short" if is_cut else "")
        return ImportReport(
            id=self._id,
            name=self._name,
            form=tally.form,
            is_encrypted=self._file.is_sealed,
            is_dry_run=self._rules.is_dry_run,
            is_known=self._is_known,
            resumed_after=0 if self._is_known else self._done_before,
            is_whole=not problem,
            problem=problem,
            items=max(tally.items - self._done_before - tally.marks, 0),
            outcomes=dict(tally.outcomes),
            left_out=dict(tally.left_out),
            lowered=dict(tally.lowered),
            places=tuple(tally.places),
            more_places=tally.more_places,
        )


class _Stopped(Exception):
    """A bound was reached; what is in stays."""

    def __init__(self, hint: str) -> None:
        super().__init__(hint)
        self.hint = hint


def _pieces(shape: Shape, chunks: Iterator[bytes], options: SharingOptions) -> Iterator[Piece]:
    return listed(chunks, options) if shape is Shape.LIST else lines(chunks, options)


def _foreseen_reason(draft: Draft, screened: Screened, rules: DraftRules) -> str:
    """Why a person would be asked first, as far as the item alone tells."""
    if screened.is_flagged:
        return HOSTILE
    if draft.memory_type is MemoryType.PROCEDURE or draft.layer is Layer.PROCEDURAL:
        return f"a {draft.category.name} of a source nobody vouches for"
    if draft.category.risk_tier == CURATED and rules.options.hold_curated:
        return f"{draft.category.name} needs a person's approval"
    return ""


def _gives_orders_beside(claimed: Claimed) -> bool:
    """Whether names, the summary or metadata of an item look like an order to an agent."""
    given = claimed.arguments
    metadata = given.get("metadata")
    values = list(metadata.values()) if isinstance(metadata, dict) else []
    beside = [given.get(name) for name in ("speaker", "subject", "reference", "summary")]
    texts = [each for each in (*beside, *values) if isinstance(each, str)]
    texts += [word for each in values if isinstance(each, list) for word in each]
    return bool(texts) and screen("\n".join(texts)).is_flagged
