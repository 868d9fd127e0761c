"""Who is given what: nobody sees beyond its reach, and what lies there moves no score."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import Engram
from engram.errors import MemoryNotFound
from engram.memory.scopes import Principal, Scope
from recall.stores import HASHING, WORDS_ONLY, store_of, texts

WORDS = ("zebra", "lion", "tea", "boat", "Lyon", "garden", "now", "3", "Kate", "42", "likes")
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
SCOPES = (Scope(), Scope(project="a"), Scope(project="b"), Scope(project="a", agent="x"))
STORES = st.lists(st.tuples(SENTENCES, st.sampled_from(SCOPES)), min_size=1, max_size=14)


@settings(max_examples=40)
@given(STORES, QUESTIONS, st.sampled_from(SCOPES))
def test_no_caller_is_given_what_lies_outside_its_reach(said, question, scope):
    with store_of((), settings=HASHING) as engram:
        for number, (text, where) in enumerate(said):
            engram.remember(f"{text} {number}", scope=where, session="talk", speaker="Kate")
        engram.settle()

        hits = engram.recall(question, scope=scope, limit=50)

        assert {hit.memory.scope.path for hit in hits} <= {each.path for each in scope.chain()}


@settings(max_examples=30)
@given(STORES, STORES, QUESTIONS)
def test_what_others_hold_moves_no_score(mine, theirs, question):
    me, them = Scope(project="mine"), Scope(project="theirs")
    with (
        store_of((), settings=HASHING) as alone,
        store_of((), settings=HASHING) as among,
    ):
        for number, (text, _) in enumerate(mine):
            kept = {"scope": me, "session": ["one", "two", None][number % 3], "speaker": "Kate"}
            alone.remember(f"{text} {number}", **kept)
            among.remember(f"{text} {number}", **kept)
            for foreign, _ in theirs[number : number + 2]:
                among.remember(f"{foreign} {number} Hi Sparky", scope=them, session="one",
                               speaker="Sparky")  # fmt: skip
        for foreign, _ in theirs:
            among.remember(f"{foreign} Always, and in October", scope=them)
        alone.settle()
        among.settle()

        expected, found = alone.recall(question, scope=me), among.recall(question, scope=me)

        assert [hit.memory.content for hit in found] == [hit.memory.content for hit in expected]
        assert [hit.score for hit in found] == pytest.approx(
            [hit.score for hit in expected], rel=1e-9
        )
        assert [hit.probability for hit in found] == pytest.approx(
            [hit.probability for hit in expected], rel=1e-9
        )
        assert found.confidence == pytest.approx(expected.confidence, rel=1e-9)
        assert found.quality.candidates == expected.quality.candidates


CALLERS = {
    "agent": Principal.of(Scope(project="a", agent="x")),
    "other agent": Principal.of(Scope(project="a", agent="y")),
    "person": Principal.of(Scope(project="b")),
    "orchestrator": Principal.orchestrator(Scope(project="a")),
    "channel user": Principal.of(Scope(project="a", channel="c", user="u")),
    "nobody": Principal.anonymous(),
}


@settings(max_examples=25)
@given(STORES, QUESTIONS, st.sampled_from([HASHING, WORDS_ONLY]))
def test_each_caller_is_given_exactly_what_it_may_see(said, question, chosen):
    with store_of((), settings=chosen) as owner:
        for number, (text, where) in enumerate(said):
            owner.remember(f"{text} {question} {number}", scope=where)
        owner.settle()
        for name, principal in CALLERS.items():
            caller = Engram(owner._parts, principal)
            hits = caller.recall(question, limit=50)

            seen = {each.path for each in (Scope(), *SCOPES) if _may_see(principal, each)}
            expected = {number for number, (_, where) in enumerate(said, 1) if where.path in seen}
            assert {hit.memory.number for hit in hits} == expected, name


def _may_see(principal: Principal, scope: Scope) -> bool:
    if principal.scope is None:
        return False
    is_below = principal.scope.contains(scope) and principal.looks_down
    return scope.contains(principal.scope) or is_below


def test_links_lead_nobody_out_of_its_reach(open_store):
    owner = open_store(settings=HASHING)
    inside, outside = Scope(project="a"), Scope(project="b")
    first = owner.remember("The boiler knocks.", scope=inside).memory.id
    hidden = owner.remember("Ring Mr Ode.", scope=outside).memory.id
    owner.settle()

    with pytest.raises(MemoryNotFound):
        owner.relate(first, hidden, "related", scope=inside)

    assert texts(owner, "boiler", scope=inside) == ["The boiler knocks."]


def test_why_does_not_tell_a_foreign_memory_from_none(open_store):
    owner = open_store(settings=WORDS_ONLY)
    hidden = owner.remember("A zebra.", scope=Scope(project="b")).memory
    stranger = open_store(
        settings=WORDS_ONLY, principal=Principal.of(Scope(project="a", agent="x"))
    )

    for memory_id in (hidden.id, hidden.label, "mem-0099"):
        with pytest.raises(MemoryNotFound):
            stranger.why("zebra", memory_id)
