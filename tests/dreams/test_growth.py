"""Growth: counts over time that agree with the store, and with nobody else's."""

from datetime import UTC, datetime, timedelta

import pytest
from clock import FakeClock
from hypothesis import given
from hypothesis import strategies as st

from engram import Engram, Scope
from engram.memory.dreams.growth import MOST_DAYS, curve, days_of, fading_of, statuses_of
from engram.memory.retention import fading
from engram.memory.vocabulary import RetentionMode, Status

DAY = 20_000  # of the epoch


class TestDays:
    def test_a_day_on_which_nothing_happened_is_like_the_one_before(self) -> None:
        moves = [(DAY, "active", 3), (DAY + 2, "active", -1), (DAY + 2, "archived", 1)]

        days = days_of(moves, {DAY: 3}, since=None)

        assert [each.active for each in days] == [3, 3, 2]
        assert [each.archived for each in days] == [0, 0, 1]
        assert [each.learned for each in days] == [3, 0, 0]
        assert days[0].day == datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=DAY)

    def test_what_was_before_the_beginning_still_counts(self) -> None:
        moves = [(DAY, "active", 3), (DAY + 5, "active", 1)]
        since = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=DAY + 5)

        days = days_of(moves, {}, since=since)

        assert [each.active for each in days] == [4]

    def test_there_is_a_limit_to_how_many_days_are_told(self) -> None:
        days = days_of([(0, "active", 1), (DAY, "active", 1)], {}, since=None)

        assert len(days) == MOST_DAYS
        assert days[0].active == 1

    @given(
        st.lists(
            st.tuples(st.integers(DAY, DAY + 40), st.sampled_from(list(Status)), st.integers(1, 5)),
            max_size=30,
        )
    )
    def test_the_last_day_has_what_all_moves_come_to(
        self, moves: list[tuple[int, str, int]]
    ) -> None:
        days = days_of(moves, {}, since=None)
        total = sum(added for _, _, added in moves)

        if days:
            last = days[-1]
            assert last.active + last.archived + last.merged + last.retired == total
        assert sum(statuses_of(moves).values()) == total


class TestCurves:
    @pytest.mark.parametrize("mode", list(RetentionMode))
    def test_a_curve_is_the_rule_that_memories_fade_by(self, mode: RetentionMode) -> None:
        for place, left in curve(mode, until=4.0, steps=16):
            assert left == fading(place, mode)

    def test_every_memory_stands_somewhere(self, engram: Engram, clock: FakeClock) -> None:
        engram.remember("The kiln was lit.", category="moment")
        engram.remember("The kiln was swept.", category="moment", pinned=True)
        engram.remember("The kiln stands in Ghent.", category="fact")
        clock.advance(days=45)

        found = fading_of(engram.list(), clock(), RetentionMode.HUBER)

        assert found.lasting == 2
        assert [place for place, count in enumerate(found.by_half_lives) if count] == [6]
        assert sum(found.by_retention) == 3
        assert found.by_retention[-1] == 2


class TestOfAStore:
    def test_growth_tells_what_became_of_memories(self, engram: Engram, clock: FakeClock) -> None:
        engram.remember("The kiln stands in Ghent.")
        old = engram.remember("The wheel stands in Ghent.").memory
        clock.advance(days=2)
        engram.remember("The wheel stands in Bruges.", replaces=old.id)
        engram.forget("mem-0001")

        found = engram.growth()

        assert [each.active for each in found.days] == [2, 2, 1]
        assert [each.learned for each in found.days] == [2, 0, 1]
        assert (found.days[-1].archived, found.days[-1].retired) == (1, 1)
        assert found.statuses == {"active": 1, "archived": 1, "superseded": 1}

    def test_what_was_undone_is_as_if_it_had_not_been(self, engram: Engram) -> None:
        engram.remember("The kiln stands in Ghent.")
        change = engram.remember("The wheel stands in Ghent.").change_id
        assert change is not None

        engram.undo(change)

        assert engram.growth().statuses == {"active": 1}

    def test_the_counts_agree_with_stats(self, engram: Engram, clock: FakeClock) -> None:
        for number in range(6):
            engram.remember(f"Shelf {number} holds glaze {number}.")
            clock.advance(days=1)
        engram.revise("mem-0002", "Shelf 1 holds glaze 9.")
        engram.forget("mem-0003")

        assert engram.growth().statuses == engram.stats().by_status

    def test_a_night_tells_what_it_archived_until_that_is_undone(
        self, engram: Engram, clock: FakeClock
    ) -> None:
        engram.remember("The kiln was lit for a while.", category="moment", source="agent:a")
        clock.advance(days=400)
        report = engram.dream(steps=["archive"])

        before = engram.growth().nights
        engram.undo(report.id)
        after = engram.growth().nights

        assert [(each.id, each.actions) for each in before] == [(report.id, {"archive": 1})]
        assert [each.actions.get("archive", 0) for each in after] in ([], [0])

    def test_since_leaves_out_what_was_before(self, engram: Engram, clock: FakeClock) -> None:
        engram.remember("The kiln stands in Ghent.")
        clock.advance(days=10)
        engram.remember("The wheel stands in Bruges.")

        found = engram.growth(since=clock() - timedelta(days=1))

        assert [each.active for each in found.days] == [1, 2]

    def test_an_empty_store_has_no_days(self, engram: Engram) -> None:
        found = engram.growth()

        assert (found.days, found.nights, found.domains, found.statuses) == ((), (), (), {})


class TestWhoSeesWhat:
    def test_a_caller_sees_only_the_counts_and_domains_of_its_scope(self, open_store) -> None:
        owner = open_store()
        for number in range(6):
            owner.remember(
                f"Zebra number {number} lives in paddock {number}.", scope=Scope(project="zoo")
            )
        owner.remember("The kiln stands in Ghent.", scope=Scope(project="kiln"))
        owner.dream()
        inside = open_store(scope=Scope(project="kiln"))

        mine, whole = inside.growth(), owner.growth()

        assert mine.statuses == {"active": 1}
        assert all("zoo" not in each.scope for each in mine.domains)
        assert "ebra" not in repr(mine)
        assert sum(whole.statuses.values()) >= 7
        assert owner.growth(scope=Scope(project="kiln")).statuses == {"active": 1}
