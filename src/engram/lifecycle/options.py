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
    # 0.1 an hour, the figure this comes from, lets an episode fade within a day. With 0.004 one of
    # medium significance (0.5) stays in sight for its layer's half-life of 30 days, and two more.
    episode_decay_per_hour: float = option(
        0.004,
        low=0.0,
        high=10.0,
        meaning="How fast an episode that nobody recalls fades; significance slows it by up to "
        "half. 0: never.",
    )
