"""What is over by itself: guesses, promises and horizons, retired once and only when it is time."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from clock import START
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from hypothesis import given
from memory.samples import AGES, memories, memory

from engram import Engram
from engram.memory.changes import Action
from engram.memory.deadlines import ExpiryOptions
from engram.memory.dreams.expiry import Over, deadline_of, expiry, guess_ends, promise_ends
from engram.memory.record import Memory, Usage
from engram.memory.staleness import status_at, turned_stale_by_horizon
from engram.memory.vocabulary import Status

DAY = timedelta(days=1)
OPTIONS = ExpiryOptions()
GUESS = "The heater may be too old."


def expired(engram: Engram) -> list[str]:
    """The reasons of what one dream expired."""
    return [each.why for done in engram.dream(steps=["expire"]).passes for each in done.decided]


def status_of(engram: Engram, found: Memory) -> Status:
    with engram._store.read(engram.principal.reach(None), timeout_seconds=5) as see:
        stored = see.memory(found.id)  # as it is written, and not as it is seen now
    assert stored is not None
    return stored.status


class TestGuesses:
    def test_an_unconfirmed_guess_is_archived_after_thirty_days(self, engram, clock):
        guess = engram.remember(GUESS, confidence=0.3).memory
        clock.advance(days=29)
        assert expired(engram) == []

        clock.advance(days=1)
        reasons = expired(engram)

        assert [guess.label in why for why in reasons] == [True]
        assert "guess" in reasons[0]
        assert status_of(engram, guess) is Status.ARCHIVED
        assert engram.history(guess.id)[-1].change.action is Action.EXPIRE

    def test_a_confirmed_guess_stays(self, engram, clock):
        guess = engram.remember(GUESS, confidence=0.3).memory
        clock.advance(days=20)
        engram.remember(GUESS, confidence=0.3)
        clock.advance(days=300)

        expired(engram)

        assert status_of(engram, guess) is not Status.ARCHIVED

    def test_a_verified_or_pinned_guess_stays_byte_for_byte(self, engram, clock):
        verified = engram.remember(GUESS, confidence=0.3).memory
        engram.verify(verified.id)
        pinned = engram.remember("Tea might help.", confidence=0.1, pinned=True).memory
        clock.advance(days=300)
        before = logical_dump(engram)

        assert expired(engram) == []

        assert status_of(engram, verified) is status_of(engram, pinned) is Status.ACTIVE
        assert logical_dump(engram) == before

    def test_what_is_confident_enough_is_no_guess(self, engram, clock):
        sure = engram.remember("The kettle is descaled.", confidence=0.4, category="moment").memory
        clock.advance(days=400)

        assert expired(engram) == []
        assert status_of(engram, sure) is Status.ACTIVE

    def test_what_was_said_was_said_however_unsure(self):
        turn = memory(category="turn", confidence=0.1)

        assert guess_ends(turn, OPTIONS) is None

    def test_how_long_a_guess_is_kept_is_a_setting(self, open_store: Callable[..., Engram], clock):
        engram = open_store(settings={"expiry": {"speculative_days": 3}})
        guess = engram.remember(GUESS, confidence=0.3).memory
        clock.advance(days=3)

        expired(engram)

        assert status_of(engram, guess) is Status.ARCHIVED


class TestPromises:
    def test_a_promise_ends_ninety_days_after_it_was_last_said(self, engram, clock):
        promise = engram.remember("I promise to fix the gate.", category="commitment").memory
        clock.advance(days=60)
        engram.remember("I promise to fix the gate.", category="commitment")
        clock.advance(days=60)
        assert not any("promise" in why for why in expired(engram))

        clock.advance(days=30)
        reasons = expired(engram)

        assert [promise.label in why and "promise" in why for why in reasons] == [True]
        assert status_of(engram, promise) is Status.ARCHIVED

    def test_a_promise_with_a_deadline_ends_a_week_after_it(self, engram, clock):
        promise = engram.remember(
            "I will send the report by 20 March 2026.", category="commitment"
        ).memory
        clock.set(START.replace(day=27, hour=23))
        assert expired(engram) == []

        clock.advance(days=1)
        expired(engram)

        assert status_of(engram, promise) is Status.ARCHIVED

    def test_a_far_deadline_outlives_the_ninety_days(self, engram, clock):
        promise = engram.remember(
            "I will renew the lease by 1 December 2026.", category="commitment"
        ).memory
        clock.advance(days=200)

        expired(engram)

        assert status_of(engram, promise) is not Status.ARCHIVED

    def test_the_deadline_noted_when_it_was_heard_counts(self):
        noted = memory(category="commitment", metadata={"deadline": (START + DAY).isoformat()})
        other = memory(category="commitment", metadata={"deadline": "when it suits"})

        assert deadline_of(noted) == START + DAY
        assert deadline_of(other) is None

    def test_a_verified_promise_counts_from_then(self):
        renewed = memory(category="commitment", last_verified_at=START + 50 * DAY)

        assert promise_ends(renewed, OPTIONS) == START + 140 * DAY


class TestHorizons:
    def test_a_passed_horizon_is_written_down_and_seen_the_same(self, engram, clock):
        passing = engram.remember("The printer is out of ink.", category="context").memory
        clock.advance(days=30)
        seen_before = engram.list(status="stale")

        reasons = expired(engram)

        assert status_of(engram, passing) is Status.STALE
        assert ["horizon" in why for why in reasons] == [True]
        assert [each.id for each in engram.list(status="stale")] == [passing.id]
        assert [each.status for each in seen_before] == [Status.STALE]
        assert engram.recall("printer ink") == [] or all(
            hit.memory.id != passing.id for hit in engram.recall("printer ink")
        )

    def test_verifying_brings_it_back_and_it_may_pass_again(self, engram, clock):
        passing = engram.remember("The printer is out of ink.", category="context").memory
        clock.advance(days=30)
        expired(engram)

        engram.verify(passing.id)
        assert engram.recall("printer ink")[0].memory.id == passing.id
        clock.advance(days=29)
        assert expired(engram) == []
        clock.advance(days=1)

        assert len(expired(engram)) == 1

    def test_what_somebody_disputes_keeps_that_mark(self, engram, clock):
        passing = engram.remember("The printer is out of ink.", category="context").memory
        engram.set_status(passing.id, "challenged", reason="was it not refilled?")
        clock.advance(days=40)

        assert expired(engram) == []
        assert status_of(engram, passing) is Status.CHALLENGED

    def test_asked_as_of_a_day_before_its_horizon_it_is_found(self, engram, clock):
        passing = engram.remember("The printer is out of ink.", category="context").memory
        clock.advance(days=30)
        expired(engram)

        then = engram.recall("printer ink", as_of=START + 10 * DAY)

        assert [(hit.memory.id, hit.memory.status) for hit in then] == [(passing.id, Status.ACTIVE)]
        assert not [hit for hit in engram.recall("printer ink") if hit.memory.id == passing.id]

    def test_pinning_it_brings_it_back(self, engram, clock):
        passing = engram.remember("The printer is out of ink.", category="context").memory
        clock.advance(days=30)
        expired(engram)

        engram.pin(passing.id)

        assert engram.recall("printer ink")[0].memory.id == passing.id
        assert status_of(engram, passing) is Status.ACTIVE

    def test_at_a_moment_before_its_horizon_it_was_not_stale(self):
        written = memory(horizon="30d", status=Status.STALE, recorded_at=START + 31 * DAY)
        on_a_word = memory(horizon="30d", status=Status.STALE, recorded_at=START + DAY)

        assert turned_stale_by_horizon(written)
        assert status_at(written, START + 10 * DAY) is Status.ACTIVE
        assert status_at(written, START + 30 * DAY) is Status.STALE
        assert not turned_stale_by_horizon(on_a_word)
        assert status_at(on_a_word, START + 10 * DAY) is Status.STALE


class TestEveryExpiry:
    def store(self, engram: Engram) -> None:
        engram.remember(GUESS, confidence=0.3)
        engram.remember("I promise to fix the gate.", category="commitment")
        engram.remember("The printer is out of ink.", category="context")
        engram.remember("Ada lives in Lyon.", category="fact", pinned=True)

    def test_ten_dreams_are_one(self, engram, clock):
        self.store(engram)
        clock.advance(days=100)
        assert len(expired(engram)) == 3
        after_one = logical_dump(engram)

        for _ in range(9):
            assert expired(engram) == []

        assert logical_dump(engram) == after_one

    def test_undo_takes_back_a_decision_a_pass_and_a_dream(self, engram, clock):
        self.store(engram)
        clock.advance(days=100)
        before = logical_dump(engram)
        report = engram.dream(steps=["expire"])

        engram.undo(report.passes[0].decided[0].changes[0])
        engram.undo(f"{report.id}:expire")

        assert logical_dump(engram) == before
        assert expired(engram) == []  # what was taken back is not decided again

    def test_a_clock_that_went_back_expires_nothing(self, engram, clock):
        self.store(engram)
        clock.advance(days=-4_000)

        assert expired(engram) == []

    def test_what_is_said_again_meanwhile_is_left_alone(self, engram, clock):
        guess = engram.remember(GUESS, confidence=0.3).memory
        clock.advance(days=30)
        night = night_of(engram)
        planned = planned_by(engram, "expire", night)
        engram.remember(GUESS, confidence=0.3)

        assert carried_out(engram, planned, night) == []
        assert status_of(engram, guess) is Status.ACTIVE

    def test_bounds_are_kept_and_the_next_dream_goes_on(self, engram, clock):
        for number in range(7):
            engram.remember(f"Shelf {number} may be loose.", confidence=0.2)
        clock.advance(days=31)
        night = night_of(engram, decisions_per_pass=3)

        first = planned_by(engram, "expire", night)
        carried_out(engram, first, night)
        second = planned_by(engram, "expire", night_of(engram, rows_per_pass=2, mark=first.mark))

        assert (len(first.decisions), first.is_whole) == (3, False)
        assert [each.numbers for each in second.decisions] == [(4,), (5,)]
        assert not second.is_whole

    def test_other_scopes_are_left_to_their_own_nights(self, engram, clock):
        from engram import Scope

        project = Scope(project="garden")
        guess = engram.remember(GUESS, confidence=0.3, scope=project).memory
        clock.advance(days=31)

        assert planned_by(engram, "expire").decisions == ()
        assert planned_by(engram, "expire", night_of(engram, scope=project)).decisions[
            0
        ].numbers == (guess.number,)

    @given(memories(), AGES, AGES)
    def test_what_is_over_stays_over_and_is_over_for_one_reason(self, any_memory, age, more):
        now = START + age
        found = expiry(any_memory, now, OPTIONS)

        later = expiry(any_memory, now + more, OPTIONS)

        if found is not None:
            assert found.since <= now
            assert later == found
            assert not any_memory.is_pinned
            assert found.target is (Status.STALE if found.over is Over.HORIZON else Status.ARCHIVED)

    @pytest.mark.parametrize("status", [s for s in Status if s not in (
        Status.ACTIVE, Status.CHALLENGED, Status.STALE)])  # fmt: skip
    def test_what_is_retired_or_waits_does_not_expire(self, status):
        gone = memory(status=status, confidence=0.1, horizon="1d", usage=Usage())

        assert expiry(gone, START + 900 * DAY, OPTIONS) is None


def test_a_guess_that_is_come_back_to_is_borne_out(engram, clock):
    guess = engram.remember("I prefer window seats on long flights.", confidence=0.3).memory
    for _ in range(3):
        engram.recall("window seats on long flights")
        clock.advance(hours=30)
    clock.advance(days=40)

    engram.dream(steps=["expire"])

    assert engram.get(guess.id).status == "active"


def test_a_far_date_stops_nothing(engram, clock):
    guess = engram.remember("Perhaps the key is rotated monthly.", confidence=0.3).memory
    engram.remember("I will pay Bo back.", category="commitment", at="9999-12-30T00:00:00Z")
    clock.advance(days=40)

    report = engram.dream(steps=["expire"])

    assert report.passes[0].skipped == ""
    assert engram.get(guess.id).status == "archived"
