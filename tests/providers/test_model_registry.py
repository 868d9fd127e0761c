"""What models can take, however they are spelt."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import InvalidInput
from engram.memory.tokens.families import FAMILIES
from engram.providers.model_overrides import ModelOverride, checked_overrides
from engram.providers.model_registry import (
    SAFE_OUTPUT,
    SAFE_WINDOW,
    known_models,
    limits_of,
    normalised_name,
    registry_date,
)


def test_every_model_of_the_registry_is_found_under_its_own_name():
    assert len(known_models()) >= 45
    for model in known_models():
        assert limits_of(model.name) == model
        assert 0 < model.output <= model.window
        assert model.tokenizer in FAMILIES
        assert model.is_known
        assert not model.notice


def test_no_two_models_of_the_registry_are_spelt_alike():
    names = [normalised_name(model.name) for model in known_models()]

    assert len(set(names)) == len(names)


def test_the_registry_says_of_which_day_it_is():
    year, month, day = registry_date().split("-")

    assert len(year) == 4
    assert len(month) == len(day) == 2


@pytest.mark.parametrize(
    ("spelt", "known_as"),
    [
        ("GPT-4o", "gpt-4o"),
        ("openai/gpt-4o-2024-11-20", "gpt-4o"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
        ("azure/gpt-4o-mini", "gpt-4o-mini"),
        ("ft:gpt-4o-mini-2024-07-18:acme::8Qx2", "gpt-4o-mini"),
        ("gpt-4-0613", "gpt-4"),
        ("gpt-4-1106-preview", "gpt-4-1106"),
        ("gpt_4.1_nano", "gpt-4.1-nano"),
        ("gpt-3.5-turbo-0125", "gpt-3.5-turbo"),
        ("o1-2024-12-17", "o1"),
        ("o3-mini-high", "o3-mini"),
        ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3.5-sonnet"),
        ("anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku"),
        ("anthropic/claude-3.5-sonnet", "claude-3.5-sonnet"),
        ("claude-3-5-sonnet@20240620", "claude-3.5-sonnet"),
        ("claude-3-7-sonnet-latest", "claude-3.7-sonnet"),
        ("claude-opus-4-6-20260115", "claude-opus-4.6"),
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
        ("models/gemini-1.5-pro-002", "gemini-1.5-pro"),
        ("gemini/gemini-2.5-flash-preview-05-20", "gemini-2.5-flash"),
        ("gemini-3.1-pro-preview", "gemini-3.1-pro"),
        ("llama3.1:8b", "llama-3.1"),
        ("llama3:latest", "llama-3"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "llama-3.1"),
        ("accounts/fireworks/models/llama-v3p3-70b-instruct", "llama-3.3"),
        ("meta.llama3-1-70b-instruct-v1:0", "llama-3.1"),
        ("Qwen/Qwen2.5-Coder-7B", "qwen-2.5-coder"),
        ("mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b"),
        ("command-r-08-2024", "command-r"),
        ("deepseek-r1:32b", "deepseek-r1"),
        ("grok-2-1212", "grok-2"),
        ("phi4:14b", "phi-4"),
    ],
)
def test_a_model_is_found_however_a_host_spells_it(spelt, known_as):
    found = limits_of(spelt)

    assert found.known_as == known_as
    assert found.name == spelt
    assert found.window == limits_of(known_as).window


@pytest.mark.parametrize(
    "spelt",
    [
        "gpt-45", "gpt-4.9", "gpt-5.9-pro", "o11", "claude-sonnet-4-9", "llama-3.9", "gpt",
        "my-gpt-4o", "ollama", "something-else", "4o", "🦙", "gpt-4x",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_known_model_gets_little_room_and_says_so(spelt):
    found = limits_of(spelt)

    assert (found.window, found.output) == (SAFE_WINDOW, SAFE_OUTPUT)
    assert not found.is_known
    assert "not known" in found.notice
    assert "[models]" in found.notice


@given(st.text(max_size=210))
@settings(max_examples=60)
def test_any_name_is_answered_or_refused_as_bad_input(name):
    try:
        found = limits_of(name)
    except InvalidInput:
        assert not name.strip() or len(name) > 200
    else:
        assert 0 < found.output <= found.window


def test_what_the_user_says_goes_first_and_the_rest_stays_as_known():
    said = checked_overrides({"gpt-4o": {"window": 64_000, "vision": False}})

    found = limits_of("openai/gpt-4o-2024-08-06", said)

    assert (found.window, found.output) == (64_000, 16_384)
    assert not found.has_vision
    assert found.has_tools
    assert limits_of("gpt-4o-mini", said).window == 64_000  # the longest name that is told of
    assert limits_of("gpt-4", said).window == 8_192


def test_the_nearer_of_two_things_said_counts():
    said = {"house": ModelOverride(window=8_000), "house-large": ModelOverride(window=90_000)}

    assert limits_of("house-large-0325", said).window == 90_000
    assert limits_of("house-small", said).window == 8_000


def test_a_model_of_the_users_own_is_known_once_its_window_is_told():
    said = {"House/Model_7": ModelOverride(window=16_000, tokenizer="o200k")}

    found = limits_of("house/model-7", said)

    assert found.is_known
    assert not found.notice
    assert (found.window, found.output, found.tokenizer) == (16_000, 4_096, "o200k")
    half = limits_of("mine", {"mine": ModelOverride(output=100)})
    assert (half.is_known, half.output) == (False, 100)


def test_an_answer_is_never_longer_than_the_window():
    assert limits_of("gpt-5", {"gpt-5": ModelOverride(window=1_000)}).output == 1_000


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"window": 511},
        {"window": "many"},
        {"window": True},
        {"window": 10**9},
        {"output": 0},
        {"window": 1_000, "output": 1_001},
        {"tokenizer": "mine"},
        {"tokenizer": ["o200k"]},
        {"tools": "yes"},
        {"colour": "blue"},
        "gpt-4o",
    ],
)
def test_what_cannot_be_is_refused(table):
    with pytest.raises(InvalidInput) as refused:
        checked_overrides({"mine": table})

    assert "mine" in refused.value.hint


def test_a_model_must_have_a_name():
    for name in ("", "   ", "x" * 201):
        with pytest.raises(InvalidInput):
            limits_of(name)
    with pytest.raises(InvalidInput):
        checked_overrides({" ": {"window": 1_000}})
