"""What was erased does not come back: not with a restore, not with a copy put there by hand."""

import shutil
from pathlib import Path

import pytest

from engram import Engram
from engram.errors import StoreReadOnly

from .erasing_world import CANARIES, KEPT, PERSON, SETTINGS, fill
from .test_erase_scan import found_in, told_by


@pytest.fixture
def filled(store_path: Path, clock, tmp_path: Path) -> tuple[Path, Path]:
    """A store from which somebody was erased, and an external backup from before that."""
    outside = tmp_path / "outside" / "copy.db"
    with Engram.open(store_path, clock=clock, settings=SETTINGS) as engram:
        fill(engram, clock)
        engram.backup(outside)
        assert engram.erase(subject=PERSON).is_proven
    return store_path, outside


def shown(engram: Engram) -> str:
    hits = engram.recall(f"{PERSON} kaleidoscopes gramophone").hits
    told = engram.context([{"role": "user", "content": "Who is there?"}], model="gpt-4o")
    return repr([engram.list(limit=100), hits, engram.entities(), told]).lower()


@pytest.mark.failure("F67")
def test_a_restore_from_before_shows_nothing_of_who_was_erased(filled, clock):
    root, outside = filled
    with Engram.open(root, clock=clock, settings=SETTINGS) as engram:
        engram.restore(outside)

        assert not [word for word in CANARIES if word.lower() in shown(engram)]
        assert told_by(engram) == set()
        assert KEPT in [memory.content for memory in engram.list()]
        assert [each.state for each in engram.erasures()] == ["proven"]
        assert engram.verify_audit().is_intact

    # The replaced database lies among the backups, and is one from after the erasure.
    assert found_in(root) == set()


def test_a_copy_that_somebody_put_there_is_cleaned_before_anybody_reads(filled, clock):
    root, outside = filled
    shutil.copyfile(outside, root / "engram.db")

    with pytest.raises(StoreReadOnly):
        Engram.open(root, clock=clock, settings=SETTINGS, read_only=True)
    with Engram.open(root, clock=clock, settings=SETTINGS) as engram:
        assert not [word for word in CANARIES if word.lower() in shown(engram)]
        assert told_by(engram) == set()

    assert found_in(root) == set()


def test_a_memory_erased_by_itself_does_not_come_back_either(store_path, clock, tmp_path):
    outside = tmp_path / "copy.db"
    with Engram.open(store_path, clock=clock, settings=SETTINGS) as engram:
        memory = engram.remember("The canarywharf password is long.").memory
        engram.remember("Bo sails.")
        engram.backup(outside)
        engram.erase(memory.id)
        engram.restore(outside)

        assert [each.content for each in engram.list()] == ["Bo sails."]
        assert engram.get(memory.id) is None


def test_what_was_said_after_the_backup_of_another_store_is_not_touched(tmp_path, clock):
    """Graves go by ids: the numbers of another store mean other memories."""
    with Engram.open(tmp_path / "one", clock=clock, settings=SETTINGS) as one:
        one.erase(one.remember("Ada sings.").memory.id)
        with Engram.open(tmp_path / "two", clock=clock, settings=SETTINGS) as two:
            two.remember("Bo sails.")
            two.backup(tmp_path / "two.db")
        one.restore(tmp_path / "two.db")

        assert [each.content for each in one.list()] == ["Bo sails."]


def test_sealed_records_in_an_older_backup_cannot_be_read_anywhere(store_path, clock, tmp_path):
    outside = tmp_path / "copy.db"
    with Engram.open(store_path, clock=clock, settings=SETTINGS) as engram:
        engram.remember(f"{PERSON} hides the labradorites.", subject=PERSON, secrecy="confidential")
        engram.remember("Bo hides the key.", subject="Bo", secrecy="confidential")
        engram.backup(outside)
        engram.erase(subject=PERSON)
        assert [each.content for each in engram.list()] == ["Bo hides the key."]
    # The older copy with the vault of today: the person's key is gone.
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    shutil.copyfile(outside, elsewhere / "engram.db")
    with Engram.open(elsewhere, clock=clock, settings=SETTINGS) as stranger:
        assert "labradorites" not in repr(stranger.list()).lower()
        assert "hides the key" not in repr(stranger.list()).lower()  # no vault, nothing sealed
    assert b"labradorites" not in outside.read_bytes().lower()
