"""Of several memories in the same words one is shown, and it is the one that is worth most."""

from dataclasses import replace

from clock import FakeClock
from context.making import memory_of

from engram import Engram
from engram.memory.categories import TURN
from engram.memory.trust import TrustScore
from engram.memory.vocabulary import Status
from engram.recall.adjust import Adjusted
from engram.recall.presentation import Ranked, _without_repeats
from tests.recall.stores import WORDS_ONLY

OFFICE, ASKED = "Ada's office is in Porto.", "Where is Ada's office?"


def heard(engram: Engram, text: str) -> None:
    engram.observe(text, speaker="Ann")
    engram.settle()


def test_a_statement_does_not_hide_behind_the_turn_it_was_said_in():
    with Engram.open(":memory:", clock=FakeClock(), settings=WORDS_ONLY) as engram:
        heard(engram, OFFICE)
        said = {memory.category: memory for memory in engram.list()}

        (hit,) = engram.recall(ASKED).hits

    assert set(said) == {TURN, hit.memory.category}
    assert hit.memory.category != TURN


def test_what_somebody_wrote_down_stands_before_what_was_drawn_from_talk():
    with Engram.open(":memory:", clock=FakeClock(), settings=WORDS_ONLY) as engram:
        heard(engram, OFFICE)
        engram.remember(OFFICE, speaker="Ann")

        (hit,) = engram.recall(ASKED).hits

    assert hit.memory.learned_by.value == "manual"


def placed(number: int, score: float, accuracy: float = 1.0, **fields: object) -> Ranked:
    trust = TrustScore(score, accuracy, 1.0, 1.0, 1.0)
    memory = memory_of(OFFICE, number, **fields)
    return Ranked(memory, number, score, score, Adjusted(1.0, {}, trust), score)


def test_the_better_one_has_the_place_and_the_score_of_the_best_placed():
    turn = placed(1, 0.9, category=TURN)
    between = replace(placed(2, 0.8), memory=memory_of("Ada is tall.", 2))
    past = placed(3, 0.7, status=Status.SUPERSEDED)
    doubted = placed(4, 0.6, accuracy=0.4)
    believed = placed(5, 0.5, accuracy=0.9)
    later = placed(6, 0.4, accuracy=0.9)

    first, second = _without_repeats([turn, between, past, doubted, believed, later])

    assert (first.memory.number, first.place, first.score) == (5, 5, 0.9)
    assert [each.number for each in first.repeats] == [1, 3, 4, 6]
    assert (second.memory.number, second.score, second.repeats) == (2, 0.8, ())


def test_why_not_names_the_one_that_is_shown_instead():
    with Engram.open(":memory:", clock=FakeClock(), settings=WORDS_ONLY) as engram:
        heard(engram, OFFICE)
        turn = next(memory for memory in engram.list() if memory.category == TURN)
        fact = next(memory for memory in engram.list() if memory.category != TURN)

        stages = engram.why(ASKED, turn.id).stages

    assert fact.label in stages[-1].detail
