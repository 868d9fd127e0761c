"""A backup from before a key was revoked must not let its holder in again."""

import pytest

from engram import Engram
from engram.wiring import restore_store

SETTINGS = {"embedder": {"kind": "hashing"}}


@pytest.fixture
def store(tmp_path):
    """A store with a backup in which two keys and a webhook are valid that no longer are."""
    path = tmp_path / "store"
    with Engram.open(path, settings=SETTINGS) as engram:
        engram.remember("Something worth keeping.")
        kept, revoked, rotated = (engram.issue_key(name) for name in ("kept", "gone", "turned"))
        hook = engram.add_webhook("ci", None)
        engram.backup()
        engram.revoke_key(revoked.key.id)
        engram.rotate_key(rotated.key.id)
        engram.end_webhook(hook.webhook.id)
    return path, kept.text, (revoked.text, rotated.text)


def check(engram: Engram, kept: str, gone: tuple[str, ...]) -> None:
    assert engram.recognise(kept) is not None
    assert [engram.recognise(text) for text in gone] == [None, None]
    assert engram.webhooks() == []


def test_restoring_by_the_library_lets_nobody_in_again(store):
    path, kept, gone = store
    with Engram.open(path, settings=SETTINGS) as engram:
        engram.restore()

        check(engram, kept, gone)


def test_restoring_a_store_that_is_closed_lets_nobody_in_again(store):
    path, kept, gone = store

    restore_store(path)

    with Engram.open(path, settings=SETTINGS) as engram:
        check(engram, kept, gone)
        assert engram.verify_audit().is_intact


def test_a_damaged_store_is_restored_all_the_same(store):
    path, kept, _ = store
    (path / "engram.db").write_bytes(b"no database")

    restore_store(path)

    with Engram.open(path, settings=SETTINGS) as engram:
        assert engram.recognise(kept) is not None
