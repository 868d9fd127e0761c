"""What models can take and texts take, asked of an open store."""

import pytest

from engram import Engram
from engram.errors import ConfigInvalid, InvalidInput
from engram.memory.tokens.estimate import tokens_in

HOUSE = {"models": {"house-model": {"window": 12_000, "output": 2_000, "tokenizer": "o200k"}}}


@pytest.fixture
def engram():
    with Engram.open(":memory:", settings={"embedder": {"kind": "none"}}) as opened:
        yield opened


def test_a_known_model_tells_what_it_can_take(engram):
    found = engram.model("openai/gpt-4o")

    assert (found.window, found.output, found.tokenizer) == (128_000, 16_384, "o200k")
    assert found.has_tools
    assert found.has_vision
    assert not found.has_thinking


def test_an_unknown_model_is_told_with_a_notice(engram):
    assert "not known" in engram.model("house-model").notice


def test_the_settings_tell_of_models_of_ones_own():
    with Engram.open(":memory:", settings={"embedder": {"kind": "none"}, **HOUSE}) as engram:
        found = engram.model("house-model-0326")

        assert found.is_known
        assert (found.window, found.output) == (12_000, 2_000)
        assert engram.models()[0].name == "house-model"
        assert engram.count_tokens("one two three", model="house-model").counter == "o200k"


def test_a_file_of_settings_tells_of_models(tmp_path):
    store = tmp_path / "store"
    store.mkdir(mode=0o700)
    (store / "config.toml").write_text(
        '[embedder]\nkind = "none"\n\n[models."mine:7b"]\nwindow = 9000\n', encoding="utf-8"
    )
    with Engram.open(store) as engram:
        assert engram.model("mine-7b").window == 9_000


def test_a_wrong_table_names_itself_when_the_store_is_opened():
    with pytest.raises(ConfigInvalid) as refused:
        Engram.open(":memory:", settings={"models": {"mine": {"window": 3}}})

    assert 'models."mine".window' in refused.value.hint


def test_all_known_models_are_listed_once(engram):
    names = [each.name for each in engram.models()]

    assert len(names) == len(set(names)) >= 45


def test_tokens_are_counted_exactly_where_the_tokenizer_is_known(engram):
    found = engram.count_tokens("hello world", model="gpt-4o")

    assert (found.tokens, found.counter, found.is_exact) == (2, "o200k", True)


def test_tokens_of_other_models_are_estimated_and_say_so(engram):
    found = engram.count_tokens("The ferry leaves at seven.", model="claude-opus-4.6")

    assert not found.is_exact
    assert found.counter == "claude"
    assert found.tokens >= 6


def test_without_a_model_tokens_are_counted_as_all_budgets_are(engram):
    text = "The ferry leaves at seven, and nobody is on time."

    assert engram.count_tokens(text).tokens == tokens_in(text)
    assert not engram.count_tokens(text).is_exact


def test_a_budget_of_recall_is_counted_by_the_same_estimate(engram):
    text = "The ferry to Hvar leaves at seven from the northern pier."
    engram.remember(text)
    least = tokens_in(text)

    assert len(engram.recall("When does the ferry leave?", budget=least)) == 1
    assert len(engram.recall("When does the ferry leave?", budget=least - 1)) == 0


def test_a_name_that_is_none_is_refused(engram):
    with pytest.raises(InvalidInput):
        engram.model(" ")
