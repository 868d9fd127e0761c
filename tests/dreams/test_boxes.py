"""Traces: what was come back to in two boxes or more, told in one piece."""

from dump import logical_dump

from engram import Engram, Scope
from engram.memory.dreams.artefact import ArtefactKind
from engram.memory.scopes import Principal

PATIENT = {"capture": {"read_after_turns": 32, "read_after_minutes": 1_000}}
DAY = "2026-02-{:02}T10:00:00+00:00"
FERRY = (
    "The ferry to Hvar leaves at seven from the northern pier.",
    "The ferry to Hvar has forty seats on the northern pier.",
    "The ferry to Hvar was late at the northern pier.",
)


def talk(engram: Engram, said=FERRY, scope: Scope | None = None) -> None:
    for number, text in enumerate(said):
        engram.observe(text, session=f"s{number}", at=DAY.format(number + 1), scope=scope)
        engram.flush()


def kept(engram: Engram):
    with engram._view(None) as see:
        return see.artefacts.all(ArtefactKind.TRACE)


def test_what_is_come_back_to_becomes_a_trace_with_its_topics_and_times(open_store):
    engram = open_store(settings=PATIENT)
    talk(engram)

    engram.dream(steps=["boxes"])

    (trace,) = engram.traces()
    assert trace.boxes == trace.sessions == 3
    assert {"hvar", "ferry"} <= set(trace.topics)
    assert (trace.since.day, trace.until.day) == (1, 3)
    assert len(trace.numbers) == 3
    assert {line.text for line in trace.lines} <= set(FERRY)
    assert trace.lines


def test_what_was_talked_about_once_is_no_trace(open_store):
    engram = open_store(settings=PATIENT)
    talk(engram, FERRY[:1])

    assert engram.dream(steps=["boxes"]).decisions == 0
    assert engram.traces() == []


def test_boxes_are_left_as_they_are_and_a_second_dream_does_nothing(open_store, clock):
    engram = open_store(settings=PATIENT)
    talk(engram)
    with engram._view(None) as see:
        before = see.boxes.all(limit=10)
    engram.dream(steps=["boxes"])

    clock.advance(days=2)

    assert engram.dream(steps=["boxes"]).decisions == 0
    with engram._view(None) as see:
        assert see.boxes.all(limit=10) == before


def test_a_trace_grows_when_its_topic_comes_back(open_store):
    engram = open_store(settings=PATIENT)
    talk(engram, FERRY[:2])
    engram.dream(steps=["boxes"])
    engram.observe(FERRY[2], session="later", at=DAY.format(9))
    engram.flush()

    engram.dream(steps=["boxes"])

    (trace,) = engram.traces()
    assert (trace.boxes, trace.until.day) == (3, 9)
    assert len(kept(engram)) == 1


def test_what_is_archived_is_not_told_and_a_trace_ends_with_its_second_box(open_store):
    engram = open_store(settings=PATIENT)
    talk(engram)
    engram.dream(steps=["boxes"])
    numbers = engram.traces()[0].numbers

    for number in numbers[1:]:
        engram.forget(f"mem-{number:04}")

    (trace,) = engram.traces()
    assert trace.numbers == numbers[:1]
    assert {line.number for line in trace.lines} <= {numbers[0]}
    engram.dream(steps=["boxes"])
    assert kept(engram) == []


def test_traces_of_others_are_out_of_sight(open_store):
    engram = open_store(settings=PATIENT)
    talk(engram, scope=Scope(project="acme"))
    engram.dream(steps=["boxes"])

    assert engram.traces() == []
    assert len(engram.traces(scope=Scope(project="acme"))) == 1
    assert engram.seen_by(Principal.of(Scope(project="other"))).traces() == []


def test_undoing_the_pass_leaves_what_was_before(open_store):
    engram = open_store(settings=PATIENT)
    talk(engram)
    before = logical_dump(engram)
    report = engram.dream(steps=["boxes"])
    assert logical_dump(engram) != before

    engram.undo(f"{report.id}:boxes")

    assert logical_dump(engram) == before
