"""The numbers of working memory, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option


@dataclass(frozen=True, slots=True)
class WorkingOptions:
    """How much is in mind at once, how it fades, and what becomes of it."""

    slots: int = option(7, low=5, high=9, meaning="Things that are in mind at once: 7±2.")
    capacity_tokens: int = option(
        8_000, low=100, high=1_000_000, meaning="Tokens that all of it may take together."
    )
    decay_per_hour: float = option(
        0.05, low=0.0, high=10.0, meaning="How fast activation fades: by e^(-rate × hours)."
    )
    eviction_threshold: float = option(
        0.1, low=0.0, high=0.9, meaning="Activation below which something is let go."
    )
    promote_above: float = option(
        0.3,
        low=0.0,
        high=1.0,
        meaning="Activation above which what is let go is kept as a memory.",
    )
    compression: str = option(
        "hierarchical",
        choices=("evict", "compress", "summarise", "hierarchical"),
        meaning="What makes room: `evict` lets the weakest go, `compress` shortens it, `summarise` "
        "makes one of several weak ones, `hierarchical` shortens each as far as it has faded.",
    )
    compress_ratio: float = option(
        0.5, low=0.1, high=0.9, meaning="Share of its tokens that a compressed one may still take."
    )
    batch_size: int = option(
        3, low=2, high=9, meaning="How many of the weakest are summarised in one go."
    )
    batch_tokens: int = option(
        200, low=20, high=10_000, meaning="Tokens that such a summary may take."
    )
    sensory_turns: int = option(
        20, low=1, high=200, meaning="Turns that are heard word for word; never on disk."
    )
    sensory_seconds: float = option(
        30.0,
        low=1.0,
        high=3_600.0,
        meaning="Seconds after which a turn that was heard comes to mind by its key fact.",
    )
    morning_items: int = option(
        5, low=0, high=9, meaning="Memories that a session without a past starts with."
    )
    live_sessions: int = option(
        64, low=1, high=10_000, meaning="Sessions in mind at once in one process."
    )
    idle_minutes: float = option(
        30.0,
        low=0.1,
        high=10_080.0,
        meaning="Minutes without a call after which a session is suspended.",
    )
