"""Event time and record time, time zones, and clocks that jump."""

import subprocess
import sys
import textwrap
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from engram import Engram
from engram.errors import InvalidInput
from engram.memory.vocabulary import Status

NAIVE = datetime(2026, 3, 1, 9, 0)


@pytest.mark.failure("F52")
@pytest.mark.parametrize("naive", [NAIVE, "2026-03-01T09:00:00", "2026-03-01"])
@pytest.mark.parametrize(
    "call",
    [
        lambda e, t: e.remember("x", at=t),
        lambda e, t: e.remember("x", valid_from=t),
        lambda e, t: e.remember("x", valid_until=t),
        lambda e, t: e.remember_many([{"text": "x", "at": t}]),
        lambda e, t: e.get("mem-0001", as_of=t),
        lambda e, t: e.get("mem-0001", known_at=t),
        lambda e, t: e.list(as_of=t),
        lambda e, t: e.list(known_at=t),
        lambda e, t: e.list(since=t),
        lambda e, t: e.list(until=t),
        lambda e, t: e.recall("x", now=t),
        lambda e, t: e.recall("x", as_of=t),
        lambda e, t: e.recall("x", known_at=t),
        lambda e, t: e.recall("x", filters={"since": t}),
        lambda e, t: e.recall("x", filters={"until": t}),
        lambda e, t: e.why("x", "mem-0001", now=t),
        lambda e, t: e.why("x", "mem-0001", as_of=t),
        lambda e, t: e.audit(since=t),
    ],
)
def test_times_without_a_zone_are_refused_everywhere(engram, call, naive):
    engram.remember("y")

    with pytest.raises(InvalidInput) as caught:
        call(engram, naive)

    assert "time zone" in caught.value.hint


@pytest.mark.failure("F52")
@pytest.mark.parametrize(
    "moment",
    [
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(2026, 3, 29, 2, 30, tzinfo=ZoneInfo("Europe/Berlin")),  # does not exist
        datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1),  # exists twice
        datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=timezone(timedelta(hours=-11, minutes=-30))),
    ],
)
def test_any_moment_comes_back_to_the_microsecond(engram, moment):
    memory = engram.remember(f"At {moment.isoformat()} {moment.fold}.", at=moment).memory

    back = engram.get(memory.id).at

    assert back == moment.astimezone(UTC)
    assert back.tzinfo is UTC


def test_the_two_half_past_twos_of_a_dst_change_stay_apart(engram):
    zone = ZoneInfo("Europe/Berlin")
    first = engram.remember("first", at=datetime(2026, 10, 25, 2, 30, tzinfo=zone)).memory
    second = engram.remember("second", at=datetime(2026, 10, 25, 2, 30, tzinfo=zone, fold=1)).memory

    assert second.at - first.at == timedelta(hours=1)


def test_known_at_gives_back_every_past_belief(engram, clock):
    memory = engram.remember("one alpha").memory
    moments = [clock()]
    for text in ("two alpha", "three alpha"):
        clock.advance(days=1)
        engram.revise(memory.id, text)
        moments.append(clock())
    clock.advance(days=1)
    engram.forget(memory.id)
    before_all = moments[0] - timedelta(seconds=1)

    got = [engram.get(memory.id, known_at=moment).content for moment in moments]
    listed = [engram.list(known_at=moment)[0].content for moment in moments]
    recalled = [engram.recall("alpha", known_at=moment)[0].memory.content for moment in moments]

    assert got == listed == recalled == ["one alpha", "two alpha", "three alpha"]
    assert engram.get(memory.id, known_at=before_all) is None
    assert engram.list(known_at=before_all) == []
    assert len(engram.recall("alpha", known_at=before_all)) == 0
    assert engram.get(memory.id).status is Status.ARCHIVED


def test_known_at_sees_what_was_taken_back_since(engram, clock):
    made = engram.remember("one")
    known = clock()
    clock.advance(days=1)
    engram.undo(made.change_id)

    assert engram.get(made.memory.id) is None
    assert engram.get(made.memory.id, known_at=known).content == "one"


def test_as_of_answers_for_the_time_asked_about(engram):
    engram.remember(
        "The king is Edward.",
        valid_from="1901-01-22T00:00:00Z", valid_until="1910-05-06T00:00:00Z",
    )  # fmt: skip
    engram.remember(
        "The king is George.",
        valid_from="1910-05-06T00:00:00Z", valid_until="1936-01-20T00:00:00Z",
    )  # fmt: skip

    def kings(moment: str) -> set[str]:
        recalled = {hit.memory.content for hit in engram.recall("king", as_of=moment)}
        listed = {memory.content for memory in engram.list(as_of=moment)}
        assert recalled == listed
        return recalled

    assert kings("1905-01-01T00:00:00Z") == {"The king is Edward."}
    assert kings("1910-05-06T00:00:00Z") == {"The king is George."}
    assert kings("1900-01-01T00:00:00Z") == set()
    assert len(engram.recall("king")) == 0
    assert len(engram.list()) == 2
    assert engram.get("mem-0001", as_of="1920-01-01T00:00:00Z") is None
    assert engram.get("mem-0001", as_of="1905-01-01T00:00:00Z") is not None


def test_as_of_finds_what_was_true_before_it_was_replaced(engram, clock):
    old = engram.remember("Ada's office is in Lyon.").memory
    then = clock.advance(days=10)
    clock.advance(days=20)
    engram.remember("Ada's office is in Porto.", replaces=old.id, valid_from=clock())

    past = [hit.memory.content for hit in engram.recall("Ada's office", as_of=then)]

    assert past == ["Ada's office is in Lyon."]


def test_as_of_leaves_out_the_successor_that_began_to_hold_later(engram, clock):
    """The old one is closed at the successor's time; at an earlier time only one can hold."""
    old = engram.remember("Ada's office is in Lyon.").memory
    then = clock.advance(days=10)
    clock.advance(days=20)
    engram.remember("Ada's office is in Porto.", replaces=old.id)

    past = [hit.memory.content for hit in engram.recall("Ada's office", as_of=then)]

    assert past == ["Ada's office is in Lyon."]


@pytest.mark.failure("F52")
@pytest.mark.parametrize("days", [400, -30, -400, 36_500])
def test_a_clock_jump_deletes_nothing_and_keeps_the_order(open_store, clock, days):
    engram = open_store()
    before = [engram.remember(f"fact {i}", category="decision").memory for i in range(5)]
    engram.revise(before[0].id, "fact 0, again")

    clock.advance(days=days)
    after = [engram.remember(f"later {i}", category="decision").memory for i in range(5)]
    engram.revise(before[0].id, "fact 0, once more")
    engram.pin(before[1].id)
    engram.settle()

    listed = engram.list(status="any", limit=100)
    assert [m.number for m in listed] == list(range(10, 0, -1))
    ids = [memory.id for memory in (*before, *after)]
    assert ids == sorted(ids)
    states = [entry.memory for entry in engram.history(before[0].id)]
    assert [state.version for state in states] == [1, 2, 3]
    recorded = [state.recorded_at for state in states]
    assert recorded == sorted(recorded)
    assert len(set(recorded)) == 3
    assert engram.get(before[1].id).is_pinned
    assert engram.doctor().is_fine


@pytest.mark.failure("F52")
def test_a_jump_and_back_leaves_no_memory_stale(engram, clock):
    memory = engram.remember("a fact", category="context").memory
    clock.advance(days=400)
    stale = engram.get(memory.id).status
    engram.recall("fact")
    engram.settle()

    clock.advance(days=-400)

    assert stale is Status.STALE
    assert engram.get(memory.id).status is Status.ACTIVE
    assert len(engram.recall("fact")) == 1


def test_a_backup_made_after_the_clock_went_back_is_kept(open_store, clock):
    engram = open_store()
    engram.remember("one")
    for _ in range(3):
        clock.advance(days=100)
        engram.backup()
    clock.advance(days=-300)
    engram.remember("two")

    made = engram.backup()

    assert made.path.exists()
    assert engram.upkeep._parts.place.newest_backup() == made.path


@pytest.mark.failure("F52")
@pytest.mark.parametrize(
    "zone", ["UTC", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Apia"]
)
def test_the_zone_of_the_process_changes_nothing(tmp_path, zone):
    program = textwrap.dedent("""
        import sys, time
        from datetime import datetime, timezone, timedelta
        from engram import Engram
        time.tzset()
        now = datetime(2026, 3, 29, 0, 30, 0, 123456, tzinfo=timezone.utc)
        clock = [now]
        with Engram.open(sys.argv[1], clock=lambda: clock[0]) as engram:
            memory = engram.remember("context here", category="context",
                                     at="2026-03-29T02:30:00+02:00").memory
            clock[0] = now + timedelta(days=30) - timedelta(microseconds=1)
            early = engram.get(memory.id).status
            clock[0] = now + timedelta(days=30)
            late = engram.get(memory.id).status
            engram.backup()
            print(memory.at.isoformat(), memory.learned_at.isoformat(), early, late)
    """)
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(tmp_path / "store")],
        env={"TZ": zone, "PATH": ""}, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert ran.stdout.split() == [
        "2026-03-29T00:30:00+00:00", "2026-03-29T00:30:00.123456+00:00", "active", "stale",
    ]  # fmt: skip


def test_the_database_holds_whole_numbers_for_times(engram):
    engram.remember("one", valid_from="2026-01-01T00:00:00.000001Z")

    with engram._store.database.reading(5) as view:
        kinds = view._connection.execute(
            "SELECT typeof(happened_at), typeof(valid_from), typeof(recorded_at) FROM memories"
        ).fetchall()

    assert kinds == [("integer", "integer", "integer")]


def test_now_can_be_given_to_a_question(engram, clock):
    engram.remember("passing thing", category="context")

    assert len(engram.recall("passing", now=clock() + timedelta(days=29))) == 1
    assert len(engram.recall("passing", now=clock() + timedelta(days=31))) == 0


def test_horizons_follow_the_category(clock):
    settings = {"categories": {"gossip": {"horizon": "12h"}}}
    with Engram.open(":memory:", clock=clock, settings=settings) as engram:
        engram.remember("He said she said.", category="gossip")
        engram.remember("Decided.", category="decision")

        clock.advance(hours=12)

        assert [m.content for m in engram.list()] == ["Decided."]
        assert [m.content for m in engram.list(status="stale")] == ["He said she said."]
        assert engram.stats().by_status == {"active": 1, "stale": 1}
