"""Probing: what came after a belief can challenge it, and nothing else can."""

import dataclasses

import pytest
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from test_tree import Scripted

from engram import Engram
from engram.lifecycle.dreams.derived import derive
from engram.memory.dreams.probing import Premise, doubt, is_probeable, probed
from engram.memory.dreams.report import Step
from engram.memory.ids import label_of
from engram.memory.vocabulary import Status


def derived_from(engram: Engram, *texts: str) -> str:
    """A belief that a dream made of some memories; its label."""
    sources = [engram.remember(text).memory for text in texts]
    night = night_of(engram)
    with engram._unit(None) as unit:
        made = derive(
            unit, night, text="Ada spends the winter in Lyon.", sources=sources,
            step=Step.PATTERNS, confidence=0.9,
        )  # fmt: skip
    return made.label


def doubted(engram: Engram, memory, **given):
    found = {"rivals": (), "premises": (), "feedbacks": (), **given}
    return doubt(memory, **found, label=label_of)


class TestRules:
    def test_only_lasting_old_and_unused_beliefs_are_probed(self, engram, clock):
        from datetime import timedelta

        fact = engram.remember("The API uses tokens.", category="fact").memory
        moment = engram.remember("We met on Monday.", category="moment").memory
        pinned = engram.remember("The sky is blue.", category="fact", pinned=True).memory
        unused = timedelta(days=14)

        assert not is_probeable(fact, clock.advance(days=13), unused)
        later = clock.advance(days=2)
        assert [is_probeable(each, later, unused) for each in (fact, moment, pinned)] == [
            True, False, False,
        ]  # fmt: skip

    def test_the_lot_falls_the_same_way_all_day_and_another_way_the_next(self, engram, clock):
        for number in range(40):
            engram.remember(f"Fact number {number} holds.")
        memories = engram.list(limit=50)
        day = clock().date()

        first = probed(memories, 5, day)

        assert first == probed(list(reversed(memories)), 5, day)
        assert first != probed(memories, 5, clock.advance(days=1).date())

    def test_a_statement_that_replaces_it_is_a_doubt(self, engram, clock):
        agent = Engram.remember
        old = agent(engram, "The deploy port is 8080.", source="tool:scan").memory
        clock.advance(days=3)
        newer = agent(engram, "The deploy port is 9090.", source="tool:scan").memory

        assert doubted(engram, old, rivals=[newer]).numbers == (newer.number,)
        assert doubted(engram, old, rivals=[]) is None

    def test_what_a_person_said_takes_a_persons_word(self, engram, clock):
        said = engram.remember("The deploy port is 8080.").memory
        clock.advance(days=3)
        tool = engram.remember("The deploy port is 9090.", source="web:page").memory

        assert said.is_vouched_for
        assert doubted(engram, said, rivals=[tool]) is None

    def test_premises_that_no_longer_stand_are_a_doubt(self, engram, clock):
        label = derived_from(engram, "Ada left for Lyon.", "Ada was seen in Lyon.")
        made = engram.get(label)
        clock.advance(days=1)
        engram.set_status("mem-0001", "invalidated", reason="it was Paris")
        premises = [Premise(n, engram.get(f"mem-{n:04d}")) for n in (1, 2)]

        assert doubted(engram, made, premises=premises).numbers == (1,)
        assert doubted(engram, made, premises=premises[1:]) is None
        assert doubted(engram, made, premises=[Premise(9, None)]).numbers == (9,)

    def test_readers_whom_it_did_not_help_are_a_doubt(self, engram, clock):
        made = engram.get(derived_from(engram, "Ada left for Lyon."))
        clock.advance(days=1)
        for query in ("where is Ada?", "does Ada ski?"):
            engram.feedback(made.id, helpful=False, query=query)
        with engram._view(None) as see:
            feedbacks = see.feedback_for([made.number])

        assert "did not help 2 of 2" in doubted(engram, made, feedbacks=feedbacks).because
        assert doubted(engram, made, feedbacks=feedbacks[:1]) is None


class TestThePass:
    @pytest.fixture
    def shaken(self, engram, clock) -> str:
        """A belief whose premise was refuted weeks ago."""
        label = derived_from(engram, "Ada left for Lyon.", "Ada was seen in Lyon.")
        clock.advance(days=1)
        engram.set_status("mem-0001", "invalidated", reason="it was Paris")
        engram.settle()
        clock.advance(days=20)
        return label

    def test_it_is_challenged_with_a_reason_and_keeps_its_importance(self, engram, shaken):
        before = engram.get(shaken)

        report = engram.dream(steps=["probe"])

        after = engram.get(shaken)
        assert after.status is Status.CHALLENGED
        assert after.base_importance == before.base_importance
        assert "mem-0001" in report.of("probe")[0].decided[0].why

    def test_a_second_dream_changes_nothing_and_undo_is_exact(self, engram, shaken):
        before = logical_dump(engram)
        report = engram.dream(steps=["probe"])

        assert engram.dream(steps=["probe"]).decisions == 0
        engram.undo(report.id)
        assert logical_dump(engram) == before
        assert engram.dream(steps=["probe"]).decisions == 0  # it was taken back for good

    def test_a_person_who_says_it_holds_is_not_asked_again(self, engram, clock, shaken):
        engram.dream(steps=["probe"])
        engram.verify(shaken)
        clock.advance(days=30)

        engram.dream(steps=["probe"])

        assert engram.get(shaken).status is Status.ACTIVE

    def test_none_is_probed_when_none_is_wanted_or_it_is_too_soon(self, engram, shaken):
        for options in ({"probes_per_night": 0}, {"probe_days": 60}):
            night = night_of(engram, **options)
            assert planned_by(engram, Step.PROBE, night).decisions == ()

    def test_a_model_needs_newer_evidence_and_cannot_touch_a_persons_word(self, engram, clock):
        engram.remember(
            "The build takes nine minutes on Jenkins.", source="tool:scan", category="fact"
        )
        engram.remember("The release takes nine minutes on Jenkins.", category="fact")
        clock.advance(days=2)
        engram.remember(
            "Jenkins was switched off and the build moved away.",
            source="tool:scan",
            category="fact",
        )
        engram.settle()
        clock.advance(days=20)
        model = Scripted('{"verdict": "doubtful", "evidence": [1]}')
        night = dataclasses.replace(night_of(engram), model=model)

        planned = planned_by(engram, Step.PROBE, night)
        carried_out(engram, planned, night)

        assert engram.get("mem-0001").status is Status.CHALLENGED
        assert engram.get("mem-0002").status is Status.ACTIVE

    def test_a_model_that_fails_leaves_everything_as_it_was(self, engram, clock):
        engram.remember(
            "The build takes nine minutes on Jenkins.", source="tool:scan", category="fact"
        )
        clock.advance(days=2)
        engram.remember(
            "Jenkins has a new logo and a mascot with a bow tie.",
            source="tool:scan",
            category="fact",
        )
        engram.settle()
        clock.advance(days=20)
        night = dataclasses.replace(night_of(engram), model=Scripted("garbage"))

        planned = planned_by(engram, Step.PROBE, night)

        assert planned.decisions == ()
        assert planned.skipped
