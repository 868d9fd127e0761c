"""The numbers of the embedder, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option

EMBEDDER_KINDS = ("builtin", "url", "hashing", "none")


@dataclass(frozen=True, slots=True)
class EmbedderOptions:
    """Who turns text into vectors, and how long it may take."""

    kind: str = option(
        "builtin",
        choices=EMBEDDER_KINDS,
        at_open=True,
        meaning="`builtin` is the model in the package, `url` a server of yours, `hashing` shared "
        "words only (instant, for tests), `none` leaves meaning out of recall.",
    )
    threads: int = option(
        2,
        low=1,
        high=64,
        at_open=True,
        meaning="Threads that the built-in model computes one text with.",
    )
    url: str = option(
        "http://localhost:11434/v1",
        at_open=True,
        meaning="Where an OpenAI-compatible server answers, as its `/v1`; Ollama's by default.",
    )
    model: str = option(
        "nomic-embed-text", at_open=True, meaning="The model that server is asked for."
    )
    allow_plain_http: bool = option(
        False,
        at_open=True,
        meaning="Send texts unencrypted to another machine. This machine needs no leave.",
    )
    send_protected: bool = option(
        False,
        at_open=True,
        meaning="Send the texts of sensitive and confidential memories to an embedder on another "
        "machine too. Without it they have no vectors there: confidential ones are not recalled.",
    )
    timeout_seconds: float = option(
        10.0,
        low=0.1,
        high=600.0,
        at_open=True,
        meaning="How long one request to it may take, tries included.",
    )
    batch: int = option(
        32, low=1, high=2_048, at_open=True, meaning="Texts sent to it in one request."
    )
    retries: int = option(
        2,
        low=0,
        high=10,
        at_open=True,
        meaning="Further tries when it answers that it is busy or broken.",
    )
    pause_seconds: float = option(
        30.0,
        low=0.0,
        high=3_600.0,
        at_open=True,
        meaning="How long it is left alone after three failures in a row; recall goes by text.",
    )
    max_characters: int = option(
        8_000,
        low=200,
        high=1_000_000,
        at_open=True,
        meaning="What is sent of one text at most. Another value makes another vector space.",
    )
    hashing_dimension: int = option(
        384, low=16, high=4_096, at_open=True, meaning="Dimensions of the `hashing` embedder."
    )
    precision: str = option(
        "f16",
        choices=("f16", "f32"),
        at_open=True,
        meaning="How vectors are stored: half or single precision. Another one embeds anew.",
    )
    index: str = option(
        "auto",
        choices=("auto", "flat", "bits", "ann"),
        meaning="How vectors are searched: `auto` compares up to 20,000 one by one and more by "
        "their signs first; `ann` needs the extra `ann` and may miss some.",
    )
