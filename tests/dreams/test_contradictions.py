"""Contradictions that stand side by side: ruled on as if they had come one after the other."""

import dataclasses
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from dreaming import Judge, PlaceJudge, carried_out, night_of, planned_by
from dump import logical_dump
from memory.samples import memory

from engram import Engram, Scope
from engram.memory.changes import Action
from engram.memory.dreams.disputes import Ruling, Told, is_replaced
from engram.memory.dreams.disputes import ruling as ruling_on
from engram.memory.ids import MemoryId
from engram.memory.record import Memory
from engram.memory.vocabulary import SourceClass, Status
from engram.providers.text_reader import TextReader
from engram.storage.unit import Evidence, UnitOfWork

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
AGENT = {"source_class": SourceClass.AGENT, "trust": 0.7, "confidence": 0.9}


def told(number: int, text: str, *, day: int = 0, said_again: int | None = None, **fields) -> Told:
    at = MONDAY + day * DAY
    each = memory(number=number, content=text, at=at, learned_at=at, **fields)
    return Told(each, at if said_again is None else MONDAY + said_again * DAY)


def ruling(said: list[Told]) -> Ruling:
    """What becomes of statements of which the judge says that each replaces those before it."""
    numbers = [each.memory.number for each in sorted(said, key=lambda each: each.memory.at)]
    return ruling_on(said, set(combinations(numbers, 2)))


def over(found: Ruling) -> list[tuple[int, int]]:
    return [(each.loser.memory.number, each.winner.memory.number) for each in found.replaced]


def doubted(found: Ruling) -> list[int]:
    return [each.memory.number for each in found.disputed]


# By rule


def test_what_was_said_later_takes_the_place_of_what_was_said_before():
    found = ruling([told(2, "Ada lives in Porto.", day=1), told(1, "Ada lives in Lyon.")])

    assert over(found) == [(1, 2)]
    assert doubted(found) == []


def test_a_chain_is_followed_step_by_step():
    places = ("Lyon", "Porto", "Turku")
    found = ruling([told(n, f"Ada lives in {at}.", day=n) for n, at in enumerate(places, 1)])

    assert over(found) == [(1, 2), (2, 3)]


def test_the_far_stronger_stands_whatever_the_dates():
    weak = told(2, "Ada lives in Porto.", day=1, source_class=SourceClass.WEB, confidence=0.5)
    strong = told(1, "Ada lives in Lyon.", **AGENT)

    found = ruling([strong, weak])

    assert over(found) == []
    assert doubted(found) == [2]


def test_where_nothing_decides_both_are_disputed():
    found = ruling([told(1, "Ada lives in Lyon."), told(2, "Ada lives in Porto.")])

    assert over(found) == []
    assert doubted(found) == [1, 2]


def test_a_known_dispute_is_not_opened_again():
    both = [
        told(1, "Ada lives in Lyon.", status=Status.CHALLENGED),
        told(2, "Ada lives in Porto.", status=Status.CHALLENGED),
    ]

    assert ruling(both).is_empty
    assert ruling([both[0], told(3, "Ada lives in Porto.")]).is_empty


def test_what_a_person_stands_behind_yields_to_no_machine():
    person = told(1, "Ada lives in Lyon.", confidence=0.2)
    machine = told(2, "Ada lives in Porto.", day=9, **AGENT)

    found = ruling([person, machine])

    assert over(found) == []
    assert doubted(found) == [2]


def test_a_machine_yields_to_a_person_who_spoke_later():
    machine = told(1, "Ada lives in Porto.", **AGENT)
    person = told(2, "Ada lives in Lyon.", day=9)

    assert over(ruling([machine, person])) == [(1, 2)]


def test_what_is_pinned_stays_and_is_told_of():
    found = ruling([
        told(1, "Ada lives in Lyon.", is_pinned=True),
        told(2, "Ada lives in Porto.", day=1),
    ])  # fmt: skip

    assert over(found) == []
    assert doubted(found) == [2]
    assert found.left == ("mem-0001 is pinned, and mem-0002 says otherwise",)


def test_what_was_said_again_since_is_the_later_one():
    found = ruling([
        told(1, "Ada lives in Lyon.", said_again=9),
        told(2, "Ada lives in Porto.", day=3),
    ])  # fmt: skip

    assert over(found) == [(2, 1)]


def test_two_that_a_person_verified_after_both_were_said_both_hold():
    verified = {"last_verified_at": MONDAY + 5 * DAY}
    found = ruling([
        told(1, "Ada lives in Lyon.", **verified),
        told(2, "Ada lives in Porto.", day=1, **verified),
    ])  # fmt: skip

    assert found.is_empty


def test_what_is_disputed_retires_nothing():
    disputed = told(2, "Ada lives in Porto.", day=1, status=Status.CHALLENGED)

    assert over(ruling([told(1, "Ada lives in Lyon."), disputed])) == []


def test_what_two_people_say_against_each_other_is_put_to_a_person():
    both = [
        told(1, "I own the mill.", speaker="Orla"),
        told(2, "The mill is mine.", day=1, speaker="Bram"),
    ]

    assert over(ruling(both)) == []
    assert doubted(ruling(both)) == [1, 2]


def test_what_the_judge_does_not_oppose_is_left_alone():
    both = [told(1, "Ada likes tea."), told(2, "Ada likes coffee.", day=1)]

    assert ruling_on(both, set()).is_empty


def test_a_past_event_stays_as_it_was_told_whatever_the_judge_says():
    past, state = told(1, "Ada moved to Lyon in May 2024."), told(2, "Ada lives in Lyon.")
    later = told(3, "Ada moved to Porto.", day=1)
    judge = Judge("replaces")

    assert not is_replaced(past.memory, later.memory, judge)
    assert is_replaced(state.memory, later.memory, judge)
    assert not is_replaced(state.memory, later.memory, Judge("adds"))


# Through a dream


def put_in(engram: Engram, *texts: str, **fields: object) -> list[Memory]:
    """Write statements as an import or another process would: without holding them together."""
    kept = []
    with engram._store.write(engram.principal.reach(), actor="import", now=engram._clock()) as unit:
        for n, text in enumerate(texts):
            kept.append(_insert(unit, text, at=unit.now + n * DAY, **fields))
    return kept


def _insert(unit: UnitOfWork, text: str, **fields: object) -> Memory:
    change = unit.begin_change(Action.REMEMBER, Scope(), "")
    identity = text.encode().ljust(32, b"\0")[:32]
    values = {"id": MemoryId(unit.mint_memory_id()), "number": unit.next_number(), "content": text,
              "change_id": change, "learned_at": unit.now, "recorded_at": unit.now,
              "identity": identity, **fields}  # fmt: skip
    made = memory(**values)
    assert unit.insert(made)
    return made


def dream_of(engram: Engram) -> list[str]:
    night = night_of(engram, judge=PlaceJudge())
    return carried_out(engram, planned_by(engram, "contradictions", night), night)


@pytest.fixture(autouse=True)
def judged(monkeypatch) -> None:
    """Whole dreams ask the same judge."""
    monkeypatch.setattr(TextReader, "compare", lambda _, pairs: PLACES.compare(pairs))


PLACES = PlaceJudge()


def test_an_import_that_contradicts_itself_is_put_in_order(engram, clock):
    old, latest = put_in(engram, "Ada lives in Lyon.", "Ada lives in Porto.")
    clock.advance(days=5)

    changes = dream_of(engram)

    retired, standing = engram.get(old.id), engram.get(latest.id)
    assert len(changes) == 1
    assert retired.status is Status.SUPERSEDED
    assert (retired.superseded_by, retired.valid_until) == (latest.id, latest.at)
    assert (standing.status, standing.valid_from) == (Status.ACTIVE, latest.at)
    hits = engram.recall("Where does Ada live?")
    assert [hit.memory.id for hit in hits] == [latest.id]
    assert engram.recall("Where does Ada live?", as_of=old.at)[0].memory.id == old.id


def test_a_chain_is_put_in_order_in_one_night(engram, clock):
    kept = put_in(engram, *(f"Ada lives in {at}." for at in ("Lyon", "Porto", "Turku", "Brno")))
    clock.advance(days=9)
    before = logical_dump(engram)

    changes = dream_of(engram)

    now = [engram.get(each.id) for each in kept]
    assert [each.superseded_by for each in now] == [*(each.id for each in kept[1:]), None]
    for change in reversed(changes):
        engram.undo(change)
    assert logical_dump(engram) == before


def test_ruling_again_changes_nothing(engram, clock):
    put_in(engram, "Ada lives in Lyon.", "Ada lives in Porto.")
    put_in(engram, "The kiln costs 40 euros.", "The kiln costs 60 euros.", confidence=0.5)
    clock.advance(days=5)
    dream_of(engram)
    before = logical_dump(engram)

    assert dream_of(engram) == []
    assert logical_dump(engram) == before


def test_a_tie_is_challenged_on_both_sides_linked_and_undone_exactly(engram, clock):
    one, other = (put_in(engram, text)[0] for text in ("Ada lives in Lyon.", "Ada lives in Porto."))
    before = logical_dump(engram)

    report = engram.dream(steps=["contradictions"])

    assert {engram.get(each.id).status for each in (one, other)} == {Status.CHALLENGED}
    assert [link.relation for link in engram.links(one.id)] == ["contradicts"]
    assert engram.dream(steps=["contradictions"]).decisions == 0
    engram.undo(report.id)
    assert logical_dump(engram) == before


def test_what_holds_by_the_word_of_a_person_stays_byte_equal(engram, clock):
    said = engram.remember("Ada lives in Lyon.").memory
    clock.advance(days=1)
    (heard,) = put_in(engram, "Ada lives in Porto.", **AGENT)

    dream_of(engram)

    assert engram.get(said.id) == said
    assert engram.get(heard.id).status is Status.CHALLENGED


def test_saying_it_again_counts_as_later(engram, clock):
    lyon, porto = put_in(engram, "Ada lives in Lyon.", "Ada lives in Porto.")
    clock.advance(days=9)
    with engram._store.write(engram.principal.reach(), actor="person", now=clock()) as unit:
        unit.begin_change(Action.CONFIRM, Scope(), "")
        unit.confirm(lyon, Evidence(clock(), "manual", None, None, None))

    dream_of(engram)

    assert engram.get(porto.id).superseded_by == lyon.id


def test_scopes_are_not_held_against_each_other(engram, clock):
    home = Scope(project="mill")
    engram.remember("Ada lives in Lyon.")
    clock.advance(days=1)
    engram.remember("Ada lives in Porto.", scope=home)

    report = engram.dream(steps=["contradictions"])

    assert report.decisions == 0
    assert {each.scope for each in report.passes} == {"/", home.path}


def test_what_was_changed_since_is_left_to_another_night(engram, clock):
    old, _ = put_in(engram, "Ada lives in Lyon.", "Ada lives in Porto.")
    clock.advance(days=5)
    night = night_of(engram)
    planned = planned_by(engram, "contradictions", night)
    engram.verify(old.id)
    before = logical_dump(engram)

    assert carried_out(engram, planned, night) == []
    assert logical_dump(engram) == before


def test_reasons_name_labels_and_no_text(engram, clock):
    put_in(engram, "Ada lives in Lyon.", "Ada lives in Porto.")
    clock.advance(days=5)

    decision = planned_by(engram, "contradictions").decisions[0]

    assert decision.why == "mem-0001: mem-0002 says it later, and is trusted as much"
    assert decision.numbers == (1, 2)


def test_without_a_judge_nothing_is_compared_and_the_report_says_so(engram):
    put_in(engram, "Ada lives in Lyon.", "Ada lives in Porto.")

    planned = planned_by(
        engram, "contradictions", dataclasses.replace(night_of(engram), judge=None)
    )

    assert planned.decisions == ()
    assert "No reader" in planned.skipped


def test_what_was_looked_through_is_not_looked_through_again(engram, clock):
    put_in(engram, "Ada lives in Lyon.", "Ada lives in Porto.")
    clock.advance(days=5)
    mark = planned_by(engram, "contradictions").mark

    again = planned_by(engram, "contradictions", night_of(engram, mark=mark))

    assert mark == "3:2"
    assert again.decisions == ()
    assert again.mark == mark


def test_each_statement_is_ruled_on_once(engram, clock):
    put_in(engram, "Ada lives in Lyon.", "Ada lives in Porto.", "Ada lives in Turku.")
    clock.advance(days=5)

    decisions = planned_by(engram, "contradictions").decisions

    numbers = [number for each in decisions for number in each.numbers]
    assert len(numbers) == len(set(numbers))
