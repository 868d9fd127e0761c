"""The confidence map: between 0 and 1, fresh when read, and named beside an answer."""

import dataclasses
from datetime import timedelta

import pytest
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from hypothesis import given
from hypothesis import strategies as st
from test_tree import filled

from engram import Engram
from engram.lifecycle.dreams.confidence_map import mapped
from engram.memory.dreams.domains import (
    DomainFigures,
    assessment,
    confidence,
    coverage_of,
    depth,
    freshness,
    is_near,
    uncertainty,
)


class TestFigures:
    @given(st.floats(0, 1e6), st.integers(0, 500), st.integers(0, 500), st.integers(0, 5_000))
    def test_no_confidence_is_above_one(self, clock_free_mass, clusters, open_matters, days):
        from clock import START

        figures = DomainFigures(
            depth(clock_free_mass, clusters), uncertainty(10, open_matters), clusters, 10,
            open_matters, 0, START,
        )  # fmt: skip

        assert 0.0 <= confidence(figures, START + timedelta(days=days)) <= 1.0

    def test_more_memories_add_ever_less(self):
        depths = [depth(mass, 3) for mass in (1, 10, 20, 30, 200)]

        assert depths == sorted(depths)
        assert depths[2] - depths[1] > depths[3] - depths[2]
        assert depth(30, 1) < depth(30, 3) <= depth(30, None)

    def test_news_are_fresh_for_a_month_and_never_worth_less_than_half(self, clock):
        fresh = [freshness(clock(), clock() + timedelta(days=days)) for days in (0, 30, 60, 9_000)]

        assert fresh[:2] == [1.0, 1.0]
        assert 0.5 < fresh[2] < 1.0
        assert fresh[3] == pytest.approx(0.5)

    def test_a_confidence_has_a_word(self):
        assert [assessment(value) for value in (0.71, 0.7, 0.31, 0.3, 0.0)] == [
            "confident", "uncertain", "uncertain", "unknown", "unknown",
        ]  # fmt: skip

    def test_a_little_fading_is_no_reason_to_write(self, clock):
        before = DomainFigures(0.8, 0.0, 3, 30, 0, 0, clock())

        assert is_near(before, DomainFigures(0.77, 0.0, 3, 30, 0, 0, clock()))
        assert not is_near(before, DomainFigures(0.7, 0.0, 3, 30, 0, 0, clock()))
        assert not is_near(before, DomainFigures(0.8, 0.0, 3, 30, 1, 0, clock()))

    def test_a_mixture_is_never_known_confidently(self, clock):
        mixture = DomainFigures(0.97, 0.0, 3, 35, 0, 0, clock(), is_mixed=True)

        assert assessment(confidence(mixture, clock())) == "uncertain"
        assert assessment(confidence(dataclasses.replace(mixture, is_mixed=False), clock())) == (
            "confident"
        )
        assert not is_near(mixture, dataclasses.replace(mixture, is_mixed=False))


MIXED = (
    "My cat is called Miso.", "The kitchen sink leaks.", "Paul moved to Berlin.",
    "The car insurance expires in March.", "I play the cello.", "The fence needs paint.",
    "Night shifts are on Tuesdays.", "My dentist is Dr. Alvarez.", "I drink no coffee after noon.",
    "We plan a trip to Japan.", "I read science fiction.", "The laptop is from 2021.",
    "Olga waters the plants.", "The yoga class starts at seven.", "I run every Saturday.",
    "The library book is about whales.", "I save money for a boat.", "I bought a red bicycle.",
    "Tom broke his leg skiing.", "The deploy script needs a branch.", "I like hiking.",
    "Our billing service uses PostgreSQL.", "Marta lives in Lisbon.", "Peanuts make me ill.",
)  # fmt: skip


class TestThePass:
    def test_all_sorts_of_things_in_one_heap_are_not_known_confidently(self, engram):
        engram.remember_many([{"text": text} for text in MIXED])
        engram.settle()
        engram.dream(steps=["tree", "map"])

        (heap,) = engram.domains()
        assert heap.depth > 0.8
        assert heap.assessment == "uncertain"
        assert engram.dream(steps=["map"]).decisions == 0

    def test_much_about_one_thing_is_known_confidently_though_there_is_nothing_else(self, engram):
        engram.remember_many([
            {"text": f"The harbour of Hvar has a pier number {number} with {number + 3} berths."}
            for number in range(30)
        ])  # fmt: skip
        engram.settle()
        engram.dream(steps=["tree", "map"])

        assert {each.assessment for each in engram.domains()} == {"confident"}

    def test_the_picture_of_growth_has_the_domains_of_the_map(self, engram):
        changes = engram.remember_many([{"text": text} for text in MIXED])
        engram.remember("I prefer pnpm over npm.", category="tooling")
        engram.settle()
        engram.dream(steps=["map"])
        for each in list(changes)[:20]:
            engram.forget(each.memory.id)

        assert list(engram.growth().domains) == engram.domains()
        assert len(engram.domains()) < len({each.memory.category for each in changes} | {"tooling"})

    def test_one_memory_and_one_question_are_told_in_the_singular(self, engram):
        change = engram.remember("I prefer pnpm over npm.", category="tooling")
        engram.settle()
        (made,) = planned_by(engram, "map").decisions
        engram.dream(steps=["map"])
        engram.forget(change.memory.id)
        (gone,) = planned_by(engram, "map").decisions

        assert made.why.startswith("1 memory is one domain")
        assert "0 gaps" in made.why
        assert gone.why == "Nothing is left of a domain that mem-0001 made up."

    def test_every_memory_is_in_one_domain(self, engram):
        filled(engram, 80)
        engram.dream(steps=["tree", "map"])

        found = engram.domains()

        assert sum(each.memory_count for each in found) == 80
        assert found == sorted(found, key=lambda each: -each.confidence)
        assert all(each.label and 0 < each.confidence <= 1 for each in found)
        assert 0 < coverage_of(found) <= 1

    def test_a_second_dream_changes_nothing_and_undo_takes_it_back(self, engram):
        filled(engram)
        engram.dream(steps=["tree"])
        before = logical_dump(engram)
        first = engram.dream(steps=["map"])

        second = engram.dream(steps=["map"])

        assert first.decisions > 0
        assert second.decisions == 0
        engram.undo(first.id)
        assert logical_dump(engram) == before

    def test_disputed_memories_make_a_domain_less_certain(self, engram):
        filled(engram, 20)
        engram.dream(steps=["tree", "map"])
        before = engram.domains()[0]

        for number in range(1, 11):
            engram.set_status(f"mem-{number:04d}", "challenged", reason="two sources disagree")
        engram.dream(steps=["tree", "map"])

        after = engram.domains()[0]
        assert after.challenged == 10
        assert after.confidence < before.confidence

    def test_a_domain_without_news_is_less_certain_without_a_dream(self, engram, clock):
        filled(engram, 20)
        engram.dream(steps=["tree", "map"])
        before = engram.domains()[0].confidence

        clock.advance(days=200)

        assert engram.domains()[0].confidence < before

    def test_without_a_tree_categories_are_the_domains(self, engram):
        engram.remember("I prefer pnpm over npm.", category="tooling")
        engram.remember("The office is in Lyon.", category="location")
        engram.settle()
        engram.dream(steps=["map"])

        assert {each.label for each in engram.domains()} == {"tooling", "location"}

    def test_without_its_partners_there_is_a_map_too(self, engram):
        filled(engram, 20)
        night = night_of(engram)
        with engram._view(None) as see:
            planned = mapped(night, see, None, times=None, coverage=None)
        carried_out(engram, planned, night)

        assert sum(each.memory_count for each in engram.domains()) == 20

    def test_a_domain_that_is_gone_leaves_the_map(self, engram):
        change = engram.remember("I prefer pnpm over npm.", category="tooling")
        engram.settle()
        engram.dream(steps=["map"])
        engram.forget(change.memory.id)

        assert engram.domains() == []  # also before the next dream
        assert engram.dream(steps=["map"]).decisions == 1
        assert engram.dream(steps=["map"]).decisions == 0

    def test_an_open_question_counts_against_its_domain(self, engram):
        from engram.memory.changes import Action
        from engram.memory.dreams.artefact import Artefact, ArtefactKind
        from engram.memory.scopes import Scope

        filled(engram, 20)
        gap = Artefact(
            kind=ArtefactKind.GAP, scope=Scope(), key="g-1", text="When?", sources=(1, 2),
            made_at=engram._clock(),
        )  # fmt: skip
        with engram._unit(None) as unit:
            unit.begin_change(Action.KEEP_ARTEFACT, Scope(), "a question")
            unit.keep_artefact(gap)
        engram.dream(steps=["tree", "map"])

        assert sum(each.gaps for each in engram.domains()) == 1


class TestBesideAnAnswer:
    def test_a_recall_names_the_domain_of_its_hits(self, engram):
        filled(engram, 40)
        assert engram.recall("What matters for the harbour?").domain is None

        engram.dream(steps=["tree", "map"])
        found = engram.recall("What matters for the harbour?")

        labels = {each.label for each in engram.domains()}
        assert found.domain.label in labels
        assert found.domain.assessment in ("confident", "uncertain", "unknown")

    def test_the_answer_itself_is_the_same(self, engram):
        filled(engram, 40)
        before = engram.recall("What matters for the harbour?")
        engram.dream(steps=["tree", "map"])

        after = engram.recall("What matters for the harbour?")

        assert [hit.memory.number for hit in after] == [hit.memory.number for hit in before]
        assert (after.assessment, after.confidence) == (before.assessment, before.confidence)

    def test_who_sees_nothing_of_it_hears_of_no_domain(self, engram):
        from engram import Scope
        from engram.memory.scopes import Principal

        scope = Scope(project="acme")
        engram.remember("Only acme knows about the walrus plan.", scope=scope)
        engram.settle()
        engram.dream(steps=["tree", "map"])

        other = engram.seen_by(Principal.of(Scope(project="other")))
        assert other.domains() == []
        assert other.recall("walrus plan").domain is None
        inside: Engram = engram.seen_by(Principal.of(scope))
        assert inside.recall("walrus plan").domain is not None
