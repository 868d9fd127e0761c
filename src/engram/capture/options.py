"""The numbers of capture, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option


@dataclass(frozen=True, slots=True)
class CaptureOptions:
    """What may come in and how it is rated."""

    max_content_bytes: int = option(
        8_192, low=256, high=65_536, meaning="Longest text of one memory; longer input is split."
    )
    max_input_bytes: int = option(
        262_144,
        low=1_024,
        high=16_777_216,
        meaning="Longest text of one statement that is handed in; a turn may be longer.",
    )
    max_events: int = option(
        10_000, low=1, high=1_000_000, meaning="Most events one episode may hold."
    )
    default_importance: float = option(
        0.5, low=0.0, high=1.0, meaning="Base importance of a memory when the caller gives none."
    )
    default_category: str = option(
        "general", meaning="Category of a memory when the caller gives none."
    )
    read_after_turns: int = option(
        6, low=1, high=32, meaning="Turns of a session that wait before they are read together."
    )
    read_after_minutes: float = option(
        5.0, low=0.0, high=1_440.0, meaning="Longest time a turn waits to be read."
    )
    secrets: str = option(
        "refuse",
        choices=("refuse", "mask", "seal"),
        meaning="What becomes of a statement with a password, key or token: `refuse` keeps "
        "nothing, `mask` keeps the rest, `seal` keeps it in an encrypted store and refuses it in "
        "any other. In turns secrets are masked unless they are sealed.",
    )
    reconcile: bool = option(
        True,
        meaning="Let a newer statement of what has one value at a time take the older one's place.",
    )
    hold_curated: bool = option(
        True, meaning="Hold risk-tier-3 memories that no person stated until one approves them."
    )
