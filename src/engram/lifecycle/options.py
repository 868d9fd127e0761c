"""The numbers of the lifecycle, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option


@dataclass(frozen=True, slots=True)
class LifecycleOptions:
    """How memories fade."""

    retention_mode: str = option(
        "huber",
        choices=("l2", "huber", "elastic"),
        meaning="The curve by which an unused memory fades.",
    )
    spacing_minutes: float = option(
        60.0,
        low=0.0,
        high=10_080.0,
        meaning="Uses closer together than this count as one spaced use.",
    )
