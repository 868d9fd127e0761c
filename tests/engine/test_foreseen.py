"""What was fetched before a question came gives the answer that the whole store would give."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram import Engram, Principal, Scope
from engram.recall.embed_question import QuestionVector
from engram.recall.foreseen import nearest_foreseen
from engram.recall.ranking import expected_near
from engram.recall.result import RecallResult

SUBJECTS = ("office", "garden", "ferry", "bicycle", "kitchen", "harbour", "library", "orchard")
DETAILS = ("opens at nine", "was painted green", "needs a new door", "belongs to Omar", "is closed")
KEPT = [f"Ada's {subject} {detail}." for subject in SUBJECTS for detail in DETAILS]
FIRST, NEXT = "When does Ada's office open?", "What colour is Ada's office?"


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of forty is searched as one of thousands is."""
    for module in ("gather", "ranking"):
        monkeypatch.setattr(f"engram.recall.{module}.EXHAUSTIVE", 5)
    monkeypatch.setattr("engram.recall.gather.PER_SEARCH", 10)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Engram]:
    with Engram.open(tmp_path / "store") as engram:
        engram.remember_many(KEPT)
        engram.settle()
        yield engram


def asked_first(engram: Engram) -> None:
    engram.recall(FIRST, session="s")
    assert engram._parts.prefetching.wait(5)


def is_foreseen(result: RecallResult) -> bool:
    return any(stage.name == "meaning" and stage.detail == "foreseen" for stage in result.trace)


def shown(result: RecallResult) -> dict[str, float]:
    return {hit.memory.content: hit.score for hit in result}


def test_what_was_fetched_gives_the_same_answer(kept):
    alone = kept.recall(NEXT)
    asked_first(kept)

    found = kept.recall(NEXT, session="s")

    assert is_foreseen(found)
    assert not is_foreseen(alone)
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


def test_what_was_remembered_meanwhile_is_found(kept):
    asked_first(kept)
    kept.remember("Ada's office was painted crimson, its colour is new.", wait=True)

    found = kept.recall(NEXT, session="s")

    assert not is_foreseen(found)
    assert "crimson" in found[0].memory.content


def test_what_was_forgotten_or_revised_meanwhile_is_not_shown(kept):
    gone, changed = (hit.memory for hit in kept.recall(NEXT, limit=2))
    asked_first(kept)
    kept.forget(gone.id)
    kept.revise(changed.id, "Ada's office smells of paint.")

    found = kept.recall(NEXT, session="s", limit=50)

    assert not is_foreseen(found)
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

    assert is_foreseen(own)
    assert any("teal" in hit.memory.content for hit in own)
    assert not is_foreseen(other)
    assert not any("teal" in hit.memory.content for hit in other)


def test_reads_alone_make_nothing_stale(kept):
    asked_first(kept)
    kept.list(limit=3)
    kept.settle()  # the reads are in the audit now

    assert is_foreseen(kept.recall(NEXT, session="s"))


def test_nothing_is_fetched_for_a_store_that_is_gone(tmp_path):
    engram = Engram.open(tmp_path / "store")
    engram.remember(KEPT[0], wait=True)
    engram.recall(FIRST, session="s")

    engram.close()

    assert engram._parts.prefetching.wait(0)
