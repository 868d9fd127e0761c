"""The numbers of what is served to others, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """What callers from outside may take of this machine."""

    untrusted_per_minute: int = option(
        20, low=1, high=100_000, meaning="Requests a minute that a reader's key may make."
    )
    untrusted_per_session: int = option(
        200,
        low=1,
        high=10_000_000,
        meaning="Requests that a reader's key may make before half an hour of rest.",
    )
    per_minute: int = option(
        60_000, low=1, high=10_000_000, meaning="Requests a minute that any other key may make."
    )
    max_body_bytes: int = option(
        2_000_000,
        low=1_000,
        high=100_000_000,
        meaning="The largest request that is read; larger ones are refused unread.",
    )
    max_depth: int = option(
        32,
        low=2,
        high=256,
        meaning="How deep lists and objects of a request may lie in each other.",
    )
    request_seconds: float = option(
        30.0, low=0.1, high=3_600.0, meaning="How long one request may take before it is given up."
    )
    max_connections: int = option(
        256, low=1, high=10_000, meaning="Connections served at once.", at_open=True
    )
    threads: int = option(2, low=1, high=64, meaning="Requests worked on at once.", at_open=True)
    max_streams: int = option(
        64, low=0, high=10_000, meaning="Streams of events served at once, by all keys together."
    )
    streams_per_key: int = option(
        8, low=0, high=10_000, meaning="Streams of events that one key may hold open."
    )
    heartbeat_seconds: float = option(
        15.0,
        low=0.05,
        high=300.0,
        meaning="How often a stream without news says that it lives, and looks up the health.",
    )
    webhook_timeout_seconds: float = option(
        10.0, low=0.1, high=120.0, meaning="How long a webhook's receiver may take to answer."
    )
    webhook_give_up_hours: float = option(
        72.0,
        low=0.0,
        high=8_760.0,
        meaning="How long a webhook may fail before it is left alone until somebody tests it.",
    )


@dataclass(frozen=True, slots=True)
class DaemonOptions:
    """The process that works in the background."""

    start: str = option(
        "auto",
        choices=("auto", "never"),
        meaning="Whether commands that leave work behind start it, or nobody but you.",
    )
    idle_seconds: float = option(
        120.0, low=1.0, high=86_400.0, meaning="How long it stays when there is nothing to do."
    )
