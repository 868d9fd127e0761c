"""`engram models` and `engram tokens`: what fits where."""


def test_one_model_is_shown_with_its_window(ask, run):
    ask("remember", "There has to be a store.")

    document = ask("models", "openai/gpt-4o")
    picture = run("models", "gpt-4o")

    assert (document["window"], document["known_as"]) == (128_000, "gpt-4o")
    assert "128,000" in picture.out
    assert "o200k" in picture.out


def test_all_models_are_shown_without_a_name(ask, run):
    ask("remember", "There has to be a store.")

    assert len(ask("models")["models"]) >= 45
    assert "claude-opus-4.6" in run("models").out


def test_a_model_that_is_not_known_says_so(ask, run):
    ask("remember", "There has to be a store.")

    assert not ask("models", "my-own-model")["is_known"]
    assert "not known" in " ".join(run("models", "my-own-model").out.split())


def test_a_text_is_counted_for_a_model(ask, run):
    ask("remember", "There has to be a store.")

    assert ask("tokens", "hello", "world", "--model", "gpt-4o") == {
        "tokens": 2, "counter": "o200k", "is_exact": True,
    }  # fmt: skip
    assert (
        "by estimate (claude)" in run("tokens", "hello world", "-", "--model", "claude-3-opus").out
    )
