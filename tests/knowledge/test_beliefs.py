"""What is believed at any moment, and how it came to be: told, withdrawn, replayed."""

from datetime import timedelta

import pytest
from clock import START, FakeClock
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import Engram, Scope
from engram.errors import InvalidInput
from engram.memory.knowledge.epistemic import Reported
from engram.memory.knowledge.reconcile import Contested, Held, Retracted, Unknown
from engram.memory.knowledge.story import RevisionKind, story
from engram.memory.vocabulary import Status

HOUR = timedelta(hours=1)
K = RevisionKind


def test_nothing_said_is_unknown(engram):
    assert engram.knowledge.belief("Ada", "works_for") == Unknown()
    assert engram.knowledge.history("Ada", "works_for") == []


def test_a_retraction_explains_itself_and_can_be_undone(engram, clock):
    learned = engram.knowledge.learn("Ada", "works_for", "Acme")
    clock.advance(days=1)
    memory = engram.knowledge.retract(learned.belief.id, "She never did.")

    state = engram.knowledge.belief("Ada", "works_for")

    assert memory.status is Status.INVALIDATED
    assert isinstance(state, Retracted)
    assert (state.belief.object, state.reason, state.at) == ("Acme", "She never did.", clock())
    yesterday = engram.knowledge.belief("Ada", "works_for", known_at=clock() - timedelta(hours=5))
    assert isinstance(yesterday, Held)
    engram.undo(memory.change_id)
    assert isinstance(engram.knowledge.belief("Ada", "works_for"), Held)


def test_what_stands_again_by_an_undo_was_restored_and_not_taken_back(engram, clock):
    learned = engram.knowledge.learn("Ada", "works_for", "Acme")
    clock.advance(days=1)
    engram.undo(engram.knowledge.retract(learned.belief.id, "She never did.").change_id)

    told = engram.knowledge.history("Ada", "works_for")

    assert [each.kind for each in told] == [K.ADDITION, K.RETRACTION, K.RESTORATION]
    assert "restored: Ada works for Acme." in story(told)
    clock.advance(days=1)
    engram.undo(learned.change_id)
    assert engram.knowledge.history("Ada", "works_for")[-1].kind is K.UNDOING


def test_a_relation_that_nobody_uses_is_refused_with_those_there_are(engram):
    known = engram.knowledge
    known.learn("Ada", "uses", "Zed")
    known.learn("Robin", "adores", "Kim", custom=True)

    for ask in (
        lambda relation: known.belief("Ada", relation),
        lambda relation: known.history("Ada", relation),
        lambda relation: known.neighbours("Ada", relation=relation),
        lambda relation: known.path("Ada").follow("uses").follow(relation).find(),
    ):
        with pytest.raises(InvalidInput, match=r"`ownz` is no known relation.*owns"):
            ask("ownz")
        assert ask("adores") in ([], Unknown())  # somebody's own, which says nothing of her
    assert known.neighbours("Robin", relation="adores")[0].node.title == "Kim"


def test_a_relation_out_of_sight_counts_as_used_by_nobody(open_store):
    open_store(scope=Scope(agent="coder")).knowledge.learn("Ada", "adores", "Kim", custom=True)

    with pytest.raises(InvalidInput):
        open_store(scope=Scope(agent="tester")).knowledge.belief("Ada", "adores")


def test_what_is_retracted_did_not_hold_in_the_past_either(engram, clock):
    learned = engram.knowledge.learn("Ada", "works_for", "Acme")
    said = clock()
    clock.advance(days=1)
    engram.knowledge.retract(learned.belief.id, "wrong")

    assert not isinstance(engram.knowledge.belief("Ada", "works_for", as_of=said), Held)


def test_after_a_retraction_the_same_may_be_learnt_anew(engram):
    first = engram.knowledge.learn("Ada", "works_for", "Acme")
    engram.knowledge.retract(first.belief.id, "wrong")
    again = engram.knowledge.learn("Ada", "works_for", "Acme")

    assert (again.kind, again.belief.id == first.belief.id) == ("learned", False)
    assert engram.knowledge.belief("Ada", "works_for").belief.id == again.belief.id


def test_the_history_reads_as_a_story(engram, clock):
    learn = engram.knowledge.learn
    learn("Ada", "works_for", "Acme")
    clock.advance(days=1)
    learn("Ada", "works_for", "Acme")
    clock.advance(days=1)
    learn("Ada", "works_for", "Initech")
    clock.advance(days=1)
    learn("Ada", "works_for", "Globex", epistemic=Reported("Robin", 0.4), confidence=0.9)
    clock.advance(days=1)
    now = engram.knowledge.belief("Ada", "works_for")
    engram.knowledge.retract(now.positions[0].id, "she left")

    told = engram.knowledge.history("Ada", "works_for")

    assert [(each.kind, each.object) for each in told] == [
        (K.ADDITION, "Acme"), (K.REINFORCEMENT, "Acme"), (K.CORRECTION, "Initech"),
        (K.CONTEST, "Globex"), (K.RETRACTION, now.positions[0].object),
    ]  # fmt: skip
    lines = story(told).splitlines()
    assert lines[0].startswith("2026-03-01 09:00  learnt: Ada works for Acme.  by person:/")
    assert lines[-1].endswith("(she left)")
    assert len(lines) == 5


def test_the_history_tells_of_what_was_undone_forgotten_and_settled(engram, clock):
    learn = engram.knowledge.learn
    gone = learn("Ada", "works_for", "Acme")
    clock.advance(days=1)
    engram.undo(gone.change_id)
    clock.advance(days=1)
    kept = learn("Ada", "works_for", "Initech")
    clock.advance(days=1)
    engram.set_status(kept.belief.id, "challenged", reason="is that so?")
    clock.advance(days=1)
    engram.verify(kept.belief.id, reason="it is")
    clock.advance(days=1)
    engram.forget(kept.belief.id, reason="no matter")

    told = [each.kind for each in engram.knowledge.history("Ada", "works_for")]

    assert told == [
        K.ADDITION, K.UNDOING, K.ADDITION, K.CONTEST, K.REINFORCEMENT, K.RETRACTION,
    ]  # fmt: skip


def test_a_question_from_the_other_end_finds_all_of_them(engram):
    engram.knowledge.learn("Ada", "works_for", "Acme")
    engram.knowledge.learn("Robin", "works_for", "Acme")

    state = engram.knowledge.belief("Acme", "employs")

    assert {each.source.label for each in state.beliefs} == {"Ada", "Robin"}


def test_reads_are_in_the_audit(engram):
    engram.knowledge.learn("Ada", "works_for", "Acme")
    engram.knowledge.belief("Ada", "works_for")
    engram.knowledge.history("Ada", "works_for")

    actions = [each.action for each in engram.audit(limit=20)]

    assert actions.count("get") == 1
    assert actions.count("history") == 1
    assert actions.count("learn_fact") == 1


# Any past instant, against a naive replay

CITIES = ("Lyon", "Porto", "Turin")
_operations = st.lists(
    st.one_of(
        st.tuples(st.just("learn"), st.sampled_from(CITIES)),
        st.tuples(st.just("retract"), st.just("")),
        st.tuples(st.just("undo"), st.just("")),
    ),
    min_size=1,
    max_size=9,
)


class _Replay:
    """What ought to be believed: a plain list of spells, copied after every operation.

    A spell is [city, from when, until when, whether it was withdrawn, when it was said]. One that
    does not say from when on speaks of the time before it was said only where no other does.
    """

    def __init__(self):
        self.spells = []
        self.snapshots = []

    def keep(self, moment):
        self.snapshots.append((moment, [list(spell) for spell in self.spells]))

    def learn(self, city, moment):
        current = self._current()
        if current is not None and current[0] == city:
            return
        begins = None
        if current is not None:
            current[2] = moment
            begins = moment
        self.spells.append([city, begins, None, False, moment])

    def retract(self):
        current = self._current()
        if current is not None:
            current[3] = True

    def _current(self):
        found = [spell for spell in self.spells if spell[2] is None and not spell[3]]
        return found[-1] if found else None

    def believed(self, as_of, known_at):
        known = [spells for moment, spells in self.snapshots if moment <= known_at]
        if not known:
            return set()
        holding = [
            (city, begins or said)
            for city, begins, ends, is_gone, said in known[-1]
            if not is_gone
            and (begins is None or begins <= as_of)
            and (ends is None or as_of < ends)
        ]
        begun = {city for city, start in holding if start <= as_of}
        return begun or {city for city, _ in holding}


@settings(max_examples=25)
@given(_operations, st.data())
def test_any_past_instant_gives_exactly_what_was_believed_then(operations, data):
    clock, replay = FakeClock(), _Replay()
    with Engram.open(":memory:", clock=clock) as engram:
        past = [list(replay.spells)]
        for name, city in operations:
            clock.advance(hours=1)
            _perform(engram, replay, name, city, clock(), past)
            replay.keep(clock())
        count = len(operations)
        for _ in range(6):
            as_of = START + data.draw(st.integers(1, 2 * count + 1)) * HOUR / 2
            known_at = START + data.draw(st.integers(1, 2 * count + 1)) * HOUR / 2
            state = engram.knowledge.belief("Ada", "located_in", as_of=as_of, known_at=known_at)

            assert _targets(state) == replay.believed(as_of, known_at)


def _perform(engram, replay, name, city, now, past):
    if name == "learn":
        past.append([list(spell) for spell in replay.spells])
        engram.knowledge.learn("Ada", "located_in", city)
        replay.learn(city, now)
    elif name == "retract":
        state = engram.knowledge.belief("Ada", "located_in")
        if isinstance(state, Held):
            past.append([list(spell) for spell in replay.spells])
            engram.knowledge.retract(state.belief.id, "wrong")
            replay.retract()
    elif len(past) > 1:
        last = next(
            each.change_id
            for each in engram.audit(limit=1000)
            if each.action in ("learn_fact", "retract") and not _is_undone(engram, each.change_id)
        )
        engram.undo(last)
        replay.spells = past.pop()


def _is_undone(engram, change_id):
    with engram._view(None) as see:
        return see.change(change_id).change.undone_by is not None


def _targets(state):
    match state:
        case Held(beliefs):
            return {each.object for each in beliefs}
        case Contested(positions):
            return {each.object for each in positions}
        case _:
            return set()
