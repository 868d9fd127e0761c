"""The thirteen contracts: who keeps each, and that nobody fails without."""

from datetime import timedelta

import pytest
from dreaming import night_of
from test_tree import filled, nodes, vectors

from engram import Engram
from engram.lifecycle.dreams.confidence_map import EventTimes, ShapeCoverage, mapped
from engram.lifecycle.dreams.replay import replayed
from engram.lifecycle.dreams.tree import LittleKnown, NamedCentres, grown
from engram.memory.dreams import contracts
from engram.memory.dreams.domains import Coverage, figures
from engram.memory.dreams.replaying import Affective, Aha, ByBus, Partners, weight
from engram.memory.dreams.tree import shaped
from engram.memory.entities.profile import entities_in, find_entity
from engram.memory.vocabulary import LearnedBy
from engram.recall.plan import plan_question
from engram.recall.selection import People

NOBODY = People({}, {})


def test_there_are_thirteen():
    named = [each for each in vars(contracts).values() if getattr(each, "_is_protocol", False)]

    told = {
        each.__doc__.partition(".")[0] for each in named if each.__module__.endswith("contracts")
    }
    assert told == {str(number) for number in range(1, 14)}


class TestFeelingsToReplay:
    def test_with_them_what_stirs_counts_double(self, engram, clock):
        memory = engram.remember("We won!").memory.replaced(arousal=0.61)
        old = clock.advance(days=9)

        assert isinstance(Affective(), contracts.ReplayWeights)
        assert weight(memory, old, Partners(affect=Affective())) == 2.0

    def test_without_them_all_count_the_same(self, engram, clock):
        memory = engram.remember("We won!").memory.replaced(arousal=0.61)

        assert weight(memory, clock.advance(days=9), Partners()) == 1.0


class TestTimeToSelfKnowledge:
    def test_with_it_what_memories_tell_of_dates_a_domain(self, engram, clock):
        memory = engram.remember("The roof leaked.", at=clock() - timedelta(days=300)).memory

        assert isinstance(EventTimes(clock()), contracts.NewsTimes)
        assert EventTimes(clock()).latest([memory]) == memory.at

    def test_without_it_the_time_of_hearing_does(self, engram, clock):
        memory = engram.remember("The roof leaked.", at=clock() - timedelta(days=300)).memory

        found = figures([memory], vividness=lambda _: 1.0, latest=None, coverage=None, gaps=0)

        assert found.latest == memory.learned_at


class TestSelfKnowledgeToTheTree:
    def test_with_it_little_known_domains_are_told_in_smaller_pieces(self, engram):
        memories = {}
        for number in range(30):
            made = engram.remember(f"A rumour of sort {number}.", source="web:page").memory
            memories[made.number] = made.replaced(trust=0.01)
        weakness = LittleKnown(night_of(engram), memories)

        assert isinstance(weakness, contracts.Weakness)
        assert weakness.is_weak(memories)
        numbers, matrix = tuple(memories), vectors(30)
        finer = shaped(numbers, matrix, None, is_weak=weakness.is_weak)
        assert len(finer.clusters) >= len(shaped(numbers, matrix, None).clusters)
        assert max(map(len, finer.clusters.values())) <= 10

    def test_without_it_all_clusters_are_alike(self, engram):
        filled(engram, 30)
        night = night_of(engram)
        with engram._view(None) as see:
            assert grown(night, see, centres=None, weakness=None).decisions


class TestTimeToNames:
    def test_with_times_a_timeline_runs_by_what_happened(self, engram, clock):
        engram.remember("Ada moved to Porto.", at=clock())
        engram.remember("Ada moved to Lyon.", at=clock() - timedelta(days=400))

        profile = engram.entity("Ada")

        assert isinstance(profile, contracts.Timeline)
        assert [each.number for each in profile.timeline] == [2, 1]

    def test_without_a_time_of_their_own_memories_stand_in_the_order_of_hearing(self, engram):
        engram.remember("Ada moved to Porto.")
        engram.remember("Ada likes Lyon.")

        assert [each.number for each in engram.entity("Ada").timeline] == [1, 2]


class TestIntentToNames:
    def test_with_names_a_question_about_somebody_finds_their_profile(self, engram):
        engram.remember("Ada moved to Porto.")

        assert isinstance(engram, contracts.Profiles)
        assert engram.entity("Ada").memories

    def test_without_anybody_of_that_name_there_is_plain_recall(self, engram):
        engram.remember("The kettle is green.")

        assert engram.entity("Ada") is None
        assert engram.recall("What colour is the kettle?").hits


class TestIntentToTime:
    def test_a_question_for_a_time_says_so(self, clock):
        plan = plan_question("What happened three days ago?", NOBODY, clock())

        assert isinstance(plan, contracts.TimeInterest)
        assert plan.asks_for_time

    def test_without_a_time_in_it_words_and_meaning_decide(self, engram, clock):
        engram.remember("The kettle is green.")

        assert not plan_question("Which kettle is green?", NOBODY, clock()).asks_for_time
        assert engram.recall("Which kettle is green?").hits


class TestNamesToTheTree:
    def test_with_names_clusters_begin_where_named_things_lie(self, engram):
        for number in range(8):
            engram.remember(f"Project Heron reached stage {number} of the plan.")
        engram.settle()
        night = night_of(engram)
        with engram._view(None) as see:
            centres = NamedCentres(night, see)

            assert isinstance(centres, contracts.EntityCentres)
            assert len(centres.centres()) >= 1

    def test_without_names_nearness_alone_decides(self, engram):
        filled(engram, 30)
        night = night_of(engram)
        with engram._view(None) as see:
            assert list(NamedCentres(night, see).centres()) == []
            assert grown(night, see, centres=None, weakness=None).decisions


class TestTheBus:
    """The bus is yet to come: what is there is the promise, and that nobody waits for it."""

    def test_who_tells_of_names_and_who_resolves_them_can_be_told_apart(self):
        class Bus:
            def entity_changed(self, name, numbers): ...

            def resolve(self, names):
                return {name: find_entity(name, entities_in([], {})) or name for name in names}

        assert isinstance(Bus(), contracts.EntityNews)
        assert isinstance(Bus(), contracts.NameResolution)
        assert Bus().resolve(["Ada"]) == {"Ada": "Ada"}

    def test_a_dream_over_names_needs_nobody_to_tell(self, engram):
        for number in range(6):
            engram.remember(f"Project Heron reached stage {number} of the plan.")
        engram.settle()

        assert not engram.dream(steps=["entities"]).of("entities")[0].skipped

    def test_what_came_from_others_is_gone_through_sooner(self, engram, clock):
        memory = engram.remember("The kettle is green.").memory
        sent = memory.replaced(learned_by=LearnedBy.BUS)
        old = clock.advance(days=9)

        assert isinstance(ByBus(), contracts.Received)
        assert weight(sent, old, Partners(received=ByBus())) > 1.0
        assert weight(sent, old, Partners()) == 1.0


class TestReplayToFeelings:
    def test_with_it_what_ties_others_together_stirs(self, engram, clock):
        memory = engram.remember("The kettle is green.").memory.replaced(arousal=0.4)
        old = clock.advance(days=9)
        both = Partners(affect=Affective(), insight=Aha())

        assert isinstance(Aha(), contracts.Insight)
        assert weight(memory, old, both, links=3) == 2.0

    def test_without_it_links_change_nothing(self, engram, clock):
        memory = engram.remember("The kettle is green.").memory.replaced(arousal=0.4)
        old = clock.advance(days=9)

        assert weight(memory, old, Partners(affect=Affective()), links=9) == 1.0


class TestReplayToTheTree:
    def test_after_a_replay_the_tree_takes_up_what_came(self, engram):
        filled(engram, 30)
        engram.dream(steps=["replay", "tree"])
        engram.remember("The sailing note says that the spinnaker matters.")
        engram.settle()

        engram.dream(steps=["replay", "tree"])

        assert isinstance(shaped, contracts.Reshaping)
        members = {n for each in nodes(engram, 1) for n in each.body["children"]}
        assert 31 in members

    def test_without_a_tree_replay_does_its_part(self, engram):
        filled(engram, 30)
        night = night_of(engram)
        with engram._view(None) as see:
            assert replayed(night, see, Partners()).looked_at == 30
        assert nodes(engram) == []


class TestTheTreeToSelfKnowledge:
    def test_with_it_a_broad_domain_counts_for_more(self, engram):
        memory = engram.remember("The kettle is green.").memory
        shape = shaped(tuple(range(60)), vectors(60), None)
        coverage = ShapeCoverage(shape)

        assert isinstance(coverage, contracts.TreeCoverage)
        assert coverage.coverage("nowhere") is None
        flat, broad = (
            figures([memory], vividness=lambda _: 1.0, latest=None, coverage=each, gaps=0).depth
            for each in (Coverage(1, 1), Coverage(3, 1))
        )
        assert flat < broad

    def test_without_it_categories_are_mapped(self, engram):
        filled(engram, 10)
        night = night_of(engram)
        with engram._view(None) as see:
            planned = mapped(night, see, None, times=None, coverage=None)

        assert len(planned.decisions) == 1


@pytest.mark.parametrize("steps", [["map"], ["replay"], ["tree"], ["bridges"], ["probe"]])
def test_every_pass_dreams_alone_on_an_empty_store(engram: Engram, steps):
    report = engram.dream(steps=steps)

    assert report.decisions == 0
    assert not any(each.skipped for each in report.passes)
