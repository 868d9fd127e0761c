"""A dream as a whole: its passes in order, bounded, one at a time, and taken back exactly."""

import json
import re
import shutil
import sys
import threading
from datetime import datetime
from pathlib import Path

import pytest
from clock import FakeClock
from dump import logical_dump
from lively import PROJECT, SETTINGS, fill

from engram import Engram, Scope
from engram.errors import AccessDenied, ChangeNotFound, DreamRunning, InvalidInput, UndoConflict
from engram.failpoints import arm, disarm
from engram.memory.dreams.report import ALL_STEPS, Step
from engram.storage.alone import working_alone
from engram.storage.place import DREAM_LOCK


class Killed(BaseException):
    """Stands for the end of the process: nothing in the program catches it."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> tuple[Path, datetime]:
    """A store to copy, and the evening on which it dreams."""
    path, clock = tmp_path_factory.mktemp("lively") / "store", FakeClock()
    with Engram.open(path, clock=clock, settings=SETTINGS) as engram:
        fill(engram, clock)
    return path, clock.time


@pytest.fixture
def copy_of(filled, tmp_path):
    """Opens copies of the filled store, each on the same evening."""
    opened: list[Engram] = []

    def open_copy(clock: FakeClock | None = None, **settings: object) -> Engram:
        folder = tmp_path / f"copy-{len(opened)}"
        shutil.copytree(filled[0], folder)
        engram = Engram.open(
            folder, clock=clock or FakeClock(filled[1]), settings={**SETTINGS, **settings}
        )
        opened.append(engram)
        return engram

    yield open_copy
    for each in opened:
        each.close()


@pytest.fixture
def clock(filled) -> FakeClock:
    return FakeClock(filled[1])


@pytest.fixture
def lively(copy_of, clock):
    return copy_of(clock)


def comparable(engram: Engram) -> str:
    """What a store says, with labels for ids, which are made by chance."""
    text = logical_dump(engram).decode()
    for memory in engram.list(limit=10_000, status="any"):
        text = text.replace(memory.id, memory.label)
    return re.sub(r"drm-[0-9a-z]{26}|chg-[0-9a-z]{26}", "id", text)


def test_every_pass_is_done_in_every_scope_and_none_fails(lively):
    report = lively.dream()

    assert [(each.scope, each.step) for each in report.passes] == [
        (scope, step) for scope in ("/", PROJECT.path) for step in ALL_STEPS
    ]
    assert [each.skipped for each in report.passes if "fail" in each.skipped] == []
    assert report.is_whole
    assert report.decisions > 10


def test_a_second_dream_with_nothing_new_changes_nothing(lively, clock):
    lively.dream()
    before = logical_dump(lively)

    for _ in range(3):
        clock.advance(minutes=1)
        again = lively.dream()
        assert [each.decided for each in again.passes if each.decided] == []

    assert logical_dump(lively) == before


def test_undoing_a_whole_dream_leaves_what_was_before_to_the_byte(lively):
    before = logical_dump(lively)
    report = lively.dream()
    assert logical_dump(lively) != before

    lively.undo(report.id)

    assert logical_dump(lively) == before
    assert lively.dreams()[0].undone == lively.dreams()[0].decisions
    assert lively.verify_audit().is_intact
    assert lively.doctor().is_fine


def test_one_decision_or_one_pass_is_taken_back_alone(lively):
    report = lively.dream()
    (archived,) = (each for each in report.of("archive") if each.scope == "/")

    lively.undo(archived.decided[0].changes[0])
    back = lively.get(f"mem-{archived.decided[0].numbers[0]:04}")
    lively.undo(f"{report.id}:expire")

    assert back.status == "active"
    assert lively.get("mem-0005").status == "active"  # the guess that had expired
    assert lively.get(f"mem-{archived.decided[1].numbers[0]:04}").status == "archived"


def test_what_was_undone_is_not_decided_again(lively):
    report = lively.dream(steps=["expire", "archive"])
    lively.undo(report.id)
    before = logical_dump(lively)

    again = lively.dream(steps=["expire", "archive"])

    assert again.decisions == 0
    assert logical_dump(lively) == before


def test_undoing_the_undoing_of_a_decision_brings_it_about_again(lively):
    report = lively.dream(steps=["archive"])
    after = logical_dump(lively)
    for decided in report.of("archive")[0].decided:
        lively.undo(decided.changes[0])
    undone = [each.change_id for each in lively.audit(action="undo", limit=1_000)]

    for change in undone:
        lively.undo(change)

    assert logical_dump(lively) == after


def test_an_undone_artefact_makes_way_for_its_predecessor_and_comes_back(lively):
    lively.dream(steps=["topics"])
    first = logical_dump(lively)
    lively.remember("The harbour master keeps parrots and lemurs in Porto.", source="import:more")
    second = lively.dream(steps=["topics"])
    after = logical_dump(lively)

    lively.undo(second.id)
    (undoing,) = {each.change_id for each in lively.audit(action="undo")}
    lively.undo(undoing)

    assert logical_dump(lively) == after
    assert first != after


def test_dreams_are_undone_one_after_the_other_the_last_first(lively, clock):
    said = [logical_dump(lively)]
    dreams = []
    for text in ("Bo Larsen sails in Lisbon.", "Bo Larsen keeps bees.", "Bo Larsen reads Latin."):
        dreams.append(lively.dream())
        lively.remember(text, source="import:more", category="fact")
        said.append(logical_dump(lively))
        clock.advance(days=1)

    for dream in reversed(dreams):
        lively.undo(dream.id)

    stands = {each.id: (each.decisions, each.undone) for each in lively.dreams()}
    assert all(decisions == undone for decisions, undone in stands.values())
    first, last = json.loads(said[0]), json.loads(logical_dump(lively))
    assert first["artefacts"] == last["artefacts"] == []
    assert first["memories"] == last["memories"][: len(first["memories"])]


def test_a_dream_is_undone_redone_and_undone_again(lively):
    before = logical_dump(lively)
    report = lively.dream(steps=["topics", "tree", "archive"])
    after = logical_dump(lively)
    lively.undo(report.id)
    for scope in (None, PROJECT):
        undone = lively.audit(action="undo", limit=1_000, scope=scope)
        for change in {each.change_id for each in undone if each.scope == (scope or Scope()).path}:
            lively.undo(change, scope=scope)
    assert logical_dump(lively) == after

    lively.undo(report.id)

    assert logical_dump(lively) == before


def test_a_rebuild_makes_again_what_was_undone_as_far_as_it_only_sums_up(lively):
    report = lively.dream()
    lively.undo(f"{report.id}:topics")
    lively.undo(f"{report.id}:expire")
    assert lively.topics() == []

    lively.dream(rebuild=True)

    assert lively.topics()
    assert lively.get("mem-0005").status == "active"  # a decision about a memory stays undone


def test_a_dream_that_others_built_upon_names_what_stands_in_the_way(lively):
    report = lively.dream(steps=["expire"])
    lively.set_status("mem-0005", "active", reason="it is true after all")

    with pytest.raises(UndoConflict) as refused:
        lively.undo(report.id)

    assert "mem-0005" in refused.value.hint
    assert lively.get("mem-0006").status == "archived"  # all of it or nothing


def test_a_dry_run_changes_nothing_and_tells_what_would_be_decided(lively):
    before = logical_dump(lively)

    dry = lively.dream(steps=["expire", "archive", "topics"], dry_run=True)

    assert logical_dump(lively) == before
    assert (dry.is_dry, dry.id, lively.dreams()) == (True, "", [])
    done = lively.dream(steps=["expire"])
    planned = [each.why for each in dry.of("expire")[0].decided]
    assert planned == [each.why for each in done.of("expire")[0].decided]


@pytest.mark.parametrize("failpoint", ["dream_after_decision", "dream_before_commit"])
def test_a_dream_killed_after_any_decision_and_resumed_ends_like_an_uninterrupted_one(
    copy_of, failpoint
):
    whole, number = _dreamt(copy_of(), kills=())

    for place in range(0, number - 1, 6):
        assert _dreamt(copy_of(), kills=(place, 0), failpoint=failpoint)[0] == whole, place


@pytest.mark.failure("F09")
def test_only_one_of_two_dreams_works_at_a_time(lively):
    with working_alone(lively._parts.place.root, DREAM_LOCK) as is_alone:
        assert is_alone
        with pytest.raises(DreamRunning):
            lively.dream()

    assert lively.dream(steps=["topics"]).decisions


def _dreamt(engram, *, kills, failpoint="dream_after_decision") -> tuple[str, int]:
    """What a store says after a dream that was killed at these decisions, and how many it made."""
    for place in kills:
        _arm(failpoint, place)
        with pytest.raises(Killed):
            engram.dream()
        disarm()
    report = engram.dream()
    assert report.is_resumed == bool(kills)
    return comparable(engram), report.decisions


def _arm(failpoint: str, skip: int) -> None:
    left = [skip]

    def die() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed

    arm(failpoint, die)


@pytest.fixture(autouse=True)
def _nothing_stays_armed():
    yield
    disarm()


def test_a_pass_that_meets_its_bound_goes_on_in_the_next_dream(copy_of):
    engram = copy_of(dreams={"decisions_per_pass": 2})
    first = engram.dream(steps=["archive"])
    second = engram.dream(steps=["archive"])

    assert [len(each.decided) for each in first.of("archive")] == [2, 1]
    assert not first.is_whole
    assert len(second.of("archive")[0].decided) == 2


@pytest.mark.failure("F58")
def test_a_dream_under_constant_writes_makes_progress_and_ends(lively, clock):
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            lively.remember(f"Note {number} of the constant writer.", source="import:writer")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        report = lively.dream(steps=["expire", "topics"])
    finally:
        stop.set()
        writer.join()

    assert lively.get("mem-0005").status == "archived"
    assert report.is_whole


def test_what_a_dream_planned_and_somebody_changed_meanwhile_is_left_alone(lively):
    def verify_first() -> None:
        disarm()
        lively.pin("mem-0006")

    arm("dream_after_decision", verify_first)
    report = lively.dream(steps=["expire"])

    assert lively.get("mem-0006").status == "active"
    assert len(report.of("expire")[0].decided) == 1


def test_a_scoped_caller_dreams_of_its_own_scope_alone(lively):
    mine = lively.seen_by(_person(PROJECT))

    report = mine.dream()

    assert {each.scope for each in report.passes} == {PROJECT.path}
    assert lively.get("mem-0005").status == "active"
    assert [each.id for each in mine.dreams()] == [report.id]


def test_nobody_learns_what_was_decided_in_the_scopes_of_others(lively):
    report = lively.dream()
    other = lively.seen_by(_person(Scope(project="other")))

    (shown,) = other.dreams()
    passes = other.dream_report(report.id).passes

    assert {each.scope for each in passes} == {"/"}  # what is global everybody sees
    assert shown.decisions == sum(len(each.decided) for each in passes) < report.decisions
    with pytest.raises(AccessDenied):
        other.undo(report.id)


def test_the_dreams_of_a_project_are_out_of_sight_for_others(lively):
    report = lively.seen_by(_person(PROJECT)).dream()
    other = lively.seen_by(_person(Scope(project="other")))

    assert other.dreams() == []
    with pytest.raises(ChangeNotFound):
        other.dream_report(report.id)
    with pytest.raises(ChangeNotFound):
        other.undo(report.id)
    assert lively.dreams()[0].id == report.id  # the owner sees all


def _person(scope):
    from engram.memory.scopes import Principal

    return Principal.of(scope)


@pytest.mark.parametrize("steps", [[], ["nothing"], 7, ["merge", 3], "", {"a": 1}])
def test_unknown_passes_are_refused_before_anything_happens(lively, steps):
    with pytest.raises(InvalidInput):
        lively.dream(steps=steps)

    assert lively.dreams() == []


@pytest.mark.parametrize("name", ["drm-unknown", "drm-unknown:merge"])
def test_an_unknown_dream_cannot_be_undone(lively, name):
    with pytest.raises(ChangeNotFound):
        lively.undo(name)


def test_an_unknown_pass_of_a_dream_cannot_be_undone(lively):
    report = lively.dream(steps=["topics"])

    with pytest.raises(InvalidInput):
        lively.undo(f"{report.id}:nothing")
    with pytest.raises(UndoConflict):
        lively.undo(f"{report.id}:merge")


def test_a_report_can_be_read_again_later(lively):
    report = lively.dream()

    again = lively.dream_report(report.id)

    assert again.passes == report.passes
    assert again.of(Step.EXPIRE) == report.of("expire")


def test_a_store_on_disk_is_dreamt_by_one_process_at_a_time(tmp_path: Path, clock):
    with Engram.open(tmp_path / "store", clock=clock, settings=SETTINGS) as engram:
        engram.remember("Something to dream of.")
        with working_alone(tmp_path / "store", DREAM_LOCK), pytest.raises(DreamRunning):
            engram.dream()
        assert engram.dream().id
        assert engram.doctor().is_fine


def test_nothing_of_dreams_is_loaded_before_one_begins():
    import subprocess

    code = (
        "import sys, engram; e = engram.Engram.open(':memory:'); e.remember('x y z.'); "
        "print([n for n in sys.modules if n.startswith('engram.lifecycle.dreams.') "
        "and n.rsplit('.', 1)[1] not in ('options', 'taken_back')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
