"""Every call to the disk of every write fails, once and for ever: all or nothing, never silent."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from harness_bench import (
    JOURNAL,
    LOG,
    close_quietly,
    copy_database,
    make_database,
    open_on,
)
from harness_child import run_child
from harness_disk import Disk, Fault
from harness_kernel import descriptors_of, refuse_syncs
from harness_operations import OPERATIONS, Operation
from harness_oracle import Contents, current_texts, sound_contents

from engram.engine import Engram
from engram.errors import StoreError

MODES = (LOG, JOURNAL)
_MOST_CALLS = 2_000  # an operation that makes more calls than this never ends


@dataclass(slots=True)
class Bench:
    """One operation on one prepared database, and what it looks like before and after."""

    disk: Disk
    operation: Operation
    mode: str
    template: Path
    database: Path
    target: str
    is_cold: bool = False  # the fault is armed before the database is opened
    checkpoint_pages: int = 1_000

    def run(self, fault: Fault | None) -> bool:
        """Do the operation on a fresh copy while the disk fails; say if it was acknowledged."""
        copy_database(self.template, self.database)
        self.disk.failed = []
        engram = open_on(
            self.disk,
            self.database,
            mode=self.mode,
            day=3,
            checkpoint_pages=self.checkpoint_pages,
        )
        if self.is_cold and fault is not None:
            self.disk.arm(fault)
        is_acknowledged = self._opened(engram) and self._acted(engram, fault)
        self._leave(engram)
        return is_acknowledged

    def _opened(self, engram: Engram) -> bool:
        try:
            engram.stats()
        except StoreError:
            return False  # an open that failed is no promise: opening may be tried again
        self.operation.warm_up(engram)
        return True

    def _acted(self, engram: Engram, fault: Fault | None) -> bool:
        if not self.is_cold and fault is not None:
            self.disk.arm(fault)
        is_acknowledged = self.attempt(engram)
        self._check_distrust(engram)
        return is_acknowledged

    def attempt(self, engram: Engram) -> bool:
        """Do the operation; it succeeds or fails with an error of ours."""
        try:
            self.operation.act(engram, self.target)
        except StoreError:
            return False
        return True

    def _check_distrust(self, engram: Engram) -> None:
        """After a failed sync nobody knows what the disk has kept: no later write may succeed.

        A sync that fails while SQLite itself rolls back a journal is not seen by anybody outside
        SQLite; stores use a log, which is rolled back without one.
        """
        seen = self.disk.failed if self.mode == LOG else self.disk.failed[:1]
        if "xSync" in seen:
            self.disk.disarm()
            with pytest.raises(StoreError):
                engram.remember("This must not be acknowledged.")

    def _leave(self, engram: Engram) -> None:
        try:
            close_quietly(engram)
        except StoreError:
            close_quietly(engram._store)  # the reads that wait could not be written; let go
        self.disk.disarm()

    def walk(self, kind: str, *, is_sticky: bool = False, gap: int | None = None) -> int:
        """Fail the first call, the second, and so on, until the operation needs no more calls."""
        before = sound_contents_of_copy(self.template)
        assert self.run(None)
        after = sound_contents(self.database)
        for first in range(1, _MOST_CALLS):
            second = None if gap is None else first + gap
            fault = Fault(kind, first, is_sticky=is_sticky, second=second)
            is_acknowledged = self.run(fault)
            if not self.disk.failed:
                assert is_acknowledged
                return first - 1
            found = sound_contents(self.database)
            allowed = (after,) if is_acknowledged else (before, after)
            assert found in allowed, (fault, self.disk.failed, difference(found, before, after))
        raise AssertionError("the operation never came to an end")


def sound_contents_of_copy(template: Path) -> Contents:
    copy = template.with_name("copy.db")
    copy_database(template, copy)
    return sound_contents(copy)


def difference(found: Contents, before: Contents, after: Contents) -> list[tuple[int, str]]:
    """Which tables are neither as before nor as after."""
    return [
        (index, f"{len(table)} rows")
        for index, table in enumerate(found)
        if table not in (before[index], after[index])
    ]


def prepared_bench(disk: Disk, folder: Path, name: str, mode: str) -> Bench:
    template = folder / "template.db"
    make_database(template)
    operation = OPERATIONS[name]
    engram = open_on(disk, template, mode=mode, day=1)
    target = operation.prepare(engram)
    engram.close()
    return Bench(disk, operation, mode, template, folder / "trial.db", target)


def kinds() -> Iterator[tuple[str, bool]]:
    for kind in ("error", "full"):
        for is_sticky in (False, True):
            yield kind, is_sticky


@pytest.mark.failure("F44", "F55")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_write_is_whole_or_absent_whichever_call_to_the_disk_fails(
    disk: Disk, tmp_path: Path, name: str, mode: str
) -> None:
    bench = prepared_bench(disk, tmp_path, name, mode)

    points = [bench.walk(kind, is_sticky=is_sticky) for kind, is_sticky in kinds()]

    print(f"{name} in {mode}: {sum(points)} fault points")  # noqa: T201
    assert min(points) > 3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gap", [1, 2, 3, 5, 8])
def test_a_second_fault_while_the_first_is_rolled_back_leaves_all_or_nothing(
    disk: Disk, tmp_path: Path, mode: str, gap: int
) -> None:
    bench = prepared_bench(disk, tmp_path, "remember", mode)

    points = bench.walk("error", gap=gap)

    assert points > 10


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("is_sticky", [False, True])
def test_a_fault_while_a_crash_is_recovered_from_leaves_all_or_nothing(
    disk: Disk, tmp_path: Path, mode: str, is_sticky: bool
) -> None:
    bench = prepared_bench(disk, tmp_path, "remember", mode)
    bench.template = crashed_copy(bench)
    bench.operation = OPERATIONS["revise"]
    bench.is_cold = True

    points = bench.walk("error", is_sticky=is_sticky)

    assert points > 20


def crashed_copy(bench: Bench) -> Path:
    """The files as a crash leaves them: a hot journal, or a log that was not folded back."""
    crashed = bench.template.with_name("crashed.db")
    copy_database(bench.template, bench.database)
    engram = open_on(bench.disk, bench.database, mode=bench.mode, day=2)

    def snapshot() -> None:
        copy_database(bench.database, crashed)

    bench.disk.before_delete = snapshot if bench.mode == JOURNAL else None
    bench.operation.act(engram, bench.target)
    if bench.mode == LOG:
        snapshot()
    bench.disk.before_delete = None
    engram.close()
    suffix = "-journal" if bench.mode == JOURNAL else "-wal"
    assert crashed.with_name(crashed.name + suffix).stat().st_size > 0
    return crashed


@pytest.mark.parametrize("is_sticky", [False, True])
def test_a_fault_while_the_log_is_folded_back_loses_nothing(
    disk: Disk, tmp_path: Path, is_sticky: bool
) -> None:
    bench = prepared_bench(disk, tmp_path, "remember", LOG)
    bench.operation = Operation(_fill_the_log, lambda engram: "")
    bench.template = crashed_copy(bench)
    bench.operation = OPERATIONS["revise"]
    bench.checkpoint_pages = 100
    assert _folds_the_log(bench)

    points = bench.walk("error", is_sticky=is_sticky)

    assert points > 60


def _fill_the_log(engram: Engram, _target: str) -> None:
    """Many small writes: more pages in the log than its limit, of few that are folded back."""
    for number in range(12):
        engram.remember(f"Ada has read page {number} of the report.")


def _folds_the_log(bench: Bench) -> bool:
    """Whether the write itself folds the log back, and not only the end of the process."""
    copy_database(bench.template, bench.database)
    engram = open_on(
        bench.disk, bench.database, mode=LOG, day=3, checkpoint_pages=bench.checkpoint_pages
    )
    engram.stats()
    bench.disk.events = []
    bench.operation.act(engram, bench.target)
    told, bench.disk.events = bench.disk.events, None
    engram.close()
    return any(each.what == "sync" and each.file == bench.database.name for each in told)


@pytest.mark.parametrize("mode", MODES)
def test_a_write_that_failed_once_can_be_tried_again_in_the_same_process(
    disk: Disk, tmp_path: Path, mode: str
) -> None:
    bench = prepared_bench(disk, tmp_path, "remember", mode)

    for first in range(1, _MOST_CALLS):
        is_acknowledged = _tried_again(bench, Fault("error", first))
        texts = current_texts(sound_contents(bench.database))
        assert is_acknowledged or "xSync" in bench.disk.failed
        assert not is_acknowledged or "Grace prefers tea in the morning." in texts
        if not bench.disk.failed:
            return
    raise AssertionError("the operation never came to an end")


def _tried_again(bench: Bench, fault: Fault) -> bool:
    copy_database(bench.template, bench.database)
    engram = open_on(bench.disk, bench.database, mode=bench.mode, day=3)
    engram.stats()
    bench.disk.arm(fault)
    is_acknowledged = bench.attempt(engram) or bench.attempt(engram)
    bench.disk.disarm()
    engram.close()
    return is_acknowledged


@pytest.mark.failure("F44")
@pytest.mark.parametrize("file", ["engram.db-wal", "engram.db"])
def test_once_the_kernel_refuses_a_sync_no_later_write_is_acknowledged(
    tmp_path: Path, file: str
) -> None:
    outcomes = run_child("test_faults", "write_while_syncs_fail", str(tmp_path / "store"), file)

    assert "E1005" in outcomes, "a sync failed over and over, and every write was acknowledged"
    assert set(outcomes[outcomes.index("E1005") :]) == {"E1005"}


def write_while_syncs_fail(store: str, file: str) -> list[str]:
    """In a process of its own: many writes, while one of the files cannot be synced."""
    engram = Engram.open(store, settings={"storage": {"checkpoint_pages": 100}})
    engram.remember("The disk works.")
    refuse_syncs(descriptors_of(Path(store) / file))
    outcomes = []
    for number in range(120):
        try:
            engram.remember(f"The disk fails, said {number} times.")
        except StoreError as error:
            outcomes.append(error.code)
        else:
            outcomes.append("acknowledged")
    return outcomes


def test_a_long_text_that_repeats_itself_is_remembered_like_any_other(tmp_path: Path) -> None:
    paragraph = "The same paragraph, pasted by mistake. " * 200
    with Engram.open(tmp_path / "store") as engram:
        outcome = engram.remember("\n\n".join([paragraph] * 4))

        assert outcome.memory.content
