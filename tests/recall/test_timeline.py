"""What happened around a topic, in order of time, with what became of it."""

from datetime import UTC, datetime, timedelta

import pytest
from clock import START, FakeClock

from engram import Engram, Principal, Scope
from engram.errors import InvalidInput
from engram.recall.timeline import find_peaks


@pytest.fixture
def office(engram: Engram, clock: FakeClock) -> Engram:
    """An office that moved twice: once the memory was reworded, once another took its place."""
    engram.remember("Ada's office is in Lyon.")
    clock.advance(days=10)
    engram.revise("mem-0001", "Ada's office is in Nice.", reason="heard wrong")
    clock.advance(days=10)
    engram.remember("Ada's office moved to Porto.", replaces="mem-0001")
    engram.remember("Coffee is in the kitchen.")
    return engram


def _told(entries) -> list[tuple[str, str]]:
    return [(each.memory.content, each.standing) for each in entries]


def test_wordings_come_in_order_of_time_with_what_became_of_them(office):
    assert _told(office.timeline("Ada's office")) == [
        ("Ada's office is in Lyon.", "reworded"),
        ("Ada's office is in Nice.", "superseded"),
        ("Ada's office moved to Porto.", "active"),
    ]


def test_each_entry_names_what_it_replaced_and_what_replaced_it(office):
    first, second, third = office.timeline("Ada's office")

    assert (first.replaces, first.replaced_by, first.reason) == (
        (), "mem-0001 v2", "heard wrong",
    )  # fmt: skip
    assert (second.replaces, second.replaced_by) == (("mem-0001 v1",), "mem-0002")
    assert (third.replaces, third.replaced_by, third.is_current) == (("mem-0001",), None, True)
    assert first.ended_at == START + timedelta(days=10)


def test_what_was_replaced_is_told_even_when_it_shares_no_word_with_the_topic(engram):
    engram.remember("The team meets in Lyon.")
    engram.remember("Standup takes place in Porto.", replaces="mem-0001")

    told = _told(engram.timeline("standup"))

    assert ("The team meets in Lyon.", "superseded") in told


def test_a_memory_is_found_by_words_that_it_no_longer_has(office):
    assert _told(office.timeline("Nice")) == [
        ("Ada's office is in Lyon.", "reworded"),
        ("Ada's office is in Nice.", "superseded"),
        ("Ada's office moved to Porto.", "active"),
    ]
    assert _told(office.timeline("Lyon")) == _told(office.timeline("Nice"))


def test_a_rewording_that_was_taken_back_is_as_if_it_never_was(engram):
    engram.remember("The lease ends in May.")
    revised = engram.revise("mem-0001", "The lease ends in June.", reason="typo")
    engram.undo(revised.change_id)
    engram.revise("mem-0001", "The lease ends in July.", reason="extended")

    assert _told(engram.timeline("lease")) == [
        ("The lease ends in May.", "reworded"),
        ("The lease ends in July.", "active"),
    ]


def test_what_was_archived_is_told_as_such_with_the_reason(engram):
    engram.remember("The lease ends in May.")
    engram.forget("mem-0001", reason="it was extended")

    (entry,) = engram.timeline("lease")

    assert (entry.standing, entry.reason, entry.replaced_by) == (
        "archived",
        "it was extended",
        None,
    )
    assert not entry.is_current


def test_what_holds_from_a_date_stands_at_that_date(engram):
    engram.remember("The lease ends in May.", at="2026-02-01T00:00:00Z")
    engram.remember("The lease began.", valid_from="2025-06-01T00:00:00Z")

    assert [entry.memory.content for entry in engram.timeline("lease")] == [
        "The lease began.", "The lease ends in May.",
    ]  # fmt: skip


def test_what_waits_for_a_person_or_was_turned_down_is_not_told(engram, clock):
    agent = engram.seen_by(Principal.of(Scope(agent="coder")))
    agent.remember("The user's name is Grace", category="identity")
    engram.remember("The name of the ship is Vasa.")

    assert _told(agent.timeline("name")) == [("The name of the ship is Vasa.", "active")]


def test_what_was_taken_back_is_not_told(engram):
    made = engram.remember("The lease ends in May.")
    engram.undo(made.change_id)

    assert engram.timeline("lease") == []


def test_the_time_asked_about_bounds_what_is_told(office):
    begin = START + timedelta(days=5)

    late = office.timeline("Ada's office", since=begin, until=begin + timedelta(days=10))

    assert _told(late) == [("Ada's office is in Nice.", "superseded")]


def test_the_limit_keeps_what_has_most_to_do_with_the_topic(engram):
    for number in range(5):
        engram.remember(f"The lease was mentioned {number} times.")
    engram.remember("The lease of the boat house ends.")

    (best,) = engram.timeline("lease of the boat house", limit=1)

    assert best.memory.content == "The lease of the boat house ends."


def test_a_turn_is_left_out_where_what_it_states_is_told(engram):
    engram.observe("I moved to Porto last week.", speaker="Ada", session="chat")
    engram.flush()
    drawn = engram.drawn("mem-0001")

    told = [entry.memory.label for entry in engram.timeline("Porto")]

    assert drawn
    assert "mem-0001" not in told
    assert drawn[0].label in told


def test_nobody_sees_what_happened_in_another_scope(engram):
    engram.remember("The lease ends in May.", scope=Scope("acme"))
    engram.remember("The lease ends in June.", scope=Scope("beta"))
    engram.forget("mem-0002", reason="no", scope=Scope("beta"))

    seen = engram.seen_by(Principal.of(Scope("acme"))).timeline("lease")

    assert _told(seen) == [("The lease ends in May.", "active")]


def test_a_timeline_is_one_read_in_the_audit(office):
    office.timeline("office")

    reads = [each.action for each in office.audit() if each.action in ("recall", "timeline")]
    assert reads == ["timeline"]


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"since": "yesterday"}, {"until": "2026-01-01"}])
def test_wrong_conditions_are_refused(engram, wrong):
    with pytest.raises(InvalidInput):
        engram.timeline("lease", **wrong)


def _noon(*days: str) -> list[datetime]:
    return [datetime.fromisoformat(f"{day}T12:00:00+00:00") for day in days]


def test_the_busiest_days_of_a_month_are_peaks():
    moments = _noon("2026-03-02", "2026-03-09", "2026-03-09", "2026-03-09", "2026-03-20")

    (peak,) = find_peaks(moments)

    assert (f"{peak.start:%Y-%m-%d}", f"{peak.end:%Y-%m-%d}", peak.count) == (
        "2026-03-09", "2026-03-10", 3,
    )  # fmt: skip


def test_over_years_peaks_are_months():
    moments = _noon("2024-01-05", "2024-06-03", "2024-06-10", "2024-06-20", "2025-12-01")

    (peak,) = find_peaks(moments)

    assert (f"{peak.start:%Y-%m-%d}", peak.count) == ("2024-06-01", 3)


def test_few_or_even_moments_have_no_peak():
    assert find_peaks(_noon("2026-03-02", "2026-03-02")) == []
    assert find_peaks(_noon("2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05")) == []


@pytest.mark.parametrize("days", [1, 7, 60])
def test_peaks_have_a_zone_whatever_their_length(days):
    first = datetime(2026, 1, 5, tzinfo=UTC)
    moments = [first + timedelta(days=days * step) for step in range(9)]
    moments += [first + timedelta(days=3 * days, hours=hour) for hour in range(9)]

    for peak in find_peaks(moments):
        assert peak.start.tzinfo is not None
        assert peak.end.tzinfo is not None
