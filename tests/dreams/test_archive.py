"""Archival: what has faded and hardly mattered leaves recall, small talk too, and nothing else."""

import dataclasses
from collections.abc import Iterator
from datetime import timedelta

import pytest
from clock import START, FakeClock
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from hypothesis import given
from memory.samples import AGES, memories, memory

from engram import Engram
from engram.lifecycle.dreams.archive import archival_rules
from engram.lifecycle.dreams.options import DreamOptions
from engram.memory.dreams.archival import (
    Grounds,
    Standing,
    grounds_to_archive,
    grounds_to_archive_turn,
    haste,
    leaves_on,
    turn_leaves_on,
)
from engram.memory.dreams.small_talk import (
    asks_for_something,
    has_particulars,
    is_told_elsewhere,
    says_nothing_lasting,
)
from engram.memory.record import Memory, Usage
from engram.memory.vocabulary import Layer, LearnedBy, RetentionMode, SourceClass, Status

DAY = timedelta(days=1)
RULES = archival_rules(DreamOptions(), RetentionMode.HUBER)
FACTS = archival_rules(DreamOptions(archive_facts=True), RetentionMode.HUBER)
HEARD = {"learned_by": LearnedBy.AGENT, "source_class": SourceClass.AGENT, "trust": 0.7}
SMALL_TALK = (
    "Good morning! How are you today?",
    "Thanks, Kate!",
    "Haha, that's so funny!",
    "ok",
    "Sounds good, talk soon!",
    "Wow, that's great! Congratulations!",
)
TELLING = (
    "Lisbon!",
    "No, Lyon",
    "Vegetarian.",
    "I'm allergic to nuts",
    "My sister gardens.",
    "The server listens on port 8080.",
    "Never call me before noon.",
    "We met Ada on the ferry and talked about pumps and seals all night.",
    "Ich wohne jetzt in einer kleinen Stadt.",
    "京都に住んでいます",
)


def turn_saying(text: str, **fields: object) -> Memory:
    return memory(category="turn", content=text, learned_by=LearnedBy.OBSERVE, **fields)


@pytest.fixture
def engram(clock: FakeClock) -> Iterator[Engram]:
    """A store in which any turn and any moment is one too many."""
    crowded = {"dreams": {"keep_turns": 0, "keep_moments": 0}}
    with Engram.open(":memory:", clock=clock, settings=crowded) as opened:
        yield opened


def archived(engram: Engram, **options: object) -> dict[str, str]:
    """What one dream archives, each label with its reason."""
    if options:
        night = night_of(engram, **options)
        planned = planned_by(engram, "archive", night)
        carried_out(engram, planned, night)
        return {each.why.split()[0]: each.why for each in planned.decisions}
    report = engram.dream(steps=["archive"])
    return {each.why.split()[0]: each.why for done in report.passes for each in done.decided}


class TestFadedStatements:
    def test_an_old_unused_and_unimportant_episode_leaves(self, engram, clock):
        faded = engram.remember(
            "The gate squeaked.", category="general", source="agent:gardener"
        ).memory
        clock.advance(days=90)
        assert archived(engram) == {}

        clock.advance(days=1)
        reasons = archived(engram)

        assert set(reasons) == {faded.label}
        assert "not used for 91 days" in reasons[faded.label]
        assert engram.get(faded.id).status is Status.ARCHIVED
        assert [each.id for each in engram.list(status="archived")] == [faded.id]

    def test_what_was_archived_can_be_brought_back_for_good(self, engram, clock):
        faded = engram.remember("The gate squeaked.", source="agent:gardener").memory
        clock.advance(days=100)
        archived(engram)

        engram.set_status(faded.id, "active", reason="still of interest")
        clock.advance(days=400)

        assert archived(engram) == {}
        assert engram.get(faded.id).status is Status.ACTIVE

    @pytest.mark.parametrize(
        "fields",
        [
            {"is_pinned": True},
            {"category": "correction"},
            {"layer": Layer.SEMANTIC},
            {"layer": Layer.PROCEDURAL},
            {"layer": Layer.CODEBASE},
            {"base_importance": 0.7},
            {"arousal": 0.5},
            {"last_verified_at": START},
            {"usage": Usage(3, 1, START, 0)},
            {"status": Status.CHALLENGED},
            {"learned_by": LearnedBy.MANUAL, "source_class": SourceClass.PERSON},
        ],
        ids=str,
    )
    def test_what_stays_however_old(self, fields):
        plain = memory(**HEARD, layer=Layer.EPISODIC, category="general")
        spared = memory(**{**HEARD, "category": "general", **fields})

        assert grounds_to_archive(plain, START + 400 * DAY, RULES) is Grounds.FADED
        assert grounds_to_archive(spared, START + 400 * DAY, RULES) is None

    def test_protected_categories_and_what_took_anothers_place_stay(self):
        plain = memory(**HEARD, category="general")
        later = START + 400 * DAY

        assert grounds_to_archive(plain, later, RULES, Standing(is_protected=True)) is None
        assert grounds_to_archive(plain, later, RULES, Standing(has_replaced=True)) is None

    def test_a_correction_stays_and_so_do_pins_and_protected_ones_byte_for_byte(
        self, engram, clock
    ):
        wrong = engram.remember("The gate is red.", category="general", source="agent:a").memory
        engram.feedback(wrong.id, helpful=False, correction="The gate is green.")
        engram.remember("The gate squeaked.", source="agent:gardener", pinned=True)
        engram.remember("I will oil the gate.", category="commitment", source="agent:gardener")
        clock.advance(days=400)
        before = logical_dump(engram)

        assert archived(engram) == {}
        assert logical_dump(engram) == before

    def test_what_a_person_asked_to_remember_leaves_only_if_that_is_wanted(self, engram, clock):
        kept = engram.remember("The gate squeaked.", category="general").memory
        clock.advance(days=120)

        assert archived(engram) == {}
        assert set(archived(engram, archive_remembered=True)) == {kept.label}

    def test_facts_leave_only_where_that_is_switched_on(self):
        fact = memory(**HEARD, layer=Layer.SEMANTIC)
        later = START + 91 * DAY

        assert grounds_to_archive(fact, later, RULES) is None
        assert grounds_to_archive(fact, later, FACTS) is Grounds.UNIMPORTANT
        assert grounds_to_archive(fact, START + 90 * DAY, FACTS) is None
        used = fact.replaced(usage=Usage(3, 1, START, 0))
        assert grounds_to_archive(used, later, FACTS) is None
        procedure = fact.replaced(layer=Layer.PROCEDURAL)
        assert grounds_to_archive(procedure, later, FACTS) is None

    def test_the_switch_for_facts_works_in_a_dream(self, engram, clock):
        fact = engram.remember("The gate is made of oak.", category="tooling", source="agent:a")
        clock.advance(days=100)

        assert archived(engram) == {}
        assert set(archived(engram, archive_facts=True)) == {fact.memory.label}

    @pytest.mark.parametrize(
        "option",
        [
            {"archive_days": 500},
            {"archive_retention": 0.0},
            {"archive_importance": 0.0},
            {"sparing_importance": 0.0},
            {"sparing_arousal": 0.0},
        ],
        ids=str,
    )
    def test_every_threshold_is_an_option(self, option):
        rules = archival_rules(DreamOptions(**option), RetentionMode.HUBER)
        faded = memory(**HEARD, category="general")

        assert grounds_to_archive(faded, START + 400 * DAY, RULES)
        assert grounds_to_archive(faded, START + 400 * DAY, rules) is None

    def test_fewer_uses_may_keep_a_memory(self):
        rules = archival_rules(DreamOptions(archive_accesses=1), RetentionMode.HUBER)
        used_once = memory(**HEARD, category="general", usage=Usage(1, 1, START, 0))

        assert grounds_to_archive(used_once, START + 400 * DAY, RULES)
        assert grounds_to_archive(used_once, START + 400 * DAY, rules) is None


class TestMoments:
    moment = staticmethod(
        lambda **fields: memory(
            **{
                "category": "moment", "learned_by": LearnedBy.OBSERVE, "base_importance": 0.9,
                "trust": 0.63, "source_class": SourceClass.AGENT,
                "content": "They spilled coffee on the notes.", **fields,
            }
        )
    )  # fmt: skip

    def test_an_unused_moment_passes_once_it_has_faded(self):
        assert grounds_to_archive(self.moment(), START + 31 * DAY, RULES) is None
        assert grounds_to_archive(self.moment(), START + 45 * DAY, RULES) is Grounds.PASSING

    @pytest.mark.parametrize(
        "fields",
        [
            {"usage": Usage(1, 1, START, 0)},
            {"usage": Usage(confirmations=1)},
            {"learned_by": LearnedBy.AGENT},
            {"layer": Layer.SEMANTIC},
        ],
        ids=str,
    )
    def test_what_somebody_used_confirmed_or_kept_does_not_pass(self, fields):
        assert grounds_to_archive(self.moment(**fields), START + 45 * DAY, RULES) is None

    def test_how_long_a_moment_stays_is_an_option(self):
        rules = archival_rules(DreamOptions(moment_days=60), RetentionMode.HUBER)

        assert grounds_to_archive(self.moment(), START + 45 * DAY, rules) is None

    def test_a_persons_last_word_on_something_in_particular_stays(self):
        alone, later = Standing(is_last_word=True), START + 100 * DAY
        said = {"speaker": "Ada", "source_class": SourceClass.PERSON, "trust": 0.9}
        named = self.moment(content="Ada met Tomas at the harbour.", **said)
        plain = self.moment(content="Ada spilled coffee on the notes.", **said)
        reported = named.replaced(source_class=SourceClass.AGENT)

        assert grounds_to_archive(named, later, RULES) is Grounds.PASSING
        assert grounds_to_archive(named, later, RULES, alone) is None
        assert grounds_to_archive(plain, later, RULES, alone) is Grounds.PASSING
        assert grounds_to_archive(reported, later, RULES, alone)
        assert grounds_to_archive(named, START + 800 * DAY, RULES, alone)

    def test_moments_pass_only_where_there_are_too_many(self):
        room = Standing(is_crowded=False)

        assert grounds_to_archive(self.moment(), START + 45 * DAY, RULES, room) is None

    def test_only_as_many_moments_pass_as_are_too_many_and_the_oldest_first(self, engram, clock):
        for number in range(6):
            engram.observe(
                f"Crane {number} was painted.", role="assistant", session="s",
                facts=[{"text": f"Crane {number} was painted.", "category": "moment"}],
            )  # fmt: skip
        clock.advance(days=45)
        moments = sorted(each.number for each in engram.list(category="moment"))

        planned = planned_by(engram, "archive", night_of(engram, keep_turns=100, keep_moments=4))

        assert [each.numbers for each in planned.decisions] == [(each,) for each in moments[:2]]

    def test_a_turn_and_what_was_drawn_from_it_never_leave_together(self, engram, clock):
        told = engram.observe(
            "Tomas repaired the harbour crane with Ines.",
            facts=[{"text": "Tomas repaired the harbour crane with Ines.", "category": "moment"}],
        ).memory
        drawn = engram.drawn(told.id)[0]
        for _ in range(11):
            clock.advance(days=30)
            archived(engram)
            recalled = {each.id for each in engram.list(limit=10)}
            assert recalled & {told.id, drawn.id}


class TestTurns:
    def observe(self, engram: Engram, text: str, **said: object) -> Memory:
        found = engram.observe(text, session="s", **said).memory
        engram.flush()
        return found

    @pytest.mark.parametrize("text", SMALL_TALK)
    def test_small_talk_says_nothing_that_lasts(self, text):
        assert says_nothing_lasting(text)
        assert not has_particulars(text)

    @pytest.mark.parametrize("text", TELLING)
    def test_names_numbers_claims_and_short_answers_last(self, text):
        assert not says_nothing_lasting(text)

    def test_a_long_text_always_tells_something(self):
        assert not says_nothing_lasting("thanks " * 1_000)
        assert has_particulars("thanks " * 1_000)
        assert not is_told_elsewhere("thanks " * 1_000, ["thanks"])

    def test_who_speaks_is_nothing_in_particular(self):
        assert has_particulars("Mara spilled coffee on Mara's notes.")
        assert not has_particulars("Mara spilled coffee on Mara's notes.", known=["Mara"])

    def test_a_turn_is_told_elsewhere_when_all_it_tells_stands_there(self):
        turn = "Hey Kate! I moved to Porto last week. The flat has 3 rooms."
        moved = "Ines moved to Porto in the week of 2026-03-02."

        assert not is_told_elsewhere(turn, [moved])
        assert is_told_elsewhere(turn, [moved, "The flat of Ines has 3 rooms."])
        assert not is_told_elsewhere(turn, [moved, "The flat of Ines has 4 rooms."])
        assert not is_told_elsewhere(turn, [])

    def test_unused_small_talk_leaves_after_thirty_days(self, engram, clock):
        talk = self.observe(engram, "Good morning! How are you today?")
        fact = self.observe(engram, "My bicycle is parked behind the bakery in Ghent.")
        clock.advance(days=29)
        assert archived(engram) == {}

        clock.advance(days=1)
        reasons = archived(engram)

        assert set(reasons) == {talk.label}
        assert "tells nothing that lasts" in reasons[talk.label]
        assert engram.get(fact.id).status is Status.ACTIVE
        engram.set_status(talk.id, "active", reason="")
        assert engram.get(talk.id).status is Status.ACTIVE

    def test_small_talk_that_is_used_stays(self, engram, clock):
        talk = turn_saying("Thanks, Kate!")
        later = START + 40 * DAY
        used = talk.replaced(usage=Usage(1, 1, START + 20 * DAY, 0))
        often = talk.replaced(usage=Usage(3, 1, START, 0))

        assert grounds_to_archive_turn(talk, None, later, RULES) is Grounds.SMALL_TALK
        assert grounds_to_archive_turn(used, None, later, RULES) is None
        assert grounds_to_archive_turn(used, None, later + 20 * DAY, RULES) is Grounds.SMALL_TALK
        assert grounds_to_archive_turn(often, None, START + 900 * DAY, RULES) is None

    def test_a_turn_of_which_all_was_drawn_leaves_after_sixty_days(self, engram, clock):
        told = self.observe(
            engram, "Our boiler was serviced by Hilde.",
            facts=[{"text": "Our boiler was serviced by Hilde.", "category": "fact"}],
        )  # fmt: skip
        clock.advance(days=59)
        assert archived(engram) == {}

        clock.advance(days=1)
        reasons = archived(engram)

        assert set(reasons) == {told.label}
        assert "drawn from it" in reasons[told.label]
        assert engram.recall("Who serviced the boiler?")[0].memory.is_drawn

    def test_what_was_not_drawn_keeps_its_turn(self, engram, clock):
        self.observe(
            engram, "Our boiler was serviced by Hilde. The key is under the blue pot.",
            facts=[{"text": "Our boiler was serviced by Hilde.", "category": "fact"}],
        )  # fmt: skip
        clock.advance(days=100)

        assert archived(engram) == {}

    def test_a_turn_nobody_has_read_yet_waits(self, engram, clock):
        engram.observe("ok, thanks!", session="s")
        clock.advance(days=100)

        assert planned_by(engram, "archive").decisions == ()
        engram.flush()
        assert len(planned_by(engram, "archive").decisions) == 1

    def test_a_turn_that_tells_particulars_stays_a_year_and_plain_ones_ninety_days(self):
        named = turn_saying("Tomas called about the pump and the seal.")
        plain = turn_saying("It rained all over the garden and the yard.")

        assert grounds_to_archive_turn(plain, None, START + 90 * DAY, RULES) is None
        assert grounds_to_archive_turn(plain, None, START + 91 * DAY, RULES) is Grounds.FADED
        assert grounds_to_archive_turn(named, None, START + 364 * DAY, RULES) is None
        assert grounds_to_archive_turn(named, None, START + 365 * DAY, RULES) is Grounds.FADED

    @pytest.mark.parametrize(
        "text",
        [
            "Could you split the long module before we touch load_row?",
            "Please sketch another layout near sort_row.",
            "Ok, let's look at merge_row in the crane planner.",
            "Run pytest for merge_row in the crane planner, please.",
        ],
    )
    def test_a_request_has_served_its_moment_after_forty_five_days(self, text):
        asked = turn_saying(text)

        assert grounds_to_archive_turn(asked, None, START + 44 * DAY, RULES) is None
        assert grounds_to_archive_turn(asked, None, START + 45 * DAY, RULES) is Grounds.PASSING
        used = asked.replaced(usage=Usage(1, 1, START, 0))
        assert grounds_to_archive_turn(used, None, START + 45 * DAY, RULES) is None

    def test_what_is_told_beside_a_request_keeps_it(self):
        assert not asks_for_something("I moved to Porto. Can you find a plumber?")
        assert not asks_for_something("please " * 1_000)
        assert not asks_for_something("Thanks!")

    def test_what_an_agent_said_has_served_its_moment_too(self):
        said = turn_saying("I ran it for load_row.", source_class=SourceClass.AGENT, trust=0.7)

        assert grounds_to_archive_turn(said, None, START + 45 * DAY, RULES) is Grounds.PASSING

    def test_what_a_tool_printed_leaves_like_anything_else_that_faded(self):
        printed = turn_saying("listening on :8080", source_class=SourceClass.TOOL, trust=0.6)

        used = printed.replaced(usage=Usage(1, 1, START, 0))

        assert grounds_to_archive_turn(printed, None, START + 45 * DAY, RULES) is Grounds.PASSING
        assert grounds_to_archive_turn(used, None, START + 366 * DAY, RULES) is Grounds.FADED

    @pytest.mark.parametrize(
        ("option", "text"),
        [
            ({"chatter_days": 200}, "Thanks, Kate!"),
            ({"passing_turn_days": 200}, "Could you call Tomas?"),
            ({"turn_days": 1_000}, "Tomas called about the pump and the seal."),
        ],
    )
    def test_the_days_of_turns_are_options(self, option, text):
        turn = turn_saying(text)
        rules = archival_rules(DreamOptions(**option), RetentionMode.HUBER)
        chatter_or_year = START + (400 if "turn_days" in option else 60) * DAY

        assert grounds_to_archive_turn(turn, None, chatter_or_year, RULES)
        assert grounds_to_archive_turn(turn, None, chatter_or_year, rules) is None

    def test_no_turn_leaves_before_there_are_too_many(self, engram, clock):
        for number in range(5):
            self.observe(engram, "Thanks a lot!", role="user", speaker=f"p{number}")
        clock.advance(days=40)

        few = planned_by(engram, "archive", night_of(engram, keep_turns=5))
        many = planned_by(engram, "archive", night_of(engram, keep_turns=3))
        carried_out(engram, many)
        again = planned_by(engram, "archive", night_of(engram, keep_turns=3, mark=many.mark))
        later = planned_by(engram, "archive", night_of(engram, keep_turns=1, mark=many.mark))

        assert (few.decisions, few.looked_at, few.is_whole) == ((), 0, True)
        assert [each.numbers for each in many.decisions] == [(1,), (2,)]
        assert again.decisions == ()
        assert [each.numbers for each in later.decisions] == [(3,), (4,)]

    def test_idle_days_count_for_more_where_more_is_said_than_is_kept(self):
        said = turn_saying("Tomas called about the pump and the seal.")
        in_haste = dataclasses.replace(RULES, haste=2.0)

        assert grounds_to_archive_turn(said, None, START + 200 * DAY, RULES) is None
        assert grounds_to_archive_turn(said, None, START + 180 * DAY, in_haste) is None
        assert grounds_to_archive_turn(said, None, START + 200 * DAY, in_haste) is Grounds.FADED

    @pytest.mark.parametrize(
        ("taken_in", "kept", "expected"),
        [
            (0, 5_000, 1.0),
            (5_000, 5_000, 1.0),
            (10_000, 5_000, 2.0),
            (10**6, 5_000, 4.0),
            (9, 0, 1),
        ],
    )
    def test_the_haste_has_its_bounds(self, taken_in, kept, expected):
        assert haste(taken_in, kept) == expected

    def test_small_talk_leaves_sooner_where_much_is_said_and_says_so(self, engram, clock):
        for number in range(6):
            self.observe(engram, "Thanks a lot!", role="user", speaker=f"p{number}")
        clock.advance(days=15)

        calm = planned_by(engram, "archive", night_of(engram, keep_turns=5))
        hasty = planned_by(engram, "archive", night_of(engram, keep_turns=3))

        assert calm.decisions == ()
        assert len(hasty.decisions) == 3
        assert "15 days and tells nothing that lasts" in hasty.decisions[0].why

    def test_a_dream_that_was_interrupted_is_in_the_same_haste(self, engram, clock):
        for number in range(8):
            self.observe(engram, "Thanks a lot!", role="user", speaker=f"p{number}")
        clock.advance(days=10)
        night = night_of(engram, keep_turns=2)
        planned = planned_by(engram, "archive", night)
        some = dataclasses.replace(planned, decisions=planned.decisions[:4])
        carried_out(engram, some, night)

        rest = planned_by(engram, "archive", night_of(engram, keep_turns=2))

        assert [each.numbers for each in planned.decisions] == [(n,) for n in range(1, 7)]
        assert [each.numbers for each in rest.decisions] == [(5,), (6,)]

    def test_the_same_turns_are_not_read_every_night(self, engram, clock):
        for number in range(30):
            self.observe(engram, f"Tomas fitted pump {number} at the mill.")
        clock.advance(days=40)
        first = planned_by(engram, "archive")

        again = planned_by(engram, "archive", night_of(engram, mark=first.mark))
        clock.advance(days=25)
        later = planned_by(engram, "archive", night_of(engram, mark=first.mark))

        turns = 30
        assert first.looked_at >= turns
        assert again.looked_at <= first.looked_at - turns
        assert later.looked_at >= turns  # those told elsewhere are looked for now

    def test_bounds_are_kept_and_the_next_dream_goes_on(self, engram, clock):
        for number in range(5):
            engram.observe("Thanks!", session=f"s{number}")
        engram.flush()
        clock.advance(days=31)

        first = planned_by(engram, "archive", night_of(engram, rows_per_pass=2))
        second = planned_by(engram, "archive", night_of(engram, mark=first.mark))
        few = planned_by(engram, "archive", night_of(engram, decisions_per_pass=1))

        assert (len(first.decisions), first.is_whole) == (2, False)
        assert (len(second.decisions), second.is_whole) == (3, True)
        assert (len(few.decisions), few.is_whole) == (1, False)


class TestEveryArchival:
    def store(self, engram: Engram) -> None:
        engram.remember("The gate squeaked.", source="agent:gardener")
        engram.remember("The fence leans.", source="agent:gardener", pinned=True)
        engram.remember("Ada likes pears.", category="preference")
        engram.observe("Thanks a lot!", session="s")
        engram.flush()

    def test_ten_dreams_are_one(self, engram, clock):
        self.store(engram)
        clock.advance(days=120)
        assert len(archived(engram)) == 2
        after_one = logical_dump(engram)

        for _ in range(9):
            assert archived(engram) == {}

        assert logical_dump(engram) == after_one

    def test_an_undone_archival_is_as_if_it_had_not_been_and_stays_undone(self, engram, clock):
        self.store(engram)
        clock.advance(days=120)
        before = logical_dump(engram)

        engram.undo(engram.dream(steps=["archive"]).id)

        assert logical_dump(engram) == before
        assert archived(engram) == {}

    def test_what_is_used_between_plan_and_deed_stays(self, engram, clock):
        faded = engram.remember("The gate squeaked.", source="agent:gardener").memory
        clock.advance(days=120)
        night = night_of(engram)
        planned = planned_by(engram, "archive", night)
        assert len(planned.decisions) == 1

        engram.recall("gate squeaked")
        engram._parts.access_log.flush()

        assert carried_out(engram, planned, night) == []
        assert engram.get(faded.id).status is Status.ACTIVE

    def test_a_clock_that_jumped_back_archives_nothing(self, engram, clock):
        self.store(engram)
        clock.advance(days=-4_000)

        assert archived(engram) == {}

    def test_a_clock_that_jumped_forwards_and_back_is_undone_as_a_whole(self, engram, clock):
        self.store(engram)
        before = logical_dump(engram)
        clock.advance(days=3_000)
        report = engram.dream(steps=["expire", "archive"])
        clock.advance(days=-3_000)

        engram.undo(report.id)

        assert report.decisions > 0
        assert logical_dump(engram) == before

    def test_a_mark_that_cannot_be_read_is_as_none(self, engram, clock):
        self.store(engram)
        clock.advance(days=120)

        for mark in ("nonsense", "[1]", '{"small_talk": "x y", "statements": "-"}', "{}"):
            assert len(planned_by(engram, "archive", night_of(engram, mark=mark)).decisions) == 2

    @given(memories(), AGES, AGES)
    def test_what_leaves_would_leave_later_too(self, any_memory, age, more):
        found = grounds_to_archive(any_memory.replaced(horizon=None), START + age, FACTS)

        if found is not None:
            later = START + age + more
            assert grounds_to_archive(any_memory.replaced(horizon=None), later, FACTS)
            assert not any_memory.is_pinned

    @given(memories())
    def test_the_day_it_leaves_is_the_first_on_which_it_would(self, any_memory):
        lasting = any_memory.replaced(horizon=None, learned_at=START)
        day = leaves_on(lasting, START, FACTS)

        if day is not None:
            assert grounds_to_archive(lasting, day, FACTS)
            earlier = day - timedelta(hours=2)
            assert day == START or not grounds_to_archive(lasting, earlier, FACTS)

    def test_a_turn_is_told_when_it_leaves(self):
        talk = turn_saying("Thanks, Kate!")

        leaves = turn_leaves_on(talk, None, START, RULES)

        assert leaves is not None
        assert abs(leaves - (START + 30 * DAY)) <= timedelta(hours=1)

    def test_the_reasons_never_hold_texts(self, engram, clock):
        self.store(engram)
        clock.advance(days=120)

        for why in archived(engram).values():
            assert "squeaked" not in why
            assert "Thanks" not in why
