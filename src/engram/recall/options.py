"""The numbers of recall, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """How much is looked at and given back."""

    limit: int = option(
        10, low=1, high=1_000, meaning="Hits returned when the caller names no limit and no budget."
    )
    candidates: int = option(
        50,
        low=1,
        high=5_000,
        meaning="Memories gathered before ranking; raised to the limit asked for.",
    )
    timeout_seconds: float = option(
        5.0, low=0.05, high=600.0, meaning="A search that takes longer is given up with an error."
    )
    max_query_bytes: int = option(
        16_384, low=256, high=1_048_576, meaning="Longest question that is read."
    )
    coverage_weight: float = option(
        0.5,
        low=0.0,
        high=1.0,
        meaning="How much the share of the question's terms found counts against their rarity.",
    )
    trust_weight: float = option(
        0.15,
        low=0.0,
        high=0.5,
        meaning="How much less a hit counts whose source is not trusted.",
    )
