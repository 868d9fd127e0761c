"""Feedback: kept, scoped, counted once, taken back; and what follows from it near its question."""

from datetime import timedelta

import pytest
from clock import START
from hypothesis import given
from hypothesis import strategies as st

from engine.dump import dump
from engram import Engram, Principal, Scope
from engram.errors import (
    AccessDenied,
    ChangeNotFound,
    ContentTooLarge,
    IllegalTransition,
    InvalidInput,
    MemoryNotFound,
    UndoConflict,
)
from engram.memory.feedback import (
    FADING,
    HIGHEST,
    LOWEST,
    NEAR,
    Feedback,
    accuracy_factor,
    boost,
    by_memory,
    context_factor,
    suppression,
    word_similarity,
)
from engram.memory.ids import ChangeId
from engram.memory.trust import trust_score

CODER = Scope("acme", None, "coder")
CRITIC = Scope("acme", None, "critic")


def word(
    is_helpful: bool, *, query: str | None = "q", days_ago: float = 0, actor: str = "a"
) -> Feedback:
    at = START - timedelta(days=days_ago)
    return Feedback(1, is_helpful, query, at, actor, ChangeId(f"chg-{days_ago}"))


def given_to(engram: Engram, *numbers: int, scope: Scope | None = None) -> list[Feedback]:
    with engram._view(scope) as see:
        return see.feedback_for(numbers)


# What is kept


def test_a_word_about_a_memory_is_kept_with_its_question(engram, clock):
    memory = engram.remember("The office is in Lyon.").memory

    outcome = engram.feedback(memory.id, False, query="where do I park?", reason="not asked for")

    [kept] = given_to(engram, memory.number)
    assert kept == outcome.feedback
    assert (kept.is_helpful, kept.query, kept.at) == (False, "where do I park?", clock())
    assert kept.actor == engram.principal.actor
    assert outcome.change_id == kept.change_id
    assert not outcome.is_repeat


def test_a_word_leaves_the_memory_as_it_is(engram):
    memory = engram.remember("The office is in Lyon.").memory

    engram.feedback(memory.id, True, query="where is the office?")

    assert engram.get(memory.id) == memory
    assert len(engram.history(memory.id)) == 1


def test_a_word_stands_in_the_audit_without_its_question(engram):
    memory = engram.remember("The office is in Lyon.").memory

    outcome = engram.feedback(memory.label, False, query="where do I park my zeppelin?")

    [line] = engram.audit(action="feedback")
    assert (line.memory_id, line.change_id) == (memory.id, outcome.change_id)
    assert "zeppelin" not in repr(line)
    assert "zeppelin" not in repr(outcome)
    assert engram.verify_audit().is_intact


def test_the_same_word_counts_once_a_day(engram, clock):
    memory = engram.remember("The office is in Lyon.").memory
    first = engram.feedback(memory.id, False, query="parking?")
    before = dump(engram)

    again = engram.feedback(memory.id, False, query="parking?", reason="as I said")

    assert again.is_repeat
    assert again.change_id == first.change_id
    assert dump(engram)["feedback"] == before["feedback"]
    assert dump(engram)["changes"] == before["changes"]
    clock.advance(days=1)
    assert not engram.feedback(memory.id, False, query="parking?").is_repeat
    assert len(given_to(engram, memory.number)) == 2


@pytest.mark.parametrize(
    "other", [{"query": "keys?"}, {"query": None}, {"helpful": True, "query": "parking?"}]
)
def test_another_word_is_another(engram, other):
    memory = engram.remember("The office is in Lyon.").memory
    engram.feedback(memory.id, False, query="parking?")

    helpful = other.pop("helpful", False)
    assert not engram.feedback(memory.id, helpful, **other).is_repeat

    assert len(given_to(engram, memory.number)) == 2


def test_another_caller_with_the_same_word_is_another_voice(open_store):
    owner, agent = open_store(), open_store(scope=CODER)
    memory = owner.remember("The office is in Lyon.").memory

    owner.feedback(memory.id, True, query="office?")

    assert not agent.feedback(memory.id, True, query="office?").is_repeat


@pytest.mark.parametrize(
    ("error", "act"),
    [
        (MemoryNotFound, lambda e: e.feedback("mem-0099", True)),
        (InvalidInput, lambda e: e.feedback("mem-0001", "yes")),
        (InvalidInput, lambda e: e.feedback("mem-0001", 1)),
        (InvalidInput, lambda e: e.feedback("mem-0001", True, correction="Porto.")),
        (InvalidInput, lambda e: e.feedback("mem-0001", False, query="")),
        (InvalidInput, lambda e: e.feedback("mem-0001", False, query=7)),
        (InvalidInput, lambda e: e.feedback("mem-0001", False, query="a\x00b")),
        (InvalidInput, lambda e: e.feedback("mem-0001", False, correction=" ")),
        (InvalidInput, lambda e: e.feedback("mem-0001", False, correction="The office is in Lyon")),
        (ContentTooLarge, lambda e: e.feedback("mem-0001", False, query="q" * 20_000)),
        (ContentTooLarge, lambda e: e.feedback("mem-0001", False, reason="r" * 3_000)),
        (InvalidInput, lambda e: e.feedback("mem-0001", False, scope="project=acme")),
    ],
)
def test_a_bad_word_is_refused_and_changes_nothing(engram, error, act):
    engram.remember("The office is in Lyon.")
    before = dump(engram)

    with pytest.raises(error):
        act(engram)

    assert dump(engram) == before


# Taking it back


def test_a_word_can_be_taken_back_and_given_again(engram, clock):
    memory = engram.remember("The office is in Lyon.").memory
    said = engram.feedback(memory.id, False, query="parking?")

    clock.advance(minutes=1)
    assert engram.undo(said.change_id, reason="wrong memory") == [memory]
    assert given_to(engram, memory.number) == []
    undone = engram.audit(action="undo")[0].change_id
    with pytest.raises(UndoConflict):
        engram.undo(said.change_id)
    engram.undo(undone)
    assert given_to(engram, memory.number) == [said.feedback]
    engram.undo(said.change_id)
    assert not engram.feedback(memory.id, False, query="parking?").is_repeat


def test_a_word_is_taken_back_whatever_happened_to_the_memory_since(engram):
    memory = engram.remember("The office is in Lyon.").memory
    said = engram.feedback(memory.id, True)
    engram.revise(memory.id, "The office is in Lyon, France.")
    engram.forget(memory.id)

    engram.undo(said.change_id)

    assert given_to(engram, memory.number) == []
    assert engram.get(memory.id).status == "archived"


def test_words_about_a_memory_do_not_stand_in_the_way_of_undoing_it(engram):
    made = engram.remember("The office is in Lyon.")
    engram.feedback(made.memory.id, True)

    engram.undo(made.change_id)

    assert engram.get(made.memory.id) is None


# Corrections


def test_a_correction_takes_the_old_ones_place_in_one_change(engram):
    old = engram.remember(
        "Ada's office is in Lyon.", category="relationship", subject="Ada", speaker="Grace",
        importance=0.9, pinned=True, metadata={"team": "core"}, session="s1",
    ).memory  # fmt: skip

    outcome = engram.feedback(
        old.id, False, query="Ada's office?", correction="Ada's office is in Porto.", reason="moved"
    )

    right = outcome.correction.memory
    assert outcome.correction.kind == "stored"
    assert outcome.memory == engram.get(old.id)
    assert (outcome.memory.status, outcome.memory.superseded_by) == ("superseded", right.id)
    kept = ("category", "subject", "speaker", "scope", "layer", "memory_type", "base_importance",
            "is_pinned", "metadata", "session")  # fmt: skip
    assert [getattr(right, name) for name in kept] == [getattr(old, name) for name in kept]
    assert engram.history(right.id)[0].change.reason == "moved"
    assert given_to(engram, old.number) == [outcome.feedback]
    assert outcome.feedback.change_id == outcome.correction.change_id == outcome.change_id


def test_undoing_a_correction_takes_all_of_it_back(engram):
    old = engram.remember("The office is in Lyon.").memory
    outcome = engram.feedback(old.id, False, correction="The office is in Porto.")

    engram.undo(outcome.change_id)

    assert [memory.content for memory in engram.list()] == [old.content]
    assert given_to(engram, old.number) == []
    engram.undo(engram.audit(action="undo")[0].change_id)
    assert engram.get(old.id).status == "superseded"
    assert given_to(engram, old.number) == [outcome.feedback]


def test_a_correction_sent_twice_is_made_once(engram, clock):
    old = engram.remember("The office is in Lyon.").memory
    first = engram.feedback(old.id, False, query="office?", correction="It is in Porto.")

    again = engram.feedback(old.id, False, query="office?", correction="It is in Porto.")

    assert again.is_repeat
    assert again.correction.kind == "confirmed"
    assert again.correction.memory.id == first.correction.memory.id
    assert again.change_id == first.change_id
    assert len(engram.list(status="any")) == 2
    clock.advance(days=2)
    later = engram.feedback(old.id, False, query="office?", correction="It is in Porto.")
    assert not later.is_repeat
    assert len(given_to(engram, old.number)) == 2


def test_a_correction_that_is_known_already_retires_the_wrong_one(engram):
    old = engram.remember("The office is in Lyon.").memory
    known = engram.remember("The office is in Porto.").memory

    outcome = engram.feedback(old.id, False, correction="The office is in Porto.")

    assert outcome.correction.kind == "confirmed"
    assert engram.get(old.id).superseded_by == known.id


def test_a_correction_after_the_same_word_is_still_made(engram):
    old = engram.remember("The office is in Lyon.").memory
    said = engram.feedback(old.id, False, query="office?")

    outcome = engram.feedback(old.id, False, query="office?", correction="It is in Porto.")

    assert outcome.is_repeat
    assert outcome.feedback == said.feedback
    assert engram.get(old.id).status == "superseded"
    assert outcome.change_id == outcome.correction.change_id


def test_a_correction_a_person_has_rejected_retires_nothing_but_the_word_counts(open_store):
    owner, agent = open_store(), open_store(scope=CODER)
    held = agent.remember("My name is Mallory.", category="identity").memory
    owner.reject(held.id, scope=CODER)
    old = agent.remember("My name is a secret.", category="identity").memory
    owner.approve(old.id, scope=CODER)

    outcome = owner.feedback(old.id, False, correction="My name is Mallory.", scope=CODER)

    assert outcome.correction.kind == "refused"
    assert outcome.memory.status == "active"
    assert owner.undo(outcome.change_id, scope=CODER) == [outcome.memory]
    assert given_to(owner, old.number, scope=CODER) == []


def test_what_was_replaced_by_something_else_is_not_corrected(engram):
    old = engram.remember("The office is in Lyon.").memory
    engram.remember("The office is in Porto.", replaces=old.id)
    before = dump(engram)

    with pytest.raises(IllegalTransition):
        engram.feedback(old.id, False, correction="The office is in Faro.")

    assert dump(engram) == before


@pytest.fixture
def vouched(open_store):
    """A memory in an agent's own scope that a person stands behind."""
    return open_store().remember("Deploys happen on Mondays.", scope=CODER).memory


def test_an_agents_correction_of_what_a_person_said_is_held(open_store, vouched):
    agent, owner = open_store(scope=CODER), open_store()

    outcome = agent.feedback(vouched.id, False, correction="Deploys happen on Fridays.")

    assert outcome.correction.kind == "held"
    assert vouched.label in outcome.correction.reason
    assert agent.get(vouched.id).status == "active"
    [waiting] = owner.review()
    assert waiting.content == "Deploys happen on Fridays."
    assert vouched.label in owner.history(waiting.id, scope=CODER)[0].change.reason
    assert given_to(agent, vouched.number) == [outcome.feedback]


def test_a_person_who_approves_a_held_correction_retires_the_wrong_one(open_store, vouched, clock):
    agent, owner = open_store(scope=CODER), open_store()
    held = agent.feedback(vouched.id, False, correction="Deploys happen on Fridays.").correction
    clock.advance(days=1)

    approved = owner.approve(held.memory.id, scope=CODER, reason="checked")

    wrong = owner.get(vouched.id, scope=CODER)
    assert (wrong.status, wrong.superseded_by) == ("superseded", approved.id)
    assert approved.status == "active"
    assert wrong.change_id == approved.change_id
    assert wrong.valid_until == approved.valid_from == held.memory.at
    owner.undo(approved.change_id, scope=CODER)
    again = [owner.get(each.id, scope=CODER) for each in (vouched, held.memory)]
    assert [(each.status, each.valid_from, each.valid_until) for each in again] == [
        ("active", None, None), ("pending", None, None),
    ]  # fmt: skip


def test_approving_a_correction_leaves_alone_what_was_retired_since(open_store, vouched):
    agent, owner = open_store(scope=CODER), open_store()
    held = agent.feedback(vouched.id, False, correction="Deploys happen on Fridays.").correction
    owner.forget(vouched.id, scope=CODER)

    approved = owner.approve(held.memory.id, scope=CODER)

    assert approved.valid_from is None
    assert owner.get(vouched.id, scope=CODER).status == "archived"


def test_an_agent_takes_its_held_correction_back(open_store, vouched):
    agent = open_store(scope=CODER)
    outcome = agent.feedback(vouched.id, False, correction="Deploys happen on Fridays.")

    agent.undo(outcome.change_id)

    assert open_store().review() == []
    assert given_to(agent, vouched.number) == []
    assert agent.get(vouched.id) == vouched


def test_an_agents_correction_that_is_known_retires_nothing_a_person_said(open_store, vouched):
    agent = open_store(scope=CODER)
    agent.remember("Deploys happen on Fridays.")

    outcome = agent.feedback(vouched.id, False, correction="Deploys happen on Fridays.")

    assert outcome.correction.kind == "confirmed"
    assert agent.get(vouched.id).status == "active"


def test_an_agent_corrects_what_agents_said(open_store):
    agent = open_store(scope=CODER)
    old = agent.remember("The build takes an hour.").memory

    outcome = agent.feedback(old.id, False, correction="The build takes two hours.")

    assert outcome.correction.kind == "stored"
    assert outcome.memory.status == "superseded"


def test_what_is_only_visible_from_above_is_not_corrected(open_store):
    memory = open_store().remember("The office is in Lyon.").memory

    with pytest.raises(AccessDenied):
        open_store(scope=CODER).feedback(memory.id, False, correction="The office is in Porto.")

    assert open_store().get(memory.id) == memory


# Whose word counts for whom


def test_a_word_from_below_counts_where_it_was_given(open_store):
    owner, coder, critic = open_store(), open_store(scope=CODER), open_store(scope=CRITIC)
    memory = owner.remember("The office is in Lyon.").memory

    said = coder.feedback(memory.id, False, query="parking?")

    assert given_to(coder, memory.number) == [said.feedback]
    assert given_to(critic, memory.number) == []
    assert given_to(owner, memory.number) == []
    assert given_to(owner, memory.number, scope=CODER) == [said.feedback]
    above = open_store(principal=Principal.orchestrator(Scope("acme")))
    assert given_to(above, memory.number) == [said.feedback]
    assert [line.action for line in owner.audit(action="feedback")] == []


def test_a_word_about_a_memory_out_of_sight_is_out_of_sight(open_store):
    owner, coder = open_store(), open_store(scope=CODER)
    hidden = owner.remember("Only for critics.", scope=CRITIC).memory
    owner.feedback(hidden.id, True, scope=CRITIC)

    assert given_to(coder, hidden.number) == []
    with pytest.raises(MemoryNotFound):
        coder.feedback(hidden.id, True)


def test_who_gave_a_word_takes_it_back_also_about_what_others_said(open_store):
    memory = open_store().remember("The office is in Lyon.").memory
    coder = open_store(scope=CODER)
    said = coder.feedback(memory.id, False, query="parking?")

    with pytest.raises(ChangeNotFound):
        open_store(scope=CRITIC).undo(said.change_id)
    coder.undo(said.change_id)

    assert given_to(coder, memory.number) == []


def test_an_agent_does_not_take_back_the_word_of_a_person(open_store):
    owner, coder = open_store(), open_store(scope=CODER)
    memory = coder.remember("The build takes an hour.").memory
    said = owner.feedback(memory.id, True, scope=CODER)

    with pytest.raises(AccessDenied):
        coder.undo(said.change_id)

    assert given_to(coder, memory.number) == [said.feedback]


def test_feedback_comes_for_many_memories_at_once_newest_first(engram, clock):
    memories = [engram.remember(f"Fact {index}.").memory for index in range(3)]
    for memory in memories:
        clock.advance(minutes=1)
        engram.feedback(memory.id, True)

    found = given_to(engram, *(memory.number for memory in memories), 99)

    assert [each.number for each in found] == [3, 2, 1]
    assert {number: len(each) for number, each in by_memory(found).items()} == {1: 1, 2: 1, 3: 1}
    assert given_to(engram) == []


def test_a_store_keeps_its_feedback_when_it_is_closed(open_store):
    first = open_store()
    memory = first.remember("The office is in Lyon.").memory
    said = first.feedback(memory.id, False, query="parking?")
    first.close()

    assert given_to(open_store(), memory.number) == [said.feedback]


# The rules


def alike(similarity: float):
    return lambda query: similarity


def test_a_complaint_holds_a_memory_back_near_its_question_only():
    complaint = [word(False)]

    assert suppression(complaint, alike(1.0), START) == pytest.approx(0.5)
    assert 0.5 < suppression(complaint, alike(0.85), START) < 1.0
    assert suppression(complaint, alike(NEAR), START) == 1.0
    assert suppression(complaint, alike(0.2), START) == 1.0


def test_a_complaint_fades_within_ninety_days():
    factors = [
        suppression([word(False, days_ago=age)], alike(1.0), START) for age in (0, 45, 89, 90)
    ]

    assert factors == sorted(factors)
    assert factors[0] == pytest.approx(0.5)
    assert factors[-1] == 1.0
    assert timedelta(days=90) == FADING


def test_many_complaints_hold_back_but_never_hide():
    assert suppression([word(False)] * 50, alike(1.0), START) == LOWEST


def test_a_complaint_without_a_question_holds_nothing_back():
    assert context_factor([word(False, query=None)], alike(1.0), START) == 1.0


def test_a_helpful_word_lifts_a_little_and_more_near_its_question():
    here = context_factor([word(True)], alike(1.0), START)
    elsewhere = context_factor([word(True)], alike(0.1), START)

    assert 1.0 < elsewhere < 1.03 < here <= HIGHEST
    assert context_factor([word(True)] * 50, alike(1.0), START) == pytest.approx(HIGHEST)


def test_a_helpful_word_takes_a_complaint_away():
    assert context_factor([word(False), word(True, actor="b")], alike(1.0), START) == 1.0


WORDS = st.lists(
    st.builds(
        word,
        st.booleans(),
        query=st.sampled_from([None, "q"]),
        days_ago=st.floats(-5, 400),
        actor=st.sampled_from("abc"),
    ),
    max_size=20,
)


@given(WORDS, st.floats(-1, 1))
def test_every_factor_is_bounded(words, similarity):
    assert LOWEST <= suppression(words, alike(similarity), START) <= 1.0
    assert 1.0 <= boost(words, alike(similarity), START) <= HIGHEST
    assert LOWEST <= context_factor(words, alike(similarity), START) <= HIGHEST
    assert 0.5 <= accuracy_factor(words) <= 1.0


@given(WORDS, st.floats(0, 1))
def test_one_more_complaint_never_lifts(words, similarity):
    more = [*words, word(False, actor="d")]

    near = alike(similarity)
    assert context_factor(more, near, START) <= context_factor(words, near, START) + 1e-9
    assert accuracy_factor(more) <= accuracy_factor(words)


@given(WORDS, st.randoms())
def test_the_order_of_words_does_not_matter(words, random):
    mixed = words[:]
    random.shuffle(mixed)

    near = alike(0.9)
    assert context_factor(mixed, near, START) == pytest.approx(context_factor(words, near, START))


def test_one_voice_lowers_accuracy_once_however_often_it_speaks():
    one = [word(False, query=str(index), days_ago=index) for index in range(9)]
    three = [word(False, actor=actor) for actor in "abc"]

    assert accuracy_factor(one) == pytest.approx(0.85)
    assert accuracy_factor(three) < accuracy_factor(three[:2]) < accuracy_factor(one)
    assert accuracy_factor([word(True, days_ago=0), *one[1:]]) == 1.0  # it changed its mind
    assert accuracy_factor([word(True, actor=actor) for actor in "abc"]) == 1.0


def test_doubt_lowers_the_accuracy_of_a_hit_and_nothing_else(engram, clock):
    memory = engram.remember("The office is in Lyon.").memory

    plain = trust_score(memory, 1.0, clock())
    doubted = trust_score(memory, 1.0, clock(), feedbacks=[word(False)])

    assert doubted.accuracy == pytest.approx(0.85 * plain.accuracy)
    assert (doubted.freshness, doubted.utility) == (plain.freshness, plain.utility)
    assert doubted.composite < plain.composite


@pytest.mark.parametrize(
    ("first", "second", "is_near"),
    [
        ("where is the office?", "where is the office?", True),
        ("where is Ada's office?", "Where's the office of Ada?", True),
        ("who deploys the parser?", "who deployed the parser", True),
        ("where is the office?", "when does the office open?", False),
        ("where is the office?", "which package manager do I use?", False),
        ("東京の天気", "東京の天気", True),
        ("what is it?", "what is it", True),
        ("?!", "?!", True),
        ("?!", "office", False),
        ("", "office", False),
    ],
)
def test_without_an_embedder_words_tell_how_alike_questions_are(first, second, is_near):
    similarity = word_similarity(first)(second)

    assert 0.0 <= similarity <= 1.0 + 1e-9
    assert (similarity > NEAR) is is_near
    assert word_similarity(second)(first) == pytest.approx(similarity)
