"""`engram models` and `engram tokens`: what fits where."""

import shutil

import pytest


@pytest.fixture(autouse=True)
def _no_store_is_needed(store):
    shutil.rmtree(store)


def test_one_model_is_shown_with_its_window(ask, run):
    document = ask("models", "openai/gpt-4o")
    picture = run("models", "gpt-4o")

    assert (document["window"], document["known_as"]) == (128_000, "gpt-4o")
    assert document["matching"] == []
    assert "128,000" in picture.out
    assert "o200k" in picture.out


def test_all_models_are_shown_without_a_name(ask, run):
    assert len(ask("models")["models"]) >= 45
    assert "claude-opus-4.6" in run("models").out


def test_a_model_that_is_not_known_says_so(ask, run):
    for name in ("my-own-model", "gpt-4.9", "..."):
        document = ask("models", name)
        assert (document["is_known"], document["matching"]) == (False, [])
    assert "not known" in " ".join(run("models", "my-own-model").out.split())


def test_a_part_of_a_name_shows_the_models_that_have_it(ask, run):
    document = ask("models", "Claude opus")
    shown = run("models", "Claude opus", COLUMNS="120").out

    names = [each["name"] for each in document["matching"]]
    assert not document["is_known"]
    assert "claude-opus-4.6" in names
    assert all("opus" in name for name in names)
    assert all(name in shown for name in names)
    assert "not known" not in shown
    assert "No model has just this name" in shown


def test_a_text_is_counted_for_a_model(ask, run):
    assert ask("tokens", "hello", "world", "--model", "gpt-4o") == {
        "tokens": 2, "counter": "o200k", "is_exact": True,
    }  # fmt: skip
    assert (
        "by estimate (claude)" in run("tokens", "hello world", "-", "--model", "claude-3-opus").out
    )


def test_what_the_settings_say_of_a_model_counts(store, ask):
    store.mkdir()
    (store / "config.toml").write_text('[models."my-own-model"]\nwindow = 9000\n')

    assert ask("models", "my-own-model")["window"] == 9_000
    assert ask("models")["models"][0]["name"] == "my-own-model"
    assert [each.name for each in store.iterdir()] == ["config.toml"]


def test_neither_makes_a_store(store, run):
    assert run("models").code == run("tokens", "hello").code == 0
    assert not store.exists()
