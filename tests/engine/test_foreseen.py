"""What was fetched before a question came gives the answer that the whole store would give."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram import Engram, Principal, Scope
from engram.context.anticipation import Tally
from engram.errors import VectorRefused
from engram.recall.embed_question import QuestionVector
from engram.recall.foreseen import better_outside, is_served, nearest_foreseen
from engram.recall.ranking import expected_near
from engram.recall.result import RecallResult

SUBJECTS = ("office", "garden", "ferry", "bicycle", "kitchen", "harbour", "library", "orchard")
DETAILS = ("opens at nine", "was painted green", "needs a new door", "belongs to Omar", "is closed")
KEPT = [f"Ada's {subject} {detail}." for subject in SUBJECTS for detail in DETAILS]
NEAREST = 10  # of forty, by each kind of search
FIRST, NEXT = "When does Ada's office open?", "What colour is Ada's office?"


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of forty is searched as one of thousands is."""
    for module in ("gather", "ranking"):
        monkeypatch.setattr(f"engram.recall.{module}.EXHAUSTIVE", 5)
    monkeypatch.setattr("engram.recall.gather.PER_SEARCH", NEAREST)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Engram]:
    with Engram.open(tmp_path / "store") as engram:
        engram.remember_many(KEPT)
        engram.settle()
        yield engram


def asked_first(engram: Engram) -> None:
    engram.recall(FIRST, session="s")
    assert engram._parts.prefetching.wait(5)


def shown(result: RecallResult) -> dict[str, float]:
    return {hit.memory.content: hit.score for hit in result}


def similarities(result: RecallResult) -> dict[str, str]:
    return {
        hit.memory.content: signal.detail
        for hit in result
        for signal in hit.why.signals
        if signal.detail.startswith("similarity")
    }


def test_what_was_fetched_gives_the_same_answer(kept):
    alone = kept.recall(NEXT)
    asked_first(kept)

    found = kept.recall(NEXT, session="s")

    assert is_served(found.trace)
    assert not is_served(alone.trace)
    assert kept.upkeep.anticipated() == Tally(asked=2, expected=1, served=1)
    assert list(shown(found)) == list(shown(alone))
    assert shown(found) == pytest.approx(shown(alone), abs=1e-6)


def test_what_may_lie_outside_of_what_was_fetched_is_searched_for_everywhere(kept, monkeypatch):
    monkeypatch.setattr("engram.recall.foreseen.FETCHED", 20)
    office, orchard = kept._parts.embedding.embedder.embed([FIRST, "Where is Omar's orchard?"])
    with kept._view(None) as see:
        space = see.derived.space_states()[0]
        expected = QuestionVector(space, office)
        fetched = expected_near(kept._question(""), see, kept._recall_parts(), expected)

    assert fetched is not None
    assert len(fetched.rows) == 20
    assert nearest_foreseen(fetched, office, 5) is not None
    assert nearest_foreseen(fetched, orchard, 5) is None
    assert better_outside(fetched, office, 1.0) < better_outside(fetched, office, 0.0)


def test_where_all_was_fetched_nothing_lies_outside(kept):
    garden = kept._parts.embedding.embedder.embed([FIRST, "Where is Omar's orchard?"])
    with kept._view(None) as see:
        expected = QuestionVector(see.derived.space_states()[0], garden[0])
        fetched = expected_near(kept._question(""), see, kept._recall_parts(), expected)

    assert fetched is not None
    assert better_outside(fetched, garden[1], -1.0) == 0.0


def test_what_words_found_is_compared_by_meaning_too(kept, monkeypatch):
    asked = "Is the harbour closed for boats?"
    found = similarities(kept.recall(asked, limit=40))
    monkeypatch.setattr("engram.recall.gather.EXHAUSTIVE", 1_000)

    every = similarities(kept.recall(asked, limit=40))

    assert len(found) > NEAREST
    assert found == {content: every[content] for content in found}


def test_a_damaged_vector_of_what_words_found_is_told_and_the_rest_is_answered(kept, monkeypatch):
    def refused(*_: object) -> None:
        raise VectorRefused(hint="A stored vector does not fit its space.")

    monkeypatch.setattr("engram.recall.gather.compared_too", refused)

    found = kept.recall("Is the harbour closed for boats?", limit=40)

    assert "harbour" in found[0].memory.content
    assert any("does not fit" in told for told in found.degraded)


def test_what_was_remembered_meanwhile_is_found(kept):
    asked_first(kept)
    kept.remember("Ada's office was painted crimson, its colour is new.", wait=True)

    found = kept.recall(NEXT, session="s")

    assert not is_served(found.trace)
    assert "crimson" in found[0].memory.content


def test_what_was_forgotten_or_revised_meanwhile_is_not_shown(kept):
    gone, changed = (hit.memory for hit in kept.recall(NEXT, limit=2))
    asked_first(kept)
    kept.forget(gone.id)
    kept.revise(changed.id, "Ada's office smells of paint.")

    found = kept.recall(NEXT, session="s", limit=50)

    assert not is_served(found.trace)
    assert not {gone.content, changed.content} & {hit.memory.content for hit in found}


def test_a_filter_or_a_past_moment_is_never_answered_from_it(kept):
    for conditions in ({"filters": {"pinned": True}}, {"known_at": "2020-01-01T00:00:00+00:00"}):
        asked_first(kept)

        assert kept.recall(NEXT, session="s", **conditions).hits == ()


def test_another_caller_is_not_served_what_was_fetched_for_one(kept):
    kept.remember("Ada's office colour is secretly teal.", scope=Scope(agent="ada"), wait=True)
    ada = Engram(kept._parts, Principal.of(Scope(agent="ada")))
    omar = Engram(kept._parts, Principal.of(Scope(agent="omar")))
    asked_first(ada)

    other = omar.recall(NEXT, session="s")
    own = ada.recall(NEXT, session="s")

    assert is_served(own.trace)
    assert any("teal" in hit.memory.content for hit in own)
    assert not is_served(other.trace)
    assert not any("teal" in hit.memory.content for hit in other)


def test_reads_alone_make_nothing_stale(kept):
    asked_first(kept)
    kept.list(limit=3)
    kept.settle()  # the reads are in the audit now

    assert is_served(kept.recall(NEXT, session="s").trace)


def test_nothing_is_fetched_for_a_store_that_is_gone(tmp_path):
    engram = Engram.open(tmp_path / "store")
    engram.remember(KEPT[0], wait=True)
    engram.recall(FIRST, session="s")

    engram.close()

    assert engram._parts.prefetching.wait(0)
