"""What replaces what: sure changes retire, unsure ones are linked, and nothing else is touched."""

import threading
import time
from datetime import timedelta

import pytest
from clock import START, FakeClock

from engram import Engram, Scope
from engram.capture.replacement import (
    _LONGEST_RETIRED,
    ReplacementJudge,
    gives_other_value,
    is_past_event,
)
from engram.storage.verdicts import queue_verdict


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def engram(clock):
    settings = {"capture": {"reconcile": True}, "embedder": {"kind": "builtin"}}
    with Engram.open(":memory:", clock=clock, settings=settings) as opened:
        yield opened


def say(engram: Engram, clock: FakeClock, *texts: str, **more: object):
    for text in texts:
        clock.advance(hours=1)
        outcome = engram.remember(text, wait=True, **more)  # type: ignore[arg-type]
    return outcome


def active(engram: Engram) -> list[str]:
    return sorted(each.content for each in engram.list(status="active"))


def test_a_plain_change_retires_the_old_statement_and_says_so(engram, clock):
    outcome = say(engram, clock, "The gate code is 4711.", "The gate code is 9020.")

    assert outcome.replaced == ("mem-0001",)
    assert active(engram) == ["The gate code is 9020."]
    (old,) = engram.list(status="superseded")
    assert engram.history(old.id)[-1].change.reason == "replaced by mem-0002"


def test_the_verdict_can_be_taken_back_and_is_not_made_again(engram, clock):
    say(engram, clock, "The gate code is 4711.", "The gate code is 9020.")
    (old,) = engram.list(status="superseded")

    engram.undo(engram.history(old.id)[-1].change.id)
    engram.settle()

    assert len(active(engram)) == 2


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("I keep two goats.", "I also keep a donkey."),
        ("Room 12 is free on Fridays.", "Room 14 is free on Fridays."),
        ("My sister lives in Oslo.", "The kettle is broken."),
        ("I climbed Ben Nevis in May 2021.", "I climbed Snowdon in June 2023."),
        ("We opened the Bern shop in March 2020.", "We opened the Basel shop in April 2022."),
        ("I take Ibuprofen.", "I take Metformin."),
        ("Rosa has Asthma.", "Rosa has Diabetes."),
        ("Ida is German.", "Ida is Vegan."),
    ],
)
def test_what_holds_beside_it_stays(engram, clock, first, later):
    outcome = say(engram, clock, first, later)

    assert outcome.replaced == ()
    assert active(engram) == sorted([first, later])


def test_a_source_that_is_trusted_less_retires_nothing(engram, clock):
    say(engram, clock, "The gate code is 4711.")
    clock.advance(hours=1)

    outcome = engram.remember("The gate code is 9020.", source="web:example.org", wait=True)

    assert outcome.replaced == ()
    assert "The gate code is 4711." in active(engram)


def test_what_two_people_say_is_linked_and_put_to_a_person(engram, clock):
    say(engram, clock, "The gate code is 4711.", speaker="Ann")

    outcome = say(engram, clock, "The gate code is 9020.", speaker="Bo")

    assert (outcome.replaced, outcome.may_replace) == ((), ("mem-0001",))


def test_the_verdict_is_the_same_inside_a_batch(engram):
    engram.remember_many(["The gate code is 4711.", "The gate code is 9020."], wait=True)

    assert active(engram) == ["The gate code is 9020."]


def test_nothing_is_judged_across_scopes(engram, clock):
    say(engram, clock, "The gate code is 4711.", scope=Scope(project="a"))
    say(engram, clock, "The gate code is 9020.", scope=Scope(project="b"))

    found = engram.list(scope=Scope(project="a"), status="active")
    assert [each.content for each in found] == ["The gate code is 4711."]


@pytest.mark.parametrize(
    ("first", "later", "is_other"),
    [
        ("I live in Turin.", "I live in Bari.", True),
        ("Standup is at 9:15.", "Standup is at 10:00.", True),
        ("Fact 12.", "Fact 13.", False),
        ("I speak Thai.", "I speak Urdu.", False),
        ("Pier 3 belongs to Ann.", "Pier 4 belongs to Ann.", False),
        ("I live in Turin.", "I live in Turin!", False),
    ],
)
def test_another_value_is_told_from_another_thing(first, later, is_other):
    assert gives_other_value(first, later) is is_other


def test_a_past_event_is_told_from_a_state(engram, clock):
    event = say(engram, clock, "I moved to Leeds in 2019.").memory
    state = say(engram, clock, "I live in Leeds.").memory

    assert is_past_event(event)
    assert not is_past_event(state)


class MeddlingReader:
    """Is sure of every change, and does something else to the store before it says so."""

    def __init__(self, meddle) -> None:
        self.meddle = meddle

    def compare(self, pairs):
        if self.meddle is not None:
            meddle, self.meddle = self.meddle, None
            meddle()
        sure = {"same": 0.0, "replaces": 0.99, "ends": 0.0, "adds": 0.0, "unrelated": 0.0}
        return [sure for _ in pairs]


@pytest.mark.parametrize("touched", ["mem-0001", "mem-0002"])
@pytest.mark.parametrize("how", ["forget", "revise"])
def test_what_is_changed_while_it_is_compared_is_not_acted_on(clock, touched, how):
    quiet = {"capture": {"reconcile": False}, "embedder": {"kind": "builtin"}}
    with Engram.open(":memory:", clock=clock, settings=quiet) as engram:
        for text in ("Rosa lives in Oslo.", "Rosa lives in Bern."):
            clock.advance(hours=1)
            engram.remember(text)
        engram.settle()

        def meddle() -> None:
            if how == "forget":
                engram.forget(touched, reason="a slip")
            else:
                engram.revise(touched, "Karl keeps bees.", reason="a slip")

        parts, newer = engram._parts, engram.get("mem-0002")
        judge = ReplacementJudge(parts.store, MeddlingReader(meddle), parts.vectors)
        with parts.store.database.writing() as transaction:
            queue_verdict(transaction, newer, "owner")

        judge.judge_waiting(clock(), needs_vectors=True)

        assert engram.list(status="superseded") == []


class CountingReader:
    """Says that nothing changes, slowly, and counts what it was asked."""

    def __init__(self) -> None:
        self.compared: list[tuple[str, str]] = []

    def compare(self, pairs):
        self.compared += pairs
        time.sleep(0.02)
        return [
            dict.fromkeys(("same", "replaces", "ends", "adds", "unrelated"), 0.2) for _ in pairs
        ]


def test_two_threads_that_judge_compare_nothing_twice(clock):
    quiet = {"capture": {"reconcile": False}, "embedder": {"kind": "builtin"}}
    with Engram.open(":memory:", clock=clock, settings=quiet) as engram:
        for number in range(6):
            clock.advance(hours=1)
            engram.remember(f"The gate code of barn {number} is 47{number}1.")
        engram.settle()
        parts = engram._parts
        reader = CountingReader()
        judge = ReplacementJudge(parts.store, reader, parts.vectors)
        waiting = list(engram.list())
        with parts.store.database.writing() as transaction:
            for memory in waiting:
                queue_verdict(transaction, memory, "owner")

        threads = [
            threading.Thread(
                target=judge.judge_waiting, args=(clock(),), kwargs={"needs_vectors": True}
            )
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert reader.compared
    assert len(reader.compared) == len(set(reader.compared))


@pytest.mark.parametrize("is_long", [False, True])
def test_a_long_text_is_not_retired(engram, clock, is_long):
    told = "The gate code is 4711. "
    more = "You enter it below the bell and wait for the light. " * (_LONGEST_RETIRED // 50)

    text = told + more * is_long
    outcome = say(engram, clock, text, "The gate code is 9020 now and no longer 4711.")

    assert bool(outcome.replaced) is not is_long


def test_a_turn_that_says_nothing_else_goes_with_what_was_replaced(engram, clock):
    for text in ("The gate code is 4711.", "The gate code is 9020.", "Mind the goat at the gate."):
        clock.advance(hours=1)
        engram.observe(text, session="farm")
    engram.flush()
    engram.settle()
    asked = "What is the gate code?"

    assert "4711" not in str([hit.memory.content for hit in engram.recall(asked)])
    before = engram.recall(asked, as_of=START + timedelta(hours=1, minutes=30))
    assert "4711" in str([hit.memory.content for hit in before])
    assert "4711" not in str(engram.context([{"role": "user", "content": asked}], model="gpt-4o"))
