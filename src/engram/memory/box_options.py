"""The numbers of boxes, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option


@dataclass(frozen=True, slots=True)
class BoxOptions:
    """When a box is sealed, and when two belong to one trace."""

    least_overlap: float = option(
        0.35, low=0.0, high=1.0, meaning="Share of topics a memory must have in common with a box."
    )
    silence_minutes: float = option(
        30.0,
        low=0.1,
        high=10_080.0,
        meaning="Minutes without a memory after which a box is sealed.",
    )
    most_memories: int = option(50, low=1, high=1_000, meaning="Memories that one box holds.")
