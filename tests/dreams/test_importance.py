"""How much a memory matters, told factor by factor, and how long it would stay."""

from datetime import timedelta

import pytest
from clock import START
from hypothesis import given
from memory.samples import AGES, memories, memory

from engram import Engram, Principal, Scope
from engram.errors import MemoryNotFound
from engram.memory.importance import WEIGHTS, activation, importance
from engram.memory.importance_report import Stay, importance_report
from engram.memory.record import Usage
from engram.memory.retention import last_touched, retention
from engram.memory.vocabulary import Layer

DAY = timedelta(days=1)


class TestTheReport:
    @given(memories(), AGES)
    def test_the_nine_parts_add_up_to_the_score(self, any_memory, age):
        report = importance_report(any_memory, START + age, Stay(leaves_at=None))

        assert [factor.name for factor in report.factors] == list(WEIGHTS)
        assert sum(each.contribution for each in report.factors) == pytest.approx(report.score)
        assert report.score == importance(any_memory, START + age).score
        assert all(factor.because for factor in report.factors)
        assert report.retention == retention(any_memory, START + age)

    def test_it_says_how_vivid_a_memory_is_and_when_it_leaves(self, engram, clock):
        found = engram.remember("The gate squeaked.", source="agent:gardener").memory
        clock.advance(days=10)

        report = engram.importance(found.id)

        assert report.label == found.label
        assert report.half_life_days == pytest.approx(30 / 2.2)
        assert 0 < report.retention < 1
        assert report.leaves_at is not None
        assert abs(report.leaves_at - (START + 90 * DAY)) <= timedelta(hours=2)
        assert report.stays_because == ""

    def test_on_the_day_it_tells_it_leaves(self, engram, clock):
        found = engram.remember("The gate squeaked.", source="agent:gardener").memory
        told = engram.importance(found.label).leaves_at
        clock.set(told - timedelta(hours=2))
        assert engram.dream(steps=["archive"]).decisions == 0

        clock.set(told)

        assert engram.dream(steps=["archive"]).decisions == 1

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"pinned": True, "category": "general"}, "pinned"),
            ({"category": "preference"}, "protected"),
            ({"category": "fact"}, "a person asked"),
            ({"category": "general", "importance": 0.8, "source": "agent:a"}, "important"),
            ({"category": "fact", "source": "agent:a"}, "does not fade"),
        ],
    )
    def test_it_says_why_a_memory_stays(self, engram, fields, words):
        found = engram.remember("The gate squeaked.", **fields).memory

        report = engram.importance(found.id)

        assert report.leaves_at is None
        assert words in report.stays_because

    def test_what_only_matters_much_is_told_in_one_sentence(self, engram):
        said = {"category": "general", "importance": 0.69}
        found = engram.remember("The gate squeaked.", source="agent:a", **said).memory
        for number in range(8):
            engram.remember("The gate squeaked.", source=f"agent:a{number}", **said)

        report = engram.importance(found.id)

        assert (report.leaves_at, report.stays_because) == (None, "it matters too much")

    def test_it_says_when_small_talk_leaves(self, open_store):
        engram: Engram = open_store(settings={"dreams": {"keep_turns": 0}})
        talk = engram.observe("Thanks a lot!", session="s").memory
        engram.flush()

        report = engram.importance(talk.id)

        assert report.leaves_at is not None
        assert abs(report.leaves_at - (START + 30 * DAY)) <= timedelta(hours=1)

    def test_a_turn_stays_where_there_are_not_too_many(self, engram):
        talk = engram.observe("Thanks a lot!", session="s").memory

        assert "not too many" in engram.importance(talk.id).stays_because

    def test_what_has_left_recall_does_not_leave_again(self, engram):
        found = engram.remember("The gate squeaked.", source="agent:gardener").memory
        engram.forget(found.id)

        report = engram.importance(found.id)

        assert report.leaves_at is None
        assert "archived" in report.stays_because

    def test_looking_changes_nothing(self, engram):
        found = engram.remember("The gate squeaked.").memory

        first = engram.importance(found.id)

        assert engram.importance(found.id) == first
        assert engram.get(found.id).usage == Usage()

    def test_what_one_cannot_see_is_unknown(self, engram):
        found = engram.remember("The gate squeaked.", scope=Scope(project="a")).memory
        other = engram.seen_by(Principal.of(Scope(project="b")))

        for stranger in (found.id, "mem-9999"):
            with pytest.raises(MemoryNotFound):
                other.importance(stranger)

    def test_settings_decide_when_a_memory_leaves(self, open_store):
        engram: Engram = open_store(settings={"dreams": {"archive_days": 200}})
        found = engram.remember("The gate squeaked.", source="agent:gardener").memory

        leaves = engram.importance(found.id).leaves_at

        assert abs(leaves - (START + 200 * DAY)) <= timedelta(hours=2)


class TestTouches:
    def test_going_through_a_memory_in_a_dream_keeps_it_vivid(self):
        later = START + 60 * DAY
        rehearsed = memory(usage=Usage(last_rehearsed_at=later))

        assert last_touched(rehearsed) == later
        assert retention(rehearsed, later) == 1.0
        assert retention(memory(), later) < 0.4
        assert activation(rehearsed, later) > activation(memory(), later)

    def test_uses_apart_keep_a_memory_longer_than_a_burst(self, engram, clock):
        apart = engram.remember("The lift hums.", category="general").memory
        burst = engram.remember("The gate squeaks.", category="general").memory
        for _ in range(6):
            clock.advance(days=1)
            engram.recall("lift hums", limit=1)
        for _ in range(6):
            engram.recall("gate squeaks", limit=1)
        engram._parts.access_log.flush()
        clock.advance(days=45)
        now = clock()

        spaced, crammed = engram.get(apart.id), engram.get(burst.id)

        assert spaced.usage.accesses == crammed.usage.accesses == 6
        assert spaced.usage.spaced_accesses > crammed.usage.spaced_accesses
        assert retention(spaced, now) > retention(crammed, now)

    def test_a_dream_leaves_what_fades_as_it_is(self, engram, clock):
        found = engram.remember("The gate squeaks.", category="general").memory
        clock.advance(days=40)
        before = (retention(engram.get(found.id), clock()), engram.importance(found.id))

        for _ in range(10):
            engram.dream(steps=["expire", "promote", "archive"])

        after = (retention(engram.get(found.id), clock()), engram.importance(found.id))
        assert after == before
        assert engram.get(found.id).base_importance == found.base_importance
        assert engram.get(found.id).layer is Layer.EPISODIC
