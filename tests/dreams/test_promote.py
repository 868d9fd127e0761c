"""Moves between layers: what is used moves up, what machines made and people doubt moves down."""

from datetime import timedelta

import pytest
from clock import START
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from hypothesis import given
from memory.samples import AGES, memories, memory

from engram import Engram
from engram.lifecycle.dreams.options import DreamOptions
from engram.lifecycle.dreams.promote import move_rules
from engram.memory.changes import Action
from engram.memory.dreams.moves import moves_down_to, moves_up_to
from engram.memory.feedback import Feedback
from engram.memory.ids import ChangeId
from engram.memory.record import Memory, Usage
from engram.memory.vocabulary import Layer, LearnedBy, SourceClass, Status

DAY = timedelta(days=1)
RULES = move_rules(DreamOptions())
UNHELPFUL = Feedback(1, False, None, START, "manual", ChangeId("chg-2"))
DREAMT = {
    "layer": Layer.SEMANTIC, "learned_by": LearnedBy.DREAM, "source_class": SourceClass.DREAM,
    "trust": 0.4,
}  # fmt: skip


def moved(engram: Engram) -> list[str]:
    report = engram.dream(steps=["promote"])
    return [each.why for done in report.passes for each in done.decided]


def use(engram: Engram, found: Memory, *, times: int) -> None:
    with engram._store.write(
        engram.principal.reach(None), actor=engram.principal.actor, now=engram._clock()
    ) as unit:
        gap = timedelta(hours=1)
        unit.count_access(found.number, accesses=times, at=engram._clock(), gap=gap)


class TestWorkingMemory:
    def test_it_becomes_an_episode_after_half_an_hour(self, engram, clock):
        found = engram.remember("The build runs.", layer="working").memory
        clock.advance(minutes=29)
        assert moved(engram) == []

        clock.advance(minutes=1)

        assert [found.label in why for why in moved(engram)] == [True]
        assert engram.get(found.id).layer is Layer.EPISODIC
        assert engram.history(found.id)[-1].change.action is Action.PROMOTE

    def test_it_becomes_an_episode_at_its_second_use(self, engram):
        found = engram.remember("The build runs.", layer="working").memory
        use(engram, found, times=2)

        moved(engram)

        assert engram.get(found.id).layer is Layer.EPISODIC

    def test_a_pinned_one_stays_as_it_is(self, engram, clock):
        engram.remember("The build runs.", layer="working", pinned=True)
        clock.advance(days=2)
        before = logical_dump(engram)

        assert moved(engram) == []
        assert logical_dump(engram) == before

    def test_it_leaves_by_age_or_use_and_an_episode_does_not(self):
        fresh = memory(layer=Layer.WORKING)
        once, twice = Usage(1, 1, START, 0), Usage(2, 1, START, 0)

        assert moves_up_to(fresh, START + timedelta(minutes=29), RULES) is None
        assert moves_up_to(fresh, START + timedelta(minutes=30), RULES) is Layer.EPISODIC
        assert moves_up_to(fresh.replaced(usage=once), START, RULES) is None
        assert moves_up_to(fresh.replaced(usage=twice), START, RULES) is Layer.EPISODIC
        assert moves_up_to(memory(layer=Layer.EPISODIC), START + 100 * DAY, RULES) is None

    @pytest.mark.parametrize(
        ("option", "moment", "usage"),
        [
            ({"working_minutes": 90}, START + timedelta(minutes=45), Usage()),
            ({"working_accesses": 9}, START, Usage(3, 1, START, 0)),
        ],
    )
    def test_its_thresholds_are_options(self, option, moment, usage):
        fresh = memory(layer=Layer.WORKING, usage=usage)

        assert moves_up_to(fresh, moment, RULES) is Layer.EPISODIC
        assert moves_up_to(fresh, moment, move_rules(DreamOptions(**option))) is None


class TestPromotion:
    def test_a_well_used_and_confirmed_episode_becomes_knowledge(self, engram, clock):
        found = engram.remember("The lift is serviced on Mondays.", category="general").memory
        for _ in range(6):
            clock.advance(days=1)
            use(engram, found, times=4)
        engram.remember("The lift is serviced on Mondays.", category="general")

        reasons = moved(engram)

        assert [found.label in why for why in reasons] == [True]
        assert engram.get(found.id).layer is Layer.SEMANTIC

    def test_an_unused_one_stays_however_important(self, engram, clock):
        found = engram.remember("The vault code changed.", category="moment", importance=1.0).memory
        clock.advance(days=10)

        assert moved(engram) == []
        assert engram.get(found.id).layer is Layer.EPISODIC

    def test_four_uses_are_not_enough(self):
        ready = memory(base_importance=1.0, trust=1.0, arousal=1.0, learned_at=START - 9 * DAY)
        often, seldom = Usage(5, 5, START, 5), Usage(4, 4, START, 5)

        assert moves_up_to(ready.replaced(usage=often), START, RULES) is Layer.SEMANTIC
        assert moves_up_to(ready.replaced(usage=seldom), START, RULES) is None

    @pytest.mark.parametrize("option", [{"promote_importance": 0.99}, {"promote_accesses": 99}])
    def test_its_thresholds_are_options(self, option):
        ready = memory(base_importance=0.9, usage=Usage(25, 8, START, 5))

        assert moves_up_to(ready, START, RULES) is Layer.SEMANTIC
        assert moves_up_to(ready, START, move_rules(DreamOptions(**option))) is None

    @pytest.mark.parametrize(
        "fields", [{"category": "turn"}, {"status": Status.CHALLENGED}, {"horizon": "1d"}], ids=str
    )
    def test_turns_and_what_is_disputed_or_stale_stay(self, fields):
        ready = memory(base_importance=0.9, usage=Usage(25, 8, START + 9 * DAY, 5), **fields)

        assert moves_up_to(ready, START + 9 * DAY, RULES) is None

    def test_what_did_not_help_does_not_become_knowledge(self):
        ready = memory(base_importance=0.9, usage=Usage(25, 8, START, 5))

        assert moves_up_to(ready, START, RULES, [UNHELPFUL]) is None

    def test_a_recorded_episode_stays_one(self, engram):
        episode = engram.episodes.record("The pump failed.", [], "success").episode.memory
        told = engram.remember("The pump failed again.", category="moment").memory
        for each in (episode, told):
            use(engram, each, times=50)

        planned = planned_by(engram, "promote", night_of(engram, promote_importance=0.0))

        assert [each.numbers for each in planned.decisions] == [(told.number,)]

    def test_a_well_used_one_moves_up_and_a_burst_alone_does_not(self):
        used = memory(
            base_importance=0.7, usage=Usage(25, 8, START, 5), learned_at=START - 30 * DAY
        )
        burst = memory(base_importance=0.5, usage=Usage(50, 1, START, 0), learned_at=START - DAY)

        assert moves_up_to(used, START, RULES) is Layer.SEMANTIC
        assert moves_up_to(burst, START, RULES) is None

    @pytest.mark.parametrize("layer", sorted(set(Layer) - {Layer.EPISODIC}))
    def test_only_episodes_become_knowledge_by_importance(self, layer):
        best = memory(layer=layer, base_importance=1.0, usage=Usage(100, 20, START, 9))

        assert moves_up_to(best, START, RULES) is not Layer.SEMANTIC

    @given(memories(used=False), AGES)
    def test_no_unused_memory_becomes_knowledge(self, unused, age):
        assert moves_up_to(unused, START + age, RULES) is not Layer.SEMANTIC


class TestDemotion:
    def test_doubted_and_unused_work_of_a_dream_may_fade_again(self):
        doubted = memory(**DREAMT, status=Status.CHALLENGED)
        unhelpful = memory(**DREAMT)
        later = START + 90 * DAY

        assert moves_down_to(doubted, later, RULES, ()) is Layer.EPISODIC
        assert moves_down_to(unhelpful, later, RULES, [UNHELPFUL]) is Layer.EPISODIC
        assert moves_down_to(doubted, later - DAY, RULES, ()) is None
        assert moves_down_to(unhelpful, later, RULES, ()) is None

    @pytest.mark.parametrize(
        "fields",
        [
            {"source_class": SourceClass.PERSON},
            {"last_verified_at": START},
            {"is_pinned": True},
            {"layer": Layer.PROCEDURAL},
            {"usage": Usage(1, 1, START + 80 * DAY, 0)},
        ],
        ids=str,
    )
    def test_what_a_person_stands_behind_or_somebody_uses_stays(self, fields):
        kept = memory(**{**DREAMT, "status": Status.CHALLENGED, **fields})

        assert moves_down_to(kept, START + 91 * DAY, RULES, ()) is None

    def test_when_doubt_counts_is_an_option(self):
        rules = move_rules(DreamOptions(doubted_days=10))
        doubted = memory(**DREAMT, status=Status.CHALLENGED)

        assert moves_down_to(doubted, START + 10 * DAY, rules, ()) is Layer.EPISODIC

    def promoted(self, engram: Engram, clock) -> Memory:
        found = engram.remember(
            "The lift is serviced on Mondays.", category="general", source="agent:caretaker",
            importance=1.0,
        ).memory  # fmt: skip
        for _ in range(6):
            clock.advance(days=1)
            use(engram, found, times=9)
        for _ in range(5):
            engram.remember(
                "The lift is serviced on Mondays.", category="general", source="agent:caretaker"
            )
        assert len(moved(engram)) == 1
        return found

    def test_what_a_dream_promoted_comes_down_once_it_is_doubted_and_left_alone(
        self, engram, clock
    ):
        found = self.promoted(engram, clock)
        engram.feedback(found.id, helpful=False)
        clock.advance(days=100)

        reasons = moved(engram)

        assert ["doubted" in why for why in reasons] == [True]
        assert engram.get(found.id).layer is Layer.EPISODIC
        assert moved(engram) == []

    def test_what_a_person_promoted_stays(self, engram, clock):
        found = engram.remember("The lift hums.", category="general", source="agent:a").memory
        engram.promote(found.id)
        engram.feedback(found.id, helpful=False)
        clock.advance(days=100)

        assert moved(engram) == []

    def test_a_move_is_taken_back_exactly(self, engram, clock):
        found = self.promoted(engram, clock)
        engram.undo(engram.dreams()[0].id)

        assert engram.get(found.id).layer is Layer.EPISODIC
        assert moved(engram) == []  # and not decided again


def test_ten_dreams_are_one(engram, clock):
    engram.remember("The build runs.", layer="working")
    clock.advance(hours=1)
    assert len(moved(engram)) == 1
    after_one = logical_dump(engram)

    for _ in range(9):
        assert moved(engram) == []

    assert logical_dump(engram) == after_one


def test_what_changed_between_plan_and_deed_is_left_alone(engram, clock):
    found = engram.remember("The build runs.", layer="working").memory
    clock.advance(hours=1)
    night = night_of(engram)
    planned = planned_by(engram, "promote", night)
    engram.pin(found.id)

    assert carried_out(engram, planned, night) == []
    assert engram.get(found.id).layer is Layer.WORKING
