"""Turns that are read again: quotes instead of what was written down before, and back again."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta

import pytest

from engram import Engram, Scope
from engram.capture.learn import Statement, learn
from engram.errors import AccessDenied, UndoConflict
from engram.memory.scopes import Principal
from engram.memory.vocabulary import Status

PATIENT = {"capture": {"read_after_turns": 32, "read_after_minutes": 1_000}}
DESK = "I mostly work in Python and Go. My sister lives in Lyon."
_REREAD = """
import sys
from datetime import datetime
from engram import Engram, Scope
moment = datetime.fromisoformat(sys.argv[2])
with Engram.open(sys.argv[1], clock=lambda: moment) as engram:
    engram.reread(dry_run=False)
"""


@pytest.fixture
def heard(open_store):
    return open_store(settings=PATIENT)


def written_before(engram, text, *statements, role="user", category="fact"):
    """A turn, and what an earlier version wrote down of it: words and the place they stand for."""
    turn = engram.observe(text, speaker="Ada", role=role).memory
    rules = engram._draft_rules(engram._clock())
    reach = engram.principal.writing_reach(turn.scope)
    made = []
    later = rules.now + timedelta(seconds=1)
    with engram._store.write(reach, actor=engram.principal.actor, now=later) as unit:
        unit.transaction.run("take_unread", {"number": turn.number})
        for words, said in statements:
            start = text.index(said)
            place = (start, start + len(said))
            found = Statement(text=words, turn=turn, place=place, category=category, confidence=0.8)
            made.append(learn(found, unit, rules, Counter()).memory)
    return turn, *made


def contents(engram, status="active"):
    return sorted(each.content for each in engram.list(status=status) if each.category != "turn")


def desk(engram):
    return written_before(
        engram, DESK,
        ("Ada works in Python and goes.", "I mostly work in Python and Go."),
        ("The sister of Ada is in Lyon.", "My sister lives in Lyon."),
    )  # fmt: skip


def test_a_dry_run_says_what_would_change_and_changes_nothing(heard):
    turn, *old = desk(heard)
    before = contents(heard, "any")

    report = heard.reread()

    assert (report.id, report.is_dry_run, report.turns) == (None, True, 1)
    (changed,) = report.changed
    assert changed.turn == turn.label
    assert set(changed.learnt) == {"I mostly work in Python and Go.", "My sister lives in Lyon."}
    assert set(changed.retired) == {each.label for each in old}
    assert contents(heard, "any") == before


def test_quotes_take_the_place_of_what_was_written_before(heard):
    _, first, second = desk(heard)

    report = heard.reread(dry_run=False)

    assert contents(heard) == ["I mostly work in Python and Go.", "My sister lives in Lyon."]
    for old in (first, second):
        now = heard.get(old.id)
        assert now.status is Status.SUPERSEDED
        assert heard.get(now.superseded_by).content in DESK
    assert (report.learnt, report.retired) == (2, 2)
    assert heard.reread(dry_run=False).changed == ()


def test_what_no_quote_stands_for_is_archived(heard):
    _, old = written_before(
        heard, "What time is it over there?", ("Ada is there.", "it over there")
    )

    heard.reread(dry_run=False)

    assert heard.get(old.id).status is Status.ARCHIVED


@pytest.mark.parametrize(
    "decide",
    [
        lambda e, m: e.pin(m.id),
        lambda e, m: e.verify(m.id),
        lambda e, m: e.revise(m.id, "Ada writes Python."),
        lambda e, m: e.set_tier(m.id, "sensitive"),
        lambda e, m: e.demote(m.id),
    ],
    ids=["pinned", "verified", "edited", "protected", "demoted"],
)
def test_what_a_person_decided_on_stays_and_is_not_learnt_beside_it(heard, decide):
    _, old = written_before(
        heard, "I mostly work in Python.", ("Ada works Python.", "I mostly work in Python.")
    )
    decide(heard, old)

    report = heard.reread(dry_run=False)

    assert heard.get(old.id).status is Status.ACTIVE
    assert (report.learnt, report.retired, report.kept) == (0, 0, 1)


def test_what_was_rejected_does_not_come_back(heard):
    said = "My blood type is O negative."
    _, old = written_before(heard, said, ("Ada is O.", said), role="assistant", category="identity")
    heard.reject(old.id, reason="wrong")

    heard.reread(dry_run=False)

    assert heard.get(old.id).status is Status.REJECTED
    assert contents(heard) == []


def test_what_was_forgotten_does_not_come_back(heard):
    said = "My blood type is O negative."
    _, old = written_before(heard, said, ("Ada is O.", said))
    heard.forget(old.id)

    heard.reread(dry_run=False)

    assert contents(heard) == []


def test_erased_and_waiting_turns_are_not_read(heard):
    turn, *_ = desk(heard)
    heard.erase(memory_id=turn.id)
    heard.observe("I have two cats.", speaker="Bo")

    report = heard.reread(dry_run=False)

    assert (report.turns, heard.unread()) == (0, 1)


def test_what_a_host_handed_in_is_left_to_the_host(heard):
    heard.observe("We settled on Fridays.", facts=[{"text": "Releases are on Fridays."}])

    assert heard.reread(dry_run=False).changed == ()
    assert contents(heard) == ["Releases are on Fridays."]


def test_undo_takes_back_what_nobody_has_changed_since_and_lists_the_rest(heard):
    _, first, second = desk(heard)
    report = heard.reread(dry_run=False)
    heard.settle()
    touched = heard.get(heard.get(first.id).superseded_by)
    heard.pin(touched.id)

    undone = heard.undo(report.id)

    assert contents(heard) == sorted([touched.content, second.content])
    assert touched.id in {each.id for each in undone.kept}
    assert second.id in {each.id for each in undone}
    with pytest.raises(UndoConflict):
        heard.undo(report.id)


def test_an_undone_reread_can_be_done_again(heard):
    desk(heard)
    before = contents(heard)
    heard.undo(heard.reread(dry_run=False).id)
    assert contents(heard) == before

    heard.reread(dry_run=False)

    assert contents(heard) == ["I mostly work in Python and Go.", "My sister lives in Lyon."]
    assert heard.verify_audit().is_intact


def test_a_reread_is_no_import(heard):
    desk(heard)
    heard.reread(dry_run=False)

    assert heard.imports() == []


def test_only_the_owner_has_turns_read_again(heard):
    agent = heard.seen_by(Principal.of(Scope(project="acme", agent="coder")))

    with pytest.raises(AccessDenied):
        agent.reread()


def test_a_killed_reread_goes_on_and_learns_nothing_twice(store_path, clock):
    with Engram.open(store_path, clock=clock, settings=PATIENT) as engram:
        for number in range(20):
            words = f"I keep box {number} in the cellar of the old mill."
            written_before(engram, words, (f"Ada boxes {number}.", words))
            clock.advance(minutes=1)
    for place in ("reread_before_commit,{},1", "reread_after_commit,{},0"):
        marker = store_path.parent / f"marker-{time.monotonic_ns()}"
        child = subprocess.Popen(
            [sys.executable, "-c", _REREAD, str(store_path), clock().isoformat()],
            env={**os.environ, "ENGRAM_FAILPOINT": place.format(marker)},
        )
        until = time.monotonic() + 120
        while not marker.exists() and child.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        assert marker.exists(), "it never came there"
        child.send_signal(signal.SIGKILL)
        child.wait(30)

    with Engram.open(store_path, clock=clock, settings=PATIENT) as engram:
        report = engram.reread(dry_run=False)
        quotes = Counter(each.content for each in engram.list(limit=500) if each.category != "turn")
        undone = engram.undo(report.id)

        assert 0 < report.turns < 20
        assert set(quotes.values()) == {1}
        assert len(quotes) == 20
        assert undone.kept == ()
        assert contents(engram) == sorted(f"Ada boxes {number}." for number in range(20))
        assert engram.doctor().is_fine
        assert json.dumps(engram.verify_audit().is_intact) == "true"
