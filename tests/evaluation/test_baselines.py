"""The baselines are what they are called: bare BM25, bare vectors, and the fusion of the two."""

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from engram.evaluation.baselines import BM25, FUSED, MINILM, Baselines, any_word, fuse, word_search
from engram.evaluation.conversations import Turn
from engram.memory.tokens.estimate import tokens_in
from evaluation.material import TURNS, WordVectors

turns = [
    Turn(name, session, datetime.fromisoformat(at), speaker, role, text)
    for name, session, at, speaker, role, text in TURNS
]
SEARCH = word_search(turns)


def test_a_rare_word_finds_its_turn_by_its_stem():
    assert SEARCH("Who was repairing a violin?")[0][0] == "t2"


def test_function_words_find_nothing_beside_content_words():
    assert any_word("When does the ferry leave?") == '"ferry" OR "leave"'
    assert any_word("who are you") == '"who" OR "are" OR "you"'
    assert any_word("?!") == ""


@given(st.text(max_size=60))
def test_any_text_can_be_asked(question):
    found = SEARCH(question)

    assert len(set(found)) == len(found) <= len(turns)


def test_all_three_answer_with_scores_and_tokens():
    found = Baselines(turns, WordVectors()).ask("When does the ferry leave?")

    assert list(found) == [BM25, MINILM, FUSED]
    for each in found.values():
        assert {"t5", "t6"} <= set(each.turns[:3])
        assert len(each.tokens) == len(each.hits)
        assert each.confidence > 0
        assert each.milliseconds > 0
    assert found[BM25].tokens[0] == tokens_in(_text(found[BM25].turns[0]))


def _text(turn_id: str) -> str:
    return next(turn.text for turn in turns if turn.id == turn_id)


def test_without_an_embedder_only_words_are_searched():
    assert list(Baselines(turns, None).ask("ferry")) == [BM25]


def test_fusion_adds_one_over_sixty_plus_the_rank():
    fused = dict(fuse([("a", 9.0), ("b", 1.0)], [("b", 0.2)]))

    assert fused == {"b": 1 / 62 + 1 / 61, "a": 1 / 61}


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=3))
def test_fusion_keeps_every_turn_once_and_in_order(rankings):
    fused = fuse(*[[(turn, 1.0) for turn in ranking] for ranking in rankings])

    assert sorted(turn for turn, _ in fused) == sorted({t for each in rankings for t in each})
    assert [score for _, score in fused] == sorted((s for _, s in fused), reverse=True)
