"""What is forgotten, undone or restored away is out of mind too: words, minds, caches."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from clock import FakeClock
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import Engram, Principal, Scope
from engram.errors import InvalidInput
from engram.memory.scopes import PrincipalKind
from engram.memory.tiers import tiers
from engram.memory.working.slots import Focus, SlotId, SlotSource, SlotTier
from engram.memory.working.withdrawn import Withdrawn

CALM = {"working": {"morning_items": 0}}
SAID = "My ex-wife Clara lives at 14 Elm Street, Bremen."


@pytest.fixture
def calm(clock: FakeClock) -> Iterator[Engram]:
    """A store whose sessions start with nothing in mind."""
    with Engram.open(":memory:", clock=clock, settings=CALM) as engram:
        yield engram


def texts(engram: Engram) -> list[str]:
    return [each.text for each in engram.working.active(session="s")]


def forget_all(engram: Engram) -> None:
    for each in engram.list(limit=100):
        engram.forget(each.id)


class TestWordsThatWereForgotten:
    def test_a_turn_that_is_forgotten_does_not_come_to_mind_nor_become_a_memory(self, calm, clock):
        with calm.turn("s", model="gpt-4o") as turn:
            turn.build(SAID)
            turn.answered("Noted, Clara lives in Bremen and I will keep that in mind.")
        forget_all(calm)
        clock.advance(seconds=40)

        assert texts(calm) == []
        calm.working.topic("switch", session="s")
        assert calm.list(limit=100) == []
        window = calm.context(
            [{"role": "user", "content": "What of Clara?"}], model="gpt-4o", session="s"
        )
        assert "Elm Street" not in window.text

    def test_a_turn_that_is_undone_leaves_what_was_just_said(self, calm, clock):
        observed = calm.observe(SAID, role="user", session="s")
        calm.working.hear(SAID, "user", session="s")
        calm.working.hear("The trains run every hour.", "user", session="s")
        calm.undo(observed.change_id)

        assert [each.text for each in calm.working.heard(session="s")] == [
            "The trains run every hour."
        ]
        clock.advance(seconds=40)
        assert texts(calm) == ["The trains run every hour."]

    def test_it_holds_whichever_came_first(self, calm, clock):
        calm.working.hear(SAID, "user", session="s")
        calm.working.attend("The key of the shed is under the stone.", session="s")
        observed = calm.observe(SAID, role="user", session="s")
        memory = calm.remember("The key of the shed is under the stone.").memory
        calm.undo(observed.change_id)
        calm.forget(memory.id)
        clock.advance(seconds=40)

        assert texts(calm) == []

    def test_a_turn_with_a_secret_is_recognised_though_the_secret_is_masked(self, calm, clock):
        said = "The token of the build is ghp_" + "aB3dE6gH9j" * 3 + "aB3dE6."
        calm.observe(said, role="user", session="s")
        calm.working.hear(said, "user", session="s")
        forget_all(calm)

        assert calm.working.heard(session="s") == []

    def test_words_of_a_memory_forgotten_while_the_session_was_away_do_not_come_back(self, calm):
        memory = calm.remember(SAID).memory
        calm.working.attend(SAID, session="s")
        calm.working.attend("Ada is on call this week.", session="s")
        calm.working.suspend(session="s")
        calm.forget(memory.id)

        assert texts(calm) == ["Ada is on call this week."]

    def test_what_is_too_old_to_come_back_is_not_kept_when_it_was_forgotten(self, calm, clock):
        calm.working.attend(SAID, session="s", relevance=0.9)
        calm.working.suspend(session="s")
        calm.forget(calm.remember(SAID).memory.id)
        clock.advance(hours=30)

        assert texts(calm) == []
        assert calm.list(limit=10) == []

    def test_another_process_forgets_too(self, open_store, clock):
        one = open_store(clock=clock, settings=CALM)
        two = open_store(clock=clock, settings=CALM)
        observed = one.observe(SAID, role="user", session="s")
        one.working.hear(SAID, "user", session="s")
        two.forget(observed.memory.id)
        clock.advance(seconds=40)

        assert texts(one) == []

    def test_what_is_said_again_afterwards_is_in_mind_again(self, calm, clock):
        calm.forget(calm.remember(SAID).memory.id)
        calm.working.hear(SAID, "user", session="s")
        clock.advance(seconds=40)

        assert texts(calm) == [SAID]

    def test_what_another_agent_forgets_of_its_own_leaves_mine(self, calm):
        other = calm.seen_by(Principal.of(Scope("acme", "core", "critic")))
        mine = calm.seen_by(Principal.of(Scope("acme", "core", "coder")))
        mine.working.attend(SAID, session="s")
        other.forget(other.remember(SAID).memory.id)

        assert texts(mine) == [SAID]

    def test_a_merely_stale_or_reworded_memory_leaves_what_is_in_mind(self, calm, clock):
        memory = calm.remember("The deploy runs at nine on Fridays.").memory
        calm.working.attend("The deploy runs at nine on Fridays.", session="s")
        calm.revise(memory.id, "The deploy runs at ten on Fridays.")

        assert texts(calm) == ["The deploy runs at nine on Fridays."]


class TestRecognisingWithdrawnWords:
    @pytest.mark.parametrize(
        "text",
        [
            SAID, SAID.lower(), f"  {SAID}\n", f"{SAID} The trains run.", f"Note this: {SAID}",
            "Clara lives at 14 Elm Street",
        ],
    )  # fmt: skip
    def test_the_same_words_more_and_fewer_of_them_are_recognised(self, text):
        assert Withdrawn(["Another one.", SAID]).told_by(text)

    def test_other_words_and_short_ones_in_common_are_not(self):
        gone = Withdrawn([SAID, "Yes."])

        assert not gone.told_by("Clara is on call.")
        assert not gone.told_by("She said yes.")
        assert not gone.told_by("Bremen")
        assert gone.told_by("yes")

    @pytest.mark.parametrize("strategy", ["compress", "summarise", "hierarchical"])
    def test_what_was_cut_short_or_summed_up_is_recognised(self, clock, strategy):
        limits = {**CALM["working"], "slots": 5, "capacity_tokens": 120, "compression": strategy}
        told = [
            "The harbour of the old town is dredged every spring by a crew of seven from Emden, "
            f"and number {number} of its piers is closed while they work there with the machines."
            for number in range(7)
        ]
        with Engram.open(":memory:", clock=clock, settings={"working": limits}) as engram:
            for each in told:
                engram.working.attend(each, session="s", relevance=0.2)
            assert any("harbour" in each for each in texts(engram))
            for each in told:
                engram.forget(engram.remember(each).memory.id)

            assert texts(engram) == []

    @pytest.mark.parametrize("tier", ["summary", "key_fact", "tag"])
    def test_every_length_of_them_is_recognised(self, tier):
        content = "Clara, who ran the harbour office of the old town of Bremen " * 6 + "left. So."
        text = getattr(tiers(content, "context"), tier).text
        focus = Focus(
            id=SlotId("slot-1"), text=text, tokens=9, source=SlotSource.USER, strength=0.5,
            attended_at=FakeClock()(), refreshed_at=FakeClock()(), tier=SlotTier(tier),
        )  # fmt: skip

        assert Withdrawn([content]).left_of((focus,)) == ()
        assert Withdrawn(["The trains run every hour."]).left_of((focus,)) == (focus,)

    @settings(max_examples=40)
    @given(text=st.text(max_size=60), others=st.lists(st.text(max_size=30), max_size=3))
    def test_every_text_is_recognised_by_itself_and_none_without_any(self, text, others):
        assert Withdrawn([*others, text]).told_by(text) or not text.strip()
        assert not Withdrawn([]).told_by(text)


class TestRestoring:
    def test_nothing_in_mind_or_cached_outlives_a_restore(
        self, open_store, tmp_path: Path, clock: FakeClock
    ):
        engram = open_store(clock=clock, settings=CALM)
        engram.remember("The trains run every hour.")
        backup = engram.backup(tmp_path / "kept")
        engram.working.attend(SAID, session="s", relevance=0.9)
        engram.working.hear("Clara has a dog called Rex.", "user", session="s")
        with engram.turn("s", model="gpt-4o") as turn:
            turn.tools.get("k", lambda: "old")
            turn.cancel()

        engram.restore(backup.path)
        clock.advance(seconds=40)

        assert texts(engram) == []
        assert engram.working.heard(session="s") == []
        with engram.turn("s", model="gpt-4o") as turn:
            assert turn.tools.get("k", lambda: "fresh") == "fresh"


class TestOwnerAndPersonAtTheRoot:
    def test_they_share_nothing_of_a_session_of_the_same_name(self, calm):
        person = calm.seen_by(Principal(PrincipalKind.PERSON, Scope()))

        assert person.principal.actor == calm.principal.actor
        assert person.principal.holder != calm.principal.holder
        assert person._trajectory_key("s") != calm._trajectory_key("s")
        with calm.turn("s", model="gpt-4o") as turn:
            turn.tools.get("k", lambda: "the owner's")
            with person.turn("s", model="gpt-4o") as theirs:
                assert theirs.tools.get("k", lambda: "fresh") == "fresh"

    def test_they_share_no_beginning_of_a_prompt(self, calm):
        person = calm.seen_by(Principal(PrincipalKind.PERSON, Scope()))
        asked = [{"role": "user", "content": "When do the trains run?"}]

        calm.context(asked, model="gpt-4o", session="s")
        person.context(asked, model="gpt-4o", session="s")

        assert len(calm._parts.windows) == 2


class TestRefusedCalls:
    def test_a_refused_call_leaves_no_more_minds_awake_than_may_be(self, clock):
        limits = {"working": {"morning_items": 0, "live_sessions": 4}}
        with Engram.open(":memory:", clock=clock, settings=limits) as engram:
            for number in range(12):
                with pytest.raises(InvalidInput):
                    engram.working.attend("", session=f"s{number}")

            assert len(engram._parts.minds) == 4

    @pytest.mark.parametrize("counter", [5, "estimate", object()])
    def test_what_cannot_count_is_refused(self, calm, counter):
        with pytest.raises(InvalidInput):
            calm.working.export("plain", session="s", counter=counter)

    @pytest.mark.parametrize("text", [5, None, b"words", ["words"]])
    @pytest.mark.parametrize("model", [None, "gpt-4o"])
    def test_what_is_no_text_is_not_counted(self, calm, text, model):
        with pytest.raises(InvalidInput):
            calm.count_tokens(text, model=model)
