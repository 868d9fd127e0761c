"""The numbers of the language model, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option

MODEL_KINDS = ("none", "openai", "anthropic")


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which language model reads conversations, and what it may take and cost."""

    kind: str = option(
        "none",
        choices=MODEL_KINDS,
        at_open=True,
        meaning="`none` reads by rules alone, `openai` asks any OpenAI-compatible server (Ollama, "
        "vLLM, llama.cpp, OpenAI), `anthropic` asks Anthropic's.",
    )
    url: str = option(
        "",
        at_open=True,
        meaning="Where that server answers; empty stands for Ollama on this machine "
        "(`openai`) or https://api.anthropic.com (`anthropic`).",
    )
    model: str = option("", at_open=True, meaning="The model that server is asked for.")
    allow_plain_http: bool = option(
        False,
        at_open=True,
        meaning="Send conversations unencrypted to another machine. This machine needs no leave.",
    )
    timeout_seconds: float = option(
        60.0,
        low=0.1,
        high=3_600.0,
        at_open=True,
        meaning="How long one answer may take, tries included.",
    )
    retries: int = option(
        2,
        low=0,
        high=10,
        at_open=True,
        meaning="Further tries when the server is busy, broken or cannot be reached.",
    )
    pause_seconds: float = option(
        60.0,
        low=0.0,
        high=86_400.0,
        at_open=True,
        meaning="How long it is left alone after three failures in a row; rules read meanwhile.",
    )
    max_answer_tokens: int = option(
        4_096, low=256, high=65_536, meaning="Tokens that one answer may have."
    )
    max_conversation_bytes: int = option(
        24_000,
        low=1_000,
        high=1_000_000,
        meaning="What is shown of a conversation in one call; the rest goes into further calls.",
    )
    max_calls_per_day: int = option(
        1_000,
        low=0,
        high=10_000_000,
        meaning="Calls that one scope may make in a day (UTC), counted before each; 0 allows none.",
    )
    max_tokens_per_day: int = option(
        2_000_000,
        low=0,
        high=1_000_000_000_000,
        meaning="Tokens, read and written, that one scope may use in a day; 0 allows none.",
    )
    price_in: float = option(
        0.0,
        low=0.0,
        high=1_000_000.0,
        meaning="What your provider asks for a million tokens that the model reads, in your "
        "currency; Engram knows no prices.",
    )
    price_out: float = option(
        0.0,
        low=0.0,
        high=1_000_000.0,
        meaning="What your provider asks for a million tokens that the model writes.",
    )
