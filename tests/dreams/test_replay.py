"""Replay: what is about to fade, what belongs together, what is easily mixed up."""

from datetime import timedelta

import pytest
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from test_tree import filled

from engram import Engram
from engram.lifecycle.dreams.replay import replayed
from engram.memory.dreams.artefact import ArtefactKind
from engram.memory.dreams.replaying import (
    EVERYBODY,
    Affective,
    Aha,
    Partners,
    drawn,
    is_at_risk,
    mixed_up,
    weight,
)
from engram.memory.dreams.report import Step
from engram.memory.retention import retention
from engram.memory.vocabulary import LearnedBy

_GULLS = (
    "The lighthouse keeper counts {} gulls on the northern rocks at dawn, whatever the weather is "
    "like, and writes the figure into the green logbook beside the barometer."
)


def used(engram: Engram, clock, text: str, times: int = 4) -> str:
    """A memory of an event that was asked for some times; its label."""
    memory = engram.remember(text, category="moment").memory
    for _ in range(times):
        clock.advance(hours=2)
        engram.recall(text)
    engram.settle()
    return memory.label


def risky(engram: Engram, clock, label: str) -> None:
    """Let time pass until it is about to fade."""
    for _ in range(200):
        if 0.15 <= retention(engram.get(label), clock()) < 0.4:
            return
        clock.advance(days=1)
    raise AssertionError("it never fades")


class TestRules:
    def test_what_stirred_is_drawn_twice_as_often(self, engram, clock):
        calm = engram.remember("The kettle is green.").memory
        many = [calm.replaced(number=n, arousal=0.9 if n % 2 else 0.1) for n in range(1, 401)]
        old = clock.advance(days=30)

        stirring = 0
        for day in range(60):
            chosen = drawn(
                many, 20, (old + timedelta(days=day)).date(),
                lambda each: weight(each, old, EVERYBODY),
            )  # fmt: skip
            stirring += sum(each.number % 2 for each in chosen)

        assert 0.6 < stirring / (60 * 20) < 0.73  # two thirds

    def test_without_feelings_all_are_alike(self, engram, clock):
        memory = engram.remember("The kettle is green.").memory.replaced(arousal=0.9)
        old = clock.advance(days=30)

        assert weight(memory, old, Partners()) == 1.0
        assert weight(memory, old, Partners(affect=Affective())) == 2.0

    def test_what_other_agents_sent_and_what_is_new_goes_first(self, engram, clock):
        memory = engram.remember("The kettle is green.").memory
        sent = memory.replaced(learned_by=LearnedBy.BUS)
        assert weight(memory, clock(), EVERYBODY) > 1.0
        old = clock.advance(days=30)

        assert weight(sent, old, EVERYBODY) > weight(memory, old, EVERYBODY)
        assert weight(sent, old, Partners()) == weight(memory, old, Partners())

    def test_what_ties_many_together_stirs_more_and_never_beyond_a_bound(self, engram):
        memory = engram.remember("The kettle is green.").memory.replaced(arousal=0.4)
        stirred = [Aha().stirred(memory, links) for links in (0, 2, 3, 50)]

        assert stirred[:2] == [0.4, 0.4]
        assert stirred[2] == pytest.approx(0.7)
        assert stirred[3] == 0.8

    def test_only_what_was_useful_and_fades_is_at_risk(self, engram, clock):
        from engram.memory.record import Usage

        memory = engram.remember("We met on Monday.").memory.replaced(usage=Usage(accesses=3))
        recent = memory.replaced(usage=Usage(accesses=3, last_rehearsed_at=clock()))
        later = clock.advance(days=5)

        assert is_at_risk(memory, 0.3, later, 0)
        assert not is_at_risk(memory, 0.5, later, 0)
        assert not is_at_risk(memory, 0.1, later, 0)
        assert not is_at_risk(memory, 0.3, later, 3)
        assert not is_at_risk(recent, 0.3, later, 1)
        assert not is_at_risk(memory.replaced(usage=Usage(accesses=2)), 0.3, later, 0)

    def test_groups_grow_together_and_lose_what_is_gone(self):
        assert mixed_up([(1, 2), (5, 6)], [(2, 3)], [1, 2, 3, 5]) == [(1, 2, 3)]
        assert mixed_up([(1, 2, 3)], [], [2, 3]) == [(2, 3)]


class TestStrengthening:
    def test_a_useful_memory_about_to_fade_is_gone_through_again(self, engram, clock):
        label = used(engram, clock, "We sailed to Korsika with the old boat.")
        risky(engram, clock, label)
        before, faded = logical_dump(engram), retention(engram.get(label), clock())

        report = engram.dream(steps=["replay"])

        assert label in report.of("replay")[0].decided[0].why
        assert retention(engram.get(label), clock()) > faded
        assert engram.dream(steps=["replay"]).decisions == 0
        engram.undo(report.id)
        assert logical_dump(engram) == before

    def test_what_nobody_uses_is_let_go_after_three_times(self, engram, clock):
        label = used(engram, clock, "We sailed to Korsika with the old boat.")
        rehearsals = 0
        for _ in range(400):
            clock.advance(days=1)
            rehearsals += engram.dream(steps=["replay"]).decisions

        assert rehearsals == 3
        assert retention(engram.get(label), clock()) < 0.15

    def test_no_more_than_a_third_of_the_budget_a_night(self, engram, clock):
        labels = [used(engram, clock, f"We sailed to island {n} by boat.") for n in range(4)]
        risky(engram, clock, labels[-1])
        night = night_of(engram, replay_budget=3)

        planned = planned_by(engram, Step.REPLAY, night)

        assert sum(each.key.startswith("rehearse:") for each in planned.decisions) == 1
        carried_out(engram, planned, night)
        again = planned_by(engram, Step.REPLAY, night_of(engram, replay_budget=3))
        assert not any(each.key.startswith("rehearse:") for each in again.decisions)


class TestLinks:
    def test_near_memories_without_a_link_get_one_and_undo_takes_it_away(self, engram):
        engram.remember("The greenhouse needs new glass panes before winter.")
        engram.remember("The greenhouse needs new glass panes before the winter comes.")
        engram.remember("Ada plays chess on Sundays.")
        engram.settle()
        before = logical_dump(engram)

        report = engram.dream(steps=["replay"])

        relations = {each.relation for each in engram.links("mem-0001")}
        assert relations == {"related"}
        assert engram.links("mem-0003") == []
        assert engram.dream(steps=["replay"]).decisions == 0
        engram.undo(report.id)
        assert logical_dump(engram) == before

    def test_what_somebody_took_apart_stays_apart(self, engram, clock):
        engram.remember("The greenhouse needs new glass panes before winter.")
        engram.remember("The greenhouse needs new glass panes before the winter comes.")
        engram.settle()
        engram.dream(steps=["replay"])
        engram.unrelate(("mem-0001", "mem-0002", "related"))
        clock.advance(days=1)

        engram.dream(steps=["replay"])

        assert engram.links("mem-0001") == []

    def test_nothing_is_gone_through_without_a_budget(self, engram):
        filled(engram, 30)
        night = night_of(engram, replay_budget=0)

        planned = planned_by(engram, Step.REPLAY, night)

        assert not any(each.key.startswith(("link:", "rehearse:")) for each in planned.decisions)

    def test_it_works_without_any_partner(self, engram):
        filled(engram, 30)
        night = night_of(engram)
        with engram._view(None) as see:
            planned = replayed(night, see, Partners())

        assert any(each.key.startswith("link:") for each in planned.decisions)


class TestInterference:
    def test_near_statements_that_differ_are_told_and_left_alone(self, engram):
        engram.remember(_GULLS.format(412))
        engram.remember(_GULLS.format(977))
        engram.settle()

        report = engram.dream(steps=["replay"])

        finding = report.of("replay")[0].findings[0]
        assert "mem-0001, mem-0002" in finding
        assert "numbers" in finding
        assert "gulls" not in finding
        with engram._view(None) as see:
            assert len(see.artefacts.all(ArtefactKind.INTERFERENCE)) == 1
        assert engram.dream(steps=["replay"]).decisions == 0

    def test_it_is_over_when_one_of_them_goes(self, engram):
        engram.remember(_GULLS.format(412))
        engram.remember(_GULLS.format(977))
        engram.settle()
        engram.dream(steps=["replay"])

        engram.forget("mem-0002")
        report = engram.dream(steps=["replay"])

        assert [each.why for each in report.of("replay")[0].decided] == [
            "Nobody mixes up any more: 1 group of memories."
        ]
        with engram._view(None) as see:
            assert see.artefacts.all(ArtefactKind.INTERFERENCE) == []


class TestEmbedding:
    def test_a_wording_that_lacks_its_vector_is_queued_again(self, engram):
        filled(engram, 12)
        with engram._unit(None) as unit:
            unit.transaction._connection.execute("DELETE FROM vectors WHERE number = 3")

        planned = planned_by(engram, Step.REPLAY)
        queued = [each for each in planned.decisions if each.key.startswith("embed:")]

        assert [each.numbers for each in queued] == [(3,)]
        carried_out(engram, planned)
        again = planned_by(engram, Step.REPLAY)
        assert not any(each.key.startswith("embed:") for each in again.decisions)
        engram.settle()
        with engram._view(None) as see:
            assert 3 in night_of(engram).vectors(see)

    def test_one_that_was_tried_in_vain_is_tried_anew(self, engram):
        filled(engram, 12)
        with engram._unit(None) as unit:
            run = unit.transaction._connection.execute
            run("DELETE FROM vectors WHERE number = 3")
            run("INSERT INTO pending_vectors (space, number, version, attempts, not_before)"
                " SELECT space, 3, 1, 5, 9000000000000000 FROM spaces")  # fmt: skip

        carried_out(engram, planned_by(engram, Step.REPLAY))
        engram.settle()

        with engram._view(None) as see:
            assert 3 in night_of(engram).vectors(see)
